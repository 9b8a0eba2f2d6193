"""The page without a server: ``tehai site`` writes it into a folder for any static host.

``build`` writes the files of ``page``, our Python packages (``packs``) and those of others (``parts``, pinned
in ``parts.toml``). ``serve`` shows the result. In the browser ``application`` answers requests, called by
``static/worker.js``; ``network`` runs the networks.
"""
