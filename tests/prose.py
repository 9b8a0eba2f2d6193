"""Sentences of Markdown as a reader meets them."""

from __future__ import annotations

import re
from collections.abc import Iterator

_END = re.compile(r"(?<=[.!?])[)\"*_]*\s+(?=[\"*_(\[]*[A-Z0-9手])")


def sentences(markdown: str) -> Iterator[list[str]]:
    """The words of every sentence, list item, heading and cell of a table; code counts as one word."""
    text = re.sub(r"(?ms)^( *)(```|~~~).*?^\1\2\s*$", "\n\n", markdown)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"`[^`]+`", "code", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"(?m)^\|(.*)\|\s*$", lambda row: "\n\n" + row[1].replace("|", "\n\n") + "\n\n", text)
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.) )|\n(?=#)|(?<=[^\n])\n(?=\[)", text):
        flat = " ".join(block.split())
        flat = re.sub(r"^(?:[-*+]|\d+\.|#+|:?-+:?)\s*", "", flat)
        for sentence in _END.split(flat):
            words = [word for word in sentence.split() if re.search(r"\w", word)]
            if words:
                yield words
