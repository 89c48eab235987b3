"""The peers method in sentences: as published and as valid, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.base import wording
from engine.messages import say
from engine.methods.base import Finding, PrintedTable, Section, Verdict
from engine.plan.model import Plan

from .called import mine, theirs
from .explain import changeable
from .published import CLASS_WORDS, CLASSES

_GRADES = {
    "within": "ruled out",
    "outside": "shown",
    "not settled": "not settled",
    "not computable": "not computable",
    "not checked": "not checked",
}


_EFFECTS = {
    "within": "within the tolerance",
    "outside": "beyond the tolerance",
    "not settled": "not settled",
}


def conclusion(result: Mapping[str, Any]) -> str:
    """The one sentence at the top: what may be concluded, and what not."""
    if result["reason"]:
        effect = result["companions"]["group_effect"]["value"]
        code = "peers.conclude_nothing" if effect is None else "peers.conclude_effect_only"
        return say(code, reason=result["reason"])
    rank, effect = result["companions"]["rank"], result["companions"]["group_effect"]
    uses, flagged = result["score_uses_protected"], rank["flagged_adjusted"]
    if uses is False:
        about = "blind"
    elif not rank["n"]:
        about = "no_rank"
    elif uses is None:
        about = "unknown"
    else:
        about = "uses" if flagged else "uses_nobody"
    group = "from" if effect["value"] is not None else "from_none"
    first = say(f"peers.conclude_{group}", effect=_EFFECTS.get(effect["verdict"], ""))
    people = say(
        f"peers.conclude_{about}", attribute=result["attribute"], flagged=wording.count(flagged),
        n=wording.count(rank["n"]),
    )  # fmt: skip
    rate = wording.percent(result["flag_rate_if_nothing_wrong"])
    return say("peers.conclude", first=first, people=people, rate=rate)


def findings(*, result: Mapping[str, Any], plan: Plan) -> list[Finding]:
    """Every number of the method as a sentence with its grade."""
    found = [Finding("peers.conclusion", "note", result["attribute"], conclusion(result))]
    found.append(_published(result))
    found.append(_ranks(result))
    found.append(_effect(result, plan, "group_effect", result["outcome_from"]))
    if result["companions"]["decision_effect"] is not None:
        found.append(_effect(result, plan, "decision_effect", "decisions"))
    found.append(_equivalent(result))
    found.append(_untested(result))
    found += _balance(result)
    found += _watchout(result)
    found += _stress(result)
    return found


def _published(result: Mapping[str, Any]) -> Finding:
    published = result["published"]
    subject = result["attribute"]
    if published["unfair_share"] is None:
        return Finding("peers.published", "not computable", subject, published["reason"])
    sentence = say(
        "peers.f_published",
        share=wording.percent(published["unfair_share"]),
        n=wording.people(result["n_tested"]),
        rate=wording.percent(result["flag_rate_if_nothing_wrong"]),
        draws=wording.count(result["test"]["draws"]),
        sample=result["test"]["sample"],
    )
    permuted = result["permuted"]
    if permuted and permuted["mean"] is not None:
        sentence += " " + say(
            "peers.f_permuted",
            mean=wording.percent(permuted["mean"]),
            low=wording.percent(permuted["low"]),
            high=wording.percent(permuted["high"]),
            times=permuted["tested"],
        )
    return Finding("peers.published", "note", subject, sentence, say("peers.a_published"))


def _ranks(result: Mapping[str, Any]) -> Finding:
    rank, subject = result["companions"]["rank"], result["attribute"]
    if not rank["n"]:
        return Finding("peers.rank", "not computable", subject, rank["reason"] or result["reason"])
    sentence = say(
        "peers.f_rank",
        flagged=wording.count(rank["flagged"]),
        n=wording.people(rank["n"]),
        corrected=wording.count(rank["flagged_adjusted"]),
        expected=wording.number(result["level"] * rank["n"], digits=0),
        place=wording.number(100 * rank["mean_rank"], digits=0),
    )
    if result["score_uses_protected"] is False:
        text = say("peers.blind", attribute=subject)
        return Finding(
            "peers.rank", "not checked", subject, f"{sentence} {text}", say("peers.a_blind")
        )
    if rank["flagged_adjusted"]:
        return Finding("peers.rank", "shown", subject, sentence, say("peers.a_rank_shown"))
    return Finding("peers.rank", "not settled", subject, sentence, say("peers.a_rank_open"))


def _effect(result: Mapping[str, Any], plan: Plan, key: str, where: str) -> Finding:
    effect, subject = result["companions"][key], result["attribute"]
    if effect["value"] is None:
        return Finding(f"peers.{key}", "not computable", subject, effect["reason"])
    low, high = effect["band"]
    sentence = say(
        "peers.f_effect",
        value=wording.number(effect["value"], sign=True),
        interval=wording.interval(effect["low"], effect["high"], sign=True),
        level=f"{100 * plan.confidence:g}",
        groups=mine(result),
        privileged=theirs(result),
        points=wording.number(100 * abs(effect["value"]), digits=1),
        direction="fewer" if effect["value"] < 0 else "more",
        where=where,
        band=wording.interval(low, high, digits=2, sign=True),
        verdict=effect["verdict"],
    )
    action = {
        "outside": "peers.a_effect_shown",
        "within": "peers.a_effect_ruled_out",
        "not settled": "peers.a_effect_open",
    }[effect["verdict"]]
    if effect["verdict"] == "not settled" and effect["low"] * effect["high"] > 0:
        sentence += " " + say("peers.f_effect_some")
    return Finding(f"peers.{key}", _GRADES[effect["verdict"]], subject, sentence, say(action))


def _equivalent(result: Mapping[str, Any]) -> Finding:
    share, subject = result["companions"]["equivalent_share"], result["attribute"]
    if share is None:
        return Finding("peers.equivalent", "not computable", subject, result["reason"])
    sentence = say(
        "peers.f_equivalent",
        share=wording.percent(share),
        margin=wording.percent(result["companions"]["margin"], digits=0),
        fair=wording.percent(result["published"]["shares"]["FT"]),
    )
    return Finding("peers.equivalent", "note", subject, sentence)


def _untested(result: Mapping[str, Any]) -> Finding:
    subject = result["attribute"]
    if result["n_no_peer"] is None:
        return Finding("peers.untested", "not computable", subject, result["reason"])
    untested = result["n_protected"] - result["n_tested"]
    sentence = say(
        "peers.f_untested",
        untested=wording.count(untested),
        n=wording.people(result["n_protected"]),
        share=wording.percent(untested / result["n_protected"]),
        no_peer=wording.count(result["n_no_peer"]),
        too_few=wording.count(result["n_too_few"]),
        least=result["test"]["min_peers"],
        no_likelihood=wording.count(result["n_no_likelihood"]),
    )
    apart = result["companions"].get("untested_differ") or ()
    if apart:
        told = [
            f"{one['feature']} ({wording.number(one['difference'], digits=2, sign=True)})"
            for one in apart
        ]
        sentence += " " + say("peers.f_untested_who", features=wording.listed(told))
    return Finding(
        "peers.untested", "note", subject, sentence, say("peers.a_untested") if untested else ""
    )


def _balance(result: Mapping[str, Any]) -> list[Finding]:
    balance = result["companions"]["balance"]
    if not balance or balance["peers"] is None or balance["same_propensity"] is None:
        return []
    sentence = say(
        "peers.f_balance",
        raw=wording.number(balance["raw"], digits=2),
        peers=wording.number(balance["peers"], digits=2),
        like=wording.number(balance["same_propensity"], digits=2),
    )
    return [Finding("peers.balance", "note", result["attribute"], sentence)]


def _watchout(result: Mapping[str, Any]) -> list[Finding]:
    told = result["explained"]
    if told is None:
        return []
    sentence = say(
        "peers.f_watchout",
        n=wording.people(told["fair_and_refused"]),
        listed=wording.people(told["people"]),
    )
    if told["too_few_accepted"]:
        sentence += " " + say("peers.f_watchout_few", n=wording.people(told["too_few_accepted"]))
    unordered = [f for f, e in result["explanations"].items() if not e["ordered"]]
    action = say("peers.a_order", features=wording.listed(unordered[:8])) if unordered else ""
    return [Finding("peers.watchout", "note", result["attribute"], sentence, action)]


def _stress(result: Mapping[str, Any]) -> list[Finding]:
    lines = [
        s for s in result["stress"] if s["test"] == "imbalance" and s["same_label"] is not None
    ]
    runs = result.get("stress_runs") or {}
    if not lines:
        said = runs.get("reason") or _stress_part(runs)
        return [Finding("peers.stress", "note", result["attribute"], said)] if said else []
    last = lines[-1]
    sentence = say(
        "peers.f_stress",
        level=last["level"],
        same=wording.percent(last["same_label"]),
        chance=wording.percent(last["chance"]),
        five=wording.percent(last["same_class"]),
        first=wording.percent(lines[0]["same_class"]),
    )
    sentence = " ".join(part for part in (sentence, _stress_part(runs)) if part)
    return [Finding("peers.stress", "note", result["attribute"], sentence)]


def _stress_part(runs: Mapping[str, Any]) -> str:
    """That the tests were stopped, where they were."""
    done, of = runs.get("done", 0), runs.get("of", 0)
    if done >= of:
        return ""
    return say("peers.stress_part", done=wording.count(done), of=wording.count(of))


def sections(*, result: Mapping[str, Any], plan: Plan) -> list[Section]:
    """As report and window show it: the two readings stand side by side in the first table."""
    found = findings(result=result, plan=plan)
    by_code = {f.code: f for f in found}

    def take(*codes: str) -> tuple[Finding, ...]:
        return tuple(by_code[c] for c in codes if c in by_code)

    parts = [
        Section(
            title="Peers: are people in like circumstances treated alike?",
            paragraphs=(conclusion(result),),
            findings=take(
                "peers.published", "peers.rank", "peers.group_effect", "peers.decision_effect"
            ),
            tables=(_readings(result, plan), _classes(result)),
            charts=("classes", "likelihood", "ranks", "group-effect"),
        ),
        Section(
            title="Who was compared, and with whom",
            findings=take("peers.untested", "peers.equivalent", "peers.balance"),
            tables=(_models(result),) if result["models"] else (),
            charts=("balance", "worlds"),
            level=2,
        ),
    ]
    if result["refusals"]:
        parts.append(
            Section(
                title="Refusals by class",
                paragraphs=(say("peers.circular"),),
                charts=("refusals", "densities"),
                level=2,
            )
        )
    if result["explained"] is not None:
        parts.append(
            Section(
                title="Watch-out list",
                findings=take("peers.watchout"),
                tables=_features(result),
                charts=("features",),
                level=2,
            )
        )
    if result["stress"] or by_code.get("peers.stress"):
        parts.append(
            Section(
                title="Stress tests",
                findings=take("peers.stress"),
                tables=(_stress_table(result),) if result["stress"] else (),
                charts=("stability", "choices"),
                level=2,
            )
        )
    return parts


def _readings(result: Mapping[str, Any], plan: Plan) -> PrintedTable:
    published, beside = result["published"], result["companions"]
    rank, effect = beside["rank"], beside["group_effect"]
    rows: list[tuple[Any, ...]] = [
        ("Called unfairly treated, as published", wording.percent(published["unfair_share"]) or "not computable", ""),
        ("The same with nothing wrong", wording.percent(result["flag_rate_if_nothing_wrong"]), "closed form"),
        ("Exact rank among peers of the same propensity, before correction", _of(rank["flagged"], rank["n"]), wording.percent(rank["flagged_share"])),
        ("The same once the number of tests is counted", _of(rank["flagged_adjusted"], rank["n"]), wording.percent(rank["flagged_share_adjusted"])),
        ("Difference between groups at equal circumstances", wording.number(effect["value"], sign=True) or "not computable", wording.interval(effect["low"], effect["high"], sign=True)),
        ("Verdict on that difference", Verdict(effect["verdict"]), ""),
        ("Shown to be treated like the peers", wording.percent(beside["equivalent_share"]) or "not computable", f"within {wording.percent(beside.get('margin'), digits=0)}"),
        ("Not tested", _of(result["n_protected"] - result["n_tested"], result["n_protected"]), ""),
    ]  # fmt: skip
    return PrintedTable(
        "As published, and what the data can carry", ("", "Value", "Interval or share"),
        tuple(rows), "lrr", (f"Intervals at {100 * plan.confidence:g} %.",),
    )  # fmt: skip


def _of(part: int, whole: int) -> str:
    return f"{wording.count(part)} of {wording.count(whole)}"


def _classes(result: Mapping[str, Any]) -> PrintedTable:
    published = result["published"]
    rows = [
        (
            CLASS_WORDS[c], wording.count(published["counts"][c]), wording.percent(published["shares"][c]),
            wording.percent(published["shares_of_all"][c]),
        )
        for c in CLASSES
    ]  # fmt: skip
    return PrintedTable(
        "Classes as published", ("Class", "People", "Of the tested", "Of all"), tuple(rows), "lrrr"
    )


def _models(result: Mapping[str, Any]) -> PrintedTable:
    rows = []
    for name, words in (
        ("fitting", "Finds comparable people"),
        ("prediction", "Gives the likelihood"),
    ):
        one = result["models"][name]
        settings = ", ".join(f"{k} {v}" for k, v in one.get("parameters", {}).items())
        rows.append(
            (words, one["model"].replace("_", " "), settings, wording.number(one.get("auc")))
        )
    return PrintedTable(
        "Models",
        ("What for", "Model", "Settings found", "Area under the curve, on the 20 % kept apart"),
        tuple(rows),
        "lllr",
    )


def _features(result: Mapping[str, Any]) -> tuple[PrintedTable, ...]:
    rows = [
        (
            name, changeable(result["explanations"], name), e["kind"], f"{e['worse']} of {e['n']}" if e["ordered"] else "no order given",
            f"{e['differs']} of {e['n']}", f"{e['worse_as_published']} of {e['n']}" if e["ordered"] else "",
        )
        for name, e in sorted(result["explanations"].items(), key=lambda p: (p[1]["intrinsic"], -(p[1]["share"] or 0)))
        if e["n"]
    ]  # fmt: skip
    if not rows:
        return ()
    return (
        PrintedTable(
            "Features of fairly treated but refused people",
            ("Feature", "Can be changed", "Kind", "Worse", "Differs", "Worse, as published"),
            tuple(rows),
            "lllrrr",
        ),
    )


_TESTS = {
    "imbalance": "Fewer protected people",
    "delta": "Largest difference",
    "draws": "N and K",
    "models": "Models",
}


def _stress_table(result: Mapping[str, Any]) -> PrintedTable:
    rows = [
        (
            _TESTS[s["test"]], s["level"], wording.number(s["tested"], digits=0), wording.percent(s["unfair_share"]),
            wording.percent(s["same_label"]), wording.percent(s["chance"]), wording.percent(s["same_class"]), wording.number(s["kappa"], digits=2),
        )
        for s in result["stress"]
    ]  # fmt: skip
    return PrintedTable(
        "Stress tests, means over the repeats",
        (
            "Test",
            "Level",
            "Tested",
            "Called unfair",
            "Same answer",
            "By chance",
            "Same of five classes",
            "Kappa",
        ),
        tuple(rows),
        "llrrrrrr",
    )
