"""Results and cases made by hand after the contract, for the tests of the paper."""

from __future__ import annotations

import random
from typing import Any

import pandas as pd

from engine.base.canonical import canonical_json, sha256_of
from engine.drawing.model import Distribution
from engine.methods.base import PrintedTable, Section, Verdict
from engine.methods.peers.watchout import PersonPage, Reading, Watchout
from engine.procedure.state import new_state
from engine.reports.parts import Part

METRICS = ("SPD", "DI", "EOD", "EMOD", "AOD")


def measure(
    value: float | None,
    low: float | None = None,
    high: float | None = None,
    verdict: str | None = None,
    reason: str = "",
    n: tuple[int, int] = (411, 589),
) -> dict[str, Any]:
    """A measure of the contract."""
    return {
        "value": value,
        "low": low,
        "high": high,
        "verdict": verdict,
        "reason": reason,
        "n": {"unprivileged": n[0], "privileged": n[1]},
    }


def tests(z: float = -3.2) -> dict[str, Any]:
    """A block of tests of the contract."""
    return {
        "z": z,
        "z_p": 0.0014,
        "fisher_p": 0.0016,
        "four_fifths": True,
        "flip_flop": False,
        "shortfall": 12.4,
    }


def group(role: str, scale: int = 1, **more: Any) -> dict[str, Any]:
    """A group with its counts."""
    counts = {
        "training": 400 * scale,
        "training_favourable": 250 * scale,
        "tp": 40 * scale,
        "fp": 9 * scale,
        "fn": 6 * scale,
        "tn": 17 * scale,
        "unknown_outcome": 3,
    }
    return {"role": role, "counts": counts, **more}


def attribute(metrics: dict[str, dict[str, Any]], names: tuple[str, ...]) -> dict[str, Any]:
    """An attribute with one privileged group, the first of ``names``."""
    own = {m: dict(v) for m, v in metrics.items()}
    groups = {names[0]: group("privileged", 2)}
    for name in names[1:]:
        groups[name] = group("unprivileged", metrics=own, tests=tests(), decision_tests=tests(-0.4))
    return {
        "metrics": metrics,
        "groups": groups,
        "bias_index": measure(0.084, 0.04, 0.15, "not settled"),
        "metrics_used": list(METRICS),
        "tests": tests(),
        "decision_tests": tests(-0.4),
        "bounds": {
            "SPD": {"low": -0.14, "high": -0.08, "worst_case": [-0.15, -0.07]},
            "DI": {"low": 0.8, "high": 0.9, "worst_case": [0.79, 0.92]},
        },
    }


def german() -> dict[str, Any]:
    """The statement of the pictures: ten metrics, none settled."""
    open_ = "not settled"
    age = {
        "SPD": measure(-0.110, -0.171, -0.049, open_),
        "DI": measure(0.851, 0.772, 0.932, open_),
        "EOD": measure(0.063, -0.068, 0.201, open_, n=(32, 71)),
        "EMOD": measure(0.029, -0.272, 0.335, open_, n=(17, 30)),
        "AOD": measure(-0.046, -0.213, 0.122, open_, n=(49, 101)),
    }
    sex = {
        "SPD": measure(-0.075, -0.138, -0.013, open_, n=(310, 690)),
        "DI": measure(0.897, 0.811, 0.981, open_, n=(310, 690)),
        "EOD": measure(0.106, -0.030, 0.253, open_, n=(29, 74)),
        "EMOD": measure(-0.015, -0.350, 0.330, open_, n=(14, 33)),
        "AOD": measure(-0.045, -0.228, 0.140, open_, n=(43, 107)),
    }
    return result(
        {
            "Age": attribute(age, ("at least 30", "below 30")),
            "Sex": attribute(sex, ("male", "female")),
        },
        protected=[
            {
                "name": "Age",
                "column": "age",
                "privileged": {"at_least": 30},
                "unprivileged": None,
                "left_out": [],
            },
            {
                "name": "Sex",
                "column": "Sex",
                "privileged": ["male"],
                "unprivileged": None,
                "left_out": [],
            },
        ],
        score=measure(0.916, 0.812, 0.927, open_),
        recommendation="not settled",
        system={"train": {"model": "random_forest"}},
        worst={"attribute": "Age", "metric": "DI", "value": 0.87, "share": 1.49},
    )


def granted(names: tuple[str, ...] = ("age", "sex")) -> dict[str, Any]:
    """A certificate as in the pictures: everything within."""
    inside = "within"
    metrics = {
        "SPD": measure(-0.041, -0.052, -0.030, inside, n=(40000, 72000)),
        "DI": measure(0.914, 0.903, 0.925, inside, n=(40000, 72000)),
        "EOD": measure(0.022, 0.008, 0.036, inside, n=(11000, 24000)),
        "EMOD": measure(0.031, 0.010, 0.052, inside, n=(5000, 8000)),
        "AOD": measure(-0.026, -0.044, -0.009, inside, n=(16000, 32000)),
    }
    other = {**{k: dict(v) for k, v in metrics.items()}, "DI": measure(0.951, 0.94, 0.962, inside)}
    attributes = {}
    protected = []
    for place, name in enumerate(names):
        groups = ("30 and over", "under 30") if place == 0 else ("male", "female")
        attributes[name] = attribute(metrics if place == 0 else other, groups)
        attributes[name]["bias_index"] = measure(0.045, 0.036, 0.054, inside)
        protected.append(
            {
                "name": name,
                "column": name,
                "privileged": [groups[0]],
                "unprivileged": None,
                "left_out": [],
            }
        )
    return result(
        attributes,
        protected=protected,
        score=measure(0.955, 0.946, 0.964, inside),
        recommendation="grant",
        worst={"attribute": names[0], "metric": "DI", "value": 0.86, "share": 1.4},
    )


def result(
    attributes: dict[str, Any],
    *,
    protected: list[dict[str, Any]],
    score: dict[str, Any],
    recommendation: str,
    worst: dict[str, Any],
    rule: str = "whole interval",
    system: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """A result.json with a certification."""
    plan = {
        "schema": "fairassay-plan/1",
        "seed": 20261129,
        "case": {"reference": "EAO-2026-0017", "system": "German credit, sample"},
        "data": {"training": {"path": ["train.csv"]}, "test": {"path": ["test.csv"]}, "all": None},
        "outcome": {"column": "Risk", "favourable": ["good"], "unfavourable": None},
        "system": system or {"prediction": {"column": "pred", "favourable": ["good"]}},
        "protected": protected,
        "tolerance": {
            "rule": rule,
            "difference": 0.1,
            "ratio": [0.9, 1.1],
            "bias_index": 0.1,
            "fairness_score": 0.9,
            "overrides": {},
        },
        "confidence": 0.95,
        "resamples": 1000,
        "methods": {"certification": {}},
    }
    return {
        "schema": "fairassay-result/1",
        "software": {
            "name": "FairAssay",
            "version": "0.1.0",
            "python": "3.11.7",
            "numpy": "2.4.6",
            "scipy": "1.17.1",
        },
        "plan": plan,
        "plan_sha256": sha256_of(plan),
        "inputs": [
            {
                "role": "training",
                "name": "train.csv",
                "sha256": "ab" * 32,
                "bytes": 51234,
                "rows": 112000,
                "columns": 13,
                "detected": {"delimiter": ","},
            },
            {
                "role": "test",
                "name": "test.csv",
                "sha256": "cd" * 32,
                "bytes": 9123,
                "rows": 48000,
                "columns": 13,
                "detected": {"delimiter": ","},
            },
        ],
        "exclusions": [{"what": "test.csv, Age", "rows": 12, "why": "age is blank"}],
        "warnings": [
            {
                "code": "cohort.privileged_lower",
                "where": "Sex",
                "text": "The privileged group of Sex has the lower favourable rate.",
            }
        ],
        "steps": [
            {"number": n, "title": f"Step {n}", "state": "done", "why": ""} for n in range(1, 13)
        ],
        "certification": {
            "attributes": attributes,
            "fairness_score": score,
            "worst": worst,
            "not_checked": [],
            "recommendation": {
                "value": recommendation,
                "rule": rule,
                "reasons": [
                    "All ten metrics cross an edge of the tolerance band.",
                    "There are 150 test rows; 17 people under 30 turned out to be bad payers.",
                    "Read as published, from the score alone, the result would be “grant”.",
                ],
                "as_published": "grant",
            },
        },
    }


def case(decision: str | None = "not settled", **more: str) -> dict[str, Any]:
    """A case with all its facts, decided as named."""
    state = new_state()
    state["case"].update(
        reference="EAO-2026-0017",
        system="German credit, sample",
        version="1.0",
        provider="Example Bank",
        provider_address="2 Example Avenue, Example City",
        client="Example Bank",
        client_address="2 Example Avenue, Example City",
        purpose="Decides on loans to private persons",
        decision_kind="Decides on loans to private persons",
        organisation="Example Audit Office",
        organisation_address="1 Example Street, Example City",
        evaluator="",
        reviewer="",
        decider="",
        scheme="TEC 57050:2023, procedure of twelve steps",
        scheme_date="2023-07-05",
        scope="Loans to private persons",
        out_of_scope="Loans to companies",
        audit_period="October to November 2026",
        data_dates="January to June 2026",
        data_kind_reason="History: the system is in use.",
        independence="None of the three has an interest in the provider.",
        conditions="",
        complaints="To the Example Audit Office, within three months, in writing.",
        status_contact="the Example Audit Office",
        **more,
    )
    moment = {
        "when": "2026-11-24T10:00:00Z",
        "who": "the evaluator",
        "rates_visible": False,
        "result_visible": False,
    }
    state["set"] = {"tolerance": dict(moment), "groups": dict(moment)}
    state["certificate"] = {
        "number": "EAO-2026-0017",
        "revision": 0,
        "issued": "2026-11-29",
        "expires": "2027-11-26",
        "next_check": "2027-05-26",
        "replaces": "",
        "replaces_why": "",
    }
    if decision:
        state["decision"] = {
            "value": decision,
            "reasons": [],
            "conditions": "",
            "by": "",
            "when": "2026-11-28",
            "recommendation": decision,
        }
    return state


def files(found: dict[str, Any]) -> dict[str, bytes]:
    """The bytes of a result and its plan."""
    return {
        "result_bytes": canonical_json(found).encode(),
        "plan_bytes": canonical_json(found["plan"]).encode(),
    }


def crowded() -> tuple[dict[str, Any], dict[str, Any]]:
    """Twelve attributes, forty groups in one, names of 120 characters, three alphabets."""
    rng = random.Random(7)
    long = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverleihungsurkundenprüfungsausschussvorsitzendenstellvertretung"[
        :120
    ]
    metrics = {
        "SPD": measure(-0.12, -0.2, -0.04, "not settled"),
        "DI": measure(2.9, 1.2, 4.9, "outside"),
        "EOD": measure(
            None,
            None,
            None,
            "not computable",
            "Cannot be computed: no person in Ψήφοι turned out to be a good payer.",
        ),
        "EMOD": measure(0.01, -0.02, 0.03, "within"),
        "AOD": measure(None, None, None, "not checked", "Training data were not supplied."),
    }
    names = ["Εθνικότητα", "Національність", long, "Größe"] + [f"attribute {i}" for i in range(8)]
    attributes, protected = {}, []
    for name in names:
        groups = [
            f"група {i} Ω {rng.randrange(10**6)}" for i in range(40 if name == names[0] else 3)
        ]
        if name == long:
            groups[1] = long + " " + long[::-1]
            groups[2] = "κατηγορία με μεγάλο όνομα " * 5
        attributes[name] = attribute(metrics, tuple(groups))
        protected.append(
            {
                "name": name,
                "column": name,
                "privileged": [groups[0]],
                "unprivileged": None,
                "left_out": [],
            }
        )
    found = result(
        attributes,
        protected=protected,
        score=measure(None, None, None, "not computable", "No score: an index is missing."),
        recommendation="refuse",
        worst={"attribute": names[0], "metric": "DI", "value": 0.35, "share": 6.5},
    )
    state = case("refuse")
    state["case"].update(
        system=long,
        provider="Παράδειγμα Τράπεζα Α.Ε. " * 5,
        organisation="Приклад аудит " * 8,
        organisation_address=long,
        client=long,
        evaluator="Олена Прикладова " * 7,
        decider=long,
        reviewer="Μαρία Παραδείγματος",
    )
    return state, found


def watch_list(rows: int) -> tuple[Part, ...]:
    """A long list of people as a method's part; nothing for 0 rows."""
    if not rows:
        return ()
    cells = tuple(
        (f"row {i}", f"Δήμος Ω {i % 97}", f"{i % 100} %", f"{i % 47}", Verdict("not settled"))
        for i in range(rows)
    )
    table = PrintedTable("Everyone", ("Person", "Group", "Own", "Peers", "Place"), cells, "llrrl")
    return (Part("peers", "Watch-out list", (Section("Watch-out list", tables=(table,)),)),)


def watching() -> Watchout:
    """A watch-out list of two people, with overview and pages."""

    def person(name: str) -> PersonPage:
        table = PrintedTable(
            "What differs", ("Feature", "This person", "Peers"), (("Εισόδημα", "2", "3"),), "lrr"
        )
        return PersonPage(
            name=name,
            group="sex: female",
            in_short="The score lies below that of 29 of 30 peers.",
            place="Of 30 peers, 29 have a higher score.",
            chart=Distribution(
                key="place", title="Scores of the peers", sentence="One dot a peer.",
                samples=(("peers", (0.2, 0.4, 0.5, 0.7), "plain"),), lines=((0.1, name),),
            ),
            readings=(
                Reading("As published", "explainable", "Two tests agree."),
                Reading("By rank", "not settled", "One place more would turn it."),
            ),
            changeable=table,
            fixed=None,
            todo=("Look at the file again.", "Write down what was found."),
            accuses="This page accuses nobody.",
        )  # fmt: skip

    overview = PrintedTable("In numbers", ("What", "People"), (("Tested", "2"),), "lr")
    people = (person("person 7"), person("πρόσωπο 8"))
    return Watchout("Watch-out list", "Two people.", (), overview, None, people, pd.DataFrame())
