"""How things are written and drawn: whole files, kept photos, drawn readings, cells of CSV, sentences."""
