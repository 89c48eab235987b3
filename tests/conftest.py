"""Shared fixtures: where the reference files lie, and slow tests on demand."""

from __future__ import annotations

import os
from pathlib import Path

import hypothesis
import pytest

ROOT = Path(__file__).resolve().parent.parent
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# A shared machine may be slow at any moment: no deadline. In CI the same examples every time, so
# that a change never fails by the luck of the draw; at the desk new ones.
hypothesis.settings.register_profile("desk", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "desk")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests that take minutes")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow"):
        return
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="slow: run with --slow"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference files; it is not part of the repository."""
    folder = Path(os.environ.get("FAIRASSAY_SHARED", ROOT.parent / "shared"))
    if not (folder / "cases").is_dir():
        pytest.skip("the shared reference files are not here")
    return folder
