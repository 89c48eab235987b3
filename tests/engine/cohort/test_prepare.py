"""The contract's sections Values, Rules, Groups, Membership, Weights and Refused, one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from engine.base.problems import Refused
from engine.cohort.model import LEFT_OUT, UNKNOWN, Cohort
from engine.cohort.prepare import prepare
from engine.intake.model import Received, Table
from engine.plan.parse import parse

METHODS: dict[str, dict[str, Any]] = {
    "certification": {},
    "intersection": {"unusable_membership": "leave out"},
}


def table(name: str = "people.csv", **columns: Any) -> Table:
    made = {}
    for key, values in columns.items():
        if all(isinstance(v, str) or v is None for v in values):
            seen = list(dict.fromkeys(v for v in values if v is not None))
            made[key] = pd.Categorical(values, categories=seen)
        elif all(v is None or (isinstance(v, int)) for v in values):
            made[key] = pd.array(values, dtype="Int64")
        else:
            made[key] = np.array(values, dtype=float)
    return Table(pd.DataFrame(made), (Received(name, 1, "0" * 64),), {})


def cohort(
    tables: Table | dict[str, Table], *, joins: tuple[Table, ...] = (), **changes: Any
) -> Cohort:
    found = tables if isinstance(tables, dict) else {"all": tables}
    data: dict[str, Any] = {
        "schema": "fairassay-plan/1",
        "data": {role: {"path": t.received[0].name} for role, t in found.items()},
        "outcome": {"column": "y", "favourable": [1]},
        "protected": [{"column": "sex", "privileged": ["M"]}],
        "methods": {"certification": {}},
    }
    data |= changes
    return prepare(plan=parse(data, methods=METHODS), tables=found, joins=joins)


def refusal(*args: Any, **changes: Any) -> str:
    with pytest.raises(Refused) as caught:
        cohort(*args, **changes)
    return str(caught.value)


def keys(found: Cohort) -> list[str]:
    return [g.key for g in found.attributes[0].groups]


def codes(found: Cohort) -> list[int]:
    assert found.whole is not None
    return found.whole.codes[found.attributes[0].name].tolist()


def outcome(found: Cohort) -> list[int]:
    assert found.whole is not None and found.whole.outcome is not None
    return found.whole.outcome.tolist()


# Values


@pytest.mark.parametrize("written", [1, "1", 1.0, "1.0", " 1 "])
@pytest.mark.parametrize("column", [[1, 0, 1, None], ["1", "0", "1", None], [1.0, 0.0, 1.0, None]])
def test_one_value_however_it_is_written(written: Any, column: list[Any]) -> None:
    found = cohort(
        table(sex=["M", "F", "M", "F"], y=column), outcome={"column": "y", "favourable": [written]}
    )
    assert outcome(found) == [1, 0, 1, UNKNOWN]


def test_true_names_the_text_true() -> None:
    found = cohort(
        table(sex=["M", "F"], y=["TRUE", "FALSE"]), outcome={"column": "y", "favourable": [True]}
    )
    assert outcome(found) == [1, 0]


def test_outer_blanks_are_forgiven_with_a_warning_and_kept_in_the_data() -> None:
    found = cohort(table(sex=[" M", " F", " M"], y=[1, 0, 1]))
    assert keys(found) == ["M", "F"] and codes(found) == [0, 1, 0]
    assert [w["code"] for w in found.warnings] == ["cohort.outer_blanks"]
    assert found.whole is not None and found.whole.frame["sex"].iloc[0] == " M"


def test_no_warning_where_the_plan_writes_the_blanks_too() -> None:
    found = cohort(
        table(sex=[" M", " F"], y=[1, 0]), protected=[{"column": "sex", "privileged": [" M"]}]
    )
    assert keys(found) == ["M", "F"] and not found.warnings


def test_favourable_serves_all_sources_together() -> None:
    tables = {
        "training": table("adult.data", sex=["M", "F"], y=[">50K", "<=50K"]),
        "test": table("adult.test", sex=["M", "F"], y=["<=50K.", ">50K."]),
    }
    found = cohort(tables, outcome={"column": "y", "favourable": [">50K", ">50K."]})
    assert found.training is not None and found.training.outcome is not None
    assert found.test is not None and found.test.outcome is not None
    assert found.training.outcome.tolist() == [1, 0] and found.test.outcome.tolist() == [0, 1]


def test_a_source_without_any_favourable_value_is_pointed_out() -> None:
    tables = {
        "training": table("adult.data", sex=["M", "F"], y=[">50K", "<=50K"]),
        "test": table("adult.test", sex=["M", "F"], y=["<=50K.", ">50K."]),
    }
    found = cohort(tables, outcome={"column": "y", "favourable": [">50K"]})
    assert "cohort.no_favourable_here" in [w["code"] for w in found.warnings]


def test_a_favourable_value_that_never_occurs_is_refused() -> None:
    told = refusal(
        table(sex=["M", "F"], y=["good", "bad"]), outcome={"column": "y", "favourable": ["goud"]}
    )
    assert told == (
        'plan.json: outcome.favourable: no row has the value "goud" in column "y"; '
        'did you mean "good"?'
    )


def test_values_in_neither_list_are_unknown_and_counted() -> None:
    found = cohort(
        table(sex=["M", "M", "F", "F"], y=["yes", "no", "maybe", None]),
        outcome={"column": "y", "favourable": ["yes"], "unfavourable": ["no"]},
    )
    assert outcome(found) == [1, 0, UNKNOWN, UNKNOWN]
    told = {e["cause"]: e for e in found.exclusions}
    assert told["unknown outcome"]["rows"] == 1
    assert "1 of 2 in F and 0 of 2 in M" in told["unknown outcome"]["why"]
    assert told["outcome in neither list"]["rows"] == 1 and '"maybe"' in str(told)


def test_without_a_list_every_other_known_value_is_unfavourable() -> None:
    found = cohort(
        table(sex=["M", "M", "F"], y=["yes", "no", "never"]),
        outcome={"column": "y", "favourable": ["yes"]},
    )
    assert outcome(found) == [1, 0, 0]
    assert "cohort.several_unfavourable" in [w["code"] for w in found.warnings]


def test_a_rule_as_outcome() -> None:
    found = cohort(
        table(sex=["M", "F", "F"], y=[0.7, 0.2, None]),
        outcome={"column": "y", "favourable": {"at_least": 0.5}},
    )
    assert outcome(found) == [1, 0, UNKNOWN]


def test_a_score_where_a_decision_is_expected() -> None:
    told = refusal(
        table(sex=["M", "F", "M"], y=[1, 0, 1], p=[0.9, 0.1, 1.0]),
        system={"prediction": {"column": "p", "favourable": [1]}},
    )
    assert 'system.prediction.favourable: column "p" holds 3 different numbers' in told
    assert '{"at_least": 0.5}' in told


# Groups and rules


def test_rules_and_their_complements_read_as_the_contract_says() -> None:
    ages = [29, 30, 59, 60, None]
    y = [1, 0, 1, 0, 1]
    for rule, expected, coded in [
        ({"at_least": 30}, ["at least 30", "below 30"], [1, 0, 0, 0, UNKNOWN]),
        ({"below": 30}, ["below 30", "at least 30"], [0, 1, 1, 1, UNKNOWN]),
        ({"between": [30, 60]}, ["30 to under 60", "not 30 to under 60"], [1, 0, 0, 1, UNKNOWN]),
    ]:
        found = cohort(table(age=ages, y=y), protected=[{"column": "age", "privileged": rule}])
        assert keys(found) == expected and codes(found) == coded


def test_whole_numbers_are_keys_without_decimals() -> None:
    found = cohort(
        table(race=[5.0, 3.0, 10.0, None], y=[1, 0, 1, 0]),
        protected=[{"column": "race", "privileged": [5]}],
    )
    assert keys(found) == ["5", "3", "10"] and codes(found) == [0, 1, 2, UNKNOWN]


def test_several_privileged_values_are_one_group() -> None:
    found = cohort(
        table(s=["A91", "A92", "A93", "A94"], y=[1, 0, 1, 0]),
        protected=[{"name": "sex", "column": "s", "privileged": ["A91", "A93", "A94"]}],
    )
    assert keys(found) == ["A91, A93, A94", "A92"] and codes(found) == [0, 1, 0, 0]


def test_with_a_list_the_values_in_no_list_are_left_out_and_counted() -> None:
    found = cohort(
        table(r=["a", "b", "c", "d", "d"], y=[1, 0, 1, 0, 1]),
        protected=[
            {"column": "r", "privileged": ["a"], "unprivileged": ["c", "b"], "left_out": ["d"]}
        ],
    )
    assert keys(found) == ["a", "c", "b"]
    assert codes(found) == [0, 2, 1, LEFT_OUT, LEFT_OUT]
    (entry,) = found.exclusions
    assert (entry["rows"], entry["attribute"], entry["cause"]) == (2, "r", "left out")
    assert '"d"' in entry["why"]


def test_values_and_rules_may_stand_in_one_list() -> None:
    found = cohort(
        table(age=[10, 20, 40, 65], y=[1, 0, 1, 0]),
        protected=[
            {
                "column": "age",
                "privileged": [{"between": [30, 60]}],
                "unprivileged": [{"below": 15}, 65],
            }
        ],
    )
    assert keys(found) == ["30 to under 60", "below 15", "65"]
    assert codes(found) == [1, LEFT_OUT, 0, 2]


def test_a_blank_is_never_a_group_and_is_told_with_its_outcomes() -> None:
    sex = ["M"] * 10 + ["F"] * 10 + [None] * 10
    y = [1] * 6 + [0] * 4 + [1] * 4 + [0] * 6 + [1] * 9 + [0]
    found = cohort(table(sex=sex, y=y))
    assert keys(found) == ["M", "F"]
    (entry,) = found.exclusions
    assert entry["rows"] == 10 and entry["what"] == "people.csv, sex: not recorded"
    assert entry["why"] == (
        "10 of 30 people (33.3 %) have no sex recorded; 9 of these 10 have the favourable outcome."
    )


def test_a_misspelt_privileged_value_is_refused() -> None:
    told = refusal(
        table(sex=["male", "female"], y=[1, 0]),
        protected=[{"column": "sex", "privileged": ["mael"]}],
    )
    assert 'protected[0].privileged: column "sex" has no value "mael"; did you mean "male"?' in told


def test_an_unknown_column_is_refused_with_the_nearest() -> None:
    told = refusal(
        table("german.csv", Sex=["M", "F"], y=[1, 0]),
        protected=[{"column": "sexx", "privileged": ["M"]}],
    )
    assert told == (
        'plan.json: protected[0].column: german.csv has no column "sexx"; did you mean "Sex"?'
    )


def test_one_side_alone_in_all_data_is_refused() -> None:
    assert "the unprivileged side has nobody" in refusal(table(sex=["M", "M"], y=[1, 0]))
    told = refusal(
        table(age=[20, 25], y=[1, 0]), protected=[{"column": "age", "privileged": {"at_least": 30}}]
    )
    assert 'the privileged group "at least 30" has nobody' in told


def test_a_group_missing_from_test_alone_is_not_refused() -> None:
    tables = {
        "training": table("a.csv", sex=["M", "F"], y=[1, 0]),
        "test": table("b.csv", sex=["M", "M"], y=[1, 0]),
    }
    found = cohort(tables)
    assert keys(found) == ["M", "F"]


def test_a_group_without_known_outcomes_is_not_refused() -> None:
    found = cohort(table(sex=["M", "M", "F"], y=[1, 0, None]))
    assert outcome(found) == [1, 0, UNKNOWN]


def test_a_rule_on_text_is_refused_and_the_text_is_named() -> None:
    told = refusal(
        table(age=["30", "old", "41"], y=[1, 0, 1]),
        protected=[{"column": "age", "privileged": {"at_least": 30}}],
    )
    assert 'holds text in column "age" (row 2: "old")' in told


def test_a_number_in_two_groups_is_refused() -> None:
    told = refusal(
        table(age=[20, 30, 40], y=[1, 0, 1]),
        protected=[
            {"column": "age", "privileged": {"at_least": 30}, "unprivileged": {"below": 35}}
        ],
    )
    assert '"30" belongs to the privileged values and to the unprivileged group "below 35"' in told


def test_too_many_values_are_no_groups() -> None:
    told = refusal(
        table(id=list(range(600)), y=[0, 1] * 300), protected=[{"column": "id", "privileged": [1]}]
    )
    assert "has 600 different values; cut it by a rule" in told


def test_all_problems_are_told_at_once() -> None:
    told = refusal(
        table(sex=["M", "F"], y=[1, 0]),
        outcome={"column": "Y2", "favourable": [1]},
        protected=[{"column": "sexx", "privileged": ["M"]}],
        weight="w",
    )
    assert [line.split(": ")[1] for line in told.splitlines()] == [
        "outcome.column", "protected[0].column", "weight",
    ]  # fmt: skip


# Membership


def soft(**changes: Any) -> Cohort:
    people = table(pa=[0.8, 0.5, 0.3, None, 0.9], pb=[0.2, 0.5, 0.3, 0.5, 0.2], y=[1, 0, 1, 0, 1])
    attribute = {"name": "eth", "membership": {"A": "pa", "B": "pb"}, "privileged": ["A"]}
    return cohort(people, protected=[attribute], **changes)


def test_unusable_membership_is_left_out_named_and_counted() -> None:
    found = soft()
    assert found.whole is not None
    shares = found.whole.membership["eth"]
    assert shares.tolist() == [[0.8, 0.2], [0.5, 0.5], [0, 0], [0, 0], [0, 0]]
    (entry,) = found.exclusions
    assert entry["rows"] == 3
    (warning,) = found.warnings
    assert "row 3, row 4, row 5" in warning["text"]


def test_unusable_membership_can_be_scaled_or_refused() -> None:
    scaled = soft(methods={"intersection": {"unusable_membership": "renormalise"}})
    assert scaled.whole is not None
    shares = scaled.whole.membership["eth"]
    np.testing.assert_allclose(shares[2], [0.5, 0.5])
    np.testing.assert_allclose(shares[4], [9 / 11, 2 / 11])
    assert shares[3].sum() == 0
    with pytest.raises(Refused, match="3 of 5 rows"):
        soft(methods={"intersection": {"unusable_membership": "refuse"}})


# Weights, scores, ids


@pytest.mark.parametrize(
    ("weight", "line"),
    [
        ([1.0, -2.0], "1 of 2 rows of people.csv have a negative weight"),
        ([1.0, None], "have a blank weight"),
        ([0.0, 0.0], "all weights"),
        (["a", "b"], "numbers are needed"),
    ],
)
def test_bad_weights_are_refused(weight: list[Any], line: str) -> None:
    assert line in refusal(table(sex=["M", "F"], y=[1, 0], w=weight), weight="w")


def test_scores_are_turned_so_that_high_is_favourable() -> None:
    found = cohort(
        table(sex=["M", "F"], y=[1, 0], s=[3.0, 0.0]),
        system={"score": {"column": "s", "high_is": "unfavourable"}},
    )
    assert found.whole is not None and found.whole.score is not None
    assert found.whole.score.tolist() == [-3.0, 0.0]
    assert not np.signbit(found.whole.score[1])


def test_reversed_decisions_are_pointed_out() -> None:
    y = [1, 0] * 50
    found = cohort(
        table(sex=["M", "F"] * 50, y=y, p=[1 - v for v in y]),
        system={"prediction": {"column": "p", "favourable": [1]}},
    )
    assert "cohort.reversed" in [w["code"] for w in found.warnings]


# Rows, features, split


def test_rows_are_chosen_and_the_others_counted() -> None:
    found = cohort(
        table(sex=["M", "F", "M", "F"], y=[1, 0, 1, 0], year=[2024, 2024, 2025, None]),
        data={"all": {"path": "people.csv", "rows": [{"column": "year", "keep": [2024]}]}},
    )
    assert found.whole is not None and len(found.whole) == 2
    (entry,) = found.exclusions
    assert (entry["rows"], entry["cause"]) == (2, "rows")


def test_rows_by_a_rule_that_keeps_nobody_are_refused() -> None:
    told = refusal(
        table(sex=["M", "F"], y=[1, 0], age=[20, 30]),
        data={"all": {"path": "p.csv", "rows": [{"column": "age", "keep": {"at_least": 99}}]}},
    )
    assert "data.all.rows[0].keep: no row of people.csv is kept" in told


def test_features_are_all_columns_that_serve_nothing_else() -> None:
    found = cohort(
        table(id=[1, 2], sex=["M", "F"], y=[1, 0], p=[1, 0], s=[0.5, 0.1], w=[1.0, 1.0], x=[3, 4]),
        id="id",
        weight="w",
        system={
            "prediction": {"column": "p", "favourable": [1]},
            "score": {"column": "s"},
        },
    )
    assert found.features == ("sex", "x")


def test_all_is_split_for_a_stand_in_and_only_then() -> None:
    people = table(sex=["M", "F"] * 50, y=[1, 0, 0, 1] * 25, x=list(range(100)))
    assert cohort(people).training is None
    found = cohort(people, system={"train": {}})
    assert found.training is not None and found.test is not None and found.whole is not None
    assert (len(found.training), len(found.test), len(found.whole)) == (85, 15, 100)
    rows = {*found.training.frame["x"], *found.test.frame["x"]}
    assert rows == set(range(100))
    again = cohort(people, system={"train": {}})
    assert again.test is not None
    assert again.test.frame["x"].tolist() == found.test.frame["x"].tolist()
    other = cohort(people, system={"train": {}}, seed=7)
    assert other.test is not None
    assert other.test.frame["x"].tolist() != found.test.frame["x"].tolist()


def test_a_file_without_people_is_refused() -> None:
    empty = Table(pd.DataFrame({"sex": [], "y": []}), (Received("e.csv", 1, "0"),), {})
    assert "e.csv has no rows of data" in refusal(empty)
