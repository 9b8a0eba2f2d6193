"""Drills (``tehai learn``): exercises about tiles, hands and points, repeated when the learner is about to
forget.

``levels`` has the topics in the order of learning. ``hands``, ``own_files`` and ``deal`` provide hands,
``pose`` makes exercises of them (``exercise``), and ``bench`` tries hands until one fits a topic. The scorer
decides the right answers (``answers``).

``knowledge``, ``progress`` and ``schedule`` record what the learner knows. ``terminal_drill`` asks on the
terminal, ``sheet`` prints pages for a class, and ``drill`` has the command.
"""
