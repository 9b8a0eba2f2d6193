"""The server behind ``tehai serve``: the page for phone and browser, and the JSON that it speaks."""
