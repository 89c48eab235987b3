"""Version 1: trail, head, blobs in chunks, drafts."""

from __future__ import annotations

import sqlite3

STATEMENTS = (
    """CREATE TABLE trail (
    seq INTEGER PRIMARY KEY,
    previous TEXT NOT NULL,
    event TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE
) STRICT""",
    """CREATE TRIGGER trail_keeps BEFORE UPDATE ON trail
BEGIN SELECT RAISE(ABORT, 'the trail is append-only'); END""",
    """CREATE TRIGGER trail_stays BEFORE DELETE ON trail
BEGIN SELECT RAISE(ABORT, 'the trail is append-only'); END""",
    """CREATE TABLE head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    seq INTEGER NOT NULL,
    hash TEXT NOT NULL,
    state TEXT NOT NULL,
    state_sha256 TEXT NOT NULL
) STRICT""",
    """CREATE TABLE blobs (
    id INTEGER PRIMARY KEY,
    sha256 TEXT UNIQUE,
    bytes INTEGER NOT NULL
) STRICT""",
    """CREATE TABLE chunks (
    blob INTEGER NOT NULL,
    part INTEGER NOT NULL,
    coding TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (blob, part)
) STRICT""",
    """CREATE TABLE drafts (
    page TEXT PRIMARY KEY,
    fields TEXT NOT NULL,
    sha256 TEXT NOT NULL
) STRICT""",
)


def upgrade(db: sqlite3.Connection) -> None:
    """Make the tables of version 1 in an empty file."""
    for statement in STATEMENTS:
        db.execute(statement)
