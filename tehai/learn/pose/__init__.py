"""Exercises about hands, a module for each kind of knowledge.

Each module has a function that makes an exercise about a topic from a deal. It returns None if the deal lacks
what the topic is about, or if more than one answer could be right.
"""
