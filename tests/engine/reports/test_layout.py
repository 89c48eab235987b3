"""No word of page 1 lies under its code, however long the names are, on A4 and on Letter."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import pytest

from engine.reports import certificate
from engine.reports.paper_file import open_paper

from . import samples
from .conftest import run

WORD = re.compile(
    r'<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">([^<]*)</word>'
)
COMPOUND = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverleihungsurkunde"


@pytest.mark.parametrize("size", ["A4", "Letter"])
def test_no_word_lies_under_the_code(tmp_path: Path, size: Literal["A4", "Letter"]) -> None:
    result = samples.granted()
    high = 842 if size == "A4" else 792
    for system in ("Loans", f"Σύστημα αξιολόγησης {COMPOUND[:60]}", f"Σύστημα {COMPOUND} " * 2):
        state = samples.case("grant")
        state["case"]["system"] = system
        state["case"]["independence"] = "None of the three has an interest in the provider. " * 2
        content = certificate.build(
            state=state, result=result, page_size=size, check=False, **samples.files(result)
        )
        path = tmp_path / "x.pdf"
        path.write_bytes(content)
        paper = open_paper(content)
        assert paper is not None
        left, low, right, top = paper.code_box
        words = WORD.findall(run("pdftotext", "-bbox", "-l", "1", path, "-"))
        assert len(words) > 60
        under = [
            text
            for x0, y0, x1, y1, text in words
            if float(x0) < right and float(x1) > left
            and float(y0) < high - low and float(y1) > high - top
        ]  # fmt: skip
        assert under == [], (system, under)


def test_reasons_for_leaving_a_group_out_are_printed(tmp_path: Path) -> None:
    state, result = samples.case(), samples.german()
    state["left_out_why"] = {"Sex": {"diverse": "Too few people to compare."}}
    path = tmp_path / "x.pdf"
    path.write_bytes(
        certificate.build(state=state, result=result, check=False, **samples.files(result))
    )
    text = " ".join(run("pdftotext", path, "-").split())
    assert "Sex: “diverse” is left out, because: Too few people to compare." in text
