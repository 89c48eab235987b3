"""Method wizards, built from a method's settings; own pages only where a form will not do."""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gui.session import Session
    from gui.stepper import Stepper
    from gui.wizards.method_page import MethodPage


def own_page(name: str) -> type[MethodPage] | None:
    """A method's own wizard: ``Wizard`` in the module ``gui.wizards.<name>``; None without one.

    It is a :class:`gui.wizards.method_page.MethodPage` and overrides what a form cannot do:
    ``make_result`` (the result page) or ``make_page`` (a page of settings).
    """
    module = f"{__name__}.{name}"
    if not name.isidentifier() or find_spec(module) is None:
        return None
    found: type[MethodPage] | None = getattr(importlib.import_module(module), "Wizard", None)
    return found


def wizard_page(name: str, session: Session, stepper: Stepper | None) -> MethodPage | None:
    """The wizard of a method: its own where there is one, else the form made from its settings.

    None for the certification, which the steps themselves tell.
    """
    if name == "certification":
        return None
    from .method_page import MethodPage

    return (own_page(name) or MethodPage)(name, session, stepper)
