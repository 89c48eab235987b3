"""Tables of a run come back from their CSV as the engine made them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from engine.run.writing import csv_text
from gui.engine_calls import table_from


def test_blanks_names_and_numbers_come_back() -> None:
    made = pd.DataFrame(
        {
            "Person": ["007", "12", "a"],
            "Job": ["NA", "", "None"],
            "Amount": [1.5, np.nan, -0.25],
            "Rows": [1, 20, 300],
            "Zeros": ["01", "02", "10"],
        }
    )
    back = table_from(csv_text(made).encode())
    assert back["Person"].tolist() == ["007", "12", "a"]
    assert back["Job"].tolist() == ["NA", "", "None"]
    np.testing.assert_array_equal(back["Amount"], made["Amount"])
    assert back["Rows"].tolist() == [1, 20, 300] and back["Zeros"].tolist() == ["01", "02", "10"]
