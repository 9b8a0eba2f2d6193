"""Point a phone at a finished mahjong hand, get its score."""
