"""Opening a case: whose file it is, which form it has, what its trail gives."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.base.canonical import canonical_json
from engine.base.problems import Refused
from engine.messages import say
from engine.procedure.acts import Act
from engine.procedure.history import History

from . import migrations, trail
from .lock import Held, Lock
from .refusals import refused, worded
from .trail import Break, Event


def perform(history: History, event: Event) -> None:
    """Carry out an event of the trail."""
    perform_body(history, event.body)


def perform_body(history: History, body: Mapping[str, Any]) -> None:
    """Carry out the body of an event: an act, an undo or a redo."""
    match body["kind"]:
        case "act":
            history.do(Act.from_json(body["act"]))
        case "undo":
            history.undo()
        case "redo":
            history.redo()


def by(who: str) -> str:
    return f", by {who}" if who else ""


def whole_text(raw: bytes) -> str:
    """Text as stored, also where a flipped bit left no valid UTF-8: the fingerprint then tells."""
    return raw.decode("utf-8", "surrogateescape")


def stamp(text: object) -> str:
    """SHA-256 of stored text, whatever damage made of it."""
    return hashlib.sha256(str(text).encode("utf-8", "surrogateescape")).hexdigest()


def draft_stamp(page: object, fields: object) -> str:
    """Fingerprint of a half-filled page."""
    return stamp(f"{page}\n{fields}")


def prepare(db: sqlite3.Connection) -> None:
    db.text_factory = whole_text
    # EXTRA is FULL, and also makes the end of each journal durable: without it a power cut just
    # after a commit may take that commit back.
    for pragma in (
        "journal_mode = DELETE",
        "synchronous = EXTRA",
        "trusted_schema = OFF",
        "cell_size_check = ON",
    ):
        db.execute(f"PRAGMA {pragma}").fetchall()


def look(path: Path) -> None:
    """Refuse what is plainly no case, before SQLite touches it."""
    if path.is_dir():
        raise refused(path, "case.folder")
    with worded(path), path.open("rb") as file:
        start = file.read(100)
    if not start:
        raise refused(path, "case.empty")
    if start[:16] != b"SQLite format 3\0":
        raise refused(path, "case.not_a_case")


def current_form(db: sqlite3.Connection, path: Path, *, may_write: bool) -> sqlite3.Connection:
    """Check whose file it is, and bring an older form up to date (read only: in a copy)."""
    if db.execute("PRAGMA application_id").fetchone()[0] != migrations.APPLICATION_ID:
        raise refused(path, "case.not_a_case")
    found = int(db.execute("PRAGMA user_version").fetchone()[0])
    known = migrations.newest()
    if found > known:
        raise refused(path, "case.newer", found=found, known=known)
    if found < known:
        if not may_write:
            memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
            db.backup(memory)
            db.close()
            db = memory
        db.execute("BEGIN IMMEDIATE")
        migrations.upgrade(db, found=found)
        db.execute("COMMIT")
    changed = migrations.foreign(db)
    if changed:
        raise refused(path, "case.foreign_schema", what=", ".join(changed))
    return db


def write_event(
    db: sqlite3.Connection,
    *,
    seq: int,
    previous: str,
    body: Mapping[str, Any],
    state: Mapping[str, Any],
) -> str:
    """Append an event and renew the head, inside the caller's transaction."""
    found = trail.append(db, seq=seq, previous=previous, body=body)
    text = canonical_json(dict(state))
    db.execute(
        "INSERT OR REPLACE INTO head VALUES (1, ?, ?, ?, ?)",
        (seq, found, text, stamp(text)),
    )
    return found


def read_drafts(db: sqlite3.Connection) -> dict[str, Any]:
    """The half-filled pages; a damaged one is left out (the check names it)."""
    rows = db.execute("SELECT page, fields, sha256 FROM drafts ORDER BY page")
    return {
        page: json.loads(fields)
        for page, fields, sha256 in rows
        if draft_stamp(page, fields) == sha256
    }


@dataclass(frozen=True)
class Reading:
    """What a trail gives: the history, its last sound event, and what is wrong (empty: nothing)."""

    history: History
    seq: int
    hash: str
    damage: str


def replay(db: sqlite3.Connection) -> Reading:
    """Read the trail and carry out its acts; where it is broken, save the last stored state."""
    history = History()
    seq, found = 0, trail.START
    damage = ""
    for entry in trail.read(db):
        if isinstance(entry, Break):
            code = "case.fault.gap" if entry.missing else "case.fault.event"
            damage = say(code, seq=entry.seq, good=entry.seq - 1)
            break
        try:
            perform(history, entry)
        except (Refused, KeyError, TypeError, ValueError) as error:
            damage = say("case.fault.replay", seq=entry.seq, why=error)
            break
        seq, found = entry.seq, entry.hash
    head = db.execute("SELECT seq, hash, state, state_sha256 FROM head").fetchone()
    if not damage:
        damage = _end(head, seq, found)
    if damage and head is not None and stamp(head[2]) == head[3]:
        history = History(json.loads(head[2]))
    return Reading(history, seq, found, damage)


def _end(head: Any, seq: int, found: str) -> str:
    """What is wrong with the end of a trail whose chain is whole."""
    if head is None:
        return say("case.fault.head")
    if head[0] > seq:
        return say("case.fault.cut", found=seq, wanted=head[0])
    return "" if (head[0], head[1]) == (seq, found) else say("case.fault.head")


def try_lock(path: Path, who: str) -> tuple[Lock | None, str]:
    """Take the lock of a case, or say in a sentence why it opens to read only."""
    if not os.access(path, os.W_OK):
        return None, say("case.no_right")
    if path.stat().st_nlink > 1:  # SQLite and the lock go by the name: each would have its own
        return None, say("case.two_names")
    try:
        return Lock(path, by=who), ""
    except Held as held:
        return None, say("case.other_window", whom=by(held.by))
    except OSError:
        return None, say("case.no_right")
