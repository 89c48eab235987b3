"""From the state of a case to its plan, and back: window and command line run the same plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from engine.base.canonical import plain
from engine.plan.form import short_paths
from engine.plan.keys import DEFAULT_SEED
from engine.plan.model import SCHEMA

from .acts import Act, apply, confirm_step, put
from .basis import DATA_ROLES, items_of
from .state import FACTS, new_state

_ALL_ONLY = ("test_share", "stratify")


def item_paths(state: Mapping[str, Any]) -> dict[str, str]:
    """Item id to the path that stands for it in the plan: its name, made unique.

    The same bytes under the same name are one file, even if they serve two roles. An item that
    came with a plan keeps the path that the plan's fingerprint names (``path``).

    Examples
    --------
    >>> items = [{"id": f"item-{n}", "name": "a.csv", "sha256": sha} for n, sha in ((1, "x"), (2, "y"))]
    >>> item_paths({"items": items})
    {'item-1': 'a.csv', 'item-2': '2-a.csv'}
    """
    paths: dict[str, str] = {}
    taken: dict[str, str] = {}
    for item in state["items"]:
        first = item.get("path") or item["name"]
        path, count = first, 1
        while taken.get(path, item["sha256"]) != item["sha256"]:
            count += 1
            path = f"{count}-{item['name']}"
        taken[path] = item["sha256"]
        paths[item["id"]] = path
    return paths


def plan_dict(state: Mapping[str, Any]) -> dict[str, Any]:
    """The plan of a case in its file form (the contract), without keys that are null.

    Items become sources under their names; several items of one role are appended in their
    order. The file need not be complete: the plan's own check says what is missing.

    Parameters
    ----------
    state : mapping
        The state document.

    Returns
    -------
    dict
        Plain JSON. ``plan_dict(state_from_plan(plan, ...))`` gives the plan back, paths as names.
    """
    paths = item_paths(state)
    plan: dict[str, Any] = {
        key: value
        for key, value in state["plan"].items()
        if value is not None and key not in ("data", "join", "case")
    }
    plan["schema"] = SCHEMA
    plan.setdefault("seed", DEFAULT_SEED)
    plan.setdefault("methods", {"certification": {}})
    facts = {key: state["case"].get(key) for key in FACTS if state["case"].get(key)}
    if facts:
        plan["case"] = facts
    data = {
        role: _source(items_of(state, role), paths, whole=role == "all")
        for role in DATA_ROLES
        if items_of(state, role)
    }
    if data:
        plan["data"] = data
    joins = [
        {**_source(members, paths, whole=False), "on": members[0].get("on")}
        for members in _joined(state)
    ]
    if joins:
        plan["join"] = joins
    system = plan.get("system")
    models = items_of(state, "model")
    if isinstance(system, Mapping) and system.get("model_file") is not None and models:
        kept = {k: v for k, v in system["model_file"].items() if k != "received"}
        file = {**kept, **_received(models[0]), "path": paths[models[0]["id"]]}
        plan["system"] = {**system, "model_file": file}
    made = plain(plan)
    assert isinstance(made, dict)
    return made


def _source(
    members: list[dict[str, Any]], paths: Mapping[str, str], *, whole: bool
) -> dict[str, Any]:
    reading = {
        key: value
        for key, value in (members[0].get("reading") or {}).items()
        if value is not None and (whole or key not in _ALL_ONLY)
    }
    names = [paths[item["id"]] for item in members]
    path = names[0] if len(names) == 1 else names
    return {**reading, **_received(members[0]), "path": path}


def _received(item: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Who gave an item, when and how, as far as somebody said it."""
    told = {"from": item.get("from"), "when": item.get("received"), "how": item.get("how")}
    known = {key: str(text) for key, text in told.items() if text}
    return {"received": known} if known else {}


def _joined(state: Mapping[str, Any]) -> Iterator[list[dict[str, Any]]]:
    """Items to be joined; those that are ``part_of`` another are appended to it."""
    joins = items_of(state, "join")
    for item in joins:
        if not item.get("part_of"):
            yield [item, *(other for other in joins if other.get("part_of") == item["id"])]


def sources_of(plan: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any], str | None]]:
    """Every file that a plan names: path, role, reading, join key. First of a list comes first."""
    data = plan.get("data") or {}
    for role in DATA_ROLES:
        if data.get(role):
            yield from _named(data[role], role, None)
    for join in plan.get("join") or []:
        yield from _named(join, "join", join.get("on"))
    model = (plan.get("system") or {}).get("model_file")
    if model:
        told = model.get("received")
        yield model["path"], "model", {"received": told} if told else {}, None


def _named(
    source: Any, role: str, on: str | None
) -> Iterator[tuple[str, str, dict[str, Any], str | None]]:
    given = {"path": source} if isinstance(source, str) else dict(source)
    reading = {
        key: value
        for key, value in given.items()
        if key not in ("path", "on") and value is not None
    }
    paths = given["path"]
    for path in [paths] if isinstance(paths, str) else paths:
        yield path, role, reading, on


def state_from_plan(
    plan: Mapping[str, Any],
    *,
    files: Mapping[str, Mapping[str, Any]],
    who: str = "",
    when: str = "",
) -> dict[str, Any]:
    """The state in which everything that a plan says is chosen.

    Parameters
    ----------
    plan : mapping
        A plan in its file form, already checked.
    files : mapping
        Path as the plan writes it -> ``{"bytes", "sha256"}`` of the file.
    who, when : str
        Who handed in the plan, and when: written beside each choice.

    Returns
    -------
    dict
        A state document; all steps up to the system are confirmed on what they rest on.
    """
    state = new_state()
    given = plan.get("case") or {}
    state["case"] = {key: str(given.get(key) or "") for key in FACTS}
    state["plan"] = {
        key: plain(value)
        for key, value in plan.items()
        if key not in ("schema", "data", "join", "case") and (value is not None or key == "system")
    }
    state["plan"].setdefault("system", None)
    state["plan"]["protected"] = [_lone_rules(one) for one in state["plan"].get("protected") or []]
    short = short_paths([path for path, *_ in sources_of(plan)])
    first: dict[int, str] = {}
    for index, (path, role, reading, on) in enumerate(sources_of(plan)):
        told = reading.pop("received", None) or {}
        item = {
            "id": f"item-{index + 1}",
            "name": PurePosixPath(path.replace("\\", "/")).name,
            "bytes": files[path]["bytes"],
            "sha256": files[path]["sha256"],
            "from": told.get("from") or "",
            "how": told.get("how") or "",
            "when": when,
            "role": role,
            "reading": plain(reading),
            "on": on,
            "answers": {},
        }
        if told.get("when"):
            item["received"] = told["when"]
        if short[path] != item["name"]:
            item["path"] = short[path]
        if role == "join":
            key = _join_number(plan, path)
            if key in first:
                item["part_of"] = first[key]
            else:
                first[key] = item["id"]
        state["items"].append(item)
    tolerance = plan.get("tolerance")
    value = plain(tolerance or {})
    state = apply(state, Act("set_tolerance", (), value, "set the tolerance", who, when))
    state = put(state, ("set", "tolerance", "from_plan"), True)
    for number in (0, 1, 2, 4, 5):
        state = apply(state, confirm_step(number, who=who, when=when))
    for choice in ("attributes", "groups"):  # what their author had seen, nobody here can know
        state = put(state, ("set", choice, "from_plan"), True)
    return state


def _lone_rules(attribute: Mapping[str, Any]) -> dict[str, Any]:
    """A list that holds one rule only is that rule, as the window writes it."""
    lone = {
        key: attribute[key][0]
        for key in ("privileged", "unprivileged")
        if isinstance(attribute.get(key), list)
        and len(attribute[key]) == 1
        and isinstance(attribute[key][0], Mapping)
    }
    return {**attribute, **lone}


def _join_number(plan: Mapping[str, Any], path: str) -> int:
    for number, join in enumerate(plan.get("join") or []):
        if path in ([join["path"]] if isinstance(join["path"], str) else join["path"]):
            return number
    raise KeyError(path)
