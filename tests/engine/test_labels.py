"""Groups printed in the plan's words, while result keys stay those of the values."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from driving import audit, audited, plan_of, result_of

from engine.methods import room
from engine.methods.asking import load_plan
from engine.samples import built_in

ROWS = [(("A91", "A93", "A92")[i % 3], 20 + i, int(i % 5 > 1 + (i % 3 == 2))) for i in range(60)]
PEOPLE = "code,age,approved\n" + "".join(f"{c},{a},{y}\n" for c, a, y in ROWS)
SEX = {
    "name": "sex", "column": "code", "privileged": ["A91", "A93"],
    "labels": {"A91": "men", "A93": "men", "A92": "women"},
}  # fmt: skip
AGE = {
    "column": "age", "privileged": {"at_least": 30},
    "labels": {"at least 30": "30 and over", "below 30": "under 30"},
}  # fmt: skip


def sentences(value: Any) -> list[str]:
    """Every text that a result holds as a value, its keys and the plan left aside."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [s for k, v in value.items() if k != "plan" for s in sentences(v)]
    return [s for v in value for s in sentences(v)] if isinstance(value, list) else []


def test_people_read_words_and_machines_read_keys(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(PEOPLE)
    code, out = audit(tmp_path, plan_of(protected=[SEX, AGE]))
    assert code == 0
    found = result_of(out)
    sex = found["certification"]["attributes"]["sex"]
    assert (sex["privileged"], sex["unprivileged"]) == ("A91, A93", ["A92"])
    assert set(sex["groups"]) == {"A91, A93", "A92"}
    told = [*sentences(found["warnings"]), *sentences(found["certification"]["recommendation"])]
    plan = load_plan(tmp_path / "plan.json")
    part = found["certification"]
    told += [f.sentence for f in room("certification", "findings").findings(result=part, plan=plan)]
    for section in room("certification", "findings").sections(result=part, plan=plan):
        told.append(section.title)
        for table in section.tables:
            told += [table.title, *table.columns, *(str(c) for row in table.rows for c in row)]
    for chart in room("certification", "figures").figures(result=part, tables={}):
        told.append(repr(chart))
    page = subprocess.run(
        ["pdftotext", "-layout", out / "certificate.pdf", "-"], capture_output=True, text=True
    ).stdout
    for text in (*told, page):
        for key in ("A91", "A92", "below 30", "at least 30"):
            assert key not in text, text
    assert "women compared with men" in page
    assert "under 30 compared with 30 and over" in page


def test_without_labels_the_key_is_printed(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(PEOPLE)
    bare = {k: v for k, v in SEX.items() if k != "labels"}
    groups = audited(tmp_path, plan_of(protected=[bare]))["certification"]["attributes"]["sex"]
    assert {k: g["words"] for k, g in groups["groups"].items()} == {
        "A91, A93": "A91, A93",
        "A92": "A92",
    }


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ({"A91": "people", "A93": "people", "A92": "people"}, 'protected[0].labels: both "A91, A93"'),
        ({"A92": ""}, "protected[0].labels.A92: the text is empty"),
        ({"A92": 5}, "protected[0].labels.A92: a text in quotation marks is needed"),
        (["women"], "protected[0].labels: an object in braces is needed"),
    ],
)  # fmt: skip
def test_labels_that_would_mislead_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], labels: Any, said: str
) -> None:
    """Two groups printed alike would be one group to a reader (case C07)."""
    (tmp_path / "people.csv").write_text(PEOPLE)
    code, out = audit(tmp_path, plan_of(protected=[SEX | {"labels": labels}]))
    assert code == 2
    assert not out.exists()
    assert capsys.readouterr().err.startswith(f"plan.json: {said}")


def test_a_label_of_nobody_is_told(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(PEOPLE)
    labels = {"A92": "women", "A29": "others"}
    found = audited(tmp_path, plan_of(protected=[SEX | {"labels": labels}]))
    texts = [w["text"] for w in found["warnings"] if w["code"] == "cohort.label_of_nobody"]
    assert len(texts) == 1 and texts[0].startswith('Words are given for "A29", which is no group')


def test_the_sample_names_its_groups() -> None:
    plan = json.loads(built_in.files("german")["plan.json"])
    age, sex = plan["protected"]
    assert age["labels"] == {"at least 30": "30 and over", "below 30": "under 30"}
    assert set(sex["labels"].values()) == {"male", "female"}
