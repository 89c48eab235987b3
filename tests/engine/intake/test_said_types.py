"""A type that somebody says holds, or is refused with an example; nothing turns blank in silence."""

from __future__ import annotations

import datetime
from pathlib import Path

import pandas as pd
import pytest

from engine.base.problems import Refused

from .conftest import Reader

TEXT = "code,when,seen,size,short\n01,03/04/2020,4.3.2020,\"1,234\",3/4/20\n02,05/06/2021,5.3.2020,\"2,500\",5/6/21\n"  # fmt: skip


def test_each_type_is_taken_as_said(reader: Reader) -> None:
    types = {"code": "text", "when": "date, month first", "seen": "date, day first", "size": "text"}
    table = reader(TEXT, types=types)
    frame = table.frame
    assert list(frame["code"]) == ["01", "02"] and list(frame["size"]) == ["1,234", "2,500"]
    assert list(frame["when"].dt.date) == [datetime.date(2020, 3, 4), datetime.date(2021, 5, 6)]
    assert list(frame["seen"].dt.date) == [datetime.date(2020, 3, 4), datetime.date(2020, 3, 5)]
    assert table.detected["types"]["when"] == "date"
    other = reader(TEXT, types={"when": "date, day first"})
    assert other.frame["when"].iloc[0] == pd.Timestamp(2020, 4, 3)
    # The question is answered, so it is not asked.
    assert not [w for w in other.warts if w.code == "intake.date_in_doubt" and w.column == "when"]


def test_whole_numbers_may_be_text(reader: Reader) -> None:
    plain = "group,x\n" + "".join(f"{n % 3},{n}\n" for n in range(40))
    table = reader(plain, types={"group": "text"})
    assert list(table.frame["group"].cat.categories) == ["0", "1", "2"]
    assert not [w for w in table.warts if w.code == "intake.numbers_as_names"]


@pytest.mark.parametrize(
    ("types", "says"),
    [
        ({"short": "date"}, "two digits"),
        ({"when": "date"}, "day or the month"),
        ({"when": "number"}, '"03/04/2020", which is no number'),
        ({"size": "date"}, '"1,234", which is no date'),
        ({"wen": "text"}, 'did you mean "when"'),
    ],
)
def test_what_cannot_be_is_refused(reader: Reader, types: dict[str, str], says: str) -> None:
    with pytest.raises(Refused) as refused:
        reader(TEXT, types=types)
    assert says in str(refused.value)


def test_a_day_that_does_not_exist_is_refused_when_dates_are_said(reader: Reader) -> None:
    text = "when\n31.01.2020\n31.02.2020\n"
    assert str(reader(text).frame["when"].dtype) == "category"
    with pytest.raises(Refused, match="not all of its cells are a date"):
        reader(text, types={"when": "date, day first"})


def test_a_long_file_obeys_too(reader: Reader, tmp_path: Path) -> None:
    """Many different cells are typed inside DuckDB."""
    rows = [f"{n},{1 + n % 12:02}/{1 + n % 9:02}/{1000 + n // 8}" for n in range(70_000)]
    path = tmp_path / "long.csv"
    path.write_text("n,when\n" + "\n".join(rows) + "\n")
    frame = reader(path, types={"n": "text", "when": "date, month first"}).frame
    assert frame["n"].iloc[69_999] == "69999" and not pd.api.types.is_numeric_dtype(frame["n"])
    wanted = [datetime.datetime.strptime(row.split(",")[1], "%m/%d/%Y") for row in rows]
    assert list(frame["when"].dt.to_pydatetime()) == wanted
