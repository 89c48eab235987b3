"""Step 12: when to look again, who watches until then, and this audit against the last."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, cast

from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QGridLayout,
    QLineEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from engine.base.problems import Problem, Refused
from engine.procedure import decision, issue
from engine.procedure.moments import day
from gui import certify_words as words
from gui import messages, papers, renewal
from gui.calendar_file import calendar
from gui.theme import theme
from gui.widgets.basic import Button, Label, column, row, section
from gui.widgets.fields import FieldRow
from gui.widgets.flow import Flow
from gui.widgets.header import FoldingHeader, PageHeader
from gui.widgets.status import StatusChip

from .again_against import AgainstPart
from .again_changes import ChangesPart
from .again_sheet import SheetPart
from .base import BETWEEN, StepPage
from .decision_paper import DayEdit

if TYPE_CHECKING:
    from gui.main_window import MainWindow

MARKS = {
    "valid": "within", "suspended": "not settled", "withdrawn": "outside",
    "superseded": "not checked", "expired": "not settled",
}  # fmt: skip

TABS = ("dates", "sheet", "changes", "against")
"""The pages of the step, in order."""

LINE = 90
"""Letters in a line of a tick box at 100 %."""


class Page(StepPage):
    """Four pages: dates and triggers, the governance sheet, what changed, against the last."""

    number: ClassVar[int] = 12
    title: ClassVar[str] = "Recertification"
    sentence: ClassVar[str] = words.text("again.sentence")
    help_name = "step-12"

    def make_header(self) -> PageHeader:
        names = tuple(words.text(f"again.page.{name}") for name in TABS)
        made = FoldingHeader(f"Step {self.number}", self.title, self.sentence, names)
        made.page_changed.connect(self.show_tab)
        return made

    def build(self) -> None:
        self.tab = 0
        self.bar = self.message("info", " ")
        self.dates = QWidget()
        self.sheet = SheetPart(self)
        self.changes = ChangesPart(self)
        self.against = AgainstPart(self)
        self._parts: tuple[QWidget, ...] = (self.dates, self.sheet, self.changes, self.against)
        self._make_dates()
        for part in self._parts:
            self.body.addWidget(part)
        self._show_part()

    def show_tab(self, index: int) -> None:
        """Open a page of the step by its number from 0."""
        self.tab = min(len(TABS) - 1, max(0, index))
        header = self.header
        if isinstance(header, FoldingHeader):
            header.show_page(self.tab)
        self._show_part()
        self.scroll.verticalScrollBar().setValue(0)
        self.refresh()
        self.update_footer()
        self.lay_out_now()

    def _show_part(self) -> None:
        name = TABS[self.tab]
        for place, part in enumerate(self._parts):
            part.setVisible(place == self.tab)
        said = self.sentence if name == "dates" else words.text(f"again.{name}_sentence")
        self.header.set_sentence(said)

    def _make_dates(self) -> None:
        whole = QVBoxLayout(self.dates)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(BETWEEN)
        whole.addWidget(self.bar)
        self.chip = StatusChip("not checked", "")
        whole.addLayout(row(self.chip, None))
        self.said = Label("", wrap=True)
        self.expires = Label("")
        self.next_check = DayEdit(words.text("again.next"))
        self.next_check.picked.connect(self._day)
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        self._expires_row = FieldRow(words.text("again.expires"), self.expires)
        grid.addWidget(FieldRow(words.text("again.next"), self.next_check), 0, 0)
        grid.addWidget(self._expires_row, 0, 1)
        self.export_button = Button(
            words.text("again.export"), icon="calendar", small=True, on_click=lambda: self.export()
        )
        head = section(words.text("again.dates"), right=self.export_button)
        whole.addLayout(column(head, self.said, _held(grid), spacing=6))
        self.boxes: dict[str, QCheckBox] = {}
        theme().changed.connect(self._break_lines)
        heading = section(words.text("again.triggers"), note=words.text("again.triggers_note"))
        triggers = column(heading, spacing=6)
        for _key, sentence in words.TRIGGERS:
            triggers.addWidget(self._box(sentence))
        self._own = column(spacing=6)
        triggers.addLayout(self._own)
        self.other = QLineEdit()
        self.other.setPlaceholderText(words.text("again.other_place"))
        self.other.returnPressed.connect(self._add)
        self.add = Button(words.text("again.add"), small=True, on_click=self._add)
        beside = QWidget()
        inner = row(self.other, self.add)
        inner.setStretch(0, 1)
        beside.setLayout(inner)
        asked = FieldRow(words.text("again.other"), beside)
        self.other.setAccessibleName(words.text("again.other"))
        triggers.addWidget(asked)
        whole.addLayout(triggers)
        self.new = Button(words.text("again.new"), icon="file-plus", on_click=lambda: self.renew())
        self.from_old = Button(words.text("again.from"), icon="history", on_click=self._from_old)
        buttons = QWidget()
        buttons.setLayout(Flow(self.new, self.from_old, spacing=8))
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        buttons.setSizePolicy(policy)
        about = Label(words.text("again.new_help"), "help", tone="second", wrap=True)
        whole.addLayout(column(section(words.text("again.next_audit")), buttons, about, spacing=6))

    def _box(self, sentence: str) -> QCheckBox:
        box = QCheckBox()
        box.setAccessibleName(sentence)
        box.clicked.connect(lambda _on=False: self._agree())
        self.boxes[sentence] = box
        self._break_lines()
        return box

    def _break_lines(self) -> None:
        """Boxes do not break their lines by themselves."""
        most = round(LINE / theme().scale)
        for sentence, box in self.boxes.items():
            box.setText(textwrap.fill(sentence, most).replace("&", "&&"))

    # Showing ------------------------------------------------------------------------------------

    def _planned(self) -> dict[str, Any]:
        return issue.planned(self.session.state, today=papers.today_of(self.session))

    def refresh(self) -> None:
        if self.tab:
            part = self._parts[self.tab]
            assert isinstance(part, SheetPart | ChangesPart | AgainstPart)
            part.refresh()
        else:
            self._refresh_dates()

    def _refresh_dates(self) -> None:
        state, made = self.session.state, self._planned()
        view = self.session.views()[12]
        if view.blocked_by is not None and state["certificate"] is None:
            self.bar.show_message(
                "info", view.why, link_text=words.text("decision.step", n=view.blocked_by),
                link=f"step:{view.blocked_by}",
            )  # fmt: skip
            self.bar.show()
        else:
            self.bar.hide()
        certificate = state["certificate"]
        self.chip.setVisible(certificate is not None)
        if certificate is not None:
            status = self._status(certificate)
            said = words.text("again.status", status=words.text(f"status.{status}").lower())
            self.chip.set_status(MARKS[status], said)
        self._say_dates(made)
        self.next_check.show_day(made["next_check"])
        self.next_check.setEnabled(not self.session.read_only)
        expires = made.get("expires")
        self._expires_row.setVisible(bool(expires))
        self.expires.setText(day(expires, year=True) if expires else "")
        agreed = list(made.get("triggers") or ())
        for sentence in agreed:
            if sentence not in self.boxes:
                self._own.addWidget(self._box(sentence))
        for sentence, box in self.boxes.items():
            box.setChecked(sentence in agreed)
            box.setEnabled(not self.session.read_only)
        self.other.setReadOnly(self.session.read_only)
        self.add.setEnabled(not self.session.read_only)

    def _say_dates(self, made: dict[str, Any]) -> None:
        granted = bool(made.get("expires"))
        from engine.messages import say

        self.said.setText(
            say(
                "procedure.dates.grant" if granted else "procedure.dates.statement",
                expires=day(made["expires"], year=True) if granted else "",
                next_check=day(made["next_check"], year=True),
            )
        )

    def _status(self, certificate: dict[str, Any]) -> str:
        status = str(certificate.get("status") or "valid")
        expires = certificate.get("expires")
        past = expires and expires < papers.today_of(self.session).isoformat()
        return "expired" if status == "valid" and past else status

    # Acting -------------------------------------------------------------------------------------

    def _day(self, iso: str) -> None:
        if not self.session.read_only:
            self.session.set(("issue", "next_check"), iso, words.text("decision.date_words"))

    def _agree(self) -> None:
        agreed = [sentence for sentence, box in self.boxes.items() if box.isChecked()]
        if not self.session.read_only:
            self.session.set(("issue", "triggers"), agreed, words.text("again.trigger_words"))

    def _add(self) -> None:
        sentence = self.other.text().strip()
        if not sentence or self.session.read_only:
            return
        agreed = [*(self._planned().get("triggers") or ()), sentence]
        if self.session.set(
            ("issue", "triggers"), list(dict.fromkeys(agreed)), words.text("again.trigger_words")
        ):
            self.other.clear()

    def export(self, path: str = "") -> None:
        """Write the dates as a calendar file; asks where if not told."""
        made = self._planned()
        if not path:
            name = f"{made['number'] or self.session.path.stem}.ics".replace("/", "-")
            path, _ = QFileDialog.getSaveFileName(
                self, words.text("again.export_title"), str(self.session.path.parent / name),
                words.text("again.ics_filter"),
            )  # fmt: skip
        if not path:
            return
        target = Path(path if path.lower().endswith(".ics") else f"{path}.ics")
        text = calendar(
            facts=self.session.facts, certificate=made, stamp=self.session.clock(),
            triggers=made.get("triggers") or (),
        )  # fmt: skip
        try:
            target.write_text(text, "utf-8", newline="")
        except OSError as error:
            why = error.strerror or str(error)
            self.session.refused.emit(Refused(Problem(target.name, "", why)))
            return
        self.bar.show_message("good", words.text("again.exported", name=target.name))
        self.bar.show()

    def renew(self, path: str = "") -> None:
        """Open a new case that takes over what does not change; asks where if not told."""
        window = self.window()
        if getattr(window, "create_case", None) is None:
            return
        if not path:
            start = self.session.path.with_name(f"{self.session.path.stem} again.fairassay")
            path, _ = QFileDialog.getSaveFileName(
                self, words.text("again.new_title"), str(start),
                messages.text("file.case_filter"),
            )  # fmt: skip
        if path:
            earlier = renewal.of_session(self.session)
            renewal.begin(cast("MainWindow", window), earlier, Path(path), actor=self.session.actor)

    def _from_old(self) -> None:
        ask = getattr(self.window(), "audit_again", None)
        if ask is not None:
            ask()

    def follow(self, link: str) -> bool:
        if link == "my:again":
            self._from_old()
            return True
        return False

    def ready(self) -> str:
        view = self.session.views()[12]
        waits = view.blocked_by is not None and self.session.state["certificate"] is None
        return view.why if waits else ""

    def help_html(self) -> str:
        return (self._help_dates, _help_sheet, _help_changes, _help_against)[self.tab]()

    def _help_dates(self) -> str:
        granted = (self.session.state["decision"] or {}).get("value") == decision.GRANT
        first = (
            "<p>A certificate speaks of the data of one day. Systems change, and so do the people "
            "they meet, so it runs out.</p>"
            if granted
            else "<p>A statement of findings has no validity. It still says when to look again.</p>"
        )
        return f"""
{first}
<h3>What you do now</h3>
<ul><li>Set the day of the next check. Half a year is usual.</li>
<li>Agree with the provider what makes a check due at once.</li>
<li>Save the dates as a calendar file, for you and for the provider.</li>
<li>Fill in the governance sheet before you issue.</li></ul>
<h3>The next audit</h3>
<p>A new case from this one takes over the names, the groups and the tolerance. You add the new
files; everything else is looked at anew. An old certificate alone is enough: it carries its plan
and its result.</p>
"""


def _help_sheet() -> str:
    return """
<p>A certificate without a watch is a photograph. This sheet says who looks, how often, and what
happens when something is wrong.</p>
<h3>What you do now</h3>
<ul><li>Fill it in with the provider. You write down what was agreed; you do not agree it.</li>
<li>Have rollback written down and tried before it is needed.</li>
<li>Hand the calendar file to the owners.</li></ul>
<h3>Words used here</h3>
<dl><dt>Cadence</dt><dd>How often it is checked, whether or not someone asks.</dd>
<dt>Rollback</dt><dd>Going back to a version, or to a procedure without the system.</dd></dl>
"""


def _help_changes() -> str:
    return """
<p>A new certificate says the same as the old one only if it measures the same.</p>
<h3>What you do now</h3>
<ul><li>Read each change, and write why it was made. The reason is printed.</li>
<li>Where a change alters what is measured by, the old and the new numbers do not compare one to
one. Say so in the reason.</li></ul>
"""


def _help_against() -> str:
    return """
<p>The new value less the old one, with the interval of that change.</p>
<h3>How to read it</h3>
<ul><li>A bar that holds 0 shows no change.</li>
<li>A verdict may turn though the value hardly moved, when it stood near the edge.</li>
<li>Where a file was audited both times the two results are not of different people. There is then
no interval.</li></ul>
"""


def _held(grid: QGridLayout) -> Any:
    """A grid in a row, so that it stands in a column of parts."""
    made = row()
    made.addLayout(grid, 1)
    return made
