"""``tehai review``: a person checks labels in the browser, the hardest photos first (``docs/review.md``)."""
