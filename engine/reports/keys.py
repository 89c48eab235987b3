"""Keys of an office: a root that vouches, and signing keys of its people.

The root's certificate (``root.pem``) is what others pin. Its key lies beside it in ``root.p12``,
locked by a passphrase, so that the office can make a key for its next auditor.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Literal

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import pkcs12
from cryptography.x509.oid import NameOID

from engine.base.problems import Problem, Refused
from engine.messages import say

from .files import write_whole

ROOT_PEM = "root.pem"
ROOT_P12 = "root.p12"
ROOT_YEARS = 20
KEY_YEARS = 3
LEAST_PASSPHRASE = 8
PrivateKey = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey
Kind = Literal["P-256", "RSA-3072"]


@dataclass(frozen=True)
class Made:
    """What was made: files, the fingerprint of the signing certificate, whether the root is new."""

    root: Path
    key: Path
    fingerprint: str
    root_fingerprint: str
    new_root: bool
    valid_until: date


def fingerprint(certificate: x509.Certificate) -> str:
    """SHA-256 of a certificate in hex."""
    return certificate.fingerprint(hashes.SHA256()).hex()


def make(
    *,
    name: str,
    out: Path,
    passphrase: str,
    today: date,
    organisation: str = "",
    kind: Kind = "P-256",
    root_passphrase: str | None = None,
    years: int = KEY_YEARS,
) -> Made:
    """Make a signing key, and the office's root where there is none yet.

    Parameters
    ----------
    name : str
        The person's name; it becomes the file's name and stands in every signature.
    out : Path
        Folder of the keys; made where it is missing.
    passphrase : str
        Locks the signing key, and a new root where ``root_passphrase`` is None.
    today : date
        First day of validity.
    organisation : str
        The office; the name itself where empty.
    kind : str
        ``P-256`` or ``RSA-3072``. Other readers cannot check Ed25519.
    root_passphrase : str, optional
        Locks the root's key.
    years : int
        Validity of the signing key; never beyond the root's.

    Returns
    -------
    Made

    Raises
    ------
    Refused
        For a name that is no file name, a short passphrase, a key of that name that exists
        already, a root without its key, a passphrase that does not open the root.
    """
    stem = _stem(name)
    if len(passphrase) < LEAST_PASSPHRASE:
        raise _refused("passphrase", "reports.passphrase_short", least=LEAST_PASSPHRASE)
    root_pem, root_p12, key_file = out / ROOT_PEM, out / ROOT_P12, out / f"{stem}.p12"
    if key_file.exists():
        raise _refused(key_file.name, "reports.key_exists")
    lock = passphrase if root_passphrase is None else root_passphrase
    new_root = not root_pem.exists()
    if new_root and root_p12.exists():
        raise _refused(ROOT_P12, "reports.root_half", missing=ROOT_PEM)
    if new_root:
        root_key, root = _make_root(organisation or name, today, kind)
    else:
        root_key, root = _open_root(root_pem, root_p12, lock, today)
    signing_key = _new_key(kind)
    certificate = _certificate(
        subject=_name(name, _organisation(root) if not new_root else organisation or name),
        issuer=root,
        issuer_key=root_key,
        key=signing_key,
        start=today,
        end=min(_plus_years(today, years), root.not_valid_after_utc.date()),
    )
    locked = pkcs12.serialize_key_and_certificates(
        name.encode(), signing_key, certificate, [root], _lock(passphrase)
    )
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise _refused(
            str(out.name), "reports.cannot_write", why=(fault.strerror or "unknown").lower()
        ) from None
    if new_root:
        stored = pkcs12.serialize_key_and_certificates(b"root", root_key, root, None, _lock(lock))
        write_whole(root_p12, stored, private=True)
        write_whole(root_pem, root.public_bytes(serialization.Encoding.PEM))
    write_whole(key_file, locked, private=True)
    return Made(
        root=root_pem,
        key=key_file,
        fingerprint=fingerprint(certificate),
        root_fingerprint=fingerprint(root),
        new_root=new_root,
        valid_until=certificate.not_valid_after_utc.date(),
    )


def _refused(file: str, code: str, **fields: object) -> Refused:
    return Refused(Problem(file, "", say(code, **fields)))


def _stem(name: str) -> str:
    stem = name.strip()
    if not stem or re.search(r'[\\/:*?"<>|\x00-\x1f]', stem) or stem in (".", ".."):
        raise _refused("name", "reports.key_name")
    if stem.casefold() == "root":
        raise _refused("name", "reports.key_name_root")
    if len(stem) > 64:
        raise _refused("name", "reports.key_name_long", length=len(stem))
    return stem


def _lock(passphrase: str) -> serialization.KeySerializationEncryption:
    return serialization.BestAvailableEncryption(passphrase.encode())


def _new_key(kind: Kind) -> PrivateKey:
    if kind == "RSA-3072":
        return rsa.generate_private_key(65537, 3072)
    return ec.generate_private_key(ec.SECP256R1())


def _name(common: str, organisation: str) -> x509.Name:
    return x509.Name(
        [
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, organisation[:64]),
            x509.NameAttribute(NameOID.COMMON_NAME, common[:64]),
        ]
    )


def _organisation(certificate: x509.Certificate) -> str:
    found = certificate.subject.get_attributes_for_oid(NameOID.ORGANIZATION_NAME)
    return str(found[0].value) if found else ""


def _moment(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _plus_years(day: date, years: int) -> date:
    try:
        return day.replace(year=day.year + years)
    except ValueError:  # 29 February
        return day.replace(year=day.year + years, day=28)


def _usage(*, root: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not root,
        content_commitment=not root,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=root,
        crl_sign=root,
        encipher_only=False,
        decipher_only=False,
    )


def _make_root(organisation: str, today: date, kind: Kind) -> tuple[PrivateKey, x509.Certificate]:
    key = _new_key(kind)
    name = _name(f"{organisation[:58]} root", organisation)
    public = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    root = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(_moment(today) - timedelta(days=1))
        .not_valid_after(_moment(_plus_years(today, ROOT_YEARS)))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(root=True), critical=True)
        .add_extension(public, critical=False)
        .sign(key, hashes.SHA256())
    )
    return key, root


def _certificate(
    *,
    subject: x509.Name,
    issuer: x509.Certificate,
    issuer_key: PrivateKey,
    key: PrivateKey,
    start: date,
    end: date,
) -> x509.Certificate:
    public = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    above = x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key())
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(_moment(start) - timedelta(days=1))
        .not_valid_after(_moment(end))
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(root=False), critical=True)
        .add_extension(public, critical=False)
        .add_extension(above, critical=False)
        .sign(issuer_key, hashes.SHA256())
    )


def _open_root(
    root_pem: Path, root_p12: Path, passphrase: str, today: date
) -> tuple[PrivateKey, x509.Certificate]:
    if not root_p12.exists():
        raise _refused(ROOT_PEM, "reports.root_half", missing=ROOT_P12)
    try:
        pinned = x509.load_pem_x509_certificate(root_pem.read_bytes())
    except (ValueError, OSError):
        raise _refused(ROOT_PEM, "reports.root_unreadable") from None
    try:
        key, root, _ = pkcs12.load_key_and_certificates(root_p12.read_bytes(), passphrase.encode())
    except (ValueError, OSError):
        raise _refused(ROOT_P12, "reports.root_passphrase") from None
    usable = isinstance(key, ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey)
    if not usable or root is None or root != pinned:
        raise _refused(ROOT_P12, "reports.root_mismatch")
    if root.not_valid_after_utc.date() <= today:
        raise _refused(
            ROOT_PEM, "reports.root_expired", day=root.not_valid_after_utc.date().isoformat()
        )
    assert isinstance(key, ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey)
    return key, root
