"""Reading a finished paper: is it a PDF, is it one of ours, what does it say of itself."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pikepdf

from engine.base.problems import Problem, Refused
from engine.messages import say
from engine.procedure.decision import same_person

from . import bound, figures, glyphs, hidden, packing, qr, shape
from .page1_parts import CODE, DECIDER, EVALUATOR
from .page_text import page_text
from .shape import Box

LARGEST = 64 * 1024 * 1024
"""More bytes than any paper of ours has; a larger file is not opened."""
RESULT_NAME = "result.json"
PLAN_NAME = "plan.json"
SUMMARY_NAME = "certificate.json"
ATTACHED = (RESULT_NAME, PLAN_NAME, SUMMARY_NAME)
SUMMARY_SCHEMA = "fairassay-certificate/1"
for _name in ("pyhanko", "pyhanko_certvalidator", "pikepdf"):
    # What these libraries log about a damaged file, tracebacks too, is no text for a person.
    logging.getLogger(_name).addHandler(logging.NullHandler())
    logging.getLogger(_name).propagate = False
_CODE_START = "It holds: "


@dataclass(frozen=True)
class Paper:
    """What a paper of ours says of itself.

    ``places`` are the rectangles that signing fills, on page 1, ``order`` where they stand among
    the parts of the document; ``payload`` the text of the QR
    code as the tree holds it, ``drawn`` the code as the page draws it; ``attached`` the files
    inside, ``summary`` certificate.json as data; ``text`` the words that page 1 draws, without
    blanks; ``oddities`` what no paper of ours has, ``pages`` their number, ``stamps`` the signatures
    as page 1 shows them, by the name of their field; ``lacking`` the metrics whose figures no evidence page shows; ``shown`` and ``beside`` the fingerprints of
    :mod:`engine.reports.bound`.
    """

    places: dict[str, Box]
    order: dict[str, int]
    payload: str
    drawn: qr.Matrix
    code_box: Box
    attached: dict[str, bytes]
    summary: dict[str, Any]
    title: str
    text: str
    oddities: tuple[str, ...]
    pages: int
    stamps: dict[str, shape.Stamp]
    lacking: tuple[str, ...]
    shown: tuple[str, ...]
    beside: str

    @property
    def number(self) -> str:
        """The certificate's number, from the code."""
        return self.payload.rsplit("/", 2)[0]

    def exchanged(self, role: str, name: str) -> bool:
        """Whether page 1 names this very person in the other role, and another one in this."""
        named = str(self.summary.get(role) or "")
        other = str(self.summary.get("evaluator" if role == "decider" else "decider") or "")
        return bool(named and other) and same_person(other, name) and not same_person(named, name)

    @property
    def result_sha256(self) -> str:
        """SHA-256 of result.json, from the code."""
        return self.payload.rsplit("/", 2)[1]

    @property
    def key(self) -> str:
        """First sixteen hex digits of the key's fingerprint, or ``unsigned``."""
        return self.payload.rsplit("/", 2)[2]


def read_bytes(path: Path) -> bytes:
    """The bytes of a PDF.

    Raises
    ------
    Refused
        For a missing file, a folder, a file too large, one that is no PDF, and an encrypted one.
    """
    name = path.name
    if path.is_dir():
        raise _refused(name, "reports.is_folder")
    try:
        size = path.stat().st_size
        if size > LARGEST:
            raise _refused(name, "reports.too_large", size=size // 2**20, most=LARGEST // 2**20)
        content = path.read_bytes()
    except OSError as fault:
        raise _refused(
            name, "reports.cannot_read", why=(fault.strerror or "unknown").lower()
        ) from None
    if not content.startswith(b"%PDF-"):
        raise _refused(name, "reports.no_pdf")
    try:
        packing.check(content)
    except packing.Packed:
        raise _refused(name, "reports.packed", most=packing.MOST // 2**20) from None
    try:
        with pikepdf.open(io.BytesIO(content)) as pdf:
            if pdf.is_encrypted:
                raise _refused(name, "reports.encrypted")
    except pikepdf.PasswordError:
        raise _refused(name, "reports.encrypted") from None
    except pikepdf.PdfError:
        raise _refused(name, "reports.broken_pdf") from None
    return content


def _refused(name: str, code: str, **fields: object) -> Refused:
    return Refused(Problem(name, "", say(code, **fields)))


def open_paper(content: bytes) -> Paper | None:
    """What a PDF says of itself; None where it is no paper of ours.

    Raises
    ------
    Exception
        Whatever a damaged file makes the reader raise; a caller that judges says "not valid".
    """
    with pikepdf.open(io.BytesIO(content)) as pdf:
        # Before anything else: reading the attachments mends what is odd about them.
        odd = tuple(shape.oddities(pdf, ATTACHED))
        tree = pdf.Root.get("/StructTreeRoot")
        if tree is None or not pdf.pages:
            return None
        marked = _marked(tree)
        if any(name not in marked for name in (CODE, DECIDER, EVALUATOR)):
            return None
        found = {name: element for name, (_, element) in marked.items()}
        code = found[CODE]
        alt = str(code.get("/Alt", ""))
        if _CODE_START not in alt:
            return None
        payload = alt.split(_CODE_START, 1)[1]
        if payload.count("/") < 2:
            return None
        attached = {
            name: spec.get_file().read_bytes()
            for name, spec in pdf.attachments.items()
            if name in ATTACHED
        }
        try:
            summary = json.loads(attached.get(SUMMARY_NAME, b"null"))
        except ValueError:
            return None
        if not isinstance(summary, dict) or summary.get("schema") != SUMMARY_SCHEMA:
            return None
        lacking, tricks = figures.read(pdf, _result(attached))
        marks = {int(kid) for kid in code.K if isinstance(kid, int)}
        return Paper(
            places={name: _box(found[name]) for name in (EVALUATOR, DECIDER)},
            order={name: place for name, (place, _) in marked.items()},
            payload=payload,
            drawn=qr.read_back(_rectangles(pdf.pages[0], marks)),
            code_box=_box(code),
            attached=attached,
            summary=summary,
            title=str(pdf.docinfo.get("/Title", "")),
            text=page_text(pdf.pages[0]),
            oddities=(*odd, *glyphs.foreign(pdf), *hidden.tricks(pdf.pages[0]), *tricks),
            pages=len(pdf.pages),
            stamps=shape.stamps(pdf),
            lacking=tuple(lacking),
            shown=tuple(bound.pages(pdf)),
            beside=bound.beside(pdf),
        )


def _result(attached: dict[str, bytes]) -> dict[str, Any]:
    try:
        result = json.loads(attached.get(RESULT_NAME, b"{}"))
    except ValueError:
        return {}
    return result if isinstance(result, dict) else {}


def _marked(tree: Any) -> dict[str, tuple[int, Any]]:
    """The named parts of a document, with their place among its parts; page 1 has them all."""
    found: dict[str, tuple[int, Any]] = {}
    whole = tree.get("/K")
    if not isinstance(whole, pikepdf.Array) or len(whole) != 1:
        return found
    for place, element in enumerate(whole[0].get("/K", ())):
        if isinstance(element, pikepdf.Dictionary) and "/ID" in element:
            found.setdefault(str(element["/ID"]), (place, element))
        if len(found) == len((CODE, DECIDER, EVALUATOR)):
            break
    return found


def _box(element: Any) -> Box:
    left, low, right, high = (float(value) for value in element["/A"]["/BBox"])
    return left, low, right, high


def _rectangles(page: Any, marks: set[int]) -> Iterator[Box]:
    """Rectangles filled on a page within marked content of the given numbers."""
    inside: list[bool] = []
    for operands, operator in pikepdf.parse_content_stream(page):
        word = str(operator)
        if word in ("BDC", "BMC"):
            mark = None
            if word == "BDC" and isinstance(operands[1], pikepdf.Dictionary):
                mark = operands[1].get("/MCID")
            inside.append(mark is not None and int(mark) in marks)
        elif word == "EMC":
            inside.pop()
        elif word == "re" and any(inside):
            x, y, width, height = (float(value) for value in operands)
            yield x, y, width, height
