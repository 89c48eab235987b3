"""Bytes to text: the fingerprint, the encoding, and a UTF-8 copy where a file is in another one."""

from __future__ import annotations

import codecs
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from engine.base.nearest import mend
from engine.base.watch import Watch
from engine.messages import say

from .formats import refuse
from .model import Received

LONGEST_FIELD = 64 * 2**20
"""Bytes; a longer line or field is refused."""
_CHUNK = 2**20
_KNOWN = ("utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "windows-1252", "latin-1", "iso-8859-15", "windows-1250", "windows-1251", "windows-1253", "windows-1254", "macroman", "cp437", "cp850")  # fmt: skip
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0e-\x19\x1c-\x1f]")
_NOT_IN_1252 = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")
_MULTIBYTE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")  # fmt: skip


@dataclass(frozen=True)
class Text:
    """A text file ready for parsing: UTF-8 bytes at ``path``, after ``skip`` bytes of a mark.

    ``encoding`` is the received file's; ``replaced`` counts characters that were not readable.
    ``longest`` bounds the length of the longest line, in bytes.
    """

    path: Path
    encoding: str
    bom: bool
    replaced: int = 0
    longest: int = 0


def fingerprint(path: Path, watch: Watch) -> Received:
    """Hash a file as it came, in pieces.

    Parameters
    ----------
    path : Path
    watch : Watch
        Told how far the hashing is.

    Returns
    -------
    Received
        Name without folder, bytes and SHA-256 in hex.
    """
    digest = hashlib.sha256()
    size, done = max(1, path.stat().st_size), 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
            done += len(chunk)
            watch.say(say("intake.hashing", name=path.name), fraction=done / size)
    return Received(name=path.name, bytes=done, sha256=digest.hexdigest())


def as_utf8(
    *, path: Path, folder: Path, name: str, encoding: str | None, watch: Watch, cut: bool
) -> Text:
    """Give a file's text as UTF-8: the file itself where it is so already, else a copy.

    Parameters
    ----------
    path, folder : Path
        The plain file, and the private folder for a copy.
    name : str
        The received name, for refusals.
    encoding : str or None
        As the plan says; None to detect it.
    watch : Watch
    cut : bool
        Whether the file is only a beginning (its last character may be torn).

    Raises
    ------
    Refused
        For a file that is no text, an unknown encoding, or bytes the named one cannot read.
    """
    with path.open("rb") as file:
        head = file.read(_CHUNK)
    if encoding is not None:
        chosen = _known_codec(encoding, name)
        if codecs.lookup(chosen).name != "utf-8":
            return _transcode(path=path, folder=folder, name=name, codec=chosen, label=encoding, errors="strict", watch=watch, cut=cut)  # fmt: skip
    bom = next((codec for mark, codec in _BOMS if head.startswith(mark)), None)
    guess = bom or _utf16_by_zeros(head)
    if guess in ("utf-16", "utf-32", "utf-16-le", "utf-16-be") and encoding is None:
        return _transcode(path=path, folder=folder, name=name, codec=guess, label=guess, errors="strict", watch=watch, cut=cut, bom=bom is not None)  # fmt: skip
    if len(_CONTROL.findall(head)) * 200 > len(head) or head.count(b"\0") * 1000 > len(head):
        raise refuse(name, "junk")
    scan = _Scan(path=path, name=name, watch=watch, cut=cut)
    if scan.broken == 0:
        return Text(path=path, encoding="utf-8", bom=bom is not None, longest=scan.longest)
    if encoding is not None:
        raise refuse(name, "encoding_fails", named="utf-8", place=f"byte {scan.first_broken:,}")
    if scan.multibyte > 4 * scan.broken:
        return _transcode(path=path, folder=folder, name=name, codec="utf-8-sig", label="utf-8", errors="replace", watch=watch, cut=cut, replaced=scan.broken)  # fmt: skip
    codec = "latin-1" if scan.not_1252 else "cp1252"
    label = "latin-1" if scan.not_1252 else "windows-1252"
    return _transcode(path=path, folder=folder, name=name, codec=codec, label=label, errors="strict", watch=watch, cut=cut)  # fmt: skip


def _known_codec(encoding: str, name: str) -> str:
    try:
        found = codecs.lookup(encoding)
        if not found._is_text_encoding or found.name in ("idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem"):  # fmt: skip
            raise LookupError
        return found.name
    except (LookupError, ValueError) as fault:
        text = mend(encoding, _KNOWN)
        raise refuse(name, "unknown_encoding", named=encoding, mend=text) from fault


def _utf16_by_zeros(head: bytes) -> str | None:
    """UTF-16 without a mark: in Western text every second byte is zero."""
    if len(head) < 4:
        return None
    even, odd, half = head[0::2].count(0), head[1::2].count(0), len(head) // 2
    if odd > 0.4 * half and even < 0.05 * half:
        return "utf-16-le"
    if even > 0.4 * half and odd < 0.05 * half:
        return "utf-16-be"
    return None


class _Scan:
    """One pass over the bytes: is it UTF-8 throughout, and how long is the longest line?"""

    def __init__(self, *, path: Path, name: str, watch: Watch, cut: bool) -> None:
        self.broken = self.multibyte = self.longest = self.first_broken = 0
        self.not_1252 = False
        decoder = codecs.getincrementaldecoder("utf-8")()
        size, done, run = max(1, path.stat().st_size), 0, 0
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                try:
                    if not (chunk.isascii() and decoder.getstate()[0] == b""):
                        decoder.decode(chunk)
                except UnicodeDecodeError as fault:
                    if not self.broken:
                        self.first_broken = done + fault.start
                    good = _MULTIBYTE.sub(b"", chunk)
                    self.broken += max(1, sum(byte > 127 for byte in good))
                    decoder.reset()
                if not chunk.isascii():
                    self.multibyte += len(_MULTIBYTE.findall(chunk))
                    self.not_1252 = self.not_1252 or bool(_NOT_IN_1252.search(chunk))
                done += len(chunk)
                run = self._line(chunk, run)
                if self.longest > LONGEST_FIELD:
                    raise refuse(name, "too_long", place=f"byte {done - run:,}")
                watch.say(say("intake.checking", name=name), fraction=done / size)
        if decoder.getstate()[0] and not cut:
            self.broken += 1

    def _line(self, chunk: bytes, run: int) -> int:
        """Follow the gap between line ends across chunks; inside one chunk it is bounded by it."""
        end = b"\n" if b"\n" in chunk else b"\r"
        first = chunk.find(end)
        if first < 0:
            run += len(chunk)
            self.longest = max(self.longest, run)
            return run
        self.longest = max(self.longest, run + first, min(len(chunk), _CHUNK))
        return len(chunk) - chunk.rfind(end)


def _transcode(
    *,
    path: Path,
    folder: Path,
    name: str,
    codec: str,
    label: str,
    errors: str,
    watch: Watch,
    cut: bool,
    bom: bool = False,
    replaced: int = 0,
) -> Text:
    """Write a UTF-8 copy, piece by piece."""
    target = folder / f"utf8-{len(list(folder.iterdir()))}.txt"
    decoder = codecs.getincrementaldecoder(codec)(errors)
    size, done, longest, run = max(1, path.stat().st_size), 0, 0, 0
    with path.open("rb") as file, target.open("wb") as out:
        while True:
            chunk = file.read(_CHUNK)
            try:
                text = decoder.decode(chunk, final=not chunk and not cut)
            except (UnicodeDecodeError, UnicodeError) as fault:
                start = getattr(fault, "start", 0)
                raise refuse(name, "encoding_fails", named=label, place=f"byte {done + start:,}") from fault  # fmt: skip
            if done == 0 and text.startswith("\ufeff"):
                text, bom = text[1:], True
            raw = text.encode("utf-8", "replace")
            out.write(raw)
            if not chunk:
                break
            last = max(raw.rfind(b"\n"), raw.rfind(b"\r"))
            longest = max(longest, run + len(raw))
            run = run + len(raw) if last < 0 else len(raw) - last
            if longest > LONGEST_FIELD + 4 * _CHUNK:
                raise refuse(name, "too_long", place=f"byte {done:,}")
            done += len(chunk)
            watch.say(say("intake.checking", name=name), fraction=done / size)
    with target.open("rb") as made:
        head = made.read(_CHUNK)
    if _CONTROL.findall(head) and len(_CONTROL.findall(head)) * 200 > len(head):
        raise refuse(name, "junk")
    return Text(path=target, encoding=label, bom=bom, replaced=replaced, longest=longest)
