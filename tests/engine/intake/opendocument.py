"""Write an OpenDocument sheet for the tests; no library here does."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence

_CONTENT = """<?xml version="1.0" encoding="UTF-8"?><office:document-content
xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.2"><office:body>
<office:spreadsheet><table:table table:name="S">{rows}</table:table></office:spreadsheet>
</office:body></office:document-content>"""
_MANIFEST = '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'  # fmt: skip


def open_document(rows: Sequence[Sequence[object]]) -> bytes:
    """A sheet with these rows of whole numbers and text."""
    written = ""
    for row in rows:
        written += "<table:table-row>"
        for cell in row:
            kind = f'office:value-type="float" office:value="{cell}"' if isinstance(cell, int) else 'office:value-type="string"'  # fmt: skip
            written += f"<table:table-cell {kind}><text:p>{cell}</text:p></table:table-cell>"
        written += "</table:table-row>"
    box = io.BytesIO()
    with zipfile.ZipFile(box, "w") as archive:
        for name, content in (
            ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
            ("content.xml", _CONTENT.format(rows=written)),
            ("META-INF/manifest.xml", _MANIFEST),
        ):
            archive.writestr(zipfile.ZipInfo(name), content)
    return box.getvalue()
