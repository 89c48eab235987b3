"""What a person reads of prices: labels in place of keys, the currency, how many people."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pricing_plans import audit, people, told

from engine.base.problems import Refused
from engine.drawing.model import Distribution, Panels
from engine.drawing.tables import table_of

PROTECTED = [
    {"column": "sex", "privileged": ["M"], "labels": {"M": "men", "F": "women"}},
    {"column": "area", "privileged": ["x"], "labels": {"x": "the city", "y": "the country"}},
]


OFFER = {"amount": {"column": "offer", "adverse": "high"}}


def made(folder: Path, n: int = 400) -> Path:
    rng = np.random.default_rng(8)
    sex = np.where(rng.random(n) < 0.4, "F", "M")
    rate = np.round(500 + 60 * rng.standard_normal(n) + 40 * (sex == "F"), 2)
    rate[:3] = np.nan
    area = np.where(rng.random(n) < 0.3, "y", "x")
    return people(
        folder,
        {
            "sex": sex, "area": area, "offer": rate, "interest_rate": (rate / 100).round(3), "risk": rng.random(n).round(3),
            "money": ["EUR"] * n, "paid": rate + rng.standard_normal(n).round(2),
        },
    )  # fmt: skip


def everything(done: Any) -> str:
    part = "pricing"
    words = [f.sentence + f.subject for f in done.findings[part]]
    for section in done.sections[part]:
        words += section.paragraphs
        for table in section.tables:
            words += [str(table.columns), str(table.rows), str(table.notes)]
    for chart in done.charts[part]:
        words += [chart.title, chart.sentence, chart.alt, str(table_of(chart))]
    words += [frame.to_csv() for stem, frame in done.tables.items() if stem.startswith(part)]
    words += [w["text"] for w in done.result["warnings"]]
    return "\n".join(words)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = made(tmp_path_factory.mktemp("words"))
    settings = {
        "risk": "risk", "currency": "money", "actual": "paid", "permutations": 199,
        "quotes": ["interest_rate"],
    }  # fmt: skip
    found = audit(folder, system=OFFER, protected=PROTECTED, methods={"pricing": settings})
    told(found)
    return found


def test_groups_are_called_by_their_labels(done: Any) -> None:
    said = everything(done)
    assert "sex women get" in said and "sex women × area the country" in said
    assert "women" in next(
        w["text"] for w in done.result["warnings"] if w["code"] == "pricing.missing"
    )
    for key in ("sex F", "sex M", "sex=", "area=", "area x", "area y"):
        assert key not in said, key
    assert set(done.result["pricing"]["crossed"]) == {
        "sex=M × area=y", "sex=F × area=x", "sex=F × area=y"
    }  # fmt: skip


def test_the_currency_stands_with_the_amounts_and_not_with_rates(done: Any) -> None:
    assert done.result["pricing"]["currency"] == "EUR"
    gap, rate = (f for f in done.findings["pricing"] if f.code == "pricing.gap")
    assert gap.subject == "offer" and " EUR more than" in gap.sentence
    assert rate.subject == "interest_rate" and "EUR" not in rate.sentence
    assert "get 0.4" in rate.sentence or "get 0.3" in rate.sentence or "get 0.5" in rate.sentence
    panels = [c for c in done.charts["pricing"] if isinstance(c, Panels)]
    labels = {w for p in panels for part in p.charts for w in (part.x_label, part.y_label)}
    assert "Gap of the means (EUR)" in labels and "Gap of the means" in labels
    rows = next(t for s in done.sections["pricing"] for t in s.tables).rows
    shown = {(r[1], r[2]): r[3] for r in rows if r[0] == "sex women"}
    assert shown["offer", "Gap of the means"].endswith(" EUR")
    assert shown["interest_rate", "Gap of the means"].startswith("+0.")


def test_several_currencies_are_refused_by_name(tmp_path: Path) -> None:
    made(tmp_path)
    text = (tmp_path / "people.csv").read_text().replace("EUR", "USD", 5)
    (tmp_path / "people.csv").write_text(text)
    with pytest.raises(Refused, match="USD \\(5\\)"):
        audit(tmp_path, system=OFFER, methods={"pricing": {"currency": "money"}})


def test_the_key_of_the_distribution_counts_people(done: Any) -> None:
    chart = next(c for c in done.charts["pricing"] if c.key == "pricing_distribution")
    assert isinstance(chart, Panels)
    first = chart.charts[0]
    assert isinstance(first, Distribution)
    n = done.result["pricing"]["quoted"]["offer"]["gap"]["n"]
    assert first.sizes == (n["privileged"], n["unprivileged"]) and sum(first.sizes) == 397
    assert "half below" in first.alt


def test_each_quote_may_have_a_direction_of_its_own(tmp_path: Path) -> None:
    made(tmp_path)
    settings = {"quotes": [{"column": "paid", "adverse": "low"}], "actual": "paid"}
    done = audit(tmp_path, system=OFFER, methods={"pricing": settings})
    found = done.result["pricing"]["quoted"]
    assert (found["offer"]["adverse"], found["paid"]["adverse"]) == ("high", "low")
    assert found["offer"]["worse_off"] is True and found["paid"]["worse_off"] is False
    grades = {f.subject: f.grade for f in done.findings["pricing"] if f.code == "pricing.gap"}
    assert grades == {"offer": "shown", "paid": "note"}
    for wrong in ([{"column": "paid", "adverse": "sideways"}], [{"name": "paid"}], "paid", [3]):
        with pytest.raises(Refused, match="quotes is a list"):
            audit(tmp_path, system=OFFER, methods={"pricing": {"quotes": wrong}})


def test_a_rate_is_not_taken_from_an_amount(done: Any) -> None:
    found = done.result["pricing"]["quoted"]
    assert found["interest_rate"]["residual_gap"]["verdict"] == "not checked"
    assert "do not measure the same" in found["interest_rate"]["residual_gap"]["reason"]
    assert found["offer"]["residual_gap"]["value"] is not None
    assert done.result["pricing"]["residual_gap"] == found["offer"]["residual_gap"]
