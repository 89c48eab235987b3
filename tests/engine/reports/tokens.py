"""A token in software, with a signing key on it."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    pkcs12,
)

from engine.reports import sign

from .conftest import run

LIBRARY = Path("/usr/lib/softhsm/libsofthsm2.so")
PIN = "1234"


def soft_token(
    folder: Path, key: Path, passphrase: str, monkeypatch: pytest.MonkeyPatch
) -> sign.Token:
    """Put the key of a PKCS#12 file onto a new token; skips where SoftHSM is not installed."""
    if not LIBRARY.exists():
        pytest.skip("softhsm2 is not installed")
    pkcs11 = pytest.importorskip("pkcs11")
    (folder / "tokens").mkdir()
    config = folder / "softhsm.conf"
    config.write_text(f"directories.tokendir = {folder / 'tokens'}\nobjectstore.backend = file\n")
    monkeypatch.setenv("SOFTHSM2_CONF", str(config))
    run(
        "softhsm2-util", "--init-token", "--free", "--label", "office", "--pin", PIN,
        "--so-pin", "5678",
    )  # fmt: skip
    private, certificate, _ = pkcs12.load_key_and_certificates(
        key.read_bytes(), passphrase.encode()
    )
    assert isinstance(certificate, x509.Certificate)
    pem = folder / "key.pem"
    pem.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    run(
        "softhsm2-util", "--import", pem, "--token", "office", "--label", "dora", "--id", "01",
        "--pin", PIN,
    )  # fmt: skip
    library = pkcs11.lib(str(LIBRARY))
    library.reinitialize()  # an earlier test may have shown it other tokens
    names = pkcs11.Attribute
    with library.get_token(token_label="office").open(rw=True, user_pin=PIN) as session:
        session.create_object(
            {
                names.CLASS: pkcs11.ObjectClass.CERTIFICATE,
                names.CERTIFICATE_TYPE: pkcs11.CertificateType.X_509,
                names.TOKEN: True,
                names.LABEL: "dora",
                names.ID: b"\x01",
                names.VALUE: certificate.public_bytes(Encoding.DER),
                names.SUBJECT: certificate.subject.public_bytes(),
            }
        )
    return sign.Token(library=LIBRARY, token="office", label="dora")
