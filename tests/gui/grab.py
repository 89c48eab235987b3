"""Pictures of the window, to be held beside the look: ``python -m tests.gui.grab OUTDIR``.

Options: ``--only WORD`` (part of a name), ``--sizes 1280x800,1920x1080``, ``--themes light,dark``,
``--scale 100``, ``--case FILE.fairassay`` (pages of that case instead of a demonstration),
``--file FILE`` (steps 0 to 3 while a person works on them, from a received file with Age, Sex, Risk).
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QDeadlineTimer, QEvent, QEventLoop
from PySide6.QtWidgets import QApplication, QWidget

RECENT = (
    ("German credit, sample", "EAO-2026-0017", "Step 8", "not settled", "Not settled", "14:32"),
    ("Retail credit decision 4.2", "EAO-2026-0015", "Signed", "within", "Certified", "2026-11-27"),
    ("Tenant screening 2.0", "EAO-2026-0012", "Step 4", "not checked", "Waits for training data", "2026-11-19"),
    ("Motor insurance quotes", "EAO-2026-0009", "Signed", "outside", "Statement of findings", "2026-11-02"),
)  # fmt: skip


def settle(ms: int = 60) -> None:
    """Let the window lay itself out and paint."""
    app = QApplication.instance()
    assert app is not None
    deadline = QDeadlineTimer(ms)
    while not deadline.hasExpired():
        app.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 10)
        app.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def main() -> None:
    """Write the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--sizes", default="1280x800,1920x1080")
    parser.add_argument("--themes", default="light,dark")
    parser.add_argument("--scale", type=int, default=100)
    parser.add_argument("--case", type=Path)
    parser.add_argument("--file", type=Path)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["FAIRASSAY_HOME"] = str(Path(folder) / "home")
        _grab(given, Path(folder))


def _grab(given: argparse.Namespace, folder: Path) -> None:
    from engine.case.store import Case
    from gui.app import application
    from gui.jobs import InPlaceJobs
    from gui.main_window import MainWindow
    from gui.session import Session, now
    from gui.settings import Settings
    from gui.steps import MODULES
    from gui.theme import theme
    from tests.gui import parts

    app = application()
    assert app is not None
    theme().use(appearance="light", scale=given.scale)
    settings = Settings()
    settings["recent"] = [_entry(folder, *one) for one in RECENT]
    window = MainWindow(settings=settings, jobs=InPlaceJobs())
    window.show()

    def wanted(name: str) -> bool:
        return given.only in name

    def shoot(widget: QWidget, name: str) -> None:
        for size in given.sizes.split(","):
            wide, high = map(int, size.split("x"))
            widget.resize(wide, high)
            for look in given.themes.split(","):
                theme().use(appearance=look)
                settle(150)
                widget.grab().save(str(given.out / f"{name}-{size}-{look}.png"))

    if wanted("home"):
        shoot(window, "home")
    for name in ("gallery", "band_page"):
        if wanted(name):
            page = getattr(parts, name)()
            page.show()
            shoot(page, name)
            page.close()
    if given.file:
        case = Case.create(folder / "first.fairassay", who="Evaluator", when=now())
        session = Session(case, jobs=window.jobs, settings=settings)
        window.show_session(session)
        _first_steps(window, given.file, shoot)
        window.close()
        return
    if not any(wanted(f"step-{n}") for n in range(len(MODULES))):
        return
    if given.case:
        session = Session(
            Case.open(given.case, read_only=True), jobs=window.jobs, settings=settings
        )
    else:
        case = Case.create(folder / "German credit.fairassay", who="Evaluator", when=now())
        session = Session(case, jobs=window.jobs, settings=settings)
        _fill(session)
    window.show_session(session)
    for number in range(len(MODULES)):
        if wanted(f"step-{number}"):
            window.stepper_or_fail().open_step(number)
            shoot(window, f"step-{number}")
    window.close()


def _entry(
    folder: Path, system: str, reference: str, where: str, verdict: str, words: str, day: str
) -> dict[str, str]:
    from gui.session import now

    path = folder / f"{reference}.fairassay"
    path.touch()
    opened = f"{now()[:11]}{day}:00" if ":" in day else f"{day}T10:00:00"
    return {
        "path": str(path), "system": system, "reference": reference, "where": where,
        "verdict": verdict, "words": words, "opened": opened,
    }  # fmt: skip


def _fill(session: object) -> None:
    """The German sample, run as far as the program of today can run it."""
    from gui.opening import fill_from_sample
    from gui.session import Session

    assert isinstance(session, Session)
    session.refused.connect(lambda error: print("refused:", error))
    fill_from_sample(session, "german", on_done=lambda: None)
    session.set_many(
        [
            (("case", "reference"), "EAO-2026-0017"),
            (("case", "system"), "German credit, sample"),
            (("case", "organisation"), "Example Audit Office"),
        ],
        "named the case",
    )
    job = session.run_audit()
    print("audit:", job.state, job.note)


def _first_steps(window: object, file: Path, shoot: Callable[[QWidget, str], None]) -> None:
    """Steps 0 to 3 as they are worked on: a question open, rates opened, numbers of one's own."""
    from gui.main_window import MainWindow

    assert isinstance(window, MainWindow) and window.session is not None
    session, stepper = window.session, window.stepper_or_fail()
    session.refused.connect(lambda error: print("refused:", error))
    session.set_many(
        [
            (("case", "reference"), "EAO-2026-0017"),
            (("case", "system"), "German credit, sample"),
            (("case", "organisation"), "Example Audit Office"),
        ],
        "named the case",
    )
    shoot(window, "first-0-empty")
    stepper.page.add([file])  # type: ignore[union-attr]
    session.set(("items", "item-1", "answers"), {"intake.like_missing:Checking account:NA": "category"}, "answered")  # fmt: skip
    shoot(window, "first-0-question")
    stepper.page.items.rows["item-1"].unfold(True)  # type: ignore[union-attr]
    shoot(window, "first-0-details")
    stepper.page.ask_reading("item-1")  # type: ignore[union-attr]
    settle(200)
    shoot(stepper.page.dialog, "first-0-reading")  # type: ignore[union-attr]
    stepper.page.dialog.reject()  # type: ignore[union-attr]
    session.set(("plan", "outcome"), {"column": "Risk", "favourable": ["good"]}, "chose")
    stepper.go_on()
    shoot(window, "first-1")
    stepper.go_on()
    groups = [
        {"column": "Age", "privileged": {"at_least": 30}}, {"column": "Sex", "privileged": ["male"]},
    ]  # fmt: skip
    shoot(window, "first-2-begun")
    session.set(("plan", "protected"), groups, "chose the groups")
    shoot(window, "first-2-folded")
    session.see_rates()
    shoot(window, "first-2")
    stepper.go_on()
    stepper.page.exceptions.add()  # type: ignore[union-attr]
    shoot(window, "first-3")


if __name__ == "__main__":
    main()
