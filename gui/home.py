"""The start page: new, open, verify; recent audits and samples."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QDragEnterEvent,
    QDropEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from engine import __version__

from . import icons, messages
from .settings import Settings
from .theme import theme
from .widgets.basic import Button, IconLabel, Label, column, line, painting, row
from .widgets.drop import DropZone, dropped_files
from .widgets.table import Cell, DataTable

LEFT = 376
UNDER = 860
"""Window width in pixels at 100 % under which the two parts stand one under the other."""
SAMPLES: tuple[tuple[str, str, str, str], ...] = (
    ("german", "German credit", "1,000 loan applicants. Age and sex; too few test rows to settle.", "About 20 s"),
    ("adult", "Adult income", "48,842 people. Race, sex and marital status; clear gaps in recorded outcomes.", "About 1 min"),
    ("sme", "Loans to small firms", "4,159 made-up firms. Micro firms are refused more often than their like.", "About 30 s"),
    ("hiring", "Hiring, crossed groups", "3,000 applicants. Gender and ethnicity together, some membership estimated.", "About 15 s"),
    ("pricing", "Credit prices", "200 quotes. A gap in amounts offered, by age.", "About 10 s"),
)  # fmt: skip
"""Name, title, sentence, time; those that are not there are left out, others are added."""


class Seal(QWidget):
    """The program's sign: two octagons around FA."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        return QSize(theme().px(45), theme().px(45))

    def paintEvent(self, event: QPaintEvent) -> None:
        with painting(self) as painter:
            self._paint(painter)

    def _paint(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = theme().px(44)
        for inset, width in ((0.8, 1.6), (4.5, 0.8)):
            painter.setPen(QPen(theme().colour("accent"), width * theme().scale))
            painter.drawPolygon(_octagon(side, inset * theme().scale))
        font = theme().font("title")
        font.setPointSizeF(12.5 * theme().scale)
        painter.setFont(font)
        painter.setPen(theme().colour("accent"))
        painter.drawText(QRectF(0, 0, side, side), int(Qt.AlignmentFlag.AlignCenter), "FA")


def _octagon(side: float, inset: float) -> QPolygonF:
    low, high = inset, side - inset
    cut = (high - low) * 0.293
    points = (
        (low + cut, low), (high - cut, low), (high, low + cut), (high, high - cut),
        (high - cut, high), (low + cut, high), (low, high - cut), (low, low + cut),
    )  # fmt: skip
    return QPolygonF([QPointF(x, y) for x, y in points])


class Card(QPushButton):
    """A large button with icon, title and one thin line."""

    def __init__(self, icon: str, title: str, sentence: str, *, primary: bool = False) -> None:
        super().__init__()
        self.setProperty("card", "primary" if primary else "plain")
        self.setAccessibleName(title)
        self.setAccessibleDescription(sentence)
        self._primary, self._icon = primary, icon
        inner = QVBoxLayout(self)
        inner.setContentsMargins(theme().px(51), theme().px(10), theme().px(12), theme().px(10))
        inner.setSpacing(0)
        inner.addStretch(1)
        for text, role, tone in ((title, "section", ""), (sentence, "help", "second")):
            label = Label(text, role, tone=tone)
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            inner.addWidget(label)
        inner.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(theme().px(303), theme().px(64))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        side = theme().px(20)
        where = QRectF(theme().px(16), (self.height() - side) / 2, side, side)
        with painting(self) as painter:
            icons.paint(painter, self._icon, where, "on_accent" if self._primary else "accent")


class HomePage(QWidget):
    """The start page.

    Signals
    -------
    new_asked(), open_asked(), case_asked(str), sample_asked(str), files_dropped(list),
    verify_asked(object) : a path, or None to choose one; selftest_asked(), keys_asked().
    """

    new_asked = Signal()
    open_asked = Signal()
    again_asked = Signal()
    case_asked = Signal(str)
    sample_asked = Signal(str)
    files_dropped = Signal(list)
    verify_asked = Signal(object)
    selftest_asked = Signal()
    keys_asked = Signal()

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self.setAcceptDrops(True)
        self._left = self._make_left()
        self._right = self._make_right()
        self._one = self._make_one()
        top = QHBoxLayout()
        top.setSpacing(0)
        top.addWidget(self._left)
        top.addWidget(self._right, 1)
        top.addWidget(self._one, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(top, 1)
        whole.addWidget(self._make_footer())
        theme().changed.connect(self._measure)
        self._measure()
        self.refresh()
        self.show_selftest()

    def _measure(self) -> None:
        self._foot.setFixedHeight(theme().px(52))
        for name in self._sample_names:
            name.setFixedWidth(theme().px(168))
        self._left.setFixedWidth(theme().px(LEFT))
        self._arrange(max(self.width(), 1024) < theme().px(UNDER))

    def _arrange(self, narrow: bool) -> None:
        """Set both parts one under the other where they have no room side by side."""
        if narrow == self._one.isVisibleTo(self):
            return
        if narrow:
            for scroll in (self._left, self._right):
                self._both.addWidget(scroll.takeWidget())
        else:
            for scroll in (self._left, self._right):
                part = self._both.takeAt(0).widget()
                if part is not None:
                    scroll.setWidget(part)
        for scroll, shown in ((self._left, not narrow), (self._right, not narrow), (self._one, narrow)):  # fmt: skip
            scroll.setVisible(shown)

    def _make_one(self) -> QScrollArea:
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inside = QWidget()
        self._both = QVBoxLayout(inside)
        self._both.setContentsMargins(0, 0, 0, 0)
        self._both.setSpacing(0)
        scroll.setWidget(inside)
        scroll.hide()
        return scroll

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._measure()

    def _make_left(self) -> QScrollArea:
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        frame = QFrame()
        frame.setProperty("ground", "window")
        frame.setProperty("line", "right")
        scroll.setWidget(frame)
        inner = QVBoxLayout(frame)
        inner.setContentsMargins(40, 40, 32, 24)
        inner.setSpacing(8)
        inner.addLayout(row(Seal(), Label(messages.text("app.name"), "name"), None, spacing=14))
        inner.addSpacing(2)
        inner.addWidget(Label(messages.text("home.lede"), "lede", tone="second", wrap=True))
        inner.addSpacing(20)
        self.new_card = Card(
            "file-plus", messages.text("home.new"), messages.text("home.new_help"), primary=True
        )
        self.open_card = Card(
            "folder-open", messages.text("home.open"), messages.text("home.open_help")
        )
        self.new_card.clicked.connect(lambda: self.new_asked.emit())
        self.open_card.clicked.connect(lambda: self.open_asked.emit())
        inner.addWidget(self.new_card)
        self.again_card = Card(
            "history", messages.text("home.again"), messages.text("home.again_help")
        )
        self.again_card.clicked.connect(lambda: self.again_asked.emit())
        inner.addWidget(self.open_card)
        inner.addWidget(self.again_card)
        inner.addSpacing(16)
        self.verify_zone = DropZone(
            title=messages.text("home.verify"), sentence=messages.text("home.verify_help"),
            button=messages.text("home.choose_pdf"), icon="shield-check", several=False,
            pattern=messages.text("file.pdf_filter"), dialog=messages.text("file.pdf_title"),
        )  # fmt: skip
        self.verify_zone.files_given.connect(lambda paths: self.verify_asked.emit(paths[0]))
        inner.addWidget(self.verify_zone)
        inner.addSpacing(18)
        note = Label(messages.text("home.offline"), "help", tone="second", wrap=True)
        info = column(IconLabel("info", "text2", 16), None)
        beside = QHBoxLayout()
        beside.setSpacing(8)
        beside.addLayout(info)
        beside.addWidget(note, 1)
        inner.addLayout(beside)
        inner.addStretch(1)
        return scroll

    def _make_right(self) -> QScrollArea:
        scroll = QScrollArea()
        scroll.setProperty("ground", "page")
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        page = QWidget()
        page.setProperty("ground", "page")
        scroll.setWidget(page)
        inner = QVBoxLayout(page)
        inner.setContentsMargins(40, 40, 48, 24)
        inner.setSpacing(6)
        self.find = QLineEdit()
        self.find.setPlaceholderText(messages.text("home.find"))
        self.find.setAccessibleName(messages.text("home.find"))
        self.find.setProperty("small", True)
        self._find_icon = self.find.addAction(
            icons.icon("search", "text2", 14), QLineEdit.ActionPosition.LeadingPosition
        )
        self.find.textChanged.connect(lambda _text: self.refresh())
        self._heading = Label(messages.text("home.recent"), "section")
        inner.addLayout(row(self._heading, None, self.find))
        self.recent = DataTable(
            words=messages.text("home.recent"),
            row_height=45,
            fit_rows=12,
            least={1: 98, 2: 230, 3: 110},
        )
        self.recent.row_chosen.connect(self._chosen)
        forget = QAction(messages.text("home.forget"), self.recent)
        forget.setShortcut(QKeySequence.StandardKey.Delete)
        forget.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        forget.triggered.connect(lambda _checked=False: self._forget())
        self.recent.addAction(forget)
        inner.addWidget(self.recent)
        self._none = Label("", tone="second", wrap=True)
        inner.addWidget(self._none)
        inner.addSpacing(22)
        inner.addWidget(Label(messages.text("home.samples"), "section"))
        inner.addWidget(Label(messages.text("home.samples_help"), "help", tone="second", wrap=True))
        self._samples = QVBoxLayout()
        self._samples.setSpacing(0)
        inner.addLayout(self._samples)
        inner.addStretch(1)
        self._fill_samples()
        theme().changed.connect(self._colour)
        self._colour()
        return scroll

    def _colour(self) -> None:
        self._find_icon.setIcon(icons.icon("search", "text2", 14))
        self.find.setFixedWidth(theme().px(220))

    def _make_footer(self) -> QWidget:
        frame = QFrame()
        frame.setProperty("line", "top")
        frame.setProperty("ground", "window")
        self._version = Label(
            messages.text("home.version", version=__version__), "help", tone="second"
        )
        selftest = Button(
            messages.text("home.selftest"), small=True, on_click=self.selftest_asked.emit
        )
        keys = Button(messages.text("home.keys"), small=True, on_click=self.keys_asked.emit)
        inner = row(self._version, None, selftest, keys, spacing=12)
        inner.setContentsMargins(16, 0, 24, 0)
        frame.setLayout(inner)
        self._foot = frame
        return frame

    def _fill_samples(self) -> None:
        from engine.samples import built_in

        there = built_in.names()
        known = {name: (title, text, time) for name, title, text, time in SAMPLES}
        self._sample_names: list[Label] = []
        order = [name for name in known if name in there] + [n for n in there if n not in known]
        for name in order:
            title, text, time = known.get(name, (name.replace("_", " ").capitalize(), "", ""))
            button = Button(
                "Open", small=True, on_click=lambda name=name: self.sample_asked.emit(name)
            )
            button.setAccessibleName(f"Open the sample {title}")
            heading = Label(title, "key")
            self._sample_names.append(heading)
            said = Label(text or built_in.purpose(name), tone="second", wrap=True)
            said.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
            one = QWidget()
            beside = row(heading, said, Label(time, "help", tone="second"), 8, button)
            beside.setContentsMargins(0, 8, 0, 8)
            beside.setStretch(1, 1)
            one.setLayout(beside)
            self._samples.addWidget(one)
            self._samples.addWidget(line())

    def set_notice(self, text: str) -> None:
        """What the footer says beside the version, such as the last self-test."""
        version = messages.text("home.version", version=__version__)
        self._version.setText(f"{version} · {text}" if text else version)

    def show_selftest(self) -> None:
        """Say how the last self-test ended; its report lies with the settings."""
        from engine.procedure.moments import day

        last = self.settings["selftest"]
        if last.get("when"):
            code = "selftest.passed" if last.get("passed") else "selftest.failed"
            words = messages.text(code)
            self.set_notice(messages.text("selftest.of", day=day(last["when"]), words=words))

    def _forget(self) -> None:
        """Take the chosen audits off the list; their files are not touched."""
        for place in self.recent.selected_rows():
            self.settings.forget_case(self._entries[place]["path"])
        self.refresh()

    def refresh(self) -> None:
        """Show the recent audits, those that hold what is searched for."""
        wanted = self.find.text().strip().casefold()
        entries = [
            entry
            for entry in self.settings["recent"]
            if wanted in f"{entry.get('system', '')} {entry.get('reference', '')}".casefold()
        ]
        self._entries = entries
        self.recent.set_table(
            ("System and reference", "Where", "State", "Last opened"),
            [_recent_row(entry) for entry in entries],
            "lllr",
        )
        self.recent.setVisible(bool(entries))
        self._none.setVisible(not entries)
        self._none.setText(
            messages.text("home.none_found", text=self.find.text())
            if wanted
            else messages.text("home.none")
        )

    def _chosen(self, index: int) -> None:
        self.case_asked.emit(self._entries[index]["path"])

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.files_dropped.emit(dropped_files(event.mimeData()))


def _recent_row(entry: Mapping[str, Any]) -> tuple[Cell, ...]:
    there = Path(entry["path"]).is_file()
    verdict = entry.get("verdict", "") if there else "not computable"
    words = entry.get("words", "") if there else messages.text("home.gone")
    return (
        Cell(
            entry.get("system", ""), sub=entry.get("reference") or Path(entry["path"]).name,
            role="key", tip=entry["path"],
        ),
        Cell(entry.get("where", "")),
        Cell(words, mark=verdict),
        Cell(opened_words(entry.get("opened", "")), tone="second"),
    )  # fmt: skip


def opened_words(moment: str, now: datetime | None = None) -> str:
    """When a case was opened: ``Today, 14:32``, ``27 November``, and the year where it is another."""
    from engine.procedure.moments import day

    try:
        then = datetime.fromisoformat(moment)
    except ValueError:
        return ""
    now = now or datetime.now(then.tzinfo)
    if then.date() == now.date():
        return f"Today, {then:%H:%M}"
    return day(moment, year=then.year != now.year)
