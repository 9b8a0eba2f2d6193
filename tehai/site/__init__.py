"""The page without a server: ``tehai site`` writes it down as a folder for any static host.

``build`` ← ``page`` (the page's files), ``packs`` (our Python and what it stands on), ``parts`` (what others
made, pinned in ``parts.toml``); ``serve`` shows it. In the browser ``application`` answers, asked by
``static/worker.js``; ``network`` runs the networks there.
"""
