"""Stata's counts of periods, against what pandas makes of the same file."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyreadstat
import pytest

from engine.base.watch import Watch
from engine.intake import grids
from engine.intake.model import Table
from engine.intake.read import read
from engine.plan.model import Source

FORMS = ["%tm", "%tq", "%tw", "%th"]


def _read(path: Path) -> Table:
    return read(source=Source(path=(path.name,)), base=path.parent, watch=Watch())


def _told(table: Table) -> dict[str, str | None]:
    return {w.code.removeprefix("intake."): w.column for w in table.warts}


@pytest.mark.parametrize("form", [*FORMS, "%tmMon_CCYY"])
def test_periods_are_the_dates_that_pandas_reads(tmp_path: Path, form: str) -> None:
    counts = [0.0, -1.0, -53.0, 51.0, 52.0, 493.0, 2137.0, -2500.0, None]
    path = tmp_path / "t.dta"
    data = pd.DataFrame({"when": counts, "n": range(len(counts))})
    pyreadstat.write_dta(data, str(path), variable_format={"when": form})
    table = _read(path)
    wanted = pd.read_stata(path)["when"]
    assert wanted.dtype.kind == "M"
    assert table.frame["when"].isna().tolist() == wanted.isna().tolist()
    assert table.frame["when"].dropna().tolist() == wanted.dropna().tolist()
    assert _told(table)["periods"] == "when" and "periods_kept" not in _told(table)


@pytest.mark.parametrize(
    ("form", "counts"), [("%tm", [1.5, 2.0]), ("%tq", [1e9, 2.0]), ("%tbnyse", [1.0, 2.0])]
)
def test_counts_that_are_no_dates_are_kept_and_said(
    tmp_path: Path, form: str, counts: list[float]
) -> None:
    path = tmp_path / "t.dta"
    data = pd.DataFrame({"when": counts, "n": [1, 2]})
    pyreadstat.write_dta(data, str(path), variable_format={"when": form})
    table = _read(path)
    assert table.frame["when"].tolist() == counts
    assert _told(table)["periods_kept"] == "when"


def test_one_odd_count_far_down_keeps_the_whole_column(tmp_path: Path) -> None:
    path = tmp_path / "t.dta"
    data = pd.DataFrame({"when": [float(n) for n in range(100)] + [0.5]})
    pyreadstat.write_dta(data, str(path), variable_format={"when": "%tm"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grids, "_STATS_ROWS", 40)
        opened = grids.Opened(path=path, name="t.dta", kind="dta")
        (tmp_path / "room").mkdir()
        grid = grids.from_statistics(
            opened=opened, folder=tmp_path / "room", rows=None, watch=Watch()
        )
    lines = grid.text.path.read_text().splitlines()
    assert lines[:2] == ['"0"', '"1"'] and lines[-1] == '"0.5"' and len(lines) == 101
