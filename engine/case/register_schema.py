"""Tables of a register file, version by version."""

from __future__ import annotations

APPLICATION_ID = 0x46417267
"""``FArg``, in the header of every register."""
_TAKEN = (
    """CREATE TABLE taken (
    number TEXT NOT NULL,
    revision INTEGER NOT NULL,
    holder TEXT NOT NULL,
    who TEXT NOT NULL,
    moment TEXT NOT NULL,
    PRIMARY KEY (number, revision)
) STRICT""",
    """CREATE TRIGGER taken_stays BEFORE DELETE ON taken
BEGIN SELECT RAISE(ABORT, 'numbers never repeat'); END""",
    """CREATE TRIGGER taken_keeps BEFORE UPDATE ON taken
BEGIN SELECT RAISE(ABORT, 'numbers never repeat'); END""",
)
"""Numbers taken for a case that is still to be signed: version 2 of the register has them."""
_KEPT = (
    """CREATE TRIGGER certificates_keep BEFORE UPDATE OF number, revision, kind, system, client,
    decided, issued, expires, next_check, replaces, why, sha256, issued_by ON certificates
BEGIN SELECT RAISE(ABORT, 'an entry keeps all but its status'); END""",
)
"""What was entered stays as it is, but for the status: version 3 of the register has it."""
_SCHEMA = (
    """CREATE TABLE certificates (
    number TEXT NOT NULL,
    revision INTEGER NOT NULL,
    kind TEXT NOT NULL,
    system TEXT NOT NULL,
    client TEXT NOT NULL,
    status TEXT NOT NULL,
    decided TEXT NOT NULL,
    issued TEXT NOT NULL,
    expires TEXT NOT NULL,
    next_check TEXT NOT NULL,
    replaces TEXT NOT NULL,
    why TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    issued_by TEXT NOT NULL,
    PRIMARY KEY (number, revision)
) STRICT""",
    """CREATE TABLE changes (
    id INTEGER PRIMARY KEY,
    number TEXT NOT NULL,
    revision INTEGER NOT NULL,
    status TEXT NOT NULL,
    reason TEXT NOT NULL,
    who TEXT NOT NULL,
    moment TEXT NOT NULL
) STRICT""",
    """CREATE TRIGGER certificates_stay BEFORE DELETE ON certificates
BEGIN SELECT RAISE(ABORT, 'numbers never repeat'); END""",
    """CREATE TRIGGER changes_stay BEFORE DELETE ON changes
BEGIN SELECT RAISE(ABORT, 'the register keeps every change'); END""",
    """CREATE TRIGGER changes_keep BEFORE UPDATE ON changes
BEGIN SELECT RAISE(ABORT, 'the register keeps every change'); END""",
)
STEPS = (_SCHEMA, _TAKEN, _KEPT)
"""What each version added to the one before."""
VERSION = len(STEPS)
