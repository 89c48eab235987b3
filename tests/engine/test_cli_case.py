"""``verify`` of a case file from the command line, on cases that ``audit`` itself wrote."""

from __future__ import annotations

import sqlite3
import zipfile
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path

import pypdfium2
import pytest
from driving import audit, plan_of

from engine import cli
from engine.case.export import export
from engine.case.store import Case


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an audit."""
    folder = tmp_path_factory.mktemp("audit")
    rows = "".join(f"p{i},{'MF'[i % 2]},{int(i % 3 > 0)}\n" for i in range(90))
    (folder / "people.csv").write_text("person_id,sex,approved\n" + rows)
    case = {"system": "Loans & co", "evaluator": "Evaluator"}
    code, out = audit(folder, plan_of(id="person_id", system=None, case=case))
    assert code == 0
    return out


@pytest.fixture
def case(done: Path, tmp_path: Path) -> Path:
    """A copy of the case, to be hurt."""
    path = tmp_path / "case.fairassay"
    path.write_bytes((done / "case.fairassay").read_bytes())
    return path


def _run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    code = cli.main(["verify", *map(str, arguments)])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_a_whole_case_is_said_to_be_whole(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Case.open(case) as opened:
        head = opened.head()
    before = case.read_bytes()
    code, out, err = _run(capsys, case)
    assert code == 0 and "The case is whole" in out and head in out and not err
    code, out, _ = _run(capsys, case, "--head", head)
    assert code == 0 and "--head" not in out
    assert case.read_bytes() == before


def test_a_printed_head_shows_another_trail(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = _run(capsys, case, "--head", "f" * 64)
    assert code == 1 and "another case, or its trail was rewritten" in out


def test_an_edited_trail_is_named_by_its_entry(
    case: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(case)) as db, db:
        (name,) = db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%UPDATE%trail%'").fetchone()  # fmt: skip
        (sql,) = db.execute("SELECT sql FROM sqlite_master WHERE name = ?", (name,)).fetchone()
        db.execute(f"DROP TRIGGER {name}")
        db.execute("UPDATE trail SET event = replace(event, 'Evaluator', 'Evaluater') WHERE seq = 2")  # fmt: skip
        db.execute(sql)
    code, out, _ = _run(capsys, case)
    assert code == 1 and "NOT whole" in out and "entry 2" in out


def test_a_flipped_byte_of_evidence_is_named(
    case: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(case)) as db, db:
        (row, data) = db.execute("SELECT rowid, data FROM chunks ORDER BY length(data) LIMIT 1").fetchone()  # fmt: skip
        hurt = bytes([data[0] ^ 1]) + data[1:]
        db.execute("UPDATE chunks SET data = ? WHERE rowid = ?", (hurt, row))
    code, out, _ = _run(capsys, case)
    assert code == 1 and "damaged" in out and "Salvage" in out


@pytest.mark.parametrize(
    ("content", "says"), [(b"", "empty"), (b"%PDF-1.7", "not a"), (b"SQLite format 3\0" + bytes(200), "")]
)  # fmt: skip
def test_what_is_no_case_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, says: str
) -> None:
    path = tmp_path / "x.fairassay"
    path.write_bytes(content)
    code, out, err = _run(capsys, path)
    assert code in (1, 2) and says in out + err and "Traceback" not in out + err


def test_a_newer_case_is_refused_in_words(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(sqlite3.connect(case)) as db:
        db.execute("PRAGMA user_version = 99")
    code, _, err = _run(capsys, case)
    assert code == 2 and "newer" in err


def test_options_that_do_not_belong_are_refused(
    done: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(capsys, done / "certificate.pdf", "--head", "a")[0] == 2
    assert _run(capsys, done / "case.fairassay", "--trust", done / "certificate.pdf")[0] == 2


def test_the_certificate_prints_the_chain_of_custody(done: Path) -> None:
    with Case.open(done / "case.fairassay") as opened:
        (item,) = opened.state["items"]
        assert opened.read(item["sha256"]) == (done.parent / "people.csv").read_bytes()
    with closing(pypdfium2.PdfDocument(done / "certificate.pdf")) as pdf:
        text = " ".join(page.get_textpage().get_text_range() for page in pdf)
    text = "".join(text.split())
    assert "Chainofcustody" in text and "people.csv" in text
    assert item["sha256"] in text and f"{item['bytes']:,}bytes" in text
    assert item["when"][:10] in text


class _Words(HTMLParser):
    """The text of a page; refuses what a browser would have to fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in ("script", "img", "link", "iframe", "object")
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_the_index_of_the_sealed_export_can_be_read(done: Path, tmp_path: Path) -> None:
    with Case.open(done / "case.fairassay") as opened:
        sealed = export(opened, tmp_path / "sealed.zip")
        head = opened.head()
    with zipfile.ZipFile(sealed) as archive:
        page = archive.read("index.html").decode("utf-8")
        names = set(archive.namelist())
        found = _Words()
        found.feed(page)
    text = " ".join(found.words)
    assert {"data/people.csv", "result.json", "certificate.pdf"} <= set(found.links) <= names
    for word in ("Loans & co", "people.csv", head, "Statistical parity difference", "sha256sum"):
        assert word in text
