"""The next audit: from the open case or an old certificate; changes, comparison, governance sheet."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from engine.base.watch import Watch
from engine.case.register import Register
from engine.procedure import acts, governance, issue, recertify
from gui import papers, renewal
from gui.main_window import MainWindow
from gui.session import Session
from gui.steps.again_inputs import DraftArea, OpenDay, Owners
from gui.steps.step12_recertification import Page
from gui.verify_dialog import VerifyDialog
from tests.gui.grab import settle
from tests.gui.steps.hands import click, focus, write
from tests.gui.steps.test_step10 import close_notices
from tests.gui.steps.test_step10_signing import NUMBER, ready, sign
from tests.gui.steps.test_step12 import decided, page_of
from tests.gui.test_window import cut, nameless

__all__ = ["ready"]
DATES, SHEET, CHANGES, AGAINST = range(4)


def again(window: MainWindow, target: Path) -> Page:
    """Opens the next case from the one on show, with the same files, and shows its step 12."""
    old = window.session
    assert old is not None
    items = [(i["name"], i["sha256"], i["role"], i["reading"]) for i in old.state["items"]]
    kept = [old.case.read(sha) for _, sha, _, _ in items]
    page_of(window).renew(str(target))
    close_notices()
    new = window.session
    assert new is not None and new is not old
    for (name, _, role, reading), data in zip(items, kept, strict=True):
        sha = new.case.put_file(name, data)
        new.do(
            acts.add_item(
                new.state, name=name, bytes=len(data), sha256=sha, role=role, reading=reading,
                **new.by,
            )
        )  # fmt: skip
    return page_of(window)


def sets_the_old_paper_aside(session: Session, register: Register) -> None:
    """A paper that follows the signed one supersedes it in the register."""
    state = {
        **session.state,
        "follows": {"number": NUMBER, "revision": 0, "sha256": "ab"},
        "certificate": {
            **session.state["certificate"], "number": "EAO-2027-0001", "sha256": "cd" * 32,
            "replaces": f"{NUMBER}, revision 0", "replaces_why": "Recertification.",
        },
    }  # fmt: skip
    papers.enter(
        case=session.case, register=register.path, state=state, watch=Watch(), **session.by
    )
    old, new = register.get(NUMBER), register.get("EAO-2027-0001")
    assert old is not None and old.status == "superseded"
    assert new is not None and new.replaces == NUMBER and new.status == "valid"


def offers_the_next_audit(window: MainWindow, pdf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where an intact paper was checked the next audit can be begun; else not."""
    asked: list[str] = []
    with monkeypatch.context() as patched:
        patched.setattr(renewal, "ask", lambda _w, path="": asked.append(path))
        dialog = VerifyDialog(window, window.settings, window.jobs, pdf)
        window.show_dialog(dialog)
        click(dialog.next_audit)
    assert asked == [str(pdf)] and not dialog.isVisible()
    broken = pdf.with_name("broken.pdf")
    broken.write_bytes(pdf.read_bytes()[:-900])
    dialog = VerifyDialog(window, window.settings, window.jobs, broken)
    assert dialog.next_audit.isHidden()
    dialog.reject()


def test_the_sheet_is_typed_kept_undone_and_printed(
    german_window: MainWindow, tmp_path: Path
) -> None:
    session = german_window.session
    assert session is not None
    page = page_of(german_window)
    page.show_tab(SHEET)
    settle()
    rows = page.sheet.rows
    assert list(rows) == [q.name for q in governance.QUESTIONS]
    assert (
        "Nothing is answered" in page.sheet.bar.words() and not page.sheet.print_button.isEnabled()
    )
    owners = rows["owners"].field
    assert isinstance(owners, Owners)
    role, name, _ = owners._rows[0]
    write(role, "Owner")
    assert "a role and a name" in rows["owners"].error()
    write(name, "Head of lending")
    assert session.state["governance"]["owners"] == [
        {"role": "Owner", "name": "Head of lending", "duty": ""}
    ]
    assert rows["owners"].error() == ""
    cadence = rows["cadence"].field
    cadence.setCurrentIndex(1)  # type: ignore[attr-defined]
    cadence.activated.emit(1)  # type: ignore[attr-defined]
    first = rows["first_check"].field
    assert isinstance(first, OpenDay)
    click(first.set_button)
    assert session.state["governance"]["first_check"] == "2027-02-24"
    assert "24 February 2027" in page.sheet.due.text() and "24 May 2027" in page.sheet.due.text()
    appeal = rows["appeal"].field
    assert isinstance(appeal, DraftArea)
    focus(appeal)
    QTest.keyClicks(appeal, "By letter")
    appeal._keep()
    assert session.draft("step-12-sheet") == {"appeal": "By letter"}, "half typed, kept"
    QTest.keyClick(appeal, Qt.Key.Key_Tab)
    assert session.state["governance"]["appeal"] == "By letter" and not session.draft(
        "step-12-sheet"
    )
    page.sheet.export(str(tmp_path / "checks"))
    text = (tmp_path / "checks.ics").read_text("utf-8")
    assert text.count("BEGIN:VEVENT") == 4 and "DTSTART;VALUE=DATE:20270524" in text
    session.undo()
    assert "appeal" not in session.state["governance"] and appeal.toPlainText() == ""
    session.undo()
    assert first.day.isHidden()
    page.sheet.preview()
    assert page.sheet.dialog.pdf.startswith(b"%PDF-")
    page.sheet.dialog.reject()


def test_a_change_wants_its_reason_before_the_paper_is_issued(
    german_window: MainWindow, tmp_path: Path
) -> None:
    decided(german_window)
    page = again(german_window, tmp_path / "next")
    session = german_window.session
    assert session is not None
    page.show_tab(CHANGES)
    assert recertify.changes(session.state) == [] and "Nothing that" in page.changes.bar.words()
    session.set(("case", "version"), "2.0", "a new version")
    session.set(("plan", "resamples"), 70, "more")
    assert list(page.changes.edits) == ["case.version", "plan.resamples"]
    assert "2 of 2 changes" in page.changes.bar.words()
    today = papers.today_of(session)
    assert any(p.place == "changes_why" for p in issue.problems(session.state, today=today))
    write(page.changes.edits["case.version"], "Retrained in May")
    write(page.changes.edits["plan.resamples"], "Narrower intervals")
    assert session.state["changes_why"]["case.version"] == "Retrained in May"
    assert "All 2 changes" in page.changes.bar.words()
    assert not any(p.place == "changes_why" for p in issue.problems(session.state, today=today))
    session.undo()
    assert "1 of 2 changes" in page.changes.bar.words()
    session.set(("plan", "resamples"), 60, "as before")
    assert list(page.changes.edits) == ["case.version"]


def test_the_new_result_stands_beside_the_last(german_window: MainWindow, tmp_path: Path) -> None:
    old = german_window.session
    assert old is not None
    then = old.result
    assert then is not None
    decided(german_window)
    page = again(german_window, tmp_path / "next")
    session = german_window.session
    assert session is not None
    page.show_tab(AGAINST)
    assert "no result yet" in page.against.bar.words() and session.last_result == then
    for step in (0, 1, 2, 4, 5):
        session.confirm(step)
    session.do(acts.set_tolerance(session.plan["tolerance"], words="set", **session.by))
    assert session.run_audit().state == "done"
    page = page_of(german_window)
    page.show_tab(AGAINST)
    page.against.result.finish()
    titles = [part.view.accessibleName() for part in page.against.result.tables]
    assert any("then and now" in title.lower() or "age" in title for title in titles)
    said = " ".join(f.accessibleName() for f in page.against.result.findings)
    assert "The files are those of the last audit" in said and "No verdict turned" in said
    assert [view.chart.key for view in page.against.result.figures] == ["since_last_audit"]
    page.against.export(str(tmp_path / "every.csv"))
    lines = (tmp_path / "every.csv").read_text("utf-8").splitlines()
    assert lines[0].startswith("Of,Measure,Then,Now,Change") and len(lines) > 20
    assert nameless(page) == []


def test_an_old_certificate_alone_begins_the_next_audit(
    ready: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = ready.session
    assert session is not None
    sign(ready, tmp_path)
    state, result = session.state, session.result
    sets_the_old_paper_aside(session, Register(tmp_path / "r.fairregister"))
    pdf = tmp_path / "old.pdf"
    pdf.write_bytes(session.case.read(state["certificate"]["sha256"]))
    system, protected = session.facts["system"], session.plan["protected"]
    offers_the_next_audit(ready, pdf, monkeypatch)
    ready.show_home()
    renewal.ask(ready, str(pdf), str(tmp_path / "from-paper.fairassay"))
    close_notices()
    new = ready.session
    assert new is not None and new.path.name == "from-paper.fairassay"
    assert new.facts["system"] == system and new.facts["decider"] == ""
    assert [a["column"] for a in new.plan["protected"]] == [a["column"] for a in protected]
    assert new.state["follows"] == {
        "number": NUMBER, "revision": 0, "sha256": state["certificate"]["sha256"]
    }  # fmt: skip
    assert new.last_result == result and recertify.changes(new.state) == []
    made = issue.planned(new.state, today=papers.today_of(new))
    assert made["replaces"] == f"{NUMBER}, revision 0" and made["replaces_why"]
    other = tmp_path / "other.pdf"
    other.write_bytes(pdf.read_bytes()[:-900])
    renewal.ask(ready, str(other), str(tmp_path / "never.fairassay"))
    close_notices()
    assert ready.session is new and not (tmp_path / "never.fairassay").exists()


def test_an_old_case_file_begins_it_too_and_is_left_alone(
    german_window: MainWindow, tmp_path: Path
) -> None:
    session = decided(german_window)
    path, result = session.path, session.result
    before = path.read_bytes()
    renewal.ask(german_window, str(path), str(path))
    close_notices()
    assert german_window.session is session and path.read_bytes() == before, "never over itself"
    german_window.close_session()
    german_window.show_home()
    renewal.ask(german_window, str(path), str(tmp_path / "second"))
    close_notices()
    new = german_window.session
    assert new is not None and new.path.name == "second.fairassay"
    assert new.last_result == result and "follows" not in new.state
    assert recertify.changes(new.state) == []
    (tmp_path / "no.fairassay").write_bytes(b"nothing of ours")
    renewal.ask(german_window, str(tmp_path / "no.fairassay"), str(tmp_path / "third"))
    close_notices()
    assert german_window.session is new


def test_home_and_menu_offer_it(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(renewal, "ask", lambda _w, path="": asked.append(path))
    click(window.home.again_card)
    words = [a.text() for a in window.menuBar().actions()[0].menu().actions()]  # type: ignore[union-attr]
    place = next(i for i, text in enumerate(words) if "old certificate" in text)
    window.menuBar().actions()[0].menu().actions()[place].trigger()  # type: ignore[union-attr]
    assert asked == ["", ""]


@pytest.mark.parametrize(("scale", "tab"), [(200, SHEET), (100, CHANGES)])
def test_there_is_room(german_window: MainWindow, look, scale: int, tab: int) -> None:
    look(scale=scale)
    german_window.resize(1024, 700)
    page = page_of(german_window)
    page.show_tab(tab)
    settle(200)
    assert cut(page) == [] and nameless(page) == []
    wide = page.scroll.horizontalScrollBar()
    assert wide.maximum() == 0, "no sideways scrolling"
    assert not [e for e in page.findChildren(QLineEdit) if e.isVisible() and e.width() < 60]
