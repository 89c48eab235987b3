"""The files of a plan: sources, joins, and what else reads a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import keys
from .model import Data, Join, Source
from .reading import Reader, at, spelled


def read_data(reader: Reader, found: Any) -> Data:
    """``data`` of a plan: ``all``, or ``test`` with or without ``training``."""
    data = reader.mapping(found, "data", keys.DATA)
    if not any(role in data for role in keys.DATA):
        if not isinstance(found, Mapping) or not any(key not in keys.DATA for key in found):
            reader.problem("data", "plan.no_data")
        return Data()
    for other in ("test", "training"):
        if "all" in data and other in data:
            reader.problem("data", "plan.all_and_test", other=other)
    if "training" in data and "test" not in data and "all" not in data:
        reader.problem("data", "plan.no_test")
    sources = {role: _role(reader, data[role], role) for role in keys.DATA if role in data}
    whole = data["all"] if isinstance(data.get("all"), Mapping) else {}
    return Data(
        **sources,
        test_share=reader.number(
            whole, "test_share", "data.all", 0.15, low=0, high=1, open_ends=True,
            range="between 0 and 1",
        ),
        stratify=reader.yes_no(whole, "stratify", "data.all", True),
    )  # fmt: skip


def _role(reader: Reader, found: Any, role: str) -> Source:
    place = at("data", role)
    if role != "all" and isinstance(found, Mapping):
        for key in keys.SPLIT:
            if key in found:
                reader.problem(at(place, key), "plan.split_keys", key=key)
        found = {key: value for key, value in found.items() if key not in keys.SPLIT}
    known = (*keys.SOURCE, *keys.SPLIT) if role == "all" else keys.SOURCE
    return read_source(reader, found, place, known)


def read_joins(reader: Reader, found: Any) -> tuple[Join, ...]:
    """``join`` of a plan: sources, each with the key ``on``."""
    joins = []
    for i, item in enumerate(reader.items(found, "join")):
        place = at("join", i)
        source = read_source(reader, item, place, keys.JOIN)
        entry = item if isinstance(item, Mapping) else {}
        on = reader.needed_text(entry, "on", place, "name the column that holds the key")
        joins.append(Join(source=source, on=on))
    return tuple(joins)


def read_source(reader: Reader, found: Any, place: str, known: tuple[str, ...]) -> Source:
    """One source: the file or files, and how they are to be read."""
    data = reader.mapping(found, place, known)
    header = reader.yes_no(data, "header", place, None)
    columns = None
    if "columns" in data:
        columns = reader.texts(data["columns"], at(place, "columns"))
        for name in dict.fromkeys(c for c in columns if columns.count(c) > 1):
            reader.problem(at(place, "columns"), "plan.columns_twice", name=name)
        if header is not False:
            reader.problem(at(place, "columns"), "plan.columns_header")
    elif header is False:
        reader.problem(at(place, "header"), "plan.header_columns")
    delimiter = reader.text(data, "delimiter", place)
    if delimiter is not None and len(delimiter) != 1:
        reader.problem(at(place, "delimiter"), "plan.delimiter", found=spelled(delimiter))
    decimal = reader.text(data, "decimal", place)
    if decimal not in (None, ".", ","):
        reader.problem(at(place, "decimal"), "plan.decimal", found=spelled(decimal))
    return Source(
        path=_paths(reader, data, place) if isinstance(found, Mapping) else (),
        format=reader.text(data, "format", place),
        sheet=reader.text(data, "sheet", place),
        delimiter=delimiter,
        encoding=reader.text(data, "encoding", place),
        decimal=decimal,
        header=header,
        columns=columns,
        skip_lines=reader.whole(data, "skip_lines", place, None, low=0, high=10**6),
        missing=_missing(reader, data.get("missing"), at(place, "missing")),
        types=_types(reader, data.get("types"), at(place, "types")),
        rows=_rows(reader, data.get("rows"), at(place, "rows")),
        received=read_received(reader, data.get("received"), at(place, "received")),
    )


def read_received(reader: Reader, found: Any, place: str) -> dict[str, str] | None:
    """Who gave a file, when and how: printed texts, each of which may be left out."""
    data = reader.mapping(found, place, keys.RECEIVED)
    texts = {key: reader.name(data, key, place) for key in keys.RECEIVED}
    return {key: text for key, text in texts.items() if text is not None} or None


def _types(reader: Reader, found: Any, place: str) -> dict[str, str] | None:
    data = reader.mapping(found, place, None)
    chosen = {name: reader.choice(data, name, place, "", keys.TYPES) for name in data}
    return {name: kind for name, kind in chosen.items() if kind} or None


def _paths(reader: Reader, data: Mapping[str, Any], place: str) -> tuple[str, ...]:
    found = data.get("path")
    if found is None:
        reader.problem(place, "plan.needed", key="path", mend="name the file")
        return ()
    paths = (found,) if isinstance(found, str) else reader.texts(found, at(place, "path"))
    if not paths or "" in paths:
        reader.problem(at(place, "path"), "plan.path_empty")
    return paths


def _missing(
    reader: Reader, found: Any, place: str
) -> tuple[str, ...] | Mapping[str, tuple[str, ...]] | None:
    if found is None:
        return None
    if isinstance(found, Mapping):
        return {str(k): reader.texts(v, at(place, str(k))) for k, v in found.items()}
    if not isinstance(found, list):
        reader.problem(place, "plan.missing_markers")
        return None
    return reader.texts(found, place)


def _rows(reader: Reader, found: Any, place: str) -> tuple[Mapping[str, Any], ...]:
    rows = []
    for i, item in enumerate(reader.items(found, place)):
        here = at(place, i)
        data = reader.mapping(item, here, keys.ROWS)
        column = reader.needed_text(data, "column", here, "name the column to choose rows by")
        if "keep" not in data:
            reader.problem(here, "plan.needed", key="keep", mend="list the values to keep")
            continue
        keep = reader.values_or_rule(data["keep"], at(here, "keep"))
        rows.append({"column": column, "keep": keep})
    return tuple(rows)
