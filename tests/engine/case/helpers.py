"""Small cases to test with."""

from __future__ import annotations

import io
import random
from pathlib import Path

from engine.case.store import Case
from engine.procedure import acts

WHO = {"who": "Evaluator", "when": "2026-11-24T10:41:00+01:00"}
DATA = b"id,sex\n" + b"".join(b"%d,%s\n" % (i, (b"f", b"m")[i % 2]) for i in range(4000))


def small_case(path: Path, *, named: int = 3) -> Case:
    """A case with one file, some acts and a half-filled page."""
    case = Case.create(path, **WHO)
    kept = case.add_bytes(io.BytesIO(DATA), "people.csv")
    case.do(
        acts.add_item(
            case.state, name=kept.name, bytes=kept.bytes, sha256=kept.sha256, role="test", **WHO
        )
    )
    for number in range(named):
        words = f"named it {number}"
        case.do(acts.set_value(("case", "system"), f"System {number}", words=words, **WHO))
    case.do(acts.draft("step-1", {"filter": "se"}))
    return case


def noise(size: int, seed: int = 1) -> bytes:
    """Bytes that cannot be compressed."""
    return random.Random(seed).randbytes(size)
