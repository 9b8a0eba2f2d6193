"""Lessons that explain a score step by step: what the hand has, what it nearly has, and its value."""
