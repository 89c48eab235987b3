"""What can be answered to each thing that was found in a file, and what an answer changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from gui.session import Session, wart_key

from . import evidence_texts as texts
from . import roles as roles_of
from .people import Profile

if TYPE_CHECKING:
    from engine.intake.model import Wart

OPENS_READING = "reading"
OPENS_OUTCOME = "outcome"
OPENS_ROWS = "unread"
SEEN = "read"
"""The answer to what cannot be changed here: that it has been read."""
_TO_READ = ("merged", "unsaved_formulas", "error_cells", "utc", "periods", "periods_kept")


@dataclass(frozen=True)
class Option:
    """One possible answer. ``opens`` names a dialog that it leads to instead of an act."""

    key: str
    words: str
    primary: bool = False
    opens: str = ""
    value: Any = None


@dataclass(frozen=True)
class Found:
    """A thing that was found, the same one in several files taken together."""

    wart: Wart
    items: tuple[Mapping[str, Any], ...]
    warts: tuple[Wart, ...]
    answer: str | None = None

    @property
    def open(self) -> bool:
        """Whether it has to be answered and is not."""
        return self.wart.grade == "question" and self.answer is None

    @property
    def grade(self) -> str:
        """As it is shown: an answered question counts as a warning to be looked at, and a warning
        that somebody says to have read as a note."""
        if self.answer == SEEN:
            return "note"
        return "warning" if self.wart.grade == "question" and not self.open else self.wart.grade


def found_in(session: Session) -> list[Found]:
    """Everything that was found, open questions first, then warnings, then notes."""
    groups: dict[tuple[str, str], list[tuple[Mapping[str, Any], Wart]]] = {}
    found = session.warts()
    counted = {(i["id"], w.column) for i, w in found if w.code == "intake.counts_rows"}
    for item, wart in found:
        if (
            wart.code == "intake.unnamed"
            and wart.count < 2
            and (item["id"], wart.column) in counted
        ):
            continue  # that it counts the rows says enough
        same = "" if wart.code in _TOGETHER else wart.text
        groups.setdefault((wart_key(wart), same), []).append((item, wart))
    made = []
    for (key, _), members in groups.items():
        given = [item.get("answers", {}).get(key) for item, _ in members]
        answer = given[0] if all(one is not None for one in given) else None
        items, warts = zip(*members, strict=True)
        made.append(Found(warts[0], items, warts, answer))
    order = {"question": 0, "warning": 1, "note": 2}
    return sorted(made, key=lambda one: order[one.grade])


_TOGETHER = ("intake.like_missing", "intake.no_header", "intake.text_among_numbers")


def options(found: Found, profile: Profile | None) -> list[Option]:
    """The answers to a thing that was found, the likely one first; empty where nothing is to do."""
    wart, t = found.wart, texts.text
    code = wart.code.removeprefix("intake.")
    column = wart.column or ""
    if code == "favourable_in_doubt":
        return _favourable(wart, profile)
    if code == "like_missing":
        return [
            Option("category", t("answer.category"), primary=True),
            Option("missing", t("answer.missing")),
        ]
    if code == "text_among_numbers":
        return [
            Option("missing", t("answer.missing_values"), primary=True),
            Option("text", t("answer.text")),
        ]
    if code == "sentinel":
        return [Option("value", t("answer.value")), Option("missing", t("answer.missing"))]
    if code == "decimal_in_doubt":
        return [
            Option("as_read", t("answer.as_read"), primary=True),
            Option("other", t("answer.other_mark")),
        ]
    if code in ("exponent_kept", "gaps_kept"):
        return [Option("numbers", t("answer.numbers")), Option("text", t("answer.text"))]
    if code in ("numbers_as_names", "exponent", "gaps"):
        return [
            Option("numbers", t("answer.numbers")),
            Option("text", t("answer.names")),
        ]
    if code == "date_in_doubt":
        made = [Option("text", t("answer.text"))]
        if wart.suggestion:
            made += [
                Option("date, day first", t("answer.day_first")),
                Option("date, month first", t("answer.month_first")),
            ]
        return made
    if code == "unread":
        return [
            Option("left_out", t("answer.unread_out"), primary=True),
            Option("reading", t("answer.look"), opens=OPENS_ROWS),
        ]
    if code == "stacked_models":
        counts = profile.base.distinct.get(column, 0) if profile else 0
        chosen = (wart.suggestion.get("rows") or [{}])[0].get("keep", [])
        made = [Option(str(v), t("answer.only", value=v), primary=True, value=v) for v in chosen]
        return [*made, Option("choose", t("answer.another"), opens="rows")] if counts else made
    if code in ("leak", "leak_same", "id_as_feature", "identifier"):
        return [
            Option("leave_out", t("answer.leave_out"), primary=True),
            Option("keep", t("answer.keep")),
        ]
    if code == "reversed":
        return [
            Option("turn", t("answer.turn"), primary=True),
            Option("keep", t("answer.not_turned")),
        ]
    if code in ("counts_rows", "id_like") and column:
        return [Option("id", t("answer.id")), Option("leave_out", t("answer.leave_out"))]
    if code == "weight":
        return [Option("weight", t("answer.weight")), Option("no", t("answer.no_weight"))]
    seen = Option(SEEN, t("answer.seen"))
    if code in _TO_READ:
        return [] if found.answer == SEEN else [seen]
    if code in ("hidden_sheets", "sheets"):
        return [Option("reading", t("answer.sheet"), opens=OPENS_READING, value="sheet"), seen]
    if code in ("decimal_other", "digits_lost"):
        at = "decimal" if code == "decimal_other" else "types"
        keep = [Option("text", t("answer.text"))] if code == "decimal_other" else []
        return [seen, *keep, Option("reading", t("answer.reading"), opens=OPENS_READING, value=at)]
    if code in ("no_header", "unnamed", "foreign_encoding", "skipped", "skipped_one", "replaced", "named_twice"):  # fmt: skip
        return [Option("reading", t("answer.reading"), opens=OPENS_READING)]
    return []


def _favourable(wart: Wart, profile: Profile | None) -> list[Option]:
    t = texts.text
    counts = profile.counts.get(wart.column or "") if profile else None
    likely = list(((wart.suggestion.get("outcome") or {}).get("favourable")) or [])
    choose = Option("choose", t("answer.choose"), opens=OPENS_OUTCOME)
    if counts is None or (counts.numeric and len(counts.keys) > 20):
        return [choose]
    if len(likely) > 1:
        return [Option("yes", t("answer.yes_these"), primary=True, value=likely), choose]
    if len(counts.keys) == 2:
        first = likely[0] if likely else counts.keys[0]
        other = next(key for key in counts.keys if key != first)
        if not likely:
            return [Option("yes", first, value=[first]), Option("no", other, value=[other])]
        return [
            Option("yes", t("answer.yes", value=first), primary=True, value=[first]),
            Option("no", t("answer.no", value=other), value=[other]),
        ]
    if likely:
        return [Option("yes", t("answer.yes", value=likely[0]), primary=True, value=likely), choose]
    return [choose]


def answer(session: Session, found: Found, option: Option, profile: Profile | None) -> bool:
    """Enter an answer as one act."""
    code = found.wart.code.removeprefix("intake.")
    made: list[roles_of.Change] = []
    plan = session.plan
    if code == "favourable_in_doubt" and profile is not None:
        roles = replace(
            profile.roles, outcome=found.wart.column, favourable=tuple(option.value or ()),
            unfavourable=None,
        )  # fmt: skip
        made += roles_of.changes_between(plan, profile.roles, roles, profile.columns)
    elif option.key == "missing" or (code in _MISSING and found.answer == "missing"):
        for item, wart in zip(found.items, found.warts, strict=True):
            reading = with_missing(item, wart, option.key == "missing")
            made.append((("items", item["id"], "reading"), reading))
    elif code == "decimal_in_doubt" and option.key == "other":
        for item, wart in zip(found.items, found.warts, strict=True):
            reading = {**(item.get("reading") or {}), "decimal": wart.suggestion["decimal"]}
            made.append((("items", item["id"], "reading"), reading))
    elif code in _TYPED and option.key != SEEN:
        for item, wart in zip(found.items, found.warts, strict=True):
            kind = "" if option.key == "numbers" else option.key
            if option.key == "numbers" and code in ("exponent_kept", "gaps_kept"):
                kind = "number"
            made.append((("items", item["id"], "reading"), with_types(item, wart, kind)))
    elif code == "stacked_models":
        for item in found.items:
            rows = [
                r for r in (item["reading"].get("rows") or []) if r["column"] != found.wart.column
            ]
            rows.append({"column": found.wart.column, "keep": [option.value]})
            made.append((("items", item["id"], "reading"), {**item["reading"], "rows": rows}))
    elif code == "reversed" and option.key == "turn" and profile is not None:
        value = found.wart.suggestion["system"]["prediction"]["favourable"]
        roles = replace(profile.roles, prediction_favourable=tuple(value))
        made += roles_of.changes_between(plan, profile.roles, roles, profile.columns)
    elif profile is not None and found.wart.column and option.key in ("leave_out", "keep", "id", "weight", "no"):  # fmt: skip
        made += _role(found, option.key, profile, plan)
    for item, wart in zip(found.items, found.warts, strict=True):
        key = wart_key(wart)
        if code != "favourable_in_doubt":
            made.append((("items", item["id"], "answers", key), option.key))
    words = texts.text("act.answer", words=option.words)
    return session.set_many(made, words) if made else True


_TYPED = (
    "numbers_as_names", "date_in_doubt", "decimal_other", "exponent", "gaps", "exponent_kept", "gaps_kept",
)  # fmt: skip
_MISSING = ("like_missing", "text_among_numbers", "sentinel")


def _role(found: Found, key: str, profile: Profile, plan: Mapping[str, Any]) -> list[Any]:
    column = str(found.wart.column)
    now = profile.roles.role_of(column)
    role = {"leave_out": "left out", "keep": "feature", "id": "id", "weight": "weight"}.get(key, "")
    if key == "no":
        role = "feature" if now == "weight" else now
    if key == "keep" and now not in ("left out",):
        role = now
    roles = roles_of.with_role(profile.roles, profile.columns, column, role)
    return roles_of.changes_between(plan, profile.roles, roles, profile.columns)


def with_missing(item: Mapping[str, Any], wart: Wart, add: bool) -> dict[str, Any]:
    """A reading with the markers of a suggestion added, or taken away again."""
    reading = dict(item.get("reading") or {})
    old = reading.get("missing")
    columns: Mapping[str, Sequence[str]] = wart.suggestion.get("missing") or {}
    if isinstance(old, list):
        extra = [m for marks in columns.values() for m in marks]
        made: Any = (
            list(dict.fromkeys([*old, *extra])) if add else [m for m in old if m not in extra]
        )
    else:
        made = {name: list(marks) for name, marks in (old or {}).items()}
        for name, marks in columns.items():
            kept = [m for m in made.get(name, []) if m not in marks]
            made[name] = [*kept, *marks] if add else kept
        made = {name: marks for name, marks in made.items() if marks}
    reading["missing"] = made
    return reading


def with_types(item: Mapping[str, Any], wart: Wart, kind: str) -> dict[str, Any]:
    """A reading with the columns of a suggestion read as a type; empty: as they are found."""
    reading = dict(item.get("reading") or {})
    columns = list(wart.suggestion.get("types") or [])
    types = {n: k for n, k in (reading.pop("types", None) or {}).items() if n not in columns}
    if kind:
        types |= dict.fromkeys(columns, kind)
    return {**reading, "types": types} if types else reading


def missing_again(session: Session, item_id: str, marker: str) -> bool:
    """Read a marker as a category of its own again."""
    item = session.item(item_id)
    if item is None:
        return False
    reading = dict(item.get("reading") or {})
    old = reading.get("missing")
    if isinstance(old, Mapping):
        made: Any = {n: [m for m in marks if m != marker] for n, marks in old.items()}
        reading["missing"] = {n: marks for n, marks in made.items() if marks}
    elif isinstance(old, list):
        reading["missing"] = [m for m in old if m != marker]
    answers = {
        key: "category" if value == "missing" and key.endswith(f":{marker}") else value
        for key, value in item.get("answers", {}).items()
    }
    return session.set_many(
        [
            (("items", item_id, "reading"), reading),
            (("items", item_id, "answers"), answers),
        ],
        texts.text("act.category", marker=marker),
    )
