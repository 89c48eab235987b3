"""The graph editor: tools, tabs, canvas, properties, remarks, and the arrows as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFileDialog,
    QFrame,
    QLineEdit,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from gui.theme import restyle, theme
from gui.widgets.basic import Button, Elided, IconButton, line, panel
from gui.widgets.fields import FieldRow
from gui.widgets.flow import Flow
from gui.widgets.table import Cell

from . import causal_draft as draft
from .causal_draft import Edge
from .causal_panel import KINDS, PropertiesPanel, Shown
from .causal_remarks import Remarks
from .causal_side import SideBySide
from .causal_state import State, by_grade
from .causal_table import EdgeTable
from .causal_view import Choice, GraphView
from .causal_words import text

PANEL = 320


class GraphEditor(QWidget):
    """Shows graphs and says what a person does with them; changes nothing itself.

    Signals
    -------
    graph_changed(object, str) : the open graph became this one; the code of the act.
        The act's fields go with it as the third argument.
    tab_opened(int), tab_asked(str) : ``add``, ``copy``, ``remove``.
    renamed(str), taken(), moved(object), tidied(), side_shown()
    """

    graph_changed = Signal(object, str, object)
    tab_opened = Signal(int)
    tab_asked = Signal(str)
    renamed = Signal(str)
    taken = Signal()
    moved = Signal(object)
    tidied = Signal()
    side_shown = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.state = State()
        self.adding = False
        self._make_tabs()
        self._make_tools()
        self.view = GraphView()
        self.panel = PropertiesPanel()
        self.panel.setMinimumWidth(0)
        self.table = EdgeTable()
        self.table.hide()
        self.table_button = Button(text("table_show"), kind="link", on_click=self.toggle_table)
        self.side = SideBySide()
        self.side.hide()
        self.side_button = Button(text("side_show"), kind="link", on_click=self.toggle_side)
        self.remarks = Remarks()
        self._lay_out()
        self._connect()
        theme().changed.connect(self._turn)

    # Making -------------------------------------------------------------------------------------

    def _make_tabs(self) -> None:
        self.tabs = QTabBar()
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setAccessibleName(text("graphs"))
        self.tabs.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.name_edit = QLineEdit()
        self.name_edit.setMaximumWidth(theme().px(240))
        self.name_edit.setMinimumWidth(theme().px(160))
        self.name_row = FieldRow(text("graph_name"), self.name_edit)
        self.name_row.label.hide()
        self.add_button = Button(
            text("add_graph"), icon="plus", small=True, on_click=lambda: self.tab_asked.emit("add")
        )
        self.copy_button = Button(
            text("copy_graph"),
            icon="copy",
            small=True,
            on_click=lambda: self.tab_asked.emit("copy"),
        )
        self.remove_button = Button(
            text("remove_graph"), icon="trash-2", small=True,
            on_click=lambda: self.tab_asked.emit("remove"),
        )  # fmt: skip
        self.graph_bar = QWidget()
        self.graph_bar.setLayout(
            Flow(
                self.tabs, self.name_row, self.add_button, self.copy_button, self.remove_button,
                spacing=8,
            )
        )  # fmt: skip

    def _make_tools(self) -> None:
        self.variable = Button(
            text("variable"), icon="plus", small=True, on_click=self.begin_variable
        )
        self.arrow = Button(text("arrow"), icon="arrow-right", small=True)
        self.arrow.setCheckable(True)
        self.delete = Button(text("delete"), icon="trash-2", small=True, on_click=self.remove)
        self.tidy = Button(text("tidy"), icon="layout-grid", small=True, on_click=self.tidied.emit)
        self.zoom_in = IconButton("zoom-in", text("zoom_in"), on_click=lambda: self.view.zoom_by(1))
        self.zoom_out = IconButton(
            "zoom-out", text("zoom_out"), on_click=lambda: self.view.zoom_by(-1)
        )
        self.fit = Button(text("fit"), small=True, on_click=lambda: self.view.fit())
        self.picture = IconButton("image", text("picture"), on_click=self.save_picture)
        self.legend = Elided("", "help", tone="second")
        self.legend.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        tools = QWidget()
        tools.setLayout(Flow(self.variable, self.arrow, self.delete, self.tidy, spacing=8))
        self.tools = QWidget()
        self._tool_row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self.tools)
        self._tool_row.setContentsMargins(12, 7, 12, 7)
        self._tool_row.setSpacing(12)
        self._tool_row.addWidget(tools)
        self._tool_row.addWidget(self.legend, 1)

    def _lay_out(self) -> None:
        self.frame = panel()
        inner = QVBoxLayout(self.frame)
        inner.setContentsMargins(1, 1, 1, 1)
        inner.setSpacing(0)
        inner.addWidget(self.tools)
        inner.addWidget(line())
        self._split = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._split.setSpacing(0)
        self._upright = QFrame()
        self._upright.setProperty("line", "left")
        side = QVBoxLayout(self._upright)
        side.setContentsMargins(0, 0, 0, 0)
        side.addWidget(self.panel)
        self._split.addWidget(self.view, 1)
        self._split.addWidget(self._upright)
        inner.addLayout(self._split)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(8)
        whole.addWidget(self.graph_bar)
        whole.addWidget(self.frame)
        low = QWidget()
        low.setLayout(
            Flow(
                self.zoom_in, self.zoom_out, self.fit, self.picture, self.side_button,
                self.table_button, spacing=4, last_right=True,
            )
        )  # fmt: skip
        whole.addWidget(low)
        whole.addWidget(self.side)
        whole.addWidget(self.table)
        whole.addWidget(self.remarks)

    def _connect(self) -> None:
        self.tabs.currentChanged.connect(self.tab_opened)
        self.name_edit.editingFinished.connect(self._rename)
        self.arrow.toggled.connect(self.view.set_drawing)
        self.view.picked.connect(lambda _c: self._picked())
        self.view.drawn.connect(self.draw_arrow)
        self.view.moved.connect(self.moved)
        self.view.remove_asked.connect(self.remove)
        self.view.told.connect(self._told)
        self.panel.role_set.connect(self._role)
        self.panel.equation_set.connect(self._equation)
        self.panel.accepted_set.connect(self._accept)
        self.side.opened.connect(self.tab_opened)
        self.panel.start_asked.connect(lambda g: self._change(dict(g), "act.take"))
        self.panel.column_asked.connect(self.add_variable)
        self.panel.closed.connect(self.end_variable)
        self.remarks.see.connect(self.view.choose)
        self.remarks.taken.connect(self.taken)
        self.table.edge_model.written.connect(self._written)
        self.table.edge_chosen.connect(self.view.choose)
        self.table.remove_asked.connect(self._remove_arrow)

    # Showing ------------------------------------------------------------------------------------

    def show_state(self, state: State) -> None:
        """Show graphs and what the people say to the open one."""
        before, self.state = self.state, state
        graph, start = state.graph, state.start
        self._show_tabs(before)
        edges = draft.edges_of(graph)
        target = start.target if start else ""
        self.view.read_only = state.closed
        face = state.face(state.index)
        self.view.show_graph(face, state.places, last=target, name=str(graph.get("name") or ""))
        self._show_panel()
        self._show_table(edges)
        self._show_side()
        self._show_remarks()
        self._told("")
        for part in (self.variable, self.arrow, self.delete, self.tidy):
            part.setEnabled(not state.closed)

    def _show_tabs(self, before: State) -> None:
        state = self.state
        self.graph_bar.setVisible(state.several)
        names = [str(g.get("name") or "") for g in state.graphs]
        self.tabs.blockSignals(True)
        while self.tabs.count() > len(names):
            self.tabs.removeTab(self.tabs.count() - 1)
        for place, name in enumerate(names):
            if place >= self.tabs.count():
                self.tabs.addTab(name)
            self.tabs.setTabText(place, name.replace("&", "&&"))
        if names:
            self.tabs.setCurrentIndex(state.index)
        self.tabs.blockSignals(False)
        self.tabs.setVisible(bool(names))
        policy = Qt.FocusPolicy.StrongFocus if names else Qt.FocusPolicy.NoFocus
        self.tabs.setFocusPolicy(policy)
        if not self.name_edit.hasFocus() or before.index != state.index:
            self.name_edit.setText(names[state.index] if names else "")
            self.name_edit.setCursorPosition(0)
            self.name_row.set_error("")
        closed = state.closed
        self.name_edit.setEnabled(bool(names) and not closed)
        self.add_button.setEnabled(not closed)
        self.copy_button.setEnabled(bool(names) and not closed)
        self.remove_button.setEnabled(bool(names) and not closed and not state.suggested)

    def _show_panel(self) -> None:
        state = self.state
        taken = set(draft.nodes_of(state.graph))
        columns = state.start.columns if state.start else tuple(state.subs)
        self.panel.show_choice(
            Shown(
                choice=self.view.choice, graph=state.graph, start=state.start, trial=state.trial,
                channels=not state.several, closed=state.closed, adding=self.adding,
                offered=tuple(c for c in columns if c not in taken),
            )
        )  # fmt: skip

    def _show_table(self, edges: Sequence[Edge]) -> None:
        trial, model = self.state.trial, self.table.edge_model
        problems: list[Cell | str] = []
        for edge in edges:
            mine = [
                t for t in by_grade(self.state.trial) if t["arrow"] and tuple(t["arrow"]) == edge
            ]
            tone = KINDS.get(mine[0]["grade"], "info") if mine else ""
            tones = {"outside": "outside", "warning": "not_settled"}
            said = " ".join(t["text"] for t in mine)
            problems.append(Cell(said, tone=tones.get(tone, "")) if said else "")
        model.closed = self.state.closed
        at = self.table.currentIndex()
        model.show_edges(edges, [trial.labels.get(e, "") for e in edges], problems)
        if at.isValid() and at.row() < model.rowCount():
            self.table.setCurrentIndex(model.index(at.row(), at.column()))
        start = self.state.start
        self.table.ends.columns = start.columns if start else tuple(self.state.subs)
        name = str(self.state.graph.get("name") or "")
        self.table.setAccessibleName(text("table", graph=name))

    def _show_remarks(self) -> None:
        state, face = self.state, self.view.face
        take = state.suggested and bool(state.graphs)
        self.remarks.show_troubles(
            by_grade(self.state.trial), [*face.nodes, *face.edges], waiting=state.waiting, suggested=take,
            closed=state.closed,
        )  # fmt: skip

    def _told(self, words: str) -> None:
        self.arrow.blockSignals(True)
        self.arrow.setChecked(self.view.drawing)
        self.arrow.blockSignals(False)
        if not words:
            words = self.state.legend if not self.state.waiting else ""
        self.legend.setText(words)

    def toggle_table(self) -> None:
        """Show or hide the arrows as a table."""
        self.table.setVisible(self.table.isHidden())
        self.table_button.set_text(text("table_show" if self.table.isHidden() else "table_hide"))

    def _show_side(self) -> None:
        several = len(self.state.graphs) > 1
        self.side_button.setVisible(several)
        if not several and not self.side.isHidden():
            self.toggle_side()
        if not self.side.isHidden():
            self.side.show_graphs(self.state)

    def toggle_side(self) -> None:
        """Show or hide all graphs side by side."""
        self.side.setVisible(self.side.isHidden())
        self.side_button.set_text(text("side_show" if self.side.isHidden() else "side_hide"))
        if not self.side.isHidden():
            self.side_shown.emit()
            self.side.show_graphs(self.state)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._turn()

    def _turn(self) -> None:
        """The properties stand beside the canvas where there is room, else under it."""
        t = theme()
        beside = self.width() >= t.px(760)
        way = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        self._split.setDirection(way)
        wide = t.px(PANEL if self.width() >= t.px(860) else 280)
        self._upright.setMinimumWidth(wide if beside else 0)
        self._upright.setMaximumWidth(wide if beside else 16777215)
        if self._upright.property("line") != ("left" if beside else "top"):
            self._upright.setProperty("line", "left" if beside else "top")
            restyle(self._upright)
        roomy = self.width() >= t.px(760)
        self._tool_row.setDirection(
            QBoxLayout.Direction.LeftToRight if roomy else QBoxLayout.Direction.TopToBottom
        )
        side = Qt.AlignmentFlag.AlignRight if roomy else Qt.AlignmentFlag.AlignLeft
        self.legend.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)

    # What a person does -------------------------------------------------------------------------

    def _picked(self) -> None:
        self.adding = False
        self._show_panel()
        self.table.clearSelection()

    def _change(self, graph: Mapping[str, Any], code: str, **fields: str) -> None:
        if not self.state.closed:
            self.graph_changed.emit(graph, code, fields)

    def begin_variable(self) -> None:
        """Offer the columns in the panel."""
        self.adding = True
        self._show_panel()
        edits = self.panel.findChildren(QLineEdit)
        if edits:
            QTimer.singleShot(0, edits[0], lambda: edits[0].setFocus())

    def end_variable(self) -> None:
        """Close the offer."""
        self.adding = False
        self._show_panel()
        self.view.setFocus()

    def add_variable(self, name: str) -> None:
        """Put a column into the graph; one that is there is chosen."""
        if not name.strip():
            return
        self.adding = False
        if name in draft.nodes_of(self.state.graph):
            self._show_panel()
        else:
            self._change(draft.with_node(self.state.graph, name), "act.node", node=name)
        self.view.choose(name)
        self.view.setFocus()

    def draw_arrow(self, start: str, end: str) -> None:
        """Draw an arrow; what is wrong with it is said, not forbidden."""
        if (start, end) not in draft.edges_of(self.state.graph):
            graph = draft.with_edge(self.state.graph, start, end)
            self._change(graph, "act.arrow", start=start, end=end)
        self.view.choose((start, end))

    def _written(self, place: int, start: str, end: str) -> None:
        edges = draft.edges_of(self.state.graph)
        if place < len(edges):
            graph = draft.replaced_edge(self.state.graph, edges[place], (start, end))
            self._change(graph, "act.change_arrow", start=start, end=end)
        else:
            graph = draft.with_edge(self.state.graph, start, end)
            self._change(graph, "act.arrow", start=start, end=end)

    def remove(self) -> None:
        """Take out what is chosen."""
        choice: Choice = self.view.choice
        if isinstance(choice, tuple):
            self._remove_arrow(choice)
        elif choice:
            self._change(draft.without_node(self.state.graph, choice), "act.no_node", node=choice)

    def _remove_arrow(self, edge: Edge) -> None:
        graph = draft.without_edge(self.state.graph, *edge)
        self._change(graph, "act.no_arrow", start=edge[0], end=edge[1])

    def _role(self, node: str, role: str) -> None:
        self._change(draft.with_role(self.state.graph, node, role), "act.role", node=node)

    def _equation(self, node: str, equation: Any) -> None:
        graph = draft.with_equation(self.state.graph, node, equation)
        self._change(graph, "act.equation", node=node)

    def _accept(self, node: str, reason: Any) -> None:
        graph = draft.with_accepted(self.state.graph, node, reason)
        code = "act.no_accept" if reason is None else "act.accept"
        self._change(graph, code, node=node)

    def _rename(self) -> None:
        state, name = self.state, self.name_edit.text().strip()
        if not state.graphs or name == str(state.graph.get("name") or ""):
            self.name_row.set_error("")
            return
        taken = [str(g.get("name") or "") for i, g in enumerate(state.graphs) if i != state.index]
        wrong = "name_taken" if name in taken else "" if name else "name_empty"
        self.name_row.set_error(text(wrong) if wrong else "")
        if not wrong:
            self.renamed.emit(name)

    def save_picture(self) -> None:
        """Ask for a file and write the graph into it."""
        path, _ = QFileDialog.getSaveFileName(
            self, text("picture_title"), f"{self.state.graph.get('name') or 'graph'}.png",
            "PNG (*.png)",
        )  # fmt: skip
        if path and not self.view.save_picture(path):
            self.remarks.say(text("picture_failed"))
