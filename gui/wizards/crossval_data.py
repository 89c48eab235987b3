"""What a case says to the tests before they run. Everything here runs in jobs."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.base.canonical import canonical_json
from engine.base.scratch import PREFIX
from engine.procedure.basis import data_basis
from engine.procedure.plan_of import plan_dict

from .result_view import MethodView, make_view

if TYPE_CHECKING:
    from engine.base.watch import Watch
    from engine.case.store import Case
    from engine.cohort.model import Cohort
    from engine.drawing.model import Chart
    from engine.plan.model import Plan
    from gui.engine_calls import Reading

NAME = "crossval"
SAMPLE = 5000
"""People offered as a sample for the support vector machine."""
SLOW = 120.0
"""Expected seconds from which a sample is offered."""
_RESTS_ON = ("system", "protected", "outcome", "id", "weight", "features", "seed")


@dataclass(frozen=True)
class People:
    """The people of the case, with what they rest on."""

    key: str
    cohort: Cohort
    plan: Plan


@dataclass(frozen=True)
class CrossvalView:
    """A result, ready to be shown: the sentence, the grid of answers, and all the rest."""

    quote: str
    answers: Chart
    rest: MethodView


def people_key(state: Mapping[str, Any]) -> str:
    """What the people rest on; with another key they are read again."""
    plan = state["plan"]
    return canonical_json([data_basis(state), {k: plan.get(k) for k in _RESTS_ON}])


def read_people(
    case: Case, state: Mapping[str, Any], known: tuple[Mapping[str, Any], Sequence[Any]] | None,
    watch: Watch,
) -> People:  # fmt: skip
    """Make the people as a run does, from tables at hand (by role, and to be joined) or the files.

    Raises
    ------
    Refused
        Where plan and data do not go together.
    """
    from engine.cohort.prepare import prepare
    from engine.intake.read import read
    from engine.methods.asking import read_plan
    from gui.session import extract_items

    plan = read_plan({**plan_dict(state), "methods": {NAME: {}}})
    if known is not None:
        tables, joins = dict(known[0]), list(known[1])
    else:
        with tempfile.TemporaryDirectory(prefix=PREFIX) as folder:
            base = Path(folder)
            extract_items(case, state, base, watch)
            tables = {
                role: read(source=source, base=base, watch=watch)
                for role in ("training", "test", "all")
                if (source := getattr(plan.data, role)) is not None
            }
            joins = [read(source=join.source, base=base, watch=watch) for join in plan.join]
    cohort = prepare(plan=plan, tables=tables, joins=joins, watch=watch)
    return People(people_key(state), cohort, plan)


def look_ahead(people: People, settings: Mapping[str, Any], watch: Watch) -> dict[str, Any]:
    """Folds, fits and time for these settings, and for a smaller sample of the slowest algorithm.

    Returns
    -------
    dict
        As :func:`engine.methods.crossval.outlook.outlook`, with ``sample_seconds``: what the support
        vector machine takes on :data:`SAMPLE` people, where all take long.
    """
    from engine.methods.crossval.outlook import outlook

    found = outlook(cohort=people.cohort, plan=people.plan, settings=settings, watch=watch)
    svm = found["models"].get("svm")
    found["sample_seconds"] = None
    if svm and svm["seconds"] >= SLOW and not svm["sampled"] and svm["people"] > SAMPLE:
        less = {**settings, "svm_sample": SAMPLE, "models": ["svm"]}
        short = outlook(cohort=people.cohort, plan=people.plan, settings=less, watch=watch)
        found["sample_seconds"] = short["models"]["svm"]["seconds"]
    return found


def load(reading: Reading, watch: Watch) -> CrossvalView:
    """Everything that the result page shows."""
    from engine.methods.crossval.findings import quotable

    whole = make_view(reading, NAME, watch)
    quote = quotable(reading.result[NAME])
    charts = dict(whole.charts)
    answers = charts.pop("crossval_answers")
    sections = tuple(
        dataclasses.replace(
            part,
            paragraphs=tuple(p for p in part.paragraphs if p != quote),
            charts=tuple(c for c in part.charts if c != "crossval_answers"),
        )
        for part in whole.sections
    )
    return CrossvalView(
        quote, answers, dataclasses.replace(whole, sections=sections, charts=charts)
    )
