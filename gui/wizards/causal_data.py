"""What the people say to a graph while it is drawn. Everything here runs in jobs."""

from __future__ import annotations

import dataclasses
import math
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.base.canonical import canonical_json
from engine.base.problems import Problem, Refused
from engine.base.scratch import PREFIX
from engine.procedure.basis import data_basis
from engine.procedure.plan_of import plan_dict

if TYPE_CHECKING:
    from engine.base.watch import Watch
    from engine.case.store import Case
    from engine.cohort.model import Cohort
    from engine.plan.model import Plan
    from gui.steps.columns import Column

MOST_ROWS = 50_000
"""People by whom figures are worked out while a graph is drawn; of more, so many are drawn."""
RESAMPLES, DRAWS = 20, 20
_RESTS_ON = ("system", "protected", "outcome", "id", "weight", "features", "seed")


@dataclass(frozen=True)
class People:
    """The people of the case as a draft of a graph is held against them."""

    key: str
    cohort: Cohort
    plan: Plan
    columns: Mapping[str, Column]
    total: int = 0
    """How many there are where only some of them were drawn for the figures, else 0."""

    @property
    def waits(self) -> bool:
        """Whether figures come with the run only: a system would have to be trained for them."""
        return bool(self.total) and self.cohort.system_kind in ("stand-in", "model file")


@dataclass(frozen=True)
class Start:
    """What a graph runs between, and graphs to begin with.

    ``attribute`` is the protected attribute's name, ``own_column`` its column; ``kind`` says what
    the target is (``score``, ``model``, ``outcome`` ...); ``graphs`` are in the plan's form.
    """

    attribute: str
    own_column: str
    target: str
    kind: str
    columns: tuple[str, ...]
    graphs: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True)
class Trial:
    """What the people say to one graph: figures on its arrows, fits, troubles.

    ``differences``: for an arrow into a column of texts, how much more often each text is among
    the unprivileged. ``words``: the attribute's groups by their printed names.
    """

    labels: Mapping[tuple[str, str], str] = field(default_factory=dict)
    fits: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    troubles: tuple[Mapping[str, Any], ...] = ()
    persons: int | None = None
    tried: bool = False
    differences: Mapping[tuple[str, str], Mapping[str, float]] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)

    @property
    def refusal(self) -> str:
        """Why the graph cannot be used; empty where it can."""
        return next((t["text"] for t in self.troubles if t["grade"] == "refusal"), "")


def people_key(state: Mapping[str, Any]) -> str:
    """What the people rest on; with another key they are read again."""
    plan = state["plan"]
    models = [item.get("sha256") for item in state["items"] if item.get("role") == "model"]
    return canonical_json([data_basis(state), models, {k: plan.get(k) for k in _RESTS_ON}])


def read_people(case: Case, state: Mapping[str, Any], name: str, watch: Watch) -> People:
    """Read the files of a case and make the people, as a run does.

    Raises
    ------
    Refused
        Where plan and data do not go together.
    """
    from engine.cohort.prepare import prepare
    from engine.intake.read import read
    from engine.methods.asking import read_plan
    from engine.models.apply import add_decisions
    from gui.session import extract_items
    from gui.steps.columns import columns_of

    given = {**plan_dict(state), "methods": {name: {}}, "resamples": RESAMPLES}
    plan = read_plan(given)
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
        total = max(len(t.frame) for t in tables.values())
        if total <= MOST_ROWS:
            total = 0
            cohort = add_decisions(cohort=cohort, plan=plan, base=base, watch=watch)
        else:
            cohort = some_of(cohort, plan.seed)
    columns = columns_of([*tables.values(), *joins], watch)
    return People(people_key(state), cohort, plan, columns, total)


def some_of(cohort: Cohort, seed: int) -> Cohort:
    """The same cohort with at most :data:`MOST_ROWS` people a sample, drawn by the plan's seed."""
    import numpy as np

    from engine.cohort.split import take

    made: dict[str, Any] = {}
    for place, role in enumerate(("training", "test", "whole")):
        sample = getattr(cohort, role)
        if sample is not None and len(sample) > MOST_ROWS:
            rng = np.random.default_rng([seed, place])
            rows = np.sort(rng.choice(len(sample), MOST_ROWS, replace=False))
            made[role] = take(sample, rows, sample.role)
    return dataclasses.replace(cohort, **made)


def key_of(name: str) -> str:
    """The setting of a method that holds its graphs."""
    return "graphs" if name == "counterfactual" else "graph"


def _settings(name: str, given: Mapping[str, Any], people: People) -> dict[str, Any]:
    from engine.methods import method

    made = {**method(name).defaults(), **given, key_of(name): None}
    if made.get("attribute") not in [a.name for a in people.cohort.attributes]:
        made["attribute"] = None
    if "draws" in made:
        made["draws"] = DRAWS
    return made


def start_of(people: People, name: str, given: Mapping[str, Any], watch: Watch) -> Start:
    """Attribute, target and starting graphs for the settings as they are.

    Raises
    ------
    Refused
        Where no graph could be asked about: no target, groups known as probabilities only.
    """
    from engine.causal.build import ask
    from engine.causal.suggest import suggest_graphs

    watch.check()
    settings = _settings(name, given, people)
    attribute = people.cohort.attribute(settings["attribute"])
    columns = tuple(dict.fromkeys([*people.columns, *(a.name for a in people.cohort.attributes)]))
    if people.waits:
        target = settings.get("target") or "score"
        graphs = suggest_graphs(
            columns=people.cohort.features, attribute=attribute.name, target=target
        )
        return Start(
            attribute.name, attribute.column or "", target, "model", columns, tuple(graphs)
        )
    question = ask(
        cohort=people.cohort, plan=people.plan, method=name, attribute=settings["attribute"],
        target=settings.get("target"), graphs=[], key=key_of(name),
    )  # fmt: skip
    made = tuple(
        {"name": g.name, "edges": [list(e) for e in g.edges], "roles": dict(g.roles)}
        for g in question.graphs
    )
    if name == "channels":
        made = made[:1]
    return Start(
        attribute.name, attribute.column or "", question.target.name, question.target.kind, columns,
        made,
    )  # fmt: skip


def hold(
    people: People, start: Start, name: str, given: Mapping[str, Any], graph: Mapping[str, Any],
    watch: Watch,
) -> Trial:  # fmt: skip
    """Hold a graph against columns and people: its troubles, and the figures on its arrows."""
    from engine.causal.troubles import as_result, draft_troubles
    from engine.methods import room

    found = as_result(
        draft_troubles(
            edges=graph["edges"], columns=start.columns, attribute=start.attribute,
            target=start.target, name=str(graph.get("name") or ""), own_column=start.own_column or None,
        )
    )  # fmt: skip
    if start.kind == "model" and name == "counterfactual":
        found = [t for t in found if t["code"] not in ("causal.no_target", "causal.no_path")]
    refused = any(t["grade"] == "refusal" for t in found)
    if refused or people.waits or not graph["edges"]:
        return Trial(troubles=tuple(found))
    key = key_of(name)
    settings = _settings(name, given, people) | {key: [graph] if key == "graphs" else graph}
    plan = dataclasses.replace(people.plan, resamples=RESAMPLES)
    try:
        done = room(name, "compute").compute(
            cohort=people.cohort, plan=plan, settings=settings, watch=watch
        )
    except Refused as error:
        return Trial(troubles=(*found, *(_placed(p, graph) for p in error.problems)), tried=True)
    part = done.result
    if key == "graphs":
        part = next(iter(part["graphs"].values()))
    root = part["root"] if key == "graphs" else part["graph"]["root"]
    return Trial(
        figures(part["fits"], part["differences"], root), part["fits"], tuple(part["troubles"]),
        part["persons"], True, {(root, n): d for n, d in part["differences"].items()},
        done.result["words"],
    )  # fmt: skip


def figures(
    fits: Mapping[str, Mapping[str, Any]],
    differences: Mapping[str, Mapping[str, float]] | None = None,
    root: str = "",
) -> dict[tuple[str, str], str]:
    """What stands on each arrow, with as many decimals as a number needs.

    Examples
    --------
    >>> figures({"E": {"coefficients": {"intercept": 1.0, "A": -289.775, "B": 0.0000213}}})
    {('A', 'E'): '−290', ('B', 'E'): '+0.000021'}
    """
    from engine.base.wording import number
    from engine.methods.arrows import strengths

    def write(value: float, end: bool) -> str:
        size = abs(value)
        if end and 0.1 <= size < 100:  # two of them stand on the arrow
            return number(value, digits=2 if size < 10 else 1, sign=True)
        digits = 0 if size >= 100 else 1 if size >= 10 else 2 if size >= 1 else 3
        if 0 < size < 0.01:
            digits = min(9, 1 - math.floor(math.log10(size)))
        return number(value, digits=digits, sign=True)

    return strengths(fits, differences, root, write=write)


def _placed(problem: Problem, graph: Mapping[str, Any]) -> dict[str, Any]:
    """A refusal as a trouble at its arrow or variable."""
    edges: Sequence[Sequence[str]] = graph["edges"]
    arrow = next((e for e in edges if f'from "{e[0]}" to "{e[1]}"' in problem.text), None)
    _, _, rest = problem.place.partition("edges[")
    if arrow is None and rest.rstrip("]").isdigit() and int(rest.rstrip("]")) < len(edges):
        arrow = edges[int(rest.rstrip("]"))]
    _, _, node = problem.place.partition("equations.")
    code = "causal.many_categories" if "different texts" in problem.text else "refused"
    return {
        "code": code, "grade": "refusal", "text": problem.text, "node": node or None,
        "arrow": list(arrow) if arrow is not None and not node else None,
    }  # fmt: skip
