"""Undo and redo against a model: a list of what is in force."""

from __future__ import annotations

import copy

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from engine.base.problems import Refused
from engine.procedure import acts
from engine.procedure.basis import run_basis
from engine.procedure.history import History

WHO = {"who": "E", "when": "2026-11-24T10:00:00+01:00"}
KEYS = st.sampled_from(("system", "client", "purpose"))
TEXTS = st.sampled_from(("", "a", "b", "c"))


class Undoing(RuleBasedStateMachine):
    """Choices are a stack; facts stay whatever is undone."""

    def __init__(self) -> None:
        super().__init__()
        self.history = History()
        self.chosen: list[tuple[str, str]] = []
        self.undone: list[tuple[str, str]] = []
        self.results = 0
        self.seen = False
        self.frozen = copy.deepcopy(self.history.state)
        self.first = self.history.state

    @rule(key=KEYS, text=TEXTS)
    def choose(self, key: str, text: str) -> None:
        self.history.do(acts.set_value(("case", key), text, words=f"{key}={text}", **WHO))
        self.chosen.append((key, text))
        self.undone.clear()

    @rule()
    def run(self) -> None:
        self.results += 1
        self.history.do(
            acts.store_result(
                plan_sha256="p",
                result_sha256=str(self.results),
                basis_sha256=run_basis(self.history.state),
                files={},
                **WHO,
            )
        )

    @rule()
    def look(self) -> None:
        act = acts.see_result(self.history.state, **WHO)
        assert (act is None) == self.seen
        if act is not None:
            self.history.do(act)
        self.seen = True

    @precondition(lambda self: self.chosen)
    @rule()
    def undo(self) -> None:
        self.history.undo()
        self.undone.append(self.chosen.pop())

    @precondition(lambda self: self.undone)
    @rule()
    def redo(self) -> None:
        self.history.redo()
        self.chosen.append(self.undone.pop())

    @precondition(lambda self: not self.chosen)
    @rule()
    def nothing_to_undo(self) -> None:
        with pytest.raises(Refused, match="nothing to undo"):
            self.history.undo()

    @invariant()
    def agrees(self) -> None:
        state = self.history.state
        expected = dict(self.chosen)
        for key in ("system", "client", "purpose"):
            assert state["case"][key] == expected.get(key, "")
        assert bool(state["seen"]["result"]) == self.seen
        assert (state["result"] or {}).get("result_sha256") == (
            str(self.results) if self.results else None
        )
        words = "{}={}".format(*self.chosen[-1]) if self.chosen else None
        assert self.history.undo_words == words
        words = "{}={}".format(*self.undone[-1]) if self.undone else None
        assert self.history.redo_words == words

    @invariant()
    def never_mutates(self) -> None:
        assert self.first == self.frozen


TestUndoing = Undoing.TestCase
TestUndoing.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)


def test_apply_leaves_the_state_given_alone() -> None:
    history = History()
    item = acts.add_item(history.state, name="a.csv", bytes=1, sha256="x", **WHO)
    history.do(item)
    before = history.state
    frozen = copy.deepcopy(before)
    after = acts.apply(
        before, acts.set_value(("items", "item-1", "reading", "delimiter"), ";", words="", **WHO)
    )
    assert after["items"][0]["reading"] == {"delimiter": ";"}
    assert before == frozen
    assert after["case"] is before["case"]  # what is not on the path is shared


def test_a_place_that_is_not_there_is_refused() -> None:
    state = History().state
    with pytest.raises(Refused, match="item-9"):
        acts.apply(state, acts.set_value(("items", "item-9", "role"), "test", words="", **WHO))
    with pytest.raises(Refused):
        acts.apply(state, acts.set_value(("case", "system", "x", "y"), 1, words="", **WHO))


def test_acts_survive_json() -> None:
    act = acts.set_value(("plan", "protected", 0), {"a": (1, 2)}, words="w", **WHO)
    assert acts.Act.from_json(act.as_json()) == act


def test_ids_and_several_changes_at_once() -> None:
    history = History()
    for name in ("a", "b"):
        history.do(acts.add_item(history.state, name=name, bytes=1, sha256=name, **WHO))
    assert [i["id"] for i in history.state["items"]] == ["item-1", "item-2"]
    history.do(acts.remove_item(history.state, "item-1", **WHO))
    assert [i["name"] for i in history.state["items"]] == ["b"]
    changes = [(("items", "item-2", "role"), "test"), (("plan", "id"), "key")]
    history.do(acts.set_many(changes, words="named the key", **WHO))
    assert history.state["items"][0]["role"] == "test" and history.state["plan"]["id"] == "key"
    history.undo()
    assert history.state["items"][0]["role"] == "" and "id" not in history.state["plan"]
    with pytest.raises(Refused):
        history.do(acts.remove_item(history.state, "item-7", **WHO))
