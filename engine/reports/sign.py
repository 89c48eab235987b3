"""Signing a paper: PAdES B-B, certifying, with a PKCS#12 file or a PKCS#11 token.

One signature (the decider's) forbids every later change. Where the office wants two, the
evaluator signs first and allows nothing but the decider's field to be filled; the decider's
signature then forbids every later change. Passphrases are used and forgotten.
"""

from __future__ import annotations

import io
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Literal

from asn1crypto import x509 as asn1_x509
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.hazmat.primitives.serialization.pkcs12 import load_key_and_certificates
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import fields, signers
from pyhanko.sign.fields import MDPPerm, SigFieldSpec, SigSeedSubFilter

from engine.base.canonical import sha256_of
from engine.base.problems import Problem, Refused
from engine.messages import say

from . import qr, stamp
from .files import write_whole
from .keys import fingerprint as fingerprint_of
from .page1_parts import DECIDER, EVALUATOR
from .paper_file import Paper, open_paper, read_bytes

Role = Literal["evaluator", "decider"]
FIELDS: dict[str, str] = {"evaluator": "Evaluator", "decider": "Decider"}
LEAST_RSA = 2048
_PLACES = {"evaluator": EVALUATOR, "decider": DECIDER}


@dataclass(frozen=True)
class Token:
    """A key on a PKCS#11 token; the passphrase is its PIN.

    Parameters
    ----------
    library : Path
        The token's PKCS#11 library.
    token : str
        Label of the token.
    label : str
        Label of key and certificate on it.
    """

    library: Path
    token: str
    label: str


@dataclass(frozen=True)
class Signed:
    """A signed file: where it lies, who signed it, with which key, and its own SHA-256."""

    path: Path
    role: Role
    signer: str
    fingerprint: str
    sha256: str


@dataclass(frozen=True)
class _Key:
    """A signer that is ready, and its certificate."""

    signer: Any
    certificate: x509.Certificate
    name: str
    on_token: bool = False


class _Writer(IncrementalPdfFileWriter):  # type: ignore[misc]
    """Leaves the file's version at 1.7: PDF/A-3 knows no later one, and PAdES needs none."""

    def ensure_output_version(self, version: Any) -> None:
        """Keep the version."""


class _Signer(signers.PdfSigner):  # type: ignore[misc]
    """States the time that it is given, not one that it reads from a clock."""

    def __init__(self, *args: Any, when: datetime, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.when = when

    def init_signing_session(self, *args: Any, **kwargs: Any) -> Any:
        """Begin a session at the stated time."""
        session = super().init_signing_session(*args, **kwargs)
        session.system_time = self.when
        return session


def sign(
    *,
    path: Path,
    key: Path | Token,
    out: Path,
    passphrase: str,
    when: datetime,
    role: Role | None = None,
    reason: str = "",
) -> Signed:
    """Sign a paper of ours.

    Parameters
    ----------
    path : Path
        The unsigned certificate or statement, or one that the evaluator has signed.
    key : Path or Token
        A PKCS#12 file, or a key on a token.
    out : Path
        Where the signed file goes; written whole or not at all.
    passphrase : str
        Of the PKCS#12 file, or the token's PIN.
    when : datetime
        The time that the signature states; others can only take it as stated.
    role : str, optional
        ``decider`` (the default) signs alone or second; ``evaluator`` signs first, and the
        decider's signature is then still to come.
    reason : str
        Why, in words; the role where empty.

    Returns
    -------
    Signed

    Raises
    ------
    Refused
        For a file that is no paper of ours, one signed already, a wrong passphrase, a key out of
        its validity, one without signing use, a token that cannot be reached, and for the
        evaluator's key in the decider's place or the other way round.
    """
    content = read_bytes(path)
    paper = _paper(content, path)
    who: Role = role or "decider"
    try:
        writer = _Writer(io.BytesIO(content))
        before = tuple(str(found.field_name) for found in writer.prev.embedded_signatures)
    except Exception:  # one reader takes what another does not: such a file is none of ours
        raise _refused(path.name, "reports.broken_pdf") from None
    _order(before, who, path)
    with ExitStack() as stack:
        ready = (
            _open_token(key, passphrase, stack)
            if isinstance(key, Token)
            else _open_file(key, passphrase)
        )
        source = key.label if isinstance(key, Token) else key.name
        _usable(ready.certificate, when.astimezone(UTC).date(), source)
        if paper.exchanged(who, ready.name):
            fields = {"signer": ready.name, "role": who, "named": paper.summary[who]}
            raise _refused(path.name, "reports.exchanged", **fields)
        signed = _apply(writer, paper, ready, who, before, when, reason, path)
    if not signed.startswith(content):
        raise RuntimeError("the signed file does not begin with the unsigned one")
    write_whole(out, signed)
    return Signed(
        path=out,
        role=who,
        signer=ready.name,
        fingerprint=fingerprint_of(ready.certificate),
        sha256=sha256_of(signed),
    )


def _refused(name: str, code: str, **more: object) -> Refused:
    return Refused(Problem(name, "", say(code, **more)))


def _paper(content: bytes, path: Path) -> Paper:
    try:
        paper = open_paper(content)
    except Exception:
        raise _refused(path.name, "reports.broken_pdf") from None
    if paper is None:
        raise _refused(path.name, "reports.not_ours")
    return paper


def _order(before: tuple[str, ...], who: Role, path: Path) -> None:
    if not before:
        return
    if before != (FIELDS["evaluator"],):
        raise _refused(path.name, "reports.signed_already")
    if who == "evaluator":
        raise _refused(path.name, "reports.evaluator_signed")


def _usable(certificate: x509.Certificate, today: date, source: str) -> None:
    start = certificate.not_valid_before_utc.date()
    end = certificate.not_valid_after_utc.date()
    if today < start:
        raise _refused(source, "reports.key_early", day=start.isoformat())
    if today > end:
        raise _refused(source, "reports.key_expired", day=end.isoformat())
    public = certificate.public_key()
    known = isinstance(public, rsa.RSAPublicKey) and public.key_size >= LEAST_RSA
    if not (known or isinstance(public, ec.EllipticCurvePublicKey)):
        raise _refused(source, "reports.key_kind", least=LEAST_RSA)
    try:
        usage = certificate.extensions.get_extension_for_class(x509.KeyUsage).value
    except x509.ExtensionNotFound:
        raise _refused(source, "reports.key_no_signing") from None
    if not (usage.digital_signature or usage.content_commitment):
        raise _refused(source, "reports.key_no_signing")


def _open_file(path: Path, passphrase: str) -> _Key:
    try:
        raw = path.read_bytes()
    except OSError as fault:
        why = (fault.strerror or "unknown").lower()
        raise _refused(path.name, "reports.cannot_read", why=why) from None
    try:
        private, certificate, _ = load_key_and_certificates(raw, passphrase.encode())
    except ValueError:
        # A wrong passphrase and a damaged file cannot be told apart with certainty.
        code = "reports.wrong_passphrase" if raw[:1] == b"\x30" else "reports.no_key_file"
        raise _refused(path.name, code) from None
    if private is None or certificate is None:
        raise _refused(path.name, "reports.no_key_inside")
    signer = signers.SimpleSigner.load_pkcs12_data(
        raw, other_certs=[], passphrase=passphrase.encode()
    )
    if signer is None:
        raise _refused(path.name, "reports.no_key_file")
    return _Key(signer, certificate, common_name(certificate))


def _open_token(token: Token, pin: str, stack: ExitStack) -> _Key:
    import pkcs11
    from pyhanko.config.pkcs11 import TokenCriteria
    from pyhanko.sign.pkcs11 import PKCS11Signer, open_pkcs11_session

    try:
        session = open_pkcs11_session(
            str(token.library), token_criteria=TokenCriteria(label=token.token), user_pin=pin
        )
        stack.callback(_close, session)
        signer = PKCS11Signer(session, cert_label=token.label, key_label=token.label)
        raw = signer.signing_cert.dump()
        # Many tokens sign a digest of ECDSA and do not make it: the digest is made here.
        signer.use_raw_mechanism = signer.signing_cert.public_key.algorithm == "ec"
    except (pkcs11.exceptions.PinIncorrect, pkcs11.exceptions.PinLenRange):
        raise _refused(token.token, "reports.wrong_pin") from None
    except Exception:  # whatever a token's library raises, the key cannot be used
        raise _refused(token.token, "reports.no_token", label=token.label) from None
    certificate = x509.load_der_x509_certificate(raw)
    return _Key(signer, certificate, common_name(certificate), on_token=True)


def _close(session: Any) -> None:
    """Leave a token; one that was pulled out has nothing more to close."""
    with suppress(Exception):
        session.close()


def common_name(certificate: x509.Certificate) -> str:
    """The name in a certificate, the same words for signing and for checking."""
    found = certificate.subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)
    return str(found[0].value) if found else "no name in the key"


def _apply(
    writer: _Writer,
    paper: Paper,
    key: _Key,
    who: Role,
    before: tuple[str, ...],
    when: datetime,
    reason: str,
    path: Path,
) -> bytes:
    fingerprint = fingerprint_of(key.certificate)
    decides = who == "decider"
    if decides and paper.key not in (qr.UNSIGNED, fingerprint[:16]):
        raise _refused(path.name, "reports.other_key", named=paper.key)
    box = paper.places[_PLACES[who]]
    code = None
    if decides and paper.key == qr.UNSIGNED:
        code = qr.payload(
            number=paper.number, result_sha256=paper.result_sha256, fingerprint=fingerprint
        )
    certifies = not before
    metadata = signers.PdfSignatureMetadata(
        field_name=FIELDS[who],
        subfilter=SigSeedSubFilter.PADES,
        md_algorithm="sha256",
        reason=reason or say("paper.signed_as", role=who),
        name=key.name,
        certify=certifies,
        docmdp_permissions=MDPPerm.NO_CHANGES if decides else MDPPerm.FILL_FORMS,
    )
    appearance = stamp.style(
        box=box,
        signer=key.name,
        fingerprint=fingerprint,
        when=when,
        code=code,
        code_box=paper.code_box if decides else None,
        foot=paper.places[EVALUATOR][1] - box[1],
    )
    signer = _Signer(metadata, signer=key.signer, stamp_style=appearance, when=when)
    try:
        if not before:
            for done, role in enumerate(("decider",) if decides else ("evaluator", "decider")):
                _add_field(writer, paper, role, locks=not decides and role == "decider")
                # Behind the place that it fills; the field before it has moved that by one.
                _tag_field(writer, paper.order[_PLACES[role]] + 1 + done)
        return bytes(signer.sign_pdf(writer).getvalue())
    except Exception:
        # Whatever its library raises, the token did not sign; and what is no damage of a file
        # whose key and look are ready stops no paper of ours.
        code = "reports.token_gone" if key.on_token else "reports.broken_pdf"
        raise _refused(path.name, code) from None


def _add_field(writer: IncrementalPdfFileWriter, paper: Paper, role: str, *, locks: bool) -> None:
    spec = SigFieldSpec(
        FIELDS[role],
        on_page=0,
        box=tuple(round(value, 2) for value in paper.places[_PLACES[role]]),
        readable_field_name=f"Signature of the {role}",
        field_mdp_spec=fields.FieldMDPSpec(fields.FieldMDPAction.ALL) if locks else None,
        doc_mdp_update_value=MDPPerm.NO_CHANGES if locks else None,
    )
    fields.append_signature_field(writer, spec)


def _tag_field(writer: IncrementalPdfFileWriter, place: int) -> None:
    """Put the newest field of page 1 into the tree of meaning, at a place of the document."""
    page = writer.root["/Pages"]
    while "/Kids" in page:
        page = page["/Kids"][0]
    held = page.container_ref
    page_of = generic.IndirectObject(held.idnum, held.generation, writer)
    field = page["/Annots"].raw_get(len(page["/Annots"]) - 1)
    tree = writer.root["/StructTreeRoot"]
    whole = tree["/K"].raw_get(0)
    order = whole.get_object()["/K"]
    number = generic.NumberObject(tree["/ParentTreeNextKey"])
    widget = {_name("Type"): _name("OBJR"), _name("Obj"): field, _name("Pg"): page_of}
    form = {
        _name("S"): _name("Form"),
        _name("P"): whole,
        _name("K"): generic.DictionaryObject(widget),  # no list of one: validators want it so
    }
    made = writer.add_object(generic.DictionaryObject(form))
    order.insert(place, made)
    field.get_object()[_name("StructParent")] = number
    tree["/ParentTree"]["/Nums"].extend([number, made])
    tree[_name("ParentTreeNextKey")] = generic.NumberObject(number + 1)
    for changed in (whole.get_object(), field.get_object(), tree["/ParentTree"]["/Nums"], tree):
        writer.update_container(changed)


def _name(word: str) -> Any:
    return generic.NameObject(f"/{word}")


def certificate_of(path: Path, passphrase: str) -> tuple[str, str]:
    """Name and fingerprint of the certificate in a PKCS#12 file, for the paper to name its key.

    Raises
    ------
    Refused
        As :func:`sign`.
    """
    key = _open_file(path, passphrase)
    return key.name, fingerprint_of(key.certificate)


def as_asn1(certificate: x509.Certificate) -> asn1_x509.Certificate:
    """The same certificate as pyHanko's validator wants it."""
    return asn1_x509.Certificate.load(certificate.public_bytes(Encoding.DER))
