"""What gives decisions: the same face for a stand-in trained here and for a supplied model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd


class Predictor(Protocol):
    """Something that scores people and decides on them."""

    @property
    def name(self) -> str:
        """What it is called in words, for example ``Random forest``."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns it uses."""

    @property
    def warnings(self) -> list[str]:
        """What a person should know about it, in sentences."""

    def describe(self) -> dict[str, Any]:
        """Its kind, columns and settings, ready for JSON."""

    def score(self, frame: pd.DataFrame) -> NDArray[np.float64]:
        """The probability (or other score, high is favourable) a row; NaN where there is none."""

    def decide(self, frame: pd.DataFrame) -> NDArray[np.int8]:
        """1 favourable, 0 unfavourable, -1 where it cannot decide, a row."""

    def both(self, frame: pd.DataFrame) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
        """Score and decision together, from one pass over the rows."""
