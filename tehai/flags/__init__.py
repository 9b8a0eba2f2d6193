"""The flags of ``tehai score``: their table, and the facts that they state."""
