"""The sheet of a game as CSV."""

from __future__ import annotations

import csv
import io

from scorer.game_record import PlayedGame
from tehai.output.cells import cell


def sheet(game: PlayedGame) -> str:
    """The sheet as CSV: a row an event with changes and running totals, a last one with the final scores."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    names = [cell(name) for name in game.names]
    changes = [cell(f"{name} change") for name in game.names]
    table.writerow(["round", "deal", "honba", "riichi_sticks", "event", *changes, *names])
    table.writerow(["", "", "", "", "start", *(0 for _ in game.names), *game.start.points])
    for turn in game.turns:
        hand = turn.to_record()
        where = [hand.get(field, "") for field in ("round", "deal", "honba", "riichi_sticks", "event")]
        table.writerow([*where, *turn.changes, *turn.after.points])
    scores = game.game.scores()
    brought = [score - points for score, points in zip(scores, game.game.points, strict=True)]
    table.writerow(["", "", "", "", "scores" if game.game.is_over else "scores so far", *brought, *scores])
    return out.getvalue()
