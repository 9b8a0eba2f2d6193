"""Drills (``tehai learn``): exercises about tiles, hands and points, spaced out by what the learner knows.

``levels`` names what is learnt and in which order; ``hands``, ``own`` and ``deal`` bring hands; ``pose``
makes of one an exercise (``exercise``), whose answers (``answers``) the scorer decides; ``bench`` tries hands
until one fits. ``schedule`` and ``progress`` keep what the learner knows; ``talk`` asks on the terminal,
``sheet`` prints pages for a class; ``drill`` is the door.
"""
