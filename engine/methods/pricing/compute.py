"""Prices and amounts: columns and models to gaps with their intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base.problems import Problem, Refused
from engine.base.watch import Watch
from engine.base.wording import count, listed
from engine.cohort.labels import words_table
from engine.cohort.model import Attribute, Cohort, Sample
from engine.fairness.counts import count_table
from engine.fairness.intervals import generator, percentile_interval, resample
from engine.fairness.measure import measure
from engine.fairness.metrics import metric_arrays
from engine.messages import say
from engine.methods.base import Computed
from engine.plan.model import Plan

from .gaps import Terms, by_stratum, compare, plain_gap
from .names import is_money
from .people import (
    Pair,
    Quote,
    Strata,
    Words,
    amounts_in,
    audited,
    crossings_of,
    groups_of,
    in_one_currency,
    missing_by_group,
    strata_of,
)
from .predict import Predicted, Task, chosen_quotes, predict, prepare_task, refitted_gap, wanted
from .side import Floats
from .tables import tables_of


@dataclass(frozen=True)
class _Work:
    """Everything that each comparison needs."""

    cohort: Cohort
    plan: Plan
    settings: Mapping[str, Any]
    sample: Sample
    terms: Terms
    quotes: dict[str, Quote]
    real: Quote | None
    residuals: dict[str, Quote]
    strata: Strata | None
    approved: tuple[NDArray[np.int8], str] | None
    predicted: dict[str, Predicted]
    task: Task | None
    words: Words
    adverse: Mapping[str, str | None]
    watch: Watch


def compute(*, cohort: Cohort, plan: Plan, settings: Mapping[str, Any], watch: Watch) -> Computed:
    """Compute the part ``pricing`` of a result (see the contract for its keys).

    Source: paper 004; ``methods.md`` part D.
    """
    watch.say("Reading the amounts", fraction=0.0)
    sample = audited(cohort)
    currency = in_one_currency(sample, settings.get("currency"))
    work = _work(cohort, plan, settings, sample, watch)
    first = cohort.attribute(settings.get("attribute"))
    attributes: dict[str, Any] = {}
    for i, attribute in enumerate(cohort.attributes):
        watch.say("Comparing amounts", fraction=0.4 + 0.5 * i / len(cohort.attributes))
        attributes[attribute.name] = _attribute(work, attribute)
    crossed = _crossed(work) if settings["crossed"] and len(cohort.attributes) > 1 else {}
    mine = attributes[first.name]
    result: dict[str, Any] = {
        "attribute": first.name,
        "privileged": first.privileged.key,
        "unprivileged": [g.key for g in first.unprivileged],
        "words": work.words,
        "order": list(work.quotes),
        "attribute_order": [a.name for a in cohort.attributes],
        "currency": currency,
        "sample": sample.role,
        "rows": len(sample),
        "actual": settings.get("actual"),
        "risk": settings.get("risk"),
        "adverse": work.terms.adverse,
        "pass_mark": {
            "largest_gap": settings["largest_gap"],
            "largest_relative_gap": settings["largest_relative_gap"],
        },
        "interval": {
            "kind": "percentile bootstrap, each group drawn by itself",
            "resamples": work.terms.resamples,
            "confidence": plan.confidence,
            "model": "held fixed",
            "refitted": bool(settings["refit"] and work.predicted),
        },
        "models": {name: {"kind": "predicted", **p.described} for name, p in work.predicted.items()}
        | {name: {"kind": "supplied"} for name in work.quotes if name not in work.predicted},
        "missing": {
            a.name: {
                name: missing_by_group(a, sample, q.values)
                for name, q in _columns(work).items()
                if name not in work.predicted
            }
            for a in cohort.attributes
        },
        **{key: mine[key] for key in ("real_gap", "quoted", "residual_gap", "approval_gap")},
        "attributes": attributes,
        "crossed": crossed,
        "distribution": _distribution(work, first),
    }
    warnings, exclusions = _noted(work, result)
    return Computed(
        result=result, tables=tables_of(result), warnings=warnings, exclusions=exclusions
    )


def _columns(work: _Work) -> dict[str, Quote]:
    found = dict(work.quotes)
    if work.real is not None:
        found.setdefault(str(work.settings["actual"]), work.real)
    return found


def _work(
    cohort: Cohort, plan: Plan, settings: Mapping[str, Any], sample: Sample, watch: Watch
) -> _Work:
    columns = chosen_quotes(settings, plan)
    models = wanted(settings, supplied=bool(columns))
    actual = settings.get("actual")
    if not columns and not models and not actual:
        raise Refused(Problem("", "system.amount", say("pricing.nothing_named")))
    weight = sample.weight
    quotes = {}
    for name in columns:
        place = "methods.pricing.quotes"
        own = plan.system is not None and name == plan.system.amount_column
        values = sample.amount if own and sample.amount is not None else amounts_in(sample, name, place)  # fmt: skip
        quotes[name] = Quote.of(name, values, weight)
    real = None
    if actual:
        real = Quote.of(actual, amounts_in(sample, actual, "methods.pricing.actual"), weight)
    predicted: dict[str, Predicted] = {}
    task = None
    if models:
        task = prepare_task(cohort=cohort, plan=plan, sample=sample, settings=settings)
        for i, model in enumerate(models):
            part = watch.part(0.1 + 0.3 * i / len(models), 0.1 + 0.3 * (i + 1) / len(models))
            predicted[model] = predict(task=task, model=model, watch=part)
            quotes[model] = Quote.of(model, predicted[model].values, weight)
    for name, quote in [*quotes.items(), *([(real.name, real)] if real else [])]:
        if not len(quote.order):
            raise Refused(Problem("", "system.amount", say("pricing.all_blank", column=name)))
    residuals = {}
    if real is not None:
        for name, quote in quotes.items():
            if name not in predicted and is_money(name) != is_money(real.name):
                continue  # a rate less an amount says nothing
            left = real.values - quote.values
            residuals[name] = Quote.of(f"{real.name} less {name}", left, weight)
    strata = None
    if settings.get("risk"):
        usable = np.zeros(len(sample), dtype=bool)
        for quote in (*quotes.values(), *([real] if real else [])):
            usable[quote.order] = True
        strata = strata_of(sample, settings["risk"], int(settings["strata"]), usable)
    terms = Terms(
        seed=plan.seed,
        confidence=plan.confidence,
        resamples=int(settings["resamples"]),
        permutations=int(settings["permutations"]),
        largest_gap=settings["largest_gap"],
        largest_relative_gap=settings["largest_relative_gap"],
        adverse=_adverse(plan, settings),
    )
    return _Work(
        cohort, plan, settings, sample, terms, quotes, real, residuals, strata,
        _approved(cohort, sample), predicted, task,
        words_table(plan=plan, attributes=cohort.attributes),
        {name: columns.get(name) or terms.adverse for name in quotes}, watch,
    )  # fmt: skip


def _adverse(plan: Plan, settings: Mapping[str, Any]) -> str | None:
    if settings["adverse"] != "as the plan says":
        return str(settings["adverse"])
    if plan.system is None or plan.system.amount_column is None:
        return None
    return plan.system.amount_adverse


def _approved(cohort: Cohort, sample: Sample) -> tuple[NDArray[np.int8], str] | None:
    """Who was approved: the system's decisions where there are any, else recorded outcomes."""
    if sample.decision is not None:
        return sample.decision, "decisions"
    if sample.outcome is not None:
        return sample.outcome, "recorded outcomes"
    return None


def _attribute(work: _Work, attribute: Attribute) -> dict[str, Any]:
    pairs = groups_of(attribute, work.sample, work.words)
    groups = {key: _pair(work, pair, f"{attribute.name}/{key}") for key, pair in pairs.items() if key}  # fmt: skip
    if len(groups) == 1:  # pooled and alone are the same people
        whole = next(iter(groups.values()))
    else:
        whole = _pair(work, pairs[""], attribute.name)
    return {**whole, "groups": groups}


def _pair(work: _Work, pair: Pair, key: str) -> dict[str, Any]:
    """Every amount between two sides."""
    terms = work.terms
    quoted = {}
    for name, quote in work.quotes.items():
        work.watch.check()
        mine = f"{key}/{name}"
        own = replace(terms, adverse=work.adverse[name])
        found = compare(quote=quote, pair=pair, terms=own, key=mine)
        found["adverse"] = own.adverse
        if work.strata is not None:
            found["by_risk_stratum"] = by_stratum(
                quote=quote, pair=pair, strata=work.strata, terms=terms, key=mine
            )
        else:
            found["by_risk_stratum"] = {
                "edges": [], "rows": [], "empty": [], "reason": say("pricing.no_risk_column")
            }  # fmt: skip
        found["residual_gap"] = _residual(work, name, pair, mine)
        if name in work.predicted and work.settings["refit"] and work.task is not None:
            found["gap_refitted"] = refitted_gap(
                task=work.task, model=name, pair=pair, refits=int(work.settings["refits"]),
                confidence=terms.confidence, value=found["gap"]["value"], watch=work.watch,
            )  # fmt: skip
        quoted[name] = found
    return {
        "real_gap": _real(work, pair, key),
        "quoted": quoted,
        "residual_gap": next(
            (quoted[name]["residual_gap"] for name in (*work.residuals, *quoted)),
            _unchecked("pricing.no_quotes", pair),
        ),
        "approval_gap": _approval(work, pair, key),
    }


def _unchecked(code: str, pair: Pair, **fields: str) -> dict[str, Any]:
    return measure(
        None, verdict="not checked", reason=say(code, **fields),
        n_unprivileged=int((pair.unprivileged > 0).sum()),
        n_privileged=int((pair.privileged > 0).sum()),
    )  # fmt: skip


def _real(work: _Work, pair: Pair, key: str) -> dict[str, Any]:
    if work.real is None:
        return _unchecked("pricing.no_actual", pair)
    found = compare(quote=work.real, pair=pair, terms=work.terms, key=f"{key}/real")
    more = {k: v for k, v in found.items() if k != "gap"}
    if work.strata is not None:
        more["by_risk_stratum"] = by_stratum(
            quote=work.real, pair=pair, strata=work.strata, terms=work.terms, key=f"{key}/real"
        )
    return {**found["gap"], **more}


def _residual(work: _Work, name: str, pair: Pair, key: str) -> dict[str, Any]:
    if work.real is None:
        return _unchecked("pricing.no_actual", pair)
    if name not in work.residuals:
        return _unchecked("pricing.other_unit", pair, quoted=name, real=work.real.name)
    return plain_gap(quote=work.residuals[name], pair=pair, terms=work.terms, key=f"{key}/residual")


def _approval(work: _Work, pair: Pair, key: str) -> dict[str, Any]:
    """Approval rates, unprivileged less privileged, of everybody whose approval is known."""
    if work.approved is None:
        return _unchecked("pricing.no_approval", pair)
    known, what = work.approved
    table = count_table(
        groups=2,
        membership=np.column_stack([pair.unprivileged, pair.privileged]),
        outcome=known,
        weight=work.sample.weight,
    )
    sides = (table.side(0), table.side(1))
    n = (int(sides[0].n_rows), int(sides[1].n_rows))
    for side, name in zip(sides, pair.names, strict=True):
        if side.n <= 0:
            reason = say("pricing.no_approvals", group=name)
            return measure(None, verdict="not computable", reason=reason, n_unprivileged=n[0], n_privileged=n[1])  # fmt: skip
    value = sides[0].favourable / sides[0].n - sides[1].favourable / sides[1].n
    rng = generator(work.terms.seed, "pricing", key, "approval")
    drawn = resample(sides=sides, resamples=work.terms.resamples, rng=rng)
    draws = metric_arrays(recorded=(drawn[0], drawn[1]), decided=None)["SPD"]
    found = percentile_interval(draws, confidence=work.terms.confidence)
    return measure(value, found.low, found.high, None, "", n[0], n[1], on=what)


def _crossed(work: _Work) -> dict[str, Any]:
    """Each crossing of the groups against the crossing of the privileged ones."""
    found: dict[str, Any] = {}
    for key, pair in crossings_of(work.cohort.attributes, work.sample, work.words).items():
        work.watch.check()
        found[key] = {"words": pair.names[0], "reference": pair.names[1], "quoted": {}}
        for name, quote in work.quotes.items():
            own = replace(work.terms, adverse=work.adverse[name])
            full = compare(quote=quote, pair=pair, terms=own, key=f"crossed/{key}/{name}")
            kept = ("gap", "relative_gap", "median_gap", "permutation_p", "worse_off")
            found[key]["quoted"][name] = {k: full[k] for k in kept}
    return found


SHARES = 100


def _distribution(work: _Work, attribute: Attribute) -> dict[str, Any]:
    """Amounts of the two sides as a hundred quantiles each: enough to draw, nobody's own amount
    in large groups."""
    pair = groups_of(attribute, work.sample, work.words)[""]
    shares = (np.arange(SHARES) + 0.5) / SHARES
    found = {}
    for name, quote in _columns(work).items():
        sides: dict[str, list[float]] = {}
        for side, belongs in (("unprivileged", pair.unprivileged), ("privileged", pair.privileged)):
            mine = quote.side(belongs, pair.soft)
            few = np.asarray([mine.quantile(float(q)) for q in shares]) if len(mine) else np.empty(0)  # fmt: skip
            sides[side] = [float(v) for v in few]
        found[name] = sides
    return found


def _noted(
    work: _Work, result: Mapping[str, Any]
) -> tuple[tuple[dict[str, Any], ...], tuple[dict[str, Any], ...]]:
    """What the auditor should know: missing and odd amounts, selection, what was approximated."""
    warnings: list[dict[str, Any]] = []
    exclusions: list[dict[str, Any]] = []

    def warn(code: str, where: str, **fields: object) -> None:
        warnings.append({"code": code, "text": say(code, **fields), "where": where})

    total = len(work.sample)
    for name, quote in _columns(work).items():
        where = f"{work.sample.role}, column {name}"
        blank = int((~np.isfinite(quote.values)).sum())
        if blank and name not in work.predicted:
            by = result["missing"][result["attribute"]][name]
            said = work.words[result["attribute"]]
            parts = listed([f"{said[k]} {count(g['missing'])} of {count(g['of'])}" for k, g in by.items()])  # fmt: skip
            text = say("pricing.missing", n=count(blank), total=count(total), column=name, groups=parts)  # fmt: skip
            warnings.append({"code": "pricing.missing", "text": text, "where": where})
            exclusions.append(
                {
                    "what": say("pricing.what_missing", column=name),
                    "rows": blank,
                    "why": text,
                    "source": work.sample.role,
                    "file": "",
                    "attribute": None,
                    "cause": "no amount",
                }
            )
        negative = int((quote.values < 0).sum())
        if negative and name not in work.predicted:
            warn("pricing.negative", where, n=count(negative), total=count(total), column=name)
    _selected(work, warn)
    directions = work.adverse or {str(work.settings["actual"]): work.terms.adverse}
    opened = [f"“{name}”" for name, worse in directions.items() if worse is None]
    if opened:
        warn("pricing.adverse_unknown", "methods.pricing.adverse", columns=listed(opened))
    taken = _taken_over(work)
    if taken:
        assert work.plan.system is not None
        warn(
            "pricing.direction_taken", "methods.pricing.quotes", columns=listed(taken),
            first=work.plan.system.amount_column, adverse=work.terms.adverse,
        )  # fmt: skip
    for name, found in result["quoted"].items():
        if found["drawn"]["means"] != "exact":
            share = f"{100 * found['drawn']['replaced_share']:.2g}"
            warn("pricing.blocks", f"methods.pricing, {name}", model=name, share=share)
    for model in work.predicted.values():
        if model.described["how"] == "out of fold":
            warn("pricing.out_of_fold", "methods.pricing", model=model.described["title"])
    for text in work.task.told if work.task is not None else ():
        warnings.append({"code": "models.told", "text": text, "where": "methods.pricing"})
    many = len(work.cohort.attributes) > 1 and work.settings["crossed"]
    if many and not result["crossed"]:
        warn("pricing.many_crossings", "methods.pricing.crossed")
    return tuple(warnings), tuple(exclusions)


def _taken_over(work: _Work) -> list[str]:
    """Amounts read in the direction that the plan gives for another column."""
    system = work.plan.system
    if system is None or system.amount_column is None or system.amount_adverse is None:
        return []
    if work.settings["adverse"] != "as the plan says":
        return []  # said for all of them
    given = chosen_quotes(work.settings, work.plan)
    same = {system.amount_column}
    if work.settings.get("actual") == system.amount_column:
        same |= set(work.predicted)
    return [f"“{name}”" for name in work.quotes if name not in same and not given.get(name)]


def _selected(work: _Work, warn: Any) -> None:
    """Whether only approved people have an amount: then they are a selection."""
    if work.approved is None:
        return
    known = work.approved[0]
    for name, quote in _columns(work).items():
        if name in work.predicted:
            continue
        there = np.isfinite(quote.values)
        refused = int((known == 0).sum())
        if refused and not (there & (known == 0)).any() and there.any():
            warn("pricing.selected", name, column=name, n=count(refused))


def values_of(result: Mapping[str, Any], name: str, side: str) -> Floats:
    """The hundred quantiles of one side that a figure draws."""
    return np.asarray(result["distribution"][name][side], dtype=np.float64)
