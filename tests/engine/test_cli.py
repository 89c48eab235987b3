"""Calls, exit codes and refusals of the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from driving import audit, plan_of, result_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import engine.run
from engine import cli, fault
from engine.base.problems import Cancelled
from engine.samples import built_in as samples

ROOT = Path(__file__).resolve().parents[2]


def write_people(folder: Path, text: str = "sex,approved\nM,1\nF,0\nM,0\nF,1\n") -> None:
    (folder / "people.csv").write_text(text, encoding="utf-8")


def test_the_refusal_line_of_the_contract(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "german.csv").write_text("Sex,Risk\nmale,good\nfemale,bad\n")
    plan = plan_of(
        data={"all": {"path": "german.csv"}},
        outcome={"column": "Risk", "favourable": ["good"]},
        protected=[{"column": "sexx", "privileged": ["male"]}],
    )
    code, out = audit(tmp_path, plan)
    assert code == 2 and not out.exists()
    assert capsys.readouterr().err == (
        'plan.json: protected[0].column: german.csv has no column "sexx"; did you mean "Sex"?\n'
    )


def test_a_refusal_leaves_the_folder_as_it_was(tmp_path: Path) -> None:
    write_people(tmp_path)
    code, out = audit(tmp_path, plan_of())
    assert code == 0
    (out / "mine.txt").write_text("kept")
    before = {p: p.read_bytes() for p in out.rglob("*") if p.is_file()}
    code, _ = audit(tmp_path, plan_of(outcome={"column": "nothing", "favourable": [1]}))
    assert code == 2
    assert {p: p.read_bytes() for p in out.rglob("*") if p.is_file()} == before
    assert not [p for p in tmp_path.iterdir() if p.name.startswith(".out")]


def test_a_second_run_replaces_the_first_and_keeps_what_is_not_ours(tmp_path: Path) -> None:
    write_people(tmp_path)
    _, out = audit(tmp_path, plan_of())
    (out / "mine.txt").write_text("kept")
    (out / "tables" / "old.csv").write_text("stale")
    code, _ = audit(tmp_path, plan_of(seed=3))
    assert code == 0
    assert result_of(out)["plan"]["seed"] == 3
    assert (out / "mine.txt").read_text() == "kept"
    assert not (out / "tables" / "old.csv").exists()


def test_a_file_in_the_place_of_the_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_people(tmp_path)
    (tmp_path / "out").write_text("a file")
    code, out = audit(tmp_path, plan_of())
    assert code == 2 and out.read_text() == "a file"
    assert "out: this is a file; give a folder" in capsys.readouterr().err


BAD = [
    ("", "people.csv"),
    ("sex,approved\n", "people.csv"),
    ("sex,approved\nM,1\nM,0\n", "unprivileged side has nobody"),
    ("sex,approved\nM,2\nF,0\n", "no row has the value 1"),
    ("sex,sex,approved\nM,F,1\nF,M,0\n", '"sex"'),
    ("sex,approved\nm1,1\nF,0\n", "has no value"),
    ("sex,approved\nM,0.7\nF,0.2\nM,0.3\n", '{"at_least": 0.5}'),
]


@pytest.mark.parametrize(("text", "told"), BAD)
def test_bad_files_are_refused_in_a_sentence(
    text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_people(tmp_path, text)
    code, out = audit(tmp_path, plan_of())
    err = capsys.readouterr().err
    assert code == 2 and told in err and not out.exists()
    assert "Traceback" not in err


def test_a_directory_for_a_file_and_a_missing_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "people.csv").mkdir()
    assert audit(tmp_path, plan_of())[0] == 2
    assert audit(tmp_path, plan_of(data={"all": {"path": "gone.csv"}}))[0] == 2
    assert "gone.csv" in capsys.readouterr().err


def test_text_in_a_numeric_column(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_people(tmp_path, "age,approved\n31,1\nold,0\n25,1\n")
    plan = plan_of(protected=[{"column": "age", "privileged": {"at_least": 30}}])
    assert audit(tmp_path, plan)[0] == 2
    assert 'row 2: "old"' in capsys.readouterr().err


def test_help_and_wrong_calls(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--help"]) == 0
    assert "audit" in capsys.readouterr().out
    assert cli.main(["adit"]) == 2
    assert cli.main(["audit"]) == 2
    assert "--help" in capsys.readouterr().err


def test_samples_are_listed_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["sample"]) == 0
    assert "german" in capsys.readouterr().out
    assert cli.main(["sample", "germna", "--out", str(tmp_path)]) == 2
    assert 'did you mean "german"?' in capsys.readouterr().err
    assert cli.main(["sample", "german"]) == 2
    for _ in range(2):
        assert cli.main(["sample", "german", "--out", str(tmp_path / "s")]) == 0
    assert {p.name for p in (tmp_path / "s").iterdir()} >= {"plan.json", "german.data"}
    (tmp_path / "s" / "plan.json").write_text("changed")
    assert cli.main(["sample", "german", "--out", str(tmp_path / "s")]) == 2
    assert (tmp_path / "s" / "plan.json").read_text() == "changed"


def test_the_sample_says_what_it_cannot_say_about_sex() -> None:
    note = samples.files("german")["NOTE.txt"].decode()
    assert "CC BY 4.0" in note and "10.24432/C5NC77" in note and "cannot truly be recovered" in note


def test_a_fault_is_reported_without_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_people(tmp_path)
    monkeypatch.setattr(fault.tempfile, "tempdir", str(tmp_path))

    def broken(**_: Any) -> None:
        person = "Jane Roe"
        raise KeyError(person)

    monkeypatch.setattr(engine.run, "run", broken)
    code, out = audit(tmp_path, plan_of())
    err = capsys.readouterr().err
    assert code == 3 and not out.exists() and "Traceback" not in err and "Jane Roe" not in err
    (path,) = tmp_path.glob("fairassay-fault-*.txt")
    assert str(path) in err
    text = path.read_text(encoding="utf-8")
    assert "KeyError" in text and "engine/cli.py" in text
    assert "Jane Roe" not in text and str(Path.home()) not in text


@pytest.mark.parametrize("stop", [Cancelled, KeyboardInterrupt])
def test_cancelled(
    stop: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_people(tmp_path)

    def stopped(**_: Any) -> None:
        raise stop

    monkeypatch.setattr(engine.run, "run", stopped)
    code, out = audit(tmp_path, plan_of())
    assert code == 130 and not out.exists()


def test_progress_goes_to_a_terminal_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_people(tmp_path)
    assert audit(tmp_path, plan_of())[0] == 0
    assert capsys.readouterr().err == ""


def test_passphrases_come_from_a_file_or_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", open(os.devnull))  # noqa: SIM115
    assert cli.main(["keys", "--name", "A", "--out", str(tmp_path)]) == 2
    assert "--passphrase-file" in capsys.readouterr().err
    assert cli.main(["keys", "--name", "A", "--out", str(tmp_path), "--passphrase", "x"]) == 2


def test_an_audit_writes_certificate_and_case_and_the_certificate_can_be_signed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_people(tmp_path)
    code, out = audit(tmp_path, plan_of())
    assert code == 0
    assert {p.name for p in out.iterdir()} == {
        "result.json", "certificate.pdf", "case.fairassay", "tables",
    }  # fmt: skip
    paper = out / "certificate.pdf"
    assert cli.main(["verify", str(paper)]) == 1
    secret = tmp_path / "secret"
    secret.write_text("correct horse battery\n", encoding="utf-8")
    keys, signed = tmp_path / "keys", tmp_path / "signed.pdf"
    made = ["keys", "--name", "A. Signer", "--out", str(keys), "--passphrase-file", str(secret)]
    assert cli.main(made) == 0
    assert {"root.pem", "A. Signer.p12"} <= {p.name for p in keys.iterdir()}
    signing = ["sign", str(paper), "--key", str(keys / "A. Signer.p12"), "--out", str(signed)]
    assert cli.main([*signing, "--passphrase-file", str(secret)]) == 0
    trust = ["--trust", str(keys / "root.pem")]
    assert cli.main(["verify", str(signed), *trust]) == 0
    raw = bytearray(signed.read_bytes())
    raw[len(raw) // 2] ^= 1
    signed.write_bytes(raw)
    assert cli.main(["verify", str(signed), *trust]) == 1
    assert cli.main(["verify", str(tmp_path / "gone.pdf")]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_the_case_of_an_audit_gives_the_same_result(tmp_path: Path) -> None:
    from engine.case.build import write_inputs
    from engine.case.store import Case

    write_people(tmp_path)
    _, out = audit(tmp_path, plan_of())
    with Case.open(out / "case.fairassay", read_only=True) as case:
        plan = write_inputs(case, tmp_path / "again")
    assert cli.main(["audit", str(plan), "--out", str(tmp_path / "second")]) == 0
    first = (out / "result.json").read_bytes()
    assert (tmp_path / "second" / "result.json").read_bytes() == first


def test_selftest_reproduces_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["selftest"]) == 0
    assert "NOT REPRODUCED" not in capsys.readouterr().out


def test_main_loads_nothing_heavy() -> None:
    script = (
        "import sys, main\n"
        "code = main.main(['sample'])\n"
        "heavy = {'pandas', 'numpy', 'sklearn', 'scipy', 'matplotlib', 'duckdb', 'PySide6'}\n"
        "sys.exit(code or len(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()


CELLS = st.sampled_from(
    ["", "0", "1", "M", "F", "1.5", "-3", "NA", " M", "é", "=1+1", '"', "999999999999"]
)


@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    rows=st.lists(st.tuples(CELLS, CELLS, CELLS, CELLS), min_size=0, max_size=12),
    privileged=st.sampled_from([["M"], [1], {"at_least": 0}, {"between": [0, 2]}, ["M", "F"]]),
    system=st.sampled_from(
        [
            None,
            {"prediction": {"column": "c", "favourable": [1]}},
            {"score": {"column": "c"}},
            {"train": {"model": "logistic_regression"}},
        ]
    ),
    weight=st.sampled_from([None, "d"]),
)
def test_random_tables_are_audited_or_refused(
    tmp_path: Path, rows: list[tuple[str, ...]], privileged: Any, system: Any, weight: str | None
) -> None:
    def cell(text: str) -> str:
        return '"' + text.replace('"', '""') + '"' if text else ""

    lines = ["a,b,c,d", *(",".join(map(cell, row)) for row in rows)]
    (tmp_path / "people.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    plan = plan_of(
        outcome={"column": "b", "favourable": [1]},
        protected=[{"column": "a", "privileged": privileged}],
        system=system,
        weight=weight,
        resamples=20,
    )
    code, out = audit(tmp_path, plan)
    assert code in (0, 2), json.dumps(plan) + "\n" + "\n".join(lines)
    if code == 0:
        result = result_of(out)
        for attribute in result["certification"]["attributes"].values():
            for measure in attribute["metrics"].values():
                assert (measure["value"] is None) == bool(measure["reason"])
