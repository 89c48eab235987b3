"""What must be refused: changed, extended, unsigned, foreign, re-signed, misordered papers."""

from __future__ import annotations

import io
import random
from datetime import date, timedelta
from pathlib import Path

import pikepdf
import pytest
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import fields, signers
from pyhanko.sign.fields import MDPPerm, SigFieldSpec, SigSeedSubFilter
from reportlab.pdfgen.canvas import Canvas

from engine.reports import certificate, keys, sign, verify

from . import samples
from .conftest import PASS, TODAY, WHEN, Desk

LATER = date(2026, 12, 1)


def judged(content: bytes, desk: Desk, tmp_path: Path, trust: Path | None = None) -> verify.Verdict:
    path = tmp_path / "judged.pdf"
    path.write_bytes(content)
    return verify.verify(path, trust=trust or desk.root, today=LATER)


def test_what_is_right_is_valid(desk: Desk) -> None:
    one = verify.verify(desk.signed, trust=desk.root, today=LATER)
    assert one.valid and one.intact and one.kind == "certificate"
    assert [s.role for s in one.signers] == ["decider"]
    assert one.number == "EAO-2026-0017"
    two = verify.verify(desk.both, trust=desk.root, today=LATER)
    assert two.valid and two.kind == "statement"
    assert [(s.role, s.name) for s in two.signers] == [
        ("evaluator", "Eva Example"), ("decider", "Dora Ψ"),
    ]  # fmt: skip


def test_without_a_root_nobody_is_vouched_for(desk: Desk) -> None:
    found = verify.verify(desk.signed, today=LATER)
    assert found.intact and not found.valid
    assert "no root was named" in found.lines[0]


def test_expired_papers_say_so(desk: Desk) -> None:
    found = verify.verify(desk.signed, trust=desk.root, today=date(2030, 1, 1))
    assert found.expired
    assert "expired on 26 November 2027" in found.lines[0]
    assert any("key expired" in line for line in found.lines)


@pytest.mark.parametrize("path", ["signed", "both"])
def test_sixty_flipped_bits_are_caught(desk: Desk, tmp_path: Path, path: str) -> None:
    content = getattr(desk, path).read_bytes()
    hole = content.rindex(b"/Contents <")
    end = content.index(b">", hole)
    rng = random.Random(20261129)
    for _ in range(60):
        place = rng.choice([rng.randrange(hole), rng.randrange(end + 1, len(content))])
        broken = bytearray(content)
        broken[place] ^= 1 << rng.randrange(8)
        assert not judged(bytes(broken), desk, tmp_path).valid, place


def test_first_signatures_range_is_guarded_in_a_paper_signed_twice(
    desk: Desk, tmp_path: Path
) -> None:
    content = desk.both.read_bytes()
    inside = content.index(b"/Contents <") + 200
    broken = bytearray(content)
    broken[inside] = ord("0") if broken[inside] != ord("0") else ord("1")
    assert not judged(bytes(broken), desk, tmp_path).valid


def test_appended_bytes_are_caught(desk: Desk, tmp_path: Path) -> None:
    content = desk.signed.read_bytes()
    for more in (b"\n", b"%comment\n", b"\n%%EOF\n"):
        assert not judged(content + more, desk, tmp_path).valid


def test_appended_updates_are_caught(desk: Desk, tmp_path: Path) -> None:
    for path in (desk.signed, desk.both):
        content = path.read_bytes()
        writer = IncrementalPdfFileWriter(io.BytesIO(content))
        writer.root["/Lang"] = generic.pdf_string("de")
        writer.update_root()
        out = io.BytesIO()
        writer.write(out)
        assert not judged(out.getvalue(), desk, tmp_path).valid
        writer = IncrementalPdfFileWriter(io.BytesIO(content))
        stream = generic.StreamObject(stream_data=b"0 0 500 500 re f")
        writer.add_stream_to_page(0, writer.add_object(stream))
        out = io.BytesIO()
        writer.write(out)
        assert not judged(out.getvalue(), desk, tmp_path).valid


def test_a_change_between_two_signatures_is_caught(desk: Desk, tmp_path: Path) -> None:
    writer = IncrementalPdfFileWriter(io.BytesIO(desk.first.read_bytes()))
    stream = generic.StreamObject(stream_data=b"0 0 500 500 re f")
    writer.add_stream_to_page(0, writer.add_object(stream))
    out = io.BytesIO()
    writer.write(out)
    changed = tmp_path / "changed.pdf"
    changed.write_bytes(out.getvalue())
    signed = tmp_path / "changed-signed.pdf"
    try:
        sign.sign(path=changed, key=desk.dora, out=signed, passphrase=PASS, when=WHEN)
    except Exception:
        return
    assert not verify.verify(signed, trust=desk.root, today=LATER).valid


def test_removed_signatures_are_caught(desk: Desk, tmp_path: Path) -> None:
    found = judged(desk.unsigned.read_bytes(), desk, tmp_path)
    assert not found.valid and "no signature" in found.lines[0]
    with pikepdf.open(desk.signed) as pdf:
        del pdf.Root.AcroForm
        out = io.BytesIO()
        pdf.save(out)
    assert not judged(out.getvalue(), desk, tmp_path).valid
    assert not judged(desk.first.read_bytes(), desk, tmp_path).valid


def test_a_root_of_the_same_name_is_another(desk: Desk, tmp_path: Path) -> None:
    twin = keys.make(
        name="Eva Example", out=tmp_path / "twin", passphrase=PASS, today=TODAY,
        organisation="Example Audit Office",
    )  # fmt: skip
    assert not verify.verify(desk.signed, trust=twin.root, today=LATER).valid
    forged = tmp_path / "forged.pdf"
    sign.sign(path=desk.unsigned, key=twin.key, out=forged, passphrase=PASS, when=WHEN)
    found = verify.verify(forged, trust=desk.root, today=LATER)
    assert not found.valid and "not issued by the root" in found.lines[0]
    assert verify.verify(forged, trust=twin.root, today=LATER).valid


def _foreign(tmp_path: Path) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out)
    canvas.drawString(100, 700, "Certificate of fairness assessment EAO-2026-0017")
    canvas.save()
    return out.getvalue()


def _sign_plainly(
    content: bytes, key: Path, *, name: str = "Decider", certify: bool = True,
    level: MDPPerm = MDPPerm.NO_CHANGES,
) -> bytes:  # fmt: skip
    writer = IncrementalPdfFileWriter(io.BytesIO(content))
    signer = signers.SimpleSigner.load_pkcs12(key, passphrase=PASS.encode())
    meta = signers.PdfSignatureMetadata(
        field_name=name, subfilter=SigSeedSubFilter.PADES, md_algorithm="sha256", certify=certify,
        docmdp_permissions=level,
    )  # fmt: skip
    return bytes(
        signers.PdfSigner(meta, signer=signer, new_field_spec=SigFieldSpec(name)).sign_pdf(writer)
        .getvalue()
    )  # fmt: skip


def test_a_signed_pdf_that_is_no_certificate(desk: Desk, tmp_path: Path) -> None:
    found = judged(_sign_plainly(_foreign(tmp_path), desk.eva), desk, tmp_path)
    assert not found.valid and "no certificate" in found.lines[0]


def test_an_exchanged_attachment(desk: Desk, tmp_path: Path) -> None:
    with pikepdf.open(desk.unsigned) as pdf:
        pdf.attachments["result.json"] = b'{"schema":"fairassay-result/1"}'
        out = io.BytesIO()
        pdf.save(out)
    path = tmp_path / "exchanged.pdf"
    path.write_bytes(_sign_plainly(out.getvalue(), desk.dora))
    found = verify.verify(path, trust=desk.root, today=LATER)
    assert not found.valid and "result.json" in found.lines[0]


def test_a_code_that_says_something_else(desk: Desk, tmp_path: Path) -> None:
    """The tree tells the truth and the drawn code another number."""
    other = samples.case("grant")
    other["certificate"]["number"] = "EAO-2026-0018"
    drawn = certificate.build(state=other, result=desk.result, **samples.files(desk.result))
    with pikepdf.open(io.BytesIO(drawn)) as theirs, pikepdf.open(desk.unsigned) as pdf:
        page = pdf.copy_foreign(theirs.pages[0].obj)
        pdf.pages[0].obj.Contents = page.Contents
        pdf.pages[0].obj.Resources = page.Resources
        out = io.BytesIO()
        pdf.save(out)
    found = judged(_sign_plainly(out.getvalue(), desk.eva), desk, tmp_path)
    assert not found.valid and "QR code" in found.lines[0]


def test_signatures_in_the_wrong_order(desk: Desk, tmp_path: Path) -> None:
    first = _sign_plainly(desk.statement.read_bytes(), desk.dora, level=MDPPerm.FILL_FORMS)
    second = _sign_plainly(first, desk.eva, name="Evaluator", certify=False)
    found = judged(second, desk, tmp_path)
    assert not found.valid and "order" in found.lines[0]


def test_a_signature_that_allows_changes(desk: Desk, tmp_path: Path) -> None:
    for signed in (
        _sign_plainly(desk.unsigned.read_bytes(), desk.eva, certify=False),
        _sign_plainly(desk.unsigned.read_bytes(), desk.eva, level=MDPPerm.ANNOTATE),
    ):
        found = judged(signed, desk, tmp_path)
        assert not found.valid and "forbid" in found.lines[0]


def test_a_third_signature(desk: Desk, tmp_path: Path) -> None:
    writer = IncrementalPdfFileWriter(io.BytesIO(desk.both.read_bytes()))
    fields.append_signature_field(writer, SigFieldSpec("Witness"))
    signer = signers.SimpleSigner.load_pkcs12(desk.eva, passphrase=PASS.encode())
    meta = signers.PdfSignatureMetadata(field_name="Witness", md_algorithm="sha256")
    try:
        third = signers.PdfSigner(meta, signer=signer).sign_pdf(writer).getvalue()
    except Exception:
        return
    assert not judged(bytes(third), desk, tmp_path).valid


def test_another_key_than_the_paper_names(desk: Desk, tmp_path: Path) -> None:
    named = certificate.build(
        state=samples.case("grant"), result=desk.result, fingerprint=desk.fingerprint,
        **samples.files(desk.result),
    )  # fmt: skip
    path = tmp_path / "named.pdf"
    path.write_bytes(named)
    out = tmp_path / "out.pdf"
    sign.sign(path=path, key=desk.eva, out=out, passphrase=PASS, when=WHEN)
    assert verify.verify(out, trust=desk.root, today=LATER).valid
    found = judged(_sign_plainly(named, desk.dora), desk, tmp_path)
    assert not found.valid and "names the key" in found.lines[0]


def test_a_time_outside_the_keys_validity(desk: Desk, tmp_path: Path) -> None:
    """The stated time is the signer's own word, and it must at least fit the key."""
    writer = IncrementalPdfFileWriter(io.BytesIO(desk.unsigned.read_bytes()))
    signer = signers.SimpleSigner.load_pkcs12(desk.eva, passphrase=PASS.encode())
    meta = signers.PdfSignatureMetadata(
        field_name="Decider", subfilter=SigSeedSubFilter.PADES, md_algorithm="sha256",
        certify=True, docmdp_permissions=MDPPerm.NO_CHANGES,
    )  # fmt: skip
    tool = sign._Signer(
        meta, signer=signer, when=WHEN - timedelta(days=900),
        new_field_spec=SigFieldSpec("Decider"),
    )  # fmt: skip
    found = judged(bytes(tool.sign_pdf(writer).getvalue()), desk, tmp_path)
    assert not found.valid and "not valid at the time" in found.lines[0]
