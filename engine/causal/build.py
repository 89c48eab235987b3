"""A graph, the people and the plan put together: equations fitted, troubles told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base.canonical import canonical_json
from engine.base.problems import Problem, Refused
from engine.base.wording import listed, people
from engine.cohort.model import LEFT_OUT, Attribute, Cohort, Sample
from engine.messages import say
from engine.plan.model import Plan

from .diagnose import fit_of, fit_troubles, residuals, root_troubles
from .equations import Boosted, Categories, Censored, Equation, Fitting, Linear
from .fit import MOST_CATEGORIES, equation_of, fitting_of
from .graph import Graph, read_graph
from .people import (
    MOST_GROUPS,
    Target,
    Values,
    column_values,
    group_values,
    known,
    node_values,
    sample_of,
    target_of,
)
from .suggest import MOST_MEDIATORS, suggest_graphs
from .troubles import Trouble, data_troubles, draft_troubles, refusals
from .world import World

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Question:
    """What every graph of a method is asked: whom, about which attribute, for which target."""

    cohort: Cohort
    plan: Plan
    sample: Sample
    attribute: Attribute
    target: Target
    weight: Floats
    group: Values
    graphs: tuple[Graph, ...]
    suggested: bool


@dataclass(frozen=True)
class Built:
    """A graph with its equations and the people whom it can tell about.

    Attributes
    ----------
    graph : Graph
    root : str
        The attribute's node.
    values : mapping of node to Values
    fittings : mapping of node to Fitting
    world : World
    evaluated : bool array, shape (n,)
    not_evaluated : dict of reason to number of people
    fits : mapping of node to dict
    troubles : tuple of Trouble
    """

    graph: Graph
    root: str
    values: Mapping[str, Values]
    fittings: Mapping[str, Fitting]
    world: World
    evaluated: NDArray[np.bool_]
    not_evaluated: Mapping[str, int] = field(default_factory=dict)
    fits: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    troubles: tuple[Trouble, ...] = ()


def ask(
    *,
    cohort: Cohort,
    plan: Plan,
    method: str,
    attribute: str | None,
    target: str | None,
    graphs: Sequence[Mapping[str, Any]],
    key: str,
) -> Question:
    """Read the settings that both methods share.

    Parameters
    ----------
    method : str
        The method's name, for places.
    attribute, target : str or None
        As in its settings.
    graphs : sequence of mapping
        Graphs in plan form; with none, starting graphs are made from the columns in which the
        groups differ most.
    key : str
        The setting that holds them (``graphs`` or ``graph``).

    Raises
    ------
    Refused
        With everything that is wrong with the graphs.
    """
    place = f"methods.{method}"
    one = cohort.attribute(attribute)
    if one.soft:
        text = say("causal.soft", attribute=one.name)
        raise Refused(Problem("", f"{place}.attribute", text))
    if len(one.groups) > MOST_GROUPS:
        text = say("causal.many_groups", attribute=one.name, n=len(one.groups), most=MOST_GROUPS)
        raise Refused(Problem("", f"{place}.attribute", text))
    sample = sample_of(cohort)
    read, problems = [], []
    for i, given in enumerate(graphs):
        where = f"{place}.{key}" + (f"[{i}]" if key == "graphs" else "")
        graph, wrong = read_graph(given, place=where, name=f"graph {i + 1}")
        read.append(graph)
        problems += wrong
    if problems:
        raise Refused(problems)
    ends = [n for g in read for n in g.nodes if not g.below(n)]
    found = target_of(
        cohort=cohort, plan=plan, sample=sample, asked=target, place=f"{place}.target",
        ends=list(dict.fromkeys(ends)),
    )  # fmt: skip
    weight = np.ones(len(sample)) if sample.weight is None else np.asarray(sample.weight, float)
    question = Question(
        cohort, plan, sample, one, found, weight, group_values(one, sample), tuple(read), not read
    )
    if read:
        return question
    drafts = suggest_graphs(
        columns=between(question), attribute=one.name, target=found.name
    )  # fmt: skip
    made = tuple(read_graph(d, place=f"{place}.{key}", name=d["name"])[0] for d in drafts)
    return Question(cohort, plan, sample, one, found, weight, question.group, made, True)


def between(question: Question) -> list[str]:
    """Columns for a starting graph: those in which the groups differ most, in their own order."""
    cohort, sample, plan = question.cohort, question.sample, question.plan
    own = {a.column for a in cohort.attributes} | {question.target.name}
    if plan.system is not None:
        own |= {plan.system.score_column, plan.system.amount_column}
        own |= {plan.system.prediction.column} if plan.system.prediction is not None else set()
    own |= {plan.outcome.column if plan.outcome is not None else None, plan.id, plan.weight}
    group = question.group.values
    sizes: dict[str, float] = {}
    for column in cohort.features:
        values = column_values(sample.frame, column)
        if column in own or values is None or len(values.levels) > MOST_CATEGORIES:
            continue
        use = np.isfinite(values.values) & np.isfinite(group)
        sides = [values.values[use & (group > 0)], values.values[use & (group == 0)]]
        if min(len(s) for s in sides) < 2 or use.sum() < 0.5 * len(use):
            continue
        if values.levels:
            levels = np.arange(len(values.levels))
            shares = [(s[:, None] == levels).mean(axis=0) for s in sides]
            size = float(np.abs(shares[0] - shares[1]).sum())
        else:
            spread = float(np.sqrt((np.var(sides[0]) + np.var(sides[1])) / 2))
            size = abs(float(sides[0].mean() - sides[1].mean())) / spread if spread > 0 else 0.0
        if len(np.unique(values.values[use])) > 1:
            sizes[column] = size
    chosen = sorted(sizes, key=lambda c: -sizes[c])[:MOST_MEDIATORS]
    return [c for c in cohort.features if c in chosen]


@dataclass(frozen=True)
class Looked:
    """A graph held against the people: usable, with everything that should be known about it."""

    graph: Graph
    root: str
    values: dict[str, Values]
    moved: tuple[str, ...]
    troubles: list[Trouble]


def look(question: Question, graph: Graph, *, whole: bool = False) -> Looked:
    """Hold a graph against the columns and the people.

    Parameters
    ----------
    question : Question
    graph : Graph
    whole : bool
        Whether every node above the target is needed, not only what the attribute moves.

    Raises
    ------
    Refused
        With every trouble that forbids the graph, at its arrow.
    """
    sample, attribute, target = question.sample, question.attribute, question.target
    model = target.kind == "model"
    names = [attribute.name, *([attribute.column] if attribute.column else [])]
    root = next((n for n in names if n in graph.net), attribute.name)
    if target.name == root:
        text = say("causal.target_is_root", target=target.name)
        raise Refused(Problem("", graph.place, text))
    columns = [*map(str, sample.frame.columns), *(a.name for a in question.cohort.attributes)]
    troubles = draft_troubles(
        edges=graph.edges, columns=columns, attribute=attribute.name, target=target.name,
        name=graph.name, own_column=attribute.column,
    )  # fmt: skip
    if model and not whole:
        troubles = [t for t in troubles if t.code not in ("causal.no_target", "causal.no_path")]
    _stop(graph, troubles)
    graph = graph.without_causes_of(root)
    values = node_values(
        nodes=graph.nodes, attribute=attribute, target=target, cohort=question.cohort,
        plan=question.plan, sample=sample,
    )  # fmt: skip
    values.setdefault(target.name, target.values)
    values.setdefault(root, question.group)
    reads = question.cohort.fitted.columns if model else ()
    moved = graph.moved(root, target.name)
    if model and not whole:
        moved = _moved_for_model(graph, root, target.name, reads)
    used = set(graph.used(root, target.name))
    if whole:
        used = {root, target.name, *graph.above(target.name)}
    elif model:
        used = {root, *moved, *(p for n in moved for p in graph.parents(n))}
    troubles += data_troubles(
        graph=graph, values=values, root=root, target=target.name, weight=question.weight,
        used=tuple(n for n in graph.nodes if n in used), moved=moved,
        rows_by=_row_columns(question.plan, sample.role), model_columns=reads,
        own_column=attribute.column,
    )  # fmt: skip
    _stop(graph, troubles)
    return Looked(graph, root, values, moved, troubles)


def _stop(graph: Graph, troubles: Sequence[Trouble]) -> None:
    wrong = refusals(graph, troubles)
    if wrong:
        raise Refused(wrong)


def build(question: Question, graph: Graph, *, fitted: dict[Any, Equation] | None = None) -> Built:
    """Fit one graph's equations.

    Parameters
    ----------
    question : Question
    graph : Graph
    fitted : dict, optional
        Equations of other graphs of the same question, kept from call to call: a node with the
        same causes has the same equation there.

    Raises
    ------
    Refused
        With every trouble that forbids it, at its arrow.
    """
    looked = look(question, graph)
    graph, root, values, moved = looked.graph, looked.root, looked.values, looked.moved
    target, troubles = question.target.name, looked.troubles
    memory = {} if fitted is None else fitted
    equations: dict[str, Equation] = {}
    fittings: dict[str, Fitting] = {}
    problems: list[Problem] = []
    for node in moved:
        data = fitting_of(
            node=node, graph=graph, values=values, weight=question.weight, group=question.group.values
        )  # fmt: skip
        same = (node, graph.parents(node), canonical_json(dict(graph.equations.get(node) or {})))
        try:
            equations[node] = memory.get(same) or equation_of(
                node=node, graph=graph, values=values, data=data, seed=question.plan.seed % 2**32
            )
            memory[same] = equations[node]
        except Refused as refused:
            problems += refused.problems
        fittings[node] = data
    if problems:
        raise Refused(problems)
    causes = (p for n in moved for p in graph.parents(n))
    needed = list(dict.fromkeys([root, target, *moved, *causes]))
    evaluated = known(values, needed) & (question.weight > 0)
    group = {root: question.group.values}
    fits = {
        node: fit_of(
            equations[node], fittings[node], without={} if root in graph.parents(node) else group
        )
        for node in moved
    }
    troubles += fit_troubles(fits)
    troubles += _roots(graph, equations, fittings, moved)
    for node, equation in equations.items():
        if isinstance(equation, Linear) and equation.redundant:
            start = graph.parents(node)[-1]
            text = say("causal.collinear", node=node, start=start, end=node)
            troubles.append(Trouble("causal.collinear", "warning", text, (start, node), node))
    world = World(graph, root, target, moved, equations, {n: v.values for n, v in values.items()})
    return Built(
        graph, root, values, fittings, world, evaluated,
        why_not(question, values, needed, root, evaluated), fits, tuple(troubles),
    )  # fmt: skip


def assumptions(built: Built) -> list[str]:
    """What a result under this graph takes for granted, in sentences."""
    told = [say("causal.assume_graph")]
    kinds: tuple[tuple[str, Any], ...] = (
        ("causal.assume_additive", Linear | Boosted),
        ("causal.assume_order", Categories),
        ("causal.assume_floor", Censored),
    )
    for code, kind in kinds:
        nodes = [f'"{n}"' for n in built.world.moved if isinstance(built.world.equations[n], kind)]
        if nodes:
            told.append(say(code, nodes=listed(nodes)))
    return told


def _moved_for_model(graph: Graph, root: str, target: str, reads: Sequence[str]) -> tuple[str, ...]:
    """The nodes below the attribute that the model reads, and those on the way to them."""
    wanted = set(reads)
    for column in reads:
        wanted |= graph.above(column)
    wanted = (wanted & graph.below(root)) - {target} - graph.below(target)
    return tuple(n for n in graph.nodes if n in wanted)


def _row_columns(plan: Plan, role: str) -> list[str]:
    source = getattr(plan.data, role)
    return [str(rule.get("column")) for rule in source.rows] if source is not None else []


def _roots(
    graph: Graph,
    equations: Mapping[str, Equation],
    fittings: Mapping[str, Fitting],
    moved: Sequence[str],
) -> list[Trouble]:
    left = {n: residuals(equations[n], fittings[n]) for n in moved if not equations[n].stated}
    pairs = [
        (a, b)
        for a, b in combinations(left, 2)
        if a not in graph.parents(b) and b not in graph.parents(a)
    ]
    return root_troubles(left=left, pairs=pairs)


def why_not(
    question: Question,
    values: Mapping[str, Values],
    needed: Sequence[str],
    root: str,
    evaluated: NDArray[np.bool_],
) -> dict[str, int]:
    """Reasons for which people are not evaluated; each counts once, for the first that holds."""
    rest = ~evaluated
    found: dict[str, int] = {}
    codes = question.sample.codes[question.attribute.name]
    name = question.attribute.name
    for reason, mask in (
        (f"{name} is left out of the comparison", codes == LEFT_OUT),
        (f"{name} is not known", codes < 0),
        *((f'"{n}" is not known', ~np.isfinite(values[n].values)) for n in needed if n != root),
    ):
        n = int((rest & mask).sum())
        if n:
            found[reason] = n
        rest = rest & ~mask
    if rest.any():
        found["weight is 0"] = int(rest.sum())
    return found


def exclusion(question: Question, built: Built, method: str) -> list[dict[str, Any]]:
    """The people who are not evaluated, as entries of a result's ``exclusions``."""
    return [
        {
            "what": f"{question.sample.role}: {method}, graph {built.graph.name}",
            "rows": n,
            "why": f"{people(n)} not evaluated: {reason}.",
        }
        for reason, n in built.not_evaluated.items()
    ]
