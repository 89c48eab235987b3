"""Thousands of broken files, each read within limits: every one ends in a table or a sentence.

The readers run in a child process that has 2 GiB beyond what its libraries take, and 20 seconds
for each file.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .fuzzing import KINDS

ROOT = Path(__file__).resolve().parents[3]


def _broken(kinds: tuple[str, ...], count: int, folder: Path) -> list[str]:
    """Read so many mutants of each format; what went wrong, each with its number."""
    log = folder / "log"
    log.touch()
    wrong: list[str] = []
    first, total = 0, count * len(kinds)
    while first < total and len(wrong) < 10:
        program = [sys.executable, "-m", "tests.engine.intake.fuzzing"]
        arguments = [",".join(kinds), str(count), str(first), str(folder), str(log)]
        done = subprocess.run([*program, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)  # fmt: skip
        lines = log.read_text().splitlines()
        first = max(first, int(lines[-1].split()[0]) + 1 if lines else 0)
        if done.returncode:
            where = f"{kinds[first // count]} {first % count}"
            wrong.append(f"{where} ended the reader ({done.returncode}): {done.stderr[-500:]}")
            first += 1  # the one that did it wrote no line
    lines = log.read_text().splitlines()
    assert wrong or len(lines) == total
    return wrong + [line for line in lines if " BAD " in line]


def test_some_broken_files_end_in_a_table_or_a_sentence(tmp_path: Path) -> None:
    assert _broken(KINDS, 40, tmp_path) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_two_thousand_broken_files_end_in_a_table_or_a_sentence(kind: str, tmp_path: Path) -> None:
    assert _broken((kind,), 2000, tmp_path) == []
