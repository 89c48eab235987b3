"""The stage: every row as text in a private DuckDB table, before anything is interpreted.

Whatever the format, a file first becomes a table ``raw`` of text columns ``c0, c1, ...`` in file
order. Large files are staged on disk, where DuckDB keeps a dictionary of each column: typing then
looks at each different value once, and text reaches pandas without a million Python strings.
"""

from __future__ import annotations

import csv
import os
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Any

import duckdb

from engine.base.watch import Watch
from engine.messages import say

from .encoding import LONGEST_FIELD, Text
from .formats import refuse
from .numbers import staged
from .sniff import Dialect, csv_reader

csv.field_size_limit(LONGEST_FIELD)
MOST_COLUMNS = 8_000
"""So many are read within 20 seconds and 2 GiB."""
_WIDE = 500
_ON_DISK = 24 * 2**20
_LINE = 2_000_000
_MOST_UNREAD_KEPT = 100_000
_REASONS = {
    "MISSING COLUMNS": "unread_short",
    "TOO MANY COLUMNS": "unread_long",
    "UNQUOTED VALUE": "unread_quote",
    "LINE SIZE OVER MAXIMUM": "unread_line",
}


@dataclass
class Unread:
    """Rows that could not be read: physical line, text as it stands, reason in words."""

    rows: list[tuple[str, int, str, str]] = field(default_factory=list)
    count: int = 0

    def add(self, *, file: str, line: int, text: str, reason: str) -> None:
        """Count a row, and keep it while there are not too many."""
        self.count += 1
        if len(self.rows) < _MOST_UNREAD_KEPT:
            self.rows.append((file, line, text, reason))


class Stage:
    """A DuckDB table of text, in memory for small files and in a private folder for large ones.

    Parameters
    ----------
    folder : Path
        A private folder.
    size : int
        Bytes that are going to be staged, to choose between memory and disk.
    watch : Watch
        Told of progress; a stop interrupts the running query.

    ``most`` may be set to stage no more than so many rows of a file. ``numbers`` tells which of
    the staged columns have their numbers apart (:mod:`engine.intake.numbers`).
    """

    def __init__(self, *, folder: Path, size: int, watch: Watch) -> None:
        self.folder, self.watch = folder, watch
        self.width = 0
        self.numbers: dict[int, str] = {}
        self.most: int | None = None
        self.unread = Unread()
        limit = min(2048, max(112, size // 2**20 // 4))
        self.con = duckdb.connect(
            ":memory:" if size < _ON_DISK else str(folder / "stage.duckdb"),
            config={
                "threads": str(min(4, os.cpu_count() or 1)),
                "memory_limit": f"{limit}MiB" if size >= _ON_DISK else "1GiB",
                "temp_directory": str(folder / "spill"),
                "autoinstall_known_extensions": "false",
                "autoload_known_extensions": "false",
                "python_enable_replacements": "false",
            },
        )
        for setting in ("enable_progress_bar=true", "enable_progress_bar_print=false", "progress_bar_time=0", "TimeZone='UTC'"):  # fmt: skip
            self.con.execute(f"SET {setting}")

    def __enter__(self) -> Stage:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give its memory back; the folder goes with its owner."""
        self.con.close()

    def run(self, sql: str, *, text: str = "") -> Any:
        """Run a query off this thread, saying how far it is, and stop it when asked to."""
        outcome: list[Any] = []

        def work() -> None:
            try:
                outcome.append(self.con.execute(sql))
            except BaseException as fault:  # handed to the waiting thread
                outcome.append(fault)

        worker = threading.Thread(target=work, daemon=True)
        worker.start()
        worker.join(0.05)
        try:
            while worker.is_alive():
                self.watch.check()
                if text:
                    share = self.con.query_progress()
                    self.watch.say(text, fraction=share / 100 if share >= 0 else None)
                worker.join(0.1)
        except BaseException:
            self.con.interrupt()
            worker.join()
            raise
        if isinstance(outcome[0], BaseException):
            raise outcome[0]
        return outcome[0]

    def column(self, expression: str) -> Any:
        """One expression over all staged rows, in file order, as a numpy array (masked if null)."""
        return self.run(f"SELECT {expression} AS v FROM raw").fetchnumpy()["v"]

    def count(self, source: str) -> int:
        """The number of rows of a table or subquery."""
        return int(self.con.execute(f"SELECT count(*) FROM {source}").fetchall()[0][0])

    @property
    def rows(self) -> int:
        """The number of staged rows."""
        return self.count("raw")

    def take(
        self,
        source: str,
        *,
        order: Sequence[int],
        text: str,
        numbers: Mapping[int, str] | None = None,
    ) -> None:
        """Append what a query gives, its columns in the given order.

        ``numbers`` (place in the source -> type) are staged apart; those of the first file hold.
        """
        if self.width:
            numbers = {order[new]: kind for new, kind in self.numbers.items()}
        elif numbers:
            self.numbers = {order.index(place): kind for place, kind in numbers.items()}
        verb = "INSERT INTO raw BY NAME" if self.width else "CREATE TABLE raw AS"
        limit = "" if self.most is None else f" LIMIT {self.most}"
        query = staged(source=source, order=order, numbers=numbers or {})
        self.run(f"{verb} {query}{limit}", text=text)
        self.width = len(order)

    def load_csv(
        self,
        *,
        text: Text,
        dialect: Dialect,
        name: str,
        order: Sequence[int] | None = None,
        numbers: Mapping[int, str] | None = None,
    ) -> None:
        """Append a text table.

        DuckDB's strict parser reads it; what that cannot follow at all (mixed line ends, runs of
        blanks) is first written afresh by the standard library's reader.
        """
        order = range(dialect.width) if order is None else order
        plain = (
            not dialect.runs
            and not dialect.blank_before_quote
            and not any("\n" in cell or "\r" in cell for cell in dialect.first)
            and text.path.stat().st_size > 0
        )
        if plain:
            before = self.rows if self.width else 0
            try:
                self._read(text=text, dialect=dialect, name=name, order=order, numbers=numbers)
                if not self._over_long(text):
                    self._collect(name)
                    return
            except duckdb.InvalidInputException:
                pass
            self._forget(before)
        fresh = self.folder / f"fresh-{len(list(self.folder.iterdir()))}.csv"
        longest = self._write_afresh(text=text, dialect=dialect, name=name, target=fresh)
        even = Text(path=fresh, encoding="utf-8", bom=False, longest=longest)
        own = replace(
            dialect, delimiter=",", quote='"', escape='"', skip_lines=0, header=False,
            runs=False, blank_before_quote=False,
        )  # fmt: skip
        self._read(text=even, dialect=own, name=name, order=order, numbers=numbers)
        self._collect(name)

    def _read(self, *, text: Text, dialect: Dialect, name: str, order: Sequence[int], numbers: Mapping[int, str] | None) -> None:  # fmt: skip
        link = self.folder / f"source-{len(list(self.folder.iterdir()))}.csv"
        link.symlink_to(text.path.resolve())  # a name of our own: theirs may hold * or [
        columns = ", ".join(f"'c{place}': 'VARCHAR'" for place in range(dialect.width))
        line = max(_LINE, text.longest + _LINE // 2)
        if line > _LINE or dialect.width > _WIDE:  # each column holds blocks of its own
            room = max(512, 64 * line // 2**20, dialect.width)
            self.con.execute(f"SET memory_limit='{room}MiB'")
        options = {
            "columns": "{" + columns + "}",
            "auto_detect": "false",
            "header": "false",
            "skip": str(dialect.skip_lines + dialect.header),
            "delim": literal(dialect.delimiter),
            "quote": literal(dialect.quote),
            "escape": literal(dialect.escape),
            "max_line_size": str(line),
            # DuckDB's own 32 MB a thread would be half of what reading a large file takes
            "buffer_size": str(max(line, 4 * 2**20)),
            "compression": "'none'",
            "allow_quoted_nulls": "false",
            "store_rejects": "true",
            "strict_mode": "true",
        }
        written = ", ".join(f"{key}={value}" for key, value in options.items())
        source = f"read_csv({literal(str(link))}, {written})"
        if dialect.width == 1:  # in one column a blank line is no row
            source = f"(SELECT * FROM {source} WHERE c0 IS NOT NULL)"
        self.take(source, order=order, text=say("intake.reading", name=name), numbers=numbers)

    def _over_long(self, text: Text) -> bool:
        """Whether quoted line ends made a row longer than the longest line: read it otherwise."""
        found = self.con.execute(
            "SELECT count(*) FROM reject_errors WHERE error_type = 'LINE SIZE OVER MAXIMUM'"
        ).fetchall()
        return bool(found[0][0])

    def _forget(self, before: int) -> None:
        self.con.execute("DROP TABLE IF EXISTS reject_errors; DROP TABLE IF EXISTS reject_scans")
        if before:
            self.con.execute(f"DELETE FROM raw WHERE rowid >= {before}")
        else:
            self.con.execute("DROP TABLE IF EXISTS raw")
            self.width, self.numbers = 0, {}

    def _collect(self, name: str) -> None:
        """Turn DuckDB's rejects into unread rows, one entry a line."""
        found = self.con.execute(
            "SELECT line, any_value(csv_line), any_value(error_type), max(column_idx) "
            "FROM reject_errors GROUP BY line ORDER BY line"
        ).fetchall()
        for line, text, kind, _ in found:
            reason = say(f"intake.{_REASONS.get(kind, 'unread_other')}")
            text = (text or "").strip("\r\n")
            pieces = text.split("\n") if kind == "UNQUOTED VALUE" else [text]
            for step, piece in enumerate(pieces):
                if piece.strip(" \r\t\x1a\x00"):
                    self.unread.add(file=name, line=int(line) + step, text=piece.rstrip("\r"), reason=reason)  # fmt: skip
        self.con.execute("DROP TABLE IF EXISTS reject_errors; DROP TABLE IF EXISTS reject_scans")

    def _write_afresh(self, *, text: Text, dialect: Dialect, name: str, target: Path) -> int:
        longest = 0
        with text.path.open(encoding="utf-8-sig", newline="", errors="replace") as file:
            for _ in range(dialect.skip_lines):
                file.readline()
            with target.open("w", encoding="utf-8", newline="") as out:
                writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
                for row in self._records(file, dialect, name):
                    if len(row) == dialect.width + 1 and row[-1] == "":
                        row = row[:-1]
                    if len(row) == dialect.width:
                        longest = max(longest, sum(map(len, row)))
                        writer.writerow(row)
                        continue
                    if not any(cell.strip(" \x1a\x00") for cell in row):
                        continue
                    code = "unread_short" if len(row) < dialect.width else "unread_long"
                    self.unread.add(
                        file=name, line=self._line, text=dialect.delimiter.join(row), reason=say(f"intake.{code}")
                    )  # fmt: skip
        return 4 * longest + 4 * dialect.width

    def _records(self, lines: Iterable[str], dialect: Dialect, name: str) -> Iterator[list[str]]:
        reader = csv_reader(
            lines,
            delimiter=dialect.delimiter,
            quote=dialect.quote,
            escape=dialect.escape,
            runs=dialect.runs,
            blank_before_quote=dialect.blank_before_quote,
        )
        first = dialect.header
        try:
            for row in reader:
                self._line = dialect.skip_lines + reader.line_num
                if not row:
                    continue
                if first:
                    first = False
                    continue
                if reader.line_num % 10_000 == 0:
                    self.watch.say(say("intake.reading", name=name))
                yield row
        except csv.Error as fault:
            place = f"line {dialect.skip_lines + reader.line_num}"
            raise refuse(name, "too_long", place=place) from fault


def literal(text: str) -> str:
    """Write a text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"
