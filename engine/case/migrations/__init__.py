"""The form of the case file, one module a version: ``upgrade(db)`` leads from the one before.

A version that was released is never edited; a change of form is a new module and a line here,
together with a stored case of the version before in the tests.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from . import v1

APPLICATION_ID = 0x46416173
"""``FAas``, in the header of every case file."""

STEPS: tuple[Callable[[sqlite3.Connection], None], ...] = (v1.upgrade,)


def newest() -> int:
    """The version that this program writes."""
    return len(STEPS)


def upgrade(db: sqlite3.Connection, *, found: int) -> None:
    """Bring a case from version ``found`` (0: an empty file) to the newest, inside a transaction."""
    for step in STEPS[found:]:
        step(db)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {newest()}")


def _schema(db: sqlite3.Connection) -> dict[str, str]:
    rows = db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return dict(rows.fetchall())


def foreign(db: sqlite3.Connection) -> list[str]:
    """Names of tables and triggers that are missing, added or changed; a case has no others.

    A strange trigger could act on its own when the case is opened, so such a file is not used.
    """
    untouched = sqlite3.connect(":memory:")
    try:
        upgrade(untouched, found=0)
        wanted = _schema(untouched)
    finally:
        untouched.close()
    found = _schema(db)
    return sorted(
        name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name)
    )
