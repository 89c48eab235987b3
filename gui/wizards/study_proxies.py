"""The page of proxies: every column with what it tells, ticked where it is left out."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from engine.base import wording
from gui.widgets.basic import Button, Label, row
from gui.widgets.table import DataTable

from .study_words import text

if TYPE_CHECKING:
    from engine.base.watch import Watch
    from gui.session import Session


@dataclass(frozen=True)
class Told:
    """What columns tell of an attribute. ``basis`` names the choices on which it was measured."""

    attribute: str
    features: tuple[Mapping[str, Any], ...]
    together: float | None
    reason: str
    people: int
    basis: str
    from_run: bool = False


def basis_of(plan: Mapping[str, Any], given: Mapping[str, Any]) -> str:
    """The choices on which a measurement rests, as a text to compare."""
    rest = {k: v for k, v in plan.items() if k not in ("methods", "tolerance", "case")}
    asked = {k: given.get(k) for k in ("attribute", "folds")}
    return json.dumps([rest, asked], sort_keys=True, default=str)


def of_result(part: Mapping[str, Any], basis: str) -> Told:
    """What the last run measured."""
    proxies = part["proxies"]
    return Told(
        part["attribute"], tuple(proxies["features"]), proxies["together"], proxies["reason"],
        proxies["people"], basis, True,
    )  # fmt: skip


def measure(session: Session, given: Mapping[str, Any]) -> Any:
    """The work of measuring, for a job: the files are read as a run reads them."""
    from engine.procedure.plan_of import plan_dict
    from gui.session import extract_items

    case, state = session.case, session.state
    basis = basis_of(session.plan, given)

    def work(watch: Watch) -> Told:
        from engine.cohort.prepare import prepare
        from engine.methods.asking import read_plan
        from engine.methods.mitigation.compute import measure_proxies
        from engine.run.road import read_sources

        with tempfile.TemporaryDirectory(prefix="fairassay-") as folder:
            base = Path(folder)
            extract_items(case, state, base, watch)
            plan = read_plan(plan_dict(state))
            tables, joins = read_sources(plan, base, watch.part(0.0, 0.3), {}, None)
            cohort = prepare(plan=plan, tables=tables, joins=joins, watch=watch.part(0.3, 0.4))
            found = measure_proxies(
                cohort=cohort, plan=plan, settings=given, watch=watch.part(0.4, 1.0)
            )
        told = found.told
        features = tuple(
            {
                "feature": name,
                "auc": told["features"].get(name),
                "moves": None,
                "own": name in found.own,
            }
            for name in found.study.features
        )
        return Told(
            found.attribute.name, features, told["together"], told["reason"], told["people"], basis
        )

    return work


class ProxyPage(QWidget):
    """Ticks beside columns, over the other questions of the page.

    Signals
    -------
    picked(list) : the columns that a person wants left out.
    as_measured() : the measured ones are wanted again.
    measure_asked() : what columns tell is to be measured.
    """

    picked = Signal(list)
    as_measured = Signal()
    measure_asked = Signal()

    def __init__(self, form: QWidget) -> None:
        super().__init__()
        self.boxes: dict[str, QCheckBox] = {}
        self.note = Label("", tone="second", wrap=True)
        self.choice = Label("", "key", wrap=True)
        self.source = Label("", "help", tone="second", wrap=True)
        self.measure_button = Button(
            text("measure"), icon="refresh-cw", small=True, on_click=self.measure_asked.emit
        )
        self.back = Button(text("back"), kind="link", on_click=self.as_measured.emit)
        self.table = DataTable(words=text("table"), fit_rows=60, stretch=1, selectable=False)
        inner = QVBoxLayout(self)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(10)
        inner.addWidget(Label(text("proxies"), "section", wrap=True))
        inner.addWidget(self.note)
        inner.addLayout(row(self.measure_button, self.back, None, spacing=16))
        inner.addWidget(self.choice)
        inner.addWidget(self.source)
        inner.addWidget(self.table)
        inner.addWidget(form)
        self._shown: Any = None

    def show_told(
        self,
        told: Told | None,
        *,
        chosen: Sequence[str] | None,
        least: float,
        attribute: str,
        old: bool,
        closed: bool,
        busy: bool,
    ) -> None:
        """Show what is known; ``chosen`` None takes the columns from ``least`` on."""
        self.note.setText(text("proxies_note", attribute=attribute))
        self.measure_button.set_text(text("measure_again" if told else "measure"))
        self.measure_button.setEnabled(not closed and not busy)
        self.back.setVisible(chosen is not None and not closed)
        if chosen is None:
            said = text("as_measured", attribute=attribute, least=wording.number(least, digits=2))
        else:
            names = wording.listed(list(chosen))
            said = text("by_hand", names=names) if chosen else text("by_hand_none")
        self.choice.setText(said)
        if busy:
            self.source.setText(text("measuring"))
        elif told is None:
            self.source.setText(text("not_measured"))
        else:
            lines = [
                text("from_run" if told.from_run else "from_here", n=wording.count(told.people))
            ]
            if told.together is not None:
                auc = wording.number(told.together, digits=2)
                lines.append(text("together", attribute=attribute, auc=auc))
            lines += [told.reason] if told.reason else []
            lines += [text("old")] if old else []
            self.source.setText(" ".join(lines))
        features = list(told.features) if told is not None else []
        known = {f["feature"] for f in features}
        features += [{"feature": c, "auc": None, "moves": None, "own": False} for c in chosen or () if c not in known]  # fmt: skip
        features.sort(key=lambda f: (not f["own"], -(f["auc"] or 0.0)))
        self._fill(features, attribute)
        for f in features:
            name, box = f["feature"], self.boxes[f["feature"]]
            by_measure = f["auc"] is not None and f["auc"] >= least
            box.setChecked(f["own"] or (by_measure if chosen is None else name in chosen))
            box.setEnabled(not f["own"] and not closed)
        self.table.setVisible(bool(features))

    def _fill(self, features: list[Mapping[str, Any]], attribute: str) -> None:
        now = (attribute, [(f["feature"], f["auc"], f["moves"], f["own"]) for f in features])
        if now == self._shown:
            return
        self._shown = now
        rows = []
        for f in features:
            tells = text("own") if f["own"] else wording.number(f["auc"], digits=2)
            rows.append(("", f["feature"], tells or text("unknown"), wording.percent(f["moves"])))
        self.table.set_table(text("columns", attribute=attribute).split(","), rows, "llrr")
        self.boxes = {}
        for place, f in enumerate(features):
            box = QCheckBox()
            box.setAccessibleName(text("tick", column=f["feature"]))
            box.clicked.connect(self._picked)
            self.boxes[f["feature"]] = box
            holder = QWidget()
            inner = QHBoxLayout(holder)
            inner.setContentsMargins(6, 0, 0, 0)
            inner.addWidget(box)
            inner.addStretch(1)
            inner.setAlignment(Qt.AlignmentFlag.AlignVCenter)
            self.table.set_widget(place, 0, holder)

    def _picked(self) -> None:
        self.picked.emit([n for n, b in self.boxes.items() if b.isChecked() and b.isEnabled()])
