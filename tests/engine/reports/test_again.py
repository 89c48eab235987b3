"""The last audit and the governance sheet on paper: tables, figure, findings, a sheet of its own."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from engine.drawing.tables import table_of
from engine.methods.asking import read_plan
from engine.procedure import recertify
from engine.procedure.state import new_state
from engine.reports import again, annex, certificate
from engine.run import run

from . import samples
from .conftest import run as tool

SHEET = {
    "owners": [{"role": "Owner", "name": "Head of lending", "duty": "may stop it"}],
    "cadence": "quarterly",
    "first_check": "2027-01-31",
    "appeal": "By letter, answered within 14 days. Ελληνικά.",
    "next_audit": "2027-11-29",
}


def audited(folder: Path, *, women: float, seed: int, **more: Any) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    sex = np.repeat(["M", "F"], 500)
    ok = (rng.random(1000) < np.where(sex == "F", women, 0.6)).astype(int)
    pd.DataFrame({"sex": sex, "ok": ok}).to_csv(folder / f"{seed}.csv", index=False)
    plan = {
        "schema": "fairassay-plan/1",
        "case": {"system": "Loans", "version": "1.0", "evaluator": "E. Example"},
        "data": {"all": {"path": f"{seed}.csv"}},
        "outcome": {"column": "ok", "favourable": [1]},
        "protected": [{"column": "sex", "privileged": ["M"], "labels": {"M": "men", "F": "women"}}],
        "resamples": 200,
        "methods": {"certification": {}, "intersection": {}},
    }
    return run(plan=read_plan(plan | more), base=folder).result


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], dict[str, Any]]:
    folder = tmp_path_factory.mktemp("again")
    return audited(folder, women=0.6, seed=1), audited(folder, women=0.3, seed=2)


def case_of(old: dict[str, Any]) -> dict[str, Any]:
    """A new case from the old paper alone, with its data and version changed."""
    state = recertify.state_from_paper(
        summary={"number": "EAO-2025-0007", "revision": 1, "organisation": "Example Audit Office"},
        plan=old["plan"], result=old, result_sha256="ab" * 32, sha256="cd" * 32,
    )  # fmt: skip
    state["items"] = [{"name": "2.csv", "role": "all", "sha256": "ef" * 32}]
    return state


def test_a_paper_alone_hands_on_what_was_measured(both: Any) -> None:
    state = case_of(both[0])
    assert state["follows"] == {"number": "EAO-2025-0007", "revision": 1, "sha256": "cd" * 32}
    assert state["case"]["system"] == "Loans" and state["case"]["evaluator"] == ""
    assert state["case"]["organisation"] == "Example Audit Office"
    assert state["set"] == {} and state["result"] is None, "the tolerance is a draft"
    found = recertify.changes(state)
    assert [c.key for c in found] == ["files.all"], "what a run spells out is no change"
    written = {
        **state, "plan": {
            "protected": [{"column": "sex", "privileged": ["M"], "labels": {"M": "men", "F": "women"}}],
            "outcome": {"column": "ok", "favourable": [1]}, "resamples": 200,
            "tolerance": {"difference": 0.1},
            "methods": both[0]["plan"]["methods"],
        },
    }  # fmt: skip
    assert [c.key for c in recertify.changes(written)] == ["files.all"]


def test_each_measure_stands_then_and_now(both: Any) -> None:
    old, new = both
    part = again.against(state=case_of(old), result=new, before=old)
    first, second = part.sections
    assert "follows EAO-2025-0007, revision 1" in first.paragraphs[0]
    assert first.tables[0].rows[0][1] == "no reason given"
    tables = {t.title: t for t in second.tables}
    assert tables["Data then and now"].rows == (("All people", "1,000", "1,000", "others"),)
    rows = {r[0]: r for r in tables["sex: then and now"].rows}
    values = [r["certification"]["attributes"]["sex"]["metrics"]["SPD"]["value"] for r in both]
    shown = rows["Statistical parity difference"]
    assert shown[1].replace("−", "-") == f"{values[0]:.3f}"
    assert shown[3].replace("−", "-") == f"{values[1] - values[0]:+.3f}"
    assert str(shown[5]) == "outside" and shown[6] in ("within", "not settled")
    said = " ".join(f.sentence for f in second.findings)
    assert "Statistical parity difference, sex: the verdict turned" in said
    crossed = " ".join(r[0] for r in tables["Crossed groups: then and now"].rows)
    assert "sex women" in crossed and "sex=F" not in crossed
    chart = part.charts["since_last_audit"]
    drawn = table_of(chart)
    place = drawn.columns.index("Value")
    row = next(r for r in drawn.rows if r[1] == "Statistical parity difference")
    assert row[place] == pytest.approx(values[1] - values[0])
    lines = list(csv.DictReader(io.StringIO(again.every_change(before=old, result=new).decode())))
    found = recertify.compare(old, new, confidence=0.95)
    assert len(lines) == len(found["metrics"])
    turned = [line for line in lines if line["Turned"] == "yes"]
    assert len(turned) == len(found["turned"]) > 0


def test_without_the_last_result_it_says_so(both: Any) -> None:
    part = again.against(state=case_of(both[0]), result=both[1], before=None)
    assert part.sections[1].findings[0].grade == "not checked"
    assert again.of_case(state=new_state(), result=both[1]) == ()


def test_both_stand_on_the_paper(tmp_path: Path, squeezed: Callable[[str], str]) -> None:
    result = samples.german()
    state = {
        **samples.case(), "governance": SHEET, "follows": {"number": "EAO-2025-0007", "revision": 0},
        "before": {"case": {"version": "3.9"}, "plan": result["plan"], "files": []},
    }  # fmt: skip
    parts = again.of_case(state=state, result=result, before=result)
    assert [p.name for p in parts] == ["since_last_audit", "governance_sheet"]
    path = tmp_path / "paper.pdf"
    files = samples.files(result)
    path.write_bytes(certificate.build(state=state, result=result, parts=parts, **files))
    text = squeezed(tool("pdftotext", path, "-"))
    for words in (
        "Since the last audit", "EAO-2025-0007, revision 0", "no reason given",
        "Governance sheet", "Owner: Head of lending (may stop it)",
        "Every three months", "not supplied", "30 April 2027", "Ελληνικά",
    ):  # fmt: skip
        assert squeezed(words) in text, words


def test_the_sheet_is_a_paper_of_its_own(tmp_path: Path, squeezed: Callable[[str], str]) -> None:
    pdf = annex.build(
        part=again.sheet(SHEET), head="Example Audit Office · Loans · 2.0",
        organisation="Example Audit Office",
    )  # fmt: skip
    again_ = annex.build(
        part=again.sheet(SHEET), head="Example Audit Office · Loans · 2.0",
        organisation="Example Audit Office",
    )  # fmt: skip
    assert pdf == again_, "the same bytes for the same answers"
    path = tmp_path / "sheet.pdf"
    path.write_bytes(pdf)
    assert tool("qpdf", "--check", path)
    text = squeezed(tool("pdftotext", path, "-"))
    assert squeezed("Rollback procedure") in text and squeezed("not supplied") in text


@pytest.fixture
def squeezed() -> Callable[[str], str]:
    return lambda text: "".join(text.split())
