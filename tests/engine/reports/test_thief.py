"""A thief with a key, a copy of a paper and time: whatever is forged is refused in words."""

from __future__ import annotations

import io
import json
import time
import zlib
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import pkcs12
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import signers
from pyhanko.sign.fields import MDPPerm, SigFieldSpec, SigSeedSubFilter

from engine.base.canonical import canonical_json
from engine.base.problems import Refused
from engine.reports import certificate, keys, packing, sign, verify

from . import samples
from .conftest import PASS, WHEN, Desk

LATER = date(2026, 12, 1)


def refused(path: Path, desk: Desk, words: str, trust: Path | None = None) -> None:
    found = verify.verify(path, trust=trust or desk.root, today=LATER)
    assert not found.valid and not found.intact
    assert words in found.lines[0], found.lines[0]


def plainly(content: bytes, key: Path, when: datetime = WHEN) -> bytes:
    """A certifying signature that no check of ours stands before."""
    writer = IncrementalPdfFileWriter(io.BytesIO(content))
    signer = signers.SimpleSigner.load_pkcs12(key, passphrase=PASS.encode())
    meta = signers.PdfSignatureMetadata(
        field_name="Decider", subfilter=SigSeedSubFilter.PADES, md_algorithm="sha256",
        certify=True, docmdp_permissions=MDPPerm.NO_CHANGES,
    )  # fmt: skip
    tool = sign._Signer(meta, signer=signer, when=when, new_field_spec=SigFieldSpec("Decider"))
    return bytes(tool.sign_pdf(writer).getvalue())


def changed(desk: Desk, change: Any) -> bytes:
    """The unsigned certificate after ``change(pdf)``."""
    with pikepdf.open(desk.unsigned) as pdf:
        change(pdf)
        out = io.BytesIO()
        pdf.save(out)
    return out.getvalue()


def updated(path: Path, change: Any) -> bytes:
    """A signed paper with an update appended, as ``change(writer)`` makes it."""
    writer = IncrementalPdfFileWriter(io.BytesIO(path.read_bytes()))
    change(writer)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def made_key(
    folder: Path, desk: Desk, *, signing: bool = True, until: date = date(2028, 1, 1)
) -> Path:
    """A key that the office's own root vouches for, as the test asks."""
    root_key, root, _ = pkcs12.load_key_and_certificates(
        (desk.root.parent / "root.p12").read_bytes(), PASS.encode()
    )
    assert isinstance(root_key, ec.EllipticCurvePrivateKey) and root is not None
    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Eva Example")])
    flags = dict.fromkeys(
        ("data_encipherment", "key_cert_sign", "crl_sign", "encipher_only", "decipher_only"), False
    )
    usage = x509.KeyUsage(
        digital_signature=signing, content_commitment=signing, key_encipherment=False,
        key_agreement=not signing, **flags,
    )  # fmt: skip
    own = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(root.subject)
        .public_key(private.public_key())
        .serial_number(77)
        .not_valid_before(datetime(2026, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime.combine(until, datetime.min.time(), UTC))
        .add_extension(usage, critical=True)
        .sign(root_key, hashes.SHA256())
    )
    path = folder / "made.p12"
    lock = serialization.BestAvailableEncryption(PASS.encode())
    path.write_bytes(pkcs12.serialize_key_and_certificates(b"x", private, own, [root], lock))
    return path


def test_an_overlay_after_signing(desk: Desk, tmp_path: Path) -> None:
    """An annotation that paints a white box with other words over the verdict."""

    def cover(writer: IncrementalPdfFileWriter) -> None:
        box = generic.ArrayObject(map(generic.NumberObject, (50, 300, 500, 400)))
        note = generic.DictionaryObject(
            {
                generic.pdf_name("/Type"): generic.pdf_name("/Annot"),
                generic.pdf_name("/Subtype"): generic.pdf_name("/FreeText"),
                generic.pdf_name("/Rect"): box,
                generic.pdf_name("/Contents"): generic.pdf_string("Within the tolerance"),
            }
        )
        page = writer.root["/Pages"]["/Kids"][0]
        page.setdefault(generic.pdf_name("/Annots"), generic.ArrayObject())
        page["/Annots"].append(writer.add_object(note))
        writer.update_container(page["/Annots"])
        writer.update_container(page)

    for name, path in (("one", desk.signed), ("first", desk.first), ("both", desk.both)):
        forged = tmp_path / f"{name}.pdf"
        forged.write_bytes(updated(path, cover))
        found = verify.verify(forged, trust=desk.root, today=LATER)
        assert not found.valid and not found.intact, name


def test_an_overlay_before_signing(desk: Desk, tmp_path: Path) -> None:
    """The same box is there already when an honest key signs."""

    def cover(pdf: pikepdf.Pdf) -> None:
        note = pikepdf.Dictionary(
            Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.FreeText, Rect=[50, 300, 500, 400],
            Contents="Within the tolerance",
        )  # fmt: skip
        pdf.pages[0].obj.Annots = pikepdf.Array([pdf.make_indirect(note)])

    path = tmp_path / "covered.pdf"
    path.write_bytes(plainly(changed(desk, cover), desk.eva))
    refused(path, desk, "can cover what was printed: FreeText")


def test_a_form_field_filled_anew(desk: Desk, tmp_path: Path) -> None:
    """The look of the signature field, and its name for readers, after the last signature."""

    def fill(writer: IncrementalPdfFileWriter) -> None:
        field = writer.root["/AcroForm"]["/Fields"][0]
        field[generic.pdf_name("/TU")] = generic.pdf_string("Signature of somebody else")
        writer.update_container(field)

    def look(writer: IncrementalPdfFileWriter) -> None:
        field = writer.root["/AcroForm"]["/Fields"][0]
        box = generic.ArrayObject(map(generic.NumberObject, (0, 0, 99, 99)))
        face = writer.add_object(
            generic.StreamObject(
                {
                    generic.pdf_name("/Type"): generic.pdf_name("/XObject"),
                    generic.pdf_name("/Subtype"): generic.pdf_name("/Form"),
                    generic.pdf_name("/BBox"): box,
                },
                stream_data=b"0 0 99 99 re f",
            )
        )
        field[generic.pdf_name("/AP")] = generic.DictionaryObject({generic.pdf_name("/N"): face})
        writer.update_container(field)

    for path in (desk.signed, desk.both):
        for change in (fill, look):
            forged = tmp_path / "filled.pdf"
            forged.write_bytes(updated(path, change))
            found = verify.verify(forged, trust=desk.root, today=LATER)
            assert not found.valid and not found.intact


def test_certificate_json_exchanged(desk: Desk, tmp_path: Path) -> None:
    """Ten more years in the summary, signed again by a colleague of the same office."""
    with pikepdf.open(desk.unsigned) as pdf:
        told = json.loads(pdf.attachments["certificate.json"].get_file().read_bytes())
    for key, value, words in (
        ("expires", "2037-11-26", "Valid until 26 November 2037"),
        ("decided", "2026-01-01", "Decided on 1 January 2026"),
        ("revision", 4, "Revision 4"),
        ("number", "EAO-2026-0099", "summary does not fit"),
        ("kind", "statement", "summary does not fit"),
    ):
        other = canonical_json({**told, key: value}).encode()

        def exchange(pdf: pikepdf.Pdf, other: bytes = other) -> None:
            pdf.attachments["certificate.json"] = other

        path = tmp_path / f"{key}.pdf"
        path.write_bytes(plainly(changed(desk, exchange), desk.dora))
        refused(path, desk, words)


def test_result_whose_fingerprint_is_printed_nowhere(desk: Desk, tmp_path: Path) -> None:
    """Another result, and a summary that names it: the code on page 1 still names the true one."""
    better = json.loads(canonical_json(desk.result))
    better["certification"]["fairness_score"]["value"] = 1.0
    raw = canonical_json(better).encode()

    def exchange(pdf: pikepdf.Pdf) -> None:
        from engine.base.canonical import sha256_of

        told = json.loads(pdf.attachments["certificate.json"].get_file().read_bytes())
        told["result_sha256"] = sha256_of(raw)
        pdf.attachments["result.json"] = raw
        pdf.attachments["certificate.json"] = canonical_json(told).encode()

    path = tmp_path / "better.pdf"
    path.write_bytes(plainly(changed(desk, exchange), desk.dora))
    refused(path, desk, "result.json is not the one that the QR code names")


def test_the_whole_code_moved_to_another_result(desk: Desk, tmp_path: Path) -> None:
    """Files and code of a better result, under the words of the true paper."""
    better = json.loads(canonical_json(desk.result))
    better["certification"]["fairness_score"]["value"] = 0.999
    drawn = certificate.build(
        state=samples.case("grant"), result=better, **samples.files(better)
    )  # fmt: skip
    with pikepdf.open(io.BytesIO(drawn)) as theirs, pikepdf.open(desk.unsigned) as mine:
        words = mine.pages[0].obj.Contents.read_bytes().split(b"0.955")
        theirs.pages[0].obj.Contents.write(
            theirs.pages[0].obj.Contents.read_bytes().replace(b"0.999", b"0.955")
        )
        assert len(words) > 1
        out = io.BytesIO()
        theirs.save(out)
    path = tmp_path / "moved.pdf"
    path.write_bytes(plainly(out.getvalue(), desk.dora))
    refused(path, desk, "lacks “Fairness Score 0.999”")


def test_re_signed_by_another_office(desk: Desk, tmp_path: Path) -> None:
    """A thief's own paper, own result and own root: whole, and by nobody that you trust."""
    thief = keys.make(name="Eva Example", out=tmp_path / "k", passphrase=PASS, today=LATER)
    path = tmp_path / "own.pdf"
    path.write_bytes(plainly(desk.unsigned.read_bytes(), thief.key, datetime(2026, 12, 1, tzinfo=UTC)))  # fmt: skip
    refused(path, desk, "not issued by the root")


def test_keys_out_of_time_or_use(desk: Desk, tmp_path: Path) -> None:
    content = desk.unsigned.read_bytes()
    path = tmp_path / "late.pdf"
    old = made_key(tmp_path, desk, until=date(2026, 11, 1))
    path.write_bytes(plainly(content, old))
    refused(path, desk, "not valid at the time that the signature states, 29 November 2026")
    wrong = made_key(tmp_path, desk, signing=False)
    path.write_bytes(plainly(content, wrong))
    refused(path, desk, "may not be used for signing")


def test_a_time_to_come(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "future.pdf"
    path.write_bytes(plainly(desk.unsigned.read_bytes(), desk.eva, WHEN + timedelta(days=90)))
    refused(path, desk, "states a time to come, 27 February 2027")
    assert verify.verify(path, trust=desk.root, today=date(2027, 3, 1)).valid


def bomb(desk: Desk) -> bytes:
    """A paper whose result.json unpacks to more than a gigabyte."""
    tool = zlib.compressobj(9)
    packed = b"".join(tool.compress(b" " * (1 << 20)) for _ in range(1100)) + tool.flush()

    def exchange(pdf: pikepdf.Pdf) -> None:
        stream = pdf.attachments["result.json"].obj.EF.F
        stream.write(packed, filter=pikepdf.Name.FlateDecode)

    with pikepdf.open(desk.unsigned) as pdf:
        exchange(pdf)
        out = io.BytesIO()
        pdf.save(out, compress_streams=False, stream_decode_level=pikepdf.StreamDecodeLevel.none)
    return out.getvalue()


def test_a_packed_bomb(desk: Desk, tmp_path: Path) -> None:
    import tracemalloc

    path = tmp_path / "bomb.pdf"
    content = bomb(desk)
    assert len(content) < 4 * 2**20
    path.write_bytes(content)
    begun = time.monotonic()
    tracemalloc.start()
    refused(path, desk, "unpacks to more than 256 MB")
    with pytest.raises(Refused, match="unpacks"):
        sign.sign(
            path=path, key=desk.eva, out=tmp_path / "o.pdf", passphrase=PASS, when=WHEN
        )  # fmt: skip
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 64 * 2**20
    assert time.monotonic() - begun < 30


@pytest.mark.parametrize(
    "head",
    [
        b"/Filter /LZWDecode",
        b"/Filter [/Fl#61teDecode /FlateDecode]",
        b"/F#69lter /Run#4cengthDecode",
        b"/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 2000000000 >>",
    ],
)
def test_other_ways_of_packing_are_not_unpacked(head: bytes) -> None:
    with pytest.raises(packing.Packed):
        packing.check(b"%PDF-1.7\n1 0 obj\n<< " + head + b" >>\nstream\nx\nendstream\nendobj\n")
    packing.check(b"%PDF-1.7\n1 0 obj\n<< /Filter /FlateDecode >>\nstream\nx\nendstream\nendobj\n")


def test_papers_of_every_kind_say_what_their_files_say(desk: Desk, tmp_path: Path) -> None:
    """Long names and other scripts on page 1 are read back whole, on A4 and Letter."""
    state, result = samples.crowded()
    for size in ("A4", "Letter"):
        path, out = tmp_path / "x.pdf", tmp_path / "y.pdf"
        path.write_bytes(
            certificate.build(state=state, result=result, page_size=size, **samples.files(result))
        )
        sign.sign(path=path, key=desk.eva, out=out, passphrase=PASS, when=WHEN)
        assert verify.verify(out, trust=desk.root, today=LATER).valid


def test_a_signing_key_vouches_for_nobody(desk: Desk, tmp_path: Path) -> None:
    """Eva's own key signs a certificate for somebody else, and brings the whole chain along."""
    eva_key, eva, _ = pkcs12.load_key_and_certificates(desk.eva.read_bytes(), PASS.encode())
    _, root, _ = pkcs12.load_key_and_certificates(
        (desk.root.parent / "root.p12").read_bytes(), PASS.encode()
    )
    assert isinstance(eva_key, ec.EllipticCurvePrivateKey)
    assert eva is not None and root is not None
    private = ec.generate_private_key(ec.SECP256R1())
    flags = dict.fromkeys(
        ("data_encipherment", "key_cert_sign", "crl_sign", "encipher_only", "decipher_only",
         "key_encipherment", "key_agreement"), False,
    )  # fmt: skip
    usage = x509.KeyUsage(digital_signature=True, content_commitment=True, **flags)
    minister = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "The Minister")])
    own = (
        x509.CertificateBuilder()
        .subject_name(minister)
        .issuer_name(eva.subject)
        .public_key(private.public_key())
        .serial_number(99)
        .not_valid_before(datetime(2026, 11, 1, tzinfo=UTC))
        .not_valid_after(datetime(2028, 1, 1, tzinfo=UTC))
        .add_extension(usage, critical=True)
        .sign(eva_key, hashes.SHA256())
    )
    path, key = tmp_path / "m.pdf", tmp_path / "m.p12"
    lock = serialization.BestAvailableEncryption(PASS.encode())
    key.write_bytes(pkcs12.serialize_key_and_certificates(b"m", private, own, [eva, root], lock))
    path.write_bytes(plainly(desk.unsigned.read_bytes(), key))
    refused(path, desk, "not issued by the root")
