"""A plan in its file form, as run: every default filled in, no folder of anyone's machine."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from .model import Data, Outcome, Plan, Protected, Source, System


def to_dict(plan: Plan) -> dict[str, Any]:
    """The plan as it is written into a result and fingerprinted.

    Paths are cut to the file's name, or to the shortest trailing parts that keep two files
    apart, so that the same files give the same fingerprint wherever they lie.

    Examples
    --------
    >>> source = Source(path=("/somewhere/data/people.csv",))
    >>> plan = Plan(seed=1, case={}, data=Data(all=source), protected=())
    >>> to_dict(plan)["data"]["all"]["path"]
    'people.csv'
    """
    names = short_paths(every_path(plan))
    return {
        "schema": plan.schema,
        "seed": plan.seed,
        "case": dict(plan.case),
        "data": _data(plan.data, names),
        "id": plan.id,
        "join": [_source(j.source, names) | {"on": j.on} for j in plan.join],
        "weight": plan.weight,
        "outcome": None if plan.outcome is None else _outcome(plan.outcome),
        "system": None if plan.system is None else _system(plan.system, names),
        "features": None if plan.features is None else list(plan.features),
        "protected": [_protected(a) for a in plan.protected],
        "tolerance": {
            "rule": plan.tolerance.rule,
            "difference": plan.tolerance.difference,
            "ratio": list(plan.tolerance.ratio),
            "bias_index": plan.tolerance.bias_index,
            "fairness_score": plan.tolerance.fairness_score,
            "overrides": {k: dict(v) for k, v in plan.tolerance.overrides.items()},
        },
        "confidence": plan.confidence,
        "resamples": plan.resamples,
        "methods": {name: dict(settings) for name, settings in plan.methods.items()},
    }


def every_path(plan: Plan) -> list[str]:
    """All paths that a plan names, as written."""
    sources = [plan.data.training, plan.data.test, plan.data.all, *(j.source for j in plan.join)]
    paths = [path for source in sources if source is not None for path in source.path]
    if plan.system is not None and plan.system.model_file is not None:
        paths.append(str(plan.system.model_file["path"]))
    return paths


def short_paths(paths: list[str]) -> dict[str, str]:
    """Each path's shortest trailing parts that no other file of the list shares.

    Examples
    --------
    >>> short_paths(["/a/x.csv", "/b/x.csv", "/b/y.csv"])
    {'/a/x.csv': 'a/x.csv', '/b/x.csv': 'b/x.csv', '/b/y.csv': 'y.csv'}
    """
    parts = {path: PurePath(os.path.normpath(path)).parts for path in paths}
    distinct = set(parts.values())
    short = {}
    for path, mine in parts.items():
        others = [other for other in distinct if other != mine]
        length = 1
        while length < len(mine) and any(o[-length:] == mine[-length:] for o in others):
            length += 1
        short[path] = "/".join(part.strip("/\\") for part in mine[-length:]).lstrip("/")
    return short


def _data(data: Data, names: Mapping[str, str]) -> dict[str, Any]:
    written: dict[str, Any] = {"training": None, "test": None, "all": None}
    for role in written:
        source = getattr(data, role)
        if source is not None:
            written[role] = _source(source, names)
    if data.all is not None:
        written["all"] |= {"test_share": data.test_share, "stratify": data.stratify}
    return written


def _source(source: Source, names: Mapping[str, str]) -> dict[str, Any]:
    paths = [names[path] for path in source.path]
    missing: Any = source.missing
    if isinstance(missing, Mapping):
        missing = {column: list(markers) for column, markers in missing.items()}
    elif missing is not None:
        missing = list(missing)
    return {
        "path": paths[0] if len(paths) == 1 else paths,
        "format": source.format,
        "sheet": source.sheet,
        "delimiter": source.delimiter,
        "encoding": source.encoding,
        "decimal": source.decimal,
        "header": source.header,
        "columns": None if source.columns is None else list(source.columns),
        "skip_lines": source.skip_lines,
        "missing": missing,
        "rows": [{"column": r["column"], "keep": _values(r["keep"])} for r in source.rows],
        # Left out where nothing is said: plans of earlier versions keep their fingerprints.
        **({"types": dict(source.types)} if source.types else {}),
        **({"received": dict(source.received)} if source.received else {}),
    }


def _values(found: Any) -> Any:
    if found is None or isinstance(found, Mapping):
        return None if found is None else dict(found)
    return [dict(v) if isinstance(v, Mapping) else v for v in found]


def _outcome(outcome: Outcome) -> dict[str, Any]:
    return {
        "column": outcome.column,
        "favourable": _values(outcome.favourable),
        "unfavourable": _values(outcome.unfavourable),
    }


def _system(system: System, names: Mapping[str, str]) -> dict[str, Any]:
    model_file = None
    if system.model_file is not None:
        path = names[str(system.model_file["path"])]
        model_file = dict(system.model_file) | {"path": path}
    return {
        "prediction": None if system.prediction is None else _outcome(system.prediction),
        "score": None
        if system.score_column is None
        else {"column": system.score_column, "high_is": system.score_high_is},
        "amount": None
        if system.amount_column is None
        else {"column": system.amount_column, "adverse": system.amount_adverse},
        "train": None if system.train is None else dict(system.train),
        "model_file": model_file,
    }


def _protected(attribute: Protected) -> dict[str, Any]:
    written: dict[str, Any] = {
        "name": attribute.name,
        "privileged": _values(attribute.privileged),
        "unprivileged": _values(attribute.unprivileged),
        "left_out": _values(attribute.left_out),
        "labels": dict(attribute.labels),
    }
    if attribute.membership is not None:
        return written | {"membership": dict(attribute.membership)}
    return written | {"column": attribute.column}
