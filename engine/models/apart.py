"""Long fits in a process of their own, so that Cancel ends them at once.

scikit-learn looks for no stop while it fits: a support vector machine on many people runs for
minutes. :class:`Trainer` therefore hands such fits to another process, started when the first one
comes and kept for the next, and ends it where the watch asks for a stop. Short fits are made here:
starting a process takes seconds. Where a fit is made does not change it.
"""

from __future__ import annotations

import contextlib
import multiprocessing
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from engine.base.problems import Problem, Refused
from engine.base.watch import Watch
from engine.messages import say

from .standin import MODELS, StandIn, fit

LONG_FROM = {
    "svm": 2_000,
    "neural_network": 3_000,
    "gradient_boosting": 15_000,
    "random_forest": 15_000,
}
"""People to train on from which a fit may take more than a few seconds; other algorithms are short."""
SLOW_ANSWERS = ("svm", "k_nearest")
PART = 1_000
"""People whom a slow algorithm is asked about between two looks for a stop."""
LOOK_EVERY = 0.1
"""Seconds after which a stop is looked for."""


def _serve(pipe: Connection) -> None:
    """The other process: what to fit in, a stand-in or a refusal out, until the pipe closes."""
    try:
        pipe.send("ready")
        while True:
            asked = pipe.recv()
            try:
                pipe.send(("fitted", fit(**asked)))
            except Refused as refused:
                pipe.send(("refused", refused.problems))
            except MemoryError:
                pipe.send(("memory", None))
    except (EOFError, OSError, KeyboardInterrupt):
        return


class Trainer:
    """Makes fits, long ones in another process; use it as a context.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> with Trainer() as trainer:
    ...     model = trainer.fit(
    ...         model="decision_tree", frame=pd.DataFrame({"x": [0.0, 1.0]}),
    ...         target=np.array([0, 1], np.int8), features=["x"], seed=1, watch=Watch(),
    ...     )
    >>> model.decide(pd.DataFrame({"x": [0.0, 1.0]})).tolist()
    [0, 1]
    """

    def __init__(self) -> None:
        self._process: Any = None
        self._pipe: Connection | None = None

    def __enter__(self) -> Trainer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self._end()

    def fit(
        self,
        *,
        model: str,
        frame: pd.DataFrame,
        target: NDArray[np.int8],
        features: Sequence[str],
        seed: int,
        watch: Watch,
        parameters: Mapping[str, Any] | None = None,
        weight: NDArray[np.float64] | None = None,
    ) -> StandIn:
        """As :func:`engine.models.standin.fit`.

        Raises
        ------
        Refused
            As there, and where the other process ends without an answer.
        Cancelled
            Where the watch asks for it, at once.
        """
        asked: dict[str, Any] = {
            "model": model,
            "frame": frame,
            "target": target,
            "features": tuple(features),
            "seed": seed,
            "parameters": dict(parameters or {}),
            "weight": weight,
        }
        people = int((np.asarray(target) >= 0).sum())
        if people < LONG_FROM.get(model, people + 1):
            return fit(**asked, watch=watch)
        watch.say(f"Training: {MODELS[model].title}")
        asked["frame"] = frame[[f for f in asked["features"] if f in frame]]
        kind, found = self._ask(asked, watch)
        if kind == "fitted":
            fitted: StandIn = found
            return fitted
        if kind == "refused":
            raise Refused(found)
        code = "models.fit_memory" if kind == "memory" else "models.fit_ended"
        raise Refused(Problem("", "system.train", say(code, model=MODELS[model].title)))

    def _ask(self, asked: Mapping[str, Any], watch: Watch) -> tuple[str, Any]:
        try:
            if self._pipe is None:
                context = multiprocessing.get_context("spawn")
                self._pipe, other = context.Pipe()
                self._process = context.Process(target=_serve, args=(other,), daemon=True)
                self._process.start()
                other.close()
                # sending many people waits until somebody reads: not before the other is there
                self._receive(watch)
            self._pipe.send(asked)
            answer: tuple[str, Any] = self._receive(watch)
        except (EOFError, OSError):
            self._end()
            return "ended", None
        except BaseException:
            self._end()  # a fit that nobody waits for is not left running
            raise
        return answer

    def _receive(self, watch: Watch) -> Any:
        assert self._pipe is not None
        while not self._pipe.poll(LOOK_EVERY):
            watch.check()
        return self._pipe.recv()

    def _end(self) -> None:
        if self._pipe is None:
            return
        self._process.terminate()
        self._process.join(5)
        with contextlib.suppress(OSError):
            self._pipe.close()
        self._process = self._pipe = None


def answers(
    *, model: StandIn, frame: pd.DataFrame, watch: Watch
) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
    """Scores and decisions, as :meth:`StandIn.both`; slow algorithms are asked in parts.

    Raises
    ------
    Cancelled
        Where the watch asks for it, between two parts.
    """
    watch.check()
    if model.model not in SLOW_ANSWERS or len(frame) <= PART:
        return model.both(frame)
    scores, decisions = [], []
    for start in range(0, len(frame), PART):
        watch.check()
        score, decision = model.both(frame.iloc[start : start + PART])
        scores.append(score)
        decisions.append(decision)
    return np.concatenate(scores), np.concatenate(decisions)
