"""Evidence pages, fonts and words beside the pages, changed before a colleague signs again."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import signers
from pyhanko.sign.fields import MDPPerm, SigFieldSpec, SigSeedSubFilter

from engine.base.canonical import canonical_json
from engine.reports import bound, certificate, sign, verify

from . import samples
from .conftest import PASS, WHEN, Desk
from .test_forged_pages import paint
from .test_thief import LATER, changed, plainly, refused

Change = Callable[[pikepdf.Pdf], None]
WHITE = b"q 1 1 1 rg 50 100 500 500 re f* Q"


def evidence_page(pdf: pikepdf.Pdf, words: bytes) -> Any:
    return next(p.obj for p in list(pdf.pages)[1:] if words in p.obj.Contents.read_bytes())


def better_figure(pdf: pikepdf.Pdf) -> None:
    content = evidence_page(pdf, b"(0.914)").Contents
    content.write(content.read_bytes().replace(b"(0.914)", b"(0.994)"))


def another_sentence(pdf: pikepdf.Pdf) -> None:
    content = evidence_page(pdf, b"Loans to companies").Contents
    content.write(content.read_bytes().replace(b"Loans to companies", b"Nothing"))


def drawing(page: int) -> Change:
    """A drawing of its own, called by a page: it may hold anything."""

    def change(pdf: pikepdf.Pdf) -> None:
        code = b"1 1 1 rg 0 0 600 700 re f"
        form = pdf.make_stream(
            code, Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Form, BBox=[0, 0, 600, 800]
        )
        found = pdf.pages[page].obj
        found.Resources.XObject["/Cover"] = form
        found.Contents.write(found.Contents.read_bytes() + b" q /Cover Do Q")

    return change


def grown_number(pdf: pikepdf.Pdf) -> None:
    """The drawing that ours have, the number of pages, grows a white sheet."""
    for form in pdf.pages[0].obj.Resources.XObject.values():
        form.write(form.read_bytes() + b" q 1 1 1 rg -500 -100 900 900 re f Q")
        form.BBox = pikepdf.Array([-600, -100, 900, 900])


def unseen(pdf: pikepdf.Pdf) -> None:
    content = pdf.pages[1].obj.Contents
    content.write(b"3 Tr\n" + content.read_bytes())


def fonts_of_page_1(pdf: pikepdf.Pdf) -> list[Any]:
    held = pdf.pages[0].obj.Resources.Font
    return [held[name] for name in sorted(held.keys())]


def other_letters(pdf: pikepdf.Pdf) -> None:
    """Readers take the true words from the font's table; the letters drawn are others."""
    one, two = fonts_of_page_1(pdf)[:2]
    one.FontDescriptor.FontFile2 = two.FontDescriptor.FontFile2


def other_codes(pdf: pikepdf.Pdf) -> None:
    nines = pikepdf.Dictionary(
        Type=pikepdf.Name.Encoding, Differences=pikepdf.Array([48, pikepdf.Name.nine])
    )
    for font in fonts_of_page_1(pdf):
        font.Encoding = nines


def no_widths(pdf: pikepdf.Pdf) -> None:
    for font in fonts_of_page_1(pdf):
        font.Widths = pikepdf.Array([0] * len(font.Widths))


def other_table(pdf: pikepdf.Pdf) -> None:
    """The table for readers exchanged: copied text says what the page does not show."""
    for font in fonts_of_page_1(pdf):
        table = font.ToUnicode
        table.write(table.read_bytes().replace(b"<0039>", b"<0038>"))


def words_for_screen_readers(pdf: pikepdf.Pdf) -> None:
    for element in pdf.objects:
        if isinstance(element, pikepdf.Dictionary) and "It holds" not in str(element.get("/Alt", "It holds")):  # fmt: skip
            element.Alt = "All of it lies within the tolerance."


def bookmark(pdf: pikepdf.Pdf) -> None:
    with pdf.open_outline() as outline:
        outline.root[0].title = "Passed"


def longer_title(pdf: pikepdf.Pdf) -> None:
    pdf.docinfo["/Title"] = f"{pdf.docinfo['/Title']} for Other Bank"


def resealed(change: Change) -> Change:
    """The thief knows the fingerprints too, and makes them anew."""

    def both(pdf: pikepdf.Pdf) -> None:
        change(pdf)
        stream = pdf.attachments["certificate.json"].obj.EF.F
        told = json.loads(stream.read_bytes())
        told.update(pages=bound.pages(pdf), beside=bound.beside(pdf))
        stream.write(canonical_json(told).encode())

    return both


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (better_figure, "lack “Disparate impact, age: 0.914 0.903 to 0.925”"),
        (another_sentence, "Page 2 is not as it was printed"),
        (paint(WHITE, 1), "something painted over words"),
        (drawing(0), "a drawing on a page"),
        (drawing(1), "a drawing on a page"),
        (grown_number, "a drawing on a page"),
        (unseen, "operator Tr"),
        (other_letters, "a font whose letters are not those of its name"),
        (other_codes, "a font whose letters are not those of its name"),
        (no_widths, "a font whose letters are not those of its name"),
        (other_table, "a font whose letters are not those of its name"),
        (words_for_screen_readers, "words for screen readers are not as they were printed"),
        (bookmark, "words for screen readers are not as they were printed"),
        (longer_title, "words for screen readers are not as they were printed"),
    ],
)
def test_evidence_changed_before_a_colleague_signs(
    desk: Desk, tmp_path: Path, change: Change, words: str
) -> None:
    path = tmp_path / "changed.pdf"
    path.write_bytes(plainly(changed(desk, change), desk.dora))
    refused(path, desk, words)


@pytest.mark.parametrize(
    "change",
    [better_figure, paint(WHITE, 1), drawing(0), drawing(1), grown_number, unseen, other_letters,
     other_codes, no_widths, other_table],
)  # fmt: skip
def test_fingerprints_made_anew_do_not_help(desk: Desk, tmp_path: Path, change: Change) -> None:
    path = tmp_path / "resealed.pdf"
    path.write_bytes(plainly(changed(desk, resealed(change)), desk.dora))
    found = verify.verify(path, trust=desk.root, today=LATER)
    assert not found.valid and not found.intact, found.lines


def test_fingerprints_made_anew_of_the_true_paper(desk: Desk, tmp_path: Path) -> None:
    """The forger's own tool breaks nothing by itself: what refuses above is the change."""
    path = tmp_path / "same.pdf"
    path.write_bytes(plainly(changed(desk, resealed(lambda pdf: None)), desk.dora))
    assert verify.verify(path, trust=desk.root, today=LATER).valid


def test_a_certificate_painted_over_a_result_that_carries_none(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certificate, "_allowed", lambda found: None)
    german = samples.german()
    drawn = certificate.build(state=samples.case("grant"), result=german, **samples.files(german))
    path = tmp_path / "granted.pdf"
    path.write_bytes(plainly(drawn, desk.dora))
    refused(path, desk, "the attached result does not carry one: the result is “not settled”")


@pytest.mark.parametrize(
    ("subfilter", "more"),
    [
        (SigSeedSubFilter.ADOBE_PKCS7_DETACHED, {}),
        (SigSeedSubFilter.PADES, {"name": "The Minister"}),
        (SigSeedSubFilter.PADES, {"location": "Brussels"}),
    ],
)
def test_a_signature_of_another_form(
    desk: Desk, tmp_path: Path, subfilter: SigSeedSubFilter, more: dict[str, str]
) -> None:
    """What readers show beside the signature is part of what it says."""
    signer = signers.SimpleSigner.load_pkcs12(desk.eva, passphrase=PASS.encode())
    meta = signers.PdfSignatureMetadata(
        field_name="Decider", subfilter=subfilter, md_algorithm="sha256", certify=True,
        docmdp_permissions=MDPPerm.NO_CHANGES, **more,
    )  # fmt: skip
    writer = IncrementalPdfFileWriter(io.BytesIO(desk.unsigned.read_bytes()))
    tool = sign._Signer(meta, signer=signer, when=WHEN, new_field_spec=SigFieldSpec("Decider"))
    path = tmp_path / "form.pdf"
    path.write_bytes(tool.sign_pdf(writer).getvalue())
    refused(path, desk, "is not of the form that FairAssay makes")


def test_a_signature_block_drawn_with_other_letters(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table for readers names Eva; the letters drawn spell somebody else."""
    made = sign.stamp.style

    def swapped(**given: Any) -> Any:
        style = made(**given)
        with pikepdf.open(io.BytesIO(style.background.pdf)) as pdf:
            other_letters(pdf)
            out = io.BytesIO()
            pdf.save(out)
        style.background.pdf = out.getvalue()
        return style

    monkeypatch.setattr(sign.stamp, "style", swapped)
    path = tmp_path / "letters.pdf"
    sign.sign(path=desk.unsigned, key=desk.eva, out=path, passphrase=PASS, when=WHEN)
    refused(path, desk, "The signature of Eva Example that page 1 shows")
