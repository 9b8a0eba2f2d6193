"""``python -m tehai``."""

from tehai.cli import main

main()
