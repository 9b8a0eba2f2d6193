"""From what is known of a hand to its lesson."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scorer.hand import seats_of
from scorer.laid import Known
from scorer.open_record import OpenRecord
from scorer.record import complete
from scorer.telling.advice import explain_unfinished
from scorer.telling.lesson import Lesson, explain, explain_waits
from scorer.tiles import Tile, count_kinds
from tehai.options import rule_set


def seated(opened: OpenRecord) -> tuple[OpenRecord, bool]:
    """With a seat, a guest's where nobody has told it, as most are; and whether it was told.

    Of the guests' winds the one that the hand has fewest of, so that none is taken for worth something.
    """
    if "seat_wind" in opened.settled:
        return opened, True
    if opened.dealer:
        return opened.put({"dealer": True}), True
    held = count_kinds(opened.laid.line)
    seat = min(seats_of(opened.rules.players)[1:], key=lambda wind: held[wind.kind])
    return opened.put({"seat_wind": seat}), False


def lesson_about(
    opened: OpenRecord, language: str = "en", beside: Sequence[str] = (), seen: Sequence[Tile] = ()
) -> Lesson:
    """The lesson about a finished hand, or about one that is not yet; what is open takes its default.

    ``beside``: the rules to compare with. ``seen``: tiles that lie elsewhere in sight, which a hand that
    is not finished cannot draw. Raises ``RecordError`` or ``HandError`` where the record is no hand.
    """
    laid, rules = opened.laid, opened.rules
    if laid.is_unfinished:  # there is nothing to ask: it is explained as it stands, won in either way
        opened, seat_known = seated(opened)
        win = replace(opened.whole_win, tsumo=False)
        if laid.waits:
            return explain_waits(laid.concealed, laid.melds, win, rules, seen=seen, language=language)
        return explain_unfinished(
            laid.closed, laid.melds, win, rules, seen=seen, seat_known=seat_known, language=language
        )
    known = complete(opened)
    others = [rule_set(name) for name in beside if name != opened.called]
    seat_known = opened.known.get("seat_wind") not in (None, Known.DEFAULT)
    return explain(known.hand, known.win, rules, language=language, beside=others, seat_known=seat_known)
