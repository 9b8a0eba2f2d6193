"""Labels for folders of photos: read by the models, checked by people, kept in a journal, for any tool."""
