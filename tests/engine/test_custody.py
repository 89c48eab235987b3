"""Who gave a file, when and how, told by a plan: in the result, the case and on the certificate."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from driving import audit, plan_of, result_of

from engine import cli
from engine.case.export import export
from engine.case.store import Case
from engine.reports.page_text import page_text, squeezed

PEOPLE = "person,sex,approved\n" + "".join(
    f"p{n},{'MF'[n % 2]},{int(n % 3 > 0)}\n" for n in range(60)
)
REGION = "person,region\n" + "".join(f"p{n},{'NS'[n % 2]}\n" for n in range(60))
TOLD = {"from": "Example Bank", "when": "2026-11-20", "how": "encrypted mail"}


def _run(folder: Path, **changes: Any) -> Path:
    (folder / "people.csv").write_text(PEOPLE)
    (folder / "region.csv").write_text(REGION)
    plan = plan_of(
        data={"all": {"path": "people.csv", "received": TOLD}},
        join=[{"path": "region.csv", "on": "person", "received": {"from": "Example Office"}}],
        **changes,
    )
    code, out = audit(folder, plan)
    assert code == 0
    return out


def test_a_plan_tells_who_gave_each_file(tmp_path: Path) -> None:
    out = _run(tmp_path)
    result = result_of(out)
    assert [one["received"] for one in result["inputs"]] == [TOLD, {"from": "Example Office"}]
    with Case.open(out / "case.fairassay") as case:
        first, second = case.state["items"]
        assert (first["from"], first["received"], first["how"]) == tuple(TOLD.values())
        assert (second["from"], second["how"]) == ("Example Office", "")
        export(case, tmp_path / "sealed.zip")
    with zipfile.ZipFile(tmp_path / "sealed.zip") as sealed:
        page = sealed.read("index.html").decode()
    with pikepdf.open(out / "certificate.pdf") as pdf:
        printed = squeezed("".join(page_text(one) for one in pdf.pages))
    for words in (*TOLD.values(), "Example Office"):
        assert squeezed(words) in printed and words in page


def test_no_number_depends_on_it(tmp_path: Path) -> None:
    with_it = result_of(_run(tmp_path))
    plan = json.loads((tmp_path / "plan.json").read_text())
    for source in (plan["data"]["all"], plan["join"][0]):
        del source["received"]
    without = result_of(audit(tmp_path, plan, out="other")[1])
    assert with_it["certification"] == without["certification"]
    assert all("received" not in one for one in without["inputs"])
    # A plan that says nothing of it keeps the fingerprint that it always had.
    assert set(without["plan"]["data"]["all"]).isdisjoint({"received", "types"})


def test_a_slip_in_the_key_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "people.csv").write_text(PEOPLE)
    plan = plan_of(data={"all": {"path": "people.csv", "received": {"form": "Example Bank"}}})
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    assert cli.main(["audit", str(tmp_path / "plan.json"), "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert "data.all.received.form" in said and 'did you mean "from"' in said
