"""What an office's register says of one paper: whether it still stands, in words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from engine.base.problems import Problem, Refused
from engine.messages import say

from .register import Entry, Register


@dataclass(frozen=True)
class Standing:
    """Whether a paper stands by the register.

    Attributes
    ----------
    stands : bool
        Entered as this very file, and neither suspended, withdrawn nor superseded. An expired one
        stands here: its own words say that it has run out.
    status : str
        A status of the register; ``unknown`` where it holds no such number, ``other file`` where
        it holds another file under it; ``edited`` where its status is not the last that its
        list of changes holds.
    lines : tuple of str
        What the register says, in words.
    """

    stands: bool
    status: str
    lines: tuple[str, ...]


def standing(
    register: Path, *, number: str, revision: int, sha256: str, today: date | None = None
) -> Standing:
    """Look a paper up in a register; the register is only read.

    Parameters
    ----------
    register : Path
    number, revision
        As the paper names them.
    sha256 : str
        Of the whole signed file.
    today : date, optional
        For saying that it has expired.

    Returns
    -------
    Standing

    Raises
    ------
    Refused
        For a register that is missing or none.
    """
    if not register.is_file():
        raise Refused(Problem(register.name, "", say("case.register.no_file")))
    book = Register(register)
    under = [entry for entry in book.search(number, today=today) if entry.number == number]
    found = next((entry for entry in under if entry.revision == revision), None)
    if found is None:
        return Standing(False, "unknown", (say("case.register.s_unknown", number=number),))
    if found.sha256 != sha256:
        text = say("case.register.s_other", number=number, revision=revision)
        return Standing(False, "other file", (text,))
    changes = book.changes(number, revision)
    kept = "valid" if found.status == "expired" else found.status
    if not changes or changes[-1].status not in (kept, found.status):
        text = say("case.register.s_edited", number=number, revision=revision)
        return Standing(False, "edited", (text,))
    stands = found.status in ("valid", "expired")
    lines = [say(f"case.register.s_{found.status}", number=number, revision=revision)]
    if not stands and changes:
        last = changes[-1]
        lines.append(
            say(
                "case.register.s_change",
                who=last.who or say("case.register.s_nobody"),
                day=last.when[:10],
                reason=last.reason or say("case.register.s_no_reason"),
            )
        )
    newest = _newest(book, found, today)
    if newest is not None:
        lines.append(say("case.register.s_newest", number=newest.number, revision=newest.revision))
    return Standing(stands, found.status, tuple(lines))


def _newest(book: Register, old: Entry, today: date | None) -> Entry | None:
    """What replaced an entry: a later revision, or the paper that names it as replaced."""
    later = [
        entry
        for entry in book.search(today=today)
        if (entry.number == old.number and entry.revision > old.revision)
        or (entry.replaces == old.number and entry.number != old.number)
    ]
    return max(later, key=lambda entry: (entry.issued, entry.revision), default=None)
