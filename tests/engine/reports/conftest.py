"""Papers, keys and outside tools that the tests of the paper share."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from engine.reports import certificate, keys, sign

from . import samples

PASS = "four words make one"
TODAY = date(2026, 11, 1)
WHEN = datetime(2026, 11, 29, 10, 0, tzinfo=UTC)


def run(*words: str | Path, ok: bool = True) -> str:
    """Run an outside tool; skip where it is not installed."""
    if shutil.which(str(words[0])) is None:
        pytest.skip(f"{words[0]} is not installed")
    done = subprocess.run(list(map(str, words)), capture_output=True, check=False)
    if ok:
        assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    return done.stdout.decode() + done.stderr.decode()


@dataclass
class Desk:
    """A folder with an office's keys and papers, unsigned and signed."""

    folder: Path
    root: Path
    eva: Path
    dora: Path
    unsigned: Path
    signed: Path
    statement: Path
    first: Path
    both: Path
    result: dict[str, Any]
    fingerprint: str


@pytest.fixture(scope="session")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """One office, one certificate signed by the decider, one statement signed twice."""
    folder = tmp_path_factory.mktemp("desk")
    office = folder / "keys"
    eva = keys.make(
        name="Eva Example", out=office, passphrase=PASS, today=TODAY,
        organisation="Example Audit Office",
    )  # fmt: skip
    dora = keys.make(name="Dora Ψ", out=office, passphrase=PASS, today=TODAY, kind="RSA-3072")
    granted, german = samples.granted(), samples.german()
    unsigned, statement = folder / "c.pdf", folder / "s.pdf"
    unsigned.write_bytes(
        certificate.build(state=samples.case("grant"), result=granted, **samples.files(granted))
    )
    statement.write_bytes(
        certificate.build(state=samples.case(), result=german, **samples.files(german))
    )
    signed, first, both = folder / "c-signed.pdf", folder / "s-1.pdf", folder / "s-2.pdf"
    sign.sign(path=unsigned, key=eva.key, out=signed, passphrase=PASS, when=WHEN)
    sign.sign(path=statement, key=eva.key, out=first, passphrase=PASS, when=WHEN, role="evaluator")
    sign.sign(path=first, key=dora.key, out=both, passphrase=PASS, when=WHEN)
    return Desk(
        folder, eva.root, eva.key, dora.key, unsigned, signed, statement, first, both, granted,
        eva.fingerprint,
    )  # fmt: skip
