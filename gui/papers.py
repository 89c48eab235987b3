"""The paper of a case: built, drawn, printed, signed and checked; each call runs in a job.

What is built here is what :func:`engine.reports.certificate.build` gives for the state as it is
to be issued: preview, print and signature all start from the same bytes.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.base.canonical import canonical_json
from engine.base.problems import Cancelled
from engine.base.scratch import PREFIX
from engine.procedure import issue
from engine.procedure.decision import GRANT, MORE_EVIDENCE

from . import certify_words as words

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from PySide6.QtPrintSupport import QPrinter

    from engine.base.watch import Watch
    from engine.case.store import Case

    from .engine_calls import Reading

KIND_WORDS = {GRANT: "certificate", MORE_EVIDENCE: "request"}


@dataclass(frozen=True)
class Paper:
    """What a paper is built from, taken in the window's thread: plain values alone."""

    state: Mapping[str, Any]
    result: Mapping[str, Any]
    result_bytes: bytes
    reading: Reading
    head: str
    today: date
    page_size: str = "A4"
    fingerprint: str | None = None
    last: Mapping[str, Any] | None = None
    """The result of the audit that this one follows."""


def paper_of(session: Any, *, fingerprint: str | None = None) -> Paper | None:
    """The paper of a session as it stands; None while there is no result."""
    result, reading = session.result, session.reading
    if result is None or reading is None:
        return None
    return Paper(
        state=session.state,
        result=result,
        result_bytes=session.case.result_file("result.json") or b"",
        reading=reading,
        head=session.case.head(),
        today=today_of(session),
        page_size=session.settings["office"].get("page_size", "A4"),
        fingerprint=fingerprint,
        last=session.last_result,
    )


def today_of(session: Any) -> date:
    """The session's day."""
    return date.fromisoformat(session.clock()[:10])


def kind_of(state: Mapping[str, Any]) -> str:
    """``certificate``, ``statement of findings`` or ``request``."""
    value = (state["decision"] or {}).get("value", "")
    return KIND_WORDS.get(value, "statement of findings")


def build(paper: Paper, watch: Watch) -> bytes:
    """The unsigned PDF.

    Raises
    ------
    Refused
        As :func:`engine.reports.certificate.build`.
    """
    from engine.reports import again, certificate, parts

    watch.say(words.text("job.build", kind=kind_of(paper.state)), fraction=0.1)
    gathered = parts.gather(
        result=paper.result, plan=paper.reading.plan, tables=paper.reading.tables
    )
    watch.check()
    gathered += again.of_case(state=paper.state, result=paper.result, before=paper.last)
    state = issue.as_issued(paper.state, today=paper.today)
    return certificate.build(
        state=state,
        result=paper.result,
        result_bytes=paper.result_bytes,
        plan_bytes=canonical_json(paper.result["plan"]).encode(),
        parts=gathered,
        page_size="Letter" if paper.page_size == "Letter" else "A4",
        fingerprint=paper.fingerprint,
        run_info={
            "trail_head": paper.head,
            "status": "valid" if kind_of(paper.state) == "certificate" else "",
            "changes": _changes(paper.state),
        },
    )


def _changes(state: Mapping[str, Any]) -> list[dict[str, str]]:
    return [
        {
            "when": str(old.get("revised_when") or "")[:10],
            "text": f"revision {old.get('revision', 0)} opened again: {old.get('revised_why', '')}",
        }
        for old in state["earlier"]
        if old.get("revised_when")
    ]


# Signing ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Signing:
    """How to sign. ``key`` is a PKCS#12 file, or ``token`` names one; the passphrase is used once."""

    role: str
    passphrase: str = field(repr=False)
    key: Path | None = None
    library: Path | None = None
    token: str = ""
    label: str = ""
    when: datetime | None = None
    trust: Path | None = None


def sign(
    *, case: Case, paper: Paper, signing: Signing, register: Path | None, who: str, watch: Watch
) -> dict[str, Any]:
    """Take the number in the register, build, sign, keep the bytes in the case.

    The register is written twice, so that a crash at any moment loses nothing: the number is
    taken before the key is used, and the paper is entered (:func:`enter`) once the case has it.

    Returns
    -------
    dict
        The ``certificate`` for :func:`engine.procedure.acts.issue_certificate`; of a paper that
        the evaluator signed before, with the decider's signature added.

    Raises
    ------
    Refused
        For anything wrong with key, passphrase, paper or number; nothing is then issued.
    """
    from engine.base.problems import Problem, Refused
    from engine.reports import sign as signing_room
    from engine.reports import verify as verifying

    before = paper.state["certificate"]
    key: Any = signing.key or signing_room.Token(
        library=signing.library or Path(), token=signing.token, label=signing.label
    )
    alone = signing.role == "decider" and before is None
    if alone and signing.key is not None:
        _, found = signing_room.certificate_of(signing.key, signing.passphrase)
        paper = Paper(**{**vars(paper), "fingerprint": found})
    made = issue.planned(paper.state, today=paper.today)
    if register is not None:
        from engine.case.register import Register

        Register(register).reserve(
            made["number"], made["revision"], holder=holder_of(case), who=who, when=_iso(signing.when)
        )  # fmt: skip
    with tempfile.TemporaryDirectory(prefix=PREFIX) as folder:
        unsigned, signed = Path(folder) / "paper.pdf", Path(folder) / "signed.pdf"
        content = case.read(before["sha256"]) if before else build(paper, watch.part(0, 0.6))
        unsigned.write_bytes(content)
        watch.say(words.text("job.sign"), fraction=0.6)
        done = signing_room.sign(
            path=unsigned, key=key, out=signed, passphrase=signing.passphrase,
            when=signing.when or datetime.now().astimezone(), role="evaluator" if signing.role == "evaluator" else "decider",
        )  # fmt: skip
        if signing.role == "decider":
            watch.say(words.text("job.check"), fraction=0.8)
            verdict = verifying.verify(signed, trust=None)
            if not verdict.intact:
                raise Refused(Problem("", "", verdict.lines[0]))
        output = signed.read_bytes()
    signers = [*(before or {}).get("signers", []), _signer(done)]
    made |= {"signed": signing.role == "decider", "sha256": done.sha256, "signers": signers}
    if before is None:
        made["unsigned_sha256"] = case.put_file("paper.pdf", content)
    case.put_file("certificate.pdf", output)
    return made


def _iso(when: datetime | None) -> str:
    return (when or datetime.now().astimezone()).isoformat(timespec="seconds")


def _signer(done: Any) -> dict[str, str]:
    return {"role": done.role, "name": done.signer, "fingerprint": done.fingerprint}


def holder_of(case: Case) -> str:
    """What names a case in the register, however often it is opened: the start of its trail."""
    return str(case.trail()[0].hash)


def take_number(
    *, case: Case, register: Path, prefix: str, year: int, who: str, when: str, watch: Watch
) -> str:
    """The next number of the register, taken for this case."""
    from engine.case.register import Register

    watch.check()
    return Register(register).take(
        prefix=prefix, year=year, holder=holder_of(case), who=who, when=when
    )


def entered(*, register: Path, certificate: Mapping[str, Any], watch: Watch) -> bool:
    """Whether the register holds this very paper."""
    from engine.case.register import Register

    watch.say(words.text("job.register"))
    found = Register(register).search(str(certificate["number"]))
    return any(entry.sha256 == certificate["sha256"] for entry in found)


def enter(
    *, case: Case, register: Path, state: Mapping[str, Any], who: str, when: str, watch: Watch
) -> None:
    """Enter the signed paper of a case; to do it twice changes nothing.

    Raises
    ------
    Refused
        If the register cannot be written, or holds another paper under the number.
    """
    made = state["certificate"]
    watch.say(words.text("job.register"))
    from engine.case.register import Entry, Register

    facts = state["case"]
    name = " ".join(part for part in (facts["system"], facts["version"]) if part)
    entry = Entry(
        number=made["number"],
        revision=made["revision"],
        kind=kind_of(state),
        system=name,
        client=facts["client"] or facts["provider"],
        status="valid",
        decided=str(state["decision"]["when"])[:10],
        issued=made["issued"],
        expires=made["expires"] or "",
        next_check=made["next_check"] or "",
        replaces=_replaced(state) if made["replaces"] else "",
        why=made["replaces_why"],
        sha256=made["sha256"],
        issued_by=facts["decider"] or who,
    )
    Register(register).enter(entry, who=who, when=when, holder=holder_of(case))


def _replaced(state: Mapping[str, Any]) -> str:
    """The number that the paper replaces: its own where it is a revision, else the last audit's."""
    follows = state.get("follows") or {}
    return str(state["certificate"]["number"] if state["earlier"] else follows.get("number", ""))


# Drawing ------------------------------------------------------------------------------------------

_PDFIUM = threading.Lock()
"""PDFium is not made for several threads at once."""


class Pages:
    """The pages of a PDF, drawn by PDFium; safe to be used from jobs."""

    def __init__(self, pdf: bytes) -> None:
        import pypdfium2

        self._closed = True
        with _PDFIUM:
            self._document = pypdfium2.PdfDocument(pdf)
            self._document.init_forms()
            self.sizes: list[tuple[float, float]] = [
                self._document.get_page_size(n) for n in range(len(self._document))
            ]
            """Width and height of each page in points."""
            self._closed = False

    def image(self, number: int, scale: float) -> QImage:
        """A page as a picture; ``scale`` is in pixels a point.

        Raises
        ------
        Cancelled
            If the document was given back meanwhile.
        """
        from PySide6.QtGui import QImage

        with _PDFIUM:
            self._open()
            page = self._document[number]
            bitmap = page.render(scale=scale, rev_byteorder=False, prefer_bgrx=True)
            made = QImage(
                bytes(bitmap.buffer), bitmap.width, bitmap.height, bitmap.stride,
                QImage.Format.Format_RGB32,
            ).copy()  # fmt: skip
            page.close()
        return made

    def text(self, number: int) -> str:
        """The words of a page, for those who cannot see it."""
        with _PDFIUM:
            self._open()
            page = self._document[number]
            words_of = page.get_textpage()
            found = str(words_of.get_text_bounded())
            words_of.close()
            page.close()
        return found

    def _open(self) -> None:
        if self._closed:
            raise Cancelled

    def close(self) -> None:
        """Give the document back; a second call does nothing."""
        with _PDFIUM:
            if not self._closed:
                self._closed = True
                self._document.close()

    def __del__(self) -> None:
        self.close()


PRINT_DPI = 300


def print_pages(pdf: bytes, printer: QPrinter, watch: Watch) -> int:
    """Paint the chosen pages of a PDF onto a printer; gives their number."""
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QPainter
    from PySide6.QtPrintSupport import QPrinter as Printer

    pages = Pages(pdf)
    first = printer.fromPage() or 1
    last = min(printer.toPage() or len(pages.sizes), len(pages.sizes))
    dpi = min(PRINT_DPI, printer.resolution())
    painter = QPainter()
    if not painter.begin(printer):
        from engine.base.problems import Problem, Refused

        pages.close()
        raise Refused(Problem("", "", words.text("print.failed")))
    try:
        sheet = printer.pageLayout().fullRectPixels(printer.resolution())
        inside = printer.pageRect(Printer.Unit.DevicePixel)
        for place, number in enumerate(range(first - 1, last)):
            watch.say(words.text("job.print"), done=place, total=last - first + 1)
            watch.check()
            if place:
                printer.newPage()
            wide, high = pages.sizes[number]
            fit = min(sheet.width() / wide, sheet.height() / high)
            target = QRectF(
                (sheet.width() - wide * fit) / 2 - inside.x(),
                (sheet.height() - high * fit) / 2 - inside.y(),
                wide * fit, high * fit,
            )  # fmt: skip
            painter.drawImage(target, pages.image(number, dpi / 72))
    finally:
        painter.end()
        pages.close()
    return last - first + 1


# Checking and keys --------------------------------------------------------------------------------


def verify(path: Path, *, trust: Path | None, today: date, watch: Watch) -> Any:
    """Check a certificate; gives :class:`engine.reports.verify.Verdict`."""
    from engine.reports import verify as verifying

    watch.say(path.name)
    return verifying.verify(path, trust=trust, today=today)


def rerun(case: Path, *, printed: bytes, watch: Watch) -> Any:
    """Compute a paper's result again, see :func:`engine.run.rerun.rerun`."""
    from engine.run.rerun import rerun as computing

    return computing(case, printed=printed, watch=watch)


def make_keys(*, watch: Watch, **given: Any) -> Any:
    """Make a signing key, see :func:`engine.reports.keys.make`."""
    from engine.reports import keys

    watch.say(words.text("job.keys"))
    return keys.make(**given)
