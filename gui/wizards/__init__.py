"""Method wizards, built from a method's settings; own pages only where a form will not do."""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gui.session import Session
    from gui.stepper import Stepper
    from gui.steps.base import StepPage


def wizard_page(name: str, session: Session, stepper: Stepper) -> StepPage | None:
    """The wizard of a method: its own module ``gui.wizards.<name>`` if there is one, else the form.

    Each holds ``Wizard``, called with the method's name, the session and the stepper. None where
    the method is told by the steps themselves.
    """
    if name == "certification":
        return None
    for module in (f"{__name__}.{name}", f"{__name__}.form"):
        if find_spec(module) is not None:
            page: StepPage = importlib.import_module(module).Wizard(name, session, stepper)
            return page
    return None
