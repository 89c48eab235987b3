"""Garbage is collected in the window's thread only.

Python collects cycles in whichever thread happens to allocate next. Windows and pages stand in
cycles with their slots, so a job's thread would sooner or later destroy one, which ends the
process. Therefore the automatic collection is off, and a timer does the same in the window's
thread.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

EVERY_MS = 1000


class Collector(QObject):
    """Collects once a second in the thread it lives in, older objects as seldom as Python does."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    def settle(self) -> None:
        """Leave out of later collections what is loaded by now: it lives as long as the process.

        Going through a hundred thousand objects of the libraries takes longer than the window
        may be silent.
        """
        gc.freeze()

    def collect(self) -> None:
        """Collect the youngest generation, and the older ones when it is their turn."""
        gc.collect(0)
        for generation in (1, 2):
            if gc.get_count()[generation] <= gc.get_threshold()[generation]:
                break
            gc.collect(generation)
