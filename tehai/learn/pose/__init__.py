"""Exercises made of hands, a module a kind of knowledge: tiles, shape, value, asking.

Each has a function that makes an exercise about a topic of a deal, or None where the deal is not one for it:
it has not what the topic is about, or more than one answer could be called right.
"""
