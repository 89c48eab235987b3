"""Papers rebuilt by somebody who holds a key of the office: signed whole, and refused in words."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import signers
from pyhanko.sign.fields import MDPPerm, SigFieldSpec, SigSeedSubFilter

from engine.reports import sign, verify

from .conftest import PASS, WHEN, Desk
from .test_thief import LATER, changed, plainly, refused


def paint(code: bytes, page: int = 0) -> Callable[[pikepdf.Pdf], None]:
    """Draw more on a page, within its own content, as an artefact."""

    def change(pdf: pikepdf.Pdf) -> None:
        content = pdf.pages[page].obj.Contents
        more = b"\n/Artifact <</Type /Layout>> BDC " + code + b" EMC\n"
        content.write(content.read_bytes() + more)

    return change


def second_file(pdf: pikepdf.Pdf) -> None:
    """Another result.json before the true one: some readers take the first."""
    names = pdf.Root.Names.EmbeddedFiles.Names
    spec = pikepdf.AttachedFileSpec(pdf, b"{}", filename="result.json")
    names.insert(0, spec.obj)
    names.insert(0, pikepdf.String("result.json"))


def related(pdf: pikepdf.Pdf) -> None:
    spec = pikepdf.AttachedFileSpec(pdf, b"{}", filename="result.json")
    pdf.Root.AF = pikepdf.Array([spec.obj])


def script(pdf: pikepdf.Pdf) -> None:
    act = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS="app.alert(1)")
    pdf.Root.Names.JavaScript = pikepdf.Dictionary(Names=pikepdf.Array(["a", act]))


def cropped(pdf: pikepdf.Pdf) -> None:
    pdf.pages[0].obj.CropBox = pikepdf.Array([0, 300, 595, 842])


def turned(pdf: pikepdf.Pdf) -> None:
    pdf.pages[0].obj.Rotate = 180


def shorter(pdf: pikepdf.Pdf) -> None:
    del pdf.pages[2:]


def longer(pdf: pikepdf.Pdf) -> None:
    pdf.pages.append(pdf.pages[1])


def in_pieces(pdf: pikepdf.Pdf) -> None:
    pdf.pages[1].contents_add(b"q 1 1 1 rg 0 0 600 400 re f Q")


def malware(pdf: pikepdf.Pdf) -> None:
    pdf.attachments["tool.exe"] = b"MZ"


def plan(pdf: pikepdf.Pdf) -> None:
    pdf.attachments["plan.json"] = b'{"schema":"fairassay-plan/1","seed":1}'


WHITE_BOX = b"q 1 1 1 rg n 50 500 480 60 re f* Q"
HIDDEN = b"BT 1 0 0 1 60 60 Tm 1 1 1 rg /F2+0 8 Tf (x) Tj ET"
TINY = b"BT 1 0 0 1 60 60 Tm 0 0 0 rg /F2+0 0.1 Tf (x) Tj ET"
BESIDE = b"BT 1 0 0 1 -60 60 Tm 0 0 0 rg /F2+0 8 Tf (x) Tj ET"
UNSEEN = b"BT 3 Tr 1 0 0 1 60 60 Tm 0 0 0 rg /F2+0 8 Tf (x) Tj ET"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (paint(WHITE_BOX), "something painted over words"),
        (paint(HIDDEN), "words that nobody sees"),
        (paint(TINY), "words that nobody sees"),
        (paint(BESIDE), "words beside the page"),
        (paint(UNSEEN), "operator Tr"),
        (in_pieces, "Contents in pieces"),
        (second_file, "a file twice"),
        (related, "AF"),
        (script, "JavaScript"),
        (cropped, "CropBox"),
        (turned, "Rotate"),
        (malware, "file tool.exe"),
        (shorter, "pages were taken out"),
        (longer, "pages were taken out or put in"),
        (plan, "not the plan that gave the result"),
    ],
)
def test_a_paper_rebuilt_and_signed_by_a_colleague(
    desk: Desk, tmp_path: Path, change: Callable[[pikepdf.Pdf], None], words: str
) -> None:
    path = tmp_path / "rebuilt.pdf"
    path.write_bytes(plainly(changed(desk, change), desk.dora))
    refused(path, desk, words)


def field_of(content: bytes, key: Path, **more: Any) -> bytes:
    """A certifying signature whose field lies where it is told."""
    signer = signers.SimpleSigner.load_pkcs12(key, passphrase=PASS.encode())
    meta = signers.PdfSignatureMetadata(
        field_name="Decider", subfilter=SigSeedSubFilter.PADES, md_algorithm="sha256",
        certify=True, docmdp_permissions=MDPPerm.NO_CHANGES,
    )  # fmt: skip
    writer = IncrementalPdfFileWriter(io.BytesIO(content))
    spec = SigFieldSpec("Decider", **more)
    return bytes(sign._Signer(meta, signer=signer, when=WHEN, new_field_spec=spec).sign_pdf(writer).getvalue())  # fmt: skip


def test_a_signature_drawn_over_the_verdict(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "over.pdf"
    path.write_bytes(field_of(desk.unsigned.read_bytes(), desk.eva, box=(50, 400, 540, 600)))
    refused(path, desk, "not drawn as FairAssay draws it")


@pytest.mark.parametrize("what", ["name", "code"])
def test_a_signature_block_that_says_something_else(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """The stamp shows another person, or a code that leads to another result."""
    style = sign.stamp.style

    def other(**given: Any) -> Any:
        if what == "name":
            given["signer"] = "The Minister"
        else:
            given["code"] = given["code"].replace("EAO-2026-0017", "EAO-2026-0018")
        return style(**given)

    monkeypatch.setattr(sign.stamp, "style", other)
    path = tmp_path / "said.pdf"
    sign.sign(path=desk.unsigned, key=desk.eva, out=path, passphrase=PASS, when=WHEN)
    refused(path, desk, "The signature of Eva Example that page 1 shows")


def test_times_that_contradict(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "times.pdf"
    early = WHEN - timedelta(days=1)
    sign.sign(path=desk.first, key=desk.dora, out=path, passphrase=PASS, when=early)
    refused(path, desk, "states an earlier time than Eva Example")
    early = WHEN - timedelta(days=20)
    sign.sign(path=desk.unsigned, key=desk.eva, out=path, passphrase=PASS, when=early)
    refused(path, desk, "states 9 November 2026, before the decision of 28 November 2026")


def test_a_second_signature_in_a_field_that_forbids_nothing(desk: Desk, tmp_path: Path) -> None:
    """The evaluator leaves the paper open, and a decider's field is put in later."""

    def signed(content: bytes, key: Path, name: str, certify: bool) -> bytes:
        signer = signers.SimpleSigner.load_pkcs12(key, passphrase=PASS.encode())
        meta = signers.PdfSignatureMetadata(
            field_name=name, subfilter=SigSeedSubFilter.PADES, md_algorithm="sha256",
            certify=certify, docmdp_permissions=MDPPerm.FILL_FORMS,
        )  # fmt: skip
        writer = IncrementalPdfFileWriter(io.BytesIO(content))
        return bytes(
            sign._Signer(meta, signer=signer, when=WHEN, new_field_spec=SigFieldSpec(name))
            .sign_pdf(writer)
            .getvalue()
        )

    first = signed(desk.statement.read_bytes(), desk.eva, "Evaluator", True)
    path = tmp_path / "open.pdf"
    path.write_bytes(signed(first, desk.dora, "Decider", False))
    refused(path, desk, "does not forbid later changes")
    assert verify.verify(desk.both, trust=desk.root, today=LATER).valid
