"""The page on model files names every key of the plan, with the defaults that the code has."""

from __future__ import annotations

import re
from pathlib import Path

from engine.models.files import Limits
from engine.plan.keys import MODEL_FILE

PAGE = Path(__file__).resolve().parents[3] / "resources" / "help" / "model_file.md"


def test_every_key_stands_on_the_page_with_its_default() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.+) \| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.M)
    assert {key for key, _, _ in rows} == set(MODEL_FILE)
    default = {key: value for key, _, value in rows}
    assert default["seconds"] == str(Limits.seconds)
    assert default["megabytes"] == str(Limits.megabytes)
