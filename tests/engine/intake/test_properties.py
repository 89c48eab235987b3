"""Random tables, written by the standard library, come back as they were."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.base.watch import Watch
from engine.intake.read import read
from engine.intake.values import value_key
from engine.plan.model import Source

TEXT = st.text(st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="\ufeff"), max_size=8).filter(lambda t: t == "" or t.strip() != "")  # fmt: skip
WHOLE = st.integers(-(10**17), 10**17).map(str)
NUMBER = st.floats(allow_nan=False, allow_infinity=False, width=32).map(lambda x: repr(float(x)))
COLUMN = st.one_of(*[st.lists(kind, min_size=6, max_size=6) for kind in (TEXT, WHOLE, NUMBER, st.one_of(WHOLE, st.just("")))])  # fmt: skip


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(columns=st.lists(COLUMN, min_size=2, max_size=5), mark=st.sampled_from([",", ";", "\t", "|"]), end=st.sampled_from(["\n", "\r\n"]), all_quoted=st.booleans())  # fmt: skip
def test_tables_come_back(
    tmp_path_factory: pytest.TempPathFactory,
    columns: list[list[str]],
    mark: str,
    end: str,
    all_quoted: bool,
) -> None:
    out = io.StringIO(newline="")
    quoting = csv.QUOTE_ALL if all_quoted else csv.QUOTE_MINIMAL
    writer = csv.writer(out, delimiter=mark, lineterminator=end, quoting=quoting)
    writer.writerow([f"column_{i}" for i in range(len(columns))])
    writer.writerows(zip(*columns, strict=True))
    path: Path = tmp_path_factory.mktemp("random") / "t.csv"
    path.write_bytes(out.getvalue().encode())
    source = Source(path=(path.name,), delimiter=mark, header=True, skip_lines=0, decimal=".")
    table = read(source=source, base=path.parent, watch=Watch())
    assert table.unread is None
    assert len(table.frame) == 6
    for name, cells in zip(table.frame.columns, columns, strict=True):
        kind = table.detected["types"][name]
        for got, cell in zip(table.frame[name], cells, strict=True):
            if cell == "":
                assert pd.isna(got)
            elif kind == "text":
                assert got == cell
            elif kind in ("whole number", "number"):
                assert float(got) == float(cell.replace(",", "").replace(" ", "").replace("\u00a0", "").replace("'", ""))  # fmt: skip
            else:
                assert value_key(got)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    ages=st.lists(st.integers(18, 90), min_size=8, max_size=8),
    sexes=st.lists(st.sampled_from(["male", "female"]), min_size=8, max_size=8),
    incomes=st.lists(st.decimals(1, 99, places=2), min_size=8, max_size=8),
    mark=st.sampled_from([",", ";", "\t", "|"]),
    decimal=st.sampled_from([".", ","]),
    codec=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"]),
    header=st.booleans(),
)
def test_the_form_of_ordinary_tables_is_detected(
    tmp_path_factory: pytest.TempPathFactory,
    ages: list[int],
    sexes: list[str],
    incomes: list[object],
    mark: str,
    decimal: str,
    codec: str,
    header: bool,
) -> None:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=mark)
    if header:
        writer.writerow(["Älter", "Geschlecht", "Einkommen"])
    for age, sex, income in zip(ages, sexes, incomes, strict=True):
        writer.writerow([age, sex, str(income).replace(".", decimal)])
    path: Path = tmp_path_factory.mktemp("random") / "t.csv"
    path.write_bytes(out.getvalue().encode(codec))
    table = read(source=Source(path=(path.name,)), base=path.parent, watch=Watch())
    assert table.detected["header"] is header
    assert table.detected["delimiter"] == mark
    first, second, third = (table.frame.iloc[:, i].tolist() for i in range(3))
    assert first == ages and second == sexes
    assert third == [float(str(income)) for income in incomes]
