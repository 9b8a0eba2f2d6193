"""Rule sets as a request names them: a preset, the server's own house rules, or house rules sent as text.

Never a path: a request must not make the server open files of its own choice.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scorer.rules import RulesError, load_rules, preset_ids
from tehai.errors import Mistake
from tehai.server.answers import Refusal

HOUSE = "house"
"""What requests call the house rules that the server was started with."""

LINE: Final = 500
"""Characters of a line of house rules: whoever looks for the line of a mistake tries all ways to split it."""


@dataclass(frozen=True, slots=True)
class House:
    """``default``: the rules of a request that names none, a preset's id or :data:`HOUSE`.
    ``file``: the house rules of the server, if it was started with some."""

    default: str = "ema2008"
    file: Path | None = None

    @classmethod
    def of(cls, rules: str) -> House:
        """By what ``--rules`` says. Raises :class:`Mistake` for rules that there are none of."""
        try:
            load_rules(rules)
        except RulesError as error:
            raise Mistake(str(error)) from None
        return cls(rules) if rules in preset_ids() else cls(HOUSE, Path(rules).resolve())

    def presets(self) -> list[dict[str, Any]]:
        """All rule sets to choose from: the server's own first."""
        known: dict[str, str | Path] = {HOUSE: self.file} if self.file else {}
        return [
            {
                "id": id_,
                "title": rules.name,
                "source": rules.source,
                "words": rules.words,
                "default": id_ == self.default,
            }
            for id_, name in (known | {id_: id_ for id_ in preset_ids()}).items()
            for rules in (load_rules(name),)
        ]

    @contextmanager
    def named(self, rules: str | None) -> Iterator[str]:
        """The name under which the scorer finds what the request calls ``rules``, None for the default.

        Rules as text, which have a ``=``, lie in a file of their own only for as long as the block takes.
        Raises :class:`Refusal` for rules that there are none of and for text that is no rule set.
        """
        asked = self.default if rules is None else rules
        if asked == HOUSE and self.file:
            yield str(self.file)
        elif asked in preset_ids():
            yield asked
        elif "=" in asked:
            with tempfile.TemporaryDirectory(prefix="tehai-") as folder:
                yield str(_written(asked, Path(folder) / f"{HOUSE}.toml"))
        else:
            known = ", ".join(preset_ids())
            raise Refusal(422, "unknown_rules", f"There are no rules of that name; there are {known}.")


def _written(text: str, file: Path) -> Path:
    """The file with house rules in it. Raises :class:`Refusal` where the text is none."""
    lines = [line.strip() for line in text.split("\n")]
    if max(map(len, lines)) > LINE:
        raise Refusal(422, "unknown_rules", f"A line of the house rules has more than {LINE} characters.")
    try:
        file.write_text("\n".join(lines), encoding="utf-8")
        load_rules(file)
    except RulesError as error:
        sentence = str(error).replace(f"The rules file {file}", "What was sent")
        raise Refusal(422, "unknown_rules", sentence.replace(str(file), "House rules")) from None
    except (RecursionError, UnicodeError):
        raise Refusal(422, "unknown_rules", "What was sent is no set of house rules.") from None
    return file
