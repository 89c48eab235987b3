"""Whether a text can be printed, asked where it is typed and before a paper is set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.base.problems import Refused
from engine.messages import say
from engine.procedure.fields import fact_words

from . import fonts


def fault_of(text: str) -> str:
    """Why a text cannot be printed and what to do, as a sentence; empty where it can.

    Examples
    --------
    >>> fault_of("Größe, Ελλάδα, Київ")
    ''
    >>> fault_of("東京")[:34]
    "The character '東' (U+6771) cannot "
    """
    try:
        fonts.runs(text, fonts.SANS)
    except Refused as refusal:
        said = refusal.problems[0].text
        return f"{said[0].upper()}{said[1:]}."
    return ""


def faults(texts: Mapping[str, str]) -> dict[str, str]:
    """The texts that cannot be printed: key to sentence."""
    return {key: said for key, text in texts.items() if (said := fault_of(text))}


def case_faults(state: Mapping[str, Any], result: Mapping[str, Any] | None) -> tuple[str, ...]:
    """A sentence for everything in a case that its paper cannot print, with where it stands.

    Parameters
    ----------
    state : mapping
        The case.
    result : mapping or None
        result.json, for the names of attributes, groups and files.
    """
    found: dict[str, None] = {}
    for where, text in _texts(state, result or {}):
        said = fault_of(text)
        if said:
            found[say("reports.unprintable", where=where, text=text[:40], why=said)] = None
    return tuple(found)


def _texts(state: Mapping[str, Any], result: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in state["case"].items():
        if isinstance(value, str) and value:
            yield fact_words(key), value
    decision = state["decision"] or {}
    for key in ("reasons", "conditions"):
        if decision.get(key):
            yield say(f"reports.where_{key}"), str(decision[key])
    for what, why in (state["not_supplied"] or {}).items():
        yield say("reports.where_why", what=what), str(why or "")
    for item in state["items"] or ():
        yield say("reports.where_file"), str(item.get("name") or "")
    attributes = (result.get("certification") or {}).get("attributes") or {}
    for name, one in attributes.items():
        yield say("reports.where_attribute"), str(name)
        for key, group in (one.get("groups") or {}).items():
            yield say("reports.where_group", attribute=name), str(group.get("words") or key)
