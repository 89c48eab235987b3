"""The dates of a paper as a calendar file (iCalendar, RFC 5545), which every calendar opens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from . import certify_words as words


def escaped(text: str) -> str:
    """A text as RFC 5545 wants it.

    Examples
    --------
    >>> escaped("Loans; cars, houses")
    'Loans\\\\; cars\\\\, houses'
    """
    for old, new in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\n", "\\n")):
        text = text.replace(old, new)
    return text.replace("\r", "")


def folded(line: str) -> str:
    """A line in pieces of at most 75 bytes; no character is cut."""
    pieces, piece = [], b""
    for char in line:
        raw = char.encode()
        if len(piece) + len(raw) > (75 if not pieces else 74):
            pieces.append(piece)
            piece = b""
        piece += raw
    pieces.append(piece)
    return "\r\n ".join(one.decode() for one in pieces)


def calendar(
    *, facts: Mapping[str, str], certificate: Mapping[str, Any], stamp: str,
    triggers: Sequence[str] = (),
) -> str:  # fmt: skip
    """The file's text: the next check with a reminder two weeks before, and the expiry.

    Parameters
    ----------
    facts : the facts of the case.
    certificate : ``number``, ``revision``, ``next_check``, ``expires`` (ISO dates or empty).
    stamp : this moment, ISO 8601 with offset.
    triggers : sentences that make a check due earlier.
    """
    system = " ".join(p for p in (facts.get("system", ""), facts.get("version", "")) if p) or "–"
    number = str(certificate.get("number") or facts.get("reference") or "")
    about = words.text("ics.text", number=number, office=facts.get("organisation", ""))
    moment = datetime.fromisoformat(stamp).astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//FairAssay//Recertification//EN"]
    for key, code in (("next_check", "ics.check"), ("expires", "ics.expires")):
        if not certificate.get(key):
            continue
        day = date.fromisoformat(str(certificate[key])[:10])
        said = "\n".join([about.strip(", "), *triggers])
        lines += [
            "BEGIN:VEVENT",
            f"UID:{_uid(number)}-{certificate.get('revision', 0)}-{key}@fairassay.invalid",
            f"DTSTAMP:{moment}",
            f"DTSTART;VALUE=DATE:{day:%Y%m%d}",
            f"DTEND;VALUE=DATE:{day + timedelta(days=1):%Y%m%d}",
            f"SUMMARY:{escaped(words.text(code, system=system))}",
            f"DESCRIPTION:{escaped(said)}",
            "TRANSP:TRANSPARENT",
            "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-P14D",
            f"DESCRIPTION:{escaped(words.text(code, system=system))}",
            "END:VALARM",
            "END:VEVENT",
        ]  # fmt: skip
    lines.append("END:VCALENDAR")
    return "\r\n".join(folded(line) for line in lines) + "\r\n"


def _uid(number: str) -> str:
    kept = "".join(c if c.isascii() and c.isalnum() else "-" for c in number)
    return kept or "unnumbered"
