"""How things are written: whole files, kept photos, cells of CSV, pieces of sentences."""
