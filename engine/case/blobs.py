"""Received bytes, kept verbatim: in compressed pieces, under their SHA-256, never whole in memory."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
import zlib
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from typing import IO

from engine.base.watch import Watch

PIECE = 1 << 20
"""Bytes of the original in one row."""
BATCH = 8
"""Pieces written in one transaction: short enough that the window's own acts hardly wait."""


class Damaged(Exception):
    """Kept bytes do not give what their fingerprint says."""


def _pack(piece: bytes) -> tuple[str, bytes]:
    packed = zlib.compress(piece, 1)
    return ("zlib", packed) if len(packed) < len(piece) else ("none", piece)


def _unpack(coding: str, data: bytes) -> bytes:
    if coding == "none":
        return data
    if coding != "zlib":
        raise Damaged
    # Bounded: a case from a stranger may hold a piece that unpacks to far more than a piece.
    unpacker = zlib.decompressobj()
    try:
        piece = unpacker.decompress(data, PIECE + 1)
    except zlib.error as error:
        raise Damaged from error
    if not unpacker.eof or len(piece) > PIECE:
        raise Damaged
    return piece


def pieces_of(stream: IO[bytes]) -> Iterator[bytes]:
    """A stream in pieces of :data:`PIECE` bytes, however little one read gives."""
    while piece := stream.read(PIECE):
        while len(piece) < PIECE and (more := stream.read(PIECE - len(piece))):
            piece += more
        yield piece


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Everything inside is committed, or nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


class Blobs:
    """The bytes of one case.

    Parameters
    ----------
    db : sqlite3.Connection
    guard : threading.RLock
        Held for each short transaction, so that other threads may write in between.
    """

    def __init__(self, db: sqlite3.Connection, guard: threading.RLock) -> None:
        self._db = db
        self._guard: AbstractContextManager[object] = guard

    def add(
        self, pieces: Iterable[bytes], *, name: str, size: int | None, watch: Watch
    ) -> tuple[str, int]:
        """Keep all bytes, given in pieces of at most :data:`PIECE`, and return their SHA-256 and number.

        Pieces go in under a number without a fingerprint; the last transaction gives it one. What
        was cut off on the way is thus never taken for a whole file, and is swept at next opening.
        """
        with self._guard, transaction(self._db):
            blob = self._db.execute("INSERT INTO blobs (sha256, bytes) VALUES (NULL, 0)").lastrowid
        assert blob is not None
        try:
            sha256, total = self._pour(pieces, blob, name, size, watch)
            with self._guard, transaction(self._db):
                if self.find(sha256) is None:
                    self._db.execute(
                        "UPDATE blobs SET sha256 = ?, bytes = ? WHERE id = ?", (sha256, total, blob)
                    )
                else:
                    self._drop(blob)
            return sha256, total
        except BaseException:
            self._forget(blob)
            raise

    def _pour(
        self, pieces: Iterable[bytes], blob: int, name: str, size: int | None, watch: Watch
    ) -> tuple[str, int]:
        digest = hashlib.sha256()
        total = 0
        part = 0
        waiting: deque[Future[tuple[str, bytes]]] = deque()
        source = iter(pieces)
        with ThreadPoolExecutor(max_workers=2) as pool:
            while True:
                batch = list(islice(source, BATCH))
                for piece in batch:
                    waiting.append(pool.submit(_pack, piece))
                    digest.update(piece)
                    total += len(piece)
                # One batch stays with the packers while the one before it is written.
                ready = len(waiting) - len(batch) if batch else len(waiting)
                rows = [(blob, part + n, *waiting.popleft().result()) for n in range(ready)]
                part += ready
                if rows:
                    with self._guard, transaction(self._db):
                        self._db.executemany("INSERT INTO chunks VALUES (?, ?, ?, ?)", rows)
                watch.say(f"Keeping {name} as it came", fraction=total / size if size else None)
                if not batch:
                    return digest.hexdigest(), total

    def _drop(self, blob: int) -> None:
        self._db.execute("DELETE FROM chunks WHERE blob = ?", (blob,))
        self._db.execute("DELETE FROM blobs WHERE id = ?", (blob,))

    def _forget(self, blob: int) -> None:
        # On a full disk even this may fail; the next opening sweeps.
        try:
            with self._guard, transaction(self._db):
                self._drop(blob)
        except sqlite3.Error:
            return

    def sweep(self) -> None:
        """Remove what a process that died left half received."""
        with self._guard, transaction(self._db):
            rows = self._db.execute("SELECT id FROM blobs WHERE sha256 IS NULL").fetchall()
            for (blob,) in rows:
                self._drop(blob)

    def find(self, sha256: str) -> tuple[int, int] | None:
        """Number and size of a whole blob, or None."""
        with self._guard:
            row = self._db.execute(
                "SELECT id, bytes FROM blobs WHERE sha256 = ?", (sha256,)
            ).fetchone()
        return None if row is None else (int(row[0]), int(row[1]))

    def known(self) -> list[tuple[str, int]]:
        """Fingerprint and size of every whole blob."""
        with self._guard:
            return self._db.execute(
                "SELECT sha256, bytes FROM blobs WHERE sha256 IS NOT NULL ORDER BY sha256"
            ).fetchall()

    def stream(self, sha256: str) -> Iterator[bytes]:
        """The original bytes in pieces, checked; the check ends with the last piece.

        Raises
        ------
        KeyError
            If the case does not hold them.
        Damaged
            If a piece cannot be read or the whole does not have its fingerprint.
        """
        found = self.find(sha256)
        if found is None:
            raise KeyError(sha256)
        blob, size = found
        digest = hashlib.sha256()
        total = 0
        part = 0
        while total < size:
            with self._guard:
                row = self._db.execute(
                    "SELECT coding, data FROM chunks WHERE blob = ? AND part = ?", (blob, part)
                ).fetchone()
            if row is None:
                raise Damaged
            piece = _unpack(*row)
            digest.update(piece)
            total += len(piece)
            part += 1
            yield piece
        if total != size or digest.hexdigest() != sha256:
            raise Damaged
