"""The wizard of the methods that rest on causal graphs: draw, hold against the people, read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget
from shiboken6 import isValid

from engine.base.canonical import canonical_json
from engine.base.problems import Refused
from engine.methods.base import Setting
from engine.methods.graphs import wrong_graph
from gui.steps.base import BETWEEN, PADDING_SIDES
from gui.theme import theme
from gui.widgets.footer import Hint
from gui.widgets.header import PageHeader

from .causal_data import People, Start, Trial, hold, key_of, people_key, read_people, start_of
from .causal_editor import GraphEditor
from .causal_result import CausalResult
from .causal_state import State
from .causal_words import text
from .method_page import MethodPage
from .result_view import MethodView, ResultView
from .setting_fields import Offer

if TYPE_CHECKING:
    from engine.base.watch import Watch
    from gui.session import Session
    from gui.stepper import Stepper

_PEOPLE: WeakKeyDictionary[Session, People] = WeakKeyDictionary()
"""The people of an open case, read once for all wizards."""
HELP = (("help.figures", "help.figures_are"), ("help.keys", "canvas_help"))
KEPT = 40
"""Trials that are kept, so that undo and tabs show their figures at once."""


class Wizard(MethodPage):
    """Question, graph, result; the editor stands on the page that asks for the graph."""

    def __init__(self, name: str, session: Session, stepper: Stepper | None) -> None:
        self.key = key_of(name)
        self.several = self.key == "graphs"
        self.editor: GraphEditor | None = None
        self._index = 0
        self._start: Start | None = None
        self._start_key = ""
        self._why = ""
        self._reading = ""
        self._trials: dict[str, Trial] = {}
        self._trying = ""
        super().__init__(name, session, stepper)
        self.graph_page = next(
            i for i, page in enumerate(self.pages) if self.key in self._names_of(page)
        )

    def _names_of(self, page: str) -> list[str]:
        return [s.name for s in self.method.settings if s.page == page]

    def make_header(self) -> PageHeader:
        made = super().make_header()
        made.sentence.setText(text(f"sentence.{self.name}"))
        return made

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The title asks the whole question where there is room for it."""
        super().resizeEvent(event)
        self._name_page()

    def _name_page(self) -> None:
        title, whole = self.header.title, text(f"title.{self.name}")
        room = self.width() - theme().px(2 * PADDING_SIDES)
        room -= self.header.right.sizeHint().width() + theme().px(16)
        fits = title.fontMetrics().horizontalAdvance(whole) < room
        title.setText(whole if fits else self.title)

    # Pages --------------------------------------------------------------------------------------

    def make_page(self, name: str, settings: list[Setting], offer: Offer) -> QWidget:
        graph = [s for s in settings if s.name == self.key]
        if not graph:
            return super().make_page(name, settings, offer)
        made = QWidget()
        inner = QVBoxLayout(made)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(BETWEEN)
        inner.addWidget(self._make_editor())
        rest = [s for s in settings if s.name != self.key]
        if rest:
            inner.addWidget(super().make_page(name, rest, offer))
        return made

    def _make_editor(self) -> GraphEditor:
        made = self.editor = GraphEditor()
        made.graph_changed.connect(self._graph_changed)
        made.tab_opened.connect(self._tab)
        made.tab_asked.connect(self._tab_asked)
        made.renamed.connect(self._renamed)
        made.taken.connect(self._taken)
        made.moved.connect(self._moved)
        made.tidied.connect(self._tidied)
        made.side_shown.connect(self._show_graphs)
        return made

    def make_result(self) -> QWidget:
        made = QWidget()
        inner = QVBoxLayout(made)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(BETWEEN)
        if self.key in self._names_of(self.pages[-1]):
            inner.addWidget(self._make_editor())
        self.bar = self.message("info", " ")
        inner.addWidget(self.bar)
        self.parts = CausalResult(self.name, self.session)
        self.parts.linked.connect(self.follow_link)
        inner.addWidget(self.parts)
        self.result = ResultView()
        inner.addWidget(self.result)
        return made

    def refresh(self) -> None:
        super().refresh()
        self._name_page()
        drawing = self.open_page_index == self.graph_page
        self.state_words.setVisible(not (drawing and self.in_plan))
        if drawing and self.in_plan:  # the question page takes it out again
            self.toggle.hide()
            self.reset.hide()
        if self.editor is not None and self.open_page_index == self.graph_page:
            self._read()
            self._show_graphs()

    def show_result(self) -> None:
        super().show_result()
        if self.name not in (self.session.result or {}):
            self.parts.clear()

    def _made(self, sha: str, view: MethodView) -> None:
        self._view_of, self._making = sha, ""
        self.result.show_view(self.parts.show_view(view), self._export)

    # The people ---------------------------------------------------------------------------------

    def _asked_of_people(self) -> dict[str, Any]:
        given = self._given()
        return {k: given.get(k) for k in ("attribute", "target")}

    def _read(self) -> None:
        """Have the people read where that is possible, and what a graph runs between."""
        session = self.session
        if not session.state["items"] or not session.plan.get("protected"):
            self._start, self._why = None, text("no_data")
            return
        key = people_key(session.state)
        whole = canonical_json([key, self._asked_of_people()])
        if self._start_key == whole or self._reading == whole:
            return
        self._reading = whole
        self._why = text("reading")
        known, state, case = _PEOPLE.get(session), session.state, session.case
        name, asked = self.name, self._asked_of_people()

        def work(watch: Watch) -> tuple[People, Start]:
            people = known
            if people is None or people.key != key:
                people = read_people(case, state, name, watch)
            return people, start_of(people, name, asked, watch)

        session.jobs.start(
            text("reading"), work, on_done=lambda made: self._got(whole, *made),
            on_failed=lambda error: self._lost_people(whole, error), quiet=True,
        )  # fmt: skip

    def _got(self, whole: str, people: People, start: Start) -> None:
        if not isValid(self):  # the wizard was left while the people were read
            return
        _PEOPLE[self.session] = people
        if self._reading == whole:
            self._reading, self._start_key = "", whole
            self._start, self._why = start, ""
            self._show_graphs()

    def _lost_people(self, whole: str, error: Exception) -> None:
        if isValid(self) and self._reading == whole:
            self._reading, self._start_key, self._start = "", whole, None
            why = error.problems[0].text if isinstance(error, Refused) else str(error)
            self._why = text("no_people", why=why)
            self._show_graphs()

    def _try(self, graph: Mapping[str, Any]) -> Trial:
        """What the people say to a graph, as far as it is known; asks them where it is not."""
        start, people = self._start, _PEOPLE.get(self.session)
        if start is None or people is None:
            circle = wrong_graph({**graph, "edges": [list(e) for e in graph.get("edges") or ()]})
            return Trial() if circle is None else _wrong(circle)
        asked = self._asked_of_people()
        key = canonical_json([self._start_key, asked, graph])
        if key in self._trials:
            return self._trials[key]
        if not self._trying:
            self._trying = key
            self.session.jobs.start(
                text("reading"),
                lambda watch: hold(people, start, self.name, asked, graph, watch),
                on_done=lambda made: self._tried(key, made),
                on_failed=lambda _e: self._tried(key, Trial()), quiet=True,
            )  # fmt: skip
        return self._trials.get(key, Trial())

    def _tried(self, key: str, made: Trial) -> None:
        if not isValid(self):
            return
        self._trying = ""
        self._trials[key] = made
        while len(self._trials) > KEPT:
            self._trials.pop(next(iter(self._trials)))
        self._show_graphs()

    # Graphs -------------------------------------------------------------------------------------

    def graphs(self) -> tuple[list[dict[str, Any]], bool]:
        """The graphs on show, and whether they are only the machine's start."""
        found = self._given().get(self.key)
        drawn: list[dict[str, Any]] = (
            [dict(found)] if isinstance(found, Mapping) else list(found or [])
        )
        drawn = [
            {**g, "name": str(g.get("name") or text("new_graph", n=i + 1))}
            for i, g in enumerate(drawn)
        ]
        if drawn or self._start is None:
            return drawn, False
        return [dict(g) for g in self._start.graphs], True

    def _show_graphs(self) -> None:
        editor = self.editor
        if editor is None or self.open_page_index != self.graph_page:
            return
        graphs, suggested = self.graphs()
        self._index = min(self._index, max(0, len(graphs) - 1))
        graph = graphs[self._index] if graphs else {}
        trial = self._try(graph) if graph else Trial()
        side = not editor.side.isHidden()
        trials = tuple(self._try(g) for g in graphs) if side else ()
        graph_name = str(graph.get("name") or "")
        places = self._places().get(graph_name) or {}
        editor.show_state(
            State(
                graphs=tuple(graphs), index=self._index, suggested=suggested, start=self._start,
                trial=trial, subs=self._kinds(), several=self.several,
                places={n: (float(x), float(y)) for n, (x, y) in places.items()},
                closed=self.session.read_only, waiting=self._why, trials=trials,
                people=_PEOPLE.get(self.session),
            )
        )  # fmt: skip
        self.update_footer()

    def _kinds(self) -> dict[str, str]:
        people = _PEOPLE.get(self.session)
        if people is None:
            return dict.fromkeys(self._offered.columns, "")
        return {
            name: text("sub.number") if one.numeric else text("sub.texts", n=one.distinct)
            for name, one in people.columns.items()
        }

    def _put(
        self, graphs: list[dict[str, Any]], code: str, fields: Mapping[str, str] | None = None,
        places: dict[str, Any] | None = None,
    ) -> None:  # fmt: skip
        given = dict(self.asked.get(self.name) or {})
        value: Any = graphs if self.several else (graphs[0] if graphs else None)
        if value:
            given[self.key] = value
        else:
            given.pop(self.key, None)
        said = text(code, title=self.title, **(fields or {}))
        methods = {**self.asked, self.name: given}
        if places is None:
            self._set_methods(methods, said)
        else:  # one act, undone together
            self.session.set_many([(("places",), places), (("plan", "methods"), methods)], said)

    def _graph_changed(self, graph: dict[str, Any], code: str, fields: dict[str, str]) -> None:
        graphs, _ = self.graphs()
        if code == "act.take" and graphs:
            # A starting graph takes the place of the open one, under a name that is still free.
            others = [g["name"] for i, g in enumerate(graphs) if i != self._index]
            if graph["name"] in others:
                graph = {**graph, "name": graphs[self._index]["name"]}
        if not graphs:
            graphs = [graph]
        else:
            graphs[self._index] = dict(graph)
        self._put(graphs, code, fields)

    def _taken(self) -> None:
        graphs, _ = self.graphs()
        self._put(graphs, "act.take")

    def _tab(self, index: int) -> None:
        if index >= 0 and index != self._index:
            self._index = index
            if self.editor is not None:
                self.editor.view.choose(None)
            self._show_graphs()

    def _tab_asked(self, what: str) -> None:
        graphs, suggested = self.graphs()
        names = [g["name"] for g in graphs]
        free = next(
            text("new_graph", n=n) for n in range(1, 1000) if text("new_graph", n=n) not in names
        )
        if what == "remove":
            if suggested or not graphs:
                return
            name = graphs.pop(self._index)["name"]
            self._put(graphs, "act.no_graph", {"graph": name})
            return
        made: dict[str, Any] = {"name": free, "edges": []}
        if what == "copy" and graphs:
            made = {**graphs[self._index], "name": free}
        elif self._start is not None:
            made["roles"] = {self._start.attribute: "protected", self._start.target: "outcome"}
        graphs.append(made)
        self._index = len(graphs) - 1
        self._put(graphs, "act.graph", {"graph": free})

    def _renamed(self, name: str) -> None:
        graphs, _ = self.graphs()
        old = graphs[self._index]["name"]
        graphs[self._index]["name"] = name
        places = self._places()
        moved = None
        if old in places:
            places[name] = places.pop(old)
            moved = self._whole(places)
        self._put(graphs, "act.rename", {"graph": name}, moved)

    # Places, kept in the case beside the plan: moving a variable changes no result --------------

    def _places(self) -> dict[str, Any]:
        """Graph to variable to place, where a person moved it."""
        return dict((self.session.state.get("places") or {}).get(self.name) or {})

    def _moved(self, places: dict[str, tuple[float, float]]) -> None:
        graphs, _ = self.graphs()
        kept = self._places()
        kept[graphs[self._index]["name"]] = {n: [x, y] for n, (x, y) in places.items()}
        self._place(kept, "act.move")

    def _place(self, kept: dict[str, Any], code: str) -> None:
        """Keep places as an act of its own, so that it can be undone."""
        self.session.set(("places",), self._whole(kept), text(code, title=self.title))

    def _whole(self, kept: dict[str, Any]) -> dict[str, Any]:
        return {**(self.session.state.get("places") or {}), self.name: kept}

    def _tidied(self) -> None:
        graphs, _ = self.graphs()
        kept = self._places()
        if graphs and kept.pop(graphs[self._index]["name"], None) is not None:
            self._place(kept, "act.tidy")
        if self.editor is not None:
            self.editor.view.fit()
        self._show_graphs()

    # Frame --------------------------------------------------------------------------------------

    def hint(self) -> Hint | str:  # type: ignore[override]
        if self.open_page_index == self.graph_page:
            return Hint(text("footer"), "triangle-alert", "not_settled")
        return super().hint()

    def help_html(self) -> str:
        """On the page of the graph also what the figures are, and how it is drawn without a mouse."""
        found = super().help_html()
        if self.open_page_index != self.graph_page:
            return found
        parts = "".join(f"<h3>{text(k)}</h3><p>{text(v)}</p>" for k, v in HELP)
        return f"{found}\n{parts}"

    def _cannot_run(self) -> str:
        found = super()._cannot_run()
        if found or self.editor is None:
            return found
        refusal = self.editor.state.trial.refusal
        return text("ready", why=refusal) if refusal else ""


def _wrong(words: str) -> Trial:
    return Trial(
        troubles=(
            {"code": "methods.graph_cycle", "grade": "refusal", "text": words, "arrow": None, "node": None},
        )
    )  # fmt: skip
