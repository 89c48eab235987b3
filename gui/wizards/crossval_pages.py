"""Parts of the pages: people by group, expected time, folds, and the fits while they run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QProgressBar, QSizePolicy, QVBoxLayout, QWidget

from engine.base import wording
from engine.base.problems import Problem, Refused
from engine.base.watch import FAILED, WAITING
from engine.methods.base import PrintedTable
from gui.jobs import Job, time_left
from gui.theme import theme
from gui.widgets.basic import Button, Elided, Label, column
from gui.widgets.flow import Flow
from gui.widgets.message import MessageBar

from .crossval_grid import FitGrid, Key
from .crossval_words import duration, text
from .result_view import TablePart
from .words import text as wizard_text

FIT_ROWS = 20
"""Rows of a table before it scrolls by itself: all numbers of folds that are tried."""
SAMPLE_PART = 8
"""Groups that a message names; the table names all."""


def buttons(*parts: QWidget) -> QWidget:
    """Buttons in a line that breaks where it is too long."""
    made = QWidget()
    made.setLayout(Flow(*parts, spacing=8))
    policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
    policy.setHeightForWidth(True)
    made.setSizePolicy(policy)
    return made


class Tables(QWidget):
    """Tables one below the other; they are made anew only when they say something else."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[TablePart] = []
        self._shown: tuple[PrintedTable, ...] = ()
        self._inner = QVBoxLayout(self)
        self._inner.setContentsMargins(0, 0, 0, 0)
        self._inner.setSpacing(14)

    def show_tables(self, *tables: PrintedTable) -> None:
        """Show these tables and no others."""
        if tables == self._shown:
            return
        self._shown = tables
        for part in self.parts:
            self._inner.removeWidget(part)
            part.hide()
            part.deleteLater()
        self.parts = [TablePart(table) for table in tables]
        for part in self.parts:
            part.view._fit = FIT_ROWS
            part.view.measure()
            self._inner.addWidget(part)


class Ahead(QWidget):
    """What is known before a run: a line, a message with a mend, and tables."""

    asked = Signal(str)

    def __init__(self, heading: str) -> None:
        super().__init__()
        self.line = Label("", wrap=True)
        self.bar = MessageBar("info", " ")
        self.bar.activated.connect(self.asked)
        self.tables = Tables()
        self.told = QWidget()
        self.told.setLayout(column(self.line, self.bar))
        self.setLayout(column(Label(heading, "section"), self.told, self.tables))
        self.say("")
        self.bar.hide()

    def say(self, words: str) -> None:
        """Put words into the line; without any it goes."""
        self.line.setText(words)
        self.line.setVisible(bool(words))

    def tell(self, kind: str, words: str, link_text: str = "", link: str = "") -> None:
        """Show a message; without words it goes."""
        self.bar.show_message(kind, words or " ", link_text=link_text, link=link)
        self.bar.setVisible(bool(words))

    def nothing(self, why: str) -> None:
        """Say why nothing is known yet."""
        self.say(why)
        self.tell("info", "")
        self.tables.show_tables()


class PeopleAhead(Ahead):
    """People of each group by recorded outcome."""

    def __init__(self) -> None:
        super().__init__(text("people"))

    def show_ahead(self, ahead: Mapping[str, Any]) -> None:
        """Show the people of an outlook."""
        parts = [text("data_line", people=wording.people(ahead["people"]))]
        if ahead["supplied"]:
            parts.append(text("supplied", name=ahead["supplied"]))
        if ahead["own_folds"]:
            parts.append(text("own_folds", k=ahead["k"]))
        self.say(" ".join(parts))
        self.tell("info", "")
        tables = []
        for name, one in ahead["attributes"].items():
            rows = tuple(
                (g["words"], *map(wording.count, (g["people"], g["positives"], g["negatives"])))
                for g in one["groups"].values()
            )
            heads = ("col_group", "col_people", "col_favourable", "col_unfavourable")
            unknown = one["unknown"]
            notes = (text("unknown", n=wording.people(unknown)),) if unknown else ()
            title = text("people_table", name=name)
            tables.append(PrintedTable(title, tuple(map(text, heads)), rows, "lrrr", notes))
        self.tables.show_tables(*tables)


class TimeAhead(Ahead):
    """Fits of each algorithm and the time that they take; a sample where one takes long."""

    def __init__(self) -> None:
        super().__init__(text("time"))

    def show_ahead(self, ahead: Mapping[str, Any], sample: int) -> None:
        """Show the time of an outlook; ``sample`` people are offered for the slowest."""
        models = ahead["models"]
        if ahead["supplied"]:
            self.nothing(text("supplied", name=ahead["supplied"]))
            return
        fits = wording.count(sum(m["fits"] for m in models.values()))
        self.say(text("time_line", fits=fits, time=duration(ahead["seconds"])))
        svm = models.get("svm")
        if ahead["sample_seconds"] is not None:
            size = wording.count(sample)
            words = text(
                "svm_slow", time=duration(svm["seconds"]), people=wording.people(svm["people"]),
                sample=size, less=duration(ahead["sample_seconds"]),
            )  # fmt: skip
            self.tell("warning", words, text("svm_take", sample=size), "my:sample")
        elif svm and svm["sampled"]:
            self.tell("info", text("svm_sampled", n=wording.people(svm["people"])))
        else:
            self.tell("info", "")
        heads = ("col_algorithm", "col_fits", "col_learns", "col_time")
        rows = tuple(
            (m["title"], wording.count(m["fits"]), wording.count(m["people"]), duration(m["seconds"]))
            for m in models.values()
        )  # fmt: skip
        table = PrintedTable(
            text("time"), tuple(map(text, heads)), rows, "lrrr", (text("time_note"),)
        )
        self.tables.show_tables(table)


class FoldsAhead(Ahead):
    """People of each outcome and group in a fold, for each number of folds; one is advised."""

    def __init__(self) -> None:
        super().__init__(text("folds"))

    def show_ahead(self, ahead: Mapping[str, Any]) -> None:
        """Show the folds of an outlook."""
        from engine.methods.crossval.printed import advised

        used, best = ahead["k"], ahead["advised"]
        fewest = next(iter(ahead["attributes"].values()))["advice"]["fewest"]
        bare = _bare(ahead)
        fields = {"used": used, "k": best, "fewest": fewest}
        link = (text("use", k=best), "my:advised")
        if ahead["own_folds"]:
            self.say(text("own_folds", k=used))
        else:
            code = "advised" if best is not None else "none_advised"
            self.say(text(code, **fields))
        more = text("bare", k=used, groups=wording.listed(bare)) if bare else ""
        if best is None or ahead["own_folds"]:
            self.tell("warning", more)
        elif used > best:
            self.tell("warning", " ".join((text("more_used", **fields), more)).strip(), *link)
        elif used < best:
            self.tell("info", text("fewer_used", **fields), *link)
        else:
            self.tell("good", text("advised_used", **fields))
        self.tables.show_tables(
            *(advised(name, one, whole=True) for name, one in ahead["attributes"].items())
        )
        for part, one in zip(self.tables.parts, ahead["attributes"].values(), strict=True):
            model, k = part.view.model(), str(one["advice"]["advised"])
            rows = [row for row in range(model.rowCount()) if model.text(row, 0) == k]
            model.total_rows = frozenset(rows)  # in bold, on a ground of its own
            part.view.viewport().update()


def _bare(ahead: Mapping[str, Any]) -> list[str]:
    """Groups of which some fold holds nobody of an outcome, however evenly they are dealt."""
    found = []
    for name, one in ahead["attributes"].items():
        for g in one["groups"].values():
            for outcome, word in (("positives", "favourable"), ("negatives", "unfavourable")):
                if g[outcome] < ahead["k"]:
                    group = f"{name} {g['words']}"
                    n = wording.people(g[outcome])
                    found.append(text("bare_group", group=group, outcome=word, n=n))
    more = len(found) - SAMPLE_PART
    return [*found[:SAMPLE_PART], f"{more} more"] if more > 0 else found


class RunningPage(QWidget):
    """The grid of fits, the time left, and what can be done now.

    Signals
    -------
    run_asked(), cancel_asked(), result_asked(), forget_asked()
    refused(Refused) : the grid could not be written.
    """

    run_asked = Signal()
    cancel_asked = Signal()
    result_asked = Signal()
    forget_asked = Signal()
    refused = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.line = Label("", wrap=True)
        self.grid, self.key = FitGrid(), Key()
        self.now = Elided("", "help", tone="second")
        self.progress = QProgressBar()
        self.progress.setRange(0, 1000)
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(text("grid"))
        self.progress.setMaximumWidth(theme().px(420))
        self.run = Button(wizard_text("run"), icon="play", on_click=self.run_asked.emit)
        self.cancel = Button(text("cancel"), on_click=self.cancel_asked.emit)
        self.result = Button(
            text("to_result"), icon="chevron-right", on_click=self.result_asked.emit
        )
        self.forget = Button(text("forget"), kind="link", on_click=self._forget)
        self._sure = False
        self.export = Button(
            text("export_grid"), icon="download", small=True, on_click=lambda: self.save()
        )
        self.note = Label(text("kept_note"), "help", tone="second", wrap=True)
        self.setLayout(
            column(
                self.line, self.grid, self.key, 4, self.now, self.progress, 4,
                buttons(self.run, self.cancel, self.result, self.forget, self.export), self.note,
                spacing=10,
            )
        )  # fmt: skip

    def show_running(self, job: Job, titles: Mapping[str, str]) -> None:
        """Show a run that goes on."""
        stopping = job.state == "stopping"
        grid = job.grid or {}
        done, total = (job.done, job.total) if job.total else _counted(grid)
        self.line.setText(text("running", done=done, total=total) if grid else text("reading_now"))
        self._show(grid or _waiting(self.grid.rows), titles)
        parts = (
            text("stopping") if stopping else job.sentence(),
            time_left(job.seconds_left()) if not stopping else "",
        )
        self.now.setText(" · ".join(p for p in parts if p))
        self.progress.setValue(round(1000 * (job.fraction or 0)))
        self._offer(cancel=True)
        self.cancel.setEnabled(not stopping)

    def show_still(
        self, words: str, grid: Mapping[str, str], titles: Mapping[str, str], *, run: str = "",
        result: bool = False, forget: bool = False,
    ) -> None:  # fmt: skip
        """Show what stands while nothing runs; ``run`` is the word of the button that runs."""
        self.line.setText(words)
        self._show(grid, titles)
        if run:
            self.run.set_text(run)
        self._offer(run=bool(run), result=result, forget=forget)

    def _show(self, grid: Mapping[str, str], titles: Mapping[str, str]) -> None:
        self.grid.show_grid(grid, titles)
        for part in (self.grid, self.key, self.export):
            part.setVisible(bool(grid))

    def _forget(self) -> None:
        """The first press says what is lost, the second does it: it may be hours of work."""
        if self._sure:
            self.forget_asked.emit()
        else:
            self._ask(True)

    def _ask(self, sure: bool) -> None:
        self._sure = sure
        self.forget.set_text(text("forget_sure" if sure else "forget"))

    def _offer(
        self, *, run: bool = False, cancel: bool = False, result: bool = False, forget: bool = False
    ) -> None:
        self.run.setVisible(run)
        self.cancel.setVisible(cancel)
        self.result.setVisible(result)
        self.forget.setVisible(forget)
        if not forget:
            self._ask(False)
        self.now.setVisible(cancel)
        self.progress.setVisible(cancel)

    def save(self, path: str = "") -> None:
        """Write the state of every fit as CSV; asks for the file where none is given."""
        if not path:
            path, _ = QFileDialog.getSaveFileName(
                self, text("export_grid"), "fits.csv", "CSV (*.csv)"
            )
        if not path:
            return
        try:
            Path(path).write_text(self.grid.as_csv(), encoding="utf-8-sig")
        except OSError as error:
            why = error.strerror or str(error)
            self.refused.emit(Refused(Problem(Path(path).name, "", why)))


def _counted(grid: Mapping[str, str]) -> tuple[int, int]:
    """Folds that are done, and all."""
    total = sum(map(len, grid.values()))
    return total - sum(row.count(WAITING) for row in grid.values()), total


def _waiting(grid: Mapping[str, str]) -> dict[str, str]:
    return {model: WAITING * len(row) for model, row in grid.items()}


def grid_ahead(ahead: Mapping[str, Any]) -> dict[str, str]:
    """The grid of an outlook: nothing is done."""
    return {model: WAITING * ahead["k"] for model in ahead["models"]}


def complete_words(grid: Mapping[str, str], *, each: bool = True) -> str:
    """How a run ended; ``each`` False where a square stands for several fits."""
    done, total = _counted(grid)
    failed = sum(row.count(FAILED) for row in grid.values())
    if failed:
        code = "complete_failed" if each else "complete_failed_some"
        return text(code, done=done - failed, total=total, failed=failed)
    return text("complete" if each else "complete_all", total=total)
