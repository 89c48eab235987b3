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
_MANY = 5_000
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
    odd: list[tuple[str, int]] = field(default_factory=list)
    type: str = "text"
    decimal: str | None = None
    thousands: bool = False
    date: str | None = None
    doubt: str | None = None

    @property
    def cell(self) -> str:
        """SQL: the cell's text without outer blanks."""
        return f"trim(c{self.place}, {literal(BLANKS)})"

    @property
    def known(self) -> int:
        """The number of cells that hold a value."""
        return sum(self.kinds.values())

    @property
    def gone(self) -> str:
        """SQL: whether the cell is missing."""
        listed = "".join(f", {literal(marker)}" for marker in self.markers)
        return f"(c{self.place} IS NULL OR {self.cell} IN (''{listed}))"


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
        if rows > _MANY:
            guess = stage.column(f"approx_count_distinct(c{place})")[0]
            reading.many = bool(guess > 0.4 * rows)
        source = "raw" if reading.many else f"(SELECT c{place}, count(*) AS n FROM raw GROUP BY 1)"
        weight = "count(*)" if reading.many else "sum(n)"
        cases = " ".join(
            f"WHEN regexp_full_match({reading.cell}, {literal(pattern)}) THEN '{kind}'"
            for kind, pattern in _KINDS
        )
        query = (
            f"SELECT CASE WHEN c{place} IS NULL OR {reading.cell} = '' THEN 'blank' "
            f"WHEN {reading.gone} THEN 'marked' {cases} ELSE 'text' END AS kind, {weight} "
            f"FROM {source} GROUP BY 1"
        )
        kinds = {kind: int(count) for kind, count in stage.run(query).fetchall()}
        reading.blank, reading.marked = kinds.pop("blank", 0), kinds.pop("marked", 0)
        reading.kinds = kinds
        if 0 < kinds.get("text", 0) < reading.known:
            reading.odd = _odd(stage, reading, cases)
        found.append(reading)
    return found


def _odd(stage: Stage, reading: Reading, cases: str) -> list[tuple[str, int]]:
    query = (
        f"SELECT {reading.cell} AS v, count(*) AS n FROM raw WHERE NOT {reading.gone} "
        f"AND (CASE {cases} ELSE 'text' END) = 'text' GROUP BY 1 ORDER BY n DESC, v LIMIT 12"
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
    elif reading.known - reading.kinds.get("text", 0) >= 0.8 * reading.known:
        numbers = sum(count for kind, count in reading.kinds.items() if kind in _POINT | _COMMA)
        if numbers >= 0.8 * reading.known:
            reading.doubt = "text_among_numbers"


def build(*, stage: Stage, reading: Reading) -> pd.Series:
    """Make one column's values, of the type decided; it becomes text where a value resists."""
    if reading.type == "whole number":
        return _whole(stage, reading)
    if reading.type == "number":
        values = _number(stage, reading)
        if values is not None:
            return values
        reading.type = "text"
    if reading.type == "date":
        values = _date(stage, reading)
        if values is not None:
            return values
        reading.type, reading.date = "text", None
    if reading.type == "truth value":
        codes = stage.column(
            f"CASE WHEN {reading.gone} THEN -1 WHEN upper({reading.cell}) = 'TRUE' THEN 1 ELSE 0 END::TINYINT"
        )  # fmt: skip
        return _by_appearance(np.asarray(codes), np.array(["FALSE", "TRUE"], dtype=object))
    return _text(stage, reading)


def _digits(reading: Reading) -> str:
    """SQL: the cell as digits with a point, its thousands marks taken out."""
    cell = reading.cell
    if reading.thousands:
        cell = f"regexp_replace({cell}, {literal(_GAP)}, '', 'g')"
        cell = f"replace({cell}, '{',' if reading.decimal == '.' else '.'}', '')"
    return f"replace({cell}, ',', '.')" if reading.decimal == "," else cell


def _whole(stage: Stage, reading: Reading) -> pd.Series:
    got = stage.column(f"CASE WHEN {reading.gone} THEN NULL ELSE {_digits(reading)}::BIGINT END")
    if not reading.blank + reading.marked:
        return pd.Series(np.asarray(got, dtype=np.int64))
    data = np.ma.filled(got, 0).astype(np.int64)
    return pd.Series(pd.arrays.IntegerArray(data, np.ma.getmaskarray(got).copy()))


def _number(stage: Stage, reading: Reading) -> pd.Series | None:
    got = stage.column(f"CASE WHEN {reading.gone} THEN NULL ELSE TRY_CAST({_digits(reading)} AS DOUBLE) END")  # fmt: skip
    values = np.ma.filled(np.ma.asarray(got, dtype=np.float64), np.nan)
    if int(np.isfinite(values).sum()) != reading.known:
        return None
    return pd.Series(values)


def _date(stage: Stage, reading: Reading) -> pd.Series | None:
    cast = (
        f"try_strptime({reading.cell}, '{reading.date}')"
        if reading.date
        else f"TRY_CAST({reading.cell} AS TIMESTAMP)"
    )
    got = stage.column(f"CASE WHEN {reading.gone} THEN NULL ELSE {cast} END")
    values: np.ndarray = np.ma.filled(np.ma.asarray(got), np.datetime64("NaT"))
    if int((~np.isnat(values)).sum()) != reading.known:
        return None
    return pd.Series(values)


def _text(stage: Stage, reading: Reading) -> pd.Series:
    column = f"c{reading.place}"
    if reading.many:
        got = stage.column(f"CASE WHEN {reading.gone} THEN NULL ELSE {column} END")
        values = np.ma.filled(np.ma.asarray(got, dtype=object), None)
        return pd.Series(pd.array(values, dtype="string"))
    kept = f"SELECT {column} AS v FROM raw WHERE NOT {reading.gone} GROUP BY 1 ORDER BY min(rowid)"
    values = np.ma.filled(np.ma.asarray(stage.run(kept).fetchnumpy()["v"], dtype=object), "")
    if not len(values):
        return _by_appearance(np.full(stage.rows, -1, dtype=np.int8), values)
    stage.run(f"CREATE TEMP TABLE kept_{column} AS {kept}")
    stage.run(f"CREATE TYPE words_{column} AS ENUM (SELECT v FROM kept_{column})")
    codes = stage.column(
        f"coalesce(enum_code(TRY_CAST({column} AS words_{column}))::INTEGER, -1)::{_narrow(len(values))}"
    )
    stage.run(f"DROP TABLE kept_{column}; DROP TYPE words_{column}")
    return _categories(np.asarray(codes), values)


def _narrow(count: int) -> str:
    return "TINYINT" if count < 128 else "SMALLINT" if count < 32768 else "INTEGER"


def _by_appearance(codes: np.ndarray, values: np.ndarray) -> pd.Series:
    """Drop categories that no row holds and put the rest in the order of first appearance."""
    firsts = sorted((int(np.argmax(codes == code)), code) for code in np.unique(codes[codes >= 0]))
    table = np.full(len(values) + 1, -1, dtype=np.int8)
    for new, (_, old) in enumerate(firsts):
        table[old] = new
    return _categories(table[codes], np.array([values[old] for _, old in firsts], dtype=object))


def _categories(codes: np.ndarray, values: np.ndarray) -> pd.Series:
    names = pd.Index(values, dtype="str")
    return pd.Series(pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype(names)))
