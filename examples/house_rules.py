"""One hand under several rules, a table's own among them: ``python examples/house_rules.py [RULES...]``.

``RULES``: preset ids or files of house rules; without them ``ema2008`` beside ``house.toml``.
"""

import sys
from pathlib import Path

from scorer import RulesError, load_rules, score_record

OWN = Path(__file__).with_name("house.toml")
HAND = {
    "concealed": "345m345p67s88s",
    "win_tile": "8s",
    "melds": [{"type": "chi", "tiles": "234s", "from": 3}],
    "tsumo": True,
}


def main(names: list[str]) -> None:
    """A line for each."""
    for name in names:
        try:
            rules = load_rules(name)
        except RulesError as error:
            sys.exit(str(error))
        result = score_record({**HAND, "rules": name})
        worth = result["in_words"] if result["status"] == "ok" else result["message"]
        print(f"{rules.name}: {worth}")
        for id_, han in rules.yaku.items():
            if rules.base and han != load_rules(rules.base).yaku[id_]:
                print(f"  {id_} {han[0]} / {han[1]}: {rules.cite[id_]}")


if __name__ == "__main__":
    main(sys.argv[1:] or ["ema2008", str(OWN)])
