"""Step 1: the protected attributes, suggested with reasons, chosen by the auditor."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QVBoxLayout, QWidget

from engine.base.wording import count, listed
from engine.procedure import acts
from gui.theme import theme
from gui.widgets.basic import Button, IconButton, Label, column, line, panel, row
from gui.widgets.fields import Combo
from gui.widgets.message import MessageBar

from . import evidence_texts as texts
from . import roles as roles_of
from .base import StepPage
from .inputs import DraftLine, stacks
from .people import Counts, Profile, hub_of

PAGE = "step-1"
FEW = 30


def name_of(entry: Mapping[str, Any]) -> str:
    """What an attribute is called."""
    return str(entry.get("name") or entry.get("column") or "")


class AttributeRow(QFrame):
    """One column, or one set of membership columns: ticked or not, its name, and why it is here."""

    def __init__(self, page: Page, key: str) -> None:
        super().__init__()
        self.page, self.key = page, key
        self.check = QCheckBox()
        self.title = Label(key, wrap=True, wide=True)
        self.title.setBuddy(self.check)
        self.check.setAccessibleName(texts.text("attributes.check", column=key))
        self.check.toggled.connect(lambda on: page.tick(key, on))
        self.kind = Label("", "help", tone="second", wrap=True)
        self.reason = Label("", "help", tone="second", wrap=True)
        self.name = DraftLine(
            page.session, PAGE, f"name.{key}", lambda text: page.rename(key, text),
            words=texts.text("attributes.name", column=key),
        )  # fmt: skip
        self.name.setProperty("small", True)
        self.name.setFixedWidth(theme().px(190))
        self.remove = IconButton(
            "trash-2",
            texts.text("attributes.remove", name=key),
            on_click=lambda: page.drop_one(key),
        )
        top_part = QWidget()
        top = row(self._named(), spacing=10)
        top.setStretch(0, 1)
        top.addLayout(row(self.name, self.remove, None, spacing=10))
        top_part.setLayout(top)
        stacks(top)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(theme().px(13), theme().px(8), theme().px(12), theme().px(8))
        whole.setSpacing(2)
        whole.addWidget(top_part)
        below = column(self.kind, self.reason, spacing=1)
        below.setContentsMargins(theme().px(26), 0, 0, 0)
        whole.addLayout(below)

    def _named(self) -> QWidget:
        """The box to be ticked and its name, which breaks into lines where it is long."""
        made = QWidget()
        inner = row(self.check, self.title, spacing=6)
        inner.setStretch(1, 1)
        made.setLayout(inner)
        return made

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on the name ticks the box as a click on it does."""
        at = self.title.mapFrom(self, event.position().toPoint())
        if self.title.rect().contains(at) and self.check.isEnabled():
            self.check.toggle()
        super().mouseReleaseEvent(event)

    def show_row(
        self, entry: Mapping[str, Any] | None, kind: str, reason: str, *, removable: bool
    ) -> None:
        """Show whether it is chosen; ``entry`` is its place in the plan."""
        locked = self.page.session.read_only
        self.check.blockSignals(True)
        self.check.setChecked(entry is not None)
        self.check.blockSignals(False)
        self.check.setEnabled(not locked)
        self.title.set_role("key" if entry is not None else "text")
        self.kind.setText(kind)
        self.reason.setText(reason)
        self.name.setVisible(entry is not None)
        self.remove.setVisible(removable and not locked)
        if entry is not None:
            self.name.show_value(name_of(entry))


class Page(StepPage):
    """Tick what is audited; each suggestion says why it is one."""

    number = 1
    title = "Protected attributes"
    sentence = texts.text("attributes.sentence")

    def build(self) -> None:
        self.hub = hub_of(self.session)
        self.hub.changed.connect(self._again)
        self.added: list[str] = list(self.session.draft(f"{PAGE}-added") or [])
        self.rows: dict[str, AttributeRow] = {}
        self._lines: dict[str, QFrame] = {}
        self._box = panel()
        self._inner = QVBoxLayout(self._box)
        self._inner.setContentsMargins(0, 0, 0, 0)
        self._inner.setSpacing(0)
        self.none = MessageBar("info", texts.text("attributes.none"))
        self.twice = MessageBar("outside", " ")
        self.add_column = Combo(
            placeholder=texts.text("attributes.add_choose"), words=texts.text("attributes.add")
        )
        self.add_column.setMinimumWidth(theme().px(220))
        self.add_column.picked.connect(self.add)
        self.membership = Button(texts.text("attributes.membership"), on_click=self.ask_membership)
        label = Label(texts.text("attributes.add"), "head")
        label.setBuddy(self.add_column)
        ways_part = QWidget()
        ways = row(self.add_column, self.membership, None, spacing=10)
        ways_part.setLayout(ways)
        stacks(ways)
        self._more = QWidget()
        self._more.setLayout(column(label, ways_part, spacing=4))
        for widget in (self.none, self.twice, self._box, self._more):
            self.body.addWidget(widget)

    # Choosing ------------------------------------------------------------------------------------

    def _roles(self) -> tuple[Profile, roles_of.Roles] | None:
        profile = self.hub.profile()
        return None if profile is None else (profile, profile.roles)

    def entries(self) -> list[dict[str, Any]]:
        """The attributes in force: those in the plan, else those suggested."""
        found = self._roles()
        if found is not None:
            return [dict(entry) for entry in found[1].protected]
        return [dict(entry) for entry in self.session.plan.get("protected") or []]

    def _keep(
        self, entries: list[dict[str, Any]], words: str, extra: list[Any] | None = None
    ) -> None:
        self.session.set_many([(("plan", "protected"), entries), *(extra or [])], words)

    def _key(self, entry: Mapping[str, Any]) -> str:
        return str(entry.get("column") or entry.get("name"))

    def tick(self, key: str, on: bool) -> None:
        """Choose a column, or take it back."""
        entries = [e for e in self.entries() if self._key(e) != key]
        if on:
            entries.append({"column": key})
            profile = self.hub.profile()
            if profile is not None:  # the order of the files is the order of the certificate
                order = {name: place for place, name in enumerate(profile.columns)}
                entries.sort(key=lambda e: order.get(str(e.get("column")), len(order)))
        elif key not in self.added:
            self.added.append(key)
        self._keep(entries, texts.text("act.attributes"))

    def add(self, key: str) -> None:
        """Choose a column that was not suggested."""
        if key not in self.added:
            self.added.append(key)
            self.session.set_draft(f"{PAGE}-added", self.added)
        self.tick(key, True)

    def drop_one(self, key: str) -> None:
        """Take out a row that was added."""
        self.added = [one for one in self.added if one != key]
        self.session.set_draft(f"{PAGE}-added", self.added or None)
        if any(self._key(e) == key for e in self.entries()):
            kept = [e for e in self.entries() if self._key(e) != key]
            self._keep(kept, texts.text("act.attributes"))
        else:
            self.refresh()

    def rename(self, key: str, name: str) -> None:
        """Give an attribute another name; exceptions of the tolerance follow it."""
        entries = self.entries()
        extra: list[Any] = []
        for entry in entries:
            if self._key(entry) != key:
                continue
            old = name_of(entry)
            if not name or (name == entry.get("column") and not entry.get("membership")):
                entry.pop("name", None)
            else:
                entry["name"] = name
            new = name_of(entry)
            tolerance = self.session.plan.get("tolerance") or {}
            own = dict(tolerance.get("overrides") or {})
            if old in own and old != new:
                own[new] = own.pop(old)
                extra.append((("plan", "tolerance"), {**tolerance, "overrides": own}))
            why = dict(self.session.state.get("left_out_why") or {})
            if old in why and old != new:
                why[new] = why.pop(old)
                extra.append((("left_out_why",), why))
        self._keep(entries, texts.text("act.name", name=name or key), extra)

    def ask_membership(self) -> None:
        """Open the dialog on groups that are given by probabilities."""
        from .membership_dialog import MembershipDialog

        profile = self.hub.profile()
        if profile is not None:
            self.dialog = MembershipDialog(self, profile, self.add_membership)
            self.dialog.open()

    def add_membership(self, name: str, groups: dict[str, str]) -> None:
        """Choose an attribute whose groups are given by columns of probabilities."""
        entries = [*self.entries(), {"name": name, "membership": groups}]
        self._keep(entries, texts.text("act.membership", name=name))

    # Showing -------------------------------------------------------------------------------------

    def _again(self) -> None:
        if self.stepper is not None and self.stepper.page is self:
            self.stepper.refresh()

    def refresh(self) -> None:
        profile = self.hub.profile()
        entries = {self._key(e): e for e in self.entries()}
        suggested = (
            {s.column: s.reason for s in profile.suggestions if s.role == "protected"}
            if profile is not None
            else {}
        )
        order = list(profile.columns) if profile is not None else []
        keys = [c for c in order if c in suggested or c in entries or c in self.added]
        keys += [key for key in entries if key not in keys]
        for key in [one for one in self.rows if one not in keys]:
            for gone in (self.rows.pop(key), self._lines.pop(key)):
                self._inner.removeWidget(gone)
                gone.hide()
                gone.deleteLater()
        for place, key in enumerate(keys):
            if key not in self.rows:
                self._lines[key] = line()
                self.rows[key] = AttributeRow(self, key)
                self._inner.insertWidget(2 * place, self._lines[key])
                self._inner.insertWidget(2 * place + 1, self.rows[key])
            self._lines[key].setVisible(place > 0)
            entry = entries.get(key)
            reason = texts.text("attributes.by_you")
            if key in suggested:
                reason = texts.text("attributes.reason", reason=suggested[key])
            if entry is not None and entry.get("membership"):
                reason = ""
            self.rows[key].show_row(
                entry, self._kind(profile, key, entry), reason, removable=key not in suggested
            )
        self._box.setVisible(bool(keys))
        self.none.setVisible(profile is not None and not keys)
        twice = self._twice()
        self.twice.setVisible(bool(twice))
        self.twice.show_message("outside", twice or " ")
        free = []
        if profile is not None:
            used = ("outcome", "id", "weight", "prediction")
            free = [c for c in order if c not in keys and profile.roles.role_of(c) not in used]
        self.add_column.set_options([(c, c) for c in free])
        self.add_column.setEnabled(bool(free) and not self.session.read_only)
        self.membership.setEnabled(profile is not None and not self.session.read_only)

    def _kind(self, profile: Profile | None, key: str, entry: Mapping[str, Any] | None) -> str:
        if entry is not None and entry.get("membership"):
            groups = entry["membership"]
            return texts.text(
                "attributes.by_columns", groups=listed(list(groups), last="or"),
                columns=listed(list(groups.values())),
            )  # fmt: skip
        if profile is None:
            return ""
        counts = profile.counts.get(key)
        if counts is None:
            n = profile.base.distinct.get(key, 0)
            return texts.text("attributes.many", n=count(n)) if n > FEW else ""
        return kind_words(counts)

    def _twice(self) -> str:
        names = [name_of(entry) for entry in self.entries()]
        again = next((name for name in names if names.count(name) > 1), None)
        return texts.text("attributes.twice", name=again) if again is not None else ""

    # Footer and help -----------------------------------------------------------------------------

    def ready(self) -> str:
        if self._twice():
            return self._twice()
        view = self.session.views()[1]
        if view.blocked_by is not None:
            return view.why
        if self.entries():
            return ""
        return view.needs[0] if view.needs else ""

    def hint(self) -> str:
        blocked = self.ready()
        if blocked:
            return blocked
        return texts.text("attributes.hint", n=listed([name_of(e) for e in self.entries()]))

    def on_continue(self) -> bool:
        if self.session.read_only:
            return True
        entries = self.entries()
        if entries != (self.session.plan.get("protected") or []):
            self._keep(entries, texts.text("act.attributes"))
        return self.session.do(acts.confirm_step(1, **self.session.by))

    def help_html(self) -> str:
        names = html.escape(listed([name_of(e) for e in self.entries()]))
        lead = f"<p>The audit looks at {names}.</p>" if names else "<p>Nothing is chosen yet.</p>"
        return (
            "<p>The audit asks whether people who share a trait are treated worse than others. "
            "It answers only for the traits that you choose here.</p>" + lead + "<h3>What you do "
            "now</h3><ul><li>Tick each trait that the law or the assignment names.</li><li>Take "
            "back what is none: a name alone proves nothing.</li><li>Give each the name that "
            "belongs on the certificate.</li></ul><h3>Words used here</h3><dl><dt>Protected "
            "attribute</dt><dd>A trait by which nobody may be disadvantaged, such as age, sex or "
            "ethnic origin.</dd><dt>Suggested</dt><dd>The column’s name speaks of such a trait. "
            "It is no more than that.</dd><dt>Membership</dt><dd>Where nobody was asked, a "
            "column may hold how likely each person belongs to a group.</dd></dl>"
        )


def kind_words(counts: Counts) -> str:
    """What a column holds: numbers from to, or its values with their people."""
    n = len(counts.keys)
    parts = []
    if counts.numeric and n > 12 and counts.numbers is not None:
        low, high = counts.keys[0], counts.keys[-1]
        parts.append(texts.text("attributes.numbers", low=low, high=high))
    else:
        order = sorted(counts.keys, key=lambda key: -counts.of(key))
        shown = [f"{key} {count(counts.of(key))}" for key in order[:6]]
        more = f" and {n - 6} more" if n > 6 else ""
        parts.append(texts.text("attributes.values", n=n, values=", ".join(shown) + more))
        small = [key for key in order if counts.of(key) < FEW]
        if small and n <= 40:
            named = [f"{key} ({counts.of(key)})" for key in small[:4]]
            more = f" and {len(small) - 4} more" if len(small) > 4 else ""
            parts.append(texts.text("attributes.small", values=", ".join(named) + more))
    if counts.blank:
        parts.append(texts.text("attributes.blank", n=count(counts.blank)))
    return " · ".join(parts)
