"""Signing with what goes wrong in between: a crash, a register out of reach, a token."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from engine.base.problems import Problem, Refused
from gui import certify_words as words
from gui import papers
from gui.main_window import MainWindow
from gui.sign_dialog import SignDialog
from tests.engine.reports.tokens import PIN, soft_token
from tests.gui.german import PASSPHRASE
from tests.gui.grab import settle
from tests.gui.steps.test_step10 import (
    NAMES,
    close_notices,
    decide,
    dialog_of,
    give_reasons,
    page_of,
    type_into,
)

NUMBER = "EAO-2026-0001"


@pytest.fixture
def ready(german_window: MainWindow, tmp_path: Path) -> MainWindow:
    """Decided, with a number of the register, and the decider's key in a folder."""
    from engine.reports import keys

    session = german_window.session
    assert session is not None
    session.settings["office"] = {"register": str(tmp_path / "r.fairregister"), "prefix": "EAO"}
    page = page_of(german_window)
    decide(page)
    give_reasons(session)
    page.issue.take_number()
    keys.make(
        name=NAMES["decider"], out=tmp_path / "keys", passphrase=PASSPHRASE,
        today=date.fromisoformat(session.clock()[:10]),
    )  # fmt: skip
    return german_window


def sign(window: MainWindow, tmp_path: Path) -> None:
    page_of(window).sign()
    dialog = dialog_of(SignDialog)
    assert isinstance(dialog, SignDialog)
    dialog.file.edit.setText(str(tmp_path / "keys" / f"{NAMES['decider']}.p12"))
    type_into(dialog.passphrase, PASSPHRASE)
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    close_notices()
    dialog.reject()


def test_a_crash_before_the_case_has_it_leaves_the_number_to_this_case(
    ready: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engine.case.register import Register

    register = Register(tmp_path / "r.fairregister")
    session = ready.session
    assert session is not None
    with monkeypatch.context() as broken:
        broken.setattr(type(session), "do", lambda *_: False)
        sign(ready, tmp_path)
    assert session.state["certificate"] is None and register.search() == []
    with pytest.raises(Refused, match="already"):
        register.reserve(NUMBER, 0, holder="another case", who="", when="")
    page_of(ready).issue.take_number()
    sign(ready, tmp_path)
    assert session.state["certificate"]["number"] == NUMBER
    entry = register.get(NUMBER)
    assert entry is not None and entry.sha256 == session.state["certificate"]["sha256"]


def test_a_crash_before_the_register_has_it_is_made_good_on_step_10(
    ready: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engine.case.register import Register

    register = Register(tmp_path / "r.fairregister")

    def out_of_reach(**_: object) -> None:
        raise Refused(Problem("r.fairregister", "", "The drive is gone."))

    with monkeypatch.context() as broken:
        broken.setattr(papers, "enter", out_of_reach)
        sign(ready, tmp_path)
    session = ready.session
    assert session is not None and session.state["certificate"]["signed"]
    assert register.search() == []
    part = page_of(ready).issue
    part.refresh()
    settle()
    assert not part.enter.isHidden()
    QTest.mouseClick(part.enter, Qt.MouseButton.LeftButton)
    entry = register.get(NUMBER)
    assert entry is not None and entry.sha256 == session.state["certificate"]["sha256"]
    assert part.enter.isHidden()


def test_a_token_signs_through_the_window(
    ready: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engine.reports.verify import verify

    key = tmp_path / "keys" / f"{NAMES['decider']}.p12"
    token = soft_token(tmp_path, key, PASSPHRASE, monkeypatch)
    session = ready.session
    assert session is not None
    page_of(ready).sign()
    dialog = dialog_of(SignDialog)
    assert isinstance(dialog, SignDialog)
    dialog.kind.set_value("token")
    dialog._show_kind()
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    assert dialog.rows["label"].error() == words.text("sign.no_token")
    dialog.library.edit.setText(str(token.library))
    type_into(dialog.token, token.token)
    type_into(dialog.label, token.label)
    type_into(dialog.passphrase, "0000")
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    assert "PIN is not right" in dialog.error.words() and session.state["certificate"] is None
    type_into(dialog.passphrase, PIN)
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    close_notices()
    assert session.state["certificate"] is not None, dialog.error.words()
    file = tmp_path / "signed.pdf"
    file.write_bytes(session.case.read(session.state["certificate"]["sha256"]))
    found = verify(file, trust=tmp_path / "keys" / "root.pem", today=papers.today_of(session))
    assert found.valid and found.signers[0].name == NAMES["decider"], found.lines
