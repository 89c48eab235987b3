"""The window's menus: every command by keyboard, undo and redo with their words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMenu, QWidget

from . import messages
from .theme import SCALES, theme
from .widgets.basic import IconLabel, Label

if TYPE_CHECKING:
    from .main_window import MainWindow

Key = QKeySequence.StandardKey


class Menus(QObject):
    """Builds the menu bar and keeps what is open and closed in it up to date."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)  # as its child, so that the theme's signal ends with it
        self.window = window
        self.bar = window.menuBar()
        self.bar.setNativeMenuBar(False)
        self.bar.setAccessibleName("Menus")
        self._needs_case: list[QAction] = []
        self._file()
        self._edit()
        self._case()
        self._methods()
        self._view()
        self._help()
        self._corner()
        theme().changed.connect(self._measure)
        self.refresh()

    def _measure(self) -> None:
        self.bar.setFixedHeight(theme().px(30))
        if hasattr(self, "_corner_part"):
            self._corner_part.setFixedHeight(theme().px(29))

    def _add(
        self,
        menu: QMenu,
        code: str,
        action: Callable[[], object],
        *,
        key: QKeySequence.StandardKey | str | None = None,
        case: bool = False,
    ) -> QAction:
        made = QAction(messages.text(f"menu.{code}"), self.window)
        made.triggered.connect(lambda _checked=False: action())
        if key is not None:
            made.setShortcut(QKeySequence(key))
        if case:
            self._needs_case.append(made)
        menu.addAction(made)
        return made

    def _menu(self, code: str) -> QMenu:
        return self.bar.addMenu(messages.text(f"menu.{code}"))

    def _file(self) -> None:
        window, menu = self.window, self._menu("file")
        self._add(menu, "new", window.new_case, key=Key.New)
        self._add(menu, "open", window.choose_case, key=Key.Open)
        self._add(menu, "audit_again", window.audit_again)
        self.recent = menu.addMenu(messages.text("menu.recent"))
        self.recent.aboutToShow.connect(self._fill_recent)
        self._fill_recent()
        self._add(menu, "home", window.show_home, key="Alt+Home")
        menu.addSeparator()
        self._add(menu, "verify", lambda: window.verify(None), key="Ctrl+Shift+V")
        menu.addSeparator()
        self._add(menu, "add_files", window.add_files, key="Ctrl+Shift+A", case=True)
        self._add(menu, "save_copy", window.save_copy, key="Ctrl+Shift+S", case=True)
        self._add(menu, "export", window.export, case=True)
        self._add(menu, "preview", window.print_preview, key=Key.Print, case=True)
        menu.addSeparator()
        self._add(menu, "quit", window.close, key="Ctrl+Q")

    def _fill_recent(self) -> None:
        self.recent.clear()
        entries = self.window.settings["recent"]
        for entry in entries:
            name = entry.get("system") or Path(entry["path"]).stem
            reference = entry.get("reference") or Path(entry["path"]).name
            action = self.recent.addAction(f"{name} · {reference}".replace("&", "&&"))
            action.triggered.connect(
                lambda _checked=False, path=entry["path"]: self.window.open_case(path)
            )
        self.recent.setEnabled(bool(entries))

    def _edit(self) -> None:
        menu = self._menu("edit")
        self.undo = self._add(menu, "undo", self._undo, key=Key.Undo)
        self.redo = self._add(menu, "redo", self._redo, key=Key.Redo)
        menu.addSeparator()
        self.copy = self._add(menu, "copy", self._copy)

    def _undo(self) -> None:
        """Undo in the field that is being typed in, else of the case."""
        self._edit_or("undo", lambda: self.window.session and self.window.session.undo())

    def _redo(self) -> None:
        self._edit_or("redo", lambda: self.window.session and self.window.session.redo())

    def _edit_or(self, name: str, otherwise: Callable[[], object]) -> None:
        focus = QApplication.focusWidget()
        available = getattr(focus, f"is{name.capitalize()}Available", None)
        document = getattr(focus, "document", None)
        if (callable(available) and available()) or (
            callable(document) and getattr(document(), f"is{name.capitalize()}Available")()
        ):
            getattr(focus, name)()
        else:
            otherwise()

    def _copy(self) -> None:
        copy = getattr(QApplication.focusWidget(), "copy", None)
        if callable(copy):
            copy()

    def _case(self) -> None:
        window, menu = self.window, self._menu("case")
        self._add(menu, "facts", window.facts, key="Ctrl+I", case=True)
        self._add(menu, "person", window.person, case=True)
        self._add(menu, "trail", window.trail, key="Ctrl+T", case=True)
        menu.addSeparator()
        self._add(
            menu, "next", lambda: window.stepper_or_fail().go_on(), key="Alt+Right", case=True
        )
        self._add(
            menu, "back", lambda: window.stepper_or_fail().go_back(), key="Alt+Left", case=True
        )
        steps = menu.addMenu(messages.text("menu.go"))
        from .steps import TITLES

        for number, title in enumerate(TITLES):
            action = steps.addAction(f"{number}  {title}")
            action.setShortcut(
                QKeySequence(f"Ctrl+{number}" if number < 10 else f"Ctrl+Shift+{number - 10}")
            )
            action.triggered.connect(lambda _checked=False, n=number: self._go(n))
            self._needs_case.append(action)
        menu.addSeparator()
        self._add(menu, "check", window.check, case=True)
        self.rescue = self._add(menu, "salvage", window.salvage)
        menu.addSeparator()
        self._add(menu, "register", window.register, key="Ctrl+R")
        self._add(menu, "keys", window.keys)

    def _go(self, number: int) -> None:
        self.window.show_case()
        self.window.stepper_or_fail().open_step(number)

    def _methods(self) -> None:
        from engine.methods import NAMES, method

        menu = self._menu("methods")
        for name in NAMES:
            action = menu.addAction(method(name).title)
            action.setStatusTip(method(name).question)
            action.setToolTip(method(name).question)
            action.triggered.connect(lambda _checked=False, n=name: self.window.open_method(n))
            self._needs_case.append(action)
        menu.setToolTipsVisible(True)

    def _view(self) -> None:
        menu = self._menu("view")
        appearance = menu.addMenu(messages.text("menu.appearance"))
        self._group(
            appearance, [(v, messages.text(f"menu.{v}")) for v in ("system", "light", "dark")],
            self.window.settings["appearance"], self.window.set_appearance,
        )  # fmt: skip
        sizes = menu.addMenu(messages.text("menu.text_size"))
        self._sizes = self._group(
            sizes,
            [(s, f"{s} %") for s in SCALES],
            self.window.settings["text_scale"],
            self.window.set_scale,
        )
        self._add(menu, "larger", lambda: self._step_scale(1), key=Key.ZoomIn)
        self._add(menu, "smaller", lambda: self._step_scale(-1), key=Key.ZoomOut)
        menu.addSeparator()
        self._add(menu, "panel", self._toggle_help, key="F9", case=True)
        self._add(menu, "names", self._toggle_names, key="F8", case=True)
        self._add(menu, "full", self._full, key="F11")

    def _group(
        self,
        menu: QMenu,
        options: list[tuple[object, str]],
        value: object,
        action: Callable[..., None],
    ) -> QActionGroup:
        group = QActionGroup(menu)
        for one, words in options:
            made = menu.addAction(words)
            made.setCheckable(True)
            made.setChecked(one == value)
            made.setData(one)
            made.triggered.connect(lambda _checked=False, v=one: action(v))
            group.addAction(made)
        return group

    def _step_scale(self, by: int) -> None:
        now = round(theme().scale * 100)
        nearest = min(range(len(SCALES)), key=lambda i: abs(SCALES[i] - now))
        wanted = SCALES[min(len(SCALES) - 1, max(0, nearest + by))]
        self.window.set_scale(wanted)
        for action in self._sizes.actions():
            action.setChecked(action.data() == wanted)

    def _toggle_help(self) -> None:
        stepper = self.window.stepper
        if stepper is not None:
            stepper.help.fold_asked.emit(not stepper.help.folded)

    def _toggle_names(self) -> None:
        stepper = self.window.stepper
        if stepper is not None:
            stepper.toggle_names()

    def _full(self) -> None:
        full = self.window.isFullScreen()
        self.window.showNormal() if full else self.window.showFullScreen()

    def _help(self) -> None:
        menu = self._menu("help")
        self._add(menu, "help_page", self.window.show_help, key=Key.HelpContents)
        self._add(menu, "help_index", lambda: self.window.show_help("index"))
        self._add(menu, "selftest", self.window.selftest)
        menu.addSeparator()
        self._add(menu, "about", self.window.about)

    def _corner(self) -> None:
        self._saved_icon = IconLabel("circle-check", "text2", 14)
        self._saved = Label("", "help", tone="second")
        corner = self._corner_part = QWidget(self.bar)
        inner = QHBoxLayout(corner)
        inner.setContentsMargins(0, 0, 16, 0)
        inner.setSpacing(6)
        inner.addWidget(self._saved_icon)
        inner.addWidget(self._saved)
        self._measure()
        self.bar.setCornerWidget(corner, Qt.Corner.TopRightCorner)

    def refresh(self) -> None:
        """Open and close commands as the case stands."""
        session = self.window.session
        on_case = session is not None and self.window.stack.currentWidget() is self.window.stepper
        for action in self._needs_case:
            action.setEnabled(session is not None)
        undo = session.case.can_undo if session else None
        redo = session.case.can_redo if session else None
        for action, words, code in ((self.undo, undo, "undo"), (self.redo, redo, "redo")):
            action.setText(words.replace("&", "&&") if words else messages.text(f"menu.{code}"))
        # The commands also serve the field that is being typed in, so they stay open.
        self.rescue.setEnabled(session is not None and bool(session.case.damage))
        self.undo.setEnabled(session is not None)
        self.redo.setEnabled(session is not None)
        self._saved.setText(session.saved_text if session and on_case else "")
        self._saved_icon.setVisible(on_case)
        self._saved_icon.set_icon("lock" if session and session.case.read_only else "circle-check")
        title = messages.text("app.name")
        if session is not None:
            title = f"{session.facts['system'] or session.path.stem} – {title}"
        self.window.setWindowTitle(title)
        corner = self.bar.cornerWidget(Qt.Corner.TopRightCorner)
        corner.adjustSize()
        # the bar makes room for its corner only as it is set or the window is resized
        self.bar.setCornerWidget(corner, Qt.Corner.TopRightCorner)
