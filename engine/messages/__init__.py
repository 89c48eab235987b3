"""Message texts as data: one module a room, each a mapping of code to text.

A code begins with its room: ``intake.no_such_column``. Texts hold named fields and follow the
words of the look: short main clauses, the number first, the mend last.
"""

from __future__ import annotations

import importlib
from functools import cache


@cache
def _texts(room: str) -> dict[str, str]:
    module = importlib.import_module(f"engine.messages.{room}")
    return dict(module.TEXTS)


def say(code: str, **fields: object) -> str:
    """The text of a message code with its fields filled in.

    Raises
    ------
    KeyError
        For an unknown code or a field that the text needs and was not given: a fault of ours.
    """
    return _texts(code.split(".", 1)[0])[code].format(**fields)
