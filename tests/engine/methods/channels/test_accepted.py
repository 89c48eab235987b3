"""Channels that the auditor counts as accepted: told apart, with the reason, and checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.base.problems import Refused
from engine.run.road import Run
from tests.engine.causal.driving import ran
from tests.engine.methods.channels.test_channels import GRAPH, drawn

LABELS = {"0": "men", "1": "women"}


def asked(folder: Path, accepted: Any, **graph: Any) -> Run:
    return ran(
        folder, drawn(3),
        {"channels": {"target": "Y", "graph": {**GRAPH, **graph, "accepted": accepted}}},
        protected=[{"name": "sex", "column": "A", "privileged": [0], "labels": LABELS}],
    )  # fmt: skip


def test_what_is_accepted_is_told_apart_and_the_parts_stay(tmp_path: Path) -> None:
    roles = {"H": "historical", "S": "socioeconomic"}
    plain = asked(tmp_path, {}, roles=roles).result["channels"]
    done = asked(tmp_path, {"H": "the record may be used", "S": "as agreed"}, roles=roles)
    part = done.result["channels"]
    assert part["channels"] == plain["channels"] and part["gap"] == plain["gap"]
    both = part["channels"]["H"]["value"] + part["channels"]["S"]["value"]
    assert part["accepted"]["value"] == pytest.approx(both, abs=1e-12)
    assert part["not_accepted"]["value"] == pytest.approx(part["gap"]["value"] - both, abs=1e-12)
    assert (
        part["not_accepted"]["low"] < part["not_accepted"]["value"] < part["not_accepted"]["high"]
    )
    # what is accepted asks for no mending; the rest of the advice stays
    assert {"H", "S"} & {s["part"] for s in plain["advice"]}
    assert [s for s in plain["advice"] if s["part"] not in ("H", "S")] == part["advice"]
    told = next(f for f in done.findings["channels"] if f.code == "channels.accepted")
    assert "the record may be used" in told.sentence and "as agreed" in told.sentence
    rows = done.tables["channels"]["Part"].tolist()
    assert rows[-3:] == ["Whole gap", "Accepted channels", "Left without these"]
    assert not [w for w in done.result["warnings"] if "accepted" in w["code"]]


def test_no_reason_and_no_channel_are_said(tmp_path: Path) -> None:
    done = asked(tmp_path, {"H": "", "CH": "in the middle of a path"})
    codes = {w["code"]: w["where"] for w in done.result["warnings"]}
    assert codes["channels.accepted_warn"].endswith("accepted.H")
    assert codes["channels.accepted_none"].endswith("accepted.CH")
    value = done.result["channels"]["channels"]["H"]["value"]
    assert done.result["channels"]["accepted"]["value"] == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize(
    ("accepted", "told"), [({"Hh": "x"}, 'did you mean "H"'), ({"H": 1}, "the reason in words")]
)
def test_wrong_shapes_are_refused(tmp_path: Path, accepted: Any, told: str) -> None:
    with pytest.raises(Refused, match=told):
        asked(tmp_path, accepted)


def test_groups_are_called_by_their_labels_and_keys_stay(tmp_path: Path) -> None:
    done = asked(tmp_path, {})
    part = done.result["channels"]
    assert part["unprivileged"] == ["1"] and part["words"] == LABELS
    assert set(part["groups"]) == {"1"}
    gap = done.findings["channels"][0].sentence
    assert "higher for women than for men" in gap and "(sex)" in gap
    table = done.tables["channels"]
    assert set(table["Group"]) == {"women"} and set(table["Compared with"]) == {"men"}
    graph = {"name": "g", "edges": GRAPH["edges"]}
    again = ran(
        tmp_path, None, {"counterfactual": {"target": "Y", "graphs": [graph]}},
        protected=[{"name": "sex", "column": "A", "privileged": [0], "labels": LABELS}],
    )  # fmt: skip
    people = again.tables["counterfactual"]
    assert set(people["Group"]) == set(people["Instead in group"]) == {"women", "men"}
    printed = " ".join(f.sentence for f in again.findings["counterfactual"])
    assert "from men to women (sex)" in printed
    assert set(again.result["counterfactual"]["graphs"]["g"]["by_group"]) == {"0", "1"}
    changes = next(c for c in again.charts["counterfactual"] if c.key == "counterfactual-changes-1")
    assert [s[0] for s in changes.samples] == ["men", "women"]
    assert changes.sizes == tuple((people["Group"] == g).sum() for g in ("men", "women"))


def test_a_gap_that_is_not_there_is_not_called_more(tmp_path: Path) -> None:
    table = drawn(3)
    table["Y"] = table["Y"] - table["A"] * (
        table.loc[table["A"] == 1, "Y"].mean() - table.loc[table["A"] == 0, "Y"].mean()
    )
    done = ran(tmp_path, table, {"channels": {"target": "Y", "graph": GRAPH}})
    first = done.findings["channels"][0]
    assert first.grade == "not settled" and first.sentence.startswith("0.000 (")
    assert "came out alike" in first.sentence and "higher" not in first.sentence
