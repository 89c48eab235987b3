"""Read workbooks and statistics files in a child process: a crafted one may crash its parser.

The C and Rust libraries behind these formats can end a whole process on broken bytes. The child
writes the table out as text and says where; if it dies, the file is refused and the case is as it
was.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from engine.base.problems import Problem, Refused
from engine.base.watch import Watch
from engine.messages import say

from .books import from_workbook
from .encoding import Text
from .formats import Opened, refuse
from .grids import Grid, from_statistics

CHILD_FLAG = "--reader-child"
"""What a frozen program is started with to become the child (it has no ``python -m``)."""
_BOOKS = ("xlsx", "xls", "ods")
_LEAST_MEMORY = 3 * 2**30
_MEMORY_PER_BYTE = 60
_LEAST_SECONDS = 5
_SECONDS_PER_MB = 10
_ENDED = {-24: "its reader comes to no end", 152: "its reader comes to no end"}  # SIGXCPU


def read_apart(
    *, opened: Opened, folder: Path, sheet: str | None, rows: int | None, watch: Watch
) -> Grid:
    """Write a workbook's sheet or a statistics file out as text, in a child process.

    Parameters
    ----------
    opened : Opened
    folder : Path
        A private folder, where the child leaves the text.
    sheet : str or None
        For workbooks; None takes the first sheet with cells.
    rows : int or None
        At most so many rows (for a preview).
    watch : Watch
        A stop ends the child.

    Raises
    ------
    Refused
        For what the reader refuses, and where the child dies.
    """
    size = opened.path.stat().st_size
    answer = folder / f"answer-{len(list(folder.iterdir()))}.json"
    request = {
        "opened": {**asdict(opened), "path": str(opened.path)},
        "folder": str(folder),
        "sheet": sheet,
        "rows": rows,
        "answer": str(answer),
        "memory": max(_LEAST_MEMORY, _MEMORY_PER_BYTE * size),
        "seconds": _LEAST_SECONDS + _SECONDS_PER_MB * size // 2**20,
    }
    child = launch()
    try:
        assert child.stdin is not None
        child.stdin.write(json.dumps(request).encode())
        child.stdin.close()
        _wait(child, opened.name, watch)
    except BaseException:
        child.kill()
        child.wait()
        raise
    if child.returncode or not answer.is_file():
        raise refuse(opened.name, "damaged", why=_ENDED.get(child.returncode or 0, "its reader broke off"))  # fmt: skip
    got: dict[str, Any] = json.loads(answer.read_text(encoding="utf-8"))
    if "problems" in got:
        raise Refused([Problem(*problem) for problem in got["problems"]])
    text = Text(path=Path(got["path"]), encoding="utf-8", bom=False, longest=got["longest"])
    names = None if got["names"] is None else tuple(got["names"])
    worded = {int(place): line for place, line in got["worded"].items()}
    return Grid(text=text, width=got["width"], names=names, detected=got["detected"], worded=worded)


def launch() -> subprocess.Popen[bytes]:
    """Start a reader child, which waits for its request."""
    frozen = getattr(sys, "frozen", False)
    command = [CHILD_FLAG] if frozen else ["-m", "engine.intake.apart"]
    root = str(Path(__file__).resolve().parent.parent.parent)
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")
    return subprocess.Popen(
        [sys.executable, *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **threads, "PYTHONPATH": root},
    )


def _wait(child: subprocess.Popen[bytes], name: str, watch: Watch) -> None:
    """Wait for the child, listening for a stop."""
    ended = threading.Event()

    def follow() -> None:
        child.wait()
        ended.set()

    threading.Thread(target=follow, daemon=True).start()
    while not ended.wait(0.1):
        watch.say(say("intake.reading", name=name))


def serve(request: dict[str, Any]) -> None:
    """Do in the child what was asked, within its memory and time, and leave the answer as JSON."""
    _limit(memory=request["memory"], seconds=request["seconds"])
    opened = Opened(**{**request["opened"], "path": Path(request["opened"]["path"])})
    folder, rows = Path(request["folder"]), request["rows"]
    said: dict[str, Any]
    try:
        if opened.kind in _BOOKS:
            sheet = request["sheet"]
            grid = from_workbook(opened=opened, folder=folder, sheet=sheet, rows=rows, watch=Watch())  # fmt: skip
        else:
            grid = from_statistics(opened=opened, folder=folder, rows=rows, watch=Watch())
        said = {
            "path": str(grid.text.path),
            "longest": grid.text.longest,
            "width": grid.width,
            "names": grid.names,
            "detected": grid.detected,
            "worded": grid.worded,
        }
    except Refused as fault:
        said = {"problems": [[p.file, p.place, p.text] for p in fault.problems]}
    Path(request["answer"]).write_text(json.dumps(said), encoding="utf-8")


def _limit(*, memory: int, seconds: int) -> None:
    """Hold this process within its memory and time, each as far as the system knows it."""
    try:
        import resource
    except ImportError:  # not on this system: the parent still sees it die
        return
    wanted = (
        (resource.RLIMIT_AS, memory, memory),
        (resource.RLIMIT_CPU, seconds, seconds + 2),
        (resource.RLIMIT_CORE, 0, 0),
    )
    for which, soft, hard in wanted:
        with suppress(ValueError, OSError):  # a stricter limit holds already
            resource.setrlimit(which, (soft, hard))


def main() -> int:
    """The child: read the request and serve it."""
    serve(json.loads(sys.stdin.buffer.read()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
