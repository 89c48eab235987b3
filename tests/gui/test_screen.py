"""Where no window can be opened, one sentence says why and what to do; never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gui import screen

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux alone")


def started(tmp_path: Path, **changed: str) -> subprocess.CompletedProcess[str]:
    """``python main.py`` in an environment without a screen."""
    kept = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    environment = {k: v for k, v in os.environ.items() if k not in kept}
    environment |= {"FAIRASSAY_HOME": str(tmp_path), **changed}
    return subprocess.run(
        [sys.executable, "main.py"], capture_output=True, text=True, timeout=60, check=False,
        env=environment, cwd=ROOT,
    )  # fmt: skip


@pytest.mark.parametrize("display", ["", ":987"])
def test_no_screen_is_said_in_one_line(tmp_path: Path, display: str) -> None:
    done = started(tmp_path, DISPLAY=display)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("fairassay: ") and done.stderr.count("\n") == 1
    assert "main.py audit PLAN.json --out DIR" in done.stderr


def test_qt_that_is_missing_or_lacks_a_library_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "PySide6"
    broken.mkdir()
    error = "libGL.so.1: cannot open shared object file: No such file or directory"
    (broken / "__init__.py").write_text(f"raise ImportError({error!r})\n")
    done = started(tmp_path, QT_QPA_PLATFORM="offscreen", PYTHONPATH=str(tmp_path))
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "libGL.so.1" in done.stderr and "apt-get install libgl1" in done.stderr
    assert "packaging/run.sh" in screen.of_import(ImportError("No module named 'PySide6'"))


def test_where_there_is_a_screen_nothing_is_said() -> None:
    assert screen.lacking({"QT_QPA_PLATFORM": "offscreen"}) == ""
    assert screen.lacking({"WAYLAND_DISPLAY": "wayland-0"}) == ""


def test_settings_that_cannot_be_written_last_one_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gui.paths import home
    from gui.settings import Settings

    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FAIRASSAY_HOME", str(tmp_path / "file" / "below"))
    assert home().is_dir() and home() == home()
    settings = Settings()
    settings["text_scale"] = 150
    assert settings["text_scale"] == 150
