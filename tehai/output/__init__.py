"""Output: atomic files, the photo archive, drawings of readings, cells of CSV, parts of sentences."""
