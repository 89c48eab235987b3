"""A case computed again: every figure the same, and one that was tampered with found."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from engine.base.canonical import canonical_json
from engine.base.problems import Refused
from engine.case.build import Run, case_from_run
from engine.case.register import Entry, Register
from engine.case.store import Case
from engine.cli import DONE, NOT_VALID, REFUSED, main
from engine.reports import keys, sign
from engine.run.rerun import compare, rerun

WHO = {"who": "Evaluator", "when": "2026-11-24T10:41:00+01:00"}
PASS = "four words make one"


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small audit by the command line: result, certificate, case."""
    folder = tmp_path_factory.mktemp("audit")
    rows = ["id,sex,outcome,pred"]
    for n in range(240):
        good = n % 3 != 0
        rows.append(f"{n},{'fm'[n % 2]},{'good' if good else 'bad'},{'good' if n % 5 else 'bad'}")
    (folder / "all.csv").write_text("\n".join(rows) + "\n")
    plan = {
        "schema": "fairassay-plan/1",
        "seed": 3,
        "case": {"reference": "EAO-2026-0030", "organisation": "Example Audit Office"},
        "data": {"all": {"path": "all.csv"}},
        "id": "id",
        "outcome": {"column": "outcome", "favourable": ["good"]},
        "system": {"prediction": {"column": "pred", "favourable": ["good"]}},
        "protected": [{"column": "sex", "privileged": ["m"]}],
        "resamples": 50,
        "methods": {"certification": {}},
    }
    (folder / "plan.json").write_text(json.dumps(plan))
    assert main(["audit", str(folder / "plan.json"), "--out", str(folder / "out")]) == DONE
    office = keys.make(name="Eva", out=folder / "keys", passphrase=PASS, today=date.today())
    sign.sign(
        path=folder / "out" / "certificate.pdf", key=office.key, out=folder / "signed.pdf",
        passphrase=PASS, when=datetime.now(UTC),
    )  # fmt: skip
    return folder


def test_every_figure_is_the_same(done: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = done / "out" / "case.fairassay"
    before = case.read_bytes()
    found = rerun(case)
    assert found.same and found.identical and found.figures > 50
    assert main(["verify", "--rerun", str(case)]) == DONE
    assert "figures are the same" in capsys.readouterr().out
    assert case.read_bytes() == before


def test_a_figure_that_was_changed_is_named(done: Path, tmp_path: Path) -> None:
    """A case whose kept result says more than its evidence gives."""
    result = json.loads((done / "out" / "result.json").read_text())
    result["certification"]["attributes"]["sex"]["metrics"]["SPD"]["value"] = 0.0625
    result["certification"]["fairness_score"]["value"] = 0.75
    path = tmp_path / "better.fairassay"
    case_from_run(
        path=path, plan=json.loads((done / "plan.json").read_text()),
        run=Run(canonical_json(result).encode(), result["plan_sha256"], {}),
        files={"all.csv": done / "all.csv"}, **WHO,
    )  # fmt: skip
    found = rerun(path)
    assert not found.same
    assert {d.place for d in found.differences} == {
        "certification.attributes.sex.metrics.SPD.value", "certification.fairness_score.value",
    }  # fmt: skip
    assert main(["verify", "--rerun", str(path)]) == NOT_VALID


def test_certificate_and_case_are_held_together(
    done: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = ["verify", str(done / "signed.pdf"), "--trust", str(done / "keys" / "root.pem")]
    assert main([*call, "--rerun", str(done / "out" / "case.fairassay")]) == DONE
    said = capsys.readouterr().out
    assert said.startswith("Valid.") and "byte for byte" in said


def test_the_register_speaks_on_the_command_line(
    done: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from engine.reports.verify import verify

    book = tmp_path / "r.fairregister"
    call = ["verify", str(done / "signed.pdf"), "--trust", str(done / "keys" / "root.pem")]
    call += ["--register", str(book)]
    assert main(call) == REFUSED
    paper = verify(done / "signed.pdf")
    entry = Entry(
        paper.number, paper.revision, "statement of findings", "S", "C", "valid", "", "2026-11-24",
        "", "", "", "", paper.sha256, "Eva",
    )  # fmt: skip
    Register(book).enter(entry, **WHO)
    assert main(call) == DONE
    Register(book).set_status(paper.number, paper.revision, "withdrawn", reason="Error", **WHO)
    capsys.readouterr()
    assert main(call) == NOT_VALID
    said = capsys.readouterr().out
    assert "WITHDRAWN" in said and "Error" in said


def test_a_case_edited_by_hand_is_told(
    done: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its figures may still be the same, but it is not the case that was signed over."""
    path = tmp_path / "edited.fairassay"
    path.write_bytes((done / "out" / "case.fairassay").read_bytes())
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE head SET state = replace(state, 'Example Audit Office', 'Other Office')")
        assert db.total_changes == 1
    found = rerun(path)
    assert found.same and not found.whole
    call = ["verify", str(done / "signed.pdf"), "--trust", str(done / "keys" / "root.pem")]
    assert main([*call, "--rerun", str(path)]) == NOT_VALID
    assert "changed outside FairAssay" in capsys.readouterr().out


def test_what_cannot_be_computed_again(done: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.fairassay"
    Case.create(empty, **WHO).close()
    with pytest.raises(Refused, match="no result yet"):
        rerun(empty)
    lost = tmp_path / "lost.fairassay"
    lost.write_bytes((done / "out" / "case.fairassay").read_bytes())
    foreign = json.loads((done / "out" / "result.json").read_text())
    foreign["inputs"][0]["sha256"] = "00" * 32
    with pytest.raises(Refused, match="does not hold this file"):
        rerun(lost, printed=canonical_json(foreign).encode())
    with pytest.raises(Refused, match="none of FairAssay"):
        rerun(lost, printed=b"[]")
    assert main(["verify"]) == REFUSED
    assert main(["verify", "--rerun", str(lost), "--trust", "root.pem"]) == REFUSED


def test_rounding_of_another_machine_is_told_and_forgiven() -> None:
    one, two = ({"a": a, "b": {"c": [1, 2]}} for a in (0.1, 0.1 * (1 + 1e-13)))
    found = compare(canonical_json(one).encode(), canonical_json(two).encode())
    assert found.same and not found.identical and found.rounded == 1
    gone = compare(b'{"a":1,"b":null}', b'{"a":true}')
    assert [d.place for d in gone.differences] == ["a", "b"]
    assert "NOT the same" in gone.lines[0]
