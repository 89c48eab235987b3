"""The sealed export: a zip that needs no program of ours, checked with ``sha256sum`` alone."""

from __future__ import annotations

import hashlib
import html
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from engine.base.canonical import canonical_json
from engine.base.watch import Watch
from engine.base.wording import count, interval, number
from engine.fairness.metrics import WORDS
from engine.messages import say
from engine.procedure.plan_of import item_paths, plan_dict
from engine.procedure.reading import certification, measures

from . import files
from .build import inside
from .refusals import worded
from .store import Case

_EPOCH = (1980, 1, 1, 0, 0, 0)
MANIFEST = "SHA256SUMS"


def export(
    case: Case,
    target: str | Path,
    *,
    extra: Mapping[str, bytes] | None = None,
    watch: Watch | None = None,
) -> Path:
    """Write the whole case as a zip; the same case gives the same bytes.

    Inside: ``data/`` (every received file, bit for bit), ``result.json``, ``tables/``,
    ``last-audit/result.json`` where the case follows another, ``certificate.pdf``, ``plan.json``, ``trail.jsonl``, ``index.html`` to read, and
    ``SHA256SUMS``, which ``sha256sum -c SHA256SUMS`` checks.

    Parameters
    ----------
    case : Case
    target : str or pathlib.Path
        The zip to be made; it appears only when it is whole.
    extra : mapping, optional
        Further files (figures) -> bytes.
    watch : Watch, optional

    Raises
    ------
    Refused
        If kept bytes are damaged or missing, or the disk refuses.
    """
    target, watch = Path(target), watch or Watch()
    fresh = target.with_name(f".{target.name}.part")
    with worded(target):
        try:
            with zipfile.ZipFile(fresh, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
                sums = [
                    (name, _write(archive, name, pieces))
                    for name, pieces in _members(case, dict(extra or {}), watch)
                ]
                lines = "".join(f"{sha256}  {name}\n" for name, sha256 in sorted(sums))
                _write(archive, MANIFEST, [lines.encode()])
            files.settle(fresh, target)
        except BaseException:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)
            raise
    return target


def _write(archive: zipfile.ZipFile, name: str, pieces: Iterable[bytes]) -> str:
    entry = zipfile.ZipInfo(name, date_time=_EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    entry.create_system = 3
    digest = hashlib.sha256()
    with archive.open(entry, "w", force_zip64=True) as file:
        for piece in pieces:
            digest.update(piece)
            file.write(piece)
    return digest.hexdigest()


def _members(
    case: Case, extra: dict[str, bytes], watch: Watch
) -> Iterator[tuple[str, Iterable[bytes]]]:
    """Name and content of everything but the manifest; each name once."""
    state = case.state
    made: dict[str, str] = {}
    for item_id, path in item_paths(state).items():
        item = next(item for item in state["items"] if item["id"] == item_id)
        made.setdefault(f"data/{inside(path).as_posix()}", item["sha256"])
    for name, sha256 in ((state["result"] or {}).get("files") or {}).items():
        made.setdefault(inside(name).as_posix(), sha256)
    last = (state.get("before") or {}).get("result_sha256")
    if last and case.has(last):
        made["last-audit/result.json"] = last
    for place, certificate in enumerate([*state["earlier"], state["certificate"]], start=1):
        if certificate and certificate.get("sha256") and case.has(certificate["sha256"]):
            current = certificate is state["certificate"]
            name = "certificate.pdf" if current else f"certificate-earlier-{place}.pdf"
            made[name] = certificate["sha256"]
    for done, (name, sha256) in enumerate(made.items()):
        watch.say(f"Exporting {name}", done=done, total=len(made))
        yield name, case.stream(sha256, name=name)
    texts = {
        "plan.json": canonical_json(plan_dict(state)),
        "case.json": canonical_json(state),
        "trail.jsonl": "".join(canonical_json({**e.body, "hash": e.hash}) for e in case.trail()),
        "index.html": _index(case, sorted(made)),
    }
    for name, data in {**{k: v.encode() for k, v in texts.items()}, **extra}.items():
        if name not in made:
            yield name, [data]


def _index(case: Case, names: list[str]) -> str:
    """A page that a browser shows without a network: what, decided how, on which files."""
    state = case.state
    raw = case.result_file("result.json")
    result = json.loads(raw) if raw else None
    facts = [
        (say(f"case.export.{key}"), state["case"].get(key) or say("case.export.none"))
        for key in ("reference", "system", "version", "provider", "client", "organisation")
    ]
    decision = state["decision"] or {}
    facts.append((say("case.export.decision"), decision.get("value") or say("case.export.none")))
    if decision.get("reasons"):
        facts.append((say("case.export.reasons"), decision["reasons"]))
    facts.append((say("case.export.head"), case.head()))
    parts = [
        _table([], facts),
        f"<h2>{say('case.export.files')}</h2>",
        _table(
            [
                say(f"case.export.{key}")
                for key in ("name", "bytes", "from", "way", "when", "sha256")
            ],
            [
                (i["name"], count(i["bytes"]), i["from"], i["how"], _when(i), i["sha256"])
                for i in state["items"]
            ],
        ),
    ]
    if certification(result):
        rows = [
            (attribute, WORDS.get(metric, metric), *_shown(measure))
            for attribute, metric, measure in measures(result)
        ]
        heads = [
            say(f"case.export.{key}")
            for key in ("attribute", "metric", "value", "interval", "verdict")
        ]
        parts += [f"<h2>{say('case.export.metrics')}</h2>", _table(heads, rows)]
    links = "".join(
        f'<li><a href="{html.escape(name, quote=True)}">{html.escape(name)}</a></li>'
        for name in names
    )
    parts += [f"<h2>{say('case.export.inside')}</h2>", f"<ul>{links}</ul>"]
    parts.append(f"<p>{say('case.export.how', manifest=MANIFEST)}</p>")
    title = html.escape(state["case"].get("system") or say("case.export.title"))
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{title}</title><style>{_STYLE}</style></head>"
        f"<body><h1>{title}</h1>{''.join(parts)}</body></html>\n"
    )


_STYLE = (
    "body{font:16px/1.5 serif;max-width:60em;margin:2em auto;padding:0 1em;color:#1A2129}"
    "table{border-collapse:collapse}th,td{text-align:left;padding:.25em 1em .25em 0;"
    "border-bottom:1px solid #DADBD6;overflow-wrap:anywhere}"
)


def _shown(measure: Mapping[str, Any]) -> tuple[str, str, str]:
    value = number(measure.get("value")) or str(measure.get("reason") or "")
    low, high = measure.get("low"), measure.get("high")
    return value, interval(low, high), str(measure.get("verdict") or "")


def _when(item: Mapping[str, Any]) -> str:
    """When an item came, as somebody said it, else when it was entered."""
    return str(item.get("received") or str(item["when"] or "")[:16].replace("T", " "))


def _table(heads: list[str], rows: Iterable[tuple[str, ...]]) -> str:
    head = "".join(f'<th scope="col">{html.escape(text)}</th>' for text in heads)
    lines = [f"<tr>{head}</tr>"] if heads else []
    for row in rows:
        cells = "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row)
        lines.append(f"<tr>{cells}</tr>")
    return f"<table>{''.join(lines)}</table>"
