"""Prices drawn: both sides overlaid, the gap at each quantile with its band, the gap by stratum."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.base.wording import count, number, people
from engine.drawing.model import BarChart, Chart, Distribution, LineChart, Panels, Series

from .names import column, quotes, with_unit
from .names import sides as _names
from .names import title as title_of


def figures(*, result: Mapping[str, Any], tables: Mapping[str, Any]) -> list[Chart]:
    """``pricing_distribution``, ``pricing_quantiles``, and ``pricing_strata`` where risk is known."""
    charts = [_distributions(result), _quantiles(result)]
    strata = _strata(result)
    return [*charts, strata] if strata is not None else charts


def _shown(result: Mapping[str, Any], name: str) -> str:
    real = name == result["actual"] and name not in result["models"]
    return f"Real amounts: {name}" if real else title_of(result, name)


def _distributions(result: Mapping[str, Any]) -> Chart:
    low, high = _names(result)
    parts: list[Chart] = []
    names = [n for n in result["order"] if n in result["distribution"]]
    names += [n for n in result["distribution"] if n not in names]
    for name in names:
        sides = result["distribution"][name]
        part = result["quoted"].get(name, result["real_gap"])
        n = part.get("gap", part)["n"]
        shown = [
            (who, tuple(sides[side]), side, n[side])
            for who, side in ((high, "privileged"), (low, "unprivileged"))
            if sides[side]
        ]
        lines = tuple(
            (part["means"][side], f"mean of {who}")
            for who, side in ((high, "privileged"), (low, "unprivileged"))
            if part.get("means", {}).get(side) is not None
        )
        title = _shown(result, name)
        sentence = f"{title}: the amounts of both sides, laid over each other."
        parts.append(
            Distribution(
                key=f"pricing_distribution_{len(parts)}", title=title, sentence=sentence,
                alt=f"{sentence} {_told(shown)}", x_label=with_unit(result, column(result, name), name),
                samples=tuple(one[:3] for one in shown), sizes=tuple(one[3] for one in shown),
                lines=lines, bins=25,
            )
        )  # fmt: skip
    words = "Each side as a hundred quantiles of its amounts, so that both weigh the same. The number beside a name is its people."
    return Panels(
        key="pricing_distribution", title="Amounts of the two sides", sentence=words, alt=words,
        charts=tuple(parts), across=2 if len(parts) > 1 else 1,
    )  # fmt: skip


def _told(shown: list[tuple[str, tuple[float, ...], str, int]]) -> str:
    """For those who cannot see it: where a tenth, a half and nine tenths of each side lie below."""
    return " ".join(
        f"{who}, {people(n)}: a tenth below {number(values[len(values) // 10])}, half below "
        f"{number(values[len(values) // 2])}, nine tenths below {number(values[-1 - len(values) // 10])}."
        for who, values, _, n in shown
    )


def _quantiles(result: Mapping[str, Any]) -> Chart:
    low, high = _names(result)
    words = "The gap at the low, the middle and the high end; the band is the interval."
    parts = []
    for place, (model, quoted) in enumerate(quotes(result)):
        points = list(quoted["quantiles"].items())
        title = title_of(result, model)
        series = Series(
            name=f"{low} less {high}",
            x=tuple(float(q) for q, _ in points),
            y=tuple(one["value"] for _, one in points),
            low=tuple(one["low"] for _, one in points),
            high=tuple(one["high"] for _, one in points),
            style="unprivileged",
        )
        parts.append(
            LineChart(
                key=f"pricing_quantiles_{place}", title=title, sentence=f"{title}: {words}",
                alt=f"{title}: {words} {_ends_told(points)}", x_label="Quantile of the amounts",
                y_label=with_unit(result, f"{low} less {high}", model), series=(series,),
                references=((0.0, "no gap"),), filled=True,
            )
        )  # fmt: skip
    return Panels(
        key="pricing_quantiles", title="Gap at each quantile", sentence=words,
        alt=" ".join((words, *(part.alt for part in parts))), charts=tuple(parts),
        across=2 if len(parts) > 1 else 1,
    )  # fmt: skip


def _ends_told(points: list[tuple[str, Mapping[str, Any]]]) -> str:
    told = [f"{q}: {number(one['value'], sign=True)}" for q, one in points if one["value"] is not None]  # fmt: skip
    return f"By quantile {'; '.join(told)}." if told else ""


def _strata(result: Mapping[str, Any]) -> Chart | None:
    words = (
        "The gap among people of like risk; beside each bar how many people stand on either side."
    )
    parts = []
    for place, (model, quoted) in enumerate(quotes(result)):
        rows = quoted["by_risk_stratum"]["rows"]
        if not rows:
            continue
        title = title_of(result, model)
        series = Series(
            name=title,
            x=tuple(row["risk"] for row in rows),
            y=tuple(row["gap"]["value"] for row in rows),
            low=tuple(row["gap"]["low"] for row in rows),
            high=tuple(row["gap"]["high"] for row in rows),
            style="unprivileged",
            labels=tuple(
                f"{count(row['n']['unprivileged'])} / {count(row['n']['privileged'])}"
                for row in rows
            ),
        )
        parts.append(
            BarChart(
                key=f"pricing_strata_{place}", title=title, sentence=f"{title}: {words}",
                alt=f"{title}: {words}", y_label="Risk",
                x_label=with_unit(result, "Gap of the means", model), series=(series,),
                horizontal=True,
            )
        )  # fmt: skip
    if not parts:
        return None
    return Panels(
        key="pricing_strata", title="Gap by stratum of risk", sentence=words, alt=words,
        charts=tuple(parts), across=1,
    )  # fmt: skip
