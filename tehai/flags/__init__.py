"""What the flags of ``tehai score`` say: the table of flags, and the facts that follow."""
