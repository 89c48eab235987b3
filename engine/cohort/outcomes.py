"""Outcomes and decisions: favourable, unfavourable, unknown (the contract's Values)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from engine.base.nearest import mend
from engine.base.wording import percent
from engine.plan.attributes import entry_words
from engine.plan.model import Outcome

from .desk import (
    Desk,
    Part,
    is_numeric,
    matches,
    natural_order,
    outer_blanks,
    quoted,
    union_of_keys,
)
from .model import UNKNOWN
from .rules import takes, words

Coded = NDArray[np.int8]


@dataclass(frozen=True)
class Judged:
    """One part's outcome or decision: 1, 0 or -1 a row; ``blank`` tells blanks from values in
    neither list; ``others`` names the latter."""

    codes: Coded
    blank: NDArray[np.bool_]
    others: str


def judge(
    desk: Desk, outcome: Outcome, place: str, parts: Sequence[Part]
) -> dict[str, Judged] | None:
    """Code an outcome or a prediction for several sources together.

    Returns
    -------
    mapping of role to Judged, or None
        None where something was wrong; the desk then holds the problems.
    """
    found = desk.columns(outcome.column, f"{place}.column", parts)
    if found is None:
        return None
    if not _is_list(outcome.favourable) and outcome.unfavourable is None:
        return _by_rule(desk, outcome, place, found)
    return _by_values(desk, outcome, place, found)


def _is_list(entries: Any) -> bool:
    return not isinstance(entries, Mapping)


def _by_rule(
    desk: Desk, outcome: Outcome, place: str, found: Sequence[tuple[Part, pd.Series]]
) -> dict[str, Judged] | None:
    """One rule: everybody whom it does not take is unfavourable."""
    assert isinstance(outcome.favourable, Mapping)
    judged = {}
    for part, series in found:
        numbers = desk.numbers(part, series, f"{place}.favourable", "cohort.rule_on_text")
        if numbers is None:
            continue
        blank = np.isnan(numbers)
        codes = takes(outcome.favourable, numbers).astype(np.int8)
        codes[blank] = UNKNOWN
        judged[part.role] = Judged(codes, blank, "")
    if len(judged) < len(found):
        return None
    if not any((j.codes == 1).any() for j in judged.values()):
        desk.problem(
            f"{place}.favourable",
            "cohort.never_occurs",
            value=words(outcome.favourable),
            column=outcome.column,
            mend=_span(desk, found),
        )
        return None
    _one_sided(desk, outcome, place, judged)
    return judged


def _span(desk: Desk, found: Sequence[tuple[Part, pd.Series]]) -> str:
    lows, highs = [], []
    for _, series in found:
        known = series.dropna()
        if len(known):
            lows.append(float(known.min()))
            highs.append(float(known.max()))
    if not lows:
        return "the column is blank; choose another"
    return f"its numbers go from {min(lows):g} to {max(highs):g}"


def _by_values(
    desk: Desk, outcome: Outcome, place: str, found: Sequence[tuple[Part, pd.Series]]
) -> dict[str, Judged] | None:
    before = len(desk.problems)
    keys, coded = union_of_keys(found)
    numeric = all(is_numeric(series) for _, series in found)
    if not keys:
        desk.problem(f"{place}.column", "cohort.all_blank", column=outcome.column)
        return None
    if _is_score(desk, outcome, place, keys, numeric):
        return None
    good = _side(desk, outcome, outcome.favourable, f"{place}.favourable", keys, numeric, found)
    bad = None
    if outcome.unfavourable is not None:
        where = f"{place}.unfavourable"
        bad = _side(desk, outcome, outcome.unfavourable, where, keys, numeric, found)
    if len(desk.problems) > before:
        return None
    if bad is not None and (good & bad).any():
        example = keys[int(np.flatnonzero(good & bad)[0])]
        desk.problem(
            f"{place}.unfavourable", "cohort.both_lists", value=f'"{example}"',
            first="favourable", second="unfavourable",
        )  # fmt: skip
        return None
    table = np.full(len(keys) + 1, UNKNOWN, dtype=np.int8)
    table[:-1][good] = 1
    table[:-1][~good if bad is None else bad] = 0
    others = quoted([k for k, code in zip(keys, table, strict=False) if code == UNKNOWN], most=5)
    judged = {
        part.role: Judged(table[codes], codes < 0, others)
        for (part, _), codes in zip(found, coded, strict=True)
    }
    if bad is None:
        _several(desk, outcome, place, [k for k, g in zip(keys, good, strict=True) if not g])
    for (part, _), codes in zip(found, coded, strict=True):
        if len(found) > 1 and len(part) and not (judged[part.role].codes == 1).any():
            here = natural_order(keys[i] for i in np.unique(codes[codes >= 0]))
            if here:
                desk.warn(
                    "cohort.no_favourable_here", f"{place}.favourable", file=part.file,
                    column=outcome.column, values=quoted(here),
                )  # fmt: skip
    _one_sided(desk, outcome, place, judged)
    return judged


def _is_score(desk: Desk, outcome: Outcome, place: str, keys: Sequence[str], numeric: bool) -> bool:
    """A column of many numbers with a short list of values: a score where a decision belongs."""
    if not numeric or not _is_list(outcome.favourable) or outcome.unfavourable is not None:
        return False
    numbers = np.array([float(key) for key in keys])
    fractions = len(keys) > 2 and bool((numbers != np.round(numbers)).any())
    if not fractions and not (len(keys) > 20 and len(outcome.favourable) <= 2):
        return False
    inside = numbers.min() >= 0 and numbers.max() <= 1
    cut = 0.5 if inside else float(f"{np.median(numbers):.3g}")
    desk.problem(
        f"{place}.favourable", "cohort.score_for_decision", column=outcome.column, n=len(keys),
        cut=f"{cut:g}",
    )  # fmt: skip
    return True


def _side(
    desk: Desk,
    outcome: Outcome,
    entries: Any,
    place: str,
    keys: Sequence[str],
    numeric: bool,
    found: Sequence[tuple[Part, pd.Series]],
) -> NDArray[np.bool_]:
    """Which keys a side names."""
    mask = np.zeros(len(keys), dtype=bool)
    if isinstance(entries, Mapping):
        checked = [desk.numbers(part, s, place, "cohort.rule_on_text") for part, s in found]
        if all(c is not None for c in checked):
            mask = takes(entries, np.array([float(key) for key in keys]))
        return mask
    outer_blanks(desk, found, entries, place)
    for value in entries:
        taken = matches(value, keys, numeric=numeric)
        if not taken:
            text = str(value).strip()
            hint = mend(text, natural_order(keys), otherwise="its values are")
            desk.problem(
                place,
                "cohort.never_occurs",
                value=entry_words(value),
                column=outcome.column,
                mend=hint,
            )
        mask[taken] = True
    return mask


def _several(desk: Desk, outcome: Outcome, place: str, keys: Sequence[str]) -> None:
    if len(keys) > 1:
        desk.warn(
            "cohort.several_unfavourable", f"{place}.unfavourable", n=len(keys),
            column=outcome.column, values=quoted(natural_order(keys), most=5),
        )  # fmt: skip


def _one_sided(desk: Desk, outcome: Outcome, place: str, judged: Mapping[str, Judged]) -> None:
    for code, side in ((0, "favourable"), (1, "unfavourable")):
        if not any((j.codes == code).any() for j in judged.values()) and any(
            (j.codes == 1 - code).any() for j in judged.values()
        ):
            desk.warn("cohort.one_outcome", place, column=outcome.column, side=side)


def warn_if_reversed(desk: Desk, outcome: Coded, decision: Coded, place: str) -> None:
    """Warn where the decisions agree with the outcomes less often than their reverse would.

    Both margins count (the phi coefficient is below -0.2), so that a strict system on rare
    favourable outcomes is not taken for a reversed one.
    """
    known = (outcome >= 0) & (decision >= 0)
    n = int(known.sum())
    if n < 30:
        return
    good, chosen = outcome[known] == 1, decision[known] == 1
    agree = float((good == chosen).mean())
    spread = float(good.std() * chosen.std())
    if agree >= 0.5 or spread == 0:
        return
    phi = (float((good & chosen).mean()) - float(good.mean() * chosen.mean())) / spread
    if phi < -0.2:
        desk.warn("cohort.reversed", place, share=percent(agree), n=n)
