"""Callbacks of windows that may be gone when the work they wait for ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject
from shiboken6 import isValid


def lives(callback: Callable[..., Any]) -> bool:
    """Whether every window that a callback belongs to or holds is still there."""
    held = [getattr(callback, "__self__", None)]
    for cell in getattr(callback, "__closure__", None) or ():
        try:
            held.append(cell.cell_contents)
        except ValueError:  # a name that was never given a value
            continue
    return all(isValid(one) for one in held if isinstance(one, QObject))


def tell(callback: Callable[..., Any] | None, *given: Any) -> None:
    """Call a callback, if there is one; that its page was left meanwhile is no fault.

    What it does before it touches the page, such as keeping a result, is done either way.
    """
    if callback is None:
        return
    try:
        callback(*given)
    except RuntimeError:
        if lives(callback):
            raise
