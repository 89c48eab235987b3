"""The trail: an append-only chain of events, each bound to all before it by its hash."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.base.canonical import canonical_json

START = "0" * 64
"""What the first event of a trail names as the one before it."""


@dataclass(frozen=True)
class Event:
    """One entry of the trail.

    ``kind`` is ``create``, ``act``, ``undo`` or ``redo``; ``words`` says what was done; ``body``
    is the whole canonical event, and ``hash`` binds it to all before it.
    """

    seq: int
    kind: str
    words: str
    who: str
    when: str
    body: Mapping[str, Any]
    hash: str


@dataclass(frozen=True)
class Break:
    """Where a trail stops being what was written: ``seq`` of the first bad or missing entry."""

    seq: int
    missing: bool


def link(*, seq: int, previous: str, event: str) -> str:
    """The hash of an event: SHA-256 over a mark, its number, the hash before it and its text."""
    text = f"fairassay-trail-1\n{seq}\n{previous}\n{event}"
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def append(db: sqlite3.Connection, *, seq: int, previous: str, body: Mapping[str, Any]) -> str:
    """Write an event and return its hash; the caller holds the transaction."""
    event = canonical_json(dict(body)).rstrip("\n")
    found = link(seq=seq, previous=previous, event=event)
    db.execute("INSERT INTO trail VALUES (?, ?, ?, ?)", (seq, previous, event, found))
    return found


def read(db: sqlite3.Connection) -> Iterator[Event | Break]:
    """The events in order, each checked against the chain; ends with a :class:`Break` if broken."""
    previous = START
    wanted = 1
    rows = db.execute("SELECT seq, previous, event, hash FROM trail ORDER BY seq")
    for seq, before, text, found in rows:
        if seq != wanted:
            yield Break(wanted, missing=seq > wanted)
            return
        if before != previous or link(seq=seq, previous=before, event=text) != found:
            yield Break(seq, missing=False)
            return
        body = json.loads(text)
        yield Event(seq, body["kind"], body["words"], body["who"], body["when"], body, found)
        previous = found
        wanted += 1
