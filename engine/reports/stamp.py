"""The visible signature: who, when, with which key, drawn over the place left for it."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from typing import Any

from pyhanko.pdf_utils import content, layout
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.stamp import StaticStampStyle

from engine.messages import say

from . import fonts, qr
from .page1_parts import SIGNATURE_HEIGHT
from .style import INK, LABEL, WHITE
from .tags import Node, TaggedCanvas
from .textflow import Block
from .words import day_words

Box = tuple[float, float, float, float]


class _Drawn(content.PdfContent):  # type: ignore[misc]
    """A one-page PDF in memory as the content of a stamp."""

    def __init__(self, pdf: bytes) -> None:
        self.pdf = pdf
        super().__init__()

    def render(self) -> bytes:
        """Bring the page in and paint it at its own size."""
        page = self._ensure_writer.import_page_as_xobject(PdfFileReader(io.BytesIO(self.pdf)))
        self.resources.xobject["/Drawn"] = page
        left, low, right, high = page.get_object()["/BBox"]
        self.box = layout.BoxConstraints(width=abs(right - left), height=abs(high - low))
        return b"/Drawn Do"


def style(
    *,
    box: Box,
    signer: str,
    fingerprint: str,
    when: datetime,
    code: str | None = None,
    code_box: Box | None = None,
    foot: float = 0.0,
) -> Any:
    """The appearance of a signature that fills ``box``.

    Parameters
    ----------
    box : four floats
        Rectangle of the field on the page.
    signer : str
        Name in the signing certificate.
    fingerprint : str
        Of the signing certificate, in hex.
    when : datetime
        As the signer states it.
    code, code_box
        A QR code that names the key now known, and where the page has the one without.
    foot : float
        How far above the box's lower edge the words stand: over the line of the signature.
    """
    return StaticStampStyle(
        background=_Drawn(_draw(box, signer, fingerprint, when, code, code_box, foot)),
        background_layout=layout.SimpleBoxLayoutRule(
            x_align=layout.AxisAlignment.ALIGN_MIN,
            y_align=layout.AxisAlignment.ALIGN_MIN,
            margins=layout.Margins.uniform(0),
            inner_content_scaling=layout.InnerScaling.NO_SCALING,
        ),
        background_opacity=1.0,
        border_width=0,
    )


def _draw(
    box: Box,
    signer: str,
    fingerprint: str,
    when: datetime,
    code: str | None,
    code_box: Box | None,
    foot: float,
) -> bytes:
    fonts.register()
    left, low, right, high = box
    out = io.BytesIO()
    canvas = TaggedCanvas(
        out, root=Node("Document"), pagesize=(right - left, high - low), invariant=1
    )
    room = right - left
    if code_box is not None:
        room = code_box[0] - left - 12
    canvas.setFillColorRGB(*WHITE)
    canvas.rect(0, foot, room, SIGNATURE_HEIGHT, stroke=0, fill=1)
    if code is not None and code_box is not None:
        x, y, side = code_box[0] - left, code_box[1] - low, code_box[2] - code_box[0]
        canvas.rect(x - 1, y - 1, side + 2, side + 2, stroke=0, fill=1)
        qr.draw(canvas, code, x=x, y=y, side=side)
    moment = when.astimezone(UTC)
    short = " ".join(fingerprint[i : i + 4] for i in range(0, 16, 4))
    said_by = say("paper.signed_by", name=signer)
    size = 8.0
    while size > 5 and fonts.width(said_by, fonts.SANS_MEDIUM, size) > room:
        size -= 0.25
    name = Block.of(said_by, face=fonts.SANS_MEDIUM, size=size, leading=size * 1.2, room=room)
    y = foot + SIGNATURE_HEIGHT - 1
    if len(name.lines) == 1:
        y -= 3
    y = name.draw(canvas, x=0, top=y)
    said = say("paper.stated", day=day_words(moment), time=f"{moment:%H:%M}")
    small = 6.8
    while fonts.width(said, fonts.SANS, small) > room:
        small -= 0.2
    y = Block.of(said, face=fonts.SANS, size=small, leading=8.6, room=room, color=LABEL).draw(
        canvas, x=0, top=y
    )
    Block.of(
        [(say("paper.key_word") + " ", fonts.SANS), (short, fonts.MONO)],
        face=fonts.SANS,
        size=6.8,
        leading=8.6,
        room=room,
        color=INK,
    ).draw(canvas, x=0, top=y)
    canvas.showPage()
    canvas.save()
    return out.getvalue()
