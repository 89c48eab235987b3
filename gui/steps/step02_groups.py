"""Step 2: who is privileged and who is compared with them, with the people beside each value."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.base.wording import listed
from engine.procedure import acts
from engine.procedure.moments import moment
from gui.dialogs import Dialog
from gui.widgets.basic import Label
from gui.widgets.message import MessageBar
from gui.widgets.table import AxisHead

from . import evidence_texts as texts
from .bands import PRIVILEGED, UNPRIVILEGED, pooled, sides, values
from .base import StepPage
from .group_parts import GroupPart, rows_of
from .group_table import axis_of
from .people import Counts, Profile, hub_of
from .step01_attributes import name_of

OPEN = "groups:open"
AT_ONCE = 2
"""Attributes that are shown at once; the others follow one by one."""


class Page(StepPage):
    """Say who is privileged in each attribute; rates stay folded until the tolerance is set."""

    number = 2
    title = "Groups compared"
    sentence = (
        "Say who is privileged, that is, who has had the advantage so far. "
        "The others are compared with them."
    )

    def build(self) -> None:
        self.hub = hub_of(self.session)
        self.hub.changed.connect(self._again)
        self.parts: list[GroupPart] = []
        self._names: list[str] = []
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._grow)
        self.folded = self.message(
            "info", texts.text("groups.folded"), link_text=texts.text("groups.open"), link=OPEN
        )
        self._none = MessageBar("info", " ")
        self._wait = Label(texts.text("preview.wait"), tone="second")
        self._place = QWidget()
        self._inner = QVBoxLayout(self._place)
        self._inner.setContentsMargins(0, 0, 0, 0)
        self._inner.setSpacing(16)
        for widget in (self._wait, self._place, self._none, self.folded):
            self.body.addWidget(widget)

    # What a person does --------------------------------------------------------------------------

    def keep(self, place: int, entry: dict[str, Any], words: str = "") -> None:
        """Enter the groups of an attribute, or the words in which they are printed."""
        entries = [dict(one) for one in self.session.plan.get("protected") or []]
        if place >= len(entries) or entries[place] == entry:
            return
        entries[place] = entry
        words = words or texts.text("act.groups", name=name_of(entry))
        self.session.set(("plan", "protected"), entries, words)

    def follow(self, link: str) -> bool:
        if link != OPEN:
            return False
        self.ask_open()
        return True

    def ask_open(self) -> None:
        """Ask before the rates are opened: that cannot be undone."""
        dialog = Dialog(self, texts.text("groups.open_title"), texts.text("groups.open_sentence"))
        dialog.add_button(texts.text("groups.keep_folded"), dialog.reject)
        dialog.add_button(texts.text("groups.open"), dialog.accept, primary=True)
        dialog.accepted.connect(self.session.see_rates)
        self.dialog = dialog
        dialog.open()

    def opened(self) -> None:
        if self.session.state["set"].get("tolerance") and self._can_rate():
            self.session.see_rates()

    # Showing -------------------------------------------------------------------------------------

    def rates_open(self) -> bool:
        """Whether favourable rates are on show."""
        state = self.session.state
        return bool(state["seen"].get("rates") or state["set"].get("tolerance"))

    def _can_rate(self) -> bool:
        outcome = self.session.plan.get("outcome") or {}
        return bool(outcome.get("favourable"))

    def _again(self) -> None:
        if self.stepper is not None and self.stepper.page is self:
            self.stepper.refresh()

    def _counts(self, profile: Profile, entry: Mapping[str, Any]) -> Counts | None:
        if entry.get("membership"):
            return member_counts(profile, entry["membership"])
        return profile.counts.get(str(entry.get("column")))

    def refresh(self) -> None:
        profile = self.hub.profile()
        entries = list(self.session.plan.get("protected") or [])
        names = [name_of(entry) for entry in entries]
        if names != self._names:
            self._remake(names)
        can_rate = self._can_rate()
        rates = self.rates_open() and can_rate
        self._wait.setVisible(profile is None and bool(self.session.state["items"]))
        self.folded.setVisible(bool(entries) and not rates and can_rate)
        level = float(self.session.plan.get("confidence") or 0.95)
        why = self.session.state.get("left_out_why") or {}
        odd = []
        axis = self._axis(profile, entries, level) if rates and profile is not None else None
        if entries and not can_rate and profile is not None:
            odd.append(texts.text("groups.no_rates"))
        for part, entry in zip(self.parts, entries, strict=False):
            counts = self._counts(profile, entry) if profile is not None else None
            part.setVisible(counts is not None)
            if counts is None:
                if profile is not None and not self.hub.reading:
                    n = profile.base.distinct.get(str(entry.get("column")), 0)
                    code = "groups.date" if not n else "groups.too_many"
                    odd.append(texts.text(code, name=part.name, n=n))
                continue
            soft = bool(entry.get("membership"))
            part.show_counts(
                entry,
                counts,
                axis=None if soft else axis,
                level=level,
                why=why.get(part.name, {}),
            )
        if len(self.parts) < len(entries):
            self._later.start()
        self._none.setVisible(bool(odd))
        self._none.show_message("warning", " ".join(odd) or " ")

    def _axis(
        self, profile: Profile, entries: list[dict[str, Any]], level: float
    ) -> AxisHead | None:
        """One axis for all attributes, so that their dots can be compared."""
        shown = []
        for place, entry in enumerate(entries):
            counts = self._counts(profile, entry)
            if counts is not None and not entry.get("membership"):
                mode = self.parts[place].own_mode if place < len(self.parts) else ""
                shown += rows_of(entry, counts, mode)
        return axis_of(shown, level)

    def _remake(self, names: list[str]) -> None:
        for part in self.parts:
            self._inner.removeWidget(part)
            part.hide()
            part.deleteLater()
        self.parts = []
        self._names = names
        for name in names[:AT_ONCE]:
            self._add(name)

    def _add(self, name: str) -> None:
        part = GroupPart(self.session, len(self.parts), name, self.keep)
        part.changed.connect(self._again)
        self._inner.addWidget(part)
        self.parts.append(part)

    def _grow(self) -> None:
        """Add one attribute more, so that the window answers in between."""
        if len(self.parts) < len(self._names):
            self._add(self._names[len(self.parts)])
            self.refresh()
            self.lay_out_now()

    # Footer and help -----------------------------------------------------------------------------

    def ready(self) -> str:
        view = self.session.views()[2]
        if view.blocked_by is not None:
            return view.why
        if view.needs:
            return texts.curly(view.needs[0])
        why = self.session.state.get("left_out_why") or {}
        for part in self.parts:
            if getattr(part, "problem", "") and not part.isHidden():
                return part.problem
            for key in part.why:
                if not why.get(part.name, {}).get(key):
                    return texts.text("groups.why_need", value=key, name=part.name)
        return ""

    def hint(self) -> str:
        blocked = self.ready()
        if blocked:
            return blocked
        chosen = self.session.state["set"].get("groups")
        if not chosen or not chosen.get("when"):
            return ""
        return texts.text("groups.chosen", who=chosen["who"], moment=moment(chosen["when"]))

    def on_continue(self) -> bool:
        if self.session.read_only:
            return True
        return self.session.do(acts.confirm_step(2, **self.session.by))

    def help_html(self) -> str:
        lead = self._lead()
        rates = self.rates_open() and self._can_rate()
        todo = ["Say who has had the advantage so far."]
        if rates:
            todo = ["Check that the privileged group has the higher rate."]
        todo.append("Leave out a value only with a written reason.")
        items = "".join(f"<li>{one}</li>" for one in todo)
        made = f"{lead}<h3>What you do now</h3><ul>{items}</ul>"
        if rates:
            made += (
                "<h3>How to read the dots</h3><p>The dot is the rate; the line shows where the "
                "true rate may lie. Short lines come from many people. A full dot is the "
                "privileged group, an open one the unprivileged.</p>"
            )
        seen = self.session.state["seen"].get("rates")
        record = self.session.state["set"].get("tolerance")
        if seen and not (record and not record.get("rates_visible")):
            made += f"<h3>Seen before the tolerance is set</h3><p>{texts.text('groups.seen')}</p>"
        return made + (
            "<h3>Words used here</h3><dl><dt>Privileged</dt><dd>The group that has had the "
            "advantage so far, by law, custom or common knowledge.</dd><dt>Unprivileged</dt><dd>"
            "Those compared with it.</dd><dt>Left out</dt><dd>Counted, but compared with nobody."
            "</dd><dt>Blank</dt><dd>Nobody knows the value. A blank is never a group.</dd></dl>"
        )

    def _lead(self) -> str:
        """The numbers of the first attribute in a sentence, or what the page asks for."""
        profile = self.hub.profile()
        plain = (
            "<p>A difference needs two sides. Choose them by what is known about the world, "
            "not by the numbers in the file.</p>"
        )
        if profile is None or not (self.rates_open() and self._can_rate()):
            return plain
        told = []
        for part in self.parts:
            counts = profile.counts.get(str(part.entry.get("column")))
            found = _two_sides(part.entry, counts) if counts is not None else None
            if found is not None:
                good, bad = found
                gap = round(100 * (good.rate or 0)) - round(100 * (bad.rate or 0))
                told.append(
                    f"Here {round(100 * (good.rate or 0))} of 100 people in "
                    f"“{html.escape(good.label)}” had a favourable outcome, and "
                    f"{round(100 * (bad.rate or 0))} of 100 in “{html.escape(bad.label)}”. "
                    f"The gap of {abs(gap)} points is what the audit will examine."
                )
        return "".join(f"<p>{one}</p>" for one in told[:1]) or plain


def _two_sides(entry: Mapping[str, Any], counts: Counts) -> tuple[Any, Any] | None:
    rule = entry.get("privileged")
    if not rule:
        return None
    if isinstance(rule, Mapping):
        good, bad = sides(counts, rule)
    else:
        parts = values(counts, entry)
        good, bad = pooled(parts, PRIVILEGED), pooled(parts, UNPRIVILEGED)
        names = {s: listed([p.label for p in parts if p.side == s][:4]) for s in (PRIVILEGED, UNPRIVILEGED)}  # fmt: skip
        good, bad = _named(good, names[PRIVILEGED]), _named(bad, names[UNPRIVILEGED])
    return (good, bad) if good.rate is not None and bad.rate is not None else None


def _named(part: Any, label: str) -> Any:
    from dataclasses import replace

    return replace(part, label=label)


def member_counts(profile: Profile, groups: Mapping[str, str]) -> Counts:
    """People of each group by the sum of their probabilities, rounded."""
    import numpy as np

    sums = []
    for column in groups.values():
        counts = profile.counts.get(column)
        sums.append(float((counts.numbers * counts.people).sum()) if counts is not None and counts.numbers is not None else 0.0)  # fmt: skip
    people = np.array([round(one) for one in sums], dtype=np.int64)
    nobody = np.zeros(len(people), dtype=np.int64)
    return Counts(False, tuple(groups), None, people, nobody, nobody, 0)
