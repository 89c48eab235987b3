"""One page a step of the procedure. A page is loaded when it is first opened."""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.base.watch import Watch

TITLES: tuple[str, ...] = (
    "Case and evidence",
    "Protected attributes",
    "Groups compared",
    "Tolerance",
    "Training data",
    "The system",
    "Test run and tally",
    "Outcome metrics",
    "All metrics and the band",
    "Index and score",
    "Decision and certificate",
    "What was not supplied",
    "Recertification",
)
"""Titles of the steps as the list shows them, 0 to 12."""

MODULES: tuple[str, ...] = (
    "step00_evidence",
    "step01_attributes",
    "step02_groups",
    "step03_tolerance",
    "step04_training",
    "step05_system",
    "step06_run",
    "step07_outcomes",
    "step08_band",
    "step09_index",
    "step10_decision",
    "step11_missing",
    "step12_recertification",
)
"""Each holds ``Page``, a :class:`gui.steps.base.StepPage`."""


def load_pages(watch: Watch) -> None:
    """Load what the pages are made of, before the first one is asked for; runs in a job."""
    for module in MODULES:
        watch.check()
        if find_spec(f"{__name__}.{module}") is not None:
            importlib.import_module(f"{__name__}.{module}")


def page_class(number: int) -> type | None:
    """The page of a step; None where it is not there."""
    name = f"{__name__}.{MODULES[number]}"
    if find_spec(name) is None:
        return None
    found: type = importlib.import_module(name).Page
    return found
