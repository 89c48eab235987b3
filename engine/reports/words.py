"""Names of the procedure in words, and small readings of a result that the pages share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from babel.dates import format_date

from engine.base import wording
from engine.cohort.rules import entry_key
from engine.messages import say
from engine.plan.model import Tolerance

METRICS = ("SPD", "DI", "EOD", "EMOD", "AOD")
TITLES = {metric: say(f"paper.metric_{metric}") for metric in METRICS}
FORMULAS = {metric: say(f"paper.formula_{metric}") for metric in METRICS}
IDEAL = {"SPD": 0.0, "DI": 1.0, "EOD": 0.0, "EMOD": 0.0, "AOD": 0.0}
NOT_SUPPLIED = say("paper.lacking")


def day(value: Any) -> date | None:
    """A date from an ISO text (with or without a time); None where there is none."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        return None


def day_words(value: Any) -> str:
    """A date for a reader; a text that is no date is left as it is.

    Examples
    --------
    >>> day_words("2026-11-27T09:00:00Z")
    '27 November 2026'
    """
    found = day(value)
    if found is None:
        return str(value or "")
    return str(format_date(found, "d MMMM y", locale="en_GB"))


def tolerance_of(plan: Mapping[str, Any]) -> Tolerance:
    """The tolerance of a plan in its file form."""
    given = dict(plan.get("tolerance") or {})
    known = {
        key: given[key] for key in Tolerance.__dataclass_fields__ if given.get(key) is not None
    }
    if "ratio" in known:
        known["ratio"] = tuple(known["ratio"])
    return Tolerance(**known)


@dataclass(frozen=True)
class Row:
    """One metric of one attribute, as the pages print it."""

    attribute: str
    metric: str
    measure: Mapping[str, Any]
    band: tuple[float, float]

    @property
    def title(self) -> str:
        """Name of the metric in words."""
        return TITLES.get(self.metric, self.metric)

    @property
    def ideal(self) -> float:
        """The value that means no difference."""
        return IDEAL[self.metric]

    @property
    def value(self) -> float | None:
        """The value observed, or None."""
        found = self.measure.get("value")
        return None if found is None else float(found)

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        return str(self.measure.get("verdict") or "not checked")

    def shown(self) -> str:
        """The value in print: differences with their sign."""
        return wording.number(self.value, sign=self.metric != "DI")

    def shown_interval(self) -> str:
        """The interval in print."""
        low, high = self.measure.get("low"), self.measure.get("high")
        return wording.interval(low, high, sign=self.metric != "DI")

    def distance(self) -> float:
        """Distance from the ideal as a share of the tolerance on that side; DI and its inverse
        count alike (the contract's ``worst``). 0 where there is no value."""
        if self.value is None:
            return 0.0
        low, high = self.band
        if self.metric == "DI":
            lesser = min(self.value, 1 / self.value) if self.value > 0 else 0.0
            return (1 - lesser) / (1 - low) if low < 1 else float(lesser != 1)
        off = self.value - self.ideal
        room = (high if off >= 0 else -low) or 1e-12
        return abs(off) / abs(room)


def rows_of(result: Mapping[str, Any]) -> list[Row]:
    """Every metric of every attribute, in the order of the plan."""
    part = result.get("certification") or {}
    plan = result.get("plan") or {}
    tolerance = tolerance_of(plan)
    out = []
    for name, attribute in ordered_attributes(result):
        metrics = attribute.get("metrics") or {}
        for metric in METRICS:
            if metric in metrics:
                out.append(Row(name, metric, metrics[metric], tolerance.band(metric, name)))
    return out if part else []


def ordered_attributes(result: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Attributes in the order of the plan; result.json itself sorts its keys."""
    found = dict((result.get("certification") or {}).get("attributes") or {})
    for entry in (result.get("plan") or {}).get("protected") or []:
        name = str(entry.get("name") or entry.get("column"))
        if name in found:
            yield name, found.pop(name)
    yield from found.items()


def band_words(band: tuple[float, float], metric: str) -> str:
    """A band for a reader: ``±0.10`` or ``0.90 to 1.10``."""
    low, high = band
    if metric != "DI" and low == -high:
        return f"±{_short(high)}"
    return say("paper.band", low=_short(low), high=_short(high))


def _short(value: float) -> str:
    text = wording.number(value, digits=2)
    return text if abs(float(f"{value:.2f}") - value) < 1e-9 else wording.number(value, digits=4)


def values_words(values: Any) -> str:
    """Values or a rule of the plan for a reader.

    Examples
    --------
    >>> values_words([{"at_least": 30}])
    'at least 30'
    >>> values_words(["A", "B"])
    'A, B'
    """
    if isinstance(values, Mapping):
        if "at_least" in values:
            return say("paper.at_least", value=_plain(values["at_least"]))
        if "below" in values:
            return say("paper.below", value=_plain(values["below"]))
        if "between" in values:
            low, high = values["between"]
            return say("paper.between", low=_plain(low), high=_plain(high))
        return ", ".join(map(str, values))
    if isinstance(values, list | tuple):
        return ", ".join(values_words(value) for value in values)
    return _plain(values)


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def called(key: str, group: Mapping[str, Any]) -> str:
    """The printed name of a group: its words where the plan gives any, else its key."""
    return str(group.get("words") or key)


def _labelled(values: Any, labels: Mapping[str, str]) -> str:
    """Values or a rule of a plan in its own words, where it has some for them."""
    entries = values if isinstance(values, list) else [values]
    keys = [entry_key(entry) for entry in entries]
    if not any(key in labels for key in keys):
        return values_words(values)
    return wording.listed(list(dict.fromkeys(labels.get(key, key) for key in keys)))


def sides(result: Mapping[str, Any], attribute: str) -> tuple[str, str]:
    """The unprivileged and the privileged groups of an attribute, for a reader."""
    found = (result.get("certification") or {}).get("attributes", {}).get(attribute) or {}
    groups = found.get("groups") or {}
    privileged = [called(k, g) for k, g in groups.items() if g.get("role") == "privileged"]
    others = [called(k, g) for k, g in groups.items() if g.get("role") != "privileged"]
    if not privileged:
        for entry in (result.get("plan") or {}).get("protected") or []:
            if attribute in (entry.get("name"), entry.get("column")):
                labels = entry.get("labels") or {}
                privileged = [_labelled(entry.get("privileged") or [], labels)]
                others = (
                    [_labelled(entry["unprivileged"], labels)] if entry.get("unprivileged") else []
                )
    return wording.listed(others) or say("paper.all_others"), wording.listed(privileged)
