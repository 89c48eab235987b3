"""Undo and redo: which acts are in force, and the state that they give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.base.problems import Problem, Refused
from engine.messages import say

from .acts import Act, apply
from .state import new_state

_FLOORS = ("issue_certificate", "revise", "restore")
"""Facts behind which nothing can be undone."""


@dataclass
class _Entry:
    act: Act
    before: dict[str, Any]


class History:
    """The acts of a case in force. States share what they have in common, so keeping them is cheap.

    Undo takes back the last choice; facts that came after it (a result was seen) stay. Redo puts
    it back where it was, so that nothing about when it was chosen is lost. A new choice ends redo.

    Parameters
    ----------
    state : mapping, optional
        Where to begin; an empty case if left out.

    Examples
    --------
    >>> from engine.procedure.acts import set_value
    >>> history = History()
    >>> history.do(set_value(("case", "system"), "Loans 4.2", words="named the system", who="E", when=""))
    >>> history.undo_words
    'named the system'
    >>> history.undo().value
    'Loans 4.2'
    >>> history.state["case"]["system"]
    ''
    """

    def __init__(self, state: Mapping[str, Any] | None = None) -> None:
        self.state: dict[str, Any] = dict(state) if state is not None else new_state()
        self._entries: list[_Entry] = []
        self._undone: list[tuple[int, Act]] = []

    def do(self, act: Act) -> None:
        """Apply an act; refused acts leave everything as it was."""
        after = apply(self.state, act)
        self._entries.append(_Entry(act, self.state))
        self.state = after
        if act.undoable or act.kind in _FLOORS:
            self._undone.clear()

    def mark(self) -> Any:
        """Where the history stands, for :meth:`back_to`."""
        return self.state, list(self._entries), list(self._undone)

    def back_to(self, mark: Any) -> None:
        """Return to a mark, after something outside the history failed."""
        self.state, self._entries, self._undone = mark

    def _last_choice(self) -> int | None:
        if self.state["certificate"] is not None:
            return None
        for index in range(len(self._entries) - 1, -1, -1):
            act = self._entries[index].act
            if act.undoable:
                return index
            if act.kind in _FLOORS:
                return None
        return None

    @property
    def undo_words(self) -> str | None:
        """What undo would take back; None where there is nothing."""
        index = self._last_choice()
        return None if index is None else self._entries[index].act.words

    @property
    def redo_words(self) -> str | None:
        """What redo would put back; None where there is nothing."""
        if not self._undone or self.state["certificate"] is not None:
            return None
        return self._undone[-1][1].words

    def undo(self) -> Act:
        """Take back the last choice and return it."""
        index = self._last_choice()
        if index is None:
            raise Refused(Problem("", "", say("procedure.nothing_to_undo")))
        entry = self._entries[index]
        later = [one.act for one in self._entries[index + 1 :]]
        self._replay(index, entry.before, later)
        self._undone.append((index, entry.act))
        return entry.act

    def redo(self) -> Act:
        """Put back the choice that was undone last and return it."""
        if self.redo_words is None:
            raise Refused(Problem("", "", say("procedure.nothing_to_redo")))
        index, act = self._undone[-1]
        before = self._entries[index].before if index < len(self._entries) else self.state
        later = [one.act for one in self._entries[index:]]
        self._replay(index, before, [act, *later])
        self._undone.pop()
        return act

    def _replay(self, index: int, before: dict[str, Any], acts: list[Act]) -> None:
        entries: list[_Entry] = []
        state = before
        for act in acts:
            entries.append(_Entry(act, state))
            state = apply(state, act)
        self._entries[index:] = entries
        self.state = state
