"""A lesson (:mod:`scorer.lesson`) as terminal text, Markdown, HTML or JSON."""
