"""The finished paper (tagged, PDF/A, attached, signed) against the same pages by plain reportlab.

``python -m pytest -o addopts= -s tests/bench/test_paper_speed.py``

The sample audit with three attributes, and the same with a list of 10,000 people. The plain side
sets the same words, charts and page 1 with reportlab's own paragraphs and tables, untagged. Ours
includes all that the program does by default: the self-check that reads a file of up to sixty
pages back, and the signature. Times are those of the processor, so that a busy machine changes
little.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import (
    BaseDocTemplate,
    Frame,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Paragraph,
    Table,
)
from reportlab.platypus.flowables import Flowable

from engine.methods.asking import load_plan
from engine.reports import certificate, evidence, fonts, keys, page1_statement, sign
from engine.reports.facts import facts
from engine.reports.flow import Figure, Text
from engine.reports.page1 import PageOne
from engine.reports.parts import gather
from engine.reports.style import Sheet
from engine.reports.tables import Grid
from engine.reports.tags import Node, TaggedCanvas
from engine.run import run
from engine.run.road import Run
from engine.samples import built_in
from tests.engine.reports import samples

MOST = 2.5
MOST_MEMORY = 400
ROWS = 10_000


def best(work: Callable[[], Any], times: int = 3) -> float:
    """The shortest of several runs: the machine may be busy."""
    found = []
    for _ in range(times):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


class PlainCanvas(TaggedCanvas):
    """The same canvas without a tag."""

    @contextmanager
    def tagged(self, node: Node) -> Iterator[None]:
        yield

    @contextmanager
    def artefact(self, kind: str = "Layout") -> Iterator[None]:
        yield


def plain(story: list[Flowable]) -> bytes:
    """The same pages with reportlab's own paragraphs and tables, neither tagged nor archived."""
    style = ParagraphStyle("p", fontName=fonts.SANS, fontSize=9, leading=12)
    out: list[Flowable] = []
    for item in story:
        if isinstance(item, (PageOne, Figure)):
            out.append(item)
        elif isinstance(item, Text):
            text = "".join(part for part, _ in item.spans)
            out.append(Paragraph(text.replace("&", "&amp;").replace("<", "&lt;"), style))
        elif isinstance(item, Grid):
            count = len(item.columns)
            short = all(len(str(c)) < 30 for row in item.rows[:5] for c in row)
            cells = [
                [str(c) if short else Paragraph(" ".join(c) if isinstance(c, tuple) else str(c), style)
                 for c in row]
                for row in item.rows
            ]  # fmt: skip
            look = [
                ("FONT", (0, 0), (-1, -1), fonts.SANS, 8.5, 11),
                ("LINEBELOW", (0, 0), (-1, -1), 0.5, (0.6, 0.6, 0.6)),
            ]
            for start in range(0, len(cells), 500):
                block = [list(item.columns), *cells[start : start + 500]]
                out.append(Table(block, colWidths=[480 / count] * count, repeatRows=1, style=look))
    file = io.BytesIO()
    document = BaseDocTemplate(file, pagesize=A4, invariant=1)
    document.addPageTemplates(
        [
            PageTemplate("one", [Frame(0, 0, *A4, 0, 0, 0, 0)]),
            PageTemplate("rest", [Frame(57, 52, 482, 720, 0, 0, 0, 0)]),
        ]
    )
    document.build(
        [NextPageTemplate("rest"), out[0], PageBreak(), *out[1:]],
        canvasmaker=partial(PlainCanvas, root=Node("Document")),
    )
    return file.getvalue()


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The sample audit with a third attribute."""
    path = built_in.write("german", tmp_path_factory.mktemp("german"))
    asked = json.loads(path.read_text())
    asked["protected"].append({"column": "foreign worker", "privileged": ["A202"]})
    path.write_text(json.dumps(asked))
    return run(plan=load_plan(path), base=path.parent)


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("keys")
    return keys.make(name="Eva", out=folder, passphrase="long enough", today=date(2026, 11, 1)).key


@pytest.mark.parametrize("rows", [0, ROWS])
def test_finished_paper_against_plain_reportlab(
    rows: int,
    audited: Run,
    key: Path,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    fonts.register()
    result, state = audited.result, samples.case("not settled")
    given = gather(result=result, plan=audited.plan, tables=audited.tables)
    parts = (*given, *samples.watch_list(rows))
    files = samples.files(result)
    unsigned = tmp_path / "unsigned.pdf"

    def finished() -> None:
        unsigned.write_bytes(certificate.build(state=state, result=result, parts=parts, **files))
        sign.sign(
            path=unsigned, key=key, out=tmp_path / "signed.pdf", passphrase="long enough",
            when=datetime(2026, 11, 29, tzinfo=UTC),
        )  # fmt: skip

    def same_pages() -> None:
        found = facts(state=state, result=result, run_info={})
        sheet = Sheet.of("A4")

        def one(canvas: Any) -> None:
            page1_statement.paint(
                canvas, sheet=sheet, facts=found, result=result, state=state,
                payload="EAO-2026-0017/" + "ab" * 32 + "/unsigned",
            )  # fmt: skip

        behind = evidence.story(facts=found, result=result, state=state, parts=parts, width=481.9)
        plain([PageOne(sheet, one), *behind])

    times = 2 if rows else 5
    ours, theirs = best(finished, times), best(same_pages, times)
    record_property("seconds", (ours, theirs))
    print(f"{rows} rows: finished {ours:.2f} s, plain {theirs:.2f} s, {ours / theirs:.2f} times")
    assert ours <= MOST * theirs


def test_memory_of_ten_thousand_rows() -> None:
    script = (
        "from pathlib import Path\n"
        "from tests.engine.reports import samples\n"
        "from engine.reports import certificate\n"
        "r = samples.granted()\n"
        "certificate.build(state=samples.case('grant'), result=r, parts=samples.watch_list(10_000),"
        " **samples.files(r))\n"
        "told = dict(l.split(':', 1) for l in Path('/proc/self/status').read_text().splitlines())\n"
        "print(int(told['VmHWM'].split()[0]) // 1024)\n"
    )
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, check=True)
    megabytes = int(done.stdout)
    print(f"{megabytes} MB")
    assert megabytes < MOST_MEMORY
