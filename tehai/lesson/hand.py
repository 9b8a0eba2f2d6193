"""From what is known of a hand to its lesson."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scorer.open_record import OpenRecord
from scorer.record import complete
from scorer.telling.lesson import Lesson, explain, explain_waits
from tehai.options import rule_set


def lesson_about(opened: OpenRecord, language: str = "en", beside: Sequence[str] = ()) -> Lesson:
    """The lesson about a finished hand, or about one that waits; what is open takes its default.

    ``beside``: the rules to compare with. Raises ``RecordError`` or ``HandError`` where the record is no
    hand.
    """
    laid, rules = opened.laid, opened.rules
    if laid.is_waiting:  # there is nothing to ask: it is explained as it stands, won in either way
        win = replace(opened.whole_win, tsumo=False)
        return explain_waits(laid.concealed, laid.melds, win, rules, language=language)
    known = complete(opened)
    others = [rule_set(name) for name in beside if name != opened.called]
    return explain(known.hand, known.win, rules, language=language, beside=others)
