"""How the published answer changes: fewer protected people, other deltas, other N and K, models.

The paper reports that 95 % of the outcomes stay the same and calls that robust; so many would by
chance. Agreement over the five classes, Cohen's kappa and the chance level stand beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from engine.base.watch import Watch

from .audit import Audited, audit
from .likelihood import GRIDS, MODEL_WORDS, fit
from .matching import Floats
from .published import CLASS_WORDS, CLASSES

IMBALANCE, DELTA, DRAWS, MODELS = "imbalance", "delta", "draws", "models"
FACTORS = (0.2, 0.3, 0.4, 0.5)
SIZES = ((10, 30), (30, 30), (100, 30), (1000, 30), (100, 10), (100, 60))


Entry = dict[str, Any]
"""What one run of the published test gave; see :func:`run`."""


@dataclass(frozen=True)
class Cell:
    """One run of the published test: which test, at what level, and how often before."""

    test: str
    level: str
    repeat: int
    words: str
    make: Callable[[], Entry]

    @property
    def key(self) -> tuple[str, str, int]:
        """By which it is known again."""
        return self.test, self.level, self.repeat


@dataclass(frozen=True)
class Setup:
    """What a stress test starts from: the people and the answer on all of them."""

    matrix: Floats
    protected: NDArray[np.bool_]
    target: NDArray[np.int8]
    score: Floats | None
    score_model: str
    propensity: Floats
    likelihood: Floats
    base: Audited
    settings: Mapping[str, Any]
    seed: int


def agreement(first: NDArray[np.int8], second: NDArray[np.int8]) -> dict[str, Any]:
    """How two audits of the same people agree; entries are classes, -1 untested.

    ``same_label`` is the paper's invariant outcome ratio (flagged or not), by person; ``chance``
    what it would be if the two had nothing to do with each other; ``same_class`` over the five
    classes with Cohen's ``kappa``. None without a common person.

    Examples
    --------
    >>> agreement(np.array([0, 4, 2, -1]), np.array([0, 3, 2, 1]))["same_label"]
    1.0
    """
    both = (first >= 0) & (second >= 0)
    a, b = first[both], second[both]
    if not len(a):
        return {"common": 0, "same_label": None, "chance": None, "same_class": None, "kappa": None}
    flagged_a, flagged_b = float((a != 2).mean()), float((b != 2).mean())
    same = float((a == b).mean())
    by_class = sum(float((a == c).mean()) * float((b == c).mean()) for c in range(len(CLASSES)))
    kappa = None if by_class >= 1 else (same - by_class) / (1 - by_class)
    return {
        "common": len(a),
        "same_label": float(((a != 2) == (b != 2)).mean()),
        "chance": flagged_a * flagged_b + (1 - flagged_a) * (1 - flagged_b),
        "same_class": same,
        "kappa": kappa,
    }


def _entry(
    test: str, level: str, repeat: int, found: Audited, whole: NDArray[np.int8], base: Audited
) -> dict[str, Any]:
    classes = found.classes[found.persons]
    shares = {
        c: float((classes == i).mean()) if len(classes) else None for i, c in enumerate(CLASSES)
    }
    return {
        "test": test, "level": level, "repeat": repeat, "protected": len(found.own),
        "tested": len(found.persons), "unfair_share": found.unfair_share, "shares": shares,
        **agreement(base.classes, whole),
    }  # fmt: skip


def levels_of(setup: Setup) -> list[float]:
    """Shares of protected people in per cent: those asked for, else five points apart."""
    asked = [float(v) for v in setup.settings["stress_levels"]]
    if asked:
        return asked
    base = 100 * float(setup.protected.mean())
    return [round(base - 5 * k, 2) for k in range(1, 7) if base - 5 * k >= 2]


def cells(setup: Setup) -> list[Cell]:
    """The runs that the settings ask for, in order: test by test, level by level."""
    settings, wanted = setup.settings, setup.settings["stress"] or ()
    found: list[Cell] = []
    if IMBALANCE in wanted:
        levels = levels_of(setup)
        for i, share in enumerate(levels):
            for repeat in range(int(settings["stress_repeats"])):
                words = f"{share:g} % protected, {repeat + 1}"
                make = _imbalance(setup, levels, i, repeat)
                found.append(Cell(IMBALANCE, f"{share:g} %", repeat, words, make))
    if DELTA in wanted:
        for factor in FACTORS:
            changed = {**settings, "delta_factor": factor, "delta": None}
            level = f"factor {factor:g}"
            make = _again(setup, DELTA, level, changed)
            found.append(Cell(DELTA, level, 0, f"delta {factor:g}", make))
    if DRAWS in wanted:
        for draws, sample in SIZES:
            changed = {**settings, "draws": draws, "sample": sample}
            level = f"N = {draws}, K = {sample}"
            found.append(Cell(DRAWS, level, 0, level, _again(setup, DRAWS, level, changed)))
    if MODELS in wanted:
        for model in GRIDS:
            for fitting in (True, False) if setup.score is None else (True,):
                level = f"{MODEL_WORDS[model]} {FINDS if fitting else GIVES}"
                make = _model(setup, model, level, fitting)
                found.append(Cell(MODELS, level, 0, level, make))
    return found


def run(
    *, setup: Setup, watch: Watch, known: Sequence[Entry] = (), keep: list[Entry] | None = None
) -> tuple[list[Entry], int]:
    """Run the stress tests that the settings ask for, one entry a cell (test, level, repeat).

    Parameters
    ----------
    setup : Setup
    watch : Watch
        Asked before each cell.
    known : sequence of entries
        Cells that ran already under the same settings; they are not run again.
    keep : list, optional
        Gets each entry as soon as there is one, so that a stop loses nothing that is done.

    Returns
    -------
    entries : list
    of : int
        How many cells the settings ask for, whatever ``stress_cells`` leaves of them.
    """
    asked = cells(setup)
    most = setup.settings["stress_cells"]
    wanted = asked if most is None else asked[: int(most)]
    before = {(e["test"], e["level"], e["repeat"]): e for e in known}
    found: list[Entry] = [] if keep is None else keep
    for number, cell in enumerate(wanted):
        watch.say(f"Stress test: {cell.words}", done=number, total=len(wanted))
        found.append(before.get(cell.key) or cell.make())
    return found, len(asked)


def _again(setup: Setup, test: str, level: str, settings: Mapping[str, Any]) -> Callable[[], Entry]:
    def cell() -> Entry:
        found = audit(
            propensity=setup.propensity, likelihood=setup.likelihood, protected=setup.protected,
            settings=settings, rng=np.random.default_rng([setup.seed, 9, 1]), watch=Watch(),
        )  # fmt: skip
        return _entry(test, level, 0, found, found.classes, setup.base)

    return cell


def _fit(
    setup: Setup,
    rows: NDArray[np.int64],
    model: str,
    tune: bool,
    target: NDArray[np.int8],
    words: str,
) -> Floats:
    return fit(
        matrix=setup.matrix[rows], target=target, known=target >= 0, model=model, tune=tune,
        seed=setup.seed % 2**32, watch=Watch(), words=words,
    ).probability  # fmt: skip


FINDS, GIVES = "finds the peers", "gives the likelihood"


def _model(setup: Setup, model: str, level: str, fitting: bool) -> Callable[[], Entry]:
    """Another fitting or prediction model, with its usual parameters (the grid would take hours)."""

    def cell() -> Entry:
        rows = np.arange(len(setup.protected))
        propensity, likelihood = setup.propensity, setup.likelihood
        tune = model == "logistic_regression" and bool(setup.settings["tune"])
        if fitting:
            propensity = _fit(setup, rows, model, tune, setup.protected.astype(np.int8), "peers")
        else:
            likelihood = _fit(setup, rows, model, tune, setup.target, "likelihood")
        found = audit(
            propensity=propensity, likelihood=likelihood, protected=setup.protected,
            settings=setup.settings, rng=np.random.default_rng([setup.seed, 9, 2]), watch=Watch(),
        )  # fmt: skip
        return _entry(MODELS, level, 0, found, found.classes, setup.base)

    return cell


def _imbalance(setup: Setup, levels: list[float], place: int, repeat: int) -> Callable[[], Entry]:
    """A sub-sample of fixed size with a smaller share of protected people; everything refitted."""

    def cell() -> Entry:
        share = levels[place] / 100
        ours, others = np.flatnonzero(setup.protected), np.flatnonzero(~setup.protected)
        total = setup.settings["stress_total"] or int(
            min(len(others) / (1 - min(levels) / 100), len(ours) / (max(levels) / 100))
        )
        wanted = min(int(total * share), len(ours))
        rng = np.random.default_rng([setup.seed, 81, place, repeat])
        chosen = np.sort(rng.choice(ours, wanted, replace=False))
        beside = np.sort(rng.choice(others, min(int(total) - wanted, len(others)), replace=False))
        rows = np.concatenate((chosen, beside))
        protected = setup.protected[rows]
        if not _both(protected) or (
            setup.score is None and not _both(setup.target[rows][setup.target[rows] >= 0])
        ):
            return _nothing(IMBALANCE, f"{levels[place]:g} %", repeat, wanted)
        tune = setup.settings["fitting_model"] == "logistic_regression" and setup.settings["tune"]
        propensity = _fit(
            setup, rows, setup.settings["fitting_model"], bool(tune), protected.astype(np.int8),
            "peers",
        )  # fmt: skip
        likelihood = setup.likelihood[rows]
        if setup.score is None:
            tune = setup.score_model == "logistic_regression" and setup.settings["tune"]
            likelihood = _fit(
                setup, rows, setup.score_model, bool(tune), setup.target[rows], "likelihood"
            )
        found = audit(
            propensity=propensity, likelihood=likelihood, protected=protected,
            settings=setup.settings, rng=np.random.default_rng([setup.seed, 82, place, repeat]),
            watch=Watch(),
        )  # fmt: skip
        whole = np.full(len(ours), -1, np.int8)
        whole[np.searchsorted(ours, chosen)] = found.classes
        return _entry(IMBALANCE, f"{levels[place]:g} %", repeat, found, whole, setup.base)

    return cell


def _both(values: NDArray[Any]) -> bool:
    """Whether both classes occur, so that a model can be fitted."""
    return len(np.unique(values)) == 2


def _nothing(test: str, level: str, repeat: int, protected: int) -> Entry:
    """A cell whose people are too few or too alike for the two models."""
    nobody = np.zeros(0, np.int8)
    return {
        "test": test, "level": level, "repeat": repeat, "protected": protected, "tested": 0,
        "unfair_share": None, "shares": dict.fromkeys(CLASSES), **agreement(nobody, nobody),
    }  # fmt: skip


def table(entries: list[Entry]) -> pd.DataFrame:
    """One row a cell, headings in words."""
    return pd.DataFrame(
        [
            {
                "Test": e["test"], "Level": e["level"], "Repeat": e["repeat"] + 1,
                "Protected people": e["protected"], "Tested": e["tested"],
                "Share called unfair": e["unfair_share"], "People in both": e["common"],
                "Same answer (flagged or not)": e["same_label"], "Same answer by chance": e["chance"],
                "Same of five classes": e["same_class"], "Kappa": e["kappa"],
                **{CLASS_WORDS[c]: e["shares"][c] for c in CLASSES},
            }
            for e in entries
        ]
    )  # fmt: skip


def entries_of(written: pd.DataFrame) -> list[Entry]:
    """The entries from which :func:`table` was made; ``written`` holds its cells as text."""

    def number(value: str) -> float | None:
        return float(value) if value else None

    return [
        {
            "test": str(r["Test"]), "level": str(r["Level"]), "repeat": int(r["Repeat"]) - 1,
            "protected": int(r["Protected people"]), "tested": int(r["Tested"]),
            "unfair_share": number(r["Share called unfair"]), "common": int(r["People in both"]),
            "same_label": number(r["Same answer (flagged or not)"]),
            "chance": number(r["Same answer by chance"]), "same_class": number(r["Same of five classes"]),
            "kappa": number(r["Kappa"]), "shares": {c: number(r[CLASS_WORDS[c]]) for c in CLASSES},
        }
        for r in written.to_dict("records")
    ]  # fmt: skip


def summary(entries: list[Entry]) -> list[dict[str, Any]]:
    """Mean and standard deviation over the repeats of each cell; None where nothing was tested."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for e in entries:
        found.setdefault((e["test"], e["level"]), []).append(e)
    lines = []
    for (test, level), group in found.items():
        line: dict[str, Any] = {"test": test, "level": level, "repeats": len(group)}
        for key in ("tested", "unfair_share", "same_label", "chance", "same_class", "kappa"):
            values = [float(e[key]) for e in group if e[key] is not None]
            line[key] = float(np.mean(values)) if values else None
            line[key + "_sd"] = float(np.std(values, ddof=1)) if len(values) > 1 else None
        for name in CLASSES:
            values = [float(e["shares"][name]) for e in group if e["shares"][name] is not None]
            line[name] = float(np.mean(values)) if values else None
        lines.append(line)
    return lines
