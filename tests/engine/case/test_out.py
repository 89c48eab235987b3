"""What leaves a case: one built from a run, the inputs of a run, the sealed export."""

from __future__ import annotations

import io
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

from engine.base.canonical import canonical_json
from engine.base.problems import Refused
from engine.case.build import Run, case_from_run, inside, write_inputs
from engine.case.check import check
from engine.case.export import MANIFEST, export
from engine.case.store import Case
from engine.plan.form import to_dict
from engine.plan.parse import parse
from engine.procedure import acts
from engine.procedure.basis import result_is_current
from engine.procedure.plan_of import plan_dict
from engine.procedure.steps import steps

from .helpers import DATA, WHO, small_case

PLAN: dict[str, Any] = {
    "schema": "fairassay-plan/1",
    "case": {"system": "Loans & <b>co</b>", "evaluator": "Evaluator"},
    "data": {"training": {"path": "in/x.csv"}, "test": {"path": ["y.csv", "in2/x.csv"]}},
    "outcome": {"column": "Risk", "favourable": ["good"]},
    "system": {"prediction": {"column": "p", "favourable": ["good"]}},
    "protected": [{"column": "Sex", "privileged": ["male"]}],
    "methods": {"certification": {}},
}
MEASURE = {"value": -0.11, "low": -0.171, "high": -0.049, "verdict": "not settled", "reason": ""}
NONE = {"value": None, "low": None, "high": None, "verdict": "not computable", "reason": "No one."}
RESULT = {
    "schema": "fairassay-result/1",
    "certification": {"attributes": {"Sex": {"metrics": {"SPD": MEASURE, "DI": NONE}}}},
}


@pytest.fixture
def built(tmp_path: Path) -> Path:
    files = {}
    for number, name in enumerate(("in/x.csv", "y.csv", "in2/x.csv")):
        path = tmp_path / "plan" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(DATA + b"%d" % number)
        files[name] = path
    return case_from_run(
        path=tmp_path / "case.fairassay",
        plan=PLAN,
        run=Run(RESULT, "p" * 64, {"tables/peers.csv": b"a\n", "certificate.pdf": b"%PDF"}),
        files=files,
        **WHO,
    )


def test_a_case_from_a_run_has_everything_set(built: Path, tmp_path: Path) -> None:
    with Case.open(built) as case:
        assert check(case).whole
        assert result_is_current(case.state)
        assert case.get_result() == RESULT
        assert case.result_file("certificate.pdf") == b"%PDF"
        views = steps(case.state, result=case.get_result())
        assert [view.state for view in views[:7]] == ["done"] * 7
        assert case.can_undo is None
        mine = to_dict(parse(plan_dict(case.state), methods={"certification": {}}))
        assert canonical_json(mine) == canonical_json(
            to_dict(parse(PLAN, methods={"certification": {}}))
        )
        plan = write_inputs(case, tmp_path / "run")
        assert (tmp_path / "run" / "in" / "x.csv").read_bytes() == DATA + b"0"
        assert (tmp_path / "run" / "in2" / "x.csv").read_bytes() == DATA + b"2"
        assert plan.read_text() == canonical_json(plan_dict(case.state))


def test_the_same_run_gives_the_same_case(built: Path, tmp_path: Path) -> None:
    with Case.open(built) as case:
        head, state = case.head(), case.state
    files = {n: tmp_path / "plan" / n for n in ("in/x.csv", "y.csv", "in2/x.csv")}
    run = Run(RESULT, "p" * 64, {"tables/peers.csv": b"a\n", "certificate.pdf": b"%PDF"})
    again = tmp_path / "again.fairassay"
    case_from_run(path=again, plan=PLAN, run=run, files=files, **WHO)
    assert again.read_bytes() == built.read_bytes()
    with Case.open(again) as case:
        assert (case.head(), case.state) == (head, state)


def test_a_failed_build_leaves_nothing(built: Path, tmp_path: Path) -> None:
    before = built.read_bytes()
    run = Run(RESULT, "p", {})
    with pytest.raises(Refused, match="there already"):
        case_from_run(path=built, plan=PLAN, run=run, files={}, **WHO)
    assert built.read_bytes() == before
    files = dict.fromkeys(("in/x.csv", "y.csv", "in2/x.csv"), tmp_path / "none.csv")
    with pytest.raises(Refused, match="no such file"):
        case_from_run(path=tmp_path / "new.fairassay", plan=PLAN, run=run, files=files, **WHO)
    assert not (tmp_path / "new.fairassay").exists()


@pytest.mark.parametrize("path", ["../x", "a/../../x", "C:/x", "", "..\\x"])
def test_a_strangers_path_stays_inside(path: str) -> None:
    with pytest.raises(Refused):
        inside(path)
    assert inside("/a//b") == Path("a/b")


def test_the_export_is_checked_by_sha256sum_alone(built: Path, tmp_path: Path) -> None:
    with Case.open(built) as case:
        one = export(case, tmp_path / "one.zip", extra={"figures/band.svg": b"<svg/>"})
        two = export(case, tmp_path / "two.zip", extra={"figures/band.svg": b"<svg/>"})
    assert one.read_bytes() == two.read_bytes()
    folder = tmp_path / "unpacked"
    with zipfile.ZipFile(one) as archive:
        names = archive.namelist()
        archive.extractall(folder)
    assert len(names) == len(set(names))
    assert {
        "data/in/x.csv", "data/in2/x.csv", "data/y.csv", "result.json", "tables/peers.csv",
        "certificate.pdf", "plan.json", "case.json", "trail.jsonl", "index.html",
        "figures/band.svg", MANIFEST,
    } == set(names)  # fmt: skip
    check_sums = ["sha256sum", "--strict", "-c", MANIFEST]
    done = subprocess.run(check_sums, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout.count(": OK") == len(names) - 1
    page = (folder / "index.html").read_text()
    assert "Loans &amp; &lt;b&gt;co" in page and "<b>co" not in page
    assert "Statistical parity difference" in page and "−0.171 to −0.049" in page
    assert "No one." in page and "not computable" in page
    (folder / "result.json").write_text("{}")
    assert subprocess.run(check_sums, cwd=folder, capture_output=True, check=False).returncode == 1


def test_an_export_with_damaged_bytes_is_refused(tmp_path: Path) -> None:
    with small_case(tmp_path / "a.fairassay") as case:
        case.connection.execute("UPDATE chunks SET data = x'00'")
        with pytest.raises(Refused, match=r"people\.csv"):
            export(case, tmp_path / "out.zip")
        assert not (tmp_path / "out.zip").exists()


def test_earlier_certificates_are_exported_too(tmp_path: Path) -> None:
    with small_case(tmp_path / "a.fairassay") as case:
        shas = [case.put_file("c.pdf", b"%%PDF %d" % n) for n in (1, 2)]
        for number, sha256 in enumerate(shas, start=1):
            state = {
                **case.state,
                "certificate": {"number": "1", "revision": number, "sha256": sha256},
            }
            case.do(acts.Act("restore", (), state, "set", **WHO))
            if number == 1:
                case.do(acts.revise(reason="misspelt", **WHO))
        names = zipfile.ZipFile(
            io.BytesIO(export(case, tmp_path / "o.zip").read_bytes())
        ).namelist()
        assert "certificate.pdf" in names and "certificate-earlier-1.pdf" in names


def test_the_last_audits_result_goes_along(tmp_path: Path) -> None:
    from engine.case.check import file_names, salvage

    with small_case(tmp_path / "a.fairassay") as case:
        sha = case.put_file("result.json", b'{"schema": "fairassay-result/1"}')
        case.do(acts.set_value(("before",), {"result_sha256": sha}, words="began", **WHO))
        assert file_names(case.state)[sha] == "last-audit-result.json"
        zipped = zipfile.ZipFile(export(case, tmp_path / "a.zip"))
        assert zipped.read("last-audit/result.json").startswith(b"{")
    salvage(tmp_path / "a.fairassay", tmp_path / "b.fairassay", **WHO)
    with Case.open(tmp_path / "b.fairassay") as case:
        assert case.has(sha)
