"""The command line. ``program`` runs it; each other module has the commands of one kind.

What a command needs is imported when it runs, so that ``tehai --help`` loads neither OpenCV nor onnxruntime.
"""

# In the order of ``tehai --help``.
from tehai.cli import hands, games, servers, learning, labels, installation  # isort: skip
from tehai.cli.program import app, main

__all__ = ["app", "games", "hands", "installation", "labels", "learning", "main", "servers"]
