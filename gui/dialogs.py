"""The few dialogs: who works here, what is wrong, facts, trail, help, about, verify."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, Qt, QUrl
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QScrollArea,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from engine import __version__
from engine.base.problems import Problem

from . import messages, printable
from .paths import RESOURCES
from .session import ROLES, Actor
from .theme import theme
from .widgets.basic import Button, IconLabel, Label, column, line, row
from .widgets.fields import Combo, FieldRow
from .widgets.help_panel import as_document, document_css
from .widgets.table import Cell, DataTable

if TYPE_CHECKING:
    from .session import Session
    from .settings import Settings


class Dialog(QDialog):
    """A dialog with a title, one sentence, a body, and buttons at the bottom right."""

    def __init__(
        self, parent: QWidget | None, title: str, sentence: str = "", *, width: float = 520
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        wide = theme().px(width)
        if parent is not None:
            wide = min(wide, max(480, parent.window().width() - 48))
        self.setMinimumWidth(wide)
        self.body = QVBoxLayout()
        self.body.setSpacing(12)
        self.buttons = row(None)
        whole = QVBoxLayout(self)
        whole.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)
        whole.setContentsMargins(24, 20, 24, 16)
        whole.setSpacing(6)
        heading = Label(title, "title", wrap=True)
        whole.addWidget(heading)
        if sentence:
            whole.addWidget(Label(sentence, tone="second", wrap=True))
        whole.addSpacing(8)
        whole.addLayout(self.body, 1)
        whole.addSpacing(10)
        whole.addLayout(self.buttons)

    def showEvent(self, event: QShowEvent) -> None:
        """Take the height that the broken lines need at this width, and no more."""
        if not event.spontaneous() and not self.testAttribute(Qt.WidgetAttribute.WA_Resized):
            wide = max(self.minimumWidth(), min(self.width(), self.sizeHint().width()))
            high = self.layout().totalHeightForWidth(wide)
            self._grow(wide, high if high > 0 else self.sizeHint().height())
        super().showEvent(event)

    def event(self, event: QEvent) -> bool:
        """Grow with what is put in later; a person may have made the dialog larger or smaller."""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest and self.isVisible():
            layout = self.layout()
            least = layout.totalMinimumSize()
            high = layout.totalMinimumHeightForWidth(self.width())
            high = high if high > 0 else least.height()
            if high > self.height() or least.width() > self.width():
                self._grow(max(self.width(), least.width()), max(self.height(), high))
        return done

    def _grow(self, wide: int, high: int) -> None:
        room = self.screen().availableGeometry()
        self.resize(min(wide, room.width() - 20), min(high, room.height() - 40))

    def add_button(self, text: str, action: Any, *, primary: bool = False) -> Button:
        """A button at the bottom right; the primary one answers to Enter."""
        made = Button(text, kind="primary" if primary else "", on_click=action)
        made.setDefault(primary)
        self.buttons.addWidget(made)
        return made


class PersonDialog(Dialog):
    """Asks once who works on the case."""

    def __init__(self, parent: QWidget | None, settings: Settings) -> None:
        super().__init__(parent, messages.text("person.title"), messages.text("person.sentence"))
        person = settings["person"]
        self.name = QLineEdit(person.get("name", ""))
        self.role = Combo([(r, r) for r in ROLES], value=person.get("role", "Evaluator"))
        self.organisation = QLineEdit(person.get("organisation", ""))
        self.body.addWidget(
            FieldRow(
                messages.text("person.name"), self.name, help=messages.text("person.name_help")
            )
        )
        self.body.addWidget(FieldRow(messages.text("person.role"), self.role))
        self.body.addWidget(
            FieldRow(
                messages.text("person.organisation"), self.organisation,
                help=messages.text("person.organisation_help"),
            )
        )  # fmt: skip
        self.add_button(messages.text("button.cancel"), self.reject)
        self.add_button(messages.text("footer.continue"), self.accept, primary=True)
        self._settings = settings

    def actor(self) -> Actor:
        """The person as given, remembered for the next case."""
        given = {
            "name": self.name.text().strip(),
            "role": self.role.value() or "Evaluator",
            "organisation": self.organisation.text().strip(),
        }
        self._settings["person"] = given
        return Actor(given["name"], given["role"])


class ProblemDialog(Dialog):
    """Why something cannot be used as it is: one line a problem, each with its mend."""

    def __init__(
        self, parent: QWidget | None, problems: Sequence[Problem], title: str = ""
    ) -> None:
        super().__init__(parent, title or messages.text("problem.title"))
        for problem in problems[:20]:
            text = Label(str(problem), wrap=True)
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            beside = row(IconLabel("circle-x", "outside", 16), text, spacing=10)
            beside.setStretch(1, 1)
            beside.setAlignment(beside.itemAt(0).widget(), Qt.AlignmentFlag.AlignTop)
            self.body.addLayout(beside)
        if len(problems) > 20:
            self.body.addWidget(
                Label(messages.text("problem.more", n=len(problems) - 20), tone="second")
            )
        self.add_button(messages.text("button.close"), self.accept, primary=True)


class CrashDialog(Dialog):
    """A fault of ours in plain words: what happened, that nothing is lost, where the report is."""

    def __init__(self, parent: QWidget | None, what: str, report: str) -> None:
        super().__init__(
            parent, messages.text("crash.title"), messages.text("crash.text", what=what.rstrip("."))
        )
        if report:
            path = Label(
                messages.text("crash.report", path=report), "help", tone="second", wrap=True
            )
            path.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self.body.addWidget(path)
        self.add_button(messages.text("button.close"), self.accept, primary=True)


FACT_WORDS: tuple[tuple[str, str, str], ...] = (
    ("reference", "Reference", "The office's own number of this audit."),
    ("system", "Name of the system", ""),
    ("version", "Version", ""),
    ("provider", "Provider", "Who made the system or puts it on the market."),
    ("provider_address", "Address of the provider", ""),
    ("client", "Requested by", "Leave empty where it is the provider."),
    ("client_address", "Address of who requested it", ""),
    ("purpose", "What the system decides", "One sentence, as it stands on the certificate."),
    ("organisation", "Office", ""),
    ("organisation_address", "Address of the office", ""),
    ("accreditation", "Accreditation", "Write “none” where there is none."),
    ("evaluator", "Evaluator", ""),
    ("reviewer", "Reviewer", ""),
    ("decider", "Decider", "The person who decides is not the one who evaluated."),
    ("audit_period", "Period of the audit", ""),
    ("data_dates", "Dates of the data", ""),
)  # fmt: skip
"""Facts asked here: key, label, help; step 10 and step 11 ask for the rest."""


class FactsDialog(Dialog):
    """The facts of the case in words."""

    def __init__(self, parent: QWidget | None, session: Session) -> None:
        super().__init__(
            parent, messages.text("facts.title"), messages.text("facts.sentence"), width=620
        )
        self.session = session
        self.fields: dict[str, QLineEdit] = {}
        self.rows: dict[str, FieldRow] = {}
        inside = QWidget()
        rows = column(spacing=12)
        rows.setContentsMargins(0, 0, 12, 0)
        inside.setLayout(rows)
        for key, label, help_text in FACT_WORDS:
            field = QLineEdit(session.facts.get(key, ""))
            field.setReadOnly(session.read_only)
            self.fields[key] = field
            self.rows[key] = FieldRow(label, field, help=help_text)
            rows.addWidget(self.rows[key])
            if not session.read_only:
                printable.guard(session.jobs, self.rows[key], field)
        rows.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(inside)
        scroll.setMinimumHeight(theme().px(420))
        self.body.addWidget(scroll)
        if session.read_only:
            self.add_button(messages.text("button.close"), self.reject)
        else:
            self.add_button(messages.text("button.cancel"), self.reject)
            self.add_button(messages.text("button.keep"), self.keep, primary=True)

    def keep(self) -> None:
        """Enter what was changed as one act, if the paper can print it."""
        typed = {key: field.text().strip() for key, field in self.fields.items()}
        printable.check(self.session.jobs, typed, self._keep)

    def _keep(self, faults: dict[str, str]) -> None:
        for key, said in faults.items():
            self.rows[key].set_error(said)
        if faults:
            first = self.fields[next(iter(faults))]
            first.setFocus()
            return
        changes = [
            (("case", key), field.text().strip())
            for key, field in self.fields.items()
            if field.text().strip() != self.session.facts.get(key, "")
        ]
        if changes and not self.session.set_many(changes, messages.text("facts.words")):
            return
        self.accept()


class TrailDialog(Dialog):
    """Everything that was done, in order, with who and when."""

    def __init__(self, parent: QWidget | None, session: Session) -> None:
        super().__init__(
            parent, messages.text("trail.title"), messages.text("trail.sentence"), width=760
        )
        from engine.procedure.moments import moment

        rows = []
        for event in session.case.trail():
            body = event.body
            words = str(body.get("words", ""))
            when = str(body.get("when", ""))
            kind = {"undo": "took back: ", "redo": "put back: "}.get(str(body.get("kind")), "")
            rows.append(
                (event.seq, moment(when) if when else "", str(body.get("who", "")), kind + words,
                 Cell(event.hash[:12], mono=True, tone="second"))
            )  # fmt: skip
        self.table = DataTable(
            words=messages.text("trail.title"), boxed=True, stretch=3, fit_rows=0
        )
        self.table.set_table(("No.", "When", "Who", "What was done", "Link"), rows, "rllll")
        self.table.setMinimumHeight(theme().px(360))
        self.body.addWidget(self.table)
        self.table.scrollToBottom()
        self.add_button(messages.text("button.close"), self.accept, primary=True)


class HelpDialog(QDialog):
    """A help page, in a window that may stay beside the work."""

    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(messages.text("help.window"))
        self.resize(theme().px(720), theme().px(640))
        self.browser = QTextBrowser()
        self.browser.setAccessibleName(messages.text("help.window"))
        self.browser.setOpenLinks(False)
        self.browser.anchorClicked.connect(self._follow)
        inner = QVBoxLayout(self)
        inner.setContentsMargins(24, 20, 12, 12)
        inner.addWidget(self.browser)
        inner.addWidget(line())
        index = Button(messages.text("help.index"), small=True, on_click=lambda: self.open("index"))
        close = Button(messages.text("button.close"), small=True, on_click=self.close)
        inner.addLayout(row(index, None, close))

    def open(self, name: str) -> None:
        """Show a page of ``resources/help`` by its name, Markdown or HTML."""
        self.browser.document().setDefaultStyleSheet(document_css())
        self.browser.document().setDefaultFont(theme().font())
        folder = RESOURCES / "help"
        for suffix, show in ((".html", self._html), (".md", self.browser.setMarkdown)):
            file = folder / f"{name}{suffix}"
            if "/" not in name and file.is_file():
                show(file.read_text("utf-8"))
                break
        else:
            names = sorted({p.stem for p in folder.glob("*.*") if p.suffix in (".html", ".md")})
            links = "".join(
                f'<li><a href="help:{n}">{n.replace("-", " ").replace("_", " ").capitalize()}</a></li>'
                for n in names
            )
            self._html(
                f"<h2>{messages.text('help.window')}</h2><p>{messages.text('help.none')}</p><ul>{links}</ul>"
            )
        self.show()
        self.raise_()

    def _html(self, html: str) -> None:
        self.browser.setHtml(as_document(html))

    def _follow(self, url: QUrl) -> None:
        target = url.toString()
        if target.startswith("#"):
            self.browser.scrollToAnchor(target[1:])
        elif target.startswith(("help:", "step:")) or "." in target:
            name = target.removeprefix("help:").rsplit("/", 1)[-1]
            self.open(name.removesuffix(".html").removesuffix(".md"))


class NoticeDialog(Dialog):
    """A few sentences that can be copied, good news or not."""

    def __init__(
        self, parent: QWidget | None, title: str, lines: Sequence[str], *, good: bool = True
    ) -> None:
        super().__init__(parent, title)
        icon, colour = ("circle-check", "within") if good else ("triangle-alert", "not_settled")
        first = True
        for text in lines:
            said = Label(text, wrap=True)
            said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            beside = row(IconLabel(icon if first else "", colour, 16), said, spacing=10)
            beside.setStretch(1, 1)
            beside.setAlignment(beside.itemAt(0).widget(), Qt.AlignmentFlag.AlignTop)
            self.body.addLayout(beside)
            first = False
        self.body.addStretch(1)
        self.add_button(messages.text("button.close"), self.accept, primary=True)


class AboutDialog(Dialog):
    """Name, version, and the parts that others made."""

    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(
            parent, messages.text("app.name"), messages.text("about.text", version=__version__)
        )
        self.body.addWidget(Label(messages.text("about.parts"), "help", tone="second", wrap=True))
        self.add_button(messages.text("button.close"), self.accept, primary=True)
