"""The player's default rules, kept in the configuration folder of the platform."""

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
"""The environment variable for another configuration folder."""


def path() -> Path:
    """The configuration file: on Linux ``~/.config/tehai/config.toml``."""
    from platformdirs import user_config_path

    named = os.environ.get(FOLDER)
    return (Path(named) if named else user_config_path("tehai")) / "config.toml"


def chosen_rules() -> str | None:
    """The player's default rules: the id of a preset or the path of house rules; None without a choice.

    Raises :class:`Mistake` for a file that :func:`use_rules` did not write.
    """
    file = path()
    try:
        written = tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError):
        raise Mistake(f"{file} cannot be read; tehai rules --use ID writes it anew.") from None
    rules = written.get("rules")
    return rules if isinstance(rules, str) else None


def kept_rules() -> str | None:
    """The player's default rules. Raises :class:`Mistake` if they no longer exist."""
    kept = chosen_rules()
    try:
        if kept is not None:
            rule_set(kept)
        return kept
    except Mistake as gone:
        raise Mistake(f"{gone} They were chosen once: tehai rules --use ID chooses others.") from None


def rules_or_default(named: str | None = None) -> str:
    """The named rules, or else the player's default, or else the common default."""
    return named or kept_rules() or str(DEFAULTS["rules"])


def use_rules(name: str) -> RuleSet:
    """Save the default rules; house rules by their absolute path.

    Raises :class:`Mistake` for unknown rules, and if the file cannot be written.
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
