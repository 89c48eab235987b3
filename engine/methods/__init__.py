"""One folder a method. :data:`NAMES` is the registry: a new method is a folder and a line here."""

from __future__ import annotations

import importlib
from typing import Any

from .base import Method

NAMES: tuple[str, ...] = (
    "certification",
    "peers",
    "crossval",
    "intersection",
    "tradeoffs",
    "mitigation",
    "counterfactual",
    "channels",
    "pricing",
    "monitoring",
)
"""Every method there is, in the order in which they run and are printed."""


def method(name: str) -> Method:
    """The description of a method: title, question, settings. Loads nothing heavy."""
    found: Method = importlib.import_module(f"engine.methods.{name}.settings").METHOD
    return found


def room(name: str, part: str) -> Any:
    """A method's ``compute``, ``findings`` or ``figures`` module, loaded when first needed."""
    return importlib.import_module(f"engine.methods.{name}.{part}")
