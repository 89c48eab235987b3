"""Sentences of step 0: choices that stand and can be changed, and how many lines there are."""

from __future__ import annotations

import html
from collections.abc import Mapping

from engine.base.wording import count, listed
from gui.session import Session

from . import evidence_texts as texts
from .answers import Option
from .found_list import Line
from .people import Profile


def standing(
    session: Session, profile: Profile | None
) -> list[tuple[Line, tuple[str, str] | None]]:
    """Choices made that can be changed here: the favourable outcome, markers of missing."""
    made: list[tuple[Line, tuple[str, str] | None]] = []
    change = (Option("change", texts.text("found.change")),)
    if profile is not None:
        words = favourable_words(profile)
        if words:
            made.append((Line("note", words, change), ("outcome", str(profile.roles.outcome))))
        elif profile.roles.outcome is None and not session.state["not_supplied"].get("recorded outcomes"):  # fmt: skip
            line = Line(
                "question", texts.text("found.no_outcome"), link="step:11",
                link_text=texts.text("found.step11"),
            )  # fmt: skip
            made.append((line, None))
    for item in session.state["items"]:
        missing = (item.get("reading") or {}).get("missing") or {}
        columns = missing if isinstance(missing, Mapping) else {}
        for marker in dict.fromkeys(m for marks in columns.values() for m in marks):
            names = [f"“{name}”" for name, marks in columns.items() if marker in marks]
            text = texts.text("found.marked", marker=marker, cells=listed(names), name=item["name"])
            made.append((Line("note", text, change), (str(item["id"]), marker)))
        types = (item.get("reading") or {}).get("types") or {}
        for kind in dict.fromkeys(types.values()):
            columns = listed([f"“{name}”" for name, said in types.items() if said == kind][:8])
            words = texts.text(f"type.as_{kind}").split(":")[0].lower()
            text = texts.text("found.types", columns=columns, name=item["name"], type=words)
            made.append((Line("note", text, change), ("types", str(item["id"]))))
    return made


def met_by_suggestion(needs: list[str]) -> list[str]:
    """Those needs that a suggested outcome meets as soon as Continue takes it over."""
    from engine.messages import say

    return [one for one in needs if one == say("procedure.need.outcome")]


def favourable_words(profile: Profile) -> str:
    """What counts as favourable, with the number of people; empty where it is not said."""
    roles = profile.roles
    counts = profile.counts.get(roles.outcome or "")
    if counts is None or not roles.favourable:
        return ""
    good, known = int(counts.favourable.sum()), int(counts.known.sum())
    fields = {"column": roles.outcome, "good": count(good), "known": count(known)}
    if isinstance(roles.favourable, Mapping):
        from engine.cohort.rules import words

        text = texts.text("found.favourable_rule", rule=words(roles.favourable), **fields)
    else:
        values = listed([f"“{value}”" for value in roles.favourable])
        many = "_many" if len(roles.favourable) > 1 else ""
        text = texts.text(f"found.favourable{many}", values=values, **fields)
    unknown = int(counts.people.sum()) - known + counts.blank
    return text + (texts.text("found.unknown", n=count(unknown)) if unknown else "")


def tally(lines: list[Line]) -> str:
    """``1 question, 2 warnings, 1 note``."""
    questions = sum(one.open for one in lines)
    parts = [(questions, "question"), (sum(o.grade == "warning" for o in lines), "warning"),
             (sum(o.grade == "note" for o in lines), "note")]  # fmt: skip
    words = [f"{n} {word}{'' if n == 1 else 's'}" for n, word in parts if n]
    return ", ".join(words) or texts.text("found.none")


def help_html(session: Session, open_: int) -> str:
    """What the side panel says, with ``open_`` questions to be answered."""
    todo = []
    if not session.state["items"]:
        todo.append("Drop the files that you received, or choose them.")
    if open_:
        todo.append("Answer the open question." if open_ == 1 else "Answer the open questions.")
    todo += ["Check the role under each column name.", "Say what each file is for."]
    if not session.facts.get("system"):
        todo.append("Enter the facts of the case, at the bottom of the page.")
    items = "".join(f"<li>{html.escape(one)}</li>" for one in todo)
    return (
        "<p>Everything that follows rests on these files. Each has a fingerprint: if one "
        "letter changes, the fingerprint does too, and the certificate names it.</p>"
        f"<h3>What you do now</h3><ul>{items}</ul><h3>Words used here</h3><dl>"
        "<dt>History</dt><dd>Past cases whose true outcome is known.</dd>"
        "<dt>Outcome</dt><dd>What really happened, for example whether a loan was repaid.</dd>"
        "<dt>Favourable</dt><dd>The outcome a person hopes for.</dd>"
        "<dt>Protected attribute</dt><dd>A trait by which nobody may be disadvantaged, such as "
        "age or sex.</dd>"
        "<dt>Feature</dt><dd>What the system may look at when it decides.</dd></dl>"
    )
