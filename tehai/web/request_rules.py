"""Rule sets as a request names them: a preset, the server's own house rules, or house rules sent as text.

Never a path: a request must not make the server open files of its own choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scorer.rules import RulesError, RuleSet, house_text, load_rules, parse_rules, preset_ids
from tehai.errors import Mistake
from tehai.server.answers import Refusal

HOUSE = "house"
"""The name in requests for the house rules of the server."""

LINE: Final = 500
"""The most characters of a line of house rules: locating an error in a line takes time."""


@dataclass(frozen=True, slots=True)
class RequestRules:
    """The rules that requests may name.

    ``default``: for a request that names none: a preset's id or :data:`HOUSE`. ``file``: the server's house
    rules, if any.
    """

    default: str = "ema2008"
    file: Path | None = None

    @classmethod
    def of(cls, rules: str) -> RequestRules:
        """From the option ``--rules``. Raises :class:`Mistake` for unknown rules."""
        try:
            load_rules(rules)
        except RulesError as error:
            raise Mistake(str(error)) from None
        return cls(rules) if rules in preset_ids() else cls(HOUSE, Path(rules).resolve())

    def presets(self, language: str = "en") -> list[dict[str, Any]]:
        """All rule sets to choose from, named in the language; the server's own first.

        That one has its ``text`` as well, for game records, because its name means nothing elsewhere.
        """
        known: dict[str, str | Path] = {HOUSE: self.file} if self.file else {}
        return [
            {
                "id": id_,
                "title": rules.named(language),
                "source": rules.source,
                "words": rules.words,
                "players": rules.players,
                "default": id_ == self.default,
                **({"text": house_text(name)} if isinstance(name, Path) else {}),
            }
            for id_, name in (known | {id_: id_ for id_ in preset_ids()}).items()
            for rules in (load_rules(name),)
        ]

    def rules(self, asked: str | None) -> RuleSet:
        """The rules that a request names: an id, or rules as text, which contain ``=``; None for the default.

        Raises :class:`Refusal` for unknown rules and for invalid text.
        """
        name = self.default if asked is None else asked
        try:
            if name == HOUSE and self.file:
                return load_rules(self.file)
            if name in preset_ids():
                return load_rules(name)
            if "=" in name:
                return _parsed(name)
        except RulesError as error:
            raise Refusal(422, "unknown_rules", str(error)) from None
        known = ", ".join(preset_ids())
        raise Refusal(422, "unknown_rules", f"There are no rules of that name; there are {known}.")


def _parsed(text: str) -> RuleSet:
    """The house rules in a text. Raises :class:`Refusal` or :class:`RulesError` for an invalid one."""
    lines = [line.strip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    if max(map(len, lines)) > LINE:
        raise Refusal(422, "unknown_rules", f"A line of the house rules has more than {LINE} characters.")
    try:
        text.encode()  # half a character of UTF-16, which JSON can hold
        return parse_rules("\n".join(lines))
    except UnicodeError:
        raise Refusal(422, "unknown_rules", "What was sent is no set of house rules.") from None
