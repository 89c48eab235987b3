"""Keeps Python 3.11 alive under PySide6 6.12.

That release takes a reference to None away with each call that returns nothing, and one to True
with each signal sent; Python 3.12 and later do not count references to them, but 3.11 ends the
process ("deallocating None") after a few thousand calls. Measured with ``sys.getrefcount``; see
``tests/gui/test_guard.py``, which fails to see a loss once this module can go.
"""

from __future__ import annotations

import ctypes
import sys

SPARE = 1 << 40
"""More references than a window loses in years."""


def guard() -> None:
    """Give the objects that later versions hold to be immortal references to spare, once."""
    if sys.version_info >= (3, 12) or sys.implementation.name != "cpython":
        return
    for one in (None, True, False, NotImplemented, Ellipsis):
        count = ctypes.c_ssize_t.from_address(id(one))
        if count.value < SPARE:
            count.value += SPARE
