"""Checking what a paper says: its files, its code, page 1 and the signatures that page 1 shows.

That the signatures hold is :mod:`engine.reports.verify`'s to say; here the parts of a file are
held against one another, so that none was exchanged before somebody signed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

from engine.base import wording
from engine.base.canonical import sha256_of
from engine.messages import say

from . import fonts, qr, shape
from .page1_parts import DECIDER, EVALUATOR
from .page_text import squeezed
from .paper_file import PLAN_NAME, RESULT_NAME, Paper
from .sign import FIELDS
from .verdict import NotValid, Signer
from .words import NOT_SUPPLIED, day_words

_TITLES = {kind: say(f"paper.name_{kind}") for kind in ("certificate", "statement", "request")}


def check(paper: Paper, signers: tuple[Signer, ...]) -> None:
    """Hold the parts of a paper against one another.

    Raises
    ------
    NotValid
        Where two of them do not say the same.
    """
    result = _attachments(paper)
    _code(paper, signers[-1])
    _words(paper, result)
    _pages(paper)
    for signer in signers:
        _stamp(paper, signer)


def _attachments(paper: Paper) -> dict[str, Any]:
    raw = paper.attached.get(RESULT_NAME)
    plan = paper.attached.get(PLAN_NAME)
    if raw is None or plan is None:
        raise NotValid(say("reports.v_no_result"))
    if sha256_of(raw) != paper.result_sha256:
        raise NotValid(say("reports.v_result"))
    result = json.loads(raw)
    if not isinstance(result, dict) or result.get("schema") != "fairassay-result/1":
        raise NotValid(say("reports.v_no_result"))
    if json.loads(plan) != result.get("plan"):
        raise NotValid(say("reports.v_plan"))
    advice = ((result.get("certification") or {}).get("recommendation") or {}).get("value")
    if paper.summary.get("kind") == "certificate" and advice != "grant":
        raise NotValid(say("reports.v_not_carried", advice=advice or say("paper.not_computed")))
    if paper.summary.get("result_sha256") != paper.result_sha256:
        raise NotValid(say("reports.v_summary"))
    told = fonts.cleaned(str(paper.summary.get("number") or "")) or "unnumbered"
    title = _TITLES.get(str(paper.summary.get("kind")))
    if told != paper.number or title is None or not paper.title.startswith(title):
        raise NotValid(say("reports.v_summary"))
    return result


def _words(paper: Paper, result: Mapping[str, Any]) -> None:
    """Page 1 must say what the files inside say, and nothing may lie over a page."""
    if paper.oddities:
        raise NotValid(say("reports.v_overlay", what=wording.listed(sorted(set(paper.oddities)))))
    if not re.search(rf"Page1of{paper.pages}(?!\d)", paper.text):
        raise NotValid(say("reports.v_pages", count=paper.pages))
    told = paper.summary
    wanted = [_TITLES[str(told["kind"])], f"Revision {told.get('revision', 0)}"]
    wanted += [fonts.cleaned(str(told.get(key) or "")) for key in ("number", "replaces")]
    dates = {"decided": say("paper.title_10"), "issued": say("paper.title_11")}
    if told["kind"] == "request":  # it decides and issues nothing
        dates = {"decided": say("paper.f_asked")}
    for key, label in dates.items():
        if told.get(key):
            wanted.append(f"{label} {day_words(told[key])}")
    if told.get("kind") == "certificate":
        until = day_words(told.get("expires")) or NOT_SUPPLIED
        wanted.append(f"{say('paper.f_until')} {until}")
        score = ((result.get("certification") or {}).get("fairness_score") or {}).get("value")
        wanted.append(f"{say('paper.score_name')} {wording.number(score)}")
    for what in wanted:
        if squeezed(what) not in paper.text:
            raise NotValid(say("reports.v_text", what=what))


def _pages(paper: Paper) -> None:
    """Each page, and what goes with the pages, as it was printed."""
    if paper.lacking:
        raise NotValid(say("reports.v_figures", what=paper.lacking[0]))
    printed = list(paper.summary.get("pages") or ())
    for number, (shown, wanted) in enumerate(zip_longest(paper.shown, printed), start=1):
        if shown != wanted:
            raise NotValid(say("reports.v_page", number=number))
    if paper.beside != paper.summary.get("beside"):
        raise NotValid(say("reports.v_beside"))


def _stamp(paper: Paper, signer: Signer) -> None:
    """A signature that the page shows says who signed, in its own place, with the same code."""
    stamp = paper.stamps[FIELDS[signer.role]]
    if not stamp.seen:
        return
    decides = signer.role == "decider"
    place = paper.places[DECIDER if decides else EVALUATOR]
    short = squeezed(signer.fingerprint[:16])
    said = (
        squeezed(say("paper.signed_by", name=fonts.cleaned(signer.name))) in stamp.text
        and short in stamp.text
    )
    wanted = None
    if decides and paper.key == qr.UNSIGNED:
        wanted = qr.matrix(
            qr.payload(
                number=paper.number,
                result_sha256=paper.result_sha256,
                fingerprint=signer.fingerprint,
            )
        )
    if stamp.odd or not said or stamp.code != wanted or not shape.within(stamp.box, place):
        raise NotValid(say("reports.v_stamp", signer=signer.name))


def _code(paper: Paper, decider: Signer) -> None:
    if paper.drawn != qr.matrix(paper.payload):
        raise NotValid(say("reports.v_code"))
    if paper.key not in (qr.UNSIGNED, decider.fingerprint[:16]):
        raise NotValid(say("reports.v_key", named=paper.key, used=decider.fingerprint[:16]))
