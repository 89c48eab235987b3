"""This user's settings: one small JSON file, written whole and put in place in one move."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from .paths import home

VERSION = 1
RECENT_AT_MOST = 12
_DEFAULTS: dict[str, Any] = {
    "version": VERSION,
    "appearance": "system",
    "text_scale": 100,
    "geometry": "",
    "help_folded": False,
    "person": {"name": "", "role": "Evaluator"},
    "office": {},
    "selftest": {},
    "recent": [],
}


class Settings:
    """A mapping with defaults, kept in ``settings.json`` of :func:`gui.paths.home`.

    A file that cannot be read is set aside as ``settings.unreadable.json``: the defaults then
    hold, and nothing of an audit is lost, for audits live in their own files.
    """

    def __init__(self, file: Path | None = None) -> None:
        self.file = file or home() / "settings.json"
        self._values = json.loads(json.dumps(_DEFAULTS))
        try:
            read = json.loads(self.file.read_text("utf-8"))
        except FileNotFoundError:
            return
        except (OSError, ValueError):
            self._set_aside()
            return
        if isinstance(read, dict):
            for key, value in read.items():
                if key not in _DEFAULTS or isinstance(value, type(_DEFAULTS[key])):
                    self._values[key] = value

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a key, or the default where it was never set."""
        return self._values.get(key, default)

    def __setitem__(self, key: str, value: Any) -> None:
        if self._values.get(key) != value:
            self._values[key] = value
            self.save()

    def save(self) -> None:
        """Write the file. Where the folder cannot be written, the settings last this session."""
        text = json.dumps(self._values, indent=1, sort_keys=True, ensure_ascii=False)
        part = self.file.with_name(self.file.name + ".part")
        try:
            part.write_text(text + "\n", "utf-8")
            os.replace(part, self.file)
        except OSError:
            return

    def remember_case(self, entry: dict[str, Any]) -> None:
        """Put a case at the head of the recent ones; ``entry["path"]`` tells it apart."""
        others = [e for e in self["recent"] if e.get("path") != entry["path"]]
        self["recent"] = [entry, *others][:RECENT_AT_MOST]

    def forget_case(self, path: str) -> None:
        """Take a case off the list of recent ones; its file is not touched."""
        self["recent"] = [e for e in self["recent"] if e.get("path") != path]

    def _set_aside(self) -> None:
        try:
            os.replace(self.file, self.file.with_name("settings.unreadable.json"))
        except OSError:
            return
