"""Bad input: a sentence each, that names the mend."""

from __future__ import annotations

import random
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import pkcs12

from engine.base.problems import Refused
from engine.messages.reports import TEXTS
from engine.reports import certificate, fonts, keys, sign, verify

from . import samples
from .conftest import PASS, TODAY, WHEN, Desk


def said(refusal: pytest.ExceptionInfo[Refused]) -> str:
    assert len(refusal.value.problems) == 1
    return str(refusal.value.problems[0])


def signing(desk: Desk, tmp_path: Path, **more: Any) -> sign.Signed:
    asked: dict[str, Any] = {
        "path": desk.unsigned, "key": desk.eva, "out": tmp_path / "out.pdf", "passphrase": PASS,
        "when": WHEN,
    } | more  # fmt: skip
    return sign.sign(**asked)


def refused(desk: Desk, tmp_path: Path, words: str, **more: Any) -> None:
    with pytest.raises(Refused) as refusal:
        signing(desk, tmp_path, **more)
    assert words in said(refusal)
    assert list(tmp_path.glob("out.pdf")) == []


def test_wrong_passphrase(desk: Desk, tmp_path: Path) -> None:
    refused(desk, tmp_path, "passphrase does not open this key", passphrase="wrong")


def test_key_out_of_its_time(desk: Desk, tmp_path: Path) -> None:
    refused(desk, tmp_path, "expired on 2029-11-01", when=datetime(2030, 1, 1, tzinfo=UTC))
    refused(desk, tmp_path, "not valid before 2026-10-31", when=datetime(2026, 1, 1, tzinfo=UTC))


def _key(folder: Path, *, usage: bool | None, private: Any = None) -> Path:
    private = private or ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Nobody")])
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(private.public_key())
        .serial_number(7)
        .not_valid_before(datetime(2026, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(2028, 1, 1, tzinfo=UTC))
    )
    own = isinstance(private, ed25519.Ed25519PrivateKey)
    if usage is not None:
        flags = dict.fromkeys(
            ("content_commitment", "data_encipherment", "key_cert_sign", "crl_sign",
             "encipher_only", "decipher_only"), False,
        ) | {"digital_signature": usage}  # fmt: skip
        builder = builder.add_extension(
            x509.KeyUsage(key_encipherment=False, key_agreement=True, **flags), critical=True
        )
    certificate_ = builder.sign(private, None if own else hashes.SHA256())
    path = folder / "other.p12"
    lock = serialization.BestAvailableEncryption(PASS.encode())
    path.write_bytes(pkcs12.serialize_key_and_certificates(b"x", private, certificate_, None, lock))
    return path


def test_key_without_signing_use(desk: Desk, tmp_path: Path) -> None:
    refused(desk, tmp_path, "does not allow signing", key=_key(tmp_path, usage=False))
    refused(desk, tmp_path, "does not allow signing", key=_key(tmp_path, usage=None))


def test_keys_that_others_cannot_check(desk: Desk, tmp_path: Path) -> None:
    for private in (ed25519.Ed25519PrivateKey.generate(), rsa.generate_private_key(65537, 1024)):
        refused(
            desk, tmp_path, "of RSA with at least 2048 bits",
            key=_key(tmp_path, usage=True, private=private),
        )  # fmt: skip


def test_no_key_file(desk: Desk, tmp_path: Path) -> None:
    text = tmp_path / "notes.p12"
    text.write_text("no key")
    refused(desk, tmp_path, "no PKCS#12 key file", key=text)
    refused(desk, tmp_path, "cannot be read", key=tmp_path / "missing.p12")


def test_files_that_are_no_paper(desk: Desk, tmp_path: Path) -> None:
    text = tmp_path / "letter.pdf"
    text.write_text("Dear office")
    refused(desk, tmp_path, "not a PDF", path=text)
    refused(desk, tmp_path, "cannot be read", path=tmp_path / "missing.pdf")
    refused(desk, tmp_path, "folder", path=tmp_path)
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7\nrubbish")
    refused(desk, tmp_path, "damaged", path=broken)
    plain = tmp_path / "plain.pdf"
    with pikepdf.new() as pdf:
        pdf.add_blank_page()
        pdf.save(plain)
    refused(desk, tmp_path, "no certificate or statement", path=plain)


def test_a_damaged_paper_is_never_signed_and_never_a_fault_of_ours(
    desk: Desk, tmp_path: Path
) -> None:
    """Cut short, overwritten in pieces, pieces taken out: a refusal, or a signature."""
    rng = random.Random(20261130)
    whole = desk.unsigned.read_bytes()
    path = tmp_path / "damaged.pdf"
    for kind in range(24):
        content = bytearray(whole)
        place, length = rng.randrange(len(content) - 3000), rng.choice([4, 50, 2000])
        if kind % 3 == 0:
            content[place : place + length] = rng.randbytes(length)
        elif kind % 3 == 1:
            del content[place : place + length]
        else:
            del content[place + length :]
        path.write_bytes(content)
        try:
            signing(desk, tmp_path, path=path)
        except Refused as refusal:
            assert "damaged" in str(refusal) or "no certificate" in str(refusal)


def test_encrypted(desk: Desk, tmp_path: Path) -> None:
    for owner, user in (("owner", ""), ("owner", "user")):
        locked = tmp_path / "locked.pdf"
        with pikepdf.open(desk.unsigned) as pdf:
            pdf.save(locked, encryption=pikepdf.Encryption(owner=owner, user=user))
        refused(desk, tmp_path, "encrypted", path=locked)
        found = verify.verify(locked, trust=desk.root)
        assert not found.valid and "encrypted" in found.lines[0]


def test_two_hundred_megabytes(desk: Desk, tmp_path: Path) -> None:
    huge = tmp_path / "huge.pdf"
    with huge.open("wb") as file:
        file.write(b"%PDF-1.7\n")
        file.truncate(200 * 2**20)
    refused(desk, tmp_path, "200 MB", path=huge)
    found = verify.verify(huge, trust=desk.root)
    assert not found.valid and "200 MB" in found.lines[0]


def test_order_of_signing(desk: Desk, tmp_path: Path) -> None:
    refused(desk, tmp_path, "signed already", path=desk.signed)
    refused(desk, tmp_path, "signed already", path=desk.both)
    refused(desk, tmp_path, "evaluator has signed", path=desk.first, role="evaluator")


def test_a_paper_that_names_another_key(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "named.pdf"
    path.write_bytes(
        certificate.build(
            state=samples.case("grant"), result=desk.result, fingerprint="00" * 32,
            **samples.files(desk.result),
        )
    )  # fmt: skip
    refused(desk, tmp_path, "names the key 0000", path=path)


def test_out_cannot_be_written(desk: Desk, tmp_path: Path) -> None:
    refused(desk, tmp_path, "cannot be written", out=tmp_path / "nowhere" / "out.pdf")


def test_verify_refuses_only_what_it_cannot_judge(desk: Desk, tmp_path: Path) -> None:
    with pytest.raises(Refused):
        verify.verify(tmp_path / "missing.pdf", trust=desk.root)
    with pytest.raises(Refused):
        verify.verify(tmp_path, trust=desk.root)
    bad = tmp_path / "root.pem"
    bad.write_text("no root")
    with pytest.raises(Refused) as refusal:
        verify.verify(desk.signed, trust=bad)
    assert "root" in said(refusal)
    for content in (b"", b"no PDF", b"%PDF-1.7\n%%EOF"):
        path = tmp_path / "odd.pdf"
        path.write_bytes(content)
        assert not verify.verify(path, trust=desk.root).valid


@pytest.mark.parametrize(
    ("name", "words"),
    [("", "empty"), ("a/b", "holds one of"), ("root", "name of the office"), ("n" * 65, "64 fit")],
)
def test_names_of_keys(tmp_path: Path, name: str, words: str) -> None:
    with pytest.raises(Refused) as refusal:
        keys.make(name=name, out=tmp_path, passphrase=PASS, today=TODAY)
    assert words in said(refusal)
    assert list(tmp_path.iterdir()) == []


def test_keys_are_never_overwritten(tmp_path: Path) -> None:
    first = keys.make(name="Eva", out=tmp_path, passphrase=PASS, today=TODAY)
    before = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    with pytest.raises(Refused) as refusal:
        keys.make(name="Eva", out=tmp_path, passphrase=PASS, today=TODAY)
    assert "never overwritten" in said(refusal)
    with pytest.raises(Refused) as refusal:
        keys.make(name="Dora", out=tmp_path, passphrase="another passphrase", today=TODAY)
    assert "does not open the office's root" in said(refusal)
    with pytest.raises(Refused):
        keys.make(name="Dora", out=tmp_path, passphrase="short", today=TODAY)
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == before
    assert first.new_root and (tmp_path / "Eva.p12").stat().st_mode & 0o077 == 0
    (tmp_path / "root.p12").unlink()
    with pytest.raises(Refused) as refusal:
        keys.make(name="Dora", out=tmp_path, passphrase=PASS, today=TODAY)
    assert "incomplete" in said(refusal)


def test_passphrases_are_nowhere_on_disk(tmp_path: Path) -> None:
    keys.make(name="Eva", out=tmp_path, passphrase="correct horse battery", today=TODAY)
    for path in tmp_path.iterdir():
        content = path.read_bytes()
        assert b"correct horse" not in content
        assert b"PRIVATE KEY" not in content


def test_a_grant_above_the_recommendation(desk: Desk) -> None:
    german = samples.german()
    with pytest.raises(Refused) as refusal:
        certificate.build(state=samples.case("grant"), result=german, **samples.files(german))
    assert "cannot be granted above it" in said(refusal)


def test_issued_before_it_was_decided(desk: Desk) -> None:
    state = samples.case("grant")
    state["certificate"]["issued"] = "2026-11-01"
    with pytest.raises(Refused) as refusal:
        certificate.build(state=state, result=desk.result, **samples.files(desk.result))
    assert "before the decision" in said(refusal)


@pytest.mark.parametrize(
    ("text", "words"),
    [("東京銀行", "U+6771"), ("بنك", "right to left"), ("Bank \U0001f9ea", "U+1F9EA")],
)
def test_characters_that_cannot_be_printed(desk: Desk, text: str, words: str) -> None:
    state = samples.case("grant")
    state["case"]["provider"] = text
    with pytest.raises(Refused) as refusal:
        certificate.build(state=state, result=desk.result, **samples.files(desk.result))
    assert words in said(refusal)


def test_a_missing_glyph_takes_the_stand_in() -> None:
    fonts.register()
    assert [face for face, _ in fonts.runs("a ☃ b", fonts.SANS)] == [
        fonts.SANS, fonts.STAND_IN, fonts.SANS,
    ]  # fmt: skip
    assert fonts.runs("e\u0301", fonts.SANS) == ((fonts.SANS, "é"),)


def test_words_of_the_messages() -> None:
    for code, text in TEXTS.items():
        assert not re.search(r"\b(please|successfully|compliant|fair)\b", text.lower()), code
