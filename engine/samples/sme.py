"""Small and medium-sized firms: a synthetic second sample, made from a seed.

The firm-level data of paper 000 need a registration and are not used here. The marginals of the
2,440 larger firms are those of the paper's Table 1 (its labels mended: 1 is profit, "yes" to
London and South East is 23.61 %, and the repeated row of principal activity is left out); 1,719
micro firms have shifted ones, which were not published. 3,391 of the 4,159 applications are
approved. With ``planted`` different from 0 micro firms are refused more often than larger firms
with the same features: the amount is added to their log odds.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

NAME = "sme"
TITLE = "Loans to small firms (synthetic)"
SENTENCE = (
    "4,159 made-up firms with the marginals of a survey of small firms. Micro firms are refused "
    "more often than larger firms that are alike in all else: the audit should show it."
)
SEED = 2408_02558
PLANTED = -0.6
OTHERS, MICRO, APPROVED = 2440, 1719, 3391

# Feature: values with the percentages of Table 1; shift of the micro firms (in standard
# deviations of a normal behind the values, in their order); weight in the approval, per value.
_TABLE: dict[str, tuple[tuple[Any, ...], tuple[float, ...], float, float]] = {
    "previous_turn_down": (("no", "yes"), (90.94, 9.06), 0.28, -1.04),
    "finance_qualification": (("no", "yes"), (45.66, 54.34), -0.57, 0.33),
    "written_plan": (("no", "yes"), (37.58, 62.42), -0.52, 0.33),
    "risk": ((1, 2, 3, 4), (19.59, 43.11, 25.98, 11.31), 0.71, -0.43),
    "product_development": (("no", "yes"), (70.25, 29.75), -0.28, -0.10),
    "business_innovation": (("no", "yes"), (40.16, 59.84), -0.28, -0.10),
    "profit_or_loss": ((1, 2, 3), (86.07, 8.69, 5.25), 0.28, -0.43),
    "turnover_growth": ((1, 2, 3, 4), (13.69, 40.33, 33.69, 12.30), 0.28, -0.24),
    "funds_injection": (("no", "yes"), (67.17, 32.83), 0.43, -0.38),
    "credit_purchase": (("no", "yes"), (18.48, 81.52), -0.43, 0.28),
    "management_accounts": (("no", "yes"), (19.06, 80.94), -0.81, 0.43),
    "principal_activity": (
        (
            "construction", "agriculture, hunting and forestry", "fishing",
            "health and social work", "hotels and restaurants", "manufacturing",
            "real estate, renting and business activities", "transport, storage and communication",
            "wholesale/retail",
        ),
        (6.64, 10.82, 12.01, 12.62, 11.68, 8.69, 16.68, 9.63, 11.23),
        -0.1,
        0.0,
    ),
    "legal_status": (
        (
            "sole proprietorship", "partnership", "limited liability partnership",
            "limited liability company",
        ),
        (4.88, 10.57, 7.50, 77.05),
        -1.19,
        0.14,
    ),
    "startup": (("no", "yes"), (97.5, 2.5), 0.43, -0.57),
    "london_south_east": (("no", "yes"), (76.39, 23.61), 0.05, 0.00),
}  # fmt: skip
_COMMON = 0.15
"""Correlation of the normals behind the values: strong firms are strong in more than one way."""

ORDER: dict[str, Any] = {
    "previous_turn_down": ["yes", "no"],
    "finance_qualification": ["no", "yes"],
    "written_plan": ["no", "yes"],
    "risk": "lower is better",
    "profit_or_loss": ["2", "3", "1"],
    "turnover_growth": "lower is better",
    "funds_injection": ["yes", "no"],
    "credit_purchase": ["no", "yes"],
    "management_accounts": ["no", "yes"],
}
"""What is better, for the watch-out list: the codes of the survey say 1 profit, 2 loss, 3 even."""
INTRINSIC = ["principal_activity", "legal_status", "startup", "london_south_east"]


def counts(percentages: tuple[float, ...], n: int) -> NDArray[np.int64]:
    """Whole numbers that sum to n and come nearest to the percentages (largest remainders).

    Examples
    --------
    >>> counts((86.07, 8.69, 5.25), 2440).tolist()
    [2100, 212, 128]
    """
    exact = np.asarray(percentages) / sum(percentages) * n
    found = np.floor(exact).astype(np.int64)
    order = np.argsort(-(exact - found), kind="stable")
    found[order[: n - int(found.sum())]] += 1
    return found


def _shifted(percentages: tuple[float, ...], shift: float) -> tuple[float, ...]:
    """The same values with the normal behind them moved up by ``shift``."""
    edges = stats.norm.ppf(np.cumsum(percentages)[:-1] / sum(percentages))
    moved = np.concatenate(([0.0], stats.norm.cdf(edges - shift), [1.0]))
    return tuple(float(v) for v in np.diff(moved) * 100)


def make_sme(*, seed: int = SEED, planted: float = PLANTED) -> pd.DataFrame:
    """Make the sample: 4,159 rows, ``firm`` (id), ``firm_size``, 15 features, ``approved``.

    Parameters
    ----------
    seed : int
    planted : float
        Log odds added to the approval of micro firms; 0 for no discrimination.

    Examples
    --------
    >>> frame = make_sme()
    >>> len(frame), int((frame.approved == "yes").sum()), int((frame.firm_size == "micro").sum())
    (4159, 3391, 1719)
    """
    rng = np.random.default_rng([seed, 1])
    micro = np.arange(OTHERS + MICRO) >= OTHERS
    common = rng.normal(size=len(micro))
    frame: dict[str, Any] = {}
    odds = planted * micro.astype(float)
    for name, (values, percentages, shift, weight) in _TABLE.items():
        # A firm that is strong on the whole tends to the value that helps an approval.
        strong = np.sign(weight) * common
        hidden = np.sqrt(_COMMON) * strong + np.sqrt(1 - _COMMON) * rng.normal(size=len(micro))
        place = np.empty(len(micro), np.int64)
        for group, n, shares in (
            (~micro, OTHERS, percentages),
            (micro, MICRO, _shifted(percentages, shift)),
        ):
            rows = np.flatnonzero(group)
            sizes = counts(shares, n)
            place[rows[np.argsort(hidden[rows], kind="stable")]] = np.repeat(
                np.arange(len(values)), sizes
            )
        # A list keeps each value's own type: whole numbers stay numbers, texts stay texts.
        frame[name] = [values[i] for i in place]
        odds = odds + weight * place
    order = np.argsort(-(odds + rng.logistic(size=len(micro))), kind="stable")
    approved = np.zeros(len(micro), bool)
    approved[order[:APPROVED]] = True
    mixed = rng.permutation(len(micro))
    return pd.DataFrame(
        {
            "firm": [f"F{i + 1:04d}" for i in range(len(micro))],
            "firm_size": np.where(micro, "micro", "non-micro")[mixed],
            **{name: [column[i] for i in mixed] for name, column in frame.items()},
            "approved": np.where(approved, "yes", "no")[mixed],
        }
    )


def plan() -> dict[str, Any]:
    """The sample's plan in its file form."""
    return {
        "schema": "fairassay-plan/1",
        "seed": 20261129,
        "case": {"system": "Loans to small firms (synthetic sample)", "purpose": "Example"},
        "data": {"all": {"path": "sme.csv"}},
        "id": "firm",
        "outcome": {"column": "approved", "favourable": ["yes"]},
        "system": None,
        "protected": [{"column": "firm_size", "privileged": ["non-micro"]}],
        "methods": {"certification": {}, "peers": {"order": ORDER, "intrinsic": INTRINSIC}},
    }


def files() -> dict[str, bytes]:
    """The sample's files by name: data and plan."""
    data = make_sme().to_csv(index=False, lineterminator="\n")
    return {
        "sme.csv": data.encode(),
        "plan.json": (json.dumps(plan(), indent=2, ensure_ascii=False) + "\n").encode(),
    }
