"""The watch-out list as a refused applicant reads it: one sheet, true words, nobody else's data."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path
from typing import Any

import pandas as pd
import pikepdf
import pytest

from engine.methods.peers.figures import figures
from engine.methods.peers.watchout import Watchout, watchout
from engine.reports.watchout import build


def listed(
    *,
    features: int = 4,
    standing: int = 0,
    fixed: int = 0,
    value: str = "a fairly long value of it",
    own: float = 0.42,
    peers: tuple[float, ...] = tuple(0.3 + 0.005 * i for i in range(50)),
    exact: float = 0.2,
    rate: float = 0.971,
) -> tuple[Watchout, pd.DataFrame]:
    """A list of one person, as a run would leave it; the first ``standing`` features stand out."""
    names = [f"circumstance number {i}" for i in range(features)]
    words = [
        "no" if i >= features - fixed else "yes" if fixed else "not said" for i in range(features)
    ]
    rows = pd.DataFrame(
        {
            "Person": "P1", "Feature": names, "Can be changed": words, "This person": value,
            "Accepted peers": 30, "Usual among them": "something else: 25 of 30", "Alike": 2,
            "p": [0.001 * (i + 1) for i in range(features)],
            "p, adjusted": [0.01 if i < standing else 0.9 for i in range(features)],
            "Answer": ["worse" if i < standing else "not settled" for i in range(features)],
        }
    )  # fmt: skip
    person = {
        "Person": "P1", "Group": "B", "Own likelihood": own, "Identification coefficient": 1.0,
        "Exact p": exact, "Exact p, adjusted": 0.9, "Peers of the same propensity": 77,
        "Of them lower": 11,
    }  # fmt: skip
    others = {"Person": [f"secret-{i}" for i in range(len(peers))], "Likelihood": peers}
    told = {
        n: {"intrinsic": w == "no", "ordered": True, "n": 1, "worse": 0, "differs": 0, "share": 0.0,
            "share_as_published": 0.0, "worse_as_published": 0}
        for n, w in zip(names, words, strict=True)
    }  # fmt: skip
    result: dict[str, Any] = {
        "attribute": "group", "privileged": "A", "unprivileged": ["B"], "words": {}, "level": 0.05,
        "delta": 0.5, "test": {"edge": "below"}, "flag_rate_if_nothing_wrong": rate, "reason": "",
        "explained": {"people": 1}, "explanations": told, "person_pages": True,
        "features": names, "published": {"unfair_share": None}, "refusals": {}, "stress": [],
        "companions": {"rank": {"n": 0}, "group_effect": {"value": None}, "balance": None},
    }  # fmt: skip
    tables = {
        "watchout": rows, "peers": pd.DataFrame([person]),
        "peers_unprotected": pd.DataFrame({**others, "Identification coefficient": 1.1}),
    }  # fmt: skip
    return watchout(result=result, tables=tables), rows


def printed(made: Watchout, tmp_path: Path, **more: Any) -> list[str]:
    """The text of each sheet."""
    given: dict[str, Any] = {"number": "E-1", "organisation": "Office", "overview": False} | more
    path = tmp_path / "list.pdf"
    path.write_bytes(build(watchout=made, **given))
    told = subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, text=True)
    with pikepdf.open(io.BytesIO(path.read_bytes())) as pdf:
        assert len(pdf.pages) == told.stdout.count("\f")
    return told.stdout.split("\f")[:-1]


@pytest.mark.parametrize("page_size", ["A4", "Letter"])
@pytest.mark.parametrize("fixed", [0, 3])
@pytest.mark.parametrize(("features", "standing"), [(15, 0), (6, 6), (15, 9), (15, 15), (60, 50)])
def test_a_person_has_one_sheet_whatever_stands_out(
    tmp_path: Path, features: int, standing: int, fixed: int, page_size: str
) -> None:
    made, rows = listed(features=features, standing=standing, fixed=fixed)
    sheets = printed(made, tmp_path, page_size=page_size)
    assert len(sheets) == 1
    [sheet] = [" ".join(s.split()) for s in sheets]
    assert "In short." in sheet and "Reviewer, date" in sheet and "accuses nobody" in sheet
    out = rows["Feature"][rows["Answer"] == "worse"]
    if len(out) <= 9:  # all that stands out is there, in a line or with its values below
        for name in out:
            assert sheet.count(name) >= 1, name


def test_four_circumstances_keep_the_wide_page(tmp_path: Path) -> None:
    made, _ = listed(features=4, standing=4)
    [page] = made.people
    assert page.changeable is not None and len(page.changeable.rows) == 4
    assert len(printed(made, tmp_path)) == 1


def test_nobody_is_told_to_change_what_nobody_said_can_be_changed(tmp_path: Path) -> None:
    made, _ = listed(features=5, standing=2)
    [sheet] = printed(made, tmp_path)
    assert "Can be changed" not in sheet and "Circumstance" in sheet
    assert made.overview is not None
    assert {row[1] for row in made.overview.rows} == {"not said"}
    assert any("not said" in text for text in made.notes)
    assert set(made.merge["Can be changed 1"]) == {"not said"}
    made, _ = listed(features=5, standing=5, fixed=5)
    [page] = made.people
    assert page.changeable is None and page.fixed is not None
    assert not any("can be changed" in text for text in page.todo)
    made, _ = listed(features=5, standing=2, fixed=1)
    [page] = made.people
    assert page.changeable is not None and page.changeable.columns[0] == "Can be changed"


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (None, "Annex to audit E-1"),
        ("certificate", "Annex to certificate E-1"),
        ("statement", "Annex to statement E-1"),
        ("request", "Annex to request for evidence E-1"),
    ],
)
def test_the_head_names_the_paper_that_there_is(tmp_path: Path, kind: Any, words: str) -> None:
    assert all(words in sheet for sheet in printed(listed()[0], tmp_path, kind=kind))


def test_small_and_large_numbers_are_not_rounded_to_none_or_all(tmp_path: Path) -> None:
    made, _ = listed(own=0.002, exact=0.0004, rate=0.9991)
    [sheet] = printed(made, tmp_path)
    sheet = " ".join(sheet.split())
    assert "outcome is under 1 % for this person" in sheet and "is 0 %" not in sheet
    assert "fewer than 1 of 100 cases" in sheet
    assert "more than 99 of 100 people" in sheet and "100 of 100" not in sheet
    [page] = made.people
    assert "Of the 77 people of group A who are most like this person" in page.readings[1].text
    assert "11 have less" in page.readings[1].text


@pytest.mark.parametrize(
    ("own", "words"),
    [(0.0, "of them none has less"), (0.303, "of them 1 has less"), (0.4, "of them 20 have less")],
)
def test_how_many_have_less_is_a_sentence(own: float, words: str) -> None:
    assert words in listed(own=own)[0].people[0].in_short


def test_a_score_is_not_called_a_chance(tmp_path: Path) -> None:
    made, _ = listed(own=612.0, peers=(580.0, 640.0, 655.5))
    [sheet] = printed(made, tmp_path)
    assert "The score of this person is 612.0." in sheet and "chance" not in sheet.lower()


def test_a_page_names_no_other_person(tmp_path: Path) -> None:
    made, _ = listed(peers=tuple(0.3 + 0.01 * i for i in range(20)))
    data = build(watchout=made, number="E-1", organisation="Office", overview=False)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        assert not pdf.attachments
    assert "secret-" not in "".join(printed(made, tmp_path)) and b"secret-" not in data


def test_no_share_of_the_stability_figure_goes_beyond_one() -> None:
    levels = [("30 %", 0.99, 0.08), ("20 %", 0.02, 0.06)]
    keys = ("unfair_share", "same_label", "chance", "same_class", "kappa")
    lines = [
        {"test": "imbalance", "level": level} | {k: v for k in keys for k, v in ((k, m), (k + "_sd", d))}
        for level, m, d in levels
    ]  # fmt: skip
    result = {
        "attribute": "group", "privileged": "A", "unprivileged": ["B"], "words": {}, "features": [],
        "published": {"unfair_share": None}, "explanations": {}, "stress": lines, "explained": None,
        "refusals": {c: {"n": 2, "refused": 2, "rate": 1.0, "peers_rate": 0.9, "peers_sd": 0.3} for c in ("ED", "SD", "FT", "SP", "EP")},
        "companions": {"rank": {"n": 0}, "group_effect": {"value": None}, "balance": None},
    }  # fmt: skip
    made = {chart.key: chart for chart in figures(result=result, tables={})}
    for key in ("stability", "refusals"):
        for series in made[key].series:
            ends = [v for v in (*series.y, *series.low, *series.high) if v is not None]
            assert max(ends) <= 1.0, (key, series.name)
            assert min(ends) >= (-1.0 if series.name == "Kappa" else 0.0), (key, series.name)
