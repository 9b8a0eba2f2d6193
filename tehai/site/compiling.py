"""Compile Python sources to bytecode, which loads faster and is smaller: without docstrings and assertions.

It runs in the Python that will load the bytecode: in this process if the versions agree, otherwise in Pyodide
under Node. It imports nothing of ours.
"""

import py_compile
from pathlib import Path

AS_THEY_ARE = ("anyio",)
"""Packages that look for their own sources."""


def compile_all(root: str) -> None:
    """Replace every ``x.py`` below ``root`` by ``x.pyc``, without any time or path of this machine."""
    base = Path(root)
    for source in sorted(base.rglob("*.py")):
        name = source.relative_to(base)
        if name.parts[0] in AS_THEY_ARE:
            continue
        py_compile.compile(
            str(source),
            str(source.with_suffix(".pyc")),
            dfile=str(name),
            doraise=True,
            optimize=2,
            invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
        )
        source.unlink()
