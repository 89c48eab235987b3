"""A result in the order in which it is told: files keep their keys sorted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .answers import DEFINITIONS

METRICS = ("TPR", "FPR", "FN_share")
TESTS = (
    "independent_t", "independent_nadeau_bengio", "paired_t", "nadeau_bengio", "anova", "kruskal",
    "friedman", "equivalence",
)  # fmt: skip


def in_order(result: Mapping[str, Any]) -> dict[str, Any]:
    """The same part of a result with attributes, algorithms, groups, definitions and tests in the
    order of the plan and of the paper, the privileged group first.

    Examples
    --------
    >>> sort_by(["b", "a"], {"a": 1, "c": 2, "b": 3})
    {'b': 3, 'a': 1, 'c': 2}
    """
    order = result["order"]
    attributes = {
        name: _attribute(one, order["models"], order["groups"][name])
        for name, one in sort_by(order["attributes"], result["attributes"]).items()
    }
    return {**result, "attributes": attributes, "models": attributes[result["attribute"]]["models"]}


def sort_by(keys: Iterable[str], found: Mapping[str, Any]) -> dict[str, Any]:
    """A mapping in the order of some keys; what they do not name comes last."""
    named = [key for key in keys if key in found]
    return {key: found[key] for key in [*named, *(k for k in found if k not in named)]}


def _attribute(
    one: Mapping[str, Any], models: Iterable[str], groups: Iterable[str]
) -> dict[str, Any]:
    advice = one["advice"]
    table = [{**row, "groups": sort_by(groups, row["groups"])} for row in advice["table"]]
    return {
        **one,
        "groups": sort_by(groups, one["groups"]),
        "advice": {**advice, "table": table},
        "models": {
            key: _model(model, groups) for key, model in sort_by(models, one["models"]).items()
        },
    }


def _model(model: Mapping[str, Any], groups: Iterable[str]) -> dict[str, Any]:
    found = {
        **model,
        "groups": sort_by(groups, model["groups"]),
        "pooled": sort_by(METRICS, model["pooled"]),
        "definitions": sort_by(DEFINITIONS, model["definitions"]),
    }
    for value in ("TPR", "FPR", "FN_FP"):
        found[value] = {**model[value], "tests": sort_by(TESTS, model[value]["tests"])}
    if "confusion" in model:
        found["confusion"] = sort_by(groups, model["confusion"])
    if "classes" in model:
        found["classes"] = {key: _model(part, groups) for key, part in model["classes"].items()}
    return found
