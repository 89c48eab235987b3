"""The nearest known name: what a refusal offers as its mend."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from .wording import listed


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known name most like a word, or None where none is near.

    Case and outer blanks count for nothing, so that ``sex`` finds ``Sex``.

    Examples
    --------
    >>> nearest("sexx", ["Age", "Sex"])
    'Sex'
    >>> nearest("income", ["Age", "Sex"]) is None
    True
    """
    names: dict[str, str] = {}
    for name in known:
        names.setdefault(_plain(name), name)
    close = difflib.get_close_matches(_plain(word), list(names), n=1, cutoff=0.55)
    return names[close[0]] if close else None


def mend(word: str, known: Iterable[str], *, otherwise: str = "known are", shown: int = 12) -> str:
    """A closing half sentence: ``did you mean "x"?``, else the names that there are.

    Examples
    --------
    >>> mend("sexx", ["Age", "Sex"])
    'did you mean "Sex"?'
    >>> mend("income", ["Age", "Sex"], otherwise="its columns are")
    'its columns are "Age" and "Sex"'
    """
    known = list(known)
    found = nearest(word, known)
    if found is not None:
        return f'did you mean "{found}"?'
    if not known:
        return f"{otherwise} none"
    quoted = [f'"{name}"' for name in known[:shown]]
    if len(known) > shown:
        return f"{otherwise} {', '.join(quoted)} and {len(known) - shown} more"
    return f"{otherwise} {listed(quoted)}"


def _plain(word: str) -> str:
    return " ".join(word.split()).casefold()
