"""The register of certificates of an office: one file that several auditors use in turn."""

from __future__ import annotations

import csv
import io
import sqlite3
import unicodedata
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import astuple, dataclass, fields, replace
from datetime import date
from pathlib import Path

from engine.base.problems import Problem, Refused
from engine.base.wording import listed
from engine.messages import say

from . import files
from .blobs import transaction
from .refusals import code_of, refused
from .register_schema import APPLICATION_ID, STEPS, VERSION

STATUSES = ("valid", "suspended", "withdrawn", "superseded", "expired")
FOLLOWING: dict[str, tuple[str, ...]] = {
    "valid": ("suspended", "withdrawn", "superseded"),
    "expired": ("withdrawn", "superseded"),
    "suspended": ("valid", "withdrawn", "superseded"),
    "superseded": ("withdrawn",),
    "withdrawn": (),
}
"""Which status may follow which: what was withdrawn or replaced comes back only as a new paper."""


@dataclass(frozen=True)
class Entry:
    """A certificate or statement as registered; dates are ISO text, empty where there are none.

    ``kind`` is ``certificate`` or ``statement of findings``; ``replaces`` names what it replaces
    and ``why`` the reason; ``sha256`` is that of the whole signed file.
    """

    number: str
    revision: int
    kind: str
    system: str
    client: str
    status: str
    decided: str
    issued: str
    expires: str
    next_check: str
    replaces: str
    why: str
    sha256: str
    issued_by: str


@dataclass(frozen=True)
class Change:
    """A change of status, with its reason, actor and moment."""

    status: str
    reason: str
    who: str
    when: str


_COLUMNS = tuple(field.name for field in fields(Entry))
_HEADS = (
    "Number", "Revision", "Kind", "System", "Client", "Status", "Decided", "Issued", "Expires",
    "Next check", "Replaces", "Why it replaces", "SHA-256 of the file", "Issued by",
)  # fmt: skip


class Register:
    """A register file. It is opened for each act alone, so that others may use it in between.

    A paper comes into it in two acts, so that a crash between them loses nothing: its number is
    taken for the case (:meth:`take`, :meth:`reserve`), the case keeps the signed file, and only
    then is it entered (:meth:`enter`), which may be repeated. A number that was taken and never
    signed stays taken.

    Parameters
    ----------
    path : str or pathlib.Path
        The file; made when the first certificate is entered.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    @contextmanager
    def _open(self, *, write: bool = False) -> Iterator[sqlite3.Connection]:
        mode = "rwc" if write else "ro"
        try:
            uri = f"{self.path.resolve().as_uri()}?mode={mode}"
            with closing(sqlite3.connect(uri, uri=True, isolation_level=None, timeout=20)) as db:
                db.execute("PRAGMA trusted_schema = OFF")
                if write:
                    db.execute("PRAGMA synchronous = EXTRA")
                    with transaction(db):
                        self._shape(db)
                else:
                    self._look(db)
                yield db
        except (sqlite3.Error, OSError) as error:
            code = code_of(error)
            code = "case.register.not_one" if code == "case.not_a_case" else code
            raise refused(self.path, code) from error

    def _look(self, db: sqlite3.Connection) -> int:
        """The version of the register, 0 for an empty file; refuses what is none."""
        mark = db.execute("PRAGMA application_id").fetchone()[0]
        found = int(db.execute("PRAGMA user_version").fetchone()[0])
        empty = not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if mark == APPLICATION_ID and found > VERSION:
            raise refused(self.path, "case.newer", found=found, known=VERSION)
        if mark != APPLICATION_ID and not empty:
            raise refused(self.path, "case.register.not_one")
        return 0 if empty else found

    def _shape(self, db: sqlite3.Connection) -> None:
        found = self._look(db)
        if found == VERSION:
            return
        for step in STEPS[found:]:
            for statement in step:
                db.execute(statement)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {VERSION}")

    def next_number(self, *, prefix: str, year: int) -> str:
        """A number that the register has never held, such as ``EAO-2026-0018``."""
        if not self.path.exists():
            return f"{prefix}-{year}-0001"
        with self._open(write=True) as db:
            return _next(db, prefix, year)

    def take(self, *, prefix: str, year: int, holder: str, who: str, when: str) -> str:
        """Take the next number for a case; the same case gets the same one until it is entered.

        Parameters
        ----------
        prefix, year
            The number reads ``EAO-2026-0018``.
        holder : str
            What names the case, the same whenever it is opened.
        who, when : str
        """
        start = f"{prefix}-{year}-"
        with self._open(write=True) as db, transaction(db):
            rows = db.execute(
                "SELECT number FROM taken WHERE holder = ? AND number NOT IN "
                "(SELECT number FROM certificates) ORDER BY number",
                (holder,),
            ).fetchall()
            kept = next((number for (number,) in rows if number.startswith(start)), None)
            number = kept or _next(db, prefix, year)
            if kept is None:
                row = (number, 0, holder, who, when)
                db.execute("INSERT INTO taken VALUES (?, ?, ?, ?, ?)", row)
        return number

    def reserve(self, number: str, revision: int, *, holder: str, who: str, when: str) -> None:
        """Make sure that a number with its revision is this case's, before the paper is signed.

        Raises
        ------
        Refused
            If it is another case's, or was entered already.
        """
        with self._open(write=True) as db, transaction(db):
            self._free(db, number, revision, holder)
            db.execute(
                "INSERT OR IGNORE INTO taken VALUES (?, ?, ?, ?, ?)",
                (number, revision, holder, who, when),
            )

    def _free(self, db: sqlite3.Connection, number: str, revision: int, holder: str) -> None:
        same = _alike(number)
        rows = db.execute("SELECT number, revision, holder FROM taken").fetchall()
        other = any(_alike(n) == same and r == revision and h != holder for n, r, h in rows)
        # A new number must be new; only a revision may come back to an old one.
        rows = db.execute("SELECT number, revision FROM certificates").fetchall()
        older = [(n, r) for n, r in rows if _alike(n) == same]
        if other or any(n != number or revision <= r for n, r in older):
            raise self._no("number", "case.register.taken", number=number, revision=revision)

    def enter(self, entry: Entry, *, who: str, when: str, holder: str = "") -> None:
        """Enter a certificate; the one that it replaces becomes superseded in the same act.

        To enter the same file a second time does nothing, so that a crash can be made good.

        Raises
        ------
        Refused
            If number and revision are taken, the status is unknown, or a revision has no reason.
        """
        self._known(entry.status)
        if (entry.revision > 1 or entry.replaces) and not entry.why.strip():
            raise self._no("why", "case.register.why", number=entry.replaces or entry.number)
        with self._open(write=True) as db, transaction(db):
            same = db.execute(
                "SELECT 1 FROM certificates WHERE number = ? AND revision = ? AND sha256 = ?",
                (entry.number, entry.revision, entry.sha256),
            ).fetchone()
            if same and holder:
                return
            self._free(db, entry.number, entry.revision, holder)
            marks = ", ".join("?" * len(_COLUMNS))
            db.execute(f"INSERT INTO certificates VALUES ({marks})", astuple(entry))
            _note(db, entry.number, entry.revision, entry.status, "issued", who, when)
            for number, revision in self._replaced(db, entry):
                reason = f"replaced by {entry.number}, revision {entry.revision}: {entry.why}"
                _change(db, number, revision, "superseded", reason, who, when)

    @staticmethod
    def _replaced(db: sqlite3.Connection, entry: Entry) -> list[tuple[str, int]]:
        return db.execute(
            "SELECT number, revision FROM certificates WHERE status != 'superseded' AND "
            "((number = ? AND revision < ?) OR (number = ? AND number != ?))",
            (entry.number, entry.revision, entry.replaces, entry.number),
        ).fetchall()

    def set_status(
        self, number: str, revision: int, status: str, *, reason: str, who: str, when: str
    ) -> None:
        """Change a status; the register keeps who did it, when and why.

        Raises
        ------
        Refused
            For an unknown paper or status, one that may not follow (:data:`FOLLOWING`), and
            without a reason.
        """
        self._known(status)
        if not self.path.exists():
            raise self._no("number", "case.register.unknown", number=number)
        with self._open(write=True) as db, transaction(db):
            found = db.execute(
                "SELECT status FROM certificates WHERE number = ? AND revision = ?",
                (number, revision),
            ).fetchone()
            if not found:
                raise self._no("number", "case.register.unknown", number=number)
            if status not in FOLLOWING[found[0]]:
                code = "same" if status == found[0] else "final"
                raise self._no("status", f"case.register.{code}", old=found[0], new=status)
            if not reason.strip():
                raise self._no("reason", "case.register.no_reason", status=status)
            _change(db, number, revision, status, reason, who, when)

    def get(self, number: str, *, today: date | None = None) -> Entry | None:
        """The latest revision under a number, or None."""
        found = [entry for entry in self.search(number, today=today) if entry.number == number]
        return max(found, key=lambda entry: entry.revision, default=None)

    def search(
        self, text: str = "", *, status: str | None = None, today: date | None = None
    ) -> list[Entry]:
        """Entries that hold every word of the text, newest first; accents and case do not count.

        Looked at are number, system, client, kind, status, the signer, and what it replaces. With ``today``, a valid certificate whose expiry has passed reads ``expired``.
        """
        if not self.path.exists():
            return []
        with self._open() as db:
            if not self._look(db):
                return []
            names = ", ".join(_COLUMNS)
            rows = db.execute(
                f"SELECT {names} FROM certificates ORDER BY issued DESC, number DESC, revision DESC"
            ).fetchall()
        entries = [_dated(Entry(*row), today) for row in rows]
        wanted = _plain(text).split()
        return [
            entry
            for entry in entries
            if (status is None or entry.status == status)
            and all(word in _looked_at(entry) for word in wanted)
        ]

    def changes(self, number: str, revision: int) -> list[Change]:
        """Every change of status of a certificate, oldest first."""
        with self._open() as db:
            rows = db.execute(
                "SELECT status, reason, who, moment FROM changes "
                "WHERE number = ? AND revision = ? ORDER BY id",
                (number, revision),
            ).fetchall()
        return [Change(*row) for row in rows]

    def export_csv(self, target: str | Path, *, today: date | None = None) -> Path:
        """Write all entries as a CSV with headings in words; text can never act as a formula."""
        target = Path(target)
        text = io.StringIO(newline="")
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow((*_HEADS, "Status since", "Why this status"))
        for entry in self.search(today=today):
            last = self.changes(entry.number, entry.revision)[-1:]
            since = [part for change in last for part in (change.when[:10], change.reason)]
            writer.writerow([_inert(value) for value in (*astuple(entry), *since)])
        try:
            files.write_whole(target, [b"\xef\xbb\xbf", text.getvalue().encode()])
        except OSError as error:
            raise refused(target, code_of(error)) from error
        return target

    def _known(self, status: str) -> None:
        if status not in STATUSES:
            raise self._no(
                "status",
                "case.register.status",
                status=status or "An empty text",
                known=listed(STATUSES, last="or"),
            )

    def _no(self, place: str, code: str, **fields: object) -> Refused:
        return Refused(Problem(self.path.name, place, say(code, **fields)))


def _next(db: sqlite3.Connection, prefix: str, year: int) -> str:
    start = f"{prefix}-{year}-"
    rows = db.execute("SELECT number FROM certificates UNION SELECT number FROM taken").fetchall()
    plain = [_alike(number) for (number,) in rows]
    begins = _alike(start)
    used = [
        int(number.removeprefix(begins))
        for number in plain
        if number.startswith(begins) and number.removeprefix(begins).isdecimal()
    ]
    return f"{start}{max(used, default=0) + 1:04d}"


def _plain(text: str) -> str:
    """A text as it is searched: without case and accents.

    Examples
    --------
    >>> _plain("Größe Ελλάδα")
    'grosse ελλαδα'
    """
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in parts if not unicodedata.combining(char))


def _alike(number: str) -> str:
    """A number for comparing: one that a person could take for another is the same.

    Examples
    --------
    >>> _alike("eao-2026-0001 ") == _alike("EAO-2026-0001")
    True
    """
    return "".join(_plain(number).split())


def _looked_at(entry: Entry) -> str:
    parts = (entry.number, entry.system, entry.client, entry.kind, entry.status, entry.issued_by,
             entry.replaces)  # fmt: skip
    return _plain("\n".join(parts))


def _dated(entry: Entry, today: date | None) -> Entry:
    past = today is not None and entry.expires and date.fromisoformat(entry.expires) < today
    if entry.status == "valid" and past:
        return replace(entry, status="expired")
    return entry


def _change(
    db: sqlite3.Connection,
    number: str,
    revision: int,
    status: str,
    reason: str,
    who: str,
    when: str,
) -> None:
    db.execute(
        "UPDATE certificates SET status = ? WHERE number = ? AND revision = ?",
        (status, number, revision),
    )
    _note(db, number, revision, status, reason, who, when)


def _note(
    db: sqlite3.Connection,
    number: str,
    revision: int,
    status: str,
    reason: str,
    who: str,
    when: str,
) -> None:
    db.execute(
        "INSERT INTO changes (number, revision, status, reason, who, moment) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        (number, revision, status, reason, who, when),
    )


def _inert(value: object) -> object:
    """A cell that no spreadsheet runs: a leading sign of a formula gets an apostrophe."""
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return f"'{value}"
    return value
