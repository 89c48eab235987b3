"""``verify`` by its call: what an expired or replaced paper says, and its exit code."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from engine import cli
from engine.base.problems import Refused
from engine.case.register import Entry, Register
from engine.reports import certificate, keys, sign, verify
from engine.reports.paper_file import Paper

from . import samples
from .conftest import PASS, WHEN, Desk


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a certificate of 2020 that was valid to the end of that year."""
    folder = tmp_path_factory.mktemp("old")
    made = keys.make(name="Eva", out=folder, passphrase=PASS, today=date(2020, 1, 1))
    state, result = samples.case("grant"), samples.granted()
    state["decision"]["when"] = "2020-02-01"
    state["certificate"] |= {"issued": "2020-02-02", "expires": "2020-12-31", "revision": 1}
    (folder / "c.pdf").write_bytes(
        certificate.build(state=state, result=result, check=False, **samples.files(result))
    )
    sign.sign(
        path=folder / "c.pdf", key=made.key, out=folder / "signed.pdf", passphrase=PASS,
        when=datetime(2020, 2, 2, 9, 0, tzinfo=UTC),
    )  # fmt: skip
    return folder


def test_an_expired_certificate_is_valid_no_longer(
    old: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = ["verify", str(old / "signed.pdf"), "--trust", str(old / "root.pem")]
    assert cli.main(call) == 1
    said = capsys.readouterr()
    assert said.out.startswith("Valid no longer: it expired on 31 December 2020.")
    assert "The file is genuine" in said.out and said.err == ""


def test_the_register_says_what_replaced_it(
    old: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from engine.base.canonical import sha256_of

    book = tmp_path / "office.register"
    first = Entry(
        number="EAO-2026-0017", revision=1, kind="certificate", system="S", client="C",
        status="valid", decided="2020-02-01", issued="2020-02-02", expires="2020-12-31",
        next_check="", replaces="", why="", sha256=sha256_of((old / "signed.pdf").read_bytes()),
        issued_by="Eva",
    )  # fmt: skip
    Register(book).enter(first, who="Eva", when="2020-02-02T09:00:00Z")
    second = Entry(
        **{**vars(first), "revision": 2, "replaces": first.number, "why": "A name was wrong.",
           "sha256": "ff"}
    )  # fmt: skip
    Register(book).enter(second, who="Eva", when="2020-03-02T09:00:00Z")
    call = ["verify", str(old / "signed.pdf"), "--trust", str(old / "root.pem")]
    assert cli.main([*call, "--register", str(book)]) == 1
    said = capsys.readouterr().out
    assert "superseded" in said or "replaced" in said
    assert "A name was wrong." in said and "revision 2" in said


def test_a_key_of_another_person_than_page_one_names(desk: Desk, tmp_path: Path) -> None:
    state = samples.case("grant")
    state["case"].update(evaluator="Rita Example", decider="Paul Example")
    path, out = tmp_path / "p.pdf", tmp_path / "s.pdf"
    path.write_bytes(
        certificate.build(
            state=state, result=desk.result, check=False, **samples.files(desk.result)
        )
    )
    sign.sign(path=path, key=desk.eva, out=out, passphrase=PASS, when=WHEN)
    lines = verify.verify(out, trust=desk.root, today=WHEN.date()).lines
    assert any("Page 1 names Paul Example as decider" in line for line in lines)
    state["case"].update(decider="eva  example")
    path.write_bytes(
        certificate.build(
            state=state, result=desk.result, check=False, **samples.files(desk.result)
        )
    )
    sign.sign(path=path, key=desk.eva, out=out, passphrase=PASS, when=WHEN)
    lines = verify.verify(out, trust=desk.root, today=WHEN.date()).lines
    assert not any("Page 1 names" in line for line in lines)


def test_signatures_in_each_others_place(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The decider evaluates and the evaluator decides: refused at signing, and after it."""
    state = samples.case("grant")
    state["case"].update(evaluator="Eva Example", decider="Dora Ψ")
    path, first, out = tmp_path / "p.pdf", tmp_path / "1.pdf", tmp_path / "2.pdf"
    files = samples.files(desk.result)
    path.write_bytes(certificate.build(state=state, result=desk.result, check=False, **files))
    asked = {"passphrase": PASS, "when": WHEN}
    with pytest.raises(Refused, match="page 1 names Dora Ψ as decider"):
        sign.sign(path=path, key=desk.eva, out=out, **asked)
    with pytest.raises(Refused, match="page 1 names Eva Example as evaluator"):
        sign.sign(path=path, key=desk.dora, out=first, role="evaluator", **asked)
    sign.sign(path=path, key=desk.eva, out=first, role="evaluator", **asked)
    sign.sign(path=first, key=desk.dora, out=out, **asked)
    assert verify.verify(out, trust=desk.root, today=WHEN.date()).valid
    with monkeypatch.context() as careless:
        careless.setattr(Paper, "exchanged", lambda *_: False)
        sign.sign(path=path, key=desk.dora, out=first, role="evaluator", **asked)
        sign.sign(path=first, key=desk.eva, out=out, **asked)
    found = verify.verify(out, trust=desk.root, today=WHEN.date())
    assert not found.intact and "stand in each other's place" in found.lines[0]


def test_an_undecided_paper_says_so(desk: Desk, tmp_path: Path) -> None:
    path, out = tmp_path / "p.pdf", tmp_path / "s.pdf"
    result = samples.german()
    path.write_bytes(
        certificate.build(
            state=samples.case(None), result=result, check=False, **samples.files(result)
        )
    )
    sign.sign(path=path, key=desk.eva, out=out, passphrase=PASS, when=WHEN)
    lines = verify.verify(out, trust=desk.root, today=WHEN.date()).lines
    assert any("nobody has decided on it yet" in line for line in lines)
