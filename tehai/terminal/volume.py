"""How much the terminal prints, as ``tehai -q`` and ``tehai -v`` say."""

quiet = False
"""Results alone: no notes, no doubts."""

verbose = False
"""More than a user mostly wants: versions, networks."""
