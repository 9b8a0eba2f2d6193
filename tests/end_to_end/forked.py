"""``tehai`` as processes that have imported everything already: ``python -m tests.end_to_end.forked``.

A server that starts needs a second of the processor for imports, and tests start a hundred. This
process imports once. Each line on its standard input, JSON, asks for a child: ``arguments`` of the command,
``environment``, and the path of a ``pipe`` that its output goes into. It answers with the child's number. A
child is a process like any other: it can be stopped or killed. :class:`Child` asks for one.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from select import select
from tempfile import TemporaryDirectory
from typing import Any

from tests.folders import ROOT

IMPORTED = ("tehai.cli", "tehai.web.serve", "tehai.web.app", "tehai.hand.inputs", "vision.reader")


def _run(arguments: list[str], environment: dict[str, str], pipe: str) -> None:
    """What the child does; it never returns."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.environ.clear()
    os.environ.update(environment)
    into = os.open(pipe, os.O_WRONLY)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for number, target in ((nothing, 0), (into, 1), (into, 2)):
        os.dup2(number, target)
    sys.stdout = open(1, "w", buffering=1, closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, closefd=False)  # noqa: SIM115
    sys.argv = ["tehai", *arguments]
    from tehai.__main__ import main

    code: Any = 1
    try:
        main()
        code = 0
    except SystemExit as end:
        code = end.code
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else int(code is not None))


class Child:
    """``tehai`` with these ``arguments``. ``output``: what it prints, until it has ended."""

    def __init__(self, arguments: Sequence[str], environment: Mapping[str, str]) -> None:
        parent = _parent()
        assert parent.stdin is not None and parent.stdout is not None
        with TemporaryDirectory() as folder:
            pipe = Path(folder) / "output"
            os.mkfifo(pipe)
            asked = {"arguments": list(arguments), "environment": dict(environment), "pipe": str(pipe)}
            parent.stdin.write(f"{json.dumps(asked)}\n")
            parent.stdin.flush()
            self._number = int(parent.stdout.readline())
            self._process = os.pidfd_open(self._number)
            self.output = pipe.open(encoding="utf-8")

    def end(self, how: signal.Signals) -> None:
        """Returns once nothing of it is left: its port is free."""
        signal.pidfd_send_signal(self._process, how)
        for _ in self.output:
            pass
        self.output.close()
        ended, _, _ = select([self._process], [], [], 60)
        assert ended, f"{how.name} did not end the server"
        os.close(self._process)


@cache
def _parent() -> subprocess.Popen[str]:
    """It ends with whoever asked for it: its standard input does."""
    command = [sys.executable, "-m", "tests.end_to_end.forked"]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def main() -> None:
    """Until the standard input ends."""
    for name in IMPORTED:
        import_module(name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how a child ended
    while line := sys.stdin.readline():
        asked = json.loads(line)
        child = os.fork()
        if not child:
            _run(**asked)
        print(child, flush=True)


if __name__ == "__main__":
    main()
