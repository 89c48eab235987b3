"""Which kind of file it is, by its content first and its name second; unpacking .gz and .zip."""

from __future__ import annotations

import gzip
import os
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from engine.base.nearest import mend
from engine.base.problems import Problem, Refused
from engine.base.scratch import PREFIX
from engine.base.watch import Watch
from engine.messages import say

FORMATS = ("csv", "xlsx", "xls", "ods", "parquet", "json", "sav", "sas7bdat", "xpt", "dta")
"""What a plan may name as ``format``; ``tsv`` and ``txt`` are read as ``csv``, ``jsonl`` as ``json``."""
_ALIASES = {"tsv": "csv", "txt": "csv", "data": "csv", "jsonl": "json", "ndjson": "json", "zsav": "sav", "xlsm": "xlsx", "pq": "parquet"}  # fmt: skip
LARGEST_UNPACKED = 64 * 2**30
"""Bytes that a packed file may unfold to."""
LARGEST_RATIO = 250
"""How many times its packed size a file may unfold to; text of real data stays below 100."""
_FREE_OF_RATIO = 64 * 2**20
"""Below this size unpacked, the ratio does not matter: it does no harm."""
_CHUNK = 2**20
_ZIP_MAGIC = b"PK\x03\x04"
_GZ_MAGIC = b"\x1f\x8b"
_OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_SAS_MAGIC = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")


@dataclass(frozen=True)
class Opened:
    """A file ready for reading: where its plain bytes lie, its kind, and how it was packed.

    ``name`` is the received file's name for refusals; ``cut`` is true where only the beginning
    was unpacked (for a preview).
    """

    path: Path
    name: str
    kind: str
    packed: str | None = None
    cut: bool = False


def refuse(name: str, code: str, *, place: str = "", **fields: object) -> Refused:
    """Make the refusal of a file, from its message code."""
    return Refused(Problem(name, place, say(f"intake.{code}", name=name, **fields)))


@contextmanager
def workshop() -> Iterator[Path]:
    """Give a private temporary folder that is gone afterwards."""
    with TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def locate(*, path: str, base: Path) -> Path:
    """Find a received file; a relative path counts from the plan's folder.

    Raises
    ------
    Refused
        Where there is no such file (names near to it are offered), a folder, an empty file or
        one that may not be read.
    """
    try:
        full = base / path
        if full.is_dir():
            raise refuse(full.name or path, "folder")
        if not full.is_file():
            raise _missing(full, path)
        with full.open("rb") as file:
            if not file.read(1):
                raise refuse(full.name, "empty")
    except (OSError, ValueError) as fault:  # ValueError: a NUL in the name
        raise refuse(Path(path.replace("\0", "")).name, "unreadable", why=_why(fault)) from fault
    return full


def _why(fault: BaseException) -> str:
    return (getattr(fault, "strerror", None) or str(fault) or type(fault).__name__).lower()


def _missing(full: Path, path: str) -> Refused:
    name = full.name or path
    if not full.parent.is_dir():
        return refuse(name, "no_folder", folder=full.parent.name)
    others = sorted(entry.name for entry in full.parent.iterdir() if entry.is_file())
    return refuse(name, "no_file", mend=mend(name, others, otherwise="the folder holds"))


def open_file(
    *, path: Path, folder: Path, named: str | None, watch: Watch, first: int | None = None
) -> Opened:
    """Tell a file's kind, unpacking it into ``folder`` first where it is packed.

    Parameters
    ----------
    path : Path
        The received file.
    folder : Path
        A private folder for what is unpacked.
    named : str or None
        The format that the plan names; None to go by content.
    watch : Watch
    first : int or None
        Unpack at most this many bytes (for a preview); None for all.

    Raises
    ------
    Refused
        For an unknown format, an encrypted workbook, an archive with several files or one that
        unfolds beyond all measure.
    """
    if named is not None:
        named = named.lower().lstrip(".")
        named = _ALIASES.get(named, named)
        if named not in FORMATS:
            raise refuse(path.name, "unknown_format", named=named, mend=mend(named, FORMATS))
    packed, name, cut = None, path.name, False
    inner = path
    for _ in range(2):  # a .zip with a .csv.gz in it, and no deeper
        head = _head(inner)
        if head.startswith(_GZ_MAGIC):
            packed, (inner, cut) = "gz", _ungzip(path=inner, folder=folder, name=name, watch=watch, first=first)  # fmt: skip
        elif head.startswith((_ZIP_MAGIC, b"PK\x05\x06")) and _book(inner, path.name) is None:
            packed, (inner, cut) = "zip", _unzip(path=inner, folder=folder, name=name, watch=watch, first=first)  # fmt: skip
        else:
            break
    head = _head(inner)
    if not head:
        raise refuse(name, "empty")
    kind = named or kind_of(path=inner, head=head, name=name)
    return Opened(path=inner, name=name, kind=kind, packed=packed, cut=cut)


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(4096)


def kind_of(*, path: Path, head: bytes, name: str) -> str:
    """Tell a plain file's kind from its first bytes, ``csv`` where it is text of any sort."""
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(b"PARE"):
        raise refuse(name, "encrypted")
    if head.startswith(_ZIP_MAGIC):
        return _book(path, name) or "csv"
    if head.startswith(_OLE_MAGIC):
        return _old_book(path=path, name=name)
    if head.startswith((b"$FL2", b"$FL3")):
        return "sav"
    if head.startswith(_SAS_MAGIC):
        return "sas7bdat"
    if head.startswith(b"HEADER RECORD*******LIB"):
        return "xpt"
    if head.startswith(b"<stata_dta>") or _old_stata(head):
        return "dta"
    for magic, what in _OTHERS.items():
        if head.startswith(magic):
            raise refuse(name, "other_kind", what=what)
    plain = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if plain.startswith(b"{") or re.match(rb"\[\s*(\{|$|\])", plain):
        return "json"
    return "csv"


_OTHERS = {
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"SQLite format 3": "a database",
    b"\x7fELF": "a program",
    b"MZ\x90": "a program",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
    b"Rar!": "a RAR archive",
    b"\xfd7zXZ": "an xz archive",
    b"BZh9": "a bzip2 archive",
    b"\x28\xb5\x2f\xfd": "a zstd archive",
    b"ARROW1": "an Arrow file",
    b"\x93NUMPY": "a NumPy array",
    b"\x80\x02": "a pickle, which can run code",
    b"\x80\x03": "a pickle, which can run code",
    b"\x80\x04": "a pickle, which can run code",
    b"\x80\x05": "a pickle, which can run code",
    b"{\\rtf": "a text document",
}


def _old_stata(head: bytes) -> bool:
    """Formats 104 to 115 begin with their number, a byte order of 1 or 2 and the type 1."""
    return len(head) > 8 and 104 <= head[0] <= 115 and head[1] in (1, 2) and head[2:3] == b"\x01"


def _book(path: Path, name: str) -> str | None:
    """Tell xlsx and ods from a plain zip."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = set(archive.namelist())
            if "xl/workbook.xml" in members:
                return "xlsx"
            if "xl/workbook.bin" in members:
                return "xlsx"
            if "mimetype" in members and "content.xml" in members:
                if b"<manifest:encryption-data" in archive.read("META-INF/manifest.xml"):
                    raise refuse(name, "encrypted")
                return "ods"
    except (zipfile.BadZipFile, KeyError, OSError, zlib.error, NotImplementedError, RuntimeError):
        return None
    return None


def _old_book(*, path: Path, name: str) -> str:
    """Tell an old workbook from an encrypted new one: both are OLE containers."""
    with path.open("rb") as file:
        content = file.read(64 * 2**20)
    if "EncryptedPackage".encode("utf-16-le") in content:
        raise refuse(name, "encrypted")
    if any(mark.encode("utf-16-le") in content for mark in ("Workbook", "Book")):
        return "xls"
    raise refuse(name, "other_kind", what="an old Office document")


def _ungzip(
    *, path: Path, folder: Path, name: str, watch: Watch, first: int | None
) -> tuple[Path, bool]:
    target = folder / f"unpacked-{path.stem[:40]}"
    try:
        with gzip.open(path) as source:
            cut = _pour(source, target, packed=path.stat().st_size, name=name, watch=watch, first=first)  # fmt: skip
    except (OSError, EOFError, zlib.error) as fault:
        raise refuse(name, "damaged_archive", why=_why(fault)) from fault
    return target, cut


def _unzip(
    *, path: Path, folder: Path, name: str, watch: Watch, first: int | None
) -> tuple[Path, bool]:
    try:
        with zipfile.ZipFile(path) as archive:
            members = [
                member
                for member in archive.infolist()
                if not member.is_dir()
                and not member.filename.startswith("__MACOSX/")
                and not os.path.basename(member.filename).startswith(".")
            ]
            if len(members) != 1:
                code = "several_in_archive" if members else "nothing_in_archive"
                names = ", ".join(f'"{member.filename}"' for member in members[:8])
                raise refuse(name, code, count=len(members), names=names)
            member = members[0]
            if member.flag_bits & 1:
                raise refuse(name, "encrypted")
            target = folder / "unpacked-member"
            with archive.open(member) as source:
                cut = _pour(source, target, packed=member.compress_size, name=name, watch=watch, first=first)  # fmt: skip
    except (zipfile.BadZipFile, OSError, EOFError, zlib.error, NotImplementedError, RuntimeError) as fault:  # fmt: skip
        raise refuse(name, "damaged_archive", why=_why(fault)) from fault
    return target, cut


def _pour(
    source: object, target: Path, *, packed: int, name: str, watch: Watch, first: int | None
) -> bool:
    """Unpack in pieces, and stop as soon as the size is out of all proportion."""
    read = source.read  # type: ignore[attr-defined]
    done = 0
    with target.open("wb") as out:
        while chunk := read(_CHUNK):
            out.write(chunk)
            done += len(chunk)
            if done > LARGEST_UNPACKED or (
                done > _FREE_OF_RATIO and done > LARGEST_RATIO * max(packed, 1)
            ):
                raise refuse(name, "bomb", size=done // 2**20, packed=max(1, packed // 1024))
            if first is not None and done >= first:
                return True
            watch.say(say("intake.unpacking", name=name))
    return False
