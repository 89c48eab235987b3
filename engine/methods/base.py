"""What a method is, and what its rooms take and give. See :mod:`engine.methods`.

Each folder ``engine/methods/<name>/`` holds

``settings.py``
    ``METHOD: Method``, light to import.
``compute.py``
    ``compute(*, cohort, plan, settings, watch) -> Computed``: numbers in, numbers out.
``findings.py``
    ``findings(*, result, plan) -> list[Finding]`` where ``result`` is this method's part of
    result.json: numbers to sentences with a grade. And ``sections(*, result, plan) ->
    list[Section]``: the same as the report and the window show it, with tables.
``figures.py``
    ``figures(*, result, tables) -> list[Chart]`` (see :mod:`engine.drawing`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Setting:
    """One question that a method asks.

    ``kind``: ``whole``, ``number``, ``share`` (0 to 1), ``yes-no``, ``choice``, ``choices``
    (several of), ``numbers`` (a list), ``column``, ``attribute``, ``text``, ``graph``, ``graphs``, ``value`` (free
    JSON). ``choices`` holds ``(value, words)`` pairs. ``page`` groups settings in the wizard.
    ``names`` says of a ``value`` that it is a list of names (one name alone serves, too).
    """

    name: str
    kind: str
    default: Any
    words: str
    help: str = ""
    unit: str = ""
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[tuple[Any, str], ...] = ()
    page: str = "Settings"
    required: bool = False
    names: bool = False


@dataclass(frozen=True)
class Method:
    """A method as the window, the command line, the report and the manual know it.

    ``question`` is one plain sentence; ``step`` is the step of the procedure on which its wizard
    hangs (7, 8 or 9); ``pages`` names the wizard's pages in order, the last being the result.
    """

    name: str
    title: str
    question: str
    step: int
    settings: tuple[Setting, ...] = ()
    needs_outcome: bool = True
    needs_decisions: bool = False
    pages: tuple[str, ...] = ("Settings", "Result")

    def defaults(self) -> dict[str, Any]:
        """Every setting with its default."""
        return {s.name: s.default for s in self.settings}


@dataclass(frozen=True)
class Computed:
    """What a computation gives.

    ``result`` goes into result.json under the method's name (plain values, no NaN); ``tables``
    maps a file stem to a table with headings in words, written to ``tables/<stem>.csv`` and shown
    in the window; ``warnings`` holds ``{"code", "text", "where"}``; ``exclusions`` like the
    cohort's.
    """

    result: dict[str, Any]
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    warnings: tuple[dict[str, Any], ...] = ()
    exclusions: tuple[dict[str, Any], ...] = ()


GRADES = ("shown", "ruled out", "not settled", "not computable", "not checked", "note")


@dataclass(frozen=True)
class Finding:
    """A number made into sentences.

    ``sentence`` says the number and what it means here; ``action`` what to do. ``grade`` is one
    of :data:`GRADES` (of an unfairness: ``shown`` is bad news, ``ruled out`` good). ``subject``
    is what it is about (attribute, metric, cell), for headings and links.
    """

    code: str
    grade: str
    subject: str
    sentence: str
    action: str = ""


@dataclass(frozen=True)
class PrintedTable:
    """A small table for window and paper: headings in words, cells as text, one alignment each.

    ``align`` holds ``l``, ``r`` or ``c`` a column; ``notes`` stand under the table. Cells may be
    a :class:`Verdict` to be drawn as mark and word.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    align: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """A verdict in a table cell: drawn as mark and word (``within``, ``outside``,
    ``not settled``, ``not computable``, ``not checked``, ``shown``, ``ruled out``)."""

    word: str

    def __str__(self) -> str:
        return self.word


@dataclass(frozen=True)
class Section:
    """A part of the report, which is also what the window shows.

    ``charts`` holds keys of the method's charts that belong here. ``level`` 1 or 2.
    """

    title: str
    paragraphs: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    tables: tuple[PrintedTable, ...] = ()
    charts: tuple[str, ...] = ()
    level: int = 1
