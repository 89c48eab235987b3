"""What each column is for: chosen in the plan, else as suggested; a change is written as acts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.intake.roles import Suggestion

KEYS = ("id", "weight", "outcome", "system", "protected", "features")
"""Keys of the plan that say what columns are for."""

ROLE_WORDS: dict[str, str] = {
    "protected": "Protected",
    "outcome": "Outcome",
    "prediction": "Decision",
    "score": "Score",
    "amount": "Amount",
    "id": "Id",
    "weight": "Weight",
    "feature": "Feature",
    "left out": "Left out",
}
ROLE_HELP: dict[str, str] = {
    "protected": "a trait by which nobody may be disadvantaged",
    "outcome": "what really happened",
    "prediction": "what the system decided",
    "score": "the number by which the system ranks people",
    "amount": "a price, rate or sum that the system sets",
    "id": "tells people apart",
    "weight": "how many people a row stands for",
    "feature": "what a stand-in may learn from",
    "left out": "kept in the file, used for nothing",
}
SINGLE = ("outcome", "prediction", "score", "amount", "id", "weight")

Change = tuple[tuple[str | int, ...], Any]


@dataclass(frozen=True)
class Roles:
    """The roles in force. ``favourable`` is a list of values, a rule, or empty: not said yet."""

    outcome: str | None = None
    favourable: Any = ()
    unfavourable: Any = None
    prediction: str | None = None
    prediction_favourable: tuple[Any, ...] = ()
    score: str | None = None
    amount: str | None = None
    id: str | None = None
    weight: str | None = None
    protected: tuple[Mapping[str, Any], ...] = ()
    features: tuple[str, ...] | None = None

    def protected_columns(self) -> list[str]:
        """Columns of the protected attributes, those of memberships included."""
        found: list[str] = []
        for entry in self.protected:
            if entry.get("column"):
                found.append(str(entry["column"]))
            found += [str(c) for c in (entry.get("membership") or {}).values()]
        return found

    def role_of(self, column: str) -> str:
        """The role of a column."""
        for role in SINGLE:
            if getattr(self, role) == column:
                return role
        if column in self.protected_columns():
            return "protected"
        if self.features is not None and column not in self.features:
            return "left out"
        return "feature"


def effective(
    plan: Mapping[str, Any], suggestions: Iterable[Suggestion], dates: Iterable[str] = ()
) -> Roles:
    """The roles that the plan says; where it says nothing, those suggested.

    A suggested weight is not taken over: whether rows count more than once is asked for.
    """
    dates = frozenset(dates)
    first: dict[str, Suggestion] = {}
    for one in suggestions:
        first.setdefault(one.role, one)
    made: dict[str, Any] = {}
    outcome = plan.get("outcome")
    if outcome:
        made["outcome"] = outcome.get("column")
        made["favourable"] = outcome.get("favourable") or ()
        made["unfavourable"] = outcome.get("unfavourable")
    elif "outcome" not in plan and "outcome" in first:
        made["outcome"] = first["outcome"].column
    if "id" in plan:
        made["id"] = plan["id"]
    elif "id" in first:
        made["id"] = first["id"].column
    made["weight"] = plan.get("weight")
    if "system" in plan:
        system = plan["system"] or {}
        made["prediction"] = (system.get("prediction") or {}).get("column")
        favourable = (system.get("prediction") or {}).get("favourable")
        made["prediction_favourable"] = (
            tuple(favourable or ()) if isinstance(favourable, list) else ()
        )
        made["score"] = (system.get("score") or {}).get("column")
        made["amount"] = (system.get("amount") or {}).get("column")
    elif plan.get("features") is None:  # features named by hand settle what is none
        for role in ("prediction", "score"):
            made[role] = first[role].column if role in first else None
    if "protected" in plan:
        made["protected"] = tuple(plan["protected"] or ())
    else:
        made["protected"] = tuple(
            {"column": one.column}
            for one in suggestions
            if one.role == "protected" and one.column not in dates
        )
    if plan.get("features") is not None:
        made["features"] = tuple(plan["features"])
    return Roles(**made)


def with_role(roles: Roles, columns: Sequence[str], column: str, role: str) -> Roles:
    """The roles after a column was given another one."""
    before = roles.role_of(column)
    if before == role:
        return roles
    changed: dict[str, Any] = {}
    if before in SINGLE:
        changed[before] = None
        if before == "outcome":
            changed.update(favourable=(), unfavourable=None)
        if before == "prediction":
            changed["prediction_favourable"] = ()
    if before == "protected":
        changed["protected"] = tuple(e for e in roles.protected if e.get("column") != column)
    features = roles.features
    if before in ("prediction", "score", "amount") and features is None:
        features = tuple(c for c in columns if roles.role_of(c) in ("feature", "protected"))
    if role in SINGLE:
        changed[role] = column
        if role == "outcome":
            changed.update(favourable=(), unfavourable=None)
        if role == "prediction":
            changed["prediction_favourable"] = ()
    elif role == "protected":
        changed["protected"] = (*changed.get("protected", roles.protected), {"column": column})
    if role == "left out":
        features = tuple(c for c in (features if features is not None else columns) if c != column)
    elif features is not None and role in ("feature", "protected") and column not in features:
        features = (*features, column)
    return replace(roles, **changed, features=features)


_KEY_OF = {
    "outcome": "outcome", "favourable": "outcome", "unfavourable": "outcome",
    "prediction": "system", "prediction_favourable": "system", "score": "system",
    "amount": "system", "id": "id", "weight": "weight", "protected": "protected",
    "features": "features",
}  # fmt: skip


def changes(plan: Mapping[str, Any], roles: Roles, columns: Sequence[str]) -> list[Change]:
    """What to set so that the plan says all these roles; empty where it does already."""
    return [
        (("plan", key), value)
        for key, value in _wanted(plan, roles, columns).items()
        if plan.get(key) != value
    ]


def changes_between(
    plan: Mapping[str, Any], before: Roles, after: Roles, columns: Sequence[str]
) -> list[Change]:
    """What to set for a change of roles alone; suggestions that it does not touch stay such."""
    keys = {key for name, key in _KEY_OF.items() if getattr(before, name) != getattr(after, name)}
    wanted = _wanted(plan, after, columns)
    found: list[Change] = []
    for key in sorted(keys):
        value = wanted.get(key)
        if key == "system" and value is None and not plan.get("system"):
            continue  # null would say that the recorded outcomes alone are audited
        if key not in plan or plan[key] != value:
            found.append((("plan", key), value))
    return found


def _wanted(plan: Mapping[str, Any], roles: Roles, columns: Sequence[str]) -> dict[str, Any]:
    """The plan's keys as the roles say them; those that say nothing are not among them."""
    wanted: dict[str, Any] = {"protected": [dict(entry) for entry in roles.protected]}
    for key in ("id", "weight"):
        if getattr(roles, key) is not None:
            wanted[key] = getattr(roles, key)
    if roles.outcome is not None:
        outcome: dict[str, Any] = {"column": roles.outcome, "favourable": _plain(roles.favourable)}
        if roles.unfavourable is not None:
            outcome["unfavourable"] = _plain(roles.unfavourable)
        wanted["outcome"] = outcome
    used = {getattr(roles, role) for role in SINGLE}
    if roles.features is not None:
        wanted["features"] = [c for c in columns if c in roles.features and c not in used]
    system = _system(plan, roles)
    if system is not None:
        wanted["system"] = system
    return wanted


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else list(value)


def _system(plan: Mapping[str, Any], roles: Roles) -> dict[str, Any] | None:
    old = dict(plan.get("system") or {})
    if roles.prediction:
        old.pop("train", None)
        old.pop("model_file", None)
        before = old.get("prediction") or {}
        same = before.get("column") == roles.prediction
        favourable = roles.prediction_favourable or (before.get("favourable") if same else ()) or ()
        old["prediction"] = {"column": roles.prediction, "favourable": _plain(favourable)}
    else:
        old.pop("prediction", None)
    for role in ("score", "amount"):
        column = getattr(roles, role)
        if column and (old.get(role) or {}).get("column") != column:
            old[role] = {"column": column}
        elif not column:
            old.pop(role, None)
    return old or None


def renamed(plan: Mapping[str, Any], names: Mapping[str, str]) -> list[Change]:
    """What to set in the plan after columns were given other names."""

    def new(value: Any) -> Any:
        if isinstance(value, list):
            return [new(one) for one in value]
        if isinstance(value, Mapping):
            return {
                k: names.get(v, v)
                if k == "column" and isinstance(v, str)
                else {g: names.get(c, c) for g, c in v.items()}
                if k == "membership" and isinstance(v, Mapping)
                else v
                for k, v in value.items()
            }
        return names.get(value, value) if isinstance(value, str) else value

    found: list[Change] = []
    for key in KEYS:
        if plan.get(key) is None:
            continue
        value = plan[key]
        made = {part: new(own) for part, own in value.items()} if key == "system" else new(value)
        if made != value:
            found.append((("plan", key), made))
    return found


def likely_favourable(
    keys: Sequence[str], ask: Callable[[Sequence[str]], tuple[str | None, bool, str]]
) -> tuple[tuple[str, ...], str]:
    """The likely favourable values and the reason; labels that differ by an end dot go together.

    Examples
    --------
    >>> likely_favourable(["<=50K", ">50K", ">50K."], lambda k: (">50K", False, "a good word"))[0]
    ('>50K', '>50K.')
    """
    plain: dict[str, list[str]] = {}
    for key in keys:
        plain.setdefault(key.rstrip("."), []).append(key)
    value, _, reason = ask(list(plain))
    return (tuple(plain.get(value, ())) if value else ()), reason


def protected_kind_words(column: str) -> str:
    """What trait a column's name speaks of; empty where it speaks of none."""
    from engine.intake.roles import protected_kind

    return protected_kind(column) or ""
