"""Starting graphs for the editor, from names alone. Light to import."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

MOST_MEDIATORS = 8
"""A starting graph with more columns than this could not be read."""


def suggest_graphs(
    *, columns: Sequence[str], attribute: str, target: str, most: int = MOST_MEDIATORS
) -> list[dict[str, Any]]:
    """Starting graphs: the protected attribute as root, columns between, the target at the end.

    Parameters
    ----------
    columns : sequence of str
        The columns that may lie between, the most telling ones first; attribute and target among
        them are passed over.
    attribute : str
        Name of the protected attribute.
    target : str
        Column of the score, the amount or the outcome.
    most : int
        How many columns are taken.

    Returns
    -------
    list of dict
        Graphs in the plan's own form. The first lets the attribute act through every column and
        directly, the second through columns alone, the third directly alone. They are drafts: an
        arrow left out is an assumption that the auditor makes.

    Examples
    --------
    >>> [g["name"] for g in suggest_graphs(columns=["income"], attribute="sex", target="score")]
    ['through columns and directly', 'through columns alone', 'directly alone']
    >>> suggest_graphs(columns=["income"], attribute="sex", target="score")[0]["edges"]
    [['sex', 'income'], ['income', 'score'], ['sex', 'score']]
    """
    between = [c for c in dict.fromkeys(columns) if c not in (attribute, target)][:most]
    through = [edge for c in between for edge in ([attribute, c], [c, target])]
    direct = [[attribute, target]]
    roles = {attribute: "protected", target: "outcome"}
    drafts = [("through columns and directly", through + direct)]
    if between:
        held = [[c, target] for c in between]
        drafts += [("through columns alone", through), ("directly alone", direct + held)]
    return [
        {"name": name, "edges": [list(e) for e in edges], "equations": {}, "roles": dict(roles)}
        for name, edges in drafts
    ]
