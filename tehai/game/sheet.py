"""The sheet of a game as CSV."""

from __future__ import annotations

import csv
import io

from scorer.game_record import PlayedGame
from tehai.output.cells import cell


def sheet(game: PlayedGame) -> str:
    """The sheet as CSV: a row an event with changes and running totals, a last one with the final scores.
    Where the rules have chips, those that each event moved, and at last all of them."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    names = [cell(name) for name in game.names]
    changes = [cell(f"{name} change") for name in game.names]
    chips = [cell(f"{name} chips") for name in game.names if game.game.chips]
    table.writerow(["round", "deal", "honba", "riichi_sticks", "event", *changes, *names, *chips])
    table.writerow(
        ["", "", "", "", "start", *(0 for _ in game.names), *game.start.points, *(0 for _ in chips)]
    )
    for turn in game.turns:
        hand = turn.to_record()
        where = [hand.get(field, "") for field in ("round", "deal", "honba", "riichi_sticks", "event")]
        table.writerow([*where, *turn.changes, *turn.after.points, *(turn.chips if chips else ())])
    scores = game.game.scores()
    brought = [score - points for score, points in zip(scores, game.game.points, strict=True)]
    table.writerow(
        [
            "",
            "",
            "",
            "",
            "scores" if game.game.is_over else "scores so far",
            *brought,
            *scores,
            *game.game.chips,
        ]
    )
    return out.getvalue()
