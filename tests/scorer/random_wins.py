"""The random wins of the benchmarks as a strategy, so that what fails is shrunk."""

from __future__ import annotations

from hypothesis import strategies as st

from benchmarks.wins import RandomWin, random_win
from tehai.learn.deal import with_red

__all__ = ["RandomWin", "random_wins", "with_red"]


@st.composite
def random_wins(draw: st.DrawFn, reds: bool = False) -> RandomWin:
    """``reds``: whether one five of each suit is red."""
    return random_win(draw(st.randoms(use_true_random=False)), reds)
