"""The renderer of photographs with exact truth."""
