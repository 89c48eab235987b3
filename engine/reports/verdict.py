"""What checking a paper gives: who signed, and the verdict in words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True)
class Signer:
    """Who signed: role, name and office as the key's certificate has them, key, stated time."""

    role: str
    name: str
    office: str
    issuer: str
    fingerprint: str
    stated: datetime | None
    key_until: date


@dataclass(frozen=True)
class Verdict:
    """What checking found.

    Attributes
    ----------
    valid : bool
        Every check passed, that of the root among them.
    intact : bool
        Every check passed but that of the root, which was not named.
    lines : tuple of str
        The verdict, then what the file is, who signed it, what was checked; in words.
    kind : str
        ``certificate``, ``statement`` or empty.
    number, sha256 : str
        The paper's number; SHA-256 of the whole file, for the case's trail.
    revision, result
        The paper's revision; the bytes of its result.json. Only where it is intact.
    signers : tuple of Signer
    expired : bool or None
        None where no day was given, or the paper names none.
    """

    valid: bool
    intact: bool
    lines: tuple[str, ...]
    kind: str = ""
    number: str = ""
    sha256: str = ""
    signers: tuple[Signer, ...] = ()
    expired: bool | None = None
    revision: int = 0
    result: bytes = b""


class NotValid(Exception):
    """A check failed; the text says which."""
