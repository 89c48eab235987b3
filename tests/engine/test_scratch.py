"""A killed process leaves no received file behind: the next start sweeps its folder."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from engine.base.scratch import PREFIX, sweep

PROGRAM = """
import sys, tempfile, time
from engine.base.scratch import PREFIX
folder = tempfile.mkdtemp(prefix=PREFIX, dir=sys.argv[1])
open(folder + "/people.csv", "w").write("name\\n")
print(folder, flush=True)
time.sleep(60)
"""


def test_only_folders_of_ended_processes_are_swept(tmp_path: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    folder = Path(child.stdout.readline().strip())
    mine = tmp_path / f"{PREFIX}mine"
    other = tmp_path / "fairassay-notes"
    mine.mkdir()
    other.mkdir()
    assert sweep(folder=tmp_path) == 0 and (folder / "people.csv").exists()
    child.send_signal(signal.SIGKILL)
    child.wait(timeout=10)
    child.stdout.close()
    assert sweep(folder=tmp_path) == 1 and not folder.exists()
    assert mine.exists() and other.exists()
