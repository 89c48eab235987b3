"""From a drawn PDF to PDF/A-3b: structure tree, metadata, colour profile, attachments.

The steps are those of ISO 19005-3; the file declares PDF/A-3b and nothing more. Signature fields
are not made here but at the first signature, in the places that the tree names.
"""

from __future__ import annotations

import hashlib
import importlib.resources
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from html import escape
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, String
from pikepdf.pdfa import validate_written

from engine import __version__

from . import bound
from .tags import Node

PROGRAM = f"FairAssay {__version__}"
LANGUAGE = "en-GB"
CHECKED_PAGES = 60
"""A longer file is not checked again: its pages are of the same kinds, and the check would take
longer than the printing."""


@dataclass(frozen=True)
class Attachment:
    """A file inside the PDF; ``relation`` is ``Data`` or ``Source``.

    ``content`` may be made of the fingerprints of :mod:`engine.reports.bound`, in its order.
    """

    name: str
    content: bytes | Callable[[list[str], str], bytes]
    words: str
    mime: str = "application/json"
    relation: str = "Data"


@dataclass(frozen=True)
class Metadata:
    """What the file says of itself. ``day`` comes from the case, never from a clock."""

    title: str
    author: str
    subject: str
    day: date | None


def finish(
    drawn: bytes,
    *,
    root: Node,
    metadata: Metadata,
    attachments: Sequence[Attachment] = (),
    check: bool = True,
) -> bytes:
    """Make the archival file of a drawn one.

    Parameters
    ----------
    drawn : bytes
        What the canvas wrote.
    root : Node
        The tree of what was drawn.
    metadata, attachments
        As their classes say.
    check : bool
        Read the written file back and check it against PDF/A-3b.

    Returns
    -------
    bytes
        The same for the same inputs, in any process.

    Raises
    ------
    RuntimeError
        Where the file does not pass as PDF/A-3b: a fault of ours.
    """
    with pikepdf.open(io.BytesIO(drawn)) as pdf:
        pages = len(pdf.pages)
        _Tree(pdf).build(root)
        _metadata(pdf, metadata)
        _attach(pdf, attachments, metadata.day)
        out = io.BytesIO()
        pdf.save(
            out,
            deterministic_id=True,
            force_version="1.7",
            object_stream_mode=pikepdf.ObjectStreamMode.generate,
            compress_streams=True,
        )
    if not check or pages > CHECKED_PAGES:
        return out.getvalue()
    report = validate_written(io.BytesIO(out.getvalue()), "3b")
    if not report.passed:
        faults = "; ".join(map(str, report.findings[:5]))
        raise RuntimeError(f"the file is not PDF/A-3b: {faults}")
    return out.getvalue()


class _Tree:
    """Writes the structure tree and the parent tree of a document."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self.pdf = pdf
        self.pages = [page.obj for page in pdf.pages]
        self.marked: list[dict[int, Any]] = [{} for _ in self.pages]
        self.top = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot))
        self.names: dict[str, Any] = {}
        self.scopes: dict[str, Any] = {}

    def build(self, root: Node) -> None:
        """Write the tree of ``root``."""
        self.top.K = Array([self._element(root, self.top)])
        numbers: list[Any] = []
        for place, page in enumerate(self.pages):
            page.StructParents = place
            page.Tabs = Name.S
            found = self.marked[place]
            numbers += [
                place,
                self.pdf.make_indirect(Array([found[m] for m in range(len(found))])),
            ]
        self.top.ParentTree = self.pdf.make_indirect(Dictionary(Nums=Array(numbers)))
        self.top.ParentTreeNextKey = len(self.pages)
        self.pdf.Root.StructTreeRoot = self.top
        self.pdf.Root.MarkInfo = Dictionary(Marked=True)

    def _element(self, node: Node, parent: Any) -> Any:
        if len(node.kids) == 1 and not isinstance(node.kids[0], Node) and not node.alt:
            return self._leaf(node, parent)
        found: dict[str, Any] = {"/S": self._name(node.kind), "/P": parent}
        if node.alt:
            found["/Alt"] = String(node.alt)
        if node.ident:
            found["/ID"] = String(node.ident)
        if (look := self._look(node)) is not None:
            found["/A"] = look
        element = self.pdf.make_indirect(Dictionary(found))
        kids: list[Any] = []
        first: Any = None
        for kid in node.kids:
            if isinstance(kid, Node):
                kids.append(self._element(kid, element))
                continue
            number, mark = kid
            page = self.pages[number - 1]
            self.marked[number - 1][mark] = element
            if first is None:
                first = number
                element["/Pg"] = page
            kids.append(mark if number == first else Dictionary(Type=Name.MCR, Pg=page, MCID=mark))
        element["/K"] = Array(kids)
        return element

    def _leaf(self, node: Node, parent: Any) -> Any:
        """An element with one piece of content, made in one go: a long table has very many."""
        number, mark = node.kids[0]
        found = {
            "/S": self._name(node.kind),
            "/P": parent,
            "/Pg": self.pages[number - 1],
            "/K": mark,
        }
        if node.ident:
            found["/ID"] = String(node.ident)
        if (look := self._look(node)) is not None:
            found["/A"] = look
        element = self.pdf.make_indirect(Dictionary(found))
        self.marked[number - 1][mark] = element
        return element

    def _look(self, node: Node) -> Any:
        """The attribute object of an element; those of head cells are shared."""
        if node.bbox:
            box = Array([round(float(x), 2) for x in node.bbox])
            return Dictionary(O=Name.Layout, Placement=Name.Block, BBox=box)
        if node.scope and node.scope not in self.scopes:
            scope = Dictionary(O=Name.Table, Scope=self._name(node.scope))
            self.scopes[node.scope] = self.pdf.make_indirect(scope)
        return self.scopes.get(node.scope)

    def _name(self, word: str) -> Any:
        if word not in self.names:
            self.names[word] = Name("/" + word)
        return self.names[word]


def _metadata(pdf: pikepdf.Pdf, metadata: Metadata) -> None:
    pdf.Root.Lang = String(LANGUAGE)
    pdf.Root.ViewerPreferences = Dictionary(DisplayDocTitle=True)
    for page in pdf.pages:
        if "/Trans" in page.obj:
            del page.obj["/Trans"]
    for key in list(pdf.docinfo.keys()):
        del pdf.docinfo[key]
    info = {
        "/Title": metadata.title,
        "/Author": metadata.author,
        "/Subject": metadata.subject,
        "/Creator": PROGRAM,
        "/Producer": PROGRAM,
    }
    for key, value in info.items():
        if value:
            pdf.docinfo[key] = value
    if metadata.day is not None:
        stamp = f"D:{metadata.day:%Y%m%d}000000Z"
        pdf.docinfo["/CreationDate"] = stamp
        pdf.docinfo["/ModDate"] = stamp
    stream = pdf.make_stream(_xmp(metadata))
    stream.Type, stream.Subtype = Name.Metadata, Name.XML
    pdf.Root.Metadata = stream
    profile = pdf.make_stream(
        (importlib.resources.files("pikepdf.pdfa") / "data/sRGB.icc").read_bytes()
    )
    profile.N = 3
    intent = Dictionary(
        Type=Name.OutputIntent,
        S=Name.GTS_PDFA1,
        OutputConditionIdentifier=String("sRGB"),
        Info=String("sRGB"),
        DestOutputProfile=profile,
    )
    pdf.Root.OutputIntents = Array([pdf.make_indirect(intent)])


def _xmp(metadata: Metadata) -> bytes:
    title, author, subject = (
        escape(text) for text in (metadata.title, metadata.author, metadata.subject)
    )
    dates = ""
    if metadata.day is not None:
        day = f"{metadata.day.isoformat()}T00:00:00Z"
        dates = f"<xmp:CreateDate>{day}</xmp:CreateDate><xmp:ModifyDate>{day}</xmp:ModifyDate>"

    def alt(name: str, text: str) -> str:
        inner = f'<rdf:Alt><rdf:li xml:lang="x-default">{text}</rdf:li></rdf:Alt>'
        return f"<dc:{name}>{inner}</dc:{name}>" if text else ""

    creator = f"<dc:creator><rdf:Seq><rdf:li>{author}</rdf:li></rdf:Seq></dc:creator>"
    return (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n'
        '<x:xmpmeta xmlns:x="adobe:ns:meta/">'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"'
        ' xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"'
        ' xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">'
        "<dc:format>application/pdf</dc:format>"
        f"{alt('title', title)}{creator if author else ''}{alt('description', subject)}{dates}"
        f"<dc:language><rdf:Bag><rdf:li>{LANGUAGE}</rdf:li></rdf:Bag></dc:language>"
        f"<xmp:CreatorTool>{PROGRAM}</xmp:CreatorTool><pdf:Producer>{PROGRAM}</pdf:Producer>"
        "<pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>"
        "</rdf:Description></rdf:RDF></x:xmpmeta>\n"
        '<?xpacket end="w"?>'
    ).encode()


def _attach(pdf: pikepdf.Pdf, attachments: Sequence[Attachment], day: date | None) -> None:
    if not attachments:
        return
    names: list[Any] = []
    files: list[Any] = []
    for item in sorted(attachments, key=lambda a: a.name):
        content = item.content
        if callable(content):
            content = content(bound.pages(pdf), bound.beside(pdf))
        stream = pdf.make_stream(content)
        stream.Type = Name.EmbeddedFile
        stream.Subtype = Name("/" + item.mime)
        checksum = hashlib.md5(content, usedforsecurity=False).digest()
        stream.Params = Dictionary(
            Size=len(content),
            CheckSum=String(checksum),
            ModDate=String(f"D:{day or date(2000, 1, 1):%Y%m%d}000000Z"),
        )
        spec = pdf.make_indirect(
            Dictionary(
                Type=Name.Filespec,
                F=String(item.name),
                UF=String(item.name),
                Desc=String(item.words),
                AFRelationship=Name("/" + item.relation),
                EF=Dictionary(F=stream, UF=stream),
            )
        )
        names += [String(item.name), spec]
        files.append(spec)
    pdf.Root.Names = Dictionary(EmbeddedFiles=Dictionary(Names=Array(names)))
    pdf.Root.AF = Array(files)
