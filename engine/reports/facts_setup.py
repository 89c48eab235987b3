"""Facts 14 to 25: what was set up, and on whose data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.base import wording
from engine.messages import say
from engine.procedure.decision import tolerance_setting
from engine.procedure.state import new_state

from .words import (
    FORMULAS,
    TITLES,
    band_words,
    called,
    day_words,
    ordered_attributes,
    sides,
    tolerance_of,
    values_words,
)

LONG = 420
"""Characters of a line above which the fact points to the table that holds it."""


def setup_facts(
    *, case: Mapping[str, str], state: Mapping[str, Any], result: Mapping[str, Any]
) -> dict[int, tuple[str, ...]]:
    """The lines of facts 14 to 25."""
    plan = result.get("plan") or {}
    protected = plan.get("protected") or []
    names = [str(entry.get("name") or entry.get("column")) for entry in protected]
    marks = state.get("set") or {}
    return {
        14: (f"{wording.listed(names)}.",) if names else (),
        15: (*_groups(result, names), _who(marks.get("groups"))) if names else (),
        16: _favourable(plan),
        17: _tolerance(plan, state) if plan else (),
        18: tuple(f"{TITLES[m]}: {FORMULAS[m]}." for m in TITLES) if plan else (),
        19: _access(plan) if plan else (),
        20: _training(result),
        21: tuple(
            f"{item.get('name', '')}: {wording.count(item.get('rows'))} rows, SHA-256 "
            f"{item.get('sha256', '')}."
            for item in result.get("inputs") or ()
        ),
        22: (_data_kind(plan), case.get("data_kind_reason", "")) if plan else (),
        23: (*_people(result), *_left_out(result), *_why_left_out(state)),
        24: _unknown(result),
        25: _membership(protected),
    }


def _groups(result: Mapping[str, Any], names: list[str]) -> list[str]:
    out = []
    for name in names:
        unprivileged, privileged = sides(result, name)
        said = f"{name}: {unprivileged} compared with {privileged} (privileged)."
        if len(said) > LONG:
            said = f"{name}: the groups stand in its table of people."
        out.append(said)
    return out


def _who(mark: Mapping[str, Any] | None) -> str:
    if not mark:
        return "Who chose the groups: not supplied."
    if mark.get("from_plan") and not mark.get("rates_visible"):
        return (
            f"Chosen in a plan handed in on {day_words(mark.get('when'))}. Whether its author had "
            "seen a group's rate by then is not known."
        )
    rates = (
        "after group rates were seen"
        if mark.get("rates_visible")
        else ("before any group's rate was seen")
    )
    who = mark.get("who") or "a person not named"
    return f"Chosen by {who} on {day_words(mark.get('when'))}, {rates}."


def _favourable(plan: Mapping[str, Any]) -> tuple[str, ...]:
    outcome = plan.get("outcome")
    if not outcome:
        return ()
    line = f"“{outcome.get('column')}” is {values_words(outcome.get('favourable') or [])}."
    if outcome.get("unfavourable"):
        return (line, f"Unfavourable: {values_words(outcome['unfavourable'])}.")
    return (line, "Every other known value is unfavourable.")


def _tolerance(plan: Mapping[str, Any], state: Mapping[str, Any]) -> tuple[str, ...]:
    tolerance = tolerance_of(plan)
    lines = [
        f"Differences {band_words((-tolerance.difference, tolerance.difference), 'SPD')}, ratios "
        f"{band_words(tolerance.ratio, 'DI')}; Bias Index at most "
        f"{wording.number(tolerance.bias_index, digits=2)}, Fairness Score at least "
        f"{wording.number(tolerance.fairness_score, digits=2)}. "
        f"Rule of decision: {tolerance.rule}."
    ]
    for name, own in tolerance.overrides.items():
        said = ", ".join(
            f"{TITLES.get(k, k.replace('_', ' '))} {_bound(v)}" for k, v in own.items()
        )
        lines.append(f"For {name}: {said}.")
    lines.append(tolerance_moment(state))
    return tuple(lines)


def _bound(value: Any) -> str:
    if isinstance(value, list | tuple):
        return wording.interval(float(value[0]), float(value[1]), digits=2)
    return wording.number(float(value), digits=2)


def tolerance_moment(state: Mapping[str, Any]) -> str:
    """When the tolerance was set, by whom, and what was visible by then."""
    return tolerance_setting(new_state() | dict(state)).words


def _access(plan: Mapping[str, Any]) -> tuple[str, ...]:
    data = plan.get("data") or {}
    given = []
    if data.get("test"):
        given.append("test data")
    if data.get("training"):
        given.append("the training set")
    if data.get("all"):
        given.append("one file with all data")
    system = plan.get("system")
    if not system:
        model = "No decisions of the system were supplied; the recorded outcomes were audited."
    elif system.get("model_file"):
        model = "The model was supplied as a file."
    elif system.get("train"):
        kind = str(system["train"].get("model", "")).replace("_", " ")
        model = f"The system itself was not supplied; a stand-in ({kind}) was trained here."
    else:
        model = "The system's decisions were supplied as columns; the model itself was not."
    return (f"Data: {wording.listed(given) or 'none'}.", model)


def _training(result: Mapping[str, Any]) -> tuple[str, ...]:
    """The statement that paper 001 asks for where the training data are missing."""
    plan = result.get("plan") or {}
    data = plan.get("data") or {}
    if not plan:
        return ()
    if data.get("training"):
        return ("Training data were supplied and checked.",)
    if data.get("all"):
        return ("One file served as training and test data.",)
    if not plan.get("system"):
        return ("The recorded outcomes of the test data were audited in their place.",)
    return (
        "Statistical parity difference and disparate impact of the training data were not "
        "checked: training data not supplied.",
    )


def _data_kind(plan: Mapping[str, Any]) -> str:
    data = plan.get("data") or {}
    return "Test data." if data.get("test") else "Recorded (history) data."


def _people(result: Mapping[str, Any]) -> list[str]:
    out = []
    for name, attribute in ordered_attributes(result):
        parts = []
        for key, group in (attribute.get("groups") or {}).items():
            counts = group.get("counts") or {}
            tested = _sum(counts.get(k) for k in ("tp", "fp", "fn", "tn"))
            training = counts.get("training")
            said = []
            if training is not None:
                said.append(f"{wording.count(training)} recorded")
            if tested is not None:
                said.append(f"{wording.count(tested)} decided")
            parts.append(f"{called(key, group)} {' and '.join(said) or 'not counted'}")
        if parts:
            whole = f"{name}: {'; '.join(parts)}."
            short = f"{name}: {len(parts)} groups, counted in its table of people."
            out.append(whole if len(whole) <= LONG else short)
    return out


def _sum(values: Any) -> float | None:
    known = [v for v in values if v is not None]
    return sum(known) if known else None


def _left_out(result: Mapping[str, Any]) -> list[str]:
    out = [
        f"{entry.get('what', '')}: {wording.count(entry.get('rows'))} rows left out, "
        f"{entry.get('why', '')}."
        for entry in result.get("exclusions") or ()
    ]
    return out or (["No row was left out."] if result else [])


def _why_left_out(state: Mapping[str, Any]) -> list[str]:
    """The reasons that the auditor wrote for each group left out of the comparison."""
    return [
        say("reports.f_left_out", attribute=attribute, group=group, why=str(why).strip(" ."))
        for attribute, reasons in (state.get("left_out_why") or {}).items()
        for group, why in reasons.items()
        if str(why).strip()
    ]


def _unknown(result: Mapping[str, Any]) -> tuple[str, ...]:
    out = []
    for name, attribute in ordered_attributes(result):
        parts = [
            f"{called(key, group)} {wording.count((group.get('counts') or {}).get('unknown_outcome') or 0)}"
            for key, group in (attribute.get("groups") or {}).items()
        ]
        if parts:
            said = f"{name}: {', '.join(parts)}."
            short = f"{name}: in its table of people, group by group."
            out.append(said if len(said) <= LONG else short)
    return tuple(out)


def _membership(protected: Any) -> tuple[str, ...]:
    out = []
    for entry in protected:
        name = entry.get("name") or entry.get("column")
        if entry.get("membership"):
            columns = ", ".join(f"{k} from “{v}”" for k, v in entry["membership"].items())
            out.append(
                f"{name}: estimated, each person by the probability of belonging ({columns})."
            )
        else:
            out.append(f"{name}: read from the column “{entry.get('column')}”.")
    return tuple(out)
