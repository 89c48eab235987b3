"""The levels of the last certificate, and where the system stands against them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base.nearest import mend
from engine.base.problems import Problem, Refused
from engine.fairness.measure import measure
from engine.messages import say

from .dates import PLACE

KEYS = ("rate", "ratio", "low", "high", "n", "people")


def certified_levels(given: Any, keys: Sequence[str]) -> dict[str, NDArray[np.float64]] | None:
    """The given levels in the order of the crossings; None where no rates are given.

    Raises
    ------
    Refused
        For another form, an unknown crossing, or a rate outside 0 to 1.
    """
    if given is None:
        return None
    where = f"{PLACE}.certified"
    if not isinstance(given, Mapping):
        raise Refused(Problem("", where, say("monitoring.certified_form")))
    for key, one in given.items():
        if key not in keys:
            text = say("monitoring.no_cell", name=key, mend=mend(str(key), keys, otherwise="the crossings are"))  # fmt: skip
            raise Refused(Problem("", where, text))
        numbers = isinstance(one, Mapping) and all(
            k in KEYS and (v is None or (isinstance(v, int | float) and not isinstance(v, bool) and math.isfinite(v)))
            for k, v in one.items()
        )  # fmt: skip
        if not numbers:
            raise Refused(Problem("", f"{where}.{key}", say("monitoring.certified_form")))
        rate = one.get("rate")
        if rate is not None and not 0 <= rate <= 1:
            raise Refused(Problem("", f"{where}.{key}", say("monitoring.certified_rate")))
    rates = [given.get(key, {}).get("rate") for key in keys]
    if all(rate is None for rate in rates):
        return None

    def column(name: str, otherwise: float) -> NDArray[np.float64]:
        found = [given.get(key, {}).get(name) for key in keys]
        return np.array([otherwise if v is None else float(v) for v in found])

    n = column("n", math.inf)
    people = column("people", math.nan)
    if np.isnan(people).all() and np.isfinite(n).all():
        people = n
    return {"rate": column("rate", math.nan), "n": n, "people": people}


def against(
    *,
    given: Mapping[str, Any],
    number: str,
    periods: Mapping[str, Any],
    order: Sequence[str],
    confidence: float,
) -> dict[str, Any]:
    """The latest period with people against the certified ratios.

    The change's interval joins both intervals as if they were independent (MOVER; Donner and Zou,
    2012). The verdict says whether the ratio now lies within the certified interval, with its
    whole interval.
    """
    if not any(one.get("ratio") is not None for one in given.values()):
        return {"certificate": number, "period": None, "cells": {}, "verdict": "not checked",
                "reason": say("monitoring.no_certified")}  # fmt: skip
    name = next((p for p in reversed(order) if periods[p]["rows"]), order[-1])
    cells: dict[str, Any] = {}
    for key, one in given.items():
        ratio = one.get("ratio")
        now = periods[name]["cells"][key]["ratio"]
        if ratio is None or now["value"] is None:
            reason = now["reason"] or say("monitoring.no_certified")
            change = measure(None, verdict="not computable", reason=reason)
        else:
            low, high = one.get("low"), one.get("high")
            below = 0.0 if low is None else ratio - low
            above = 0.0 if high is None else high - ratio
            difference = now["value"] - ratio
            ends = (
                difference - math.hypot(now["value"] - now["low"], above),
                difference + math.hypot(now["high"] - now["value"], below),
            )
            word = "not settled"
            if low is not None and high is not None:
                if low <= now["low"] and now["high"] <= high:
                    word = "within"
                elif now["high"] < low or now["low"] > high:
                    word = "outside"
            change = measure(
                difference, ends[0], ends[1], word, "", now["n"]["unprivileged"],
                now["n"]["privileged"],
            )  # fmt: skip
        cells[key] = {"certified": {k: one.get(k) for k in KEYS}, "now": now, "change": change}
    words = [c["change"]["verdict"] for c in cells.values()]
    worst = next((w for w in ("outside", "not settled", "within") if w in words), "not computable")
    return {"certificate": number, "period": name, "cells": cells, "verdict": worst, "reason": ""}
