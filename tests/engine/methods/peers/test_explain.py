"""The watch-out list: exact p by hand, kinds, orders, corrections, refusals."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from engine.base.problems import Refused
from engine.base.watch import Watch
from engine.methods.peers.explain import (
    adjusted,
    exact_p,
    exact_p_both,
    explain,
    rarity_p,
    read_features,
)
from engine.methods.peers.settings import METHOD

FRAME = pd.DataFrame(
    {
        "income": [10.0, *np.linspace(20, 60, 40)],
        "home": ["rent"] + ["own"] * 30 + ["rent"] * 10,
        "history": ["bad"] + ["good"] * 25 + ["middling"] * 15,
        "town": ["X"] + ["Y"] * 20 + ["Z"] * 20,
    }
)
NAMES = ["me", *(f"p{i}" for i in range(40))]


def _features(order: dict, **more):  # type: ignore[no-untyped-def]
    return read_features(
        frame=FRAME,
        features=list(FRAME),
        order=order,
        intrinsic=more.get("intrinsic", []),
        file="p",
    )


def _explain(order: dict, **settings):  # type: ignore[no-untyped-def]
    return explain(
        features=_features(order, **settings), people=[(0, np.arange(1, 41))], names=NAMES,
        settings={**METHOD.defaults(), **settings}, watch=Watch(),
    )  # fmt: skip


def test_exact_p_by_hand() -> None:
    peers = np.array([1.0, 2.0, 2.0, 3.0])
    assert exact_p(own=2.0, peers=peers) == pytest.approx(4 / 5)
    assert exact_p(own=0.0, peers=peers) == pytest.approx(1 / 5)
    assert exact_p_both(own=0.0, peers=peers) == pytest.approx(2 / 5)
    assert exact_p_both(own=2.0, peers=peers) == 1.0


def test_rarity_is_exact_under_exchangeability() -> None:
    """P(p <= a) <= a when the person is one more draw from the same values."""
    rng = np.random.default_rng(1)
    p = []
    for _ in range(2000):
        draw = rng.choice(4, size=61, p=[0.6, 0.3, 0.08, 0.02])
        p.append(rarity_p(own=int(draw[0]), counts=np.bincount(draw[1:], minlength=4)))
    for level in (0.02, 0.05, 0.1, 0.5):
        assert np.mean(np.array(p) <= level) <= level + 0.012


def test_each_kind_has_its_test() -> None:
    found = _explain(
        {"income": "higher is better", "home": ["rent", "own"], "history": ["bad", "middling", "good"]},
        adjust="none",
    )  # fmt: skip
    kinds = {name: e["kind"] for name, e in found.features.items()}
    assert kinds == {
        "income": "numeric", "home": "yes or no", "history": "ordered", "town": "nominal",
    }  # fmt: skip
    rows = found.rows.set_index("Feature")
    assert rows.loc["income", "p"] == pytest.approx(1 / 41)
    assert rows.loc["home", "p"] == pytest.approx(11 / 41)  # ten accepted peers rent too
    assert rows.loc["history", "p"] == pytest.approx(1 / 41)
    assert rows.loc["town", "p"] == pytest.approx(1 / 41)
    assert rows.loc["income", "Difference from their middle"] == pytest.approx(10 - 40)
    assert rows.loc["home", "Usual among them"] == "own: 30 of 40"
    assert rows.loc["home", "Alike"] == 10
    assert rows["Answer"].to_dict() == {
        "income": "worse", "home": "not settled", "history": "worse", "town": "differs",
    }  # fmt: skip


def test_the_published_test_flags_any_rarer_yes_or_no() -> None:
    """Its fault (methods/peers.md, 2.7): a firm with the "bad" value is always significant."""
    found = _explain({"home": ["rent", "own"]})
    row = found.rows.set_index("Feature").loc["home"]
    assert row["As published"] == "worse"
    assert row["Answer"] == "not settled"
    own, peers = 0.0, np.array([1.0] * 30 + [0.0] * 10)
    assert stats.ttest_1samp(peers, own, alternative="greater").pvalue < 1e-8


def test_without_an_order_nothing_is_called_worse() -> None:
    found = _explain({}, adjust="none")
    assert set(found.rows["Answer"]) <= {"differs", "not settled"}
    assert all(e["share"] is None for e in found.features.values())


def test_direction_turns_the_answer() -> None:
    better = _explain({"income": "lower is better"}, adjust="none").rows.set_index("Feature")
    assert better.loc["income", "p"] == 1.0
    assert better.loc["income", "As published"] == "not worse"


def test_a_zero_is_read_in_its_direction() -> None:
    frame = pd.DataFrame({"debts": [0.0, *np.arange(1.0, 41.0)]})
    features = read_features(
        frame=frame, features=["debts"], order={"debts": "lower is better"}, intrinsic=[], file="p"
    )
    found = explain(
        features=features, people=[(0, np.arange(1, 41))], names=NAMES,
        settings=METHOD.defaults(), watch=Watch(),
    )  # fmt: skip
    assert found.rows.iloc[0]["p"] == 1.0  # nobody owes less: the best place, not the worst


def test_minimum_of_accepted_peers() -> None:
    found = _explain({}, min_accepted=41)
    assert found.people == 0 and found.too_few == 1
    assert list(found.rows.columns)[:2] == ["Person", "Feature"]


def test_intrinsic_features_stand_apart() -> None:
    found = _explain({}, intrinsic=["town"])
    assert found.rows.set_index("Feature")["Can be changed"].to_dict()["town"] == "no"


def test_corrections() -> None:
    p = [0.01, None, 0.04, 0.03]
    assert adjusted(p, "none") == p
    assert adjusted(p, "holm") == pytest.approx([0.03, None, 0.06, 0.06])
    wanted = stats.false_discovery_control([0.01, 0.04, 0.03])
    assert adjusted(p, "bh")[0] == pytest.approx(wanted[0])
    assert adjusted(p, "bh")[1] is None


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ({"incme": "higher is better"}, "incme"),
        ({"home": "higher is better"}, "list of its values"),
        ({"income": "up"}, "higher is better"),
        ({"history": ["bad", "good"]}, "middling"),
    ],
)
def test_wrong_orders_are_refused_with_the_mend(order: dict, words: str) -> None:
    with pytest.raises(Refused) as refused:
        _features(order)
    assert words in str(refused.value)


def test_blank_own_value_gives_no_row() -> None:
    frame = FRAME.copy()
    frame.loc[0, "income"] = np.nan
    features = read_features(frame=frame, features=["income"], order={}, intrinsic=[], file="p")
    found = explain(
        features=features, people=[(0, np.arange(1, 41))], names=NAMES,
        settings=METHOD.defaults(), watch=Watch(),
    )  # fmt: skip
    assert len(found.rows) == 0
    assert found.features["income"]["n"] == 0
