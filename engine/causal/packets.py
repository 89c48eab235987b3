"""The bootstrap of fitted equations: people in packets, drawn with replacement.

A packet is one person where there are few people; with many, people are laid at random into
:data:`MOST` packets of equal size, which are then drawn. Every equation of a graph, and every
average over people, is drawn with the same packets, so that their dependence is kept. The cost of
a resample does not grow with the people.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MOST = 2000


@dataclass(frozen=True)
class Packets:
    """People in packets, and how often each packet is drawn.

    Attributes
    ----------
    order : int array, shape (packets, size)
        Rows of each packet; ``n`` stands for an empty place.
    times : float array, shape (resamples, packets)
    n : int
    """

    order: NDArray[np.int64]
    times: Floats
    n: int

    @property
    def resamples(self) -> int:
        """How many resamples there are."""
        return len(self.times)

    def sums(self, values: Floats) -> Floats:
        """Sums over each packet: ``(n, ...)`` to ``(packets, ...)``."""
        padded = np.concatenate([values, np.zeros((1, *values.shape[1:]))])
        return np.asarray(padded[self.order].sum(axis=1), dtype=np.float64)

    def drawn(self, values: Floats) -> Floats:
        """Sums over each resample: ``(n, ...)`` to ``(resamples, ...)``."""
        sums = self.sums(values)
        flat = self.times @ sums.reshape(len(sums), -1)
        return flat.reshape(len(self.times), *values.shape[1:])

    def products(self, matrix: Floats, weight: Floats) -> Floats:
        """Weighted cross products of each resample: ``(n, q)`` to ``(resamples, q, q)``."""
        q = matrix.shape[1]
        root = matrix * np.sqrt(weight)[:, None]
        padded = np.concatenate([root, np.zeros((1, q))])
        sums = np.empty((len(self.order), q * q))
        step = max(1, 4_000_000 // max(1, self.order.shape[1] * q))
        for start in range(0, len(self.order), step):
            part = padded[self.order[start : start + step]]
            sums[start : start + step] = np.matmul(part.transpose(0, 2, 1), part).reshape(-1, q * q)
        return np.asarray((self.times @ sums).reshape(-1, q, q), dtype=np.float64)

    def row_times(self, resample: int) -> Floats:
        """How often each person is drawn in one resample, shape (n,)."""
        times = np.zeros(self.n + 1)
        times[self.order] = self.times[resample][:, None]
        return times[: self.n]


def packets_of(*, n: int, resamples: int, rng: np.random.Generator, most: int = MOST) -> Packets:
    """Lay people into packets and draw these.

    Examples
    --------
    >>> import numpy as np
    >>> found = packets_of(n=5, resamples=3, rng=np.random.default_rng(1))
    >>> found.drawn(np.ones(5)).tolist()
    [5.0, 5.0, 5.0]
    """
    size = -(-n // most)
    count = -(-n // size) if n else 0
    places = np.full(count * size, n, dtype=np.int64)
    # empty places are spread over the packets, so that no packet is much lighter
    places[:n] = np.arange(n) if size == 1 else rng.permutation(n)
    order = places.reshape(size, count).T
    share = np.full(count, 1.0 / count)
    times = rng.multinomial(count, share, size=resamples).astype(np.float64)
    return Packets(order, times, n)
