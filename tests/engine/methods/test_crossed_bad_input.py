"""Crossed groups, definitions and scenarios on hard inputs, by the command line: sentences, no stop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.engine import driving

METHODS = ("intersection", "tradeoffs", "mitigation")


def people(n: int = 240) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    sex = rng.choice(["M", "F"], n)
    skill = rng.normal(size=n)
    return pd.DataFrame(
        {
            "sex": sex,
            "skill": skill.round(4),
            "height": (rng.normal(size=n) + 1.5 * (sex == "M")).round(4),
            "p_a": 0.7,
            "p_b": 0.3,
            "approved": (skill + 0.8 * (sex == "M") + rng.normal(size=n) > 0.4).astype(int),
            "decided": (skill + 0.5 * (sex == "M") > 0.3).astype(int),
        }
    )


def audited(folder: Path, table: pd.DataFrame, **changes: Any) -> dict[str, Any]:
    table.to_csv(folder / "people.csv", index=False)
    crossing = changes.pop("intersection", {})
    study = {
        "model": "logistic_regression",
        "scenarios": ["reweighing", "oversampling"],
        **changes.pop("mitigation", {}),
    }
    asked: dict[str, Any] = {
        "methods": {
            "certification": {},
            "intersection": crossing,
            "tradeoffs": {},
            "mitigation": study,
        },
        "system": {"prediction": {"column": "decided", "favourable": [1]}},
        "features": ["skill", "height"],
        "resamples": 100,
        **changes,
    }
    found = driving.audited(folder, driving.plan_of(**asked))
    assert all(name in found for name in METHODS)
    return found


def test_no_crossing_reaches_the_gate(tmp_path: Path) -> None:
    found = audited(tmp_path, people(), intersection={"minimum_effective_n": 5000})
    part = found["intersection"]
    assert part["reference"] is None
    assert "0 crossings reach 5,000 people" in part["reference_reason"]
    assert {c["flag"] for c in part["cells"].values()} == {"INSUFFICIENT"}
    assert all(c["ratio"]["value"] is None and c["ratio"]["reason"] for c in part["cells"].values())
    assert any(w["code"] == "intersection.no_reference" for w in found["warnings"])
    assert all(one["reason"] == "" for one in found["mitigation"]["scenarios"])


def test_a_reference_with_rate_0(tmp_path: Path) -> None:
    table = people()
    table.loc[table["sex"] == "F", "decided"] = 0
    n = int((table["sex"] == "F").sum())
    found = audited(tmp_path, table, intersection={"reference": "sex=F"})
    cell = found["intersection"]["cells"]["sex=M"]
    assert cell["ratio"]["value"] is None
    assert f"has 0 favourable among {n} people" in cell["ratio"]["reason"]
    assert cell["flag"] == "INSUFFICIENT" and cell["ratio_to_overall"]["value"] > 1
    assert found["tradeoffs"]["odds"]["precision_gap"]["value"] is None
    assert (
        "sex F has 0 people with a favourable decision"
        in (found["tradeoffs"]["odds"]["precision_gap"]["reason"])
    )


def test_all_membership_unknown(tmp_path: Path) -> None:
    table = people().assign(p_a=np.nan, p_b=np.nan)
    protected = [
        {"column": "sex", "privileged": ["M"]},
        {"name": "ethnicity", "membership": {"A": "p_a", "B": "p_b"}, "privileged": ["A"]},
    ]
    asked = {"attribute": "ethnicity"}
    found = audited(tmp_path, table, protected=protected, mitigation=asked)
    part = found["intersection"]
    assert len(part["cells"]) == 4
    assert all(c["rows"] == 0 and "not tested" in c["flag_reason"] for c in part["cells"].values())
    assert any(
        w["text"].startswith("0 of 240 people have probabilities of ethnicity that can be used")
        for w in found["warnings"]
    )
    assert part["membership_notes"] and "they are left out" in part["membership_notes"][0]
    one = found["certification"]["attributes"]
    assert one["ethnicity"]["metrics"]["SPD"]["value"] is None
    assert one["sex"]["metrics"]["SPD"]["value"] is not None
    study = found["mitigation"]
    assert "too few for 5 folds" in study["proxies"]["reason"]
    assert study["scenarios"][0]["bias_index"]["sex"]["value"] is not None


@pytest.mark.parametrize("choice", ["refuse", "renormalise", None])
def test_probabilities_that_do_not_sum_to_1(
    tmp_path: Path, choice: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    table = people()
    table.loc[[4, 9], "p_b"] = 0.5
    protected = [{"name": "ethnicity", "membership": {"A": "p_a", "B": "p_b"}, "privileged": ["A"]}]
    crossing = {} if choice is None else {"unusable_membership": choice}
    if choice == "refuse":
        table.to_csv(tmp_path / "people.csv", index=False)
        plan = driving.plan_of(
            protected=protected, methods={"certification": {}, "intersection": crossing}
        )
        code, _ = driving.audit(tmp_path, plan)
        said = capsys.readouterr().err
        assert code == 2 and "2 of 240 rows" in said and "row 5" in said and "row 10" in said
        return
    found = audited(tmp_path, table, protected=protected, intersection=crossing)
    part = found["intersection"]
    weight = sum(c["effective_n"] for c in part["cells"].values())
    assert weight == pytest.approx(240 if choice else 238)
    done = "scaled to 1" if choice else "left out"
    assert done in part["membership_notes"][0]
    # never a hard guess: everybody counts in both groups, by the probability
    shares = [c["effective_n"] / weight for c in part["cells"].values()]
    assert shares == pytest.approx([0.7, 0.3], abs=2e-3)
    assert all(c["imputed_share"] == 1.0 for c in part["cells"].values())
    for c in part["cells"].values():
        assert c["bounds"] == {"low": 0.0, "high": 1.0}


def test_a_scenario_that_leaves_one_class(tmp_path: Path) -> None:
    table = people()
    table["approved"] = 1
    found = audited(tmp_path, table, mitigation={"target_rate": 0.5})
    reasons = [one["reason"] for one in found["mitigation"]["scenarios"]]
    assert all(r.endswith(".") and (r[0].isupper() or r.startswith("sex ")) for r in reasons)
    assert any("nothing to learn" in r for r in reasons)
    assert found["intersection"]["cells"]["sex=F"]["rate"]["value"] is not None


def test_names_given_to_values_are_printed_and_keys_stay(tmp_path: Path) -> None:
    labels = {"M": "men", "F": "women"}
    protected = [{"column": "sex", "privileged": ["M"], "labels": labels}]
    table = people()
    table.loc[:, "approved"] = np.where(table["sex"] == "F", 0, table["approved"])
    found = audited(tmp_path, table, protected=protected)
    assert set(found["intersection"]["cells"]) == {"sex=M", "sex=F"}
    balanced = next(o for o in found["mitigation"]["scenarios"] if o["change"] == "oversampling")
    assert "sex women has 0 people" in balanced["reason"]
    out = tmp_path / "out" / "tables"
    crossed = pd.read_csv(out / "crossed_groups.csv")
    assert list(crossed["Crossing"]) == ["sex men", "sex women"]
    assert list(crossed["Key"]) == ["sex=M", "sex=F"]
    assert list(pd.read_csv(out / "definitions.csv")["Group"]) == ["men", "women"]
    cells = pd.read_csv(out / "scenario_cells.csv")
    assert set(cells["Crossing"]) == {"sex men", "sex women"}
    printed = [_words(found, name) for name in METHODS]
    assert all("women" in one and "sex=F" not in one for one in printed[:2])
    assert "sex=F" not in printed[2]


def _words(found: dict[str, Any], name: str) -> str:
    """Everything that window and paper say of a method."""
    from engine.drawing.tables import table_of
    from engine.methods import room
    from engine.methods.asking import read_plan

    plan = read_plan(found["plan"])
    sections = room(name, "findings").sections(result=found[name], plan=plan)
    charts = room(name, "figures").figures(result=found[name], tables={})
    return f"{sections} {[(c, table_of(c)) for c in charts]}"


@pytest.mark.parametrize("declared", [True, False])
def test_the_declared_choice_is_among_the_printed_facts(declared: bool) -> None:
    from engine.reports.facts import _choice, _together

    choice = {"definition": "equalised odds", "reason": "It counts.", "by": "Evaluator"}
    said = _choice(choice if declared else {"definition": None, "reason": "", "by": ""})
    told = "Choice declared: equalised odds, by Evaluator. Reason: It counts."
    assert said == (told if declared else "No choice was declared.")
    for possible, code in (
        (True, "together"),
        (False, "not_together"),
        (None, "not_told_together"),
    ):
        part = {"combinations": [{"definitions": ["a", "b", "c"], "possible": possible}]}
        assert _together({"can_hold_together": part}) == f"paper.{code}"
