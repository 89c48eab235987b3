"""FairAssay: opens the window, or hands its arguments to the command line.

Nothing heavy is imported here: the window shows before any library that computes is loaded.
"""

from __future__ import annotations

import sys


def main(argv: list[str] | None = None) -> int:
    """Start what the arguments ask for and give the exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    if arguments[:1] == ["--model-child"]:  # a frozen program started again to run a model file
        from engine.models.child import main as child

        return int(child() or 0)
    if arguments[:1] == ["--reader-child"]:  # and again to read a workbook
        from engine.intake.apart import main as reader

        return int(reader() or 0)
    from engine.base.scratch import sweep

    sweep()
    if not arguments or (len(arguments) == 1 and arguments[0].endswith(".fairassay")):
        return _open_window(arguments)
    from engine.cli import main as command_line

    return command_line(arguments)


def _open_window(arguments: list[str]) -> int:
    """Open the window, or say in one sentence why there can be none here."""
    from gui import screen

    why = screen.lacking()
    if not why:
        try:
            from gui.app import main as open_window
        except ImportError as error:
            if "PySide6" not in str(error) and ".so" not in str(error):
                raise
            why = screen.of_import(error)
        else:
            return int(open_window(arguments))
    print(f"fairassay: {why}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    from multiprocessing import freeze_support

    freeze_support()  # a frozen program is started again by the workers that it spawns
    sys.exit(main())
