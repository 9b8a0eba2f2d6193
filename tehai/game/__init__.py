"""A whole game: read from a file, told in words, written as a sheet."""
