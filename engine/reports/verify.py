"""Checking a paper without a network: signature, change since, root, attachment, code, dates.

Whatever cannot be checked is not valid; nothing here ever raises because of what a file holds.
"""

from __future__ import annotations

import io
from datetime import UTC, date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

from cryptography import x509
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.diff_analysis import ModificationLevel
from pyhanko.sign.fields import MDPPerm
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko.sign.validation.settings import KeyUsageConstraints
from pyhanko.sign.validation.status import SignatureCoverageLevel
from pyhanko_certvalidator import ValidationContext

from engine.base.canonical import sha256_of
from engine.base.problems import Problem, Refused
from engine.messages import say
from engine.procedure.decision import same_person

from . import content as content_of
from .keys import fingerprint as fingerprint_of
from .paper_file import RESULT_NAME, Paper, open_paper, read_bytes
from .sign import FIELDS, as_asn1, common_name
from .verdict import NotValid, Signer, Verdict
from .words import day, day_words

_USAGE = KeyUsageConstraints(
    key_usage={"digital_signature", "non_repudiation"}, match_all_key_usages=False
)


def verify(path: Path, *, trust: Path | None = None, today: date | None = None) -> Verdict:
    """Check a paper.

    Parameters
    ----------
    path : Path
        The PDF.
    trust : Path, optional
        The office's root certificate in PEM form. Without it the signer cannot be vouched for,
        and the verdict is never "valid".
    today : date, optional
        For saying whether the paper has expired.

    Returns
    -------
    Verdict

    Raises
    ------
    Refused
        For a file that is missing or a folder, and for a root that cannot be read: there is
        nothing to judge. Every other fault is a verdict.
    """
    roots = _roots(trust) if trust is not None else None
    try:
        if path.is_dir() or not path.exists():
            read_bytes(path)
        content = read_bytes(path)
    except Refused as refusal:
        if path.is_dir() or not path.exists():
            raise
        why = refusal.problems[0].text
        return Verdict(False, False, (say("reports.v_invalid", why=f"{why[0].upper()}{why[1:]}."),))
    sha = sha256_of(content)
    try:
        return _judge(content, sha, roots, today)
    except NotValid as fault:
        return _invalid(str(fault), content, sha)
    except Exception:  # a file built to mislead may raise anything anywhere
        return _invalid(say("reports.v_damaged"), content, sha)


def _invalid(why: str, content: bytes, sha: str) -> Verdict:
    """A verdict of "not valid", which still says what the file claims to be."""
    lines = [say("reports.v_invalid", why=why)]
    kind = number = ""
    try:
        paper = open_paper(content)
    except Exception:
        paper = None
    if paper is not None:
        kind, number = str(paper.summary.get("kind", "")), paper.number
        lines.append("It claims to be: " + _what(paper))
    return Verdict(False, False, tuple(lines), kind=kind, number=number, sha256=sha)


def _roots(path: Path) -> list[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(path.read_bytes())
    except (OSError, ValueError):
        raise Refused(Problem(path.name, "", say("reports.bad_root"))) from None


def _judge(
    content: bytes, sha: str, roots: list[x509.Certificate] | None, today: date | None
) -> Verdict:
    reader = PdfFileReader(io.BytesIO(content), strict=True)
    found = list(reader.embedded_signatures)
    if not found:
        paper = open_paper(content)
        raise NotValid(say("reports.v_unsigned" if paper else "reports.v_not_ours"))
    paper = open_paper(content)
    if paper is None:
        raise NotValid(say("reports.v_not_ours"))
    signers = _signatures(reader, found, roots)
    _not_to_come(signers, today)
    _in_order(signers, day(paper.summary.get("decided")))
    _in_their_roles(paper, signers)
    content_of.check(paper, signers)
    expires = day(paper.summary.get("expires"))
    expired = None if expires is None or today is None else today > expires
    if roots is None:
        head = say("reports.v_intact")
    elif expired:
        head = say("reports.v_genuine_expired", day=day_words(expires))
    else:
        head = say("reports.v_valid")
    lines = (head, *_about(paper, signers, expires, expired, today))
    return Verdict(
        valid=roots is not None,
        intact=True,
        lines=lines,
        kind=str(paper.summary["kind"]),
        number=paper.number,
        sha256=sha,
        signers=signers,
        expired=expired,
        revision=int(paper.summary.get("revision") or 0),
        result=paper.attached[RESULT_NAME],
    )


def _signatures(
    reader: PdfFileReader, found: list[Any], roots: list[x509.Certificate] | None
) -> tuple[Signer, ...]:
    """Check every signature and what lies between them."""
    names = [str(one.field_name) for one in found]
    if len(found) > 2:
        raise NotValid(say("reports.v_count", count=len(found)))
    alone = [FIELDS["decider"]]
    both = [FIELDS["evaluator"], FIELDS["decider"]]
    if names == [FIELDS["evaluator"]]:
        raise NotValid(say("reports.v_waiting"))
    if names not in (alone, both):
        raise NotValid(say("reports.v_order"))
    signers: list[Signer] = []
    # The last first: it covers every byte, and comparing what lies before it takes long.
    for place in reversed(range(len(found))):
        last, first = place == len(found) - 1, place == 0
        one = found[place]
        signers.insert(0, _signature(one, roots, last=last, certifies=first, alone=last and first))
    if reader.xrefs.total_revisions != 1 + len(found):
        raise NotValid(say("reports.v_changed"))
    return tuple(signers)


def _signature(
    one: Any, roots: list[x509.Certificate] | None, *, last: bool, certifies: bool, alone: bool
) -> Signer:
    certificate = x509.load_der_x509_certificate(one.signer_cert.dump())
    signer = _signer(one, certificate)
    stated = signer.stated
    if stated is None:
        raise NotValid(say("reports.v_signature", signer=signer.name))
    _plain(one, signer)
    start, end = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    if not start <= stated <= end:
        raise NotValid(say("reports.v_key_time", signer=signer.name, day=day_words(stated)))
    anchors = roots if roots is not None else _own_roots(one)
    context = ValidationContext(
        trust_roots=[as_asn1(root) for root in anchors],
        other_certs=list(one.other_embedded_certs),
        allow_fetching=False,
        revocation_mode="soft-fail",
        moment=stated,
        best_signature_time=stated,
    )
    status = validate_pdf_signature(one, context, key_usage_settings=_USAGE)
    if not (status.intact and status.valid):
        raise NotValid(say("reports.v_signature", signer=signer.name))
    if last and status.coverage != SignatureCoverageLevel.ENTIRE_FILE:
        raise NotValid(say("reports.v_not_whole"))
    allowed = ModificationLevel.NONE if last else ModificationLevel.FORM_FILLING
    level = status.modification_level
    if level is None or level > allowed or status.coverage < SignatureCoverageLevel.ENTIRE_REVISION:
        raise NotValid(say("reports.v_changed"))
    wanted = MDPPerm.NO_CHANGES if alone else MDPPerm.FILL_FORMS
    if certifies and one.docmdp_level != wanted:
        raise NotValid(say("reports.v_kind"))
    if last and not alone and not _locks(one):
        raise NotValid(say("reports.v_kind"))
    if status.docmdp_ok is False:
        raise NotValid(say("reports.v_changed"))
    if not _may_sign(certificate):
        raise NotValid(say("reports.v_key_usage", signer=signer.name))
    if not status.trusted:
        raise NotValid(say("reports.v_untrusted", signer=signer.name))
    if not status.bottom_line:
        raise NotValid(say("reports.v_signature", signer=signer.name))
    return signer


def _plain(one: Any, signer: Signer) -> None:
    """The signature is PAdES, and what readers show of it names nobody and no place but ours."""
    held = one.sig_object
    name = held.get("/Name")
    named = name is None or str(name) == signer.name
    other = any(key in held for key in ("/Location", "/ContactInfo"))
    if str(held.get("/SubFilter")) != "/ETSI.CAdES.detached" or other or not named:
        raise NotValid(say("reports.v_form", signer=signer.name))


def _locks(one: Any) -> bool:
    """Whether the field forbids every change after its signature."""
    lock = one.sig_field.get("/Lock")
    if lock is None:
        return False
    found = lock.get_object()
    return (found.get("/Action"), found.get("/P")) == ("/All", 1)


def _not_to_come(signers: tuple[Signer, ...], today: date | None) -> None:
    """Nobody has signed tomorrow; one day is left for places that lie east of here."""
    for signer in signers:
        if today and signer.stated and signer.stated.date() > today + timedelta(days=1):
            raise NotValid(
                say("reports.v_future", signer=signer.name, day=day_words(signer.stated))
            )


def _in_order(signers: tuple[Signer, ...], decided: date | None) -> None:
    """The evaluator signs first, and nobody before the decision; a day for places east of here."""
    for earlier, later in pairwise(signers):
        if earlier.stated and later.stated and later.stated < earlier.stated:
            raise NotValid(say("reports.v_times", first=earlier.name, second=later.name))
    for signer in signers:
        stated = signer.stated.date() if signer.stated else None
        if decided and stated and stated < decided - timedelta(days=1):
            raise NotValid(
                say(
                    "reports.v_before",
                    signer=signer.name,
                    day=day_words(stated),
                    decided=day_words(decided),
                )
            )


def _in_their_roles(paper: Paper, signers: tuple[Signer, ...]) -> None:
    """Nobody signs in the other's place where page 1 names both."""
    for signer in signers:
        if paper.exchanged(signer.role, signer.name):
            named = paper.summary[signer.role]
            code = "reports.v_exchanged"
            raise NotValid(say(code, signer=signer.name, role=signer.role, named=named))


def _signer(one: Any, certificate: x509.Certificate) -> Signer:
    role = next((role for role, name in FIELDS.items() if name == one.field_name), "")
    stated = one.self_reported_timestamp
    return Signer(
        role=role,
        name=common_name(certificate),
        office=_part(certificate.subject, x509.NameOID.ORGANIZATION_NAME),
        issuer=_part(certificate.issuer, x509.NameOID.COMMON_NAME),
        fingerprint=fingerprint_of(certificate),
        stated=stated.astimezone(UTC) if stated else None,
        key_until=certificate.not_valid_after_utc.date(),
    )


def _part(name: x509.Name, which: x509.ObjectIdentifier) -> str:
    found = name.get_attributes_for_oid(which)
    return str(found[0].value) if found else "not named"


def _own_roots(one: Any) -> list[x509.Certificate]:
    """The roots that the file itself brings: they prove no person, only that nothing changed."""
    carried = [x509.load_der_x509_certificate(c.dump()) for c in one.other_embedded_certs]
    carried.append(x509.load_der_x509_certificate(one.signer_cert.dump()))
    return [c for c in carried if c.subject == c.issuer] or carried


def _may_sign(certificate: x509.Certificate) -> bool:
    try:
        usage = certificate.extensions.get_extension_for_class(x509.KeyUsage).value
    except x509.ExtensionNotFound:
        return False
    return bool(usage.digital_signature or usage.content_commitment)


def _what(paper: Paper) -> str:
    told = paper.summary
    system = " ".join(str(p) for p in (told.get("system"), told.get("version")) if p)
    kind = told.get("kind")
    known = kind if kind in ("certificate", "request") else "statement"
    return say(
        "reports.v_what",
        kind=say(f"paper.short_{known}"),
        number=paper.number,
        revision=told.get("revision", 0),
        system=system or "a system not named",
        office=told.get("organisation") or "a body not named",
    )


def _about(
    paper: Paper,
    signers: tuple[Signer, ...],
    expires: date | None,
    expired: bool | None,
    today: date | None,
) -> list[str]:
    told = paper.summary
    lines = [_what(paper)]
    for signer in signers:
        key = " ".join(signer.fingerprint[i : i + 4] for i in range(0, 16, 4))
        lines.append(
            say(
                "reports.v_signer",
                signer=signer.name,
                office=signer.office,
                role=signer.role,
                key=key,
                issuer=signer.issuer,
            )
        )
        if signer.stated:
            moment = f"{day_words(signer.stated)}, {signer.stated:%H:%M} UTC"
            lines.append(say("reports.v_since", moment=moment))
        named = str(told.get(signer.role) or "")
        if named and not same_person(named, signer.name):
            code = "reports.v_other_name"
            lines.append(say(code, role=signer.role, named=named, signer=signer.name))
        if today is not None and today > signer.key_until:
            lines.append(say("reports.v_key_expired", day=day_words(signer.key_until)))
    if len({signer.fingerprint for signer in signers}) < len(signers):
        lines.append(say("reports.v_same"))
    lines.append(say("reports.v_match", sha=paper.result_sha256))
    decided, issued = (day_words(told.get(key)) for key in ("decided", "issued"))
    if not decided:
        lines.append(say("reports.v_undecided"))
    elif told.get("kind") != "request":
        code = "reports.v_decided" if issued else "reports.v_decided_only"
        lines.append(say(code, decided=decided, issued=issued))
    if told.get("kind") != "certificate":
        lines.append(say(f"reports.v_{told['kind']}"))
    elif expires is None:
        lines.append(say("reports.v_no_until"))
    else:
        code = "reports.v_expired" if expired else "reports.v_until"
        lines.append(say(code, day=day_words(expires)))
    if told.get("replaces"):
        lines.append(say("reports.v_replaces", number=told["replaces"]))
    contact = told.get("status_contact") or told.get("organisation") or "the issuing body"
    lines.append(say("reports.v_status", contact=contact))
    return lines
