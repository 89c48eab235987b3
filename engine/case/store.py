"""The case: one SQLite file, one commit an act, so that saving and recovery are one mechanism."""

from __future__ import annotations

import io
import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import IO, Any

from engine.base.canonical import canonical_json
from engine.base.watch import Watch
from engine.intake.model import Received
from engine.messages import say
from engine.procedure import acts
from engine.procedure.acts import Act
from engine.procedure.history import History
from engine.procedure.state import new_state

from . import files, migrations, opening, trail
from .blobs import Blobs, Damaged, pieces_of, transaction
from .lock import Held, Lock
from .refusals import refused, worded
from .trail import Event


class Case:
    """One audit in one file. Make it with :meth:`create` or :meth:`open`, never directly.

    All writing happens in short transactions under a lock, so :meth:`add_bytes` may run in a job
    while the window's thread goes on recording acts.

    Attributes
    ----------
    path : pathlib.Path
    read_only : bool
    read_only_why : str
        A sentence for the notice bar; empty where the case can be changed.
    damage : str
        Empty, or what is wrong with the trail: the case then opens to read only, with the state
        that could be saved. :func:`engine.case.check.salvage` makes a sound case of it.
    """

    def __init__(self, path: Path, db: sqlite3.Connection, lock: Lock | None, why: str) -> None:
        self.path = path
        self.read_only = bool(why)
        self.read_only_why = why
        self.damage = ""
        self._db = db
        self._lock = lock
        self._guard = threading.RLock()
        self._blobs = Blobs(db, self._guard)
        self._history = History()
        self._drafts: dict[str, Any] = {}
        self._seq = 0
        self._hash = trail.START
        self._closed = False

    # Opening -----------------------------------------------------------------------------------

    @classmethod
    def create(cls, path: str | Path, *, who: str, when: str) -> Case:
        """Make a new, empty case; it appears under its name only when it is whole.

        Raises
        ------
        Refused
            If the file is there already, or the folder is missing or cannot be written.
        """
        path = Path(path)
        if path.exists():
            raise refused(path, "case.exists")
        if not path.parent.is_dir():
            raise refused(path, "case.no_folder", folder=path.parent.name)
        with worded(path):
            lock = cls._take(path, who)
            fresh = path.with_name(f".{path.name}.new")
            try:
                fresh.unlink(missing_ok=True)
                with closing(sqlite3.connect(fresh, isolation_level=None)) as db:
                    db.execute("PRAGMA page_size = 8192")
                    opening.prepare(db)
                    db.execute("BEGIN IMMEDIATE")
                    migrations.upgrade(db, found=0)
                    body = {"kind": "create", "words": "began the case", "who": who, "when": when}
                    opening.write_event(
                        db, seq=1, previous=trail.START, body=body, state=new_state()
                    )
                    db.execute("COMMIT")
                files.settle(fresh, path)
            except BaseException:
                with suppress(OSError):
                    fresh.unlink(missing_ok=True)
                lock.release()
                raise
            lock.release()
        return cls.open(path, who=who)

    @staticmethod
    def _take(path: Path, who: str) -> Lock:
        try:
            return Lock(path, by=who)
        except Held as held:
            raise refused(path, "case.other_window", whom=opening.by(held.by)) from held

    @classmethod
    def open(cls, path: str | Path, *, read_only: bool = False, who: str = "") -> Case:
        """Open a case; one that another window or program holds opens to read only.

        Parameters
        ----------
        path : str or pathlib.Path
        read_only : bool
            Open to read even if it could be changed.
        who : str
            Who opens it, for the notice in a second window.

        Raises
        ------
        Refused
            If it is no case, of a newer version, or too damaged to be read.
        """
        path = Path(path)
        opening.look(path)
        lock, why = (None, say("case.asked")) if read_only else opening.try_lock(path, who)
        db: sqlite3.Connection | None = None
        try:
            with worded(path):
                mode = "ro" if why else "rw"
                uri = f"{path.resolve().as_uri()}?mode={mode}"
                db = sqlite3.connect(
                    uri, uri=True, isolation_level=None, check_same_thread=False, timeout=10
                )
                opening.prepare(db)
                db = opening.current_form(db, path, may_write=not why)
                case = cls(path, db, lock, why)
                case._load()
                if not case.read_only:
                    case._blobs.sweep()
                return case
        except BaseException:
            if db is not None:
                db.close()
            if lock is not None:
                lock.release()
            raise

    def _load(self) -> None:
        """Read the case; with a broken trail it is read only, in the state that could be saved."""
        found = opening.replay(self._db)
        self._history, self._seq, self._hash = found.history, found.seq, found.hash
        self._drafts = opening.read_drafts(self._db)
        self.damage = found.damage
        if found.damage:
            self.read_only = True
            self.read_only_why = f"{found.damage} {say('case.mend')}"

    def refresh(self) -> None:
        """Read again what another window has written since (for a case open to read only)."""
        self._usable()
        with self._guard, worded(self.path):
            self._load()

    # Acts --------------------------------------------------------------------------------------

    @property
    def state(self) -> dict[str, Any]:
        """The state document (:func:`engine.procedure.state.new_state`); never change it in place."""
        return {**self._history.state, "drafts": self._drafts}

    def do(self, act: Act | None) -> dict[str, Any]:
        """Carry out an act, commit it, and return the new state; None (nothing to record) is let be.

        Raises
        ------
        Refused
            If the act is not possible, the case is read only, or the disk refuses; the case is
            then as it was before.
        """
        self._writable()
        if act is None:
            return self.state
        with self._guard, worded(self.path):
            if act.kind == acts.DRAFT:
                self._keep_draft(act)
            else:
                body = {
                    "kind": "act",
                    "words": act.words,
                    "who": act.who,
                    "when": act.when,
                    "act": act.as_json(),
                }
                self._commit(body)
        return self.state

    def undo(self, *, who: str, when: str) -> dict[str, Any]:
        """Take back the last choice. The trail keeps it, and that it was taken back."""
        return self._turn("undo", self._history.undo_words, who, when)

    def redo(self, *, who: str, when: str) -> dict[str, Any]:
        """Put back the choice that was undone last."""
        return self._turn("redo", self._history.redo_words, who, when)

    def _turn(self, kind: str, words: str | None, who: str, when: str) -> dict[str, Any]:
        self._writable()
        with self._guard, worded(self.path):
            self._commit({"kind": kind, "words": words or "", "who": who, "when": when})
        return self.state

    @property
    def can_undo(self) -> str | None:
        """``Undo: chose age and sex``, or None where there is nothing to undo."""
        words = None if self.read_only else self._history.undo_words
        return None if words is None else f"Undo: {words}"

    @property
    def can_redo(self) -> str | None:
        """``Redo: chose age and sex``, or None where there is nothing to redo."""
        words = None if self.read_only else self._history.redo_words
        return None if words is None else f"Redo: {words}"

    def _commit(self, body: Mapping[str, Any]) -> None:
        mark = self._history.mark()
        seq = self._seq + 1
        try:
            opening.perform_body(self._history, body)
            with transaction(self._db):
                found = opening.write_event(
                    self._db, seq=seq, previous=self._hash, body=body, state=self._history.state
                )
        except BaseException:
            self._history.back_to(mark)
            raise
        self._seq, self._hash = seq, found

    def _keep_draft(self, act: Act) -> None:
        page = str(act.path[0])
        fields = canonical_json(act.value)
        with transaction(self._db):
            if act.value is None:
                self._db.execute("DELETE FROM drafts WHERE page = ?", (page,))
            else:
                row = (page, fields, opening.draft_stamp(page, fields))
                self._db.execute("INSERT OR REPLACE INTO drafts VALUES (?, ?, ?)", row)
        drafts = {key: value for key, value in self._drafts.items() if key != page}
        self._drafts = drafts if act.value is None else {**drafts, page: act.value}

    # Bytes -------------------------------------------------------------------------------------

    def add_bytes(
        self, stream: IO[bytes], name: str, watch: Watch | None = None, *, size: int | None = None
    ) -> Received:
        """Keep all bytes of a stream as they come; may run in a job beside the window.

        Parameters
        ----------
        stream : binary file
            Read once, in pieces of 1 MiB; memory does not grow with its size.
        name : str
            File name without its folder.
        watch : Watch, optional
            Progress and Cancel; after Cancel the case is as it was before.
        size : int, optional
            Bytes to come, for the progress bar.

        Returns
        -------
        Received
            Name, number of bytes and SHA-256. Enter it with :func:`engine.procedure.acts.add_item`.
        """
        return self.add_pieces(pieces_of(stream), name, watch, size=size)

    def add_pieces(
        self,
        pieces: Iterable[bytes],
        name: str,
        watch: Watch | None = None,
        *,
        size: int | None = None,
    ) -> Received:
        """Keep bytes that come in pieces of at most 1 MiB, see :meth:`add_bytes`."""
        self._writable()
        with worded(self.path, place=name):
            sha256, total = self._blobs.add(pieces, name=name, size=size, watch=watch or Watch())
        return Received(name=name, bytes=total, sha256=sha256)

    def add_file(self, path: str | Path, watch: Watch | None = None) -> Received:
        """Keep the bytes of a file on disk, see :meth:`add_bytes`."""
        path = Path(path)
        with worded(path):
            stream = path.open("rb")
        with stream:
            return self.add_bytes(stream, path.name, watch, size=path.stat().st_size)

    def has(self, sha256: str) -> bool:
        """Whether the case keeps these bytes."""
        self._usable()
        with worded(self.path):
            return self._blobs.find(sha256) is not None

    def stream(self, sha256: str, *, name: str = "") -> Iterator[bytes]:
        """The kept bytes in pieces, checked against their fingerprint.

        Raises
        ------
        Refused
            If the case does not hold them, or they are damaged.
        """
        self._usable()
        shown = f"{sha256[:12]}…"
        try:
            yield from self._blobs.stream(sha256)
        except KeyError:
            raise refused(self.path, "case.no_bytes", place=name, sha256=shown) from None
        except (Damaged, sqlite3.Error):
            raise refused(
                self.path, "case.bytes_damaged", name=name or "a file", sha256=shown
            ) from None

    def read(self, sha256: str, *, name: str = "") -> bytes:
        """All kept bytes at once, for small files."""
        return b"".join(self.stream(sha256, name=name))

    def extract(
        self, sha256: str, folder: str | Path, name: str, watch: Watch | None = None
    ) -> Path:
        """Write the original into a folder, bit for bit; the file appears only when it is whole."""
        target = Path(folder) / Path(name).name
        pieces = self.stream(sha256, name=name)
        if watch is not None:
            found = self._blobs.find(sha256)
            pieces = files.watched(pieces, found[1] if found else 0, target.name, watch)
        with worded(target):
            files.write_whole(target, pieces)
        return target

    def extract_beginning(self, sha256: str, folder: str | Path, name: str, size: int) -> Path:
        """Write the first bytes of an original into a folder, for a look at them; not checked."""
        target = Path(folder) / Path(name).name
        with worded(target):
            files.write_whole(target, files.beginning(self.stream(sha256, name=name), size))
        return target

    # Results -----------------------------------------------------------------------------------

    def put_result(
        self,
        *,
        result: Mapping[str, Any] | bytes,
        tables: Mapping[str, bytes] | None = None,
        plan_sha256: str,
        basis_sha256: str,
        who: str,
        when: str,
    ) -> dict[str, Any]:
        """Keep a run: result.json and its further files (``tables/peers.csv`` -> bytes).

        ``basis_sha256`` is :func:`engine.procedure.basis.run_basis` of the state from which the
        run began: a choice made while it ran leaves the result out of date.
        """
        raw = result if isinstance(result, bytes) else canonical_json(result).encode()
        kept = {"result.json": raw, **(tables or {})}
        shas = {name: self.put_file(name, data) for name, data in kept.items()}
        act = acts.store_result(
            plan_sha256=plan_sha256,
            result_sha256=shas["result.json"],
            basis_sha256=basis_sha256,
            files=shas,
            who=who,
            when=when,
        )
        return self.do(act)

    def put_file(self, name: str, data: bytes) -> str:
        """Keep bytes made here (a table, a certificate) and return their SHA-256."""
        return self.add_bytes(io.BytesIO(data), name).sha256

    def get_result(self) -> dict[str, Any] | None:
        """result.json of the last run, or None."""
        result = self._history.state["result"]
        if result is None:
            return None
        found = json.loads(self.read(result["result_sha256"], name="result.json"))
        assert isinstance(found, dict)
        return found

    def result_file(self, name: str) -> bytes | None:
        """A further file of the last run by its name (``tables/peers.csv``), or None."""
        result = self._history.state["result"]
        sha256 = (result or {}).get("files", {}).get(name)
        return None if sha256 is None else self.read(sha256, name=name)

    # The trail ---------------------------------------------------------------------------------

    def trail(self) -> list[Event]:
        """Every event up to the first break (:meth:`check` names it), oldest first."""
        self._usable()
        with self._guard, worded(self.path):
            return [entry for entry in trail.read(self._db) if isinstance(entry, Event)]

    def head(self) -> str:
        """Hash of the last event: printed on a certificate, it makes the paper the witness."""
        return self._hash

    # Closing and copying -----------------------------------------------------------------------

    def save_copy(self, target: str | Path, watch: Watch | None = None) -> Path:
        """Write a whole copy under another name; it appears there only when it is safe on disk."""
        self._usable()
        target = Path(target)
        if target.exists() and target.samefile(self.path):
            raise refused(target, "case.same_file")
        with worded(target):
            files.copy_database(self._db, target, watch or Watch())
        return target

    def close(self) -> None:
        """Close the file and let others write; a second call does nothing."""
        if self._closed:
            return
        self._closed = True
        with self._guard:
            self._db.close()
            if self._lock is not None:
                self._lock.release()

    def __enter__(self) -> Case:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def connection(self) -> sqlite3.Connection:
        """The open database, for :mod:`engine.case.check`; reading only."""
        self._usable()
        return self._db

    def _usable(self) -> None:
        if self._closed:
            raise refused(self.path, "case.closed")

    def _writable(self) -> None:
        self._usable()
        if self.read_only:
            raise refused(self.path, "case.read_only", why=self.read_only_why)
