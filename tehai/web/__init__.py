"""The server of ``tehai serve``: the page for phone and browser, and its JSON endpoints."""
