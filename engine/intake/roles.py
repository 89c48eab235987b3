"""What each column may be for: suggestions with a plain reason, never more than that."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd

from engine.messages import say

from .values import keys_of

_PROTECTED: tuple[tuple[str, str], ...] = (
    ("age", r"age|ages|aged|age at .*|age .*|.* age|dob|date of birth|birth.*|old"),
    ("sex or gender", r"sex|gender|male|female|.* sex|.* gender|sex .*|gender id|personal status.*"),
    ("race or ethnic origin", r"race|.* race|race .*|ethnic.*|.* ethnic.*|black|white|hispan.*|afam|colou?r|racedesc"),
    ("marital status", r"marital.*|married.*|marriage|single|civil status"),
    ("disability", r"disab.*|handicap.*|.* disability"),
    ("religion or belief", r"relig.*|faith|belief"),
    ("nationality or origin", r"national.*|citizen.*|foreign.*|native country|country birth|country of .*|immigra.*|migrant.*|origin"),
    ("sexual orientation", r"sexual orientation|orientation|lgbt.*"),
    ("pregnancy or family", r"pregnan.*|children|dependents|num dependents"),
    ("language", r"language|mother tongue|native language"),
)  # fmt: skip
_OUTCOME = re.compile(
    r"outcome|label|label value|target|class|y|risk|credit risk|creditability|default|default payment.*|approved?|accepted|"
    r"deny|denied|reject(ed)?|hired|decision|admitted|promoted|income|status|loan status|final result|result|pass bar|"
    r"readmitted|response|two year recid|is recid|.*recid|heartdisease|cardio|diabetes|grade|churn|fraud|termd|"
    r"received callback|callback|actual.*|true .*|.* good|occupation|admit.*|granted"
)
_PREDICTION = re.compile(r"pred.*|.* pred|.*predict.*|decision.*|forecast|y hat|yhat|recommend.*|model (output|decision)|classified.*|score text")  # fmt: skip
_SCORE = re.compile(
    r"score|.* score|score .*|prob.*|.* prob|proba.*|p .*|rating|decile score|points|.*_score"
)
_ID = re.compile(r"id|.* id|id .*|.*id|rownames|row ?names?|index|(.* )?nr|number|case number|.*_id|key|unnamed.*|entity.*|ssn")  # fmt: skip
_WEIGHT = re.compile(
    r"weights?|sample weight|.* weight|wgt|wt|fnlwgt|.*wgt|pweight|expansion factor"
)
_BODY = re.compile(r"height|bmi|ap hi|ap lo|blood.*|body.*")
_GOOD = re.compile(
    r"good|yes|true|approved?|accepted|accept|granted?|grant|hired|hire|admitted|pass|passed|promoted|high|paid|"
    r"fully paid|>50k\.?|eligible|selected|positive|success"
)
_HARM = re.compile(
    r"(.* )?(den(y|ied)|default.*|reject.*|recid.*|.*recid|refus.*|fraud|churn|termd|terminated|diabetes|cardio|heart ?disease|"
    r"readmit.*|disease|is bad|bad|stroke|death|died|arrest.*|fail.*|unapproved)"
)


@dataclass(frozen=True)
class Suggestion:
    """What a column may be for.

    ``role`` is ``protected``, ``outcome``, ``prediction``, ``score``, ``id`` or ``weight``;
    ``reason`` is plain words. For an outcome or prediction ``favourable`` holds the likely
    favourable value's key (None where nothing tells) and ``doubt`` says that it has to be asked.
    """

    column: str
    role: str
    reason: str
    favourable: str | None = None
    doubt: bool = False
    favourable_reason: str = ""


@lru_cache(maxsize=2**15)
def words_of(name: str) -> str:
    """A column's name as lower-case words.

    Examples
    --------
    >>> words_of("applicant_race-1"), words_of("MaritalDesc"), words_of("marital.status")
    ('applicant race', 'marital desc', 'marital status')
    """
    spaced = re.sub(r"([a-z])([A-Z])", r"\1 \2", name)
    spaced = re.sub(r"[^0-9A-Za-z]+", " ", spaced).strip().lower()
    return re.sub(r" \d+$", "", spaced)


@lru_cache(maxsize=2**15)
def protected_kind(name: str) -> str | None:
    """What protected trait a column's name speaks of, in words, or None.

    Examples
    --------
    >>> protected_kind("applicant_sex"), protected_kind("percentage")
    ('sex or gender', None)
    """
    words = words_of(name)
    for what, pattern in _PROTECTED:
        if re.fullmatch(pattern, words):
            return what
    return None


def is_id_name(name: str) -> bool:
    """Whether a name speaks of an id."""
    return bool(_ID.fullmatch(words_of(name)))


def is_weight_name(name: str, others: Iterable[str]) -> bool:
    """Whether a name speaks of a row's weight, and no neighbour says that it is of the body."""
    return bool(_WEIGHT.fullmatch(words_of(name))) and not any(
        _BODY.fullmatch(words_of(other)) for other in others
    )


def counts_rows(series: pd.Series) -> bool:
    """Whether whole numbers run on by one from row to row."""
    if not pd.api.types.is_integer_dtype(series.dtype) or len(series) < 3 or series.hasnans:
        return False
    values = series.to_numpy(dtype=np.int64)
    return bool(values[0] in (0, 1) and (np.diff(values) == 1).all())


def favourable_of(*, column: str, keys: Iterable[str]) -> tuple[str | None, bool, str]:
    """The likely favourable value of an outcome column.

    Parameters
    ----------
    column : str
        Its name; ``deny``, ``default`` or ``recid`` turn the meaning round.
    keys : iterable of str
        Its values' keys.

    Returns
    -------
    key : str or None
    doubt : bool
        True where the auditor has to be asked.
    reason : str

    Examples
    --------
    >>> favourable_of(column="Risk", keys=["good", "bad"])[:2]
    ('good', False)
    >>> favourable_of(column="deny", keys=["no", "yes"])[:2]
    ('no', True)
    """
    keys = list(keys)
    by_word = [key for key in keys if _GOOD.fullmatch(key.lower())]
    harm = bool(_HARM.fullmatch(words_of(column)))
    one_zero = sorted(keys) in (["0", "1"], ["-1", "1"], ["FALSE", "TRUE"])
    yes_no = {key.lower() for key in keys} in ({"yes", "no"}, {"y", "n"}, {"true", "false"})
    if harm and len(keys) == 2 and (one_zero or yes_no):
        bad = next(key for key in keys if key.lower() in ("1", "yes", "y", "true"))
        value = next(key for key in keys if key != bad)
        return value, True, say("intake.favourable_not_harm", column=column, value=value)
    if len(by_word) == 1:
        value = by_word[0]
        return value, yes_no, say("intake.favourable_word", value=value)
    if one_zero:
        value = "TRUE" if "TRUE" in keys else "1"
        return value, True, say("intake.favourable_one", value=value)
    return None, True, say("intake.favourable_unknown")


def suggest(frame: pd.DataFrame) -> tuple[Suggestion, ...]:
    """Suggest what columns are for, in the order of the columns; a column has one role at most.

    Parameters
    ----------
    frame : pandas.DataFrame
        A :class:`~engine.intake.model.Table`'s frame.
    """
    names = [str(name) for name in frame.columns]
    found: dict[str, Suggestion] = {}
    counts: dict[str, list[str]] = {}
    for name in names:
        series = frame[name]
        words = words_of(name)
        trait = protected_kind(name)
        numeric = pd.api.types.is_numeric_dtype(series.dtype)
        if counts_rows(series):
            found[name] = Suggestion(name, "id", say("intake.role_counts"))
            continue
        _, keys = keys_of(series.head(100_000))
        counts[name] = keys
        whole = not pd.api.types.is_float_dtype(series.dtype)
        if (
            whole
            and is_id_name(name)
            and len(keys) > 0.5 * min(len(series), 100_000)
            and len(series) > 5
        ):
            found[name] = Suggestion(name, "id", say("intake.role_id"))
        elif is_weight_name(name, names) and numeric and len(keys) > 2:
            found[name] = Suggestion(name, "weight", say("intake.role_weight"))
        elif trait is not None and len(keys) > 1:
            found[name] = Suggestion(name, "protected", say("intake.role_protected", what=trait))
        elif _PREDICTION.fullmatch(words) and words != "decision" and 2 <= len(keys) <= 20:
            value, doubt, why = favourable_of(column=name, keys=keys)
            found[name] = Suggestion(name, "prediction", say("intake.role_prediction"), value, doubt, why)  # fmt: skip
        elif _SCORE.fullmatch(words) and numeric and len(keys) > 2:
            found[name] = Suggestion(name, "score", say("intake.role_score"))
    outcome = _outcome(frame, names, counts, found)
    if outcome is not None:
        found[outcome.column] = outcome
        for name in names:
            if name not in found and _SCORE.fullmatch(words_of(name)) and len(counts.get(name, ())) == 2:  # fmt: skip
                value, doubt, why = favourable_of(column=name, keys=counts[name])
                reason = say("intake.role_prediction_alike", outcome=outcome.column)
                found[name] = Suggestion(name, "prediction", reason, value, doubt, why)
    return tuple(found[name] for name in names if name in found)


def _outcome(
    frame: pd.DataFrame,
    names: list[str],
    counts: dict[str, list[str]],
    found: dict[str, Suggestion],
) -> Suggestion | None:
    """One outcome at most: by its name, two values before more, later columns before earlier."""
    free = [n for n in names if n not in found and 2 <= len(counts.get(n, ())) <= 10]
    named = [name for name in free if _OUTCOME.fullmatch(words_of(name))]
    named.sort(key=lambda name: (len(counts[name]) != 2, not bool(frame[name].notna().all()), -names.index(name)))  # fmt: skip
    reason = ""
    if named:
        name = named[0]
        reason = say("intake.role_outcome", count=len(counts[name]))
    elif free and free[-1] == names[-1] and len(counts[names[-1]]) == 2:
        name = names[-1]
        reason = say("intake.role_last")
    else:
        return None
    value, doubt, why = favourable_of(column=name, keys=counts[name])
    return Suggestion(name, "outcome", reason, value, doubt, why)
