"""A killed process leaves no received file behind: the next start sweeps its folder."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from engine.base.scratch import PREFIX, beside, sweep, sweep_beside

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


def test_what_a_killed_process_made_beside_a_folder_is_swept(tmp_path: Path) -> None:
    code = (
        "import os, sys\nfrom engine.base.scratch import beside\n"
        "os.mkdir(os.path.join(sys.argv[1], beside('out') + 'x'))"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True)
    mine = tmp_path / f"{beside('out')}mine"
    mine.mkdir()
    assert sweep_beside(folder=tmp_path, name="out") == 1
    assert list(tmp_path.iterdir()) == [mine]
