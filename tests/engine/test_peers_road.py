"""The peers method from outside: plan and files in, result, tables and papers out."""

from __future__ import annotations

import csv
import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from driving import audit, plan_of, result_of

from engine.drawing.tables import table_of
from engine.methods import room
from engine.methods.asking import load_plan

QUICK: dict[str, Any] = {"tune": False, "min_peers": 10, "min_accepted": 3}


def people(n: int = 240, *, protected: int | None = None, seed: int = 3) -> pd.DataFrame:
    """People of two codes whose features overlap; half of them approved, by their features."""
    rng = np.random.default_rng(seed)
    codes = np.where(rng.random(n) < 0.5, "A92", "A91")
    if protected is not None:
        codes = np.where(np.arange(n) < protected, "A92", "A91")
    x = rng.normal(size=n)
    return pd.DataFrame(
        {
            "who": [f"P{i:03d}" for i in range(n)],
            "code": codes,
            "income": np.round(1000 + 200 * x + 40 * (codes == "A91")),
            "home": np.where(rng.random(n) < 0.4, "own", "rent"),
            "approved": (rng.random(n) < 1 / (1 + np.exp(-x))).astype(int),
        }
    )


def asked(**peers: Any) -> dict[str, Any]:
    sex = {
        "name": "sex", "column": "code", "privileged": ["A91"],
        "labels": {"A91": "men", "A92": "women"},
    }  # fmt: skip
    return plan_of(
        id="who", outcome={"column": "approved", "favourable": [1]}, protected=[sex],
        methods={"peers": QUICK | peers},
    )  # fmt: skip


def drive(folder: Path, frame: pd.DataFrame, plan: dict[str, Any]) -> tuple[dict[str, Any], Path]:
    frame.to_csv(folder / "people.csv", index=False)
    code, out = audit(folder, plan)
    assert code == 0
    return result_of(out), out


def printed(path: Path) -> str:
    return subprocess.run(
        ["pdftotext", "-layout", path, "-"], capture_output=True, text=True, check=True
    ).stdout


def texts_of(part: dict[str, Any], out: Path) -> list[str]:
    """Every text that a person reads in the window and on paper."""
    plan = load_plan(out.parent / "plan.json")
    tables = {p.stem: pd.read_csv(p) for p in (out / "tables").glob("*.csv")}
    told = [f.sentence for f in room("peers", "findings").findings(result=part, plan=plan)]
    for section in room("peers", "findings").sections(result=part, plan=plan):
        told += [section.title, *section.paragraphs]
        for table in section.tables:
            told += [table.title, *table.columns, *(str(c) for row in table.rows for c in row)]
    for chart in room("peers", "figures").figures(result=part, tables=tables):
        told += [chart.title, chart.sentence, repr(table_of(chart).columns)]
        told += [repr(row[0]) for row in table_of(chart).rows]
    return [*told, printed(out / "certificate.pdf"), printed(out / "watchout.pdf")]


@pytest.fixture(scope="module")
def letters(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """A run with a page for each person on the list."""
    frame = people(n=160)
    frame["=total"] = np.where(np.arange(160) % 3 < 1, "=1+1", "@2")  # formulas, if one lets them
    plan = asked(
        order={"income": "higher is better"}, intrinsic=["home"], person_pages=True, draws=2,
        level=0.0001,
    )  # fmt: skip
    return drive(tmp_path_factory.mktemp("letters"), frame, plan)


def test_groups_are_printed_in_the_plans_words(letters: tuple[dict[str, Any], Path]) -> None:
    found, out = letters
    part = found["peers"]
    assert (part["privileged"], part["unprivileged"]) == ("A91", ["A92"])
    told = texts_of(part, out) + [w["text"] for w in found["warnings"]]
    rows = list(csv.DictReader((out / "tables" / "peers.csv").open(encoding="utf-8")))
    assert {row["Group"] for row in rows} == {"women"}
    for text in told:
        assert "A91" not in text and "A92" not in text, text
    whole = " ".join(" ".join(told).split())
    assert "people of the group “women” have" in whole
    assert "people of the group “men” in comparable circumstances" in whole


BAD = {
    "one class only": (lambda f: f.assign(approved=1), "no likelihood can be estimated"),
    "perfect separation": (
        lambda f: f.assign(income=np.where(f["code"] == "A91", 9000, 100)),
        "almost surely",
    ),
    "constant feature": (lambda f: f.assign(same=1), ""),
    "only constant features": (
        lambda f: f.assign(income=1, home="own"),
        "delta is 0 and nobody has a peer",
    ),
    "all-missing feature": (lambda f: f.assign(gone=None), "blank in every row"),
    "more features than rows": (
        lambda f: pd.concat(
            [
                f.head(60),
                pd.DataFrame(np.random.default_rng(1).normal(size=(60, 90))).add_prefix("x"),
            ],
            axis=1,
        ),
        "",
    ),
    "12 protected people": (
        lambda f: people(160, protected=12),
        "Only 12 people belong to the unprivileged groups",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_gets_a_sentence_and_the_rest_goes_on(tmp_path: Path, case: str) -> None:
    change, sentence = BAD[case]
    stress = {"stress": ["imbalance", "delta"], "stress_levels": [3], "stress_repeats": 1}
    plan = asked(**stress)
    found, out = drive(tmp_path, change(people(160)), plan)
    told = [w["text"] for w in found["warnings"]] + [found["peers"]["reason"]]
    assert sentence == "" or any(sentence in t for t in told), told
    part = found["peers"]
    assert part["n_protected"] > 0
    for text in texts_of(part, out):
        words = text.split()
        assert not {"nan", "inf"} & set(words), text
    if case in ("constant feature", "all-missing feature", "12 protected people"):
        assert part["companions"]["group_effect"]["value"] is not None


@pytest.mark.parametrize("there", ["A92", "A91"])
def test_one_group_alone_is_refused_with_what_can_still_be_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], there: str
) -> None:
    frame = people().assign(code=there)
    frame.loc[:4, "code"] = ""
    frame.to_csv(tmp_path / "people.csv", index=False)
    code, out = audit(tmp_path, asked())
    assert code == 2 and not (out / "result.json").exists()
    said = capsys.readouterr().err
    approved = int(frame["approved"].sum())
    assert f"{approved} of 240 people have a favourable recorded outcome" in said
    assert "235 people" in said and "did you mean" not in said
    assert ("nobody has" if there == "A92" else "has nobody") in said


def test_privileged_people_without_outcomes_are_said_and_the_rest_goes_on(tmp_path: Path) -> None:
    frame = people()
    frame["code"] = np.where(np.arange(len(frame)) < 5, "A91", "A92")
    frame["approved"] = frame["approved"].astype(object)
    frame.loc[:4, "approved"] = ""
    found, out = drive(tmp_path, frame, asked())
    told = " ".join(texts_of(found["peers"], out))
    assert "and 0 of the privileged one have one" in told
    assert found["peers"]["n_protected"] == 235


@pytest.mark.parametrize(
    ("setting", "value", "words"),
    [
        ("order", ["income"], "The order names features"),
        ("order", "income", "The order names features"),
        ("order", {"income": "best"}, "higher is better"),
        ("intrinsic", "home", "a list of names"),
        ("intrinsic", ["homes"], 'did you mean "home"'),
        ("stress_levels", [0, 20], "0.01"),
        ("stress_levels", "20", "a list of numbers"),
        ("stress_levels", [200], "99"),
    ],
)
def test_wrong_settings_are_refused_with_their_mend(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], setting: str, value: Any, words: str
) -> None:
    people().to_csv(tmp_path / "people.csv", index=False)
    code, _ = audit(tmp_path, asked(**{setting: value}))
    said = capsys.readouterr()
    assert code != 0 and words in said.err + said.out
    assert f"methods.peers.{setting}" in said.err + said.out


def test_the_case_of_a_run_with_stress_tests_computes_again(tmp_path: Path) -> None:
    from engine.run.rerun import rerun

    found, out = drive(tmp_path, people(), asked(stress=["delta", "models"]))
    assert found["peers"]["stress_runs"]["done"] == 4 + 6
    assert json.loads((out / "result.json").read_text())["peers"]["stress"]
    assert rerun(out / "case.fairassay").identical


def test_a_person_has_one_page_in_plain_words_and_a_line_for_a_letter(
    letters: tuple[dict[str, Any], Path],
) -> None:
    from engine.methods.peers.watchout import watchout
    from engine.run.writing import csv_text

    found, out = letters
    listed = found["peers"]["explained"]["people"]
    pages = [p for p in printed(out / "watchout.pdf").split("\f") if "Watch-out: P" in p]
    assert len(pages) == listed > 5
    for page in pages:  # all of a person's page on one sheet
        assert "In short." in page and "Reviewer, date" in page and "accuses nobody" in page
        for jargon in ("propensity", "coefficient", "Holm", "significant", "p ="):
            assert jargon not in page
    fair = {
        row["Person"]
        for row in csv.DictReader((out / "tables" / "peers.csv").open(encoding="utf-8"))
        if row["As published"] == "Fairly treated" and row["Decision or outcome"] == "unfavourable"
    }
    named = {page.split("Watch-out: ")[1].split()[0] for page in pages}
    assert named <= fair  # nobody called discriminated against or privileged
    tables = {p.stem: pd.read_csv(p) for p in (out / "tables").glob("*.csv")}
    letters = csv_text(watchout(result=found["peers"], tables=tables, pages=False).merge)
    lines = list(csv.reader(letters.splitlines()))
    assert len(lines) == listed + 1 and {line[0] for line in lines[1:]} == named
    assert not any(cell.startswith(("=", "@", "+")) for line in lines for cell in line)


def test_two_people_of_one_id_keep_their_own_pages(tmp_path: Path) -> None:
    frame = people(n=160)
    frame["who"] = [f"P{i // 2}" if i % 5 else "" for i in range(160)]
    found, out = drive(tmp_path, frame, asked(person_pages=True, draws=2, level=0.0001))
    rows = list(csv.DictReader((out / "tables" / "watchout.csv").open(encoding="utf-8")))
    keys = [(row["Person"], row["Feature"]) for row in rows]
    assert len(set(keys)) == len(keys) > 10
    names = {name for name, _ in keys}
    assert any(", row " in name for name in names) and "" not in names
    for name in names:  # what stands under a name is what the file has in that row
        row = next(r for r in rows if r["Person"] == name and r["Feature"] == "home")
        mine = frame
        if ", row " in name or name.startswith("Row "):
            mine = frame.iloc[[int(name.rsplit(" ", 1)[1]) - 1]]
        else:
            mine = frame[frame["who"] == name]
        assert set(mine["home"]) == {row["This person"]}
    assert len(list(printed(out / "watchout.pdf").split("Watch-out: "))) - 1 == len(names)
    assert found["peers"]["explained"]["people"] == len(names)


@pytest.mark.parametrize("scale", [1.0, 550.0])
def test_a_person_reads_the_score_that_the_system_gave(tmp_path: Path, scale: float) -> None:
    frame = people(n=200)
    risk = np.random.default_rng(5).random(200).round(2)
    frame["risk"] = risk * scale + (300 if scale > 1 else 0)
    frame["granted"] = (risk < 0.5).astype(int)
    system = {
        "prediction": {"column": "granted", "favourable": [1]},
        "score": {"column": "risk", "high_is": "unfavourable"},
    }  # fmt: skip
    plan = asked(person_pages=True, draws=2, level=0.0001) | {"system": system}
    found, out = drive(tmp_path, frame, plan)
    pages = printed(out / "watchout.pdf").split("Watch-out: ")[1:]
    assert len(pages) > 3
    told = frame.set_index("who")
    for page in pages:
        words = " ".join(page.split())
        given = told.loc[words.split()[0], "risk"]
        if scale > 1:
            assert f"The score of this person is {given:.1f}." in words
            assert (
                "a less favourable one" in words
                and "\N{MINUS SIGN}" not in words.split("As pub")[0]
            )
        else:
            assert f"is {100 * (1 - given):.0f} % for this person" in words.replace(
                "over 99", "100"
            )
    assert any(w["code"] == "peers.turned" for w in found["warnings"]) is (scale > 1)
    rows = list(csv.DictReader((out / "tables" / "peers.csv").open(encoding="utf-8")))
    known = {row["Person"]: float(row["Own likelihood"]) for row in rows if row["Own likelihood"]}
    for name, own in known.items():
        assert own == pytest.approx(-told.loc[name, "risk"] + (1 if scale == 1 else 0))
