"""A job's thread never destroys what belongs to the window."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import gc, threading
from PySide6.QtCore import QCoreApplication, QObject, QTimer
from gui.app import application
from gui.collector import EVERY_MS

app = application()
where = []

class Page(QObject):  # stands in a cycle with its own slot, as pages do
    def __init__(self):
        super().__init__()
        self.me = self
    def __del__(self):
        where.append(threading.current_thread() is threading.main_thread())

def make():
    for _ in range(50):
        Page()

def work():
    kept = [[n] for n in range(200_000)]

make()
thread = threading.Thread(target=work)
thread.start()
thread.join()
assert not where, "collected in the job's thread"
QTimer.singleShot(3 * EVERY_MS, app.quit)
app.exec()
print(len(where), all(where))
"""


def test_cycles_are_collected_in_the_windows_thread() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.strip() == "50 True", done.stderr
