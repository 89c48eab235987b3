"""Which kind each column is, and which mark its decimals have: from the shapes of its cells."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .columns import GAP, Reading

_FEW_ODD = 5
_LARGE = 1e16
"""From here on floats are printed with an exponent."""
_ALWAYS = frozenset({"whole", "gaps", "exponent"})
_POINT = _ALWAYS | {"point", "dot_group", "comma_group", "commas", "commas_point", "gaps_point"}
_COMMA = _ALWAYS | {"comma", "comma_group", "dot_group", "dots", "dots_comma", "gaps_comma"}
_SAYS_POINT = frozenset({"point", "commas_point", "commas", "gaps_point"})
_SAYS_COMMA = frozenset({"comma", "dots_comma", "dots", "gaps_comma"})
_EITHER = frozenset({"comma_group", "dot_group"})
_DATES: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset({"iso"}), ""),
    (frozenset({"year_slash"}), "%Y/%m/%d"),
    (frozenset({"day_dot"}), "%d.%m.%Y"),
    (frozenset({"day_slash", "either_slash"}), "%d/%m/%Y"),
    (frozenset({"month_slash", "either_slash"}), "%m/%d/%Y"),
)
_ALL_DATES = frozenset({"short_year"}).union(*(allowed for allowed, _ in _DATES))


def decide(*, readings: Sequence[Reading], decimal: str | None, delimiter: str | None) -> str:
    """Choose each column's type, and the file's decimal mark, which is returned.

    Numbers such as ``1,234`` can be read in two ways. A column is taken by what its other cells
    say, then by what the file's other columns say; where nothing says anything, or the others
    contradict each other, the column raises the question ``decimal_in_doubt``. Columns in which
    the file holds numbers and not their text are beyond all doubt, and say nothing of the others.

    A mark that somebody said (``decimal``) is taken at its word: a column that is no number by it
    is text. Only in a file that itself holds both marks each column that shows its own keeps it.
    """
    numeric = [
        r for r in readings if not r.typed and r.known and not set(r.kinds) - (_POINT | _COMMA)
    ]
    for_point = sum(r.kinds.get(kind, 0) for r in numeric for kind in _SAYS_POINT)
    for_comma = sum(r.kinds.get(kind, 0) for r in numeric for kind in _SAYS_COMMA)
    undecided = bool(for_point) == bool(for_comma)
    usual = decimal or ("," if for_comma > for_point else ".")
    if for_point == for_comma == 0 and decimal is None and delimiter in (";", "\t"):
        usual = "," if any("comma_group" in r.kinds for r in numeric) else "."
    both = bool(for_point and for_comma)
    for reading in readings:
        _decide_one(reading, usual=usual, forced=decimal, undecided=undecided, both=both)
    return usual


def _decide_one(
    reading: Reading, *, usual: str, forced: str | None, undecided: bool, both: bool
) -> None:
    kinds = set(reading.kinds)
    if not kinds:
        return
    if kinds == {"whole"}:
        reading.type = "whole number"
        return
    if kinds == {"truth"}:
        reading.type = "truth value"
        return
    if reading.typed and as_number(reading, "."):
        return
    mark = usual
    shown = {m for m, says in ((".", _SAYS_POINT), (",", _SAYS_COMMA)) if kinds & says}
    if len(shown) == 1 and (forced is None or (both and not fits(kinds, mark))):
        mark = shown.pop()
    reading.doubt = _maybe_names(reading) if fits(kinds, mark) else None
    if reading.doubt:
        return
    if as_number(reading, mark):
        own = kinds & (_SAYS_POINT | _SAYS_COMMA)
        open_ = kinds & _EITHER if undecided else kinds >= _EITHER
        if forced is None and open_ and not own:
            reading.doubt = "decimal_in_doubt"
        return
    form = date_form(kinds)
    if form is not None:
        reading.type, reading.date = "date", form
    elif kinds <= _ALL_DATES:
        reading.doubt = "date_in_doubt"
    elif 0 < len(reading.odd) <= _FEW_ODD:
        numbers = sum(count for kind, count in reading.kinds.items() if kind in _POINT | _COMMA)
        if numbers >= 0.8 * reading.known:
            reading.doubt = "text_among_numbers"


def _maybe_names(reading: Reading) -> str | None:
    """Why cells that could be numbers stay text: the column is not written so throughout.

    ``12e3`` among whole numbers is as well an id; so is ``123 456`` beside ``123457``. An exponent
    counts where every cell has one, or it makes a number so large that programs write it no other
    way; gaps where no long number lacks them; either where decimals stand beside it.
    """
    kinds = set(reading.kinds)
    if kinds & (_SAYS_POINT | _SAYS_COMMA):
        return None
    if (
        "exponent" in kinds
        and kinds != {"exponent"}
        and abs(float(re.sub(GAP, "", reading.example))) < _LARGE
    ):
        return "exponent_kept"
    return "gaps_kept" if "gaps" in kinds and reading.gapless else None


def fits(kinds: set[str], mark: str) -> bool:
    """Whether cells of all these shapes are numbers with this decimal mark.

    Examples
    --------
    >>> fits({"whole", "comma"}, "."), fits({"whole", "comma"}, ",")
    (False, True)
    """
    return not kinds - (_POINT if mark == "." else _COMMA)


def as_number(reading: Reading, mark: str) -> bool:
    """Make a column one of numbers with this decimal mark, if all its cells are such numbers."""
    kinds = set(reading.kinds)
    if not fits(kinds, mark):
        return False
    group = "comma_group" if mark == "." else "dot_group"
    whole = kinds <= {"whole", "gaps", group, "commas" if mark == "." else "dots"}
    reading.decimal = mark
    reading.thousands = bool(kinds & {group, "commas", "commas_point", "dots", "dots_comma", "gaps", "gaps_point", "gaps_comma"})  # fmt: skip
    reading.type = "whole number" if whole else "number"
    return True


def date_form(kinds: set[str]) -> str | None:
    """How dates of these shapes are written, empty for ISO; None if they are none or in doubt."""
    if not kinds or kinds == {"either_slash"}:
        return None
    return next((form for allowed, form in _DATES if kinds <= allowed), None)
