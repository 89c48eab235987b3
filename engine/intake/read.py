"""Read a received file: bytes to a typed table, with what was understood stated.

:func:`read` reads everything, :func:`preview` the first rows in a second or two whatever the
size, :func:`fingerprint` only hashes.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd

from engine.base.nearest import mend
from engine.base.problems import Problem, Refused
from engine.base.watch import Watch
from engine.messages import say
from engine.plan.model import Source

from .apart import read_apart
from .columns import Reading, build, look
from .decide import decide
from .encoding import Text, as_utf8, fingerprint
from .formats import Opened, locate, open_file, refuse, workshop
from .grids import from_json
from .model import Received, Table
from .numbers import likely_numbers
from .reading_warts import about_reading
from .said import apply_types, check_names, check_types, markers_of, missing_of
from .sniff import physical_lines, sniff
from .staging import MOST_COLUMNS, Stage, literal
from .warts import judge

__all__ = ["fingerprint", "preview", "read"]

_SAMPLE = 2**18
_SAMPLE_MOST = 2**23
_NUMBERS_FROM = 2**20
_PREVIEW = 2**20
_PREVIEW_MOST = 2**26


@dataclass
class Part:
    """What was understood of one of a source's files."""

    name: str
    names: tuple[str, ...]
    detected: dict[str, Any]
    stray: list[str] = field(default_factory=list)
    twice: tuple[str, ...] = ()
    unnamed: tuple[str, ...] = ()
    replaced: int = 0
    rows: int = 0
    typed: frozenset[str] = frozenset()


def read(*, source: Source, base: Path, watch: Watch) -> Table:
    """Read a source: all its files, appended, every column typed.

    Parameters
    ----------
    source : Source
        The file or files, and whatever the plan says about how to read them.
    base : Path
        The folder from which relative paths count.
    watch : Watch
        Told of progress; a stop ends the reading between two steps and inside a query.

    Returns
    -------
    Table

    Raises
    ------
    Refused
        Where a file cannot be read as asked; file, place and mend are named.
    """
    return _read(source=source, base=base, watch=watch, rows=None)


def preview(*, source: Source, base: Path, rows: int = 200) -> Table:
    """Read the first rows only; types are those of these rows.

    Parameters
    ----------
    source, base
        As in :func:`read`.
    rows : int
        How many rows at most.

    Returns
    -------
    Table
        Its ``received`` has the file's size and an empty SHA-256: nothing was hashed.
    """
    return _read(source=source, base=base, watch=Watch(), rows=rows)


def _read(*, source: Source, base: Path, watch: Watch, rows: int | None) -> Table:
    paths = _locate_all(source, base)
    with workshop() as folder, _refusing(paths[0].name):
        if rows is None:
            share = 0.15 / len(paths)
            received = tuple(
                fingerprint(path, watch.part(i * share, (i + 1) * share))
                for i, path in enumerate(paths)
            )
        else:
            received = tuple(Received(path.name, path.stat().st_size, "") for path in paths)
        work = watch.part(0.15, 0.25)
        opened = []
        for path in paths if rows is None else paths[:1]:
            first = None if rows is None else 4 * _PREVIEW
            opened.append(
                open_file(path=path, folder=_room(folder), named=source.format, watch=work, first=first)
            )  # fmt: skip
        size = sum(one.path.stat().st_size for one in opened) if rows is None else 0
        with Stage(folder=folder, size=size, watch=watch.part(0.25, 0.6)) as stage:
            stage.most = rows
            parts: list[Part] = []
            for one in opened:
                loader = _Loader(source=source, stage=stage, folder=folder, watch=work, rows=rows)
                before = sum(part.rows for part in parts)
                parts.append(loader.load(one, parts[0] if parts else None))
                parts[-1].rows = stage.rows - before
            return _table(source, parts, stage, received, watch.part(0.6, 1.0))


def _locate_all(source: Source, base: Path) -> list[Path]:
    paths: list[Path] = []
    problems: list[Problem] = []
    for path in source.path:
        try:
            paths.append(locate(path=path, base=base))
        except Refused as fault:
            problems.extend(fault.problems)
    if problems:
        raise Refused(problems)
    return paths


def _room(folder: Path) -> Path:
    room = folder / f"room-{len(list(folder.iterdir()))}"
    room.mkdir()
    return room


@contextmanager
def _refusing(name: str) -> Iterator[None]:
    """Turn the faults of disk, memory and reader into words."""
    try:
        yield
    except (OSError, duckdb.IOException) as fault:
        full = getattr(fault, "errno", None) in (errno.ENOSPC, errno.EDQUOT)
        if full or "No space left" in str(fault):
            raise refuse(name, "disk_full") from fault
        raise refuse(name, "unreadable", why=_first_line(fault)) from fault
    except (MemoryError, duckdb.OutOfMemoryException) as fault:
        raise refuse(name, "memory_full") from fault
    except duckdb.InterruptException:
        raise
    except duckdb.Error as fault:
        raise refuse(name, "damaged", why=_first_line(fault)) from fault


def _first_line(fault: BaseException) -> str:
    if isinstance(fault, OSError) and fault.strerror:
        return fault.strerror.lower()
    lines = str(fault).splitlines() or [type(fault).__name__]
    return re.sub(r"['\"]?/\S*", "", lines[0]).rstrip(" :'\"")[:160]  # paths are ours, not theirs


@dataclass
class _Loader:
    """Brings one file onto the stage."""

    source: Source
    stage: Stage
    folder: Path
    watch: Watch
    rows: int | None

    def load(self, opened: Opened, before: Part | None) -> Part:
        """Stage a file; where one came before, its columns must be the same."""
        if opened.kind == "csv":
            part, put = self._csv(opened)
        elif opened.kind == "parquet":
            part, put = self._parquet(opened)
        else:
            part, put = self._grid(opened)
        if opened.packed:
            part.detected["packed"] = opened.packed
        put(self._order(part, before))
        return part

    def _order(self, part: Part, before: Part | None) -> list[int]:
        if before is None or before.names == part.names:
            return list(range(len(part.names)))
        here, there = set(part.names), set(before.names)
        problems = [
            Problem(part.name, f'column "{name}"', say("intake.column_missing", first=before.name, column=name, mend=mend(name, here - there, otherwise="new here are")))
            for name in before.names
            if name not in here
        ] + [
            Problem(part.name, f'column "{name}"', say("intake.column_extra", first=before.name, column=name))
            for name in part.names
            if name not in there
        ]  # fmt: skip
        if problems:
            raise Refused(problems[:20])
        return [part.names.index(name) for name in before.names]

    def _names(self, opened: Opened, first: tuple[str, ...], width: int, header: bool) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:  # fmt: skip
        """The columns' names, each once; those named twice; those without a name."""
        if width > MOST_COLUMNS:
            raise refuse(opened.name, "too_wide", count=width, most=MOST_COLUMNS)
        given = self.source.columns
        if given is not None:
            if len(given) != width:
                raise refuse(opened.name, "columns_count", place="columns", given=len(given), count=width)  # fmt: skip
            wanted = list(given)
        elif header:
            wanted = [" ".join(name.split()) for name in first]
            wanted += [""] * (width - len(wanted))
        else:
            wanted = [""] * width
        made: list[str] = []
        twice: list[str] = []
        unnamed: list[str] = []
        taken = set(wanted)
        seen: set[str] = set()
        for place, name in enumerate(wanted, start=1):
            if not name:
                name = f"column {place}"
                if header:
                    unnamed.append(name)
            elif name in seen:
                twice.append(name)
            if name in seen or (not wanted[place - 1] and name in taken):
                number = 2
                while f"{name} ({number})" in seen | taken:
                    number += 1
                name = f"{name} ({number})"
            seen.add(name)
            made.append(name)
        return tuple(made), tuple(dict.fromkeys(twice)), tuple(unnamed)

    def _csv(self, opened: Opened) -> tuple[Part, Any]:
        if self.rows is not None:
            opened = self._head(opened)
        text = as_utf8(path=opened.path, folder=self.folder, name=opened.name, encoding=self.source.encoding, watch=self.watch, cut=opened.cut)  # fmt: skip
        if opened.cut:
            text = self._whole_lines(text)
        sample, whole = _sample(text.path)
        if not sample.strip():
            raise refuse(opened.name, "empty")
        dialect = sniff(text=sample, delimiter=self.source.delimiter, header=self.source.header if self.source.header is not None or self.source.columns is None else False, skip_lines=self.source.skip_lines)  # fmt: skip
        if whole and dialect.rows_seen < 1:
            raise refuse(opened.name, "header_only" if dialect.header else "empty")
        names, twice, unnamed = self._names(opened, dialect.first, dialect.width, dialect.header)
        stray = physical_lines(sample)[: dialect.skip_lines]
        detected: dict[str, Any] = {
            "format": "csv",
            "delimiter": "blanks" if dialect.runs else dialect.delimiter,
            "encoding": text.encoding,
            "header": dialect.header,
            "skip_lines": dialect.skip_lines,
            "quote": dialect.quote,
        }
        part = Part(name=opened.name, names=names, detected=detected, stray=[line.strip() for line in stray if line.strip()], twice=twice, unnamed=unnamed, replaced=text.replaced)  # fmt: skip

        numbers = likely_numbers(sample=sample, dialect=dialect) if text.path.stat().st_size > _NUMBERS_FROM else {}  # fmt: skip

        def put(order: list[int]) -> None:
            self.stage.load_csv(text=text, dialect=dialect, name=opened.name, order=order, numbers=numbers)  # fmt: skip

        return part, put

    def _head(self, opened: Opened) -> Opened:
        """Copy enough of the beginning for a preview."""
        assert self.rows is not None
        size, take = opened.path.stat().st_size, _PREVIEW
        while True:
            with opened.path.open("rb") as file:
                head = file.read(take)
            enough = max(head.count(b"\n"), head.count(b"\r")) > self.rows + 60
            if enough or take >= min(size, _PREVIEW_MOST):
                break
            take *= 4
        if len(head) >= size:
            return opened
        copy = _room(self.folder) / "head"
        copy.write_bytes(head)
        return replace(opened, path=copy, cut=True)

    def _whole_lines(self, text: Text) -> Text:
        """Cut a torn last line off."""
        raw = text.path.read_bytes()
        end = raw.rfind(b"\n") if b"\n" in raw else raw.rfind(b"\r")
        if end < 0:
            return text
        copy = _room(self.folder) / "lines"
        copy.write_bytes(raw[: end + 1])
        return replace(text, path=copy)

    def _parquet(self, opened: Opened) -> tuple[Part, Any]:
        link = self.folder / f"source-{len(list(self.folder.iterdir()))}.parquet"
        link.symlink_to(opened.path.resolve())
        source = f"read_parquet({literal(str(link))})"
        schema = self.stage.con.execute(f"DESCRIBE SELECT * FROM {source}").fetchall()
        names, twice, unnamed = self._names(opened, tuple(row[0] for row in schema), len(schema), True)  # fmt: skip
        cells = []
        for place, (column, kind, *_) in enumerate(schema):
            quoted = '"' + column.replace('"', '""') + '"'
            value = f"CAST({quoted} AS VARCHAR)"
            if kind in ("FLOAT", "DOUBLE"):
                value = f"CASE WHEN NOT isnan({quoted}) THEN {value} END"
            if kind.startswith("TIMESTAMP"):
                value = f"regexp_replace({value}, '( 00:00:00)?([+]00)?$', '')"
            cells.append(f"{value} AS c{place}")

        def put(order: list[int]) -> None:
            query = f"(SELECT {', '.join(cells)} FROM {source})"
            self.stage.take(query, order=order, text=say("intake.reading", name=opened.name))

        detected: dict[str, Any] = {"format": "parquet", "header": True}
        zoned = [name for name, row in zip(names, schema, strict=True) if "TIME ZONE" in row[1]]
        if zoned:
            detected["utc"] = zoned
        typed = frozenset(name for name, row in zip(names, schema, strict=True) if row[1] != "VARCHAR" and not row[1].startswith("ENUM"))  # fmt: skip
        return Part(opened.name, names, detected, [], twice, unnamed, typed=typed), put

    def _grid(self, opened: Opened) -> tuple[Part, Any]:
        replaced = 0
        if opened.kind == "json":
            if self.rows is not None:
                opened = self._head(opened)
            text = as_utf8(path=opened.path, folder=self.folder, name=opened.name, encoding=self.source.encoding, watch=self.watch, cut=opened.cut)  # fmt: skip
            replaced = text.replaced
            grid = from_json(opened=opened, text=text, folder=self.folder, rows=self.rows, watch=self.watch, unread=self.stage.unread)  # fmt: skip
            grid.detected["encoding"] = text.encoding
        else:
            grid = read_apart(opened=opened, folder=self.folder, sheet=self.source.sheet, rows=self.rows, watch=self.watch)  # fmt: skip
        stray: list[str] = []
        if grid.names is None:
            sample, whole = _sample(grid.text.path)
            found = sniff(text=sample, delimiter=",", header=self.source.header if self.source.header is not None or self.source.columns is None else False, skip_lines=self.source.skip_lines)  # fmt: skip
            dialect = grid.dialect(header=found.header, skip=found.skip_lines, first=found.first)
            if whole and found.rows_seen < 1:
                raise refuse(opened.name, "header_only" if found.header else "no_cells")
            stray = [
                line.strip().strip(',"') for line in physical_lines(sample)[: found.skip_lines]
            ]
            grid.detected["skip_lines"] = found.skip_lines
        else:
            dialect = grid.dialect(header=False, skip=0, first=())
        header = True if grid.names is not None else dialect.header
        names, twice, unnamed = self._names(opened, grid.names or dialect.first, grid.width, header)
        detected = {"format": opened.kind, "header": header, **grid.detected}

        def put(order: list[int]) -> None:
            self.stage.load_csv(text=grid.text, dialect=dialect, name=opened.name, order=order)

        typed = grid.typed(names=names, header=grid.names is None and header, skip=dialect.skip_lines)  # fmt: skip
        return Part(opened.name, names, detected, stray, twice, unnamed, replaced, typed=typed), put


def _sample(path: Path) -> tuple[str, bool]:
    """The beginning of a UTF-8 file up to a line end, and whether that is all of it."""
    size, take = path.stat().st_size, _SAMPLE
    with path.open("rb") as file:
        raw = file.read(take)
        while raw.count(b"\n") + raw.count(b"\r") < 40 and len(raw) < min(size, _SAMPLE_MOST):
            raw += file.read(len(raw))
    whole = len(raw) >= size
    if not whole:
        end = raw.rfind(b"\n") if b"\n" in raw else raw.rfind(b"\r")
        raw = raw[: end + 1] if end >= 0 else raw
    return raw.decode("utf-8-sig", errors="replace"), whole


def _table(source: Source, parts: list[Part], stage: Stage, received: tuple[Received, ...], watch: Watch) -> Table:  # fmt: skip
    names, main = parts[0].names, parts[0]
    rows = stage.rows
    if not rows:
        if stage.unread.count:
            raise refuse(main.name, "none_read", count=stage.unread.count, reason=stage.unread.rows[0][3])  # fmt: skip
        raise refuse(main.name, "header_only")
    markers = markers_of(source, names, main.name)
    types = dict(source.types or {})
    check_names(types, names, main.name)
    stage.watch = watch
    typed = frozenset(names).intersection(*(part.typed for part in parts))
    readings = look(stage=stage, names=names, markers=markers, watch=watch.part(0.0, 0.5), typed=typed)  # fmt: skip
    decimal = decide(readings=readings, decimal=source.decimal, delimiter=main.detected.get("delimiter"))  # fmt: skip
    apply_types(readings, types, decimal=decimal, file=main.name)
    frame = _frame(stage, readings, watch.part(0.5, 0.9))
    check_types(readings, types, main.name)
    stage.close()
    watch.say(say("intake.judging", name=main.name), fraction=0.9)
    detected = dict(main.detected)
    if len(parts) > 1:
        detected["files"] = [
            {"name": part.name, "rows": part.rows, **part.detected} for part in parts
        ]
    if any(reading.type in ("number", "whole number") and reading.decimal for reading in readings):
        detected["decimal"] = decimal
    detected["types"] = {reading.name: reading.type for reading in readings}
    marks = {reading.name: reading for reading in readings}
    warts = about_reading(
        parts=parts, readings=readings, unread=stage.unread, rows=rows, decimal=decimal
    )
    warts += judge(
        frame, unnamed=main.unnamed, blanks={name: r.blank for name, r in marks.items() if r.blank}
    )
    detected["missing"] = missing_of(source, readings, warts)
    if main.twice:
        detected["named_twice"] = list(main.twice)
    unread = None
    if stage.unread.count:
        detected["unread"] = stage.unread.count
        unread = pd.DataFrame(stage.unread.rows, columns=["file", "line", "text", "reason"])
    return Table(
        frame=frame, received=received, detected=detected, unread=unread, warts=tuple(warts)
    )


def _frame(stage: Stage, readings: list[Reading], watch: Watch) -> pd.DataFrame:
    columns: dict[str, pd.Series] = {}
    for place, reading in enumerate(readings):
        watch.say(say("intake.typing", column=reading.name), fraction=place / len(readings))
        columns[reading.name] = build(stage=stage, reading=reading)
    return pd.DataFrame(columns, copy=False)
