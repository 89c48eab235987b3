"""Is a case whole? What is damaged is named, and everything else can be salvaged."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.base.canonical import canonical_json
from engine.base.watch import Watch
from engine.messages import say
from engine.procedure.acts import Act

from . import files, migrations, opening, trail
from .blobs import Blobs, Damaged
from .refusals import refused, worded
from .store import Case
from .trail import Break


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with a case: ``kind`` (``pages``, ``trail``, ``state``, ``bytes``,
    ``draft``, ``witness``), where, and the sentence."""

    kind: str
    place: str
    text: str


@dataclass(frozen=True)
class Report:
    """What a check found. ``head`` is the hash of the last sound event, ``events`` their number,
    ``blobs`` the number of files whose bytes are sound."""

    faults: tuple[Fault, ...]
    events: int
    blobs: int
    head: str

    @property
    def whole(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


def check(case: Case, *, witness: str | None = None, watch: Watch | None = None) -> Report:
    """Check pages, trail, state, half-filled pages, and every kept byte of a case.

    Parameters
    ----------
    case : Case
    witness : str, optional
        A head hash from a printed certificate: the trail must hold it. Only this shows a trail
        that somebody rewrote from the start with all its hashes.
    watch : Watch, optional
    """
    return _check(case.connection, witness=witness, watch=watch or Watch())


def check_file(
    path: str | Path, *, witness: str | None = None, watch: Watch | None = None
) -> Report:
    """Check a case that may be too damaged to be opened; it is only read."""
    path = Path(path)
    opening.look(path)
    with worded(path), closing(_read_only(path)) as db:
        with suppress(sqlite3.Error):
            found, known = int(db.execute("PRAGMA user_version").fetchone()[0]), migrations.newest()
            if known < found < 1000:  # a larger number is damage, which the check names
                raise refused(path, "case.newer", found=found, known=known)
        return _check(db, witness=witness, watch=watch or Watch())


def _read_only(path: Path) -> sqlite3.Connection:
    uri = f"{path.resolve().as_uri()}?mode=ro"
    db = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    db.text_factory = opening.whole_text
    return db


def _check(db: sqlite3.Connection, *, witness: str | None, watch: Watch) -> Report:
    faults: list[Fault] = []
    faults += _pages(db)
    events, head, seen, state = _trail(db, faults)
    if witness is not None and witness not in seen:
        faults.append(Fault("witness", "trail", say("case.fault.witness", head=witness)))
    names = file_names(state)
    blobs = _bytes(db, names, faults, watch)
    faults += _drafts(db)
    return Report(tuple(faults), events, blobs, head)


def _pages(db: sqlite3.Connection) -> Iterator[Fault]:
    try:
        for (line,) in db.execute("PRAGMA quick_check(5)").fetchall():
            if line != "ok":
                # One line each: the tool lists several under one heading.
                what = " ".join(str(line).split())
                yield Fault("pages", "file", say("case.fault.pages", what=what))
        application = db.execute("PRAGMA application_id").fetchone()[0]
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if application != migrations.APPLICATION_ID or not 1 <= version <= migrations.newest():
            what = "its mark as a case"
            yield Fault("pages", "header", say("case.fault.pages", what=what))
        for name in migrations.foreign(db):
            what = f'the table or trigger "{name}" was changed'
            yield Fault("pages", "schema", say("case.fault.pages", what=what))
    except sqlite3.Error as error:
        yield Fault("pages", "file", say("case.fault.pages", what=error))


def _trail(
    db: sqlite3.Connection, faults: list[Fault]
) -> tuple[int, str, set[str], Mapping[str, Any]]:
    """Check chain and state; events, head, all hashes, and the best state there is."""
    seen: set[str] = set()
    with suppress(sqlite3.Error):
        seen = {entry.hash for entry in trail.read(db) if not isinstance(entry, Break)}
    try:
        found = opening.replay(db)
        stored = db.execute("SELECT state, state_sha256 FROM head").fetchone()
    except sqlite3.Error as error:
        faults.append(Fault("trail", "trail", say("case.fault.unread", what="trail", why=error)))
        return len(seen), trail.START, seen, _stored_state(db)
    if found.damage:
        faults.append(Fault("trail", f"entry {found.seq + 1}", found.damage))
    elif stored is None or (
        opening.stamp(stored[0]) != stored[1] or stored[0] != canonical_json(found.history.state)
    ):
        faults.append(Fault("state", "head", say("case.fault.state")))
    return found.seq, found.hash, seen, found.history.state


def _stored_state(db: sqlite3.Connection) -> Mapping[str, Any]:
    """The last stored state, where it is sound; an empty one else."""
    with suppress(sqlite3.Error):
        row = db.execute("SELECT state, state_sha256 FROM head").fetchone()
        if row is not None and opening.stamp(row[0]) == row[1]:
            found = json.loads(row[0])
            assert isinstance(found, dict)
            return found
    return {}


def file_names(state: Mapping[str, Any]) -> dict[str, str]:
    """Fingerprint to name of every file that a state speaks of."""
    names = {item["sha256"]: item["name"] for item in state.get("items", [])}
    for name, sha256 in ((state.get("result") or {}).get("files") or {}).items():
        names.setdefault(sha256, name)
    last = (state.get("before") or {}).get("result_sha256")
    if last:
        names.setdefault(last, "last-audit-result.json")
    for certificate in [state.get("certificate"), *state.get("earlier", [])]:
        if certificate and certificate.get("sha256"):
            number = certificate.get("number") or "certificate"
            names.setdefault(certificate["sha256"], f"{number}.pdf")
    return names


def _bytes(
    db: sqlite3.Connection, names: Mapping[str, str], faults: list[Fault], watch: Watch
) -> int:
    blobs = Blobs(db, threading.RLock())
    try:
        known = blobs.known()
    except sqlite3.Error as error:
        faults.append(Fault("bytes", "files", say("case.fault.unread", what="files", why=error)))
        return 0
    sound = 0
    for done, (sha256, _) in enumerate(known):
        name = names.get(sha256, "an earlier file")
        watch.say(f"Checking {name}", done=done, total=len(known))
        if is_sound(blobs, sha256, watch):
            sound += 1
        else:
            text = say("case.fault.blob", name=name, sha256=f"{sha256[:12]}…")
            faults.append(Fault("bytes", name, text))
    there = {sha256 for sha256, _ in known}
    for sha256, name in names.items():
        if sha256 not in there:
            text = say("case.fault.missing", name=name, sha256=f"{sha256[:12]}…")
            faults.append(Fault("bytes", name, text))
    return sound


def is_sound(blobs: Blobs, sha256: str, watch: Watch) -> bool:
    """Whether kept bytes can be read and have their fingerprint."""
    try:
        for _ in blobs.stream(sha256):
            watch.check()
    except (Damaged, KeyError, TypeError, sqlite3.Error):
        return False
    return True


def _drafts(db: sqlite3.Connection) -> Iterator[Fault]:
    try:
        for page, fields, sha256 in db.execute("SELECT page, fields, sha256 FROM drafts"):
            if opening.draft_stamp(page, fields) != sha256:
                yield Fault("draft", str(page), say("case.fault.draft", page=page))
    except sqlite3.Error as error:
        text = say("case.fault.unread", what="half-filled pages", why=error)
        yield Fault("draft", "drafts", text)


def salvage(
    path: str | Path,
    target: str | Path,
    *,
    who: str,
    when: str,
    watch: Watch | None = None,
) -> Report:
    """Make a sound case of all that can be read of a damaged one, which is left as it is.

    The new trail begins anew and says first what was salvaged; the old events that are intact
    follow in one note each, then the last state, whose files are those with sound bytes.

    Returns
    -------
    Report
        What was wrong with the damaged case.

    Raises
    ------
    Refused
        If the target is there already, or nothing at all can be read.
    """
    path, target, watch = Path(path), Path(target), watch or Watch()
    opening.look(path)
    with worded(path), closing(_read_only(path)) as db:
        report = _check(db, witness=None, watch=watch.part(0.0, 0.4))
        state = _best_state(db)
        if state is None:
            raise refused(path, "case.damaged")
        old = Blobs(db, threading.RLock())
        fresh = target.with_name(f".{target.name}.salvage")
        fresh.unlink(missing_ok=True)
        if target.exists():
            raise refused(target, "case.exists")
        try:
            with Case.create(fresh, who=who, when=when) as case:
                names = file_names(state)
                lost = [
                    name
                    for sha256, name in names.items()
                    if not _carry(old, case, sha256, name, watch)
                ]
                words = say(
                    "case.salvaged",
                    name=path.name,
                    events=report.events,
                    blobs=len(names) - len(lost),
                    lost=len(lost),
                )
                told = {
                    "head": report.head,
                    "lost": lost,
                    "faults": [f.text for f in report.faults],
                }
                case.do(Act("note", (), told, words, who, when))
                for body in _bodies(db):
                    case.do(Act("note", (), body, body["words"], body["who"], body["when"]))
                case.do(Act("restore", (), state, say("case.restored"), who, when))
            files.settle(fresh, target)
        finally:
            fresh.unlink(missing_ok=True)
    return report


def _best_state(db: sqlite3.Connection) -> dict[str, Any] | None:
    """The state as the trail gives it, else as it was stored; None where neither can be read."""
    with suppress(sqlite3.Error):
        return opening.replay(db).history.state
    return dict(_stored_state(db)) or None


def _bodies(db: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    with suppress(sqlite3.Error):
        for entry in trail.read(db):
            if not isinstance(entry, Break):
                yield dict(entry.body)


def _carry(old: Blobs, case: Case, sha256: str, name: str, watch: Watch) -> bool:
    """Take sound bytes over into the new case; says whether they were sound."""
    if not is_sound(old, sha256, watch):
        return False
    case.add_pieces(old.stream(sha256), name, watch)
    return True
