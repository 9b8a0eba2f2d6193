"""Where tests find what is not in the repository; those that need it skip where it is not there."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("TEHAI_DATA", ROOT.parent / "shared" / "data"))
"""Drawings, photos and scored hands, beside the repository or in the folder that ``TEHAI_DATA`` names."""
