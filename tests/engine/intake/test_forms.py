"""Files of every form, made here: encodings, marks, stray lines, packed, workbooks, statistics."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import duckdb
import numpy as np
import openpyxl
import pandas as pd
import pyreadstat
import pytest

from engine.base.watch import Watch
from engine.intake.read import preview, read
from engine.plan.model import Source

from .conftest import Reader
from .oldbook import old_book
from .opendocument import open_document

ROOT = Path(__file__).resolve().parents[3]
PLAIN = "name,age,good\nAnna,31,1\nBjörn,40,0\n"


def _same(frame: pd.DataFrame) -> bool:
    return (
        list(frame.columns) == ["name", "age", "good"]
        and list(frame["name"]) == ["Anna", "Björn"]
        and list(frame["age"]) == [31, 40]
        and list(frame["good"]) == [1, 0]
    )


@pytest.mark.parametrize(
    ("codec", "said"),
    [("utf-8", "utf-8"), ("utf-8-sig", "utf-8"), ("utf-16", "utf-16"), ("utf-16-le", "utf-16-le"), ("utf-16-be", "utf-16-be"), ("utf-32", "utf-32"), ("cp1252", "windows-1252"), ("latin-1", "windows-1252")],
)  # fmt: skip
def test_encodings(reader: Reader, codec: str, said: str) -> None:
    table = reader(PLAIN.encode(codec))
    assert _same(table.frame)
    assert table.detected["encoding"] == said


def test_encoding_as_the_plan_says(reader: Reader) -> None:
    table = reader("name\nПетр\nАнна\n".encode("cp1251"), encoding="windows-1251", header=True)
    assert list(table.frame["name"]) == ["Петр", "Анна"]


def test_a_broken_byte_in_utf8_does_not_turn_the_rest_into_nonsense(reader: Reader) -> None:
    content = ("town,n\n" + "Münster,1\n" * 50).encode() + b"K\xf6ln,2\n"
    table = reader(content)
    assert list(table.frame["town"].cat.categories) == ["Münster", "K\ufffdln"]
    assert any(wart.code == "intake.replaced" for wart in table.warts)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_delimiters_and_line_ends(reader: Reader, mark: str, end: str) -> None:
    table = reader(PLAIN.replace(",", mark).replace("\n", end))
    assert _same(table.frame)
    assert table.detected["delimiter"] == mark


def test_mixed_line_ends(reader: Reader) -> None:
    assert _same(reader("name,age,good\r\nAnna,31,1\nBjörn,40,0\r\n").frame)


def test_blanks_as_delimiter_in_runs(reader: Reader) -> None:
    table = reader("  1  A11   6.5\n 12  A12  10.25\n  3  A11   1.0\n")
    assert table.frame.shape == (3, 3)
    assert list(table.frame["column 1"]) == [1, 12, 3]
    assert list(table.frame["column 3"]) == [6.5, 10.25, 1.0]


def test_decimal_comma_and_thousands_marks(reader: Reader) -> None:
    table = reader("x;y;z;n\n1,5;1.234,50;1 234;7\n0,25;12.345,00;56 789;8\n")
    assert list(table.frame["x"]) == [1.5, 0.25]
    assert list(table.frame["y"]) == [1234.5, 12345.0]
    assert list(table.frame["z"]) == [1234, 56789]
    assert table.detected["decimal"] == ","
    quoted = reader('x,y\n"1,234",0.5\n"12,345",0.25\n')
    assert list(quoted.frame["x"]) == [1234, 12345]
    assert quoted.detected["decimal"] == "."


def test_a_mark_that_can_be_read_in_two_ways_is_asked_about(reader: Reader) -> None:
    table = reader("x;k\n1,234;a\n2,345;b\n")
    asked = [wart for wart in table.warts if wart.code == "intake.decimal_in_doubt"]
    assert len(asked) == 1 and asked[0].grade == "question" and asked[0].suggestion
    other = reader("x;k\n1,234;a\n2,345;b\n", decimal=".")
    assert list(other.frame["x"]) == [1234, 2345]
    assert not [wart for wart in other.warts if wart.code == "intake.decimal_in_doubt"]


def test_stray_lines_before_and_after(reader: Reader) -> None:
    table = reader("Report of the office\nmade on request\n\nage;income\n31;1,5\n40;2,5\n50;3,5\n\nTotal: 3 rows\n")  # fmt: skip
    assert list(table.frame["age"]) == [31, 40, 50]
    assert table.detected["skip_lines"] == 3
    assert table.unread is not None
    assert list(table.unread["text"]) == ["Total: 3 rows"]
    assert list(table.unread["line"]) == [9]


def test_ragged_rows_are_counted_and_shown(reader: Reader) -> None:
    table = reader("a,b\n1,2\n3\n4,5,6\n7,8\n")
    assert table.frame.to_numpy().tolist() == [[1, 2], [7, 8]]
    assert table.unread is not None
    assert table.unread[["line", "text"]].to_numpy().tolist() == [[3, "3"], [4, "4,5,6"]]
    assert table.detected["unread"] == 2


def test_a_quote_left_open_names_every_row_it_swallows(reader: Reader) -> None:
    body = "".join(f"{i},x\n" for i in range(50))
    table = reader("n,t\n" + body + '50,"x\n51,x\n52,x\n')
    assert len(table.frame) == 50
    assert table.unread is not None
    assert len(table.unread) == 3


def test_quotes_commas_and_line_ends_in_cells(reader: Reader) -> None:
    table = reader('a,b\n"x, ""y""","two\nlines"\n"p","q\r\nr"\n')
    assert list(table.frame["a"]) == ['x, "y"', "p"]
    assert list(table.frame["b"]) == ["two\nlines", "q\r\nr"]


def test_text_is_kept_exactly(reader: Reader) -> None:
    table = reader("code,zip,long\n M ,01234,12345678901234567890\nF,98765,12345678901234567891\n")
    assert list(table.frame["code"]) == [" M ", "F"]
    assert list(table.frame["zip"]) == ["01234", "98765"]
    assert table.frame["long"].nunique() == 2


def test_names_are_kept_apart(reader: Reader) -> None:
    table = reader("score,score,,x\n1,2,3,4\n5,6,7,8\n")
    assert list(table.frame.columns) == ["score", "score (2)", "column 3", "x"]
    assert table.detected["named_twice"] == ["score"]
    codes = {wart.code for wart in table.warts}
    assert {"intake.named_twice", "intake.unnamed"} <= codes


def test_own_names_and_no_header(reader: Reader) -> None:
    table = reader("31,M\n40,F\n", columns=("age", "sex"))
    assert list(table.frame.columns) == ["age", "sex"] and len(table.frame) == 2
    named = reader("a,b\n31,M\n", header=True, columns=("age", "sex"))
    assert list(named.frame.columns) == ["age", "sex"] and len(named.frame) == 1


def test_types(reader: Reader) -> None:
    table = reader(
        "whole,number,truth,day,time,text,gone\n"
        "1,1.5,TRUE,2020-01-31,2020-01-31 10:20:00,a,\n"
        ",,,,,,\n"
        "3,1e3,false,2021-12-01,2021-12-01 00:00:01,b,\n"
    )
    assert dict(table.detected["types"]) == {"whole": "whole number", "number": "number", "truth": "truth value", "day": "date", "time": "date", "text": "text", "gone": "text"}  # fmt: skip
    assert str(table.frame["whole"].dtype) == "Int64"
    assert list(table.frame["truth"].cat.categories) == ["TRUE", "FALSE"]
    assert table.frame["number"].tolist()[2] == 1000.0
    assert table.frame["day"].isna().tolist() == [False, True, False]
    assert (table.frame.isna().sum(axis=0) >= 1).all()


def test_impossible_days_stay_text(reader: Reader) -> None:
    table = reader("day,k\n2020-02-31,1\n2020-01-01,2\n")
    assert list(table.frame["day"]) == ["2020-02-31", "2020-01-01"]
    assert table.detected["types"]["day"] == "text"


@pytest.mark.parametrize(
    ("missing", "gone", "kept"),
    [(None, 1, ["NA", "3", "?", " ? "]), (("?",), 3, ["NA", "3"]), (("NA", "?"), 4, ["3"]), ((), 1, ["NA", "3", "?", " ? "]), ({"x": ("NA",)}, 2, ["3", "?", " ? "])],
)  # fmt: skip
def test_missing_is_what_the_plan_says(
    reader: Reader, missing: object, gone: int, kept: list[str]
) -> None:
    frame = reader("x,k\nNA,1\n3,2\n?,3\n ? ,4\n  ,5\n", missing=missing).frame
    assert int(frame["x"].isna().sum()) == gone
    assert [str(value) for value in frame["x"].dropna()] == kept


def test_text_among_numbers_is_asked_about(reader: Reader) -> None:
    body = "".join(f"{i},1\n" for i in range(30))
    table = reader("dose,k\n" + body + "n/k,2\n")
    (asked,) = [wart for wart in table.warts if wart.code == "intake.text_among_numbers"]
    assert asked.suggestion == {"missing": {"dose": ["n/k"]}}
    done = reader("dose,k\n" + body + "n/k,2\n", missing=asked.suggestion["missing"])
    assert done.detected["types"]["dose"] == "whole number"


def test_packed_files(reader: Reader) -> None:
    packed = gzip.compress(PLAIN.encode())
    assert _same(reader(packed, name="file.csv.gz").frame)
    assert _same(reader(packed, name="wrong_name.csv").frame)
    box = io.BytesIO()
    with zipfile.ZipFile(box, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("folder/table.csv", PLAIN)
        archive.writestr("__MACOSX/._table.csv", "junk")
    table = reader(box.getvalue(), name="file.zip")
    assert _same(table.frame) and table.detected["packed"] == "zip"


def _book(path: Path) -> None:
    book = openpyxl.Workbook()
    first = book.active
    assert first is not None
    first.title = "Notes"
    people = book.create_sheet("People")
    people.append(["Example Bank", None, None, None])
    people.append(["name", "age", "good", "when"])
    people.append(["Anna", 31, True, pd.Timestamp("2020-01-02").to_pydatetime()])
    people.append(["Björn", 40.0, False, pd.Timestamp("2020-01-03").to_pydatetime()])
    people.append(["Chen", "=1+1", True, None])
    book.create_sheet("More").append(["x"])
    book["More"].append([5])
    book.save(path)


def test_workbook(reader: Reader, tmp_path: Path) -> None:
    _book(tmp_path / "book.xlsx")
    table = reader(tmp_path / "book.xlsx")
    assert table.detected["sheet"] == "People"
    assert list(table.frame["name"]) == ["Anna", "Björn", "Chen"]
    assert table.frame["age"].tolist()[:2] == [31, 40]  # the formula was never run: no value
    assert table.detected["types"] == {"name": "text", "age": "whole number", "good": "truth value", "when": "date"}  # fmt: skip
    assert any(wart.code == "intake.sheets" for wart in table.warts)
    assert reader(tmp_path / "book.xlsx", sheet="More").frame["x"].tolist() == [5]


def test_open_document(reader: Reader) -> None:
    rows = [["name", "age", "good"], ["Anna", 31, 1], ["Björn", 40, 0]]
    table = reader(open_document(rows), name="t.ods")
    assert _same(table.frame) and table.detected["format"] == "ods"


def test_old_workbook(reader: Reader) -> None:
    rows = [["name", "age", "good"], ["Anna", 31, 1], ["Björn", 40, 0]]
    table = reader(old_book(rows), name="t.xls")
    assert _same(table.frame)
    assert (table.detected["format"], table.detected["sheet"]) == ("xls", "People")
    more = reader(old_book([["x", "ok"], [1.5, True], [None, False]]), name="u.xls")
    assert more.detected["types"] == {"x": "number", "ok": "truth value"}
    assert more.frame["x"].isna().tolist() == [False, True]


def test_macros_and_formulas_never_run(reader: Reader, tmp_path: Path) -> None:
    trap = tmp_path / "ran"
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.append(["a", "b"])
    book.active.append([1, f'=WEBSERVICE("file://{trap}")'])
    book.active.append([2, f"=cmd|'/c touch {trap}'!A1"])
    book.save(tmp_path / "plain.xlsx")
    path = tmp_path / "macros.xlsm"
    with zipfile.ZipFile(tmp_path / "plain.xlsx") as plain, zipfile.ZipFile(path, "w") as made:
        for name in plain.namelist():
            content = plain.read(name)
            if name == "[Content_Types].xml":
                content = content.replace(b"sheet.main+xml", b"sheet.macroEnabled.main+xml")
            made.writestr(name, content)
        made.writestr("xl/vbaProject.bin", b"Sub Auto_Open()" * 50)
    table = reader(path)
    assert table.frame["a"].tolist() == [1, 2]
    assert table.frame["b"].isna().all()  # formulas count with the value that was saved: none
    assert not trap.exists()
    text = reader("a,b\n1,=cmd|' /c calc'!A1\n2,=1+1\n")
    assert list(text.frame["b"]) == ["=cmd|' /c calc'!A1", "=1+1"]
    assert any(wart.code == "intake.formula_like" for wart in text.warts)


def test_a_total_at_the_end_is_asked_about(reader: Reader) -> None:
    body = "north,10\nsouth,20\nnorth,5\n"
    (wart,) = [w for w in reader("region,n\n" + body + "Total,35\n").warts if w.code == "intake.total_row"]  # fmt: skip
    assert wart.rows == (4,)
    assert wart.suggestion == {"rows": [{"column": "region", "keep": ["north", "south"]}]}
    for plain in (body, body + "Totally,1\n", body + "Total,1\nTotal,2\n"):
        assert "intake.total_row" not in {w.code for w in reader("region,n\n" + plain).warts}


@pytest.mark.slow
def test_a_sheet_of_empty_rows_does_not_hang(reader: Reader, tmp_path: Path) -> None:
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("S")
    sheet.append(["a", "b"])
    sheet.append([1, 2])
    for _ in range(1_048_573):
        sheet.append([None, None])
    sheet.append([3, 4])
    book.save(tmp_path / "empty.xlsx")
    assert reader(tmp_path / "empty.xlsx").frame.to_numpy().tolist() == [[1, 2], [3, 4]]


def test_parquet(reader: Reader, tmp_path: Path) -> None:
    path = tmp_path / "t*[1].parquet"  # a name that must not be taken for a pattern
    duckdb.sql(
        f"COPY (SELECT * FROM (VALUES ('Anna', 31, 1.5, true, DATE '2020-01-02'), ('Björn', 40, NULL, false, NULL)) t(name, age, x, ok, day)) TO '{path}' (FORMAT parquet)"
    )
    table = reader(path)
    assert dict(table.detected["types"]) == {"name": "text", "age": "whole number", "x": "number", "ok": "truth value", "day": "date"}  # fmt: skip
    assert table.frame["x"].isna().tolist() == [False, True]


@pytest.mark.parametrize("form", ["lines", "list", "keyed"])
def test_json(reader: Reader, form: str) -> None:
    rows: list[dict[str, object]] = [
        {"name": "Anna", "age": 31, "good": 1},
        {"name": "Björn", "age": 40, "good": 0, "more": {"a": [1]}},
    ]
    text = {
        "lines": "\n".join(json.dumps(row) for row in rows),
        "list": json.dumps(rows, indent=1),
        "keyed": json.dumps({"people": rows, "n": 2}),
    }[form]
    frame = reader(text, name="t.json").frame
    assert list(frame["more"].dropna()) == ['{"a": [1]}']
    assert _same(frame[["name", "age", "good"]])


def test_broken_json_lines_are_counted(reader: Reader) -> None:
    table = reader('{"a": 1}\n{"a": \n{"a": 3}\n', name="t.jsonl")
    assert table.frame["a"].tolist() == [1, 3]
    assert table.unread is not None and table.unread["line"].tolist() == [2]


@pytest.mark.parametrize("kind", ["sav", "dta", "xpt"])
def test_statistics_files(reader: Reader, tmp_path: Path, kind: str) -> None:
    frame = pd.DataFrame({"sex": [1.0, 2.0, 2.0, np.nan], "age": [31.0, 40.5, 50.0, 60.0], "name": ["Anna", "Bo", "", "Di"]})  # fmt: skip
    path = tmp_path / f"t.{kind}"
    labels = {"sex": {1: "male", 2: "female"}}
    if kind == "sav":
        pyreadstat.write_sav(frame, str(path), variable_value_labels=labels)
    elif kind == "dta":
        pyreadstat.write_dta(frame.assign(sex=frame["sex"].astype("Int64")), str(path), variable_value_labels=labels)  # fmt: skip
    else:
        pyreadstat.write_xport(frame, str(path))
    table = reader(path)
    assert table.detected["format"] == kind
    assert table.frame.shape == (4, 3)
    assert table.frame["age"].tolist() == [31, 40.5, 50, 60]
    assert table.frame["name"].isna().tolist() == [False, False, True, False]
    if kind == "xpt":
        assert table.frame["sex"].tolist()[:3] == [1, 2, 2]
    else:
        assert list(table.frame["sex"].dropna()) == ["male", "female", "female"]
        assert table.detected["codes"] == {"sex": {"male": "1", "female": "2"}}


def test_two_codes_with_one_label_stay_apart(reader: Reader, tmp_path: Path) -> None:
    path = tmp_path / "t.sav"
    frame = pd.DataFrame({"race": [1.0, 2.0, 3.0]})
    labels = {"race": {1: "other", 2: "other", 3: "white"}}
    pyreadstat.write_sav(frame, str(path), variable_value_labels=labels)
    assert list(reader(path).frame["race"]) == ["other (1)", "other (2)", "white"]


def test_files_of_one_source_are_appended_by_name(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("age,sex\n31,M\n")
    (tmp_path / "b.csv").write_text("sex;age\nF;40\n")
    table = read(source=Source(path=("a.csv", "b.csv")), base=tmp_path, watch=Watch())
    assert table.frame["age"].tolist() == [31, 40]
    assert list(table.frame["sex"]) == ["M", "F"]


def test_preview_reads_the_beginning_of_anything(tmp_path: Path) -> None:
    rows = "".join(f"{i},Björn\n" for i in range(400_000))
    for name, content in (
        ("a.csv", ("n,t\n" + rows).encode()),
        ("a.gz", gzip.compress(("n,t\n" + rows).encode())),
        ("b.csv", ("n,t\n" + rows).encode("utf-16")),
    ):
        (tmp_path / name).write_bytes(content)
        table = preview(source=Source(path=(name,)), base=tmp_path, rows=200)
        assert len(table.frame) == 200
        assert table.frame["n"].tolist() == list(range(200))
        assert set(table.frame["t"]) == {"Björn"}
        assert table.received[0].sha256 == ""


def test_blank_cells_of_long_columns_of_ids_are_missing(reader: Reader) -> None:
    rows = "".join(f"p{i}x,{i},{i}.5\n" if i % 10 else " ,,\n" for i in range(30_000))
    table = reader("id,n,x\n" + rows)
    assert str(table.frame["id"].dtype) == "string"
    assert table.frame.isna().sum().tolist() == [3000, 3000, 3000]
    assert table.frame["id"].iloc[1] == "p1x" and table.frame["x"].iloc[29_999] == 29_999.5


def test_long_columns_of_many_words_are_categories_in_order(reader: Reader) -> None:
    rows = "".join(f" w{(i * 7919) % 25_000},{i % 3},2020-01-0{1 + i % 9}\n" for i in range(60_000))
    table = reader("word,k,day\n" + rows)
    assert list(table.frame["word"].cat.categories[:2]) == [" w0", " w7919"]
    assert len(table.frame["word"].cat.categories) == 25_000
    assert list(table.frame["word"].iloc[[0, 25_000]]) == [" w0", " w0"]
    assert table.frame["k"].iloc[:4].tolist() == [0, 1, 2, 0]
    assert str(table.frame["day"].iloc[8].date()) == "2020-01-09"


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "ends"), [(8_000, "(40, 8000)"), (100_000, "at most 8,000")])
def test_absurd_counts_of_columns_end_in_time_and_memory(
    tmp_path: Path, columns: int, ends: str
) -> None:
    """In 20 seconds of work and 2 GiB, in a process of its own."""
    names = ",".join(f"c{n}" for n in range(columns))
    row = ",".join("AB"[n % 2] if n % 3 else str(n % 90) for n in range(columns))
    (tmp_path / "wide.csv").write_text("\n".join([names, *[row] * 40]) + "\n")
    code = (
        "import resource, sys\nfrom pathlib import Path\n"
        "from engine.base.problems import Refused\nfrom engine.base.watch import Watch\n"
        "from engine.intake.read import read\nfrom engine.plan.model import Source\n"
        "try:\n    made = read(source=Source(path=('wide.csv',)), base=Path(sys.argv[1]), watch=Watch())\n"
        "    end = made.frame.shape\nexcept Refused as refused:\n    end = refused\n"
        "used = resource.getrusage(resource.RUSAGE_SELF)\n"
        "print(used.ru_utime + used.ru_stime, used.ru_maxrss, end)\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    work, peak, said = done.stdout.split(maxsplit=2)
    assert ends in said
    assert float(work) < 20 and int(peak) * 1024 < 2 * 2**30


@pytest.mark.slow
def test_a_large_file_may_have_thousands_of_columns(tmp_path: Path) -> None:
    numbers = np.random.default_rng(0).normal(size=(2500, 3000)).round(3)
    pd.DataFrame(numbers).add_prefix("c").to_csv(tmp_path / "wide.csv", index=False)
    table = read(source=Source(path=("wide.csv",)), base=tmp_path, watch=Watch())
    assert np.array_equal(table.frame.to_numpy(dtype=float), numbers)
