"""Whether a window can be opened here at all, asked before Qt would end the process without a word.

Nothing of Qt is imported: where its libraries are missing, this still says which.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import re
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

NO_SCREEN = (
    "there is no screen to open the window on. Start FairAssay from a desktop, or audit without "
    "a window: python main.py audit PLAN.json --out DIR"
)
NO_SERVER = (
    'the screen "{display}" does not answer. Start FairAssay from a desktop, or audit without a '
    "window: python main.py audit PLAN.json --out DIR"
)
NO_LIBRARY = (
    "the window needs the system library {library}, which is not on this machine. On Debian, "
    "install it with: sudo apt-get install {package}. The command line works without it: "
    "python main.py audit PLAN.json --out DIR"
)
NO_QT = (
    "the window needs PySide6, which is not installed. Start FairAssay by: bash packaging/run.sh"
)
PACKAGES = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libX11.so.6": "libx11-6",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
}
"""Libraries that Qt loads on Linux, and the Debian packages that hold them."""


def lacking(environment: Mapping[str, str] | None = None) -> str:
    """Why no window can be opened here, in one sentence, or an empty text."""
    if not sys.platform.startswith("linux"):
        return ""
    given = os.environ if environment is None else environment
    platform = given.get("QT_QPA_PLATFORM", "").split(":")[0].split(";")[0]
    if platform not in ("", "xcb"):
        return ""
    display, wayland = given.get("DISPLAY", ""), given.get("WAYLAND_DISPLAY", "")
    if not display and (platform == "xcb" or not wayland):
        return NO_SCREEN
    if wayland and not platform:
        return ""  # Qt tries one, then the other
    if not _answers(display):
        return NO_SERVER.format(display=display)
    return _missing_library()


def of_import(error: ImportError) -> str:
    """The same for an import of Qt that failed."""
    found = re.search(r"(lib[\w.+-]+\.so[\w.]*)", str(error))
    return _no_library(found.group(1)) if found else NO_QT


def _answers(display: str) -> bool:
    """Whether a screen on this machine takes a connection; of others nothing is known."""
    local = re.fullmatch(r"(?:unix)?:(\d+)(?:\.\d+)?", display)
    if local is None:
        return True
    path = f"/tmp/.X11-unix/X{local.group(1)}"
    for name in (path, "\0" + path):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
            line.settimeout(2)
            try:
                line.connect(name)
            except OSError:
                continue
            return True
    return False


def _missing_library() -> str:
    """The library that Qt's part for X11 asks for and does not find."""
    spec = importlib.util.find_spec("PySide6")
    if spec is None or not spec.submodule_search_locations:
        return ""
    plugin = Path(spec.submodule_search_locations[0]) / "Qt/plugins/platforms/libqxcb.so"
    if not plugin.exists():
        return ""
    try:
        ctypes.CDLL(str(plugin))
    except OSError as error:
        found = re.search(r"(lib[\w.+-]+\.so[\w.]*): cannot open", str(error))
        if found:
            return _no_library(found.group(1))
    return ""


def _no_library(library: str) -> str:
    package = PACKAGES.get(library, library.split(".so")[0].lower())
    return NO_LIBRARY.format(library=library, package=package)
