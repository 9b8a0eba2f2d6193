"""Pixels to tiles."""
