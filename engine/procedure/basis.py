"""What each thing was made from: fingerprints that tell whether it is out of date."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.base.canonical import sha256_of

DATA_ROLES = ("all", "training", "test")
"""Roles of items that hold people, in the order of the contract."""

_DATA_KEYS = ("id", "weight", "outcome")


def items_of(state: Mapping[str, Any], *roles: str) -> list[dict[str, Any]]:
    """The received items with one of these roles, in the order in which they came."""
    return [item for item in state["items"] if item.get("role") in roles]


def _known(value: Any) -> Any:
    """A value without its null entries: a key left out and a null mean the same."""
    if isinstance(value, Mapping):
        return {key: _known(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_known(item) for item in value]
    return value


def data_basis(state: Mapping[str, Any]) -> str:
    """Fingerprint of the data as they are to be read: bytes, roles, readings, key columns."""
    used = [
        {key: item.get(key) for key in ("sha256", "role", "reading", "on", "part_of")}
        for item in items_of(state, *DATA_ROLES, "join")
    ]
    keys = {key: state["plan"].get(key) for key in _DATA_KEYS}
    return sha256_of(_known({"items": used, "keys": keys}))


def run_basis(state: Mapping[str, Any]) -> str:
    """Fingerprint of everything that a result rests on: data, model file and the whole plan.

    The facts of the case (names, addresses) are left out: no number depends on them.
    """
    models = [item.get("sha256") for item in items_of(state, "model")]
    plan = {key: value for key, value in state["plan"].items() if key != "case"}
    return sha256_of(_known({"data": data_basis(state), "models": models, "plan": plan}))


def _groups(state: Mapping[str, Any]) -> Any:
    return _known(state["plan"].get("protected") or [])


def _attribute_names(state: Mapping[str, Any]) -> list[Any]:
    return [entry.get("name") or entry.get("column") for entry in _groups(state)]


def step_basis(state: Mapping[str, Any], number: int) -> str:
    """Fingerprint of what lies above a step; when it changes, the step is out of date.

    Parameters
    ----------
    state : mapping
        The state document.
    number : int
        Step, 0 to 12. Step 0 and step 3 rest on nothing: they never go out of date.
    """
    result = (state["result"] or {}).get("result_sha256")
    rests: dict[int, Any] = {
        1: [data_basis(state)],
        2: [data_basis(state), _attribute_names(state)],
        4: [data_basis(state), _groups(state)],
        5: [data_basis(state)],
        11: sorted(missing_keys(state)),
    }
    if number in (6, 7, 8, 9):
        rests[number] = [result, run_basis(state)]
    elif number in (10, 12):
        rests[number] = [result, run_basis(state), state["decision"]]
    return sha256_of(rests.get(number))


def result_is_current(state: Mapping[str, Any]) -> bool:
    """Whether there is a result and it was made from what the case says now."""
    result = state["result"]
    return result is not None and result.get("basis_sha256") == run_basis(state)


def decision_is_current(state: Mapping[str, Any]) -> bool:
    """Whether there is a decision, made on the result that stands now."""
    decision = state["decision"]
    return (
        decision is not None
        and result_is_current(state)
        and decision.get("result_sha256") == state["result"]["result_sha256"]
    )


def missing_keys(state: Mapping[str, Any]) -> list[str]:
    """What was not supplied, as keys of ``state["not_supplied"]`` (see ``decision.missing_sheet``)."""
    roles = {item.get("role") for item in state["items"]}
    system = state["plan"].get("system") or {}
    stands = {
        "training data": bool(roles & {"training", "all"}),
        "test data": bool(roles & {"test", "all"}),
        "recorded outcomes": bool(state["plan"].get("outcome")),
        "decisions of the system": bool(system.get("prediction") or system.get("model_file")),
        "scores of the system": bool(system.get("score") or system.get("model_file")),
        "the system itself": bool(system.get("model_file")),
        "documentation": "document" in roles,
    }
    return [what for what, there in stands.items() if not there]
