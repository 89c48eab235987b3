"""Computing a case's result once more from its own evidence, figure by figure."""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.base.canonical import canonical_json, sha256_of
from engine.base.problems import Problem, Refused
from engine.base.scratch import PREFIX
from engine.base.watch import Watch
from engine.base.wording import count
from engine.case.build import inside
from engine.case.check import check
from engine.case.store import Case
from engine.messages import say
from engine.methods.asking import load_plan
from engine.plan.form import every_path
from engine.procedure.plan_of import item_paths

from .road import run

FIGURES = ("software", "plan", "plan_sha256", "schema")
"""Keys of a result that hold what was asked and with what, not what came out."""
NEAR = 1e-9
"""Relative difference up to which two figures of different machines count as the same."""
SHOWN = 40


@dataclass(frozen=True)
class Difference:
    """A figure that is not the same: its place in result.json, then and now."""

    place: str
    then: Any
    now: Any


@dataclass(frozen=True)
class Rerun:
    """What computing again gave.

    Attributes
    ----------
    same : bool
        Every figure is the same.
    identical : bool
        result.json is the same, byte for byte.
    figures : int
        How many were compared.
    rounded : int
        How many differ by less than a billionth: rounding of another machine.
    differences : tuple of Difference
    lines : tuple of str
        All that in words.
    whole : bool
        The case file is as FairAssay wrote it: trail, state and kept bytes.
    """

    same: bool
    identical: bool
    figures: int
    rounded: int
    differences: tuple[Difference, ...]
    lines: tuple[str, ...]
    whole: bool = True


def rerun(path: Path, *, printed: bytes | None = None, watch: Watch | None = None) -> Rerun:
    """Compute the result of a case again and compare each figure.

    Parameters
    ----------
    path : Path
        The case file; it is only read.
    printed : bytes, optional
        The result.json that a certificate carries: it is compared in the place of the case's own.
    watch : Watch, optional

    Returns
    -------
    Rerun

    Raises
    ------
    Refused
        For a file that is no case, one without a result, evidence that is missing or damaged.
    """
    watch = watch or Watch()
    with (
        Case.open(path, read_only=True) as case,
        tempfile.TemporaryDirectory(prefix=PREFIX) as folder,
    ):
        kept = case.result_file("result.json")
        if kept is None:
            raise Refused(Problem(path.name, "", say("run.rerun_no_result")))
        then = printed if printed is not None else kept
        old = json.loads(then)
        if not isinstance(old, dict) or not isinstance(old.get("plan"), dict):
            raise Refused(Problem(path.name, "result.json", say("run.rerun_not_result")))
        plan = _unpack(case, old, Path(folder), watch.part(0, 0.2))
        faults = check(case).faults
        again = run(plan=load_plan(plan), base=Path(folder), watch=watch.part(0.2, 1.0))
    found = compare(then, again.json.encode(), other=then != kept)
    if not faults:
        return found
    said = say("run.rerun_edited", n=len(faults), first=faults[0].text)
    return replace(found, lines=(*found.lines, said), whole=False)


def _unpack(case: Case, old: Mapping[str, Any], folder: Path, watch: Watch) -> Path:
    """Write the plan that gave the result, and the evidence that it names, into a folder."""
    plan_file = folder / "plan.json"
    plan_file.write_text(canonical_json(old["plan"]), encoding="utf-8")
    state = case.state
    by_path = item_paths(state)
    items = {by_path[item["id"]]: item for item in state["items"]}
    taken = {item["sha256"] for item in old.get("inputs") or ()}
    for name in dict.fromkeys(every_path(load_plan(plan_file))):
        item = items.get(name)
        if item is None or item["sha256"] not in taken:
            raise Refused(Problem(case.path.name, name, say("run.rerun_no_evidence")))
        watch.say(say("run.rerun_unpacking", name=item["name"]))
        target = folder / inside(name)
        target.parent.mkdir(parents=True, exist_ok=True)
        case.extract(item["sha256"], target.parent, target.name)
    return plan_file


def compare(then: bytes, now: bytes, *, other: bool = False) -> Rerun:
    """Compare two result.json figure by figure.

    Parameters
    ----------
    then, now : bytes
    other : bool
        ``then`` is not the case's own result: a sentence says so.

    Examples
    --------
    >>> made = compare(b'{"a":{"n":3,"x":0.5}}', b'{"a":{"n":3,"x":0.25}}')
    >>> made.same, made.figures, made.differences[0].place
    (False, 2, 'a.x')
    """
    old, new = json.loads(then), json.loads(now)
    before, after = dict(_figures(old)), dict(_figures(new))
    places = list(dict.fromkeys([*before, *after]))
    differences, rounded = [], 0
    for place in places:
        one, two = before.get(place, _ABSENT), after.get(place, _ABSENT)
        if type(one) is type(two) and one == two:
            continue
        if _near(one, two):
            rounded += 1
            continue
        differences.append(Difference(place, one, two))
    lines = _lines(old, new, then == now, len(places), rounded, differences)
    if other:
        lines.append(say("run.rerun_other"))
    return Rerun(
        same=not differences,
        identical=then == now,
        figures=len(places),
        rounded=rounded,
        differences=tuple(differences),
        lines=tuple(lines),
    )


_ABSENT = "absent"


def _figures(result: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Every leaf of a result below the keys that hold figures, with its place."""
    pending: list[tuple[str, Any]] = [
        (key, value) for key, value in reversed(list(result.items())) if key not in FIGURES
    ]
    while pending:
        place, value = pending.pop()
        if isinstance(value, Mapping) and value:
            pending += [(f"{place}.{key}", one) for key, one in reversed(list(value.items()))]
        elif isinstance(value, list) and value:
            pending += [(f"{place}[{n}]", value[n]) for n in reversed(range(len(value)))]
        else:
            yield place, value


def _near(one: Any, two: Any) -> bool:
    numbers = all(isinstance(v, int | float) and not isinstance(v, bool) for v in (one, two))
    return numbers and math.isclose(one, two, rel_tol=NEAR, abs_tol=1e-12)


def _lines(
    old: Mapping[str, Any],
    new: Mapping[str, Any],
    identical: bool,
    figures: int,
    rounded: int,
    differences: list[Difference],
) -> list[str]:
    if identical:
        return [say("run.rerun_identical", figures=count(figures), sha=sha256_of(canonical(new)))]
    if differences:
        lines = [
            say("run.rerun_differs", n=count(len(differences)), figures=count(figures)),
            *(
                say("run.rerun_figure", place=d.place, then=_shown(d.then), now=_shown(d.now))
                for d in differences[:SHOWN]
            ),
        ]
        if len(differences) > SHOWN:
            lines.append(say("run.rerun_more", n=count(len(differences) - SHOWN)))
    else:
        lines = [say("run.rerun_same", figures=count(figures))]
    if rounded:
        lines.append(say("run.rerun_rounded", n=count(rounded)))
    lines += _versions(old.get("software") or {}, new.get("software") or {})
    if old.get("plan_sha256") != new.get("plan_sha256"):
        lines.append(say("run.rerun_plan"))
    return lines


def canonical(result: Mapping[str, Any]) -> bytes:
    """A result's bytes as result.json has them."""
    return canonical_json(dict(result)).encode()


def _versions(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    def flat(software: Mapping[str, Any]) -> dict[str, str]:
        own = {"FairAssay": software.get("version"), "Python": software.get("python")}
        return {k: str(v) for k, v in {**own, **(software.get("libraries") or {})}.items()}

    before, after = flat(old), flat(new)
    return [
        say("run.rerun_version", name=name, then=before.get(name, "none"), now=after[name])
        for name in after
        if before.get(name) != after[name]
    ]


def _shown(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, float):
        return repr(value)
    text = str(value)
    return text if len(text) <= 120 else text[:117] + "…"
