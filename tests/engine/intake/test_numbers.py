"""Numbers staged as numbers give, to the letter, the table that staging everything as text gives."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from engine.base.watch import Watch
from engine.intake import columns
from engine.intake import read as reading
from engine.intake.model import Table
from engine.plan.model import Source

WHOLE = ["0", "7", "-7", "42", "999999999999999999", "-999999999999999999"]
POINT = ["0.5", "-12.25", "3.141592653589793", "0.678137", "64206.92", "100.0", "1e20", "12345.678"]
ODD = ["007", "+5", "-0", "-0.0", "1.", ".5", "1.50", "1.234", "12.345", " 8", "8 ", "1e3", "1E5", "1e-05", "1e+20", "nan", "inf", "-inf", "1_000", "0x1F", "1000000000000000000", "9223372036854775807", "-9223372036854775808", "99999999999999999999", "1e999", "5.", "1,5", "n/k", "?", "", '""', '" "', "2020-01-02", "TRUE", "0.1000000000000000055511151231257827", "9007199254740993.0"]  # fmt: skip


def _read(folder: Path, text: str, **how: object) -> Table:
    (folder / "t.csv").write_text(text)
    source = Source(path=("t.csv",), header=True, delimiter=",", **how)  # type: ignore[arg-type]
    return reading.read(source=source, base=folder, watch=Watch())


def _both(folder: Path, text: str, **how: object) -> tuple[Table, Table]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "_FEW_ROWS", 0)
        plain = _read(folder, text, **how)
        patch.setattr(reading, "_NUMBERS_FROM", -1)
        return plain, _read(folder, text, **how)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    usual=st.sampled_from([WHOLE, POINT, WHOLE + POINT]),
    odd=st.lists(st.sampled_from(ODD), max_size=4),
    missing=st.sampled_from([None, ("7",), ("0.5", "n/k"), ("42", "?")]),
    data=st.data(),
)
@example(usual=["0.5"], odd=["nan"], missing=None, data=None)
@example(usual=["1"], odd=["-0"], missing=None, data=None)
@example(usual=["999999999999999999", "7"], odd=["-0.0"], missing=None, data=None)
@example(usual=[str(n) for n in range(12)], odd=["n/k"], missing=None, data=None)
@example(usual=["12345.678"], odd=["1.234"], missing=None, data=None)
def test_staged_numbers_change_nothing(
    tmp_path_factory: pytest.TempPathFactory,
    usual: list[str],
    odd: list[str],
    missing: tuple[str, ...] | None,
    data: st.DataObject | None,
) -> None:
    cells = usual * 10
    if data is not None:
        cells = data.draw(st.lists(st.sampled_from(usual), min_size=12, max_size=40))
    cells = [cell.replace(",", "") if "," in cell else cell for cell in cells] + odd
    text = "x,k\n" + "".join(f'"{cell}",a\n' if "," in cell else f"{cell},a\n" for cell in cells)
    plain, staged = _both(tmp_path_factory.mktemp("numbers"), text, missing=missing)
    assert staged.detected == plain.detected
    assert staged.warts == plain.warts
    pd.testing.assert_frame_equal(staged.frame, plain.frame, check_exact=True)


def test_long_ids_in_digits_that_turn_into_text_stay_apart(tmp_path: Path) -> None:
    rows = "".join(f"{10**17 + i},{i}.25\n" for i in range(30_000)) + "A1,x\n"
    plain, staged = _both(tmp_path, "id,v\n" + rows)
    pd.testing.assert_frame_equal(staged.frame, plain.frame)
    assert staged.frame["id"].nunique() == 30_001 and str(staged.frame["id"].dtype) == "string"


def test_a_second_file_is_staged_as_the_first(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("age,x\n" + "31,0.5\n" * 30_000)
    (tmp_path / "b.csv").write_text("x;age\n" + "1.50;040\n" * 10 + "7.25;41\n" * 200_000)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "_NUMBERS_FROM", 0)
        source = Source(path=("a.csv", "b.csv"))
        table = reading.read(source=source, base=tmp_path, watch=Watch())
    assert table.frame.shape == (230_010, 2)
    assert set(table.frame["age"].cat.categories) == {"31", "040", "41"}
    assert table.frame["x"].value_counts().to_dict() == {7.25: 200_000, 0.5: 30_000, 1.5: 10}
