"""SAS's own files: what the program reads is what pandas, a second library, reads of them.

``tests/data/people.sas7bdat`` holds twelve made-up people with labels of columns, dates, moments,
names with accents and blanks.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from .conftest import Reader

PEOPLE = Path(__file__).resolve().parents[2] / "data" / "people.sas7bdat"
EPOCH = pd.Timestamp("1960-01-01")
"""SAS counts days and seconds from here."""


def test_a_sas_file_is_read_as_pandas_reads_it(reader: Reader) -> None:
    table = reader(PEOPLE)
    other = pd.read_sas(PEOPLE, encoding="utf-8")
    frame = table.frame
    assert table.detected["format"] == "sas7bdat"
    assert list(frame.columns) == list(other.columns) and len(frame) == len(other) == 12
    for name in ("person_id", "sex", "age", "income", "good"):
        mine = frame[name].to_numpy(dtype=np.float64, na_value=np.nan)
        np.testing.assert_array_equal(mine, other[name].to_numpy(dtype=np.float64))
    assert [None if pd.isna(v) else v for v in frame["region"]] == [
        None if pd.isna(v) else v for v in other["region"]
    ]
    days = EPOCH + pd.to_timedelta(other["decided"], unit="D")
    moments = EPOCH + pd.to_timedelta(other["asked"], unit="s")
    for name, wanted in (("decided", days), ("asked", moments)):
        assert table.detected["types"][name] == "date"
        pd.testing.assert_series_equal(
            frame[name].astype("datetime64[us]"), wanted.astype("datetime64[us]"), check_names=False
        )


def test_its_labels_blanks_and_types_are_kept(reader: Reader) -> None:
    table = reader(PEOPLE)
    assert table.detected["labels"] == {
        "sex": "Sex as recorded", "age": "Age in years", "income": "Net income a month"
    }  # fmt: skip
    assert table.frame.isna().sum().sum() == table.detected["missing"]["blank_cells"] == 7
    assert str(table.frame["age"].dtype) == "Int64"
    assert list(table.frame["region"].cat.categories)[:4] == ["North", "South", "Łódź", "São"]
