"""Shared by the tests of the intake: read a file in one line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.base.watch import Watch
from engine.intake.model import Table
from engine.intake.read import read
from engine.plan.model import Source

Reader = Callable[..., Table]


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    """Read ``content`` (text or bytes, written to ``name``) or a file that is there already."""

    def go(content: str | bytes | Path, *, name: str = "file.csv", **how: Any) -> Table:
        path = content if isinstance(content, Path) else tmp_path / name
        if isinstance(content, str):
            path.write_bytes(content.encode())
        elif isinstance(content, bytes):
            path.write_bytes(content)
        return read(source=Source(path=(str(path),), **how), base=tmp_path, watch=Watch())

    return go
