"""The likeliest legal hand, against trying every choice."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from scorer.readings import counts_are_complete
from scorer.tiles import KIND_OF, parse_tiles
from vision.arrays import Array
from vision.config import CONFIG
from vision.labels import FACES
from vision.scene.legal import RED_LIMIT, Limits, best_called, best_concealed

_FEW = -60.0


def gains_of(text: str, sure: float = 9.0) -> Array:
    """Tiles that surely show these faces."""
    faces = [int(tile) for tile in parse_tiles(text)]
    gains = np.full((len(faces), len(FACES)), _FEW)
    gains[np.arange(len(faces)), faces] = sure
    return gains


def faces_of(chosen: tuple[tuple[int, int], ...]) -> str:
    return " ".join(FACES[face] for _, face in sorted(chosen))


def brute_force(gains: Array, size: int, limits: Limits) -> float | None:
    """The best gain of all choices of tiles and faces that are a finished hand."""
    best = None
    for tiles in combinations(range(len(gains)), size):
        options = [np.flatnonzero(gains[tile] > -8).tolist() for tile in tiles]
        for faces in product(*options):
            counts = np.bincount([KIND_OF[face] for face in faces], minlength=34)
            reds = [sum(face >= 34 and KIND_OF[face] == kind for face in faces) for kind in RED_LIMIT]
            if (counts > limits.kinds).any() or any(
                red > limits.reds[kind] for red, kind in zip(reds, RED_LIMIT, strict=True)
            ):
                continue
            if counts_are_complete(counts.tolist(), (14 - size) // 3):
                gain = float(sum(gains[tile, face] for tile, face in zip(tiles, faces, strict=True)))
                best = gain if best is None else max(best, gain)
    return best


ALL = Limits.after(())


def best(gains: Array) -> tuple[float, tuple[tuple[int, int], ...]]:
    """The gain and the choice of fourteen tiles that are a finished hand."""
    found = best_concealed(gains, 14)
    assert found is not None
    return found


def test_a_sure_hand_is_read_as_it_lies() -> None:
    gain, chosen = best(gains_of("123m456p789s11122z"))
    assert gain == pytest.approx(14 * 9)
    assert faces_of(chosen) == "1m 2m 3m 4p 5p 6p 7s 8s 9s 1z 1z 1z 2z 2z"


@pytest.mark.parametrize(
    ("texts", "finished"),
    [
        (["1122m3344p5566s77z", "19m19p19s12345677z", "111222333m44455z"], True),
        (["123m456p789s1112z3z", "1111m3344p5566s77z", "123m456p789s1112z"], False),
    ],
)
def test_every_kind_of_finished_hand_is_one_and_nothing_else(texts: list[str], finished: bool) -> None:
    assert [best_concealed(gains_of(text), 14) is not None for text in texts] == [finished] * 3


def test_a_face_that_fits_is_taken_for_the_likelier_one_that_does_not() -> None:
    gains = gains_of("123m456p999s11122z")
    six, nine = FACES.index("6s"), FACES.index("9s")
    gains[8] = _FEW
    gains[8, six], gains[8, nine] = 9.0, 6.5  # read as a six, may be a nine
    gain, chosen = best(gains)
    assert dict(chosen)[8] == nine and gain == pytest.approx(14 * 9 - 2.5)


def test_only_one_five_of_a_suit_is_red() -> None:
    gains = gains_of("055m123p789s11122z")
    gains[1, FACES.index("0m")] = 9.5  # the second looks red, too
    assert faces_of(best(gains)[1]).split()[:3] == ["0m", "5m", "5m"]


def test_called_sets_take_their_tiles_from_the_four_there_are() -> None:
    gains = gains_of("11m456p789s22z")
    faces = [int(tile) for tile in parse_tiles("111m")]
    limits = Limits.after(faces)
    assert limits is not None and best_concealed(gains, 11, limits) is None
    assert best_concealed(gains_of("345m456p789s22z"), 11, limits) is not None
    assert Limits.after([int(tile) for tile in parse_tiles("111m")] * 2) is None


@pytest.mark.parametrize("seed", range(40))
def test_no_choice_is_better(seed: int) -> None:
    """Random gains on small hands: a pair, or a set and a pair, of a few tiles that may be several kinds."""
    rng = np.random.default_rng(seed)
    size = int(rng.choice([2, 5]))
    count = size + int(rng.integers(0, 3))
    gains = np.full((count, len(FACES)), _FEW)
    near = [int(face) for face in parse_tiles("45670m")]
    for tile in range(count):
        some = rng.choice(near, size=int(rng.integers(1, 4)), replace=False)
        gains[tile, some] = rng.uniform(2, 6, len(some)) - rng.choice([0.0, 5.0])
    assert ALL is not None
    found, best = best_concealed(gains, size, ALL), brute_force(gains, size, ALL)
    assert (found is None) == (best is None)
    if found is not None and best is not None:
        assert found[0] == pytest.approx(best)
        assert found[0] == pytest.approx(sum(gains[tile, face] for tile, face in found[1]))


def test_a_called_set_is_three_alike_or_a_run_or_four() -> None:
    def faces(text: str, backs: float = _FEW) -> list[str]:
        gains = gains_of(text)
        found = best_called(gains, np.full(len(gains), backs))
        return [FACES[face] for face in found.faces] if found else []

    assert faces("777z") == ["7z"] * 3
    assert faces("324m") == ["3m", "2m", "4m"]
    assert faces("5055p") == ["5p", "0p", "5p", "5p"]
    assert faces("135m") == [] and faces("124z") == []


def test_two_of_a_closed_kan_are_face_down() -> None:
    gains, backs = gains_of("1233z"), np.array([9.0, _FEW, _FEW, 9.0])
    gains[[0, 3]] = _FEW
    gains[1, FACES.index("2z")], gains[1, FACES.index("3z")] = 8.0, 7.0
    found = best_called(gains, backs)
    assert found is not None and found.face_down and found.gain == pytest.approx(9 + 9 + 7 + 9)
    assert [FACES[face] for face in found.faces] == ["3z"] * 4


def test_two_alike_and_one_face_down_are_a_closed_kan() -> None:
    gains = gains_of("333z")
    gains[2] -= 12  # hardly a face, but a back
    found = best_called(gains, np.array([_FEW, _FEW, 6.0]))
    assert found is not None and found.face_down == (2,) and found.gain == pytest.approx(9 + 9 + 6)
    assert [FACES[face] for face in found.faces] == ["3z"] * 3


@pytest.mark.parametrize(
    ("white", "back", "is_kan"), [(0.3, 0.6, False), (0.6, 0.3, False), (0.001, 0.99, True)]
)
def test_three_whites_of_which_one_looks_like_a_back_are_a_pon_unless_it_surely_is_one(
    white: float, back: float, is_kan: bool
) -> None:
    """Of a closed kan two lie face down: that only one was seen is rare."""
    gains = gains_of("555z")
    gains[2, FACES.index("5z")] = np.log(white)
    found = best_called(gains, np.array([_FEW, _FEW, np.log(back)]), CONFIG.missed_back)
    assert found is not None and bool(found.face_down) is is_kan
    assert [FACES[face] for face in found.faces] == ["5z"] * 3


def test_that_both_backs_of_a_closed_kan_were_seen_costs_nothing() -> None:
    gains, backs = gains_of("5555z"), np.array([5.0, _FEW, _FEW, 5.0])
    gains[[0, 3]] = _FEW
    whole, free = (best_called(gains, backs, escaped) for escaped in (CONFIG.missed_back, 0.0))
    assert whole is not None and free is not None and whole.face_down and whole.gain == free.gain
