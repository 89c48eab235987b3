"""What reading a file gives: a typed table, how it was understood, and what is odd about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Wart:
    """Something odd in a file that the auditor should know or decide.

    ``grade`` is ``question`` (must be answered), ``warning`` or ``note``. ``code`` names the kind
    (:mod:`engine.messages.intake`), ``rows`` holds up to 20 row numbers (from 1, data rows).
    ``suggestion`` is a machine-readable mend: keys of a :class:`~engine.plan.model.Source` or of
    the plan, such as ``{"missing": ["?"]}``; empty where there is none.
    """

    code: str
    grade: str
    text: str
    column: str | None = None
    count: int = 0
    rows: tuple[int, ...] = ()
    suggestion: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Received:
    """A file as it came: its name (never its folder), size and SHA-256."""

    name: str
    bytes: int
    sha256: str


@dataclass(frozen=True)
class Table:
    """A typed table.

    Attributes
    ----------
    frame : pandas.DataFrame
        One row a data row. Whole numbers are ``Int64`` (or ``int64`` without blanks), other
        numbers ``float64``, text and truth values ``category`` with text categories (``TRUE`` /
        ``FALSE`` for truth values) in order of first appearance, dates ``datetime64``; blanks are
        missing. High-cardinality text (more than half of the rows distinct) may be ``string``.
        Text is kept exactly, outer blanks included.
    received : tuple of Received
    detected : mapping
        ``format``, ``delimiter``, ``encoding``, ``decimal``, ``header``, ``skip_lines``,
        ``missing``, ``types`` (column -> ``whole number`` / ``number`` / ``text`` / ``truth
        value`` / ``date``), ``sheet``: whatever applies, JSON-ready, for the result's ``inputs``.
    unread : pandas.DataFrame or None
        Rows that could not be read: ``line``, ``text``, ``reason``.
    warts : tuple of Wart
    """

    frame: pd.DataFrame
    received: tuple[Received, ...]
    detected: Mapping[str, Any]
    unread: pd.DataFrame | None = None
    warts: tuple[Wart, ...] = ()
