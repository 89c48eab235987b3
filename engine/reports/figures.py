"""The pages behind page 1, held against the result that is attached: every metric, and nothing hid.

Each metric's value and interval stand side by side in the evidence, as printed from result.json.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pikepdf

from . import hidden
from .page_text import page_text, squeezed
from .words import rows_of

LEAST_READ = 60
"""Pages that are read whatever is found; more only while a figure is looked for."""


def read(pdf: pikepdf.Pdf, result: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Read the evidence pages of a paper.

    Parameters
    ----------
    pdf : pikepdf.Pdf
    result : mapping
        The attached result.json as data.

    Returns
    -------
    lacking : list of str
        Metrics whose figures no page shows, in words.
    tricks : list of str
        Ways in which the pages hide words.
    """
    wanted: dict[str, str] = {}
    times: Counter[str] = Counter()
    for row in rows_of(result) if result.get("certification") else ():
        if row.value is not None:
            shown = squeezed(f"{row.shown()}{row.shown_interval() or ''}")
            words = f"{row.title}, {row.attribute}: {row.shown()} {row.shown_interval() or ''}"
            wanted.setdefault(shown, words.strip())
            times[shown] += 1
    tricks: list[str] = []
    for number, page in enumerate(list(pdf.pages)[1:], start=1):
        if number > LEAST_READ and not +times:
            break
        tricks += hidden.tricks(page)
        text = page_text(page)
        for shown in +times:
            times[shown] -= text.count(shown)
    return [wanted[shown] for shown in +times], tricks
