"""From staged text to typed columns: which kind each column is, and its values as arrays."""

from __future__ import annotations

import datetime
import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from engine.base.watch import Watch
from engine.messages import say

from .staging import Stage, literal

BLANKS = "".join(chr(code) for code in range(0x3001) if chr(code).isspace())
"""All that Python's ``str.strip`` takes for blank, so that DuckDB trims alike."""
_FEW_ROWS = 20_000
_EXACT = 2**53
"""Above this a float no longer tells neighbouring whole numbers apart."""
_BLOCK_CELLS = 400_000
_FEW_WORDS = 20_000
_MOST_DISTINCT = 0.5
_ODD_KEPT = 12
_UNPADDED = "[!-~]([ -~]*[!-~])?"
"""Printable ASCII without outer blanks."""
_SIGN = "[+-]?"
_WHOLE = "(0|[1-9][0-9]*)"
_DIGITS3 = "[1-9][0-9]{0,2}"
_EXP = "([eE][+-]?[0-9]{1,3})?"
GAP = "[ '\u2019\u00a0\u2009\u202f]"
_DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_KINDS: tuple[tuple[str, str], ...] = (
    ("whole", f"{_SIGN}(0|[1-9][0-9]{{0,17}})"),
    ("dot_group", f"{_SIGN}{_DIGITS3}\\.[0-9]{{3}}"),
    ("point", f"{_SIGN}({_WHOLE}\\.[0-9]*|\\.[0-9]+){_EXP}"),
    ("exponent", f"{_SIGN}{_WHOLE}[eE][0-9]{{1,3}}"),
    ("point", f"{_SIGN}{_WHOLE}[eE][+-][0-9]{{1,3}}"),
    ("comma_group", f"{_SIGN}{_DIGITS3},[0-9]{{3}}"),
    ("comma", f"{_SIGN}({_WHOLE},[0-9]+|,[0-9]+){_EXP}"),
    ("commas", f"{_SIGN}{_DIGITS3}(,[0-9]{{3}}){{2,}}"),
    ("commas_point", f"{_SIGN}{_DIGITS3}(,[0-9]{{3}})+\\.[0-9]+"),
    ("dots", f"{_SIGN}{_DIGITS3}(\\.[0-9]{{3}}){{2,}}"),
    ("dots_comma", f"{_SIGN}{_DIGITS3}(\\.[0-9]{{3}})+,[0-9]+"),
    ("gaps", f"{_SIGN}{_DIGITS3}({GAP}[0-9]{{3}})+"),
    ("gaps_point", f"{_SIGN}{_DIGITS3}({GAP}[0-9]{{3}})+\\.[0-9]+"),
    ("gaps_comma", f"{_SIGN}{_DIGITS3}({GAP}[0-9]{{3}})+,[0-9]+"),
    ("truth", "(?i)true|false"),
    ("iso", f"{_DAY}([ T][0-9]{{2}}:[0-9]{{2}}(:[0-9]{{2}}(\\.[0-9]{{1,6}})?)?)?"),
    ("year_slash", "[0-9]{4}/[0-9]{1,2}/[0-9]{1,2}"),
    ("day_dot", "[0-9]{1,2}\\.[0-9]{1,2}\\.[0-9]{4}"),
    ("day_slash", "(1[3-9]|2[0-9]|3[01])/[0-9]{1,2}/[0-9]{4}"),
    ("month_slash", "[0-9]{1,2}/(1[3-9]|2[0-9]|3[01])/[0-9]{4}"),
    ("either_slash", "[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}"),
    ("short_year", "[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{2}"),
)
_TOLD = ("exponent", "gaps")
"""Shapes of numbers that may be names as well, so that an example of them is shown."""
_GAPLESS = f"{_SIGN}[1-9][0-9]{{3,17}}([.,][0-9]*)?"
_COMPILED = tuple((kind, re.compile(pattern)) for kind, pattern in _KINDS)


@dataclass
class Reading:
    """How one column is read.

    ``kinds`` counts its non-blank cells by shape; ``odd`` holds its commonest cells of no known
    shape with their counts; ``doubt`` names a question that the column raises. ``words`` are its
    different cells in order of first appearance with their ``shapes``, where there are not too
    many, and ``codes`` each row's place among them, where it is known already; None where the
    cells themselves are looked at in DuckDB. ``clean``: no cell has outer blanks, so that none
    need be trimmed there. ``distinct`` is an estimate. ``typed``: the file holds numbers here,
    not their text, so that a point in them is a decimal mark whatever its other columns hold.
    ``example`` is its first cell that may be a name as well, such as ``12e3`` or ``123 456``;
    ``gapless`` counts the long numbers without the gaps that other cells of it have.
    """

    name: str
    place: int
    markers: tuple[str, ...] = ()
    number: str | None = None
    only_numbers: bool = False
    kinds: dict[str, int] = field(default_factory=dict)
    blank: int = 0
    marked: int = 0
    words: list[str] | None = None
    shapes: list[str] = field(default_factory=list)
    codes: np.ndarray | None = None
    clean: bool = False
    distinct: int = 0
    odd: list[tuple[str, int]] = field(default_factory=list)
    type: str = "text"
    decimal: str | None = None
    thousands: bool = False
    date: str | None = None
    doubt: str | None = None
    typed: bool = False
    example: str = ""
    gapless: int = 0

    @property
    def column(self) -> str:
        """SQL: the cell's text, as it stands in the file."""
        text = f"c{self.place}"
        return f"coalesce({text}, CAST(n{self.place} AS VARCHAR))" if self.number else text

    @property
    def cell(self) -> str:
        """SQL: the cell's text without outer blanks; trimming is dear and left out where idle."""
        return self.column if self.clean else f"trim({self.column}, {literal(BLANKS)})"

    @property
    def known(self) -> int:
        """The number of cells that hold a value."""
        return sum(self.kinds.values())

    @property
    def gone(self) -> str:
        """SQL: whether the cell is missing."""
        listed = "".join(f", {literal(marker)}" for marker in self.markers)
        return f"({self.column} IS NULL OR {self.cell} IN (''{listed}))"

    def shape(self, word: str) -> str:
        """The shape of a cell's text: ``blank``, ``marked``, one of the known ones or ``text``."""
        text = word.strip()
        if not text:
            return "blank"
        if text in self.markers:
            return "marked"
        return next((kind for kind, pattern in _COMPILED if pattern.fullmatch(text)), "text")


def look(
    *,
    stage: Stage,
    names: Sequence[str],
    markers: Mapping[str, tuple[str, ...]],
    watch: Watch,
    typed: Collection[str] = (),
) -> list[Reading]:
    """Count, for every staged column, the shapes of its cells.

    Parameters
    ----------
    stage : Stage
    names : sequence of str
    markers : mapping of column name to texts that mean missing
    watch : Watch
    typed : collection of str
        The columns in which the file holds numbers, not their text.
    """
    rows = stage.rows
    found = [
        Reading(
            name=name,
            place=place,
            markers=tuple(m.strip() for m in markers.get(name, ())),
            number=stage.numbers.get(place),
            typed=name in typed,
        )
        for place, name in enumerate(names)
    ]
    if rows <= _FEW_ROWS:
        block = max(1, _BLOCK_CELLS // rows)
        for start in range(0, len(found), block):
            part = found[start : start + block]
            watch.say(say("intake.typing", column=part[0].name), fraction=start / len(found))
            query = f"SELECT {', '.join(f'{one.column} AS c{one.place}' for one in part)} FROM raw"
            columns = stage.run(query).fetchnumpy()
            for reading in part:
                codes, words = pd.factorize(_texts(columns[f"c{reading.place}"]))
                reading.codes = codes.astype(_narrow(len(words)))
                counts = np.bincount(codes[codes >= 0], minlength=len(words))
                reading.blank = int((codes < 0).sum())
                _take_words(reading, list(words), [int(count) for count in counts])
        return found
    for reading in found:
        share = reading.place / len(found)
        watch.say(say("intake.typing", column=reading.name), fraction=share)
        if reading.number and not reading.markers:
            _take_cells(stage, reading)
            continue
        reading.distinct = _distinct(stage, reading)
        if reading.distinct <= _FEW_WORDS:
            query = f"SELECT {reading.column}, count(*), min(rowid) AS first FROM raw GROUP BY 1 ORDER BY first"
            found_words = stage.run(query).fetchall()
            reading.blank = sum(count for word, count, _ in found_words if word is None)
            counted = [(word, count) for word, count, _ in found_words if word is not None]
            _take_words(reading, [word for word, _ in counted], [count for _, count in counted])
        else:
            _take_cells(stage, reading)
    return found


def _distinct(stage: Stage, reading: Reading) -> int:
    return int(stage.column(f"approx_count_distinct({reading.column})")[0])


def _take_words(reading: Reading, words: list[str], counts: list[int]) -> None:
    """Judge a column by its different cells."""
    reading.words, reading.distinct = words, len(words)
    reading.shapes = [reading.shape(word) for word in words]
    kinds: Counter[str] = Counter()
    odd: Counter[str] = Counter()
    for word, shape, count in zip(words, reading.shapes, counts, strict=True):
        kinds[shape] += count
        if shape == "text":
            odd[word.strip()] += count
        elif shape in _TOLD and not reading.example:
            reading.example = word.strip()
    if "gaps" in kinds:
        long = re.compile(_GAPLESS)
        reading.gapless = sum(
            count
            for word, shape, count in zip(words, reading.shapes, counts, strict=True)
            if shape in ("whole", "point", "comma") and long.fullmatch(word.strip())
        )
    reading.blank += kinds.pop("blank", 0)
    reading.marked = kinds.pop("marked", 0)
    reading.kinds = dict(kinds)
    if len(kinds) > 1:
        reading.odd = sorted(odd.items(), key=lambda pair: (-pair[1], pair[0]))[:_ODD_KEPT]


def _take_cells(stage: Stage, reading: Reading) -> None:
    """Judge a column of very many different cells inside DuckDB, staged numbers by their form."""
    column, source, known = reading.column, "raw", 0
    if reading.number and not reading.markers:
        known = int(stage.column(f"count(n{reading.place})")[0])
        # The others, as text: where a number is staged its text is null.
        source, column = f"(SELECT c{reading.place} FROM raw WHERE n{reading.place} IS NULL)", f"c{reading.place}"  # fmt: skip
        reading.kinds = {"whole" if reading.number == "BIGINT" else "point": known} if known else {}
        reading.blank = stage.rows - known - int(stage.column(f"count({column})")[0])
        if known + reading.blank == stage.rows:
            reading.clean = reading.only_numbers = True
            return
    padded = f"NOT regexp_full_match({column}, {literal(_UNPADDED)})"
    found = stage.run(f"SELECT count(*) FILTER (WHERE {column} <> '' AND {padded}) FROM {source}")
    reading.clean = not found.fetchall()[0][0]
    cell = column if reading.clean else f"trim({column}, {literal(BLANKS)})"
    listed = ", ".join(map(literal, reading.markers))
    marked = f"WHEN {cell} IN ({listed}) THEN 'marked' " if listed else ""
    cases = " ".join(
        f"WHEN regexp_full_match({cell}, {literal(pattern)}) THEN '{kind}'"
        for kind, pattern in _KINDS
    )
    shape = (
        f"CASE WHEN {column} IS NULL OR {cell} = '' THEN 'blank' {marked}{cases} ELSE 'text' END"
    )
    query = f"SELECT {shape} AS kind, count(*) FROM {source} GROUP BY 1"
    kinds = Counter({kind: int(count) for kind, count in stage.run(query).fetchall()})
    reading.blank, reading.marked = kinds.pop("blank", 0), kinds.pop("marked", 0)
    reading.kinds = dict(Counter(reading.kinds) + kinds)
    if kinds.keys() & set(_TOLD):
        _take_told(stage, reading)
    if 0 < kinds.get("text", 0) < reading.known:
        query = (
            f"SELECT {cell} AS t, count(*) AS n FROM {source} WHERE {shape} = 'text' "
            f"GROUP BY 1 ORDER BY n DESC, t LIMIT {_ODD_KEPT}"
        )
        reading.odd = [(text, int(count)) for text, count in stage.run(query).fetchall()]


def _take_told(stage: Stage, reading: Reading) -> None:
    """The example and the count of :class:`Reading`, where the cells are looked at in DuckDB."""
    forms = " OR ".join(
        f"regexp_full_match({reading.cell}, {literal(form)})"
        for kind, form in _KINDS
        if kind in _TOLD
    )
    kept = f"NOT {reading.gone}"
    query = f"SELECT {reading.cell} FROM raw WHERE {kept} AND ({forms}) ORDER BY rowid LIMIT 1"
    reading.example = stage.run(query).fetchall()[0][0]
    if "gaps" in reading.kinds:
        long = f"regexp_full_match({reading.cell}, {literal(_GAPLESS)})"
        reading.gapless = int(stage.count(f"(SELECT 1 FROM raw WHERE {kept} AND {long})"))


def _texts(got: np.ndarray) -> np.ndarray:
    """A fetched column as texts and None; ``np.ma.filled`` takes None for "the default" there."""
    texts = np.array(np.ma.getdata(got), dtype=object)
    texts[np.ma.getmaskarray(got)] = None
    return texts


def _narrow(count: int) -> str:
    return "int8" if count < 127 else "int16" if count < 32767 else "int32"


def build(*, stage: Stage, reading: Reading) -> pd.Series:
    """Make one column's values, of the type decided; it becomes text where a value resists."""
    if reading.words is not None and reading.codes is None:
        reading.codes = _codes(stage, reading, reading.words)
    made = None
    if reading.type in ("whole number", "number", "date"):
        made = _from_words(reading) if reading.words is not None else _from_cells(stage, reading)
        if made is None:
            reading.type, reading.date = "text", None
    if made is None:
        made = _named(stage, reading)
    reading.codes = None
    return made


def _codes(stage: Stage, reading: Reading, words: Sequence[str]) -> np.ndarray:
    """Each row's place among the given words; -1 where its cell is none of them."""
    if not len(words):
        return np.full(stage.rows, -1, dtype=np.int8)
    kind = {"int8": "TINYINT", "int16": "SMALLINT", "int32": "INTEGER"}[_narrow(len(words))]
    stage.con.execute(f"CREATE TYPE words AS ENUM ({', '.join(map(literal, words))})")
    cast = f"enum_code(TRY_CAST({reading.column} AS words))::INTEGER"
    codes = np.asarray(stage.column(f"coalesce({cast}, -1)::{kind}"))
    stage.con.execute("DROP TYPE words")
    return codes


def _from_words(reading: Reading) -> pd.Series | None:
    """Numbers and dates by way of the different cells; None where one of them has no value."""
    assert reading.words is not None and reading.codes is not None
    gone = [shape in ("blank", "marked") for shape in reading.shapes]
    empty = np.array([*gone, True])[reading.codes]
    try:
        values = [None if no else _value(reading, word.strip()) for word, no in zip(reading.words, gone, strict=True)]  # fmt: skip
    except ValueError:
        return None
    if reading.type == "whole number":
        if any(isinstance(v, int) and abs(v) >= 2**63 for v in values):
            return None
        data = np.array([v or 0 for v in values] + [0], dtype=np.int64)[reading.codes]
        return pd.Series(pd.arrays.IntegerArray(data, empty) if empty.any() else data)
    if reading.type == "number":
        known = [np.nan if v is None else v for v in values] + [np.nan]
        return pd.Series(np.array(known, dtype=np.float64)[reading.codes])
    moments = np.array([*values, None], dtype="datetime64[us]")
    return pd.Series(moments[reading.codes])


def _value(reading: Reading, text: str) -> int | float | datetime.datetime:
    if reading.type == "date":
        if reading.date:
            if "/" in reading.date:
                text = text.replace(".", "/")
            return datetime.datetime.strptime(text, reading.date)
        return datetime.datetime.fromisoformat(text)
    if reading.thousands:
        text = re.sub(GAP, "", text).replace("," if reading.decimal == "." else ".", "")
    if reading.decimal == ",":
        text = text.replace(",", ".")
    if reading.type == "whole number":
        return int(text)
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    if abs(value) > _EXACT and text.lstrip("+-").isdigit() and int(value) != int(text):
        reading.doubt = "digits_lost"  # an id among decimals: two of them would become one
        raise ValueError(text)
    return value


def _from_cells(stage: Stage, reading: Reading) -> pd.Series | None:
    """Numbers and dates of very many different cells; None where one of them has no value."""
    kind = {"whole number": "BIGINT", "number": "DOUBLE", "date": "TIMESTAMP"}[reading.type]
    cell = reading.cell
    if reading.thousands:
        cell = f"regexp_replace({cell}, {literal(GAP)}, '', 'g')"
        cell = f"replace({cell}, '{',' if reading.decimal == '.' else '.'}', '')"
    if reading.decimal == ",":
        cell = f"replace({cell}, ',', '.')"
    cast = f"TRY_CAST({cell} AS {kind})"
    if reading.date:
        cell = f"replace({cell}, '.', '/')" if "/" in reading.date else cell
        cast = f"try_strptime({cell}, '{reading.date}')"
    query = f"CASE WHEN {reading.gone} THEN NULL ELSE {cast} END"
    if reading.number and not reading.markers and kind != "TIMESTAMP":
        number = f"n{reading.place}::{kind}"
        query = number if reading.only_numbers else f"CASE WHEN n{reading.place} IS NOT NULL THEN {number} ELSE {query} END"  # fmt: skip
    got = np.ma.asarray(stage.column(query))
    gone = np.ma.getmaskarray(got)
    if len(gone) - int(gone.sum()) != reading.known:
        return None
    if kind == "BIGINT":
        data = np.ma.filled(got, 0).astype(np.int64, copy=False)
        return pd.Series(pd.arrays.IntegerArray(data, gone.copy()) if gone.any() else data)
    if kind == "DOUBLE":
        if "whole" in reading.kinds and _digits_lost(stage, reading):
            reading.doubt = "digits_lost"
            return None
        numbers = np.ma.filled(got.astype(np.float64, copy=False), np.nan)
        return pd.Series(numbers) if int(np.isfinite(numbers).sum()) == reading.known else None
    return pd.Series(np.ma.filled(got, np.datetime64("NaT")))


def _digits_lost(stage: Stage, reading: Reading) -> bool:
    """Whether a whole number is too long for a float, which would make two ids one."""
    text = f"c{reading.place}"
    whole = f"length({text}) > 15 AND regexp_full_match({reading.cell}, '[+-]?[0-9]+')"
    lost = f"TRY_CAST({reading.cell} AS HUGEINT) <> TRY_CAST(TRY_CAST({reading.cell} AS DOUBLE) AS HUGEINT)"  # fmt: skip
    lost = f"{whole} AND {lost}"
    if reading.number == "BIGINT":  # staged as a number, its text is null
        number = f"n{reading.place}"
        lost = f"({lost}) OR (abs({number}) > {_EXACT} AND {number}::HUGEINT <> {number}::DOUBLE::HUGEINT)"  # fmt: skip
    return bool(stage.count(f"(SELECT 1 FROM raw WHERE {lost})"))


def _named(stage: Stage, reading: Reading) -> pd.Series:
    """Text and truth values as categories in order of first appearance."""
    words, shapes, codes = reading.words, reading.shapes, reading.codes
    if words is None:
        reading.distinct = reading.distinct or _distinct(stage, reading)
        if reading.distinct > max(_FEW_WORDS, _MOST_DISTINCT * stage.rows):
            cell = f"CASE WHEN {reading.gone} THEN NULL ELSE {reading.column} END"
            return pd.Series(pd.array(_texts(stage.column(cell)), dtype="string"))
        query = f"SELECT {reading.column} AS v, min(rowid) AS first FROM raw WHERE NOT {reading.gone} GROUP BY 1 ORDER BY first"
        words = list(stage.run(query).fetchnumpy()["v"])
        shapes = ["text"] * len(words)
        codes = _codes(stage, reading, words)
    assert codes is not None
    names: dict[str, int] = {}
    table = np.full(len(words) + 1, -1, dtype=codes.dtype)
    for place, (word, shape) in enumerate(zip(words, shapes, strict=True)):
        if shape not in ("blank", "marked"):
            name = word.strip().upper() if reading.type == "truth value" else word
            table[place] = names.setdefault(name, len(names))
    categories = pd.CategoricalDtype(pd.Index(list(names), dtype="str"))
    return pd.Series(pd.Categorical.from_codes(table[codes], dtype=categories))
