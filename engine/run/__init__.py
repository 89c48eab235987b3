"""Plan to result: the one road that the window, the command line and the tests all take."""

from .road import Run, run
from .writing import write

__all__ = ["Run", "run", "write"]
