"""What a player has chosen once for all hands: the rules, in the platform's configuration folder."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path
from typing import Final

from scorer.record import DEFAULTS
from scorer.rules import RuleSet, preset_ids
from tehai.errors import Mistake
from tehai.output.files import write_whole
from tehai.settings.options import rule_set

FOLDER: Final = "TEHAI_CONFIG"
"""The variable of the environment that names another folder than the platform's."""


def path() -> Path:
    """The file of choices: on Linux ``~/.config/tehai/config.toml``."""
    from platformdirs import user_config_path

    named = os.environ.get(FOLDER)
    return (Path(named) if named else user_config_path("tehai")) / "config.toml"


def chosen_rules() -> str | None:
    """The rules that were chosen: a preset's id, or the path of house rules; None where none ever were.

    Raises :class:`Mistake` for a file that is not what :func:`use_rules` has written.
    """
    file = path()
    try:
        written = tomllib.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError):
        raise Mistake(f"{file} cannot be read; tehai rules --use ID writes it anew.") from None
    rules = written.get("rules")
    return rules if isinstance(rules, str) else None


def kept_rules() -> str | None:
    """The rules that were chosen. Raises :class:`Mistake` where they are there no more."""
    kept = chosen_rules()
    try:
        if kept is not None:
            rule_set(kept)
        return kept
    except Mistake as gone:
        raise Mistake(f"{gone} They were chosen once: tehai rules --use ID chooses others.") from None


def rules_or_default(named: str | None = None) -> str:
    """The rules that hold: those named, else those that were chosen, else the common default."""
    return named or kept_rules() or str(DEFAULTS["rules"])


def use_rules(name: str) -> RuleSet:
    """Keeps the rules as those of every hand to come, house rules by their whole path.

    Raises :class:`Mistake` for rules that there are none of, and where nothing can be kept.
    """
    rules = rule_set(name)
    kept = name if name in preset_ids() else str(Path(name).resolve())
    file = path()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, f"rules = {json.dumps(kept, ensure_ascii=False)}\n".encode())
    except OSError as error:
        raise Mistake(f"{file} cannot be written ({error.strerror}).") from None
    return rules
