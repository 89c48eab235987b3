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
            say(
                "paper.file",
                name=item.get("name", ""),
                rows=wording.count(item.get("rows")),
                sha=item.get("sha256", ""),
            )
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
        said = say("paper.groups", name=name, unprivileged=unprivileged, privileged=privileged)
        if len(said) > LONG:
            said = say("paper.groups_in_table", name=name)
        out.append(said)
    return out


def _who(mark: Mapping[str, Any] | None) -> str:
    if not mark:
        return say("paper.chosen_unknown")
    if mark.get("from_plan") and not mark.get("rates_visible"):
        return say("paper.chosen_in_plan", day=day_words(mark.get("when")))
    code = "paper.chosen_late" if mark.get("rates_visible") else "paper.chosen"
    who = mark.get("who") or say("paper.nobody")
    return say(code, who=who, day=day_words(mark.get("when")))


def favourable_words(outcome: Mapping[str, Any]) -> str:
    """Which outcome is the favourable one, without a full stop."""
    values = values_words(outcome.get("favourable") or [])
    return say("paper.favourable", column=outcome.get("column"), values=values)


def _favourable(plan: Mapping[str, Any]) -> tuple[str, ...]:
    outcome = plan.get("outcome")
    if not outcome:
        return ()
    line = favourable_words(outcome) + "."
    if outcome.get("unfavourable"):
        return (line, say("paper.unfavourable", values=values_words(outcome["unfavourable"])))
    return (line, say("paper.unfavourable_rest"))


def _tolerance(plan: Mapping[str, Any], state: Mapping[str, Any]) -> tuple[str, ...]:
    tolerance = tolerance_of(plan)
    lines = [
        say(
            "paper.tolerance",
            differences=band_words((-tolerance.difference, tolerance.difference), "SPD"),
            ratios=band_words(tolerance.ratio, "DI"),
            index=wording.number(tolerance.bias_index, digits=2),
            score=wording.number(tolerance.fairness_score, digits=2),
            rule=tolerance.rule,
        )
    ]
    for name, own in tolerance.overrides.items():
        said = ", ".join(
            f"{TITLES.get(k, k.replace('_', ' '))} {_bound(v)}" for k, v in own.items()
        )
        lines.append(say("paper.override", name=name, bounds=said))
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
        given.append(say("paper.data_test"))
    if data.get("training"):
        given.append(say("paper.data_training"))
    if data.get("all"):
        given.append(say("paper.data_all"))
    system = plan.get("system")
    if not system:
        model = say("paper.model_none")
    elif system.get("model_file"):
        model = say("paper.model_file")
    elif system.get("train"):
        kind = str(system["train"].get("model", "")).replace("_", " ")
        model = say("paper.model_stand_in", kind=kind)
    else:
        model = say("paper.model_columns")
    return (say("paper.data", given=wording.listed(given) or say("paper.no_data")), model)


def _training(result: Mapping[str, Any]) -> tuple[str, ...]:
    """The statement that paper 001 asks for where the training data are missing."""
    plan = result.get("plan") or {}
    data = plan.get("data") or {}
    if not plan:
        return ()
    if data.get("training"):
        return (say("paper.training_checked"),)
    if data.get("all"):
        return (say("paper.training_one_file"),)
    if not plan.get("system"):
        return (say("paper.training_outcomes"),)
    return (say("paper.training_missing"),)


def _data_kind(plan: Mapping[str, Any]) -> str:
    data = plan.get("data") or {}
    return say("paper.kind_test" if data.get("test") else "paper.kind_history")


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
                said.append(say("paper.recorded", n=wording.count(training)))
            if tested is not None:
                said.append(say("paper.decided_count", n=wording.count(tested)))
            counted = wording.listed(said) or say("paper.not_counted")
            parts.append(say("paper.group_counts", group=called(key, group), counts=counted))
        if parts:
            whole = f"{name}: {'; '.join(parts)}."
            short = say("paper.counted_in_table", name=name, n=len(parts))
            out.append(whole if len(whole) <= LONG else short)
    return out


def _sum(values: Any) -> float | None:
    known = [v for v in values if v is not None]
    return sum(known) if known else None


def _left_out(result: Mapping[str, Any]) -> list[str]:
    out = [
        say(
            "paper.left_out",
            what=entry.get("what", ""),
            rows=wording.count(entry.get("rows")),
            why=entry.get("why", ""),
        )
        for entry in result.get("exclusions") or ()
    ]
    return out or ([say("paper.none_left_out")] if result else [])


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
            say(
                "paper.group_counts",
                group=called(key, group),
                counts=wording.count((group.get("counts") or {}).get("unknown_outcome") or 0),
            )
            for key, group in (attribute.get("groups") or {}).items()
        ]
        if parts:
            said = f"{name}: {', '.join(parts)}."
            short = say("paper.unknown_in_table", name=name)
            out.append(said if len(said) <= LONG else short)
    return tuple(out)


def _membership(protected: Any) -> tuple[str, ...]:
    out = []
    for entry in protected:
        name = entry.get("name") or entry.get("column")
        if entry.get("membership"):
            columns = ", ".join(
                say("paper.member_column", group=group, column=column)
                for group, column in entry["membership"].items()
            )
            out.append(say("paper.member_estimated", name=name, columns=columns))
        else:
            out.append(say("paper.member_read", name=name, column=entry.get("column")))
    return tuple(out)
