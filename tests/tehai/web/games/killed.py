"""``python -m tests.tehai.web.games.killed FOLDER``: books draws as fast as it can until it is killed, and
says of each when it stands: the number of the change and its name."""

from __future__ import annotations

import sys
from pathlib import Path

from tehai.web.games.store import GameStore
from tests.tehai.web.games.logs import BEGUN, adding


def main(folder: Path) -> None:
    with GameStore(folder) as store:
        game = store.begin([BEGUN], len)
        while True:
            name = f"hand-{game.number}"
            correction = {"event": "correction", "changes": [100, -100, 0, 0], "note": name}
            game = store.change(game.id, game.number, adding(name, correction), len)
            print(game.id, game.number, name, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
