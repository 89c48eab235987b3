"""From staged text to typed columns: which kind each column is, and its values as arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from engine.base.watch import Watch
from engine.messages import say

from .staging import Stage, literal

BLANKS = "".join(chr(code) for code in range(0x3001) if chr(code).isspace())
"""All that Python's ``str.strip`` takes for blank, so that DuckDB trims alike."""
_FEW_ROWS = 5_000
_FEW_WORDS = 20_000
_FEW_ODD = 5
_UNPADDED = "[!-~]([ -~]*[!-~])?"
"""Printable ASCII without outer blanks."""
_SIGN = "[+-]?"
_WHOLE = "(0|[1-9][0-9]*)"
_DIGITS3 = "[1-9][0-9]{0,2}"
_EXP = "([eE][+-]?[0-9]{1,3})?"
_GAP = "[ '\u2019\u00a0\u202f]"
_DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_KINDS: tuple[tuple[str, str], ...] = (
    ("whole", f"{_SIGN}(0|[1-9][0-9]{{0,17}})"),
    ("dot_group", f"{_SIGN}{_DIGITS3}\\.[0-9]{{3}}"),
    ("point", f"{_SIGN}({_WHOLE}\\.[0-9]*|\\.[0-9]+){_EXP}"),
    ("point", f"{_SIGN}{_WHOLE}[eE][+-]?[0-9]{{1,3}}"),
    ("comma_group", f"{_SIGN}{_DIGITS3},[0-9]{{3}}"),
    ("comma", f"{_SIGN}({_WHOLE},[0-9]+|,[0-9]+){_EXP}"),
    ("commas", f"{_SIGN}{_DIGITS3}(,[0-9]{{3}}){{2,}}"),
    ("commas_point", f"{_SIGN}{_DIGITS3}(,[0-9]{{3}})+\\.[0-9]+"),
    ("dots", f"{_SIGN}{_DIGITS3}(\\.[0-9]{{3}}){{2,}}"),
    ("dots_comma", f"{_SIGN}{_DIGITS3}(\\.[0-9]{{3}})+,[0-9]+"),
    ("gaps", f"{_SIGN}{_DIGITS3}({_GAP}[0-9]{{3}})+"),
    ("gaps_point", f"{_SIGN}{_DIGITS3}({_GAP}[0-9]{{3}})+\\.[0-9]+"),
    ("gaps_comma", f"{_SIGN}{_DIGITS3}({_GAP}[0-9]{{3}})+,[0-9]+"),
    ("truth", "(?i)true|false"),
    ("iso", f"{_DAY}([ T][0-9]{{2}}:[0-9]{{2}}(:[0-9]{{2}}(\\.[0-9]{{1,6}})?)?)?"),
    ("year_slash", "[0-9]{4}/[0-9]{1,2}/[0-9]{1,2}"),
    ("day_dot", "[0-9]{1,2}\\.[0-9]{1,2}\\.[0-9]{4}"),
    ("day_slash", "(1[3-9]|2[0-9]|3[01])/[0-9]{1,2}/[0-9]{4}"),
    ("month_slash", "[0-9]{1,2}/(1[3-9]|2[0-9]|3[01])/[0-9]{4}"),
    ("either_slash", "[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}"),
    ("short_year", "[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{2}"),
)
_ALWAYS = frozenset({"whole", "gaps"})
_POINT = _ALWAYS | {"point", "dot_group", "comma_group", "commas", "commas_point", "gaps_point"}
_COMMA = _ALWAYS | {"comma", "comma_group", "dot_group", "dots", "dots_comma", "gaps_comma"}
_SAYS_POINT = frozenset({"point", "commas_point", "commas", "gaps_point"})
_SAYS_COMMA = frozenset({"comma", "dots_comma", "dots", "gaps_comma"})
_DATES: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset({"iso"}), ""),
    (frozenset({"year_slash"}), "%Y/%m/%d"),
    (frozenset({"day_dot"}), "%d.%m.%Y"),
    (frozenset({"day_slash", "either_slash"}), "%d/%m/%Y"),
    (frozenset({"month_slash", "either_slash"}), "%m/%d/%Y"),
)


@dataclass
class Reading:
    """How one column is read.

    ``kinds`` counts its non-blank cells by shape; ``odd`` holds its commonest cells of no known
    shape with their counts; ``doubt`` names a question that the column raises.
    """

    name: str
    place: int
    markers: tuple[str, ...] = ()
    kinds: dict[str, int] = field(default_factory=dict)
    blank: int = 0
    marked: int = 0
    many: bool = False
    clean: bool = False
    odd: list[tuple[str, int]] = field(default_factory=list)
    type: str = "text"
    decimal: str | None = None
    thousands: bool = False
    date: str | None = None
    doubt: str | None = None

    @property
    def cell(self) -> str:
        """SQL: the cell's text without outer blanks."""
        return self.trimmed(f"c{self.place}")

    @property
    def known(self) -> int:
        """The number of cells that hold a value."""
        return sum(self.kinds.values())

    @property
    def gone(self) -> str:
        """SQL: whether the cell is missing."""
        return self.missing(f"c{self.place}")

    @property
    def words(self) -> str:
        """The table of different cells: ``v``, its count ``n``, first row ``first``, ``kind``."""
        return f"words_{self.place}"

    def trimmed(self, value: str) -> str:
        """SQL: a text without outer blanks; trimming is dear and left out where it does nothing."""
        return value if self.clean else f"trim({value}, {literal(BLANKS)})"

    def missing(self, value: str) -> str:
        """SQL: whether a text is blank or one of the column's markers."""
        listed = "".join(f", {literal(marker)}" for marker in self.markers)
        return f"({value} IS NULL OR {self.trimmed(value)} IN (''{listed}))"


def look(
    *, stage: Stage, names: Sequence[str], markers: Mapping[str, tuple[str, ...]], watch: Watch
) -> list[Reading]:
    """Count, for every staged column, the shapes of its cells.

    Parameters
    ----------
    stage : Stage
    names : sequence of str
    markers : mapping of column name to texts that mean missing
    watch : Watch
    """
    rows = stage.rows
    found = []
    for place, name in enumerate(names):
        watch.say(say("intake.typing", column=name), fraction=place / max(1, len(names)))
        marks = tuple(marker.strip() for marker in markers.get(name, ()))
        reading = Reading(name=name, place=place, markers=marks)
        if rows > _FEW_ROWS:
            guess = stage.column(f"approx_count_distinct(c{place})")[0]
            reading.many = bool(guess > 0.4 * rows)
        if reading.many:
            padded = f"count(*) FILTER (WHERE c{place} <> '' AND NOT regexp_full_match(c{place}, {literal(_UNPADDED)}))"
            reading.clean = not stage.column(padded)[0]
            query = f"SELECT {_kind_of(reading, f'c{place}')} AS kind, count(*) FROM raw GROUP BY 1"
        else:
            stage.run(
                f"CREATE TEMP TABLE {reading.words} AS SELECT v, n, first, "
                f"{_kind_of(reading, 'v')} AS kind FROM (SELECT c{place} AS v, count(*) AS n, "
                "min(rowid) AS first FROM raw GROUP BY 1)"
            )
            query = f"SELECT kind, sum(n) FROM {reading.words} GROUP BY 1"
        kinds = {kind: int(count) for kind, count in stage.run(query).fetchall()}
        reading.blank, reading.marked = kinds.pop("blank", 0), kinds.pop("marked", 0)
        reading.kinds = kinds
        if 0 < kinds.get("text", 0) < reading.known:
            reading.odd = _odd(stage, reading)
        found.append(reading)
    return found


def _kind_of(reading: Reading, value: str) -> str:
    """SQL: the shape of a cell's text."""
    cell = reading.trimmed(value)
    cases = " ".join(
        f"WHEN regexp_full_match({cell}, {literal(pattern)}) THEN '{kind}'"
        for kind, pattern in _KINDS
    )
    return (
        f"CASE WHEN {value} IS NULL OR {cell} = '' THEN 'blank' "
        f"WHEN {reading.missing(value)} THEN 'marked' {cases} ELSE 'text' END"
    )


def _odd(stage: Stage, reading: Reading) -> list[tuple[str, int]]:
    source = (
        f"(SELECT c{reading.place} AS v, 1 AS n, {_kind_of(reading, f'c{reading.place}')} AS kind FROM raw)"
        if reading.many
        else reading.words
    )
    query = (
        f"SELECT {reading.trimmed('v')} AS t, sum(n) AS n FROM {source} WHERE kind = 'text' "
        "GROUP BY 1 ORDER BY n DESC, t LIMIT 12"
    )
    return [(value, int(count)) for value, count in stage.run(query).fetchall()]


def decide(*, readings: Sequence[Reading], decimal: str | None, delimiter: str | None) -> str:
    """Choose each column's type, and the file's decimal mark, which is returned.

    Numbers such as ``1,234`` can be read in two ways. A column is taken by what its other cells
    say, then by what the file's other columns say; where nothing says anything the column raises
    the question ``decimal_in_doubt``.
    """
    numeric = [r for r in readings if r.known and not set(r.kinds) - (_POINT | _COMMA)]
    for_point = sum(r.kinds.get(kind, 0) for r in numeric for kind in _SAYS_POINT)
    for_comma = sum(r.kinds.get(kind, 0) for r in numeric for kind in _SAYS_COMMA)
    silent = for_point == for_comma == 0
    usual = decimal or ("," if for_comma > for_point else ".")
    if silent and decimal is None and delimiter in (";", "\t"):
        usual = "," if any("comma_group" in r.kinds for r in numeric) else "."
    for reading in readings:
        _decide_one(reading, usual=usual, forced=decimal, silent=silent)
    return usual


def _decide_one(reading: Reading, *, usual: str, forced: str | None, silent: bool) -> None:
    kinds = set(reading.kinds)
    if not kinds:
        return
    if kinds == {"whole"}:
        reading.type = "whole number"
        return
    if kinds == {"truth"}:
        reading.type = "truth value"
        return
    mark = forced or usual
    if forced is None:
        if kinds & _SAYS_POINT and not kinds & _SAYS_COMMA:
            mark = "."
        elif kinds & _SAYS_COMMA and not kinds & _SAYS_POINT:
            mark = ","
    if not kinds - (_POINT if mark == "." else _COMMA):
        group = "comma_group" if mark == "." else "dot_group"
        whole = kinds <= _ALWAYS | {group, "commas" if mark == "." else "dots"}
        reading.decimal = mark
        reading.thousands = bool(kinds & {group, "commas", "commas_point", "dots", "dots_comma", "gaps", "gaps_point", "gaps_comma"})  # fmt: skip
        reading.type = "whole number" if whole else "number"
        ambiguous = kinds & {"comma_group"} or (mark == "," and kinds & {"dot_group"})
        if forced is None and silent and ambiguous:
            reading.doubt = "decimal_in_doubt"
        return
    for allowed, form in _DATES:
        if kinds <= allowed:
            if kinds == {"either_slash"}:
                reading.doubt = "date_in_doubt"
                return
            reading.type, reading.date = "date", form
            return
    if kinds <= {"short_year"}:
        reading.doubt = "date_in_doubt"
    elif 0 < len(reading.odd) <= _FEW_ODD:
        numbers = sum(count for kind, count in reading.kinds.items() if kind in _POINT | _COMMA)
        if numbers >= 0.8 * reading.known:
            reading.doubt = "text_among_numbers"


def build(*, stage: Stage, reading: Reading) -> pd.Series:
    """Make one column's values, of the type decided; it becomes text where a value resists."""
    made = None
    if reading.type in ("whole number", "number", "date"):
        made = _measured(stage, reading)
        if made is None:
            reading.type, reading.date = "text", None
    if made is None:
        made = _named(stage, reading)
    if not reading.many:
        stage.run(f"DROP TABLE {reading.words}")
    return made


def _measured(stage: Stage, reading: Reading) -> pd.Series | None:
    """Numbers and dates; None where a cell has the right shape and no value (31 February)."""
    kind = {"whole number": "BIGINT", "number": "DOUBLE", "date": "TIMESTAMP"}[reading.type]
    if not reading.many and stage.count(reading.words) <= _FEW_WORDS:
        codes = _codes(stage, reading)
        got = stage.run(
            f"SELECT {_cast(reading, 'v', kind)} AS v FROM {reading.words} WHERE v IS NOT NULL ORDER BY first"
        ).fetchnumpy()["v"]
        whole = np.ma.masked_array(np.append(np.ma.getdata(got), np.zeros(1, dtype=got.dtype)))
        whole.mask = np.append(np.ma.getmaskarray(got), True)  # the last one serves code -1
        got = whole[codes]
    else:
        got = np.ma.asarray(stage.column(_cast(reading, f"c{reading.place}", kind)))
    gone = np.ma.getmaskarray(got)
    if len(gone) - int(gone.sum()) != reading.known:
        return None
    if kind == "BIGINT":
        data = np.ma.filled(got, 0).astype(np.int64, copy=False)
        return pd.Series(pd.arrays.IntegerArray(data, gone.copy()) if gone.any() else data)
    if kind == "DOUBLE":
        numbers = np.ma.filled(got.astype(np.float64, copy=False), np.nan)
        return pd.Series(numbers) if int(np.isfinite(numbers).sum()) == reading.known else None
    return pd.Series(np.ma.filled(got, np.datetime64("NaT")))


def _cast(reading: Reading, value: str, kind: str) -> str:
    """SQL: the value of a cell's text, null where it is missing or resists."""
    cell = reading.trimmed(value)
    if kind == "TIMESTAMP":
        cast = (
            f"try_strptime({cell}, '{reading.date}')"
            if reading.date
            else f"TRY_CAST({cell} AS TIMESTAMP)"
        )
    else:
        if reading.thousands:
            cell = f"regexp_replace({cell}, {literal(_GAP)}, '', 'g')"
            cell = f"replace({cell}, '{',' if reading.decimal == '.' else '.'}', '')"
        if reading.decimal == ",":
            cell = f"replace({cell}, ',', '.')"
        cast = f"TRY_CAST({cell} AS {kind})"
    return f"CASE WHEN {reading.missing(value)} THEN NULL ELSE {cast} END"


def _codes(stage: Stage, reading: Reading) -> np.ndarray:
    """Each row's place in the table of different cells, in order of first appearance; -1 blank."""
    count = stage.count(reading.words)
    narrow = "TINYINT" if count < 127 else "SMALLINT" if count < 32767 else "INTEGER"
    if not stage.count(f"(SELECT 1 FROM {reading.words} WHERE v IS NOT NULL)"):
        return np.full(stage.rows, -1, dtype=np.int8)
    stage.run(
        f"CREATE TYPE enum_{reading.place} AS ENUM "
        f"(SELECT v FROM {reading.words} WHERE v IS NOT NULL ORDER BY first)"
    )
    cast = f"TRY_CAST(c{reading.place} AS enum_{reading.place})"
    codes = stage.column(f"coalesce(enum_code({cast})::INTEGER, -1)::{narrow}")
    stage.run(f"DROP TYPE enum_{reading.place}")
    return np.asarray(codes)


def _named(stage: Stage, reading: Reading) -> pd.Series:
    """Text and truth values as categories in order of first appearance."""
    if reading.many:
        column = f"c{reading.place}"
        got = stage.column(f"CASE WHEN {reading.gone} THEN NULL ELSE {column} END")
        values: np.ndarray = np.ma.filled(np.ma.asarray(got, dtype=object), None)
        if reading.type == "truth value":
            values = np.array([v if v is None else v.strip().upper() for v in values], dtype=object)
        return pd.Series(pd.array(values, dtype="string"))
    codes = _codes(stage, reading)
    found = stage.run(
        f"SELECT v, kind IN ('blank', 'marked') FROM {reading.words} WHERE v IS NOT NULL ORDER BY first"
    ).fetchall()
    names: dict[str, int] = {}
    table = np.full(len(found) + 1, -1, dtype=codes.dtype)
    for place, (word, gone) in enumerate(found):
        if not gone:
            name = word.strip().upper() if reading.type == "truth value" else word
            table[place] = names.setdefault(name, len(names))
    words = pd.Index(list(names), dtype="str")
    return pd.Series(pd.Categorical.from_codes(table[codes], dtype=pd.CategoricalDtype(words)))
