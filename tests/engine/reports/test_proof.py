"""Every line of "How it is proved", with the outside tools that it names."""

from __future__ import annotations

import hashlib
import io
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pikepdf
import pytest
from pikepdf.pdfa import validate_written
from PIL import Image, ImageFilter

from engine.base.problems import Refused
from engine.reports import certificate, keys, qr, sign, verify, watchout

from . import samples
from .conftest import PASS, TODAY, WHEN, Desk, run
from .tokens import soft_token

PAINTS = {"Tj", "TJ", "'", '"', "S", "s", "f", "F", "f*", "B", "B*", "b", "b*", "Do", "sh"}


def decoded(path: Path, folder: Path, dpi: int = 150) -> str:
    """The QR code of page 1, read from a grey picture."""
    zxing = pytest.importorskip("zxingcpp")
    stem = folder / f"{path.stem}-{dpi}"
    run("pdftoppm", "-r", str(dpi), "-gray", "-l", "1", "-singlefile", path, stem)
    found = zxing.read_barcodes(Image.open(stem.with_suffix(".pgm")))
    assert len(found) == 1
    return found[0].text


def test_qpdf_finds_no_fault(desk: Desk) -> None:
    for path in (desk.unsigned, desk.signed, desk.statement, desk.first, desk.both):
        run("qpdf", "--check", path)


def test_every_font_is_embedded_and_has_unicode(desk: Desk) -> None:
    for path in (desk.unsigned, desk.signed, desk.both):
        lines = run("pdffonts", path).splitlines()[2:]
        assert lines
        for line in lines:
            embedded, _, unicode_ = line[71:].split()[:3]
            assert (embedded, unicode_) == ("yes", "yes"), line


def test_every_name_can_be_taken_out_as_text(tmp_path: Path) -> None:
    state, result = samples.crowded()
    path = tmp_path / "crowded.pdf"
    path.write_bytes(certificate.build(state=state, result=result, **samples.files(result)))
    text = "".join(run("pdftotext", "-layout", path, "-").split())
    for name, attribute in result["certification"]["attributes"].items():
        if len(name) < 40:
            assert name.replace(" ", "") in text
        for group in attribute["groups"]:
            if len(group) < 30:
                assert group.replace(" ", "") in text
    assert "ΠαράδειγμαΤράπεζα" in text
    assert "Donaudampfschifffahrtsgesellschaft" in text


def test_long_names_survive_whole_across_lines(tmp_path: Path) -> None:
    state, result = samples.crowded()
    path = tmp_path / "crowded.pdf"
    path.write_bytes(certificate.build(state=state, result=result, **samples.files(result)))
    raw = "".join(run("pdftotext", "-raw", path, "-").split())
    assert state["case"]["system"] in raw
    assert "".join(state["case"]["evaluator"].split()) in raw


def test_attached_result_is_that_of_the_code(desk: Desk, tmp_path: Path) -> None:
    run("pdfdetach", "-savefile", "result.json", "-o", tmp_path / "r.json", desk.signed)
    found = (tmp_path / "r.json").read_bytes()
    assert found == samples.files(desk.result)["result_bytes"]
    number, sha, key = decoded(desk.signed, tmp_path).split("/")
    assert number == "EAO-2026-0017"
    assert sha == hashlib.sha256(found).hexdigest()
    assert key == desk.fingerprint[:16]


def test_code_reads_before_and_after_signing(desk: Desk, tmp_path: Path) -> None:
    assert decoded(desk.unsigned, tmp_path).endswith("/unsigned")
    assert decoded(desk.statement, tmp_path).endswith("/unsigned")
    assert not decoded(desk.both, tmp_path).endswith("/unsigned")


def test_code_reads_from_a_poor_scan(desk: Desk, tmp_path: Path) -> None:
    """150 dots an inch, grey, laid on askew, a little out of focus, with dust and pale ink."""
    zxing = pytest.importorskip("zxingcpp")
    stem = tmp_path / "scan"
    run("pdftoppm", "-r", "150", "-gray", "-l", "1", "-singlefile", desk.signed, stem)
    page = Image.open(stem.with_suffix(".pgm"))
    for turn in (-2.0, 1.3, 90.0):
        scan = page.rotate(turn, resample=Image.Resampling.BICUBIC, expand=True, fillcolor=255)
        grey = np.asarray(scan.filter(ImageFilter.GaussianBlur(0.8)), dtype=float)
        dust = np.random.default_rng(7).normal(0, 18, grey.shape)
        poor = Image.fromarray(np.clip(60 + grey * 0.7 + dust, 0, 255).astype("uint8"))
        found = zxing.read_barcodes(poor)
        assert [f.text.split("/")[0] for f in found] == ["EAO-2026-0017"], turn


def test_code_drawn_can_be_read_back() -> None:
    cells = qr.matrix("EAO-2026-0015/" + "ab" * 32 + "/unsigned")

    class Pen:
        found: list[tuple[float, float, float, float]] = []  # noqa: RUF012

        def setFillColorRGB(self, *_: float) -> None: ...

        def rect(self, x: float, y: float, w: float, h: float, **_: int) -> None:
            self.found.append((round(x, 3), round(y, 3), round(w, 3), round(h, 3)))

    pen = Pen()
    qr.draw(pen, "EAO-2026-0015/" + "ab" * 32 + "/unsigned", x=40, y=50, side=85.04)
    assert qr.read_back(pen.found) == cells


def test_rectangles_that_are_no_code_end_at_once() -> None:
    unit = (0.0, 0.0, 1.0, 1.0)
    for far in ((1e9, 0.0, 1.0, 1.0), (0.0, 1e9, 1.0, 1.0), (0.0, 0.0, 1e9, 1.0)):
        with pytest.raises(ValueError, match="no QR code"):
            qr.read_back([unit, far])


@pytest.fixture(scope="module")
def nss(desk: Desk, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("nss")
    run("certutil", "-N", "-d", f"sql:{folder}", "--empty-password")
    run("certutil", "-A", "-d", f"sql:{folder}", "-n", "root", "-t", "CT,CT,CT", "-i", desk.root)
    return folder


def test_pdfsig_trusts_the_root(desk: Desk, nss: Path) -> None:
    said = run("pdfsig", "-nssdir", f"sql:{nss}", desk.signed, ok=False)
    assert "Signature is Valid" in said
    assert "Certificate is Trusted" in said
    assert "Total document signed" in said


def test_pdfsig_trusts_no_other_root_of_the_same_name(desk: Desk, tmp_path: Path) -> None:
    twin = keys.make(
        name="Eva Example", out=tmp_path / "twin", passphrase=PASS, today=TODAY,
        organisation="Example Audit Office",
    )  # fmt: skip
    store = tmp_path / "store"
    store.mkdir()
    run("certutil", "-N", "-d", f"sql:{store}", "--empty-password")
    run("certutil", "-A", "-d", f"sql:{store}", "-n", "root", "-t", "CT,CT,CT", "-i", twin.root)
    said = run("pdfsig", "-nssdir", f"sql:{store}", desk.signed, ok=False)
    assert "Signature is Valid" in said
    assert "Certificate is Trusted" not in said


def test_pdfsig_reads_both_signatures(desk: Desk, nss: Path) -> None:
    said = run("pdfsig", "-nssdir", f"sql:{nss}", desk.both, ok=False)
    assert said.count("Signature is Valid") == 2
    assert said.count("Certificate is Trusted") == 2
    assert said.count("Total document signed") == 1


def test_archival_and_tagged(desk: Desk) -> None:
    for path in (desk.unsigned, desk.statement):
        assert validate_written(path, "3b").passed
        told = run("pdfinfo", path)
        assert "Tagged:          yes" in told
    metadata = run("pdfinfo", "-meta", desk.unsigned)
    assert "<pdfaid:part>3</pdfaid:part>" in metadata
    assert "pdfuaid" not in metadata


def test_accessible_as_far_as_a_program_can_tell(desk: Desk, tmp_path: Path) -> None:
    """Every rule of PDF/UA-1 that the outside checker knows, but the claim: no file makes it
    before the reference checker, which is no Python program, has said so."""
    pdfua = pytest.importorskip("pdfua")
    crowded = tmp_path / "crowded.pdf"
    state, result = samples.crowded()
    crowded.write_bytes(certificate.build(state=state, result=result, **samples.files(result)))
    persons = tmp_path / "watchout.pdf"
    persons.write_bytes(
        watchout.build(watchout=samples.watching(), number="E-1", organisation="Office")
    )
    for path in (desk.unsigned, desk.signed, desk.statement, desk.both, crowded, persons):
        report = pdfua.validate(str(path))
        assert [f for f in report.findings if f.rule_id != "UA-28-004"] == []
        assert [o.skipped_reason for o in report.outcomes if o.skipped_reason] == []
        with pikepdf.open(path) as pdf:
            structure(pdf)
            forms = [e for e in elements(pdf) if e.S == "/Form"]
            fields = list(pdf.Root.AcroForm.Fields) if "/AcroForm" in pdf.Root else []
            assert [e.K.Obj.objgen for e in forms] == [f.objgen for f in fields]
            index = list(pdf.Root.StructTreeRoot.ParentTree.Nums)
            for form in forms:  # and the way back, from the field to the tree
                assert index[index.index(form.K.Obj.StructParent) + 1].objgen == form.objgen


def structure(pdf: pikepdf.Pdf) -> None:
    """What the checker does not look at: levels of headings, shape of tables and lists."""
    level = 0
    for element in elements(pdf):
        kind = str(element.S)[1:]
        kids = [k for k in listed(element) if not isinstance(k, int) and "/S" in k]
        inner = [str(kid.S)[1:] for kid in kids]
        if re.fullmatch("H[1-6]", kind):
            assert int(kind[1]) <= level + 1, (kind, level)
            level = int(kind[1])
        elif kind == "Table":
            assert set(inner) == {"TR"}
            assert len({len(listed(row)) for row in kids}) == 1
        elif kind == "TR":
            assert set(inner) <= {"TH", "TD"}
        elif kind == "L":
            assert set(inner) == {"LI"}
        elif kind == "LI":
            assert inner == ["Lbl", "LBody"]
        elif kind == "Figure":
            assert len(element.A.BBox) == 4
    assert level


def listed(element: pikepdf.Object) -> list[Any]:
    """The kids of an element."""
    kids = element.get("/K", [])
    return list(kids) if isinstance(kids, pikepdf.Array) else [kids]


def elements(pdf: pikepdf.Pdf) -> Iterator[pikepdf.Object]:
    """All elements in the order of reading."""
    pending = list(pdf.Root.StructTreeRoot.K)
    while pending:
        element = pending.pop(0)
        yield element
        pending[:0] = [k for k in listed(element) if not isinstance(k, int) and "/S" in k]


def test_signed_file_breaks_no_rule_that_can_be_checked(desk: Desk) -> None:
    """Form fields are outside what the checker knows; nothing else may be found."""
    for path in (desk.signed, desk.both):
        report = validate_written(path, "3b")
        assert {f.kind for f in report.findings} <= {"unsupported"}, report.findings


def test_nothing_is_painted_outside_the_tags(desk: Desk) -> None:
    for path in (desk.unsigned, desk.statement):
        with pikepdf.open(path) as pdf:
            seen: dict[int, set[int]] = {}
            for number, page in enumerate(pdf.pages):
                open_marks: list[tuple[str, int | None]] = []
                for operands, operator in pikepdf.parse_content_stream(page):
                    word = str(operator)
                    if word == "BDC":
                        mark = operands[1].get("/MCID")
                        open_marks.append((str(operands[0]), None if mark is None else int(mark)))
                        if mark is not None:
                            seen.setdefault(number, set()).add(int(mark))
                    elif word == "EMC":
                        open_marks.pop()
                    elif word in PAINTS:
                        assert any(t == "/Artifact" or m is not None for t, m in open_marks)
                assert not open_marks
            kinds, marks = tree(pdf)
            assert marks == seen
        for kind in ("H1", "H2", "P", "Table", "TR", "TH", "TD", "Figure", "L", "LI"):
            if kind in ("L", "LI") and path == desk.unsigned:
                continue
            assert kind in kinds, kind


def tree(pdf: pikepdf.Pdf) -> tuple[set[str], dict[int, set[int]]]:
    """Kinds of elements and the marks they hold, a page."""
    pages = {page.obj.objgen: n for n, page in enumerate(pdf.pages)}
    kinds: set[str] = set()
    marks: dict[int, set[int]] = {}

    def walk(element: pikepdf.Object) -> None:
        kind = str(element.S)[1:]
        kinds.add(kind)
        if kind == "Figure":
            assert str(element.Alt)
        if kind == "TH":
            assert str(element.A.Scope) in ("/Column", "/Row")
        for kid in listed(element):
            if isinstance(kid, int):
                marks.setdefault(pages[element.Pg.objgen], set()).add(int(kid))
            elif kid.get("/Type") == "/MCR":
                marks.setdefault(pages[kid.Pg.objgen], set()).add(int(kid.MCID))
            else:
                walk(kid)

    for top in pdf.Root.StructTreeRoot.K:
        walk(top)
    return kinds, marks


def test_bookmarks_language_and_pages(desk: Desk) -> None:
    with pikepdf.open(desk.statement) as pdf:
        assert str(pdf.Root.Lang) == "en-GB"
        assert len(list(pdf.open_outline().root)) == 1
        pages = len(pdf.pages)
    text = run("pdftotext", desk.statement, "-")
    for number in range(1, pages + 1):
        assert f"Page {number} of {pages}" in text


def test_two_processes_give_the_same_bytes(desk: Desk, tmp_path: Path) -> None:
    script = (
        "import sys; from tests.engine.reports import samples;"
        "from engine.reports.certificate import build;"
        "r = samples.granted();"
        "sys.stdout.buffer.write(build(state=samples.case('grant'), result=r, **samples.files(r)))"
    )
    root = Path(__file__).resolve().parents[3]
    found = [
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=root,
            env={"PYTHONHASHSEED": seed, "PATH": "/usr/bin:/bin"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert found[0] == found[1] == desk.unsigned.read_bytes()


def test_signed_file_begins_with_the_unsigned_one(desk: Desk) -> None:
    assert desk.signed.read_bytes().startswith(desk.unsigned.read_bytes())
    assert desk.both.read_bytes().startswith(desk.first.read_bytes())
    assert desk.first.read_bytes().startswith(desk.statement.read_bytes())


def test_letter_has_the_same_words(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "letter.pdf"
    path.write_bytes(
        certificate.build(
            state=samples.case("grant"), result=desk.result, page_size="Letter",
            **samples.files(desk.result),
        )
    )  # fmt: skip
    assert "612 x 792" in run("pdfinfo", path)

    def words(of: Path) -> set[str]:
        return set(run("pdftotext", of, "-").split())

    assert {w for w in words(path) ^ words(desk.unsigned) if not w.isdigit()} == set()
    assert decoded(path, tmp_path).endswith("/unsigned")


@pytest.mark.parametrize(("key", "name"), [("eva", "Eva Example"), ("dora", "Dora Ψ")])
def test_a_token_signs(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str, name: str
) -> None:
    """With a key on P-256, and with one of RSA-3072."""
    token = soft_token(tmp_path, getattr(desk, key), PASS, monkeypatch)
    out = tmp_path / "token.pdf"
    done = sign.sign(path=desk.unsigned, key=token, out=out, passphrase="1234", when=WHEN)
    assert done.signer == name
    assert verify.verify(out, trust=desk.root, today=WHEN.date()).valid
    gone = sign.Token(library=token.library, token="elsewhere", label="dora")
    for key, pin, said in ((gone, "1234", "cannot be reached"), (token, "9999", "PIN")):
        with pytest.raises(Refused, match=said):
            sign.sign(path=desk.unsigned, key=key, out=out, passphrase=pin, when=WHEN)


def test_a_token_pulled_out_while_it_signs(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its files vanish, and its session ends, after the key was found and before it is used."""
    token = soft_token(tmp_path, desk.dora, PASS, monkeypatch)
    opened = sign._open_token

    def pulled(*given: Any) -> Any:
        key = opened(*given)
        shutil.rmtree(tmp_path / "tokens")
        key.signer.pkcs11_session.close()
        return key

    monkeypatch.setattr(sign, "_open_token", pulled)
    out = tmp_path / "pulled.pdf"
    with pytest.raises(Refused, match="may have been pulled out"):
        sign.sign(path=desk.unsigned, key=token, out=out, passphrase="1234", when=WHEN)
    assert not out.exists()


def test_unsigned_is_said_and_covered(desk: Desk, tmp_path: Path) -> None:
    assert "Unsigned until a signature stands here" in " ".join(
        run("pdftotext", "-l", "1", desk.unsigned, "-").split()
    )
    for path in (desk.unsigned, desk.signed):
        stem = tmp_path / path.stem
        run("pdftoppm", "-r", "100", "-gray", "-l", "1", "-singlefile", path, stem)
    with pikepdf.open(io.BytesIO(desk.signed.read_bytes())) as pdf:
        box = next([float(v) for v in a.Rect] for a in pdf.pages[0].Annots if str(a.T) == "Decider")
    scale = 100 / 72
    height = Image.open(tmp_path / "c.pgm").height
    area = (box[0], box[1] + 29, box[2] - 95, box[3] - 24)
    crop = [int(v * scale) for v in (area[0], 0, area[2], 0)]
    crop[1], crop[3] = int(height - area[3] * scale), int(height - area[1] * scale)
    before, after = (Image.open(tmp_path / f"{n}.pgm").crop(crop) for n in ("c", "c-signed"))
    assert before.tobytes() != after.tobytes()
