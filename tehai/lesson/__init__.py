"""A lesson (:mod:`scorer.telling.lesson`) as terminal text, Markdown, HTML or JSON."""
