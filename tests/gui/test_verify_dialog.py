"""Verifying in the window: what is genuine, what is forged, and the office's register beside it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from gui import certify_words as words
from gui.jobs import InPlaceJobs
from gui.keys import KeysDialog, MakeKeysDialog
from gui.main_window import MainWindow
from gui.register_dialog import RegisterDialog, StatusDialog
from gui.session import Session
from gui.settings import Settings
from gui.verify_dialog import VerifyDialog
from tests.gui.german import PASSPHRASE
from tests.gui.grab import settle
from tests.gui.test_window import cut, nameless

TODAY = date.today()


@pytest.fixture(scope="module")
def papers_of(german_file: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A signed paper, its root, another office's root of the same name, and forgeries."""
    from engine.base.watch import Watch
    from engine.case.store import Case
    from engine.reports import keys, sign
    from gui import papers

    folder = tmp_path_factory.mktemp("papers")
    case = Case.open(german_file, read_only=True)
    settings = Settings(folder / "settings.json")
    session = Session(case, jobs=InPlaceJobs(), settings=settings, clock=lambda: "2026-11-24T10:00:00+01:00")  # fmt: skip
    paper = papers.paper_of(session)
    assert paper is not None
    unsigned = folder / "unsigned.pdf"
    unsigned.write_bytes(papers.build(paper, Watch()))
    case.close()
    for name in ("keys", "others"):
        keys.make(
            name="D. Example", out=folder / name, passphrase=PASSPHRASE, today=TODAY,
            organisation="Example Audit Office",
        )  # fmt: skip
    signed = folder / "signed.pdf"
    sign.sign(
        path=unsigned, key=folder / "keys" / "D. Example.p12", out=signed, passphrase=PASSPHRASE,
        when=datetime.now(UTC),
    )  # fmt: skip
    content = signed.read_bytes()
    flipped = bytearray(content)
    flipped[len(flipped) // 3] ^= 1
    made = {
        "signed": content,
        "flipped": bytes(flipped),
        "appended": content + b"\n1 0 obj\n<<>>\nendobj\n",
        "cut": content[: len(content) // 2],
        "unsigned": unsigned.read_bytes(),
        "no pdf": b"this is no PDF",
    }
    files = {}
    for name, data in made.items():
        files[name] = folder / f"{name}.pdf"
        files[name].write_bytes(data)
    files["root"] = folder / "keys" / "root.pem"
    files["other root"] = folder / "others" / "root.pem"
    return files


@pytest.fixture
def settings(qapp) -> Settings:
    return Settings()


def dialog(settings: Settings, path: Path | None = None) -> VerifyDialog:
    made = VerifyDialog(None, settings, InPlaceJobs(), path)
    made.show()
    settle()
    return made


def test_a_genuine_paper_is_valid_by_its_root(
    settings: Settings, papers_of: dict[str, Path], look
) -> None:
    settings["office"] = {"trust": str(papers_of["root"])}
    shown = dialog(settings, papers_of["signed"])
    assert shown.chip.words() == words.text("verify.valid") and shown.chip.verdict == "within"
    assert "D. Example" in " ".join(shown.sentences())
    assert nameless(shown) == [] and cut(shown) == []
    shown.copy_words()
    assert "signed.pdf" in QApplication.clipboard().text()


def test_without_a_root_it_is_intact_and_no_more(
    settings: Settings, papers_of: dict[str, Path], look
) -> None:
    shown = dialog(settings, papers_of["signed"])
    assert shown.chip.words() == words.text("verify.intact")
    shown._set_root(str(papers_of["root"]))
    assert shown.chip.words() == words.text("verify.valid")
    assert Settings()["office"]["trust"] == str(papers_of["root"])
    QTest.mouseClick(shown.no_root, Qt.MouseButton.LeftButton)
    assert shown.chip.words() == words.text("verify.intact")


@pytest.mark.parametrize("kind", ["flipped", "appended", "cut", "unsigned", "no pdf"])
def test_a_forged_paper_is_refused_in_words(
    settings: Settings, papers_of: dict[str, Path], look, kind: str
) -> None:
    settings["office"] = {"trust": str(papers_of["root"])}
    shown = dialog(settings, papers_of[kind])
    assert shown.chip.words() == words.text("verify.invalid") and shown.chip.verdict == "outside"
    said = " ".join(shown.sentences())
    assert said and "Traceback" not in said and "Error" not in said


def test_another_root_of_the_same_name_does_not_vouch(
    settings: Settings, papers_of: dict[str, Path], look
) -> None:
    settings["office"] = {"trust": str(papers_of["other root"])}
    shown = dialog(settings, papers_of["signed"])
    assert shown.chip.words() == words.text("verify.invalid")


def test_a_root_that_is_none_is_said_and_nothing_is_judged(
    settings: Settings, papers_of: dict[str, Path], look, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.pem"
    bad.write_text("no root")
    settings["office"] = {"trust": str(bad)}
    shown = dialog(settings, papers_of["signed"])
    assert shown.error.isVisible() and "bad.pem" in shown.error.words()


def test_a_pdf_dropped_on_the_window_or_the_dialog_is_checked(
    window: MainWindow, papers_of: dict[str, Path]
) -> None:
    window.take_files([papers_of["signed"]])
    found = [w for w in QApplication.topLevelWidgets() if isinstance(w, VerifyDialog) and w.parent() is window]  # fmt: skip
    assert len(found) == 1
    assert found[0].chip.words() == words.text("verify.intact")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(papers_of["flipped"]))])
    event = QDropEvent(
        QPointF(5, 5), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    found[0].dropEvent(event)
    assert found[0].chip.words() == words.text("verify.invalid")
    found[0].close()


def test_the_register_is_searched_and_statuses_change_with_a_reason(
    settings: Settings, look, tmp_path: Path, papers_of: dict[str, Path]
) -> None:
    from engine.base.canonical import sha256_of
    from engine.case.register import Entry, Register

    path = tmp_path / "r.fairregister"
    sha = sha256_of(papers_of["signed"].read_bytes())
    for number, system, expires in (("EAO-2026-0001", "Loans", "2030-01-01"), ("EAO-2025-0002", "Rents", "2020-01-01")):  # fmt: skip
        Register(path).enter(
            Entry(number, 0, "certificate", system, "Bank", "valid", "2020-01-01", "2020-01-01",
                  expires, "", "", "", sha, "D. Example"),
            who="D. Example", when="2026-11-24T10:00:00+01:00",
        )  # fmt: skip
    settings["office"] = {"register": str(path)}
    shown = RegisterDialog(None, settings, InPlaceJobs())
    shown.show()
    settle()
    assert nameless(shown) == [] and cut(shown) == []
    status = {e.number: e.status for e in shown.entries}
    assert status == {"EAO-2026-0001": "valid", "EAO-2025-0002": "expired"}
    QTest.keyClicks(shown.find, "loan")
    settle(250)
    assert [e.number for e in shown.entries] == ["EAO-2026-0001"]
    shown.table.selectRow(0)
    settle()
    assert shown.changes.model().rowCount() == 1
    QTest.mouseClick(shown.change_button, Qt.MouseButton.LeftButton)
    asked = [w for w in QApplication.topLevelWidgets() if isinstance(w, StatusDialog) and w.isVisible()]  # fmt: skip
    assert len(asked) == 1
    asked[0].status.set_value("withdrawn")
    asked[0].keep()
    assert asked[0].row.error() == words.text("register.reason_empty")
    asked[0].reason.setPlainText("The key was lost.")
    asked[0].keep()
    found = Register(path).get("EAO-2026-0001")
    assert found is not None and found.status == "withdrawn"
    shown.export(str(tmp_path / "r.csv"))
    assert "EAO-2025-0002" in (tmp_path / "r.csv").read_text("utf-8-sig")
    shown.close()


def test_keys_and_office_are_kept_without_passphrases(window: MainWindow, tmp_path: Path) -> None:
    window.keys()
    found = [w for w in QApplication.topLevelWidgets() if isinstance(w, KeysDialog) and w.isVisible()]  # fmt: skip
    assert len(found) == 1
    office = found[0]
    assert nameless(office) == []
    office.name.setText("Example Audit Office")
    office.fields["prefix"].setText("EAO")
    make = next(b for b in office.findChildren(QPushButton) if b.text() == words.text("keys.make"))
    QTest.mouseClick(make, Qt.MouseButton.LeftButton)
    making = next(w for w in QApplication.topLevelWidgets() if isinstance(w, MakeKeysDialog) and w.isVisible())  # fmt: skip
    making.name.setText("A/B")
    making.folder.edit.setText(str(tmp_path / "keys"))
    making.passphrase.setText(PASSPHRASE)
    making.again.setText(PASSPHRASE)
    making.make()
    assert making.error.isVisible()
    making.name.setText("A. Auditor")
    making.passphrase.setText(PASSPHRASE)
    making.again.setText(PASSPHRASE)
    making.make()
    for widget in QApplication.topLevelWidgets():
        if type(widget).__name__ == "NoticeDialog":
            widget.close()
    assert (tmp_path / "keys" / "A. Auditor.p12").exists()
    assert office.root.edit.text() == str(tmp_path / "keys" / "root.pem")
    office.keep()
    kept = Settings()["office"]
    assert kept["prefix"] == "EAO" and kept["trust"].endswith("root.pem")
    assert PASSPHRASE not in Settings().file.read_text()


@pytest.mark.parametrize("status", ["suspended", "withdrawn"])
def test_what_the_register_took_back_is_not_shown_as_valid(
    settings: Settings, papers_of: dict[str, Path], look, tmp_path: Path, status: str
) -> None:
    from engine.base.canonical import sha256_of
    from engine.case.register import Entry, Register
    from engine.reports.verify import verify

    path = tmp_path / "r.fairregister"
    found = verify(papers_of["signed"], trust=papers_of["root"], today=TODAY)
    who = {"who": "D. Example", "when": "2026-11-24T10:00:00+01:00"}
    entry = Entry(found.number, found.revision, "certificate", "Loans", "Bank", "valid", "2020-01-01",
                  "2020-01-01", "", "", "", "", sha256_of(papers_of["signed"].read_bytes()), "D. Example")  # fmt: skip
    Register(path).enter(entry, **who)
    settings["office"] = {"trust": str(papers_of["root"]), "register": str(path)}
    shown = dialog(settings, papers_of["signed"])
    assert shown.chip.words() == words.text("verify.valid")
    assert any("The register holds this file" in line for line in shown.sentences())
    Register(path).set_status(found.number, found.revision, status, reason="Wrong data.", **who)
    shown.check(papers_of["signed"])
    assert shown.chip.words() == words.text(f"verify.{status}") and shown.chip.verdict == "outside"
    assert status.upper() in shown.sentences()[0] and "Wrong data" in shown.sentences()[1]
    assert nameless(shown) == [] and cut(shown) == []
    with closing(sqlite3.connect(path)) as db, db:  # somebody makes it valid again by hand
        db.execute("UPDATE certificates SET status = 'valid'")
    shown.check(papers_of["signed"])
    assert shown.chip.words() == words.text("verify.edited") and shown.chip.verdict == "outside"


def test_the_result_is_computed_again_from_the_case(
    settings: Settings, papers_of: dict[str, Path], german_file: Path, look, tmp_path: Path
) -> None:
    shown = dialog(settings, papers_of["signed"])
    assert shown.again.isVisible()
    shown.rerun(german_file)
    assert "figures are the same" in " ".join(shown.sentences()), shown.sentences()[-3:]
    assert nameless(shown) == [] and cut(shown) == []
    other = tmp_path / "no.fairassay"
    other.write_text("no case")
    shown.rerun(other)
    assert shown.error.isVisible() and shown.again.isEnabled()
    shown.check(papers_of["flipped"])
    assert not shown.again.isVisible()
