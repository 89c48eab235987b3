"""Step 10 as a person uses it: decide, fill in, look, print, sign with keys made in the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit

from engine.procedure import decision, fields, issue
from gui import certify_words as words
from gui import papers, printing
from gui.keys import MakeKeysDialog
from gui.main_window import MainWindow
from gui.preview import PreviewPage
from gui.session import Session
from gui.sign_dialog import ReviseDialog, SignDialog
from gui.steps.decision_card import step_of
from gui.steps.step10_decision import Page
from tests.gui.german import PASSPHRASE
from tests.gui.test_window import cut, nameless

REASONS = "The test data show a gap. The provider was asked for its cause."
NAMES = {"evaluator": "E. Example", "reviewer": "R. Example", "decider": "D. Example"}


def page_of(window: MainWindow) -> Page:
    window.stepper_or_fail().open_step(10)
    found = window.stepper_or_fail().page
    assert isinstance(found, Page)
    return found


def name_people(page: Page) -> None:
    for role, name in NAMES.items():
        edit = page.people.boxes[role].lineEdit()
        assert edit is not None
        edit.setFocus()
        edit.selectAll()
        QTest.keyClicks(edit, name)
        QTest.keyClick(edit, Qt.Key.Key_Tab)


def open_choice(page: Page) -> str:
    return next(v for v, o in page.options.options.items() if o.radio.isEnabled())


def decide(page: Page) -> None:
    name_people(page)
    QTest.mouseClick(page.options.options[open_choice(page)].radio, Qt.MouseButton.LeftButton)
    page.reasons.setFocus()
    QTest.keyClicks(page.reasons, REASONS)
    QTest.keyClick(page.reasons, Qt.Key.Key_Tab)
    QApplication.processEvents()


def give_reasons(session: Session) -> None:
    for one in decision.missing_sheet(session.state):
        session.set(("not_supplied", one.what), "The client did not have it.", "said why")


def dialog_of(kind: type) -> QDialog:
    found = [w for w in QApplication.topLevelWidgets() if isinstance(w, kind) and w.isVisible()]
    assert len(found) == 1, found
    return found[0]


def type_into(field: QLineEdit, text: str) -> None:
    field.setFocus()
    field.selectAll()
    QTest.keyClick(field, Qt.Key.Key_Delete)
    QTest.keyClicks(field, text)


def test_the_card_says_the_rule_and_both_readings(german_window: MainWindow) -> None:
    page = page_of(german_window)
    session = german_window.session
    assert session is not None and session.result is not None
    advice = session.result["certification"]["recommendation"]
    assert page.card.word() == words.text(f"decision.value.{advice['value']}")
    assert advice["rule"] in page.card.words() and "As published" in page.card.words()
    assert page.why.sentences() == tuple(advice["reasons"])
    assert session.state["seen"]["result"], "the case records that the result is on show"


@pytest.mark.parametrize(
    ("reason", "step"),
    [
        ("The Fairness Score is 0.9; its 95 % interval, 0.8 to 1, does not lie on one side of the 0.90 that a certificate needs.", 9),
        ("The decisions are tested on 150 people. Read from values alone, a result of so small a test may be chance.", 6),
        ("No system was audited: the recorded outcomes themselves were. They carry no certificate.", 5),
        ("Of 10 metrics, 1 is outside the tolerance with the whole interval.", 8),
    ],
)  # fmt: skip
def test_each_reason_leads_to_its_step(reason: str, step: int) -> None:
    assert step_of(reason) == step


def test_a_decision_above_the_recommendation_is_closed_and_says_why(
    german_window: MainWindow,
) -> None:
    page = page_of(german_window)
    session = german_window.session
    assert session is not None
    for choice in decision.choices(session.state, session.result):
        option = page.options.options[choice.value]
        assert option.radio.isEnabled() == choice.open
        assert option.radio.accessibleDescription() == choice.words


def test_decided_by_mouse_and_keys_is_an_act_that_undo_takes_back(
    german_window: MainWindow,
) -> None:
    page = page_of(german_window)
    session = german_window.session
    assert session is not None
    value = open_choice(page)
    decide(page)
    made = session.state["decision"]
    assert made is not None and made["value"] == value and made["reasons"] == REASONS
    assert made["by"] == NAMES["decider"]
    assert session.facts["evaluator"] == NAMES["evaluator"]
    assert "different people" in page.people.said()
    session.undo()
    assert session.state["decision"] is None and page.reasons.toPlainText() == ""
    session.redo()
    assert session.state["decision"]["reasons"] == REASONS
    assert page.reasons.toPlainText() == REASONS


def test_half_a_decision_is_a_draft_that_survives(german_window: MainWindow) -> None:
    page = page_of(german_window)
    session = german_window.session
    assert session is not None
    page.reasons.setFocus()
    QTest.keyClicks(page.reasons, "Half a sen")
    page.left()
    assert session.state["decision"] is None
    assert session.draft("step-10")["reasons"] == "Half a sen"
    again = Page(session, german_window.stepper)
    again.refresh()
    assert again.reasons.toPlainText() == "Half a sen"


def test_the_same_person_in_two_roles_is_said(german_window: MainWindow) -> None:
    page = page_of(german_window)
    session = german_window.session
    assert session is not None
    session.set_many([(("case", r), "E. Example") for r in ("evaluator", "decider")], "named")
    assert page.people.said() == decision.roles(session.state)[1]
    assert "same person" in page.people.said()


def test_facts_that_the_paper_lacks_are_asked_for_and_entered(german_window: MainWindow) -> None:
    page = page_of(german_window)
    session = german_window.session
    assert session is not None
    asked = {g.key for g in fields.gaps(session.state, session.result) if g.key}
    shown = {key for key, row in page.gaps.rows.items() if not row.isHidden()}
    assert asked - {"evaluator", "reviewer", "decider", "conditions"} == shown
    scope = page.gaps.rows["scope"].field
    assert isinstance(scope, QLineEdit)
    type_into(scope, "Loans to private persons")
    assert session.draft("step-10-facts") == {"scope": "Loans to private persons"}
    QTest.keyClick(scope, Qt.Key.Key_Return)
    assert session.facts["scope"] == "Loans to private persons"
    assert session.draft("step-10-facts") is None
    assert not page.gaps.rows["scope"].isHidden(), "it stays while the page is open"
    date_field = page.gaps.rows["scheme_date"].field
    assert isinstance(date_field, QLineEdit)
    type_into(date_field, "last year")
    QTest.keyClick(date_field, Qt.Key.Key_Return)
    assert page.gaps.rows["scheme_date"].error() and session.facts["scheme_date"] == ""


def test_number_comes_from_the_register_and_dates_are_acts(
    german_window: MainWindow, tmp_path: Path
) -> None:
    page = page_of(german_window)
    session = german_window.session
    assert session is not None
    session.settings["office"] = {"register": str(tmp_path / "r.fairregister"), "prefix": "EAO"}
    page.refresh()
    QTest.mouseClick(page.issue.next, Qt.MouseButton.LeftButton)
    assert session.state["issue"]["number"] == "EAO-2026-0001"
    assert page.issue.number.text() == "EAO-2026-0001"
    page.issue.issued.setDate(page.issue.issued.date().addDays(-3))
    decide(page)
    assert "lies before the decision" in page.issue.rows["issued"].error()
    session.undo()
    session.undo()


def test_continue_says_what_is_missing_one_after_the_other(german_window: MainWindow) -> None:
    page = page_of(german_window)
    session = german_window.session
    assert session is not None
    assert page.ready() == words.text("decision.undecided")
    decide(page)
    assert "Step 11" in page.ready()
    give_reasons(session)
    assert "number" in page.ready()
    session.set(("issue", "number"), "EAO-2026-0009", "chose the number")
    assert page.ready() == ""


def test_the_preview_is_what_the_engine_builds_for_this_state(german_window: MainWindow) -> None:
    from engine.base.canonical import canonical_json
    from engine.reports import certificate, parts

    page = page_of(german_window)
    session = german_window.session
    assert session is not None and session.result is not None and session.reading is not None
    decide(page)
    page.preview()
    preview = german_window.stepper_or_fail().page
    assert isinstance(preview, PreviewPage)
    assert preview.pdf.startswith(b"%PDF") and preview.view.count > 3
    today = papers.today_of(session)
    built = certificate.build(
        state=issue.as_issued(session.state, today=today),
        result=session.result,
        result_bytes=session.case.result_file("result.json") or b"",
        plan_bytes=canonical_json(session.result["plan"]).encode(),
        parts=parts.gather(
            result=session.result, plan=session.reading.plan, tables=session.reading.tables
        ),
        run_info={"trail_head": session.case.head(), "status": "", "changes": []},
    )
    assert preview.pdf == built
    assert session.facts["system"] in preview.view._pages.text(0)
    assert REASONS.split(".")[0] in "".join(
        preview.view._pages.text(n).replace("\r\n", " ") for n in range(preview.view.count)
    )
    assert nameless(preview) == []


def test_the_preview_turns_pages_and_changes_size_by_keys(german_window: MainWindow) -> None:
    page = page_of(german_window)
    page.preview()
    preview = german_window.stepper_or_fail().page
    assert isinstance(preview, PreviewPage)
    view = preview.view
    QTest.keyClick(view.sheet, Qt.Key.Key_PageDown)
    assert view.page == 1 and view.list.currentRow() == 1
    QTest.keyClick(view.sheet, Qt.Key.Key_End)
    assert view.page == view.count - 1
    QTest.keyClick(view.sheet, Qt.Key.Key_Home)
    wide = view.sheet.width()
    QTest.keyClick(view.sheet, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    assert view.sheet.width() > wide
    view.set_zoom(None)
    assert abs(view.sheet.width() - wide) < 3
    image = view.sheet.image
    assert image is not None and image.width() >= view.sheet.width() - 2
    german_window.stepper_or_fail().go_back()
    assert isinstance(german_window.stepper_or_fail().page, Page)


def test_printing_gives_every_page(german_window: MainWindow, tmp_path: Path) -> None:
    import pypdfium2
    from PySide6.QtPrintSupport import QPrinter

    page = page_of(german_window)
    session = german_window.session
    assert session is not None
    kept: list[bytes] = []
    printing.with_pdf(session, kept.append)
    printer = QPrinter(QPrinter.PrinterMode.ScreenResolution)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(tmp_path / "printed.pdf"))
    printing.print_on(session, kept[0], printer)
    printed = pypdfium2.PdfDocument(tmp_path / "printed.pdf")
    whole = pypdfium2.PdfDocument(kept[0])
    assert len(printed) == len(whole)
    image = printed[0].render(scale=1).to_numpy()
    assert image.min() < 90 and image.max() > 240, "the page is not empty"
    printed.close()
    whole.close()
    printing.save(session, page, str(tmp_path / "saved"))
    assert (tmp_path / "saved.pdf").read_bytes() == kept[0]


def sign_all(window: MainWindow, tmp_path: Path) -> Session:
    """Decide, make keys in the window and sign with them."""
    page = page_of(window)
    session = window.session
    assert session is not None
    session.settings["office"] = {"register": str(tmp_path / "r.fairregister"), "prefix": "EAO"}
    decide(page)
    give_reasons(session)
    page.issue.take_number()
    window.stepper_or_fail().go_on()
    dialog = dialog_of(SignDialog)
    assert isinstance(dialog, SignDialog) and nameless(dialog) == []
    QTest.mouseClick(dialog.make, Qt.MouseButton.LeftButton)
    making = dialog_of(MakeKeysDialog)
    assert isinstance(making, MakeKeysDialog) and nameless(making) == []
    assert making.name.text() == NAMES["decider"]
    type_into(making.folder.edit, str(tmp_path / "keys"))
    type_into(making.passphrase, PASSPHRASE)
    type_into(making.again, "another one")
    QTest.mouseClick(making.go, Qt.MouseButton.LeftButton)
    assert making.rows["again"].error() == words.text("make.differs")
    type_into(making.again, PASSPHRASE)
    QTest.mouseClick(making.go, Qt.MouseButton.LeftButton)
    close_notices()
    assert dialog.file.path() == tmp_path / "keys" / f"{NAMES['decider']}.p12"
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    assert dialog.rows["passphrase"].error() == words.text("sign.no_passphrase")
    type_into(dialog.passphrase, "not this one")
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    assert dialog.error.isVisible() and "passphrase" in dialog.error.words()
    assert session.state["certificate"] is None and dialog.passphrase.text() == ""
    type_into(dialog.passphrase, PASSPHRASE)
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    close_notices()
    return session


def close_notices() -> None:
    from gui.dialogs import NoticeDialog

    for widget in QApplication.topLevelWidgets():
        if isinstance(widget, NoticeDialog):
            widget.accept()


def test_signed_in_the_window_kept_in_case_and_register_and_verified(
    german_window: MainWindow, tmp_path: Path, fresh_home: Path
) -> None:
    from engine.case.register import Register
    from engine.reports.verify import verify

    session = sign_all(german_window, tmp_path)
    certificate = session.state["certificate"]
    assert certificate["signed"] and certificate["number"] == "EAO-2026-0001"
    pdf = session.case.read(certificate["sha256"])
    unsigned = session.case.read(certificate["unsigned_sha256"])
    assert pdf.startswith(unsigned)
    file = tmp_path / "signed.pdf"
    file.write_bytes(pdf)
    verdict = verify(file, trust=tmp_path / "keys" / "root.pem", today=papers.today_of(session))
    assert verdict.valid, verdict.lines
    assert verdict.signers[0].name == NAMES["decider"] and verdict.number == "EAO-2026-0001"
    entry = Register(tmp_path / "r.fairregister").get("EAO-2026-0001")
    assert entry is not None and entry.sha256 == certificate["sha256"] and entry.status == "valid"
    everything = (fresh_home / "settings.json").read_text() + str(session.state)
    assert PASSPHRASE not in everything
    assert session.case.can_undo is None and session.read_only
    page = page_of(german_window)
    assert (page.ready() == "" and not page.reasons.isEnabled()) or page.reasons.isReadOnly()
    page.preview()
    preview = german_window.stepper_or_fail().page
    assert isinstance(preview, PreviewPage) and preview.pdf == pdf
    views = session.views()
    assert [views[n].state for n in (10, 11, 12)] == ["done", "done", "done"]


def test_a_signed_case_opens_again_only_as_a_revision_with_a_reason(
    german_window: MainWindow, tmp_path: Path
) -> None:
    session = sign_all(german_window, tmp_path)
    page = page_of(german_window)
    page.follow_link("my:revise")
    dialog = dialog_of(ReviseDialog)
    assert isinstance(dialog, ReviseDialog)
    dialog.revise()
    assert dialog.row.error() and session.state["certificate"] is not None
    dialog.reason.setPlainText("A table was misprinted.")
    dialog.revise()
    assert session.state["certificate"] is None and not session.read_only
    planned = issue.planned(session.state, today=papers.today_of(session))
    assert planned["number"] == "EAO-2026-0001" and planned["revision"] == 1
    assert planned["replaces_why"] == "A table was misprinted."


def test_evaluator_signs_first_and_the_decider_after(
    german_window: MainWindow, tmp_path: Path
) -> None:
    from datetime import date

    from engine.reports import keys
    from engine.reports.verify import verify

    page = page_of(german_window)
    session = german_window.session
    assert session is not None
    decide(page)
    give_reasons(session)
    session.set(("issue", "number"), "EAO-2026-0042", "chose the number")
    folder = tmp_path / "keys"
    for name in (NAMES["evaluator"], NAMES["decider"]):
        keys.make(name=name, out=folder, passphrase=PASSPHRASE, today=date(2026, 11, 24))
    for role in ("evaluator", "decider"):
        page.sign()
        dialog = dialog_of(SignDialog)
        assert isinstance(dialog, SignDialog)
        dialog.role.set_value(role)
        dialog.file.edit.setText(str(folder / f"{NAMES[role]}.p12"))
        type_into(dialog.passphrase, PASSPHRASE)
        QTest.keyClick(dialog.passphrase, Qt.Key.Key_Return)
        close_notices()
        signed = session.state["certificate"]
        assert signed is not None and bool(signed["signed"]) == (role == "decider"), role
        if role == "evaluator":
            assert page.continue_text == words.text("decision.sign_second")
    file = tmp_path / "signed.pdf"
    file.write_bytes(session.case.read(session.state["certificate"]["sha256"]))
    verdict = verify(file, trust=folder / "root.pem", today=date(2026, 11, 24))
    assert verdict.valid and [s.name for s in verdict.signers] == [
        NAMES["evaluator"], NAMES["decider"],
    ]  # fmt: skip


@pytest.mark.parametrize("scale", [100, 200])
def test_every_part_has_a_name_and_no_word_is_cut(
    german_window: MainWindow, look, scale: int
) -> None:
    look(scale=scale)
    german_window.resize(1024, 700)
    page = page_of(german_window)
    QApplication.processEvents()
    assert nameless(page) == []
    assert cut(page) == []
