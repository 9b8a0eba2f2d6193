"""Games as other programs write them down, read into the game record, and written again."""
