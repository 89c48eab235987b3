"""One key for a value, however it is written."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.intake.values import keys_of, same_value, value_key


@pytest.mark.parametrize(
    ("value", "key"),
    [(5, "5"), (5.0, "5"), ("5", "5"), (" M ", "M"), (True, "TRUE"), (np.bool_(False), "FALSE"), (-0.0, "0"), (0.25, "0.25"), (None, ""), (pd.NA, ""), (float("nan"), ""), ("  ", ""), (np.int64(7), "7"), (pd.Timestamp("2020-01-02"), "2020-01-02")],
)  # fmt: skip
def test_keys(value: object, key: str) -> None:
    assert value_key(value) == key


@pytest.mark.parametrize("value", [1, "1", 1.0, "1.0", " 1 "])
def test_one_number_has_many_spellings(value: object) -> None:
    assert same_value(value, "1")


def test_other_things_are_not_the_same() -> None:
    assert not same_value("01", "1")
    assert not same_value(True, "1")
    assert not same_value("9007199254740993", "9007199254740992")
    assert same_value(True, "TRUE") and same_value("true", "TRUE") and not same_value(False, "TRUE")


@pytest.mark.parametrize(
    "series",
    [pd.Series([5, 4, None], dtype="Int64"), pd.Series([5.0, 4.0, np.nan]), pd.Series(["5", " 4", " "], dtype="category"), pd.Series(["5", "4", None], dtype="string")],
)  # fmt: skip
def test_all_types_give_the_same_groups(series: pd.Series) -> None:
    codes, keys = keys_of(series)
    assert codes.dtype == np.int32
    assert [keys[c] if c >= 0 else None for c in codes] == ["5", "4", None]


def test_unused_categories_have_no_key() -> None:
    series = pd.Series(["a", "b"], dtype="category").iloc[:1]
    assert keys_of(series)[1] == ["a"]


@given(st.lists(st.one_of(st.none(), st.text(max_size=5))))
def test_codes_lead_back_to_keys(values: list[str | None]) -> None:
    codes, keys = keys_of(pd.Series(values, dtype="category"))
    assert len(set(keys)) == len(keys)
    for value, code in zip(values, codes, strict=True):
        assert (keys[code] if code >= 0 else "") == value_key(value)
