"""Photographs to learn from."""
