"""The Qt binding takes no reference away: PySide6 6.12.0 does, and ends Python 3.11 so."""

from __future__ import annotations

import subprocess
import sys

CALLS = """
from PySide6.QtCore import QObject, Signal
class Sender(QObject):
    sent = Signal(object)
one = Sender()
one.sent.connect(lambda value: None)
for _ in range(20_000):
    one.setObjectName("x")
    one.sent.emit(None)
print("alive")
"""


def test_twenty_thousand_calls_and_signals() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CALLS], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.strip() == "alive", done.stderr
