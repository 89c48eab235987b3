"""What the paper says and where: kinds of paper, all facts, one page, nothing cut."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pikepdf
import pytest

from engine.drawing.model import IntervalChart, IntervalRow
from engine.drawing.paper import draw
from engine.methods.base import Finding, PrintedTable, Section, Verdict
from engine.procedure.decision import missing_sheet
from engine.procedure.state import new_state
from engine.reports import certificate, parts, selftest_pdf, settle, sign, verify
from engine.reports.facts import TITLES, facts
from engine.reports.parts import Part
from engine.reports.tables import Grid
from engine.reports.words import Row, rows_of

from . import samples
from .conftest import PASS, WHEN, Desk, run


def text_of(content: bytes, tmp_path: Path, page: int | None = None, *more: str) -> str:
    path = tmp_path / "paper.pdf"
    path.write_bytes(content)
    pages = ["-f", str(page), "-l", str(page)] if page else []
    return " ".join(run("pdftotext", *pages, *more, path, "-").split())


def built(state: dict[str, Any], result: dict[str, Any], **more: Any) -> bytes:
    return certificate.build(state=state, result=result, **samples.files(result), **more)


def test_a_grant_is_a_certificate(tmp_path: Path) -> None:
    page = text_of(built(samples.case("grant"), samples.granted()), tmp_path, 1)
    assert "Certificate of fairness assessment" in page
    assert "Within the tolerance" in page
    assert "10 of 10" in page
    assert "26 November 2027" in page
    assert "not a certificate" not in page


@pytest.mark.parametrize("decision", ["refuse", "not settled", None])
def test_all_else_is_a_statement(tmp_path: Path, decision: str | None) -> None:
    for result in (samples.german(), samples.granted()):
        state = samples.case(decision)
        page = text_of(built(state, result), tmp_path, 1)
        assert "Statement of findings" in page
        assert "This is not a certificate" in page
        assert "Certificate of fairness" not in page
        assert "Within the tolerance" not in page
        if decision is None:
            assert "Not decided" in page and "No person has decided yet" in page


def test_more_evidence_is_a_request_that_decides_nothing(desk: Desk, tmp_path: Path) -> None:
    """It prints what is asked for, says what lacks and what that limits, and grants nothing."""
    state, result = samples.case("more evidence"), samples.german()
    state["decision"]["reasons"] = ["Test data of 2,700 people are asked for by 15 January 2027."]
    content = built(state, result)
    page = text_of(content, tmp_path, 1)
    assert "Request for evidence" in page and "The audit stays open." in page
    assert "neither a certificate nor a statement of findings" in page
    assert "2,700 people are asked for" in page and "What was not supplied" in page
    assert "Valid until" not in page and "Issued on" not in page
    behind = text_of(content, tmp_path)
    for gap in missing_sheet(state):
        assert gap.limits in behind, gap.what
    path, out = tmp_path / "r.pdf", tmp_path / "r-signed.pdf"
    path.write_bytes(content)
    sign.sign(path=path, key=desk.eva, out=out, passphrase=PASS, when=WHEN)
    found = verify.verify(out, trust=desk.root, today=WHEN.date())
    assert found.valid and found.kind == "request"
    assert any("decides nothing" in line for line in found.lines)


def test_not_settled_prints_neither_as_pass_nor_as_fail(tmp_path: Path) -> None:
    page = text_of(built(samples.case("not settled"), samples.german()), tmp_path, 1)
    assert "neither show unfairness" in page
    assert page.count("Not settled") >= 11


def test_below_the_recommendation_is_not_called_outside(tmp_path: Path) -> None:
    state = samples.case("refuse")
    state["decision"]["reasons"] = ["The provider withdrew the version."]
    page = text_of(built(state, samples.granted()), tmp_path, 1)
    assert "Not granted" in page and "The provider withdrew the version." in page
    assert "Outside the tolerance" not in page


def test_point_values_say_so(tmp_path: Path) -> None:
    result = samples.granted()
    result["certification"]["recommendation"]["rule"] = "point values"
    result["plan"]["tolerance"]["rule"] = "point values"
    measure = result["certification"]["attributes"]["age"]["metrics"]["SPD"]
    measure["verdict"] = "not settled"
    page = text_of(built(samples.case("grant"), result), tmp_path, 1)
    assert "by values alone" in page
    assert "do not settle 1 of 10 metrics" in page


def test_tolerance_set_late_is_printed(tmp_path: Path) -> None:
    state = samples.case("grant")
    state["set"]["tolerance"]["result_visible"] = True
    assert "when a result was visible" in text_of(built(state, samples.granted()), tmp_path, 1)


def test_same_evaluator_and_decider_is_printed(tmp_path: Path) -> None:
    state = samples.case("grant")
    state["case"].update(evaluator="Eva Example", decider="eva example ")
    page = text_of(built(state, samples.granted()), tmp_path, 1)
    assert "Evaluator and decider are the same person" in page
    state["case"]["decider"] = "Dora Example"
    page = text_of(built(state, samples.granted()), tmp_path, 1)
    assert "Evaluator and decider are different people" in page


def test_all_forty_three_facts(tmp_path: Path) -> None:
    whole = text_of(built(samples.case(), samples.german()), tmp_path, None, "-raw")
    for title in TITLES.values():
        assert title in whole, title
    empty = facts(state=new_state(), result=samples.german(), run_info={})
    assert len(empty.fields) == 43
    assert empty.number == "EAO-2026-0017"  # from the plan
    assert empty.word("system") == "German credit, sample"
    assert not empty.of(43).known and empty.of(43).text == "Not supplied."


def test_an_almost_empty_case_prints(tmp_path: Path) -> None:
    result = samples.german()
    result["plan"]["case"] = {}
    whole = text_of(built(new_state(), result), tmp_path)
    assert "Not supplied" in whole and "not numbered" in whole
    bare = {"schema": "fairassay-result/1", "plan": {}, "plan_sha256": "", "inputs": []}
    assert "Not decided" in text_of(built(new_state(), bare), tmp_path)


def test_missing_training_data_is_stated(tmp_path: Path) -> None:
    result = samples.german()
    result["plan"]["data"]["training"] = None
    whole = text_of(built(samples.case(), result), tmp_path)
    assert (
        "Statistical parity difference and disparate impact of the training data were not "
        "checked: training data not supplied."
    ) in whole


@pytest.mark.parametrize("size", ["A4", "Letter"])
def test_page_one_is_one_page_however_long_the_names(tmp_path: Path, size: Any) -> None:
    state, result = samples.crowded()
    page = text_of(built(state, result, page_size=size), tmp_path, 1)
    assert "Page 1 of" in page and "Audited on" in page and "Decider" in page
    granted = samples.granted()
    state["decision"]["value"] = "grant"
    page = text_of(built(state, granted, page_size=size), tmp_path, 1)
    assert "Valid until" in page and "Page 1 of" in page


@pytest.mark.parametrize("size", ["A4", "Letter"])
@pytest.mark.parametrize("decision", ["grant", "refuse"])
def test_page_one_names_people_of_120_characters(tmp_path: Path, size: Any, decision: str) -> None:
    state, crowded = samples.crowded()
    state["decision"]["value"] = decision
    names = {
        "evaluator": ("Παπαδημητρακοπούλου Ψηφοθηρία " * 5)[:120].strip(),
        "reviewer": ("Олександра Приклад-Щербаківська " * 5)[:120].strip(),
        "decider": ("Donaudampfschifffahrtsgesellschaftskapitän" * 4)[:120],
    }
    state["case"].update(names)
    result = samples.granted() if decision == "grant" else crowded
    page = text_of(built(state, result, page_size=size), tmp_path, 1, "-raw").replace(" ", "")
    for name in (*names.values(), state["case"]["system"], state["case"]["organisation"]):
        assert name.replace(" ", "") in page, name


def numbered(decision: str) -> dict[str, Any]:
    """A case whose number cannot be broken at a blank, from an office with a long name."""
    state = samples.case(decision)
    state["certificate"] = {**(state.get("certificate") or {}), "number": "EAO-" + "9" * 110}
    state["case"] |= {"reference": "EAO-" + "9" * 110, "organisation": "Γραφείο ελέγχου " * 7}
    return state


@pytest.mark.parametrize("number", [1, 2])
def test_nothing_overlaps(tmp_path: Path, number: int) -> None:
    """No two words of a page stand on one another, with short names and with long ones."""
    state, crowded = samples.crowded()
    cases = [
        (numbered("grant"), samples.granted()),
        (numbered("not settled"), samples.german()),
        (samples.case("grant"), samples.granted()),
        (samples.case(), samples.german()),
        (samples.case(None), samples.german()),
        (state, crowded),
    ]
    for case, result in cases:
        path = tmp_path / "boxes.pdf"
        path.write_bytes(built(case, result))
        out = tmp_path / "boxes.html"
        run("pdftotext", "-bbox", "-f", str(number), "-l", str(number), path, out)
        boxes = []
        for line in out.read_text(encoding="utf-8").splitlines():
            if "<word" in line:
                part = line.split('"')
                x0, y0, x1, y1 = (float(part[i]) for i in (1, 3, 5, 7))
                middle, half = (y0 + y1) / 2, (y1 - y0) * 0.22
                boxes.append((x0 + 0.5, middle - half, x1 - 0.5, middle + half, line))
        assert len(boxes) > 50, len(boxes)
        for place, a in enumerate(boxes):
            assert a[0] > 20 and a[2] < 575, a[4]
            for b in boxes[place + 1 :]:
                apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
                assert apart, (a[4], b[4])


def test_methods_sections_are_printed_as_they_are(tmp_path: Path) -> None:
    part = Part(
        name="other",
        title="Another method",
        sections=(
            Section(
                title="What it says",
                paragraphs=("A paragraph of its own.",),
                findings=(Finding("c", "shown", "x", "Here it is shown.", "Look again."),),
                tables=(
                    PrintedTable("Small table", ("Name", "Verdict"),
                                 (("Ψήφοι", Verdict("outside")),), notes=("A note.",)),
                ),
            ),
        ),
    )  # fmt: skip
    whole = text_of(built(samples.case(), samples.german(), parts=(part,)), tmp_path)
    for words in ("Another method", "A paragraph of its own.", "Shown. Here it is shown. Look again.",
                  "Small table", "Ψήφοι", "outside", "A note."):  # fmt: skip
        assert words in whole


def test_a_row_longer_than_a_page_goes_on(tmp_path: Path) -> None:
    state = samples.case()
    words = [f"word{i}" for i in range(3000)]
    state["case"]["scope"] = " ".join(words)
    whole = text_of(built(state, samples.german()), tmp_path)
    assert all(word in whole for word in words)


def test_a_long_table_repeats_its_head_and_loses_no_row(tmp_path: Path) -> None:
    rows = tuple((f"person-{i}", str(i), Verdict("within")) for i in range(1500))
    part = Part("m", "Long", (Section("Long", tables=(
        PrintedTable("All", ("Who is meant", "How many", "Verdict"), rows),)),))  # fmt: skip
    content = built(samples.case(), samples.german(), parts=(part,))
    whole = text_of(content, tmp_path, None, "-layout")
    assert all(f"person-{i} " in whole for i in range(1500))
    assert whole.count("Who is meant") > 10
    with pikepdf.open(io.BytesIO(content)) as pdf:
        heads = [
            page for page in pdf.pages
            if any(str(op) == "BDC" and str(ops[0]) == "/Artifact" and "/Type" in ops[1]
                   and str(ops[1].Type) == "/Pagination"
                   for ops, op in pikepdf.parse_content_stream(page))
        ]  # fmt: skip
        assert len(heads) == len(pdf.pages)


def test_a_chart_of_many_groups_loses_no_row_and_cuts_no_group() -> None:
    rows = tuple(
        IntervalRow(
            label=f"metric {n % 5}", sub="a line below", group=f"group {n // 5}", value=0.01,
            low=-0.02, high=0.04, verdict="within", band=(-0.1, 0.1), ideal=0.0,
        )
        for n in range(200)
    )  # fmt: skip
    chart = IntervalChart(key="k", title="t", sentence="s", rows=rows)
    pieces = parts._pieces(chart, 480)
    assert tuple(row for piece in pieces for row in piece.rows) == rows
    assert all(piece.rows[0].label == "metric 0" for piece in pieces)
    assert all(draw(piece, width=480).height <= parts.PIECE for piece in pieces)
    assert len(pieces) <= 40
    assert parts._pieces(replace(chart, rows=rows[:10]), 480) == [replace(chart, rows=rows[:10])]


def test_page_one_shows_first_what_is_not_within(tmp_path: Path) -> None:
    """Of sixty metrics one is open, and it lies near its ideal."""
    result = samples.granted(tuple(f"a{n}" for n in range(12)))
    measure = result["certification"]["attributes"]["a11"]["metrics"]["EOD"]
    measure.update(value=0.001, low=-0.2, high=0.2, verdict="not settled")
    page = text_of(built(samples.case("not settled"), result), tmp_path, 1, "-layout")
    assert "+0.001 Not settled" in page and "of 60 metrics" in page


def test_columns_fit_their_longest_word() -> None:
    rows = [["x" * 30, "some words " * 12, Verdict("not computable")] for _ in range(5)]
    grid = Grid(("A", "B", "Verdict"), rows, title="t")
    grid.wrap(400, 700)
    assert sum(grid.widths) == pytest.approx(400)
    assert grid.widths[2] > 60


def test_what_would_settle_it() -> None:
    """An interval half as far beyond the value as the edge allows needs a quarter of the people."""
    band = (-0.1, 0.1)
    inside = Row("a", "SPD", samples.measure(0.05, -0.05, 0.15, "not settled"), band)
    assert settle.factor(inside) == pytest.approx(4.0)
    above = Row("a", "SPD", samples.measure(0.2, 0.0, 0.4, "not settled"), band)
    assert settle.factor(above) == pytest.approx(4.0)
    edge = Row("a", "SPD", samples.measure(0.1, 0.0, 0.2, "not settled"), band)
    assert settle.factor(edge) is None
    assert settle.people_needed(samples.granted()) == ""
    assert "if the values stay as they are" in settle.people_needed(samples.german())


def test_rows_follow_the_plans_order() -> None:
    result = samples.german()
    result["plan"]["protected"].reverse()
    assert [row.attribute for row in rows_of(result)] == ["Sex"] * 5 + ["Age"] * 5


def test_self_test_on_paper(tmp_path: Path) -> None:
    class One:
        what, source, expected, found, reproduced, note = (
            "Bias Index, Race", "001, Table 1", "0.1864", "0.1864", True, "",
        )  # fmt: skip

    class Two(One):
        found, reproduced, note = "0.2", False, "Misprinted there."

    whole = text_of(selftest_pdf.build(rows=[One(), Two()], versions=[("numpy", "2")]), tmp_path)
    assert "1 of 2 published figures were not reproduced." in whole
    assert "0.1864" in whole and "Misprinted there." in whole


def test_unsigned_paper_is_the_same_every_time(desk: Desk) -> None:
    again = built(samples.case("grant"), samples.granted())
    assert again == desk.unsigned.read_bytes()


def test_what_is_not_checked_says_what_it_is_about() -> None:
    """Three reasons alike in a row told nobody which metrics they were about."""
    from engine.methods.base import Finding, Section
    from engine.reports.flow import Text
    from engine.reports.parts import Part, flowables

    about = ("Equal opportunity difference, sex", "Average odds difference, sex")
    reason = "Not checked: no decisions of a system were supplied."
    found = tuple(Finding("certification.m", "not checked", what, reason) for what in about)
    part = Part("certification", "Certification", (Section("Certification", findings=found),))
    texts = [one for one in flowables(part, width=400) if isinstance(one, Text)]
    said = ["".join(words for words, _ in one.spans) for one in texts]
    for what in about:
        assert f"Not checked. {what}: No decisions of a system were supplied." in said
