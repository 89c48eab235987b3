"""The window is on show before anything heavy is imported, and a fault is no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HEAVY = (
    "numpy",
    "pandas",
    "scipy",
    "sklearn",
    "matplotlib",
    "duckdb",
    "reportlab",
    "pikepdf",
    "pyhanko",
)
START = f"""
import sys
import gui.app
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
loaded = []
def look():
    windows = [w for w in QApplication.topLevelWidgets() if isinstance(w, QMainWindow)]
    loaded.append(any(w.isVisible() for w in windows))
    loaded.extend(n for n in {HEAVY!r} if n in sys.modules)
    print("loaded", loaded)
    QApplication.quit()
gui.app._later = lambda window: look()
code = gui.app.main([])
print("code", code)
"""
FAULT = """
import sys
import gui.app
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from gui import dialogs
def fail():
    raise ValueError("secret of a person")
def look():
    found = [w for w in QApplication.topLevelWidgets() if isinstance(w, dialogs.CrashDialog)]
    print("dialogs", len(found))
    QApplication.quit()
def later(window):
    QTimer.singleShot(0, fail)
    QTimer.singleShot(200, look)
gui.app._later = later
gui.app.main([])
"""


def _run(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    env = {
        **os.environ,
        "FAIRASSAY_HOME": str(folder),
        "QT_QPA_PLATFORM": "offscreen",
        "TMPDIR": str(folder),
    }
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=90, check=False, env=env,
        cwd=Path(__file__).parents[2],
    )  # fmt: skip


def test_nothing_heavy_is_loaded_when_the_window_shows(tmp_path: Path) -> None:
    done = _run(START, tmp_path)
    assert "loaded [True]" in done.stdout, done.stdout + done.stderr
    assert "code 0" in done.stdout
    assert not (tmp_path / "ended-unexpectedly.txt").exists()


def test_a_fault_becomes_a_dialog_and_a_report_without_personal_data(tmp_path: Path) -> None:
    done = _run(FAULT, tmp_path)
    assert "dialogs 1" in done.stdout, done.stderr
    assert "Traceback" not in done.stderr
    reports = list(tmp_path.glob("fairassay-fault-*.txt"))
    assert len(reports) == 1
    assert "secret" not in reports[0].read_text()


def test_what_python_notes_when_the_process_is_struck_down_is_told_next_time(
    tmp_path: Path,
) -> None:
    (tmp_path / "ended-unexpectedly.txt").write_text("Fatal Python error: Segmentation fault\n")
    done = _run(START, tmp_path)
    assert "code 0" in done.stdout
    assert (tmp_path / "last-unexpected-end.txt").exists()
