"""Joins go by key, never by position (case C08)."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from engine.base.problems import Refused
from engine.intake.join import join

from .conftest import Reader


def test_c08_is_joined_by_id(shared: Path, reader: Reader) -> None:
    decisions = reader(shared / "cases" / "C08_decisions.csv").frame
    people = reader(shared / "cases" / "C08_people.csv").frame
    done = join(left=decisions, right=people, on="person_id")
    rates = done.frame.groupby("sex", observed=True)["approved"].mean().to_dict()
    assert rates == {"M": 1.0, "F": 0.0}
    assert done.unmatched == done.unused == 0 and not done.warts


def test_c08_with_one_person_less_names_the_id(shared: Path, reader: Reader) -> None:
    decisions = reader(shared / "cases" / "C08_decisions.csv").frame
    people = reader(shared / "cases" / "C08_people.csv").frame
    people = people[people["person_id"] != "P008"]
    done = join(left=decisions, right=people, on="person_id", right_name="people.csv")
    assert len(done.frame) == 8 and done.unmatched == 1
    assert done.frame["sex"].isna().tolist() == [False] * 7 + [True]
    assert '"P008"' in done.warts[0].text and done.warts[0].count == 1
    other = join(left=decisions.head(7), right=reader(shared / "cases" / "C08_people.csv").frame, on="person_id")  # fmt: skip
    assert other.unused == 1 and '"P008"' in other.warts[0].text


def test_c08_with_a_repeated_person_is_refused(shared: Path, reader: Reader) -> None:
    decisions = reader(shared / "cases" / "C08_decisions.csv").frame
    people = reader(shared / "cases" / "C08_people.csv").frame
    twice = pd.concat([people, people[people["person_id"] == "P001"]], ignore_index=True)
    with pytest.raises(Refused, match='"P001"'):
        join(left=decisions, right=twice, on="person_id", right_name="people.csv")


def test_keys_meet_across_types() -> None:
    left = pd.DataFrame({"id": [3, 1, 2]})
    right = pd.DataFrame({"id": pd.Series(["1", " 2", "3 "], dtype="category"), "n": [10, 20, 30]})
    assert join(left=left, right=right, on="id").frame["n"].tolist() == [30, 10, 20]


def test_a_column_in_both_files() -> None:
    left = pd.DataFrame({"id": [1, 2], "sex": ["M", "F"], "age": [30, 40]})
    right = pd.DataFrame({"id": [2, 1], "sex": ["F", "M"], "age": [41, 30]})
    done = join(left=left, right=right, on="id")
    assert list(done.frame.columns) == ["id", "sex", "age", "age (joined)"]
    assert [wart.code for wart in done.warts] == ["intake.join_same", "intake.join_renamed"]


def test_refusals() -> None:
    left, right = pd.DataFrame({"id": [1]}), pd.DataFrame({"Id": [1], "x": [2]})
    with pytest.raises(Refused, match='did you mean "Id"'):
        join(left=left, right=right, on="id", right_name="r.csv")


def test_a_file_that_matches_nobody_is_warned_about_and_loses_no_row() -> None:
    left = pd.DataFrame({"id": [1, 2]})
    done = join(left=left, right=pd.DataFrame({"id": [5], "x": [2]}), on="id")
    assert len(done.frame) == 2 and done.frame["x"].isna().all() and done.unmatched == 2
    assert done.warts[0].code == "intake.join_nothing"


def test_blank_keys_match_nobody() -> None:
    left = pd.DataFrame({"id": pd.Series([1, None], dtype="Int64")})
    right = pd.DataFrame({"id": pd.Series([None, 1], dtype="Int64"), "x": [5, 6]})
    done = join(left=left, right=right, on="id")
    assert done.frame["x"].isna().tolist() == [False, True] and done.unmatched == 1
