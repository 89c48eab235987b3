"""The paper: a certificate where the decision is to grant, a statement of findings otherwise."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal

from reportlab.platypus import BaseDocTemplate, Frame, NextPageTemplate, PageTemplate
from reportlab.platypus.doctemplate import PageBreak
from reportlab.platypus.flowables import Flowable

from engine.base.canonical import canonical_json, sha256_of
from engine.base.problems import Problem, Refused
from engine.messages import say

from . import evidence, fonts, page1_certificate, page1_statement, qr
from .archive import Attachment, Metadata, finish
from .facts import CertificateFacts, facts
from .flow import kept
from .page1 import PageOne
from .paper_file import PLAN_NAME, RESULT_NAME, SUMMARY_NAME, SUMMARY_SCHEMA
from .parts import Part
from .style import HAIR, LABEL, Sheet
from .tags import Node, TaggedCanvas


def build(
    *,
    state: Mapping[str, Any],
    result: Mapping[str, Any],
    result_bytes: bytes,
    plan_bytes: bytes,
    parts: Sequence[Part] = (),
    page_size: Literal["A4", "Letter"] = "A4",
    fingerprint: str | None = None,
    run_info: Mapping[str, Any] | None = None,
    check: bool = True,
) -> bytes:
    """Build the unsigned PDF of a case.

    Parameters
    ----------
    state : mapping
        The case; it may be all but empty, as on the command line.
    result : mapping
        result.json as data.
    result_bytes, plan_bytes : bytes
        The files that are attached, as they are.
    parts : sequence of Part
        Sections and charts of the methods, from :func:`engine.reports.parts.gather`.
    page_size : str
        ``A4`` or ``Letter``.
    fingerprint : str, optional
        SHA-256 of the signing certificate, in hex, where it is known before signing.
    run_info : mapping, optional
        See :func:`engine.reports.facts.facts`.
    check : bool
        Read the written file back and check it against PDF/A-3b (files up to 60 pages).

    Returns
    -------
    bytes
        A PDF/A-3b file; the same bytes for the same inputs, in any process.

    Raises
    ------
    Refused
        Where the decision is to grant and the result does not carry it, where evaluator and
        decider are to differ and a name cannot be printed, and for dates in the wrong order.
    """
    fonts.register()
    sheet = Sheet.of(page_size)
    result_sha = sha256_of(result_bytes)
    info = {
        **(run_info or {}),
        "result_sha256": result_sha,
        "plan_sha256": sha256_of(plan_bytes),
        "fingerprint": fingerprint,
    }
    found = facts(state=state, result=result, run_info=info)
    _allowed(found)
    payload = qr.payload(
        number=fonts.cleaned(found.number) or "unnumbered",
        result_sha256=result_sha,
        fingerprint=fingerprint,
    )

    def page_one(canvas: Any) -> None:
        if found.kind == "certificate":
            page1_certificate.paint(
                canvas,
                sheet=sheet,
                facts=found,
                result=result,
                state=state,
                payload=payload,
                fingerprint=fingerprint,
            )
        else:
            page1_statement.paint(
                canvas, sheet=sheet, facts=found, result=result, state=state, payload=payload
            )

    story = [
        NextPageTemplate("evidence"),
        PageOne(sheet, page_one),
        PageBreak(),
        *evidence.story(facts=found, result=result, state=state, parts=parts, width=sheet.width),
    ]
    root = Node("Document")
    whole = Frame(0, 0, sheet.page_width, sheet.page_height, 0, 0, 0, 0, id="page1")
    inner = Frame(
        sheet.left, 52, sheet.width, sheet.page_height - 52 - 68, 0, 0, 0, 0, id="evidence"
    )
    running = partial(_running, sheet=sheet, facts=found)

    def templates(document: BaseDocTemplate) -> None:
        document.addPageTemplates(
            [
                PageTemplate("page1", [whole]),
                PageTemplate("evidence", [inner], onPage=running),
            ]
        )

    return write_archive(
        story,
        sheet=sheet,
        templates=templates,
        root=root,
        metadata=Metadata(
            title=title_of(found),
            author=found.case.get("organisation", ""),
            subject=f"{found.word('system')} {found.case.get('version', '')}".strip(),
            day=found.issued_on or found.decided_on,
        ),
        attachments=(
            Attachment(RESULT_NAME, result_bytes, say("paper.attached_result")),
            Attachment(PLAN_NAME, plan_bytes, say("paper.attached_plan")),
            Attachment(
                SUMMARY_NAME, partial(_summary, found, result_sha), say("paper.attached_summary")
            ),
        ),
        check=check,
    )


def write_archive(
    story: list[Flowable],
    *,
    sheet: Sheet,
    templates: Callable[[BaseDocTemplate], None],
    root: Node,
    metadata: Metadata,
    attachments: Sequence[Attachment] = (),
    check: bool = True,
) -> bytes:
    """Draw flowables on tagged pages and make the archival file of them."""
    drawn = io.BytesIO()
    document = BaseDocTemplate(
        drawn,
        pagesize=(sheet.page_width, sheet.page_height),
        invariant=1,
        pageCompression=0,  # the archival step compresses, and faster
        title=metadata.title,
    )
    templates(document)
    document.build(kept(story), canvasmaker=partial(TaggedCanvas, root=root))
    return finish(
        drawn.getvalue(), root=root, metadata=metadata, attachments=attachments, check=check
    )


def title_of(found: CertificateFacts) -> str:
    """The document's title."""
    kind = say(f"paper.name_{found.kind}")
    return " ".join(part for part in (kind, found.number) if part)


def _summary(found: CertificateFacts, result_sha256: str, pages: list[str], beside: str) -> bytes:
    """What :mod:`engine.reports.verify` reads back."""

    def iso(value: Any) -> str | None:
        return value.isoformat() if value else None

    return canonical_json(
        {
            "schema": SUMMARY_SCHEMA,
            "kind": found.kind,
            "decision": found.decision or None,
            "number": found.number,
            "revision": found.revision,
            "replaces": found.replaces,
            "system": found.case.get("system", ""),
            "version": found.case.get("version", ""),
            "organisation": found.case.get("organisation", ""),
            "evaluator": found.case.get("evaluator", ""),
            "decider": found.case.get("decider", ""),
            "status_contact": found.case.get("status_contact", ""),
            "decided": iso(found.decided_on),
            "issued": iso(found.issued_on),
            "expires": iso(found.expires_on),
            "result_sha256": result_sha256,
            "pages": pages,
            "beside": beside,
        }
    ).encode()


def _allowed(found: CertificateFacts) -> None:
    """What the data do not carry is never printed as a certificate."""
    problems = []
    if found.kind == "certificate" and found.recommendation != "grant":
        problems.append(
            Problem(
                "certificate",
                "decision",
                say(
                    "reports.cannot_grant", advice=found.recommendation or say("paper.not_computed")
                ),
            )
        )
    if found.issued_on and found.decided_on and found.issued_on < found.decided_on:
        problems.append(Problem("certificate", "issued", say("reports.issued_too_early")))
    if problems:
        raise Refused(problems)


def _running(canvas: TaggedCanvas, _: Any, *, sheet: Sheet, facts: CertificateFacts) -> None:
    """Running head and foot of the evidence pages."""
    top = sheet.page_height - 46
    kind = say(f"paper.short_{facts.kind}")
    with canvas.artefact("Pagination"):
        canvas.setStrokeColorRGB(*HAIR)
        canvas.setLineWidth(0.5)
        canvas.line(sheet.left, top, sheet.right, top)
        canvas.setFillColorRGB(*LABEL)
        left = f"{kind} {facts.number}".strip()
        office = facts.case.get("organisation", "")
        wide = fonts.width(left, fonts.SANS, 8) + fonts.width(office, fonts.SANS, 8)
        raised = 10.0 if wide > sheet.width - 20 else 0.0  # then each has a line of its own
        for text, right in ((left, False), (office, True)):
            size = 8.0
            while size > 3 and fonts.width(text, fonts.SANS, size) > sheet.width:
                size -= 0.5
            x = sheet.right - fonts.width(text, fonts.SANS, size) if right else sheet.left
            for face, part in fonts.runs(text, fonts.SANS):
                canvas.setFont(face, size)
                canvas.drawString(x, top + 5 + (raised if right else 0.0), part)
                x += fonts.width(part, face, size)
        canvas.draw_page_number(x=sheet.right - 56, y=34, size=8, color=LABEL)
