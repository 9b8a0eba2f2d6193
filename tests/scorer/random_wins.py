"""The random wins of the benchmarks as a strategy."""

from __future__ import annotations

from hypothesis import strategies as st

from benchmarks.wins import RandomWin, random_win
from tehai.learn.deal import with_red

__all__ = ["RandomWin", "random_wins", "with_red"]


@st.composite
def random_wins(draw: st.DrawFn, reds: bool = False, players: int = 4) -> RandomWin:
    """``reds``: whether one five of each suit is red; of three players it always is.

    What is drawn is a seed: a deal shuffles the wall, and to draw and shrink each of its steps takes seconds.
    """
    return random_win(draw(st.randoms(use_true_random=True)), reds, players)
