"""The help page says what the code does."""

from __future__ import annotations

import json
import re
from pathlib import Path

from engine.methods.counterfactual.settings import METHOD

PAGE = Path(__file__).resolve().parents[4] / "resources" / "help" / "counterfactual.md"


def test_every_setting_is_explained_with_its_default() -> None:
    part = PAGE.read_text(encoding="utf-8").split("## Settings")[1]
    rows = re.findall(r"^\| `(\w+)` \| `(.*?)` \| (.+?) \|$", part, re.M)
    assert {name: json.loads(default) for name, default, _ in rows} == METHOD.defaults()
    assert METHOD.question in PAGE.read_text(encoding="utf-8")
