"""One hand: what a photo or a typed line says of it, what is in doubt, and its score."""
