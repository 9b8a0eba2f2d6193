"""A camera over the table: a live window, or records as lines."""
