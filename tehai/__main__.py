"""``python -m tehai``, and the ``tehai`` command."""

import sys


def main() -> None:
    """The command; Ctrl-C is quiet from its first moment on."""
    try:
        from tehai.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
