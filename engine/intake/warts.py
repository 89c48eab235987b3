"""Warts of the data: what is odd in a table, each with count, rows and advice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from engine.base.wording import count, number
from engine.messages import say

from .leaks import judge_roles
from .model import Wart
from .reading_warts import cells, quoted, wart
from .roles import counts_rows, is_id_name, is_weight_name, protected_kind, words_of
from .values import keys_of

__all__ = ["LIKE_MISSING", "judge", "judge_roles"]

LIKE_MISSING = frozenset(
    {
        "?", "??", "-", "--", "---", ".", "..", "...", "*", "na", "n/a", "n.a.", "#n/a", "#null!",
        "nan", "nil", "null", "none", "<na>", "(null)", "(blank)", "blank", "empty", "missing",
        "unknown", "undefined", "unspecified", "undisclosed", "other/unknown", "unknown/invalid",
        "invalid", "unbekannt", "not known", "not_known", "no info", "no data", "not available",
        "not applicable", "not stated", "not provided", "not specified", "not recorded",
        "not reported", "prefer not to say", "no answer", "don't know", "keine angabe",
    }
)  # fmt: skip
_SENTINELS = (-1, -8, -9, -88, -99, -999, -9999, 99, 999, 8888, 9999, 99999, 999999)
_FREQUENT = 0.005
_BLOCK = 2**15
Columns = Mapping[str, pd.Series]
_TINY = 30
_MOST_ROWS = 20
_FORMULA = re.compile(r"\s*[=@][A-Za-z(+\-].*|\s*[+\-][A-Za-z(].*|.*[^=<>!]?[<>]?=\s*")
_TOTAL = re.compile(
    r"(?i)\s*(grand |sub)?-?(totals?|sums?|summe|gesamt|insgesamt|average|mean|mittelwert|total général)\b.{0,20}"
)
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}")
_IDENTIFIERS: tuple[tuple[str, str], ...] = (
    ("names of people", r"((employee|customer|applicant|full|first|last|sur|given|family|patient) ?)?name|first|last|forename"),
    ("birth dates", r"dob|birth ?date|date of birth|birthday|geburtsdatum"),
    ("email addresses", r".*e ?mail.*"),
    ("telephone numbers", r"(tele)?phone.*|mobile.*|.* phone"),
    ("addresses", r"(street|home|postal)? ?address|street"),
    ("numbers of a person", r"ssn|social security.*|passport.*|national id|tax id|case number|c case number"),
)  # fmt: skip
_LIMITS: tuple[tuple[str, float, float], ...] = (
    (r"age|age .*|.* age", 0, 120),
    (r"ap hi|ap lo|blood ?pressure|systolic|diastolic|sys bp|dia bp|bp", 20, 300),
    (r"height|height cm", 100, 250),
    (r"bmi", 8, 120),
    (r"hours per week|weekly hours", 0, 168),
)


def judge(
    frame: pd.DataFrame,
    *,
    unnamed: Sequence[str] = (),
    blanks: Mapping[str, int] | None = None,
) -> list[Wart]:
    """Judge a table as it was read, before anybody has said what its columns are for.

    Parameters
    ----------
    frame : pandas.DataFrame, shape (rows, columns)
        A :class:`~engine.intake.model.Table`'s frame.
    unnamed : sequence of str
        Columns without a name in the file.
    blanks : mapping of column to number of blank cells, or None
        Counted here where it is not given.

    Returns
    -------
    list of Wart
        Questions first, then warnings, then notes.
    """
    rows = len(frame)
    found: list[Wart] = []
    names = [str(name) for name in frame.columns]
    # Asking a frame of thousands of columns for each of them again and again takes seconds.
    columns = dict(zip(names, (series for _, series in frame.items()), strict=True))
    texts = {
        name: [str(c) for c in series.cat.categories]
        for name, series in columns.items()
        if isinstance(series.dtype, pd.CategoricalDtype)
    }
    found += _like_missing(columns, texts, rows)
    found += _duplicates(columns, rows)
    found += _total_row(columns)
    found += _constant(columns, rows)
    found += _whole_columns(columns, set(unnamed))
    found += _numbers_as_names(columns)
    for name, series in columns.items():
        found += _one_number(series, name)
        found += _tiny(series, name, rows)
        found += _in_blocks(series, name, rows)
        found += _identifier(series, name, texts.get(name))
        found += _stacked(series, name)
        if is_weight_name(name, names) and _numeric(series) and series.nunique() > 2:
            found.append(wart_of("weight", "note", name, suggestion={"weight": name}))
    found += _texts(columns, texts)
    empty = (
        dict(blanks)
        if blanks is not None
        else {n: int(one.isna().sum()) for n, one in columns.items()}
    )
    empty = {name: k for name, k in empty.items() if k}
    if empty:
        total = sum(empty.values())
        most = sorted(empty, key=lambda n: -empty[n])[:4]
        found.append(wart("blank_cells", "note", number=total, count=cells(total), verb="is" if total == 1 else "are", columns=quoted(most)))  # fmt: skip
    personal = {one.column for one in found if one.code == "intake.identifier"}
    found = [one for one in found if one.code != "intake.id_like" or one.column not in personal]
    order = {"question": 0, "warning": 1, "note": 2}
    return sorted(found, key=lambda one: order[one.grade])


def wart_of(code: str, grade: str, column: str, *, n: int = 0, rows: tuple[int, ...] = (), suggestion: Mapping[str, object] | None = None, **fields: object) -> Wart:  # fmt: skip
    """Make a wart about one column, whose name the text quotes."""
    text = say(f"intake.{code}", column=f'"{column}"', **fields)
    return Wart(f"intake.{code}", grade, text, column, n, rows, suggestion or {})


def _rows(mask: NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(int(i) + 1 for i in np.flatnonzero(mask)[:_MOST_ROWS])


def _numeric(series: pd.Series) -> bool:
    return bool(pd.api.types.is_numeric_dtype(series.dtype))


def _like_missing(columns: Columns, texts: Mapping[str, Iterable[str]], rows: int) -> list[Wart]:
    """Text that often stands for "missing": one question for each marker, over all columns."""
    seen: dict[str, dict[str, int]] = {}
    where: dict[str, NDArray[np.bool_]] = {}
    for name, categories in texts.items():
        codes = None
        for code, category in enumerate(categories):
            marker = category.strip()
            if marker.lower() in LIKE_MISSING:
                codes = np.asarray(columns[name].cat.codes) if codes is None else codes
                mask = codes == code
                place = seen.setdefault(marker, {})
                place[name] = place.get(name, 0) + int(mask.sum())
                where[marker] = where.get(marker, np.zeros(rows, dtype=bool)) | mask
    found = []
    for marker, places in seen.items():
        total = sum(places.values())
        if not total:
            continue
        frequent = max(places.values()) >= max(3, _FREQUENT * rows)
        order = sorted(places, key=lambda n: -places[n])
        found.append(
            wart(
                "like_missing", "question" if frequent else "note",
                column=order[0], number=total, rows=_rows(where[marker]),
                suggestion={"missing": {name: [marker] for name in places}, "marker": marker},
                marker=marker, count=cells(total), columns=quoted(order, most=4),
            )
        )  # fmt: skip
    return found


def _duplicates(columns: Columns, rows: int) -> list[Wart]:
    if rows < 2:
        return []
    mixed = np.zeros(rows, dtype=np.uint64)
    for place, series in enumerate(columns.values()):
        raw = _bits(series)
        for start in range(0, rows, _BLOCK):  # in pieces that stay in the processor's cache
            _mix(mixed[start : start + _BLOCK], raw[start : start + _BLOCK], np.uint64(29 + place % 3))  # fmt: skip
    ordered = np.sort(mixed)
    copies = int((ordered[1:] == ordered[:-1]).sum())
    if not copies:
        return []
    first = np.unique(mixed, return_index=True)[1]
    mask = np.ones(rows, dtype=bool)
    mask[first] = False
    said = say("intake.duplicates" if copies > 1 else "intake.duplicate", count=count(copies))
    return [Wart("intake.duplicates", "warning", said, None, copies, _rows(mask))]


def _total_row(columns: Columns) -> list[Wart]:
    """A last row that adds the others up, as reports and workbooks have it: it is no person."""
    for name, series in columns.items():
        if _numeric(series):
            continue
        last = series.iloc[-1]
        if not isinstance(last, str) or not _TOTAL.fullmatch(last) or len(series) < 3:
            continue
        if int((series == last).sum()) > 1:
            continue
        suggestion: dict[str, object] = {}
        if isinstance(series.dtype, pd.CategoricalDtype) and len(series.cat.categories) <= 50:
            others = [value for value in series.cat.categories if value != last]
            blank = bool(series.isna().any())  # "rows" keeps named values alone
            suggestion = {} if blank else {"rows": [{"column": name, "keep": others}]}
        return [wart_of("total_row", "warning", name, n=1, rows=(len(series),), suggestion=suggestion, value=last.strip(), row=count(len(series)))]  # fmt: skip
    return []


def _mix(mixed: NDArray[np.uint64], raw: NDArray[np.uint64], shift: np.uint64) -> None:
    """Take one more column's values into each row's number, with the bits well spread."""
    spread = raw >> np.uint64(33)
    spread ^= raw
    spread *= np.uint64(0xFF51AFD7ED558CCD)
    spread ^= spread >> np.uint64(32)
    mixed *= np.uint64(0x9E3779B97F4A7C15)
    mixed += spread
    np.right_shift(mixed, shift, out=spread)
    mixed ^= spread


def _bits(series: pd.Series) -> NDArray[np.uint64]:
    """A 64-bit number for each value, equal for equal values."""
    if isinstance(series.dtype, pd.CategoricalDtype):
        raw = np.asarray(series.cat.codes, dtype=np.int64).view(np.uint64)
    elif pd.api.types.is_float_dtype(series.dtype):
        raw = (series.to_numpy(dtype=np.float64, na_value=np.nan) + 0.0).view(np.uint64)
    elif pd.api.types.is_integer_dtype(series.dtype):
        raw = series.to_numpy(dtype=np.int64, na_value=np.iinfo(np.int64).min).view(np.uint64)
    elif pd.api.types.is_datetime64_any_dtype(series.dtype):
        raw = series.to_numpy().astype("datetime64[us]").view(np.int64).view(np.uint64)
    else:
        raw = pd.factorize(series)[0].astype(np.int64).view(np.uint64)
    return raw


def _constant(columns: Columns, rows: int) -> list[Wart]:
    if rows < 2:
        return []
    same = []
    for name, series in columns.items():
        if isinstance(series.dtype, pd.CategoricalDtype):
            few = len(series.cat.categories) <= 1
        else:
            first = series.iloc[:1000].nunique()
            few = first <= 1 and series.nunique() <= 1
        if few:
            same.append(name)
    if not same:
        return []
    verb = "has" if len(same) == 1 else "have each"
    return [
        wart("constant", "note", column=same[0], number=len(same), columns=quoted(same), verb=verb)
    ]


def _whole_columns(columns: Columns, unnamed: set[str]) -> list[Wart]:
    """Columns that count the rows, and those in which nearly every value is different."""
    found = []
    for name, series in columns.items():
        if counts_rows(series):
            found.append(wart_of("counts_rows", "note", name, suggestion={"id": name}, first=int(series.iloc[0]), last=f"{int(series.iloc[-1])}"))  # fmt: skip
            continue
        if len(series) < 50 or pd.api.types.is_float_dtype(series.dtype):
            continue
        text = not pd.api.types.is_numeric_dtype(series.dtype)
        if pd.api.types.is_datetime64_any_dtype(series.dtype) or (not text and not is_id_name(name)):  # fmt: skip
            continue
        distinct = int(series.nunique())
        if distinct >= (0.9 if text else 0.5) * len(series) and distinct > 40:
            found.append(_id_like(name, distinct, len(series)))
    return found


def _id_like(name: str, distinct: int, rows: int) -> Wart:
    text = say("intake.id_like", column=f'"{name}"', distinct=count(distinct), rows=count(rows))
    return Wart("intake.id_like", "warning", text, name, distinct, (), {"id": name})


def _numbers_as_names(columns: Columns) -> list[Wart]:
    """Few different whole numbers under a name that counts or measures nothing."""
    found = []
    for name, series in columns.items():
        if not _numeric(series) or len(series) < 30:
            continue
        if re.search(r"num|count|number|years?|yrs|age$|months?|days?|times?|children|length|failures|previous|amount|hours|score|rate|size|total|(^| )(g|n|tp|fp|tn|fn)( |$)", words_of(name)):  # fmt: skip
            continue
        if series.head(2000).nunique() > 12:
            continue
        values = series.dropna().unique()
        if 3 <= len(values) <= 12 and all(float(value).is_integer() for value in values):
            found.append(name)
    if not found:
        return []
    return [
        wart(
            "numbers_as_names",
            "note",
            column=found[0],
            number=len(found),
            columns=quoted(found),
            suggestion={"types": found},
        )
    ]


def _one_number(series: pd.Series, name: str) -> list[Wart]:
    """Ages in days, impossible values, and numbers that stand for something else."""
    if not pd.api.types.is_numeric_dtype(series.dtype) or series.isna().all():
        return []
    found = []
    values = series.to_numpy(dtype=np.float64, na_value=np.nan)
    words = words_of(name)
    middle = float(np.nanmedian(values))
    if re.fullmatch(r"age|age .*|.* age", words) and middle > 1000:
        found.append(wart_of("age_in_days", "warning", name, n=int(np.isfinite(values).sum()), median=count(round(middle))))  # fmt: skip
    else:
        for pattern, low, high in _LIMITS:
            odd = (values < low) | (values > high)
            if re.fullmatch(pattern, words) and low < middle < high and odd.any():
                least, most = float(np.nanmin(values)), float(np.nanmax(values))
                found.append(
                    wart_of(
                        "impossible", "warning", name, n=int(odd.sum()), rows=_rows(odd),
                        count=cells(int(odd.sum())), low=number(low, digits=0), high=number(high, digits=0),
                        least=f"{number(least, digits=0)}", most=number(most, digits=0),
                    )
                )  # fmt: skip
                break
    found += _sentinel(values, name)
    return found


def _sentinel(values: NDArray[np.float64], name: str) -> list[Wart]:
    """A frequent outermost value such as -1 or 999, far from all others."""
    known = values[np.isfinite(values)]
    for end in (known.min(), known.max()):
        if end not in _SENTINELS:
            continue
        rest = known[known != end]
        times = len(known) - len(rest)
        if times < max(3, 0.001 * len(known)) or np.unique(rest[:5000]).size < 2:
            continue
        span = float(rest.max() - rest.min())
        gap = float(min(abs(rest.min() - end), abs(rest.max() - end)))
        if gap > max(0.5 * span, 0.9) and (span > 1 or end < 0):
            mask = values == end
            return [wart_of("sentinel", "warning", name, n=times, rows=_rows(mask), suggestion={"missing": {name: [str(int(end))]}}, value=number(float(end), digits=0), count=cells(times))]  # fmt: skip
    return []


def _tiny(series: pd.Series, name: str, rows: int) -> list[Wart]:
    if protected_kind(name) is None or rows < 100 or pd.api.types.is_datetime64_any_dtype(series.dtype):  # fmt: skip
        return []
    if protected_kind(name) in ("age", "pregnancy or family") and pd.api.types.is_numeric_dtype(
        series.dtype
    ):
        return []
    if pd.api.types.is_numeric_dtype(series.dtype) and series.head(2000).nunique() > 15:
        return []
    codes, keys = keys_of(series)
    if not 2 <= len(keys) <= 50:
        return []
    sizes = np.bincount(codes[codes >= 0], minlength=len(keys))
    small = [i for i in np.argsort(sizes, kind="stable") if sizes[i] < _TINY]
    if not small:
        return []
    told = [f'"{keys[i]}" ({sizes[i]})' for i in small[:8]]
    more = f" and {len(small) - 8} more" if len(small) > 8 else ""
    groups = "1 group" if len(small) == 1 else f"{len(small)} groups"
    return [wart_of("tiny_groups", "warning", name, n=len(small), groups=groups, bound=_TINY, names=", ".join(told) + more)]  # fmt: skip


def _in_blocks(series: pd.Series, name: str, rows: int) -> list[Wart]:
    """A protected attribute sorted by itself, perhaps away from the people that it belongs to."""
    if protected_kind(name) is None or rows < 100 or pd.api.types.is_datetime64_any_dtype(series.dtype):  # fmt: skip
        return []
    codes, keys = keys_of(series)
    runs = int((codes[1:] != codes[:-1]).sum()) + 1
    if not 2 <= len(keys) <= 50 or runs > len(keys) + bool((codes < 0).any()):
        return []
    return [wart_of("in_blocks", "warning", name, n=len(keys), values=len(keys))]


def _identifier(series: pd.Series, name: str, texts: Sequence[str] | None) -> list[Wart]:
    words = words_of(name)
    sample = (texts if texts is not None else [str(v) for v in series.head(200).dropna()])[:200]
    what = next((what for what, pattern in _IDENTIFIERS if re.fullmatch(pattern, words)), None)
    numeric = pd.api.types.is_numeric_dtype(series.dtype)
    if what == "names of people" and (numeric or len(sample) < 20):
        what = None
    if what is None and not numeric and len(sample) > 3:
        emails = sum(bool(_EMAIL.fullmatch(text.strip())) for text in sample)
        what = "email addresses" if emails > 0.5 * len(sample) else None
    if what is None or series.head(5000).nunique() < 20:
        return []
    return [wart_of("identifier", "warning", name, suggestion={"leave_out": [name]}, what=what)]


def _stacked(series: pd.Series, name: str) -> list[Wart]:
    if not re.fullmatch(r"model|model id|model name|model version|algorithm|classifier", words_of(name)):  # fmt: skip
        return []
    codes, keys = keys_of(series)
    if not 2 <= len(keys) <= 50:
        return []
    sizes = np.bincount(codes[codes >= 0], minlength=len(keys))
    largest = keys[int(np.argmax(sizes))]
    return [wart_of("stacked_models", "question", name, n=len(keys), suggestion={"rows": [{"column": name, "keep": [largest]}]}, count=len(keys))]  # fmt: skip


def _texts(columns: Columns, texts: Mapping[str, Sequence[str]]) -> list[Wart]:
    """Formula-like cells, outer blanks, and one word written in several ways."""
    found, formulas, padded = [], {}, []
    for name, categories in texts.items():
        odd = [code for code, text in enumerate(categories) if text[:1] in "=@+- \t" or text.rstrip().endswith("=")]  # fmt: skip
        odd = [code for code in odd if _FORMULA.fullmatch(categories[code])]
        if odd:
            formulas[name] = int(np.isin(np.asarray(columns[name].cat.codes), odd).sum())
        if any(text != text.strip() for text in categories):
            padded.append(name)
        if len(categories) <= 500:
            alike: dict[str, list[str]] = {}
            for key in dict.fromkeys(text.strip() for text in categories):
                alike.setdefault(re.sub(r"[\s_-]+", " ", key).casefold(), []).append(key)
            several = [words for words in alike.values() if len(words) > 1]
            if several:
                found.append(wart_of("spelling", "warning", name, n=len(several), words=quoted(several[0])))  # fmt: skip
    if formulas:
        total = sum(formulas.values())
        found.append(wart("formula_like", "note", column=next(iter(formulas)), number=total, count=cells(total), columns=quoted(list(formulas))))  # fmt: skip
    if padded:
        found.append(wart("outer_blanks", "note", column=padded[0], number=len(padded), columns=quoted(padded, most=12)))  # fmt: skip
    return found
