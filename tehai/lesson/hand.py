"""From what is known of a hand to its lesson."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scorer.open_record import OpenRecord
from scorer.record import complete
from scorer.safety import River
from scorer.telling.advice import explain_unfinished
from scorer.telling.lesson import Lesson, explain
from scorer.tiles import Tile
from tehai.settings.options import rule_set


def lesson_about(
    opened: OpenRecord,
    language: str = "en",
    beside: Sequence[str] = (),
    seen: Sequence[Tile] = (),
    rivers: Sequence[River] = (),
) -> Lesson:
    """The lesson about a finished hand, or about one that is not yet; what is open takes its default.

    ``beside``: the rules to compare with. ``seen``: tiles that lie elsewhere in sight, which a hand that
    is not finished cannot draw; ``rivers``: what others have discarded. Raises ``RecordError`` or
    ``HandError`` where the record is no hand.
    """
    hand_tiles, rules = opened.hand_tiles, opened.rules
    if hand_tiles.is_unfinished:  # there is nothing to ask: it is explained as it stands, won in either way
        win = replace(opened.whole_win, tsumo=False)
        return explain_unfinished(
            hand_tiles.closed, hand_tiles.melds, win, rules, seen=seen, rivers=rivers, language=language
        )
    known = complete(opened)
    others = [rule_set(name) for name in beside if name != opened.called]
    return explain(known.hand, known.win, rules, language=language, beside=others)
