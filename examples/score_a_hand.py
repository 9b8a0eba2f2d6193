"""A hand scored from Python: ``python examples/score_a_hand.py``."""

from scorer import Hand, HandError, Meld, Win, Wind, load_rules, parse_tiles, score

rules = load_rules("ema2008")

# A closed hand that waits for 5 or 8 of bamboos, won by riichi on the discard of the player across.
hand = Hand("234m340567p2267s", "8s")
won = score(hand, Win(tsumo=False, riichi=True, loser_offset=2), rules)
print(f"{won.han} han {won.fu} fu: {won.points:,} points")
for id_, han in won.yaku:
    print(f"  {id_} {han}")
for item in won.fu_items:
    print(f"  {item.fu} fu: {item.reason}")
print("who pays (winner, next, across, previous):", won.deltas)

# An open one: a triplet of green dragons, called from the player before.
hand = Hand("340567p2267s", "8s", [Meld("pon", "666z", source=3)])
won = score(hand, Win(tsumo=True, seat_wind=Wind.SOUTH, dora_indicators=parse_tiles("4p")), rules)
print(f"{won.points:,} points, {won.deltas}")

# What cannot be scored says all that is wrong with it.
try:
    score(hand, Win(tsumo=False, riichi=True, haitei=True), rules)
except HandError as error:
    for fault in error.faults:
        print(f"{fault.id}: {fault.message}")
