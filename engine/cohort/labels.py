"""How a group is called where a person reads of it; its key stays the name in files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.base.nearest import mend
from engine.intake.values import same_value, value_key
from engine.plan.model import Plan, Protected

from .desk import Desk
from .model import Attribute
from .rules import entry_key


def group_words(*, protected: Protected, key: str) -> str:
    """The printed name of a group: its label, else the labels of its values, else its key.

    Examples
    --------
    >>> sex = Protected(name="sex", column="code", privileged=("A91", "A93"),
    ...                 labels={"A91": "men", "A93": "men", "A92": "women"})
    >>> group_words(protected=sex, key="A91, A93"), group_words(protected=sex, key="A92")
    ('men', 'women')
    >>> group_words(protected=sex, key="A95")
    'A95'
    """
    labels = {value_key(value): words for value, words in protected.labels.items()}
    if key in labels:
        return labels[key]
    values = [entry_key(entry) for entry in protected.privileged]
    if key == ", ".join(values) and any(value in labels for value in values):
        return ", ".join(dict.fromkeys(labels.get(value, value) for value in values))
    return next((words for value, words in labels.items() if same_value(value, key)), key)


def words_of(*, plan: Plan, attribute: str, key: str) -> str:
    """:func:`group_words` by an attribute's name; its key where the plan has no such attribute."""
    for protected in plan.protected:
        if protected.name == attribute:
            return group_words(protected=protected, key=key)
    return key


def crossing_words(*, plan: Plan, groups: Mapping[str, str]) -> str:
    """The printed name of a crossing, from attribute -> group key: ``sex women × age below 30``."""
    return " × ".join(
        f"{attribute} {words_of(plan=plan, attribute=attribute, key=key)}"
        for attribute, key in groups.items()
    )


def words_table(*, plan: Plan, attributes: Sequence[Attribute]) -> dict[str, dict[str, str]]:
    """Attribute to group key to printed name, to be kept beside a result that has keys only."""
    return {
        a.name: {g.key: words_of(plan=plan, attribute=a.name, key=g.key) for g in a.groups}
        for a in attributes
    }


def check_labels(desk: Desk, protected: Protected, attribute: Attribute, place: str) -> None:
    """Note labels that would print two groups alike, and warn of those that name nobody."""
    first: dict[str, str] = {}
    for group in attribute.groups:
        words = group_words(protected=protected, key=group.key)
        if words in first:
            desk.problem(
                f"{place}.labels", "cohort.label_twice", words=words, first=first[words],
                second=group.key,
            )  # fmt: skip
        first.setdefault(words, group.key)
    known = [
        *(group.key for group in attribute.groups),
        *(entry_key(e) for e in (*protected.privileged, *protected.left_out)),
    ]
    known = list(dict.fromkeys(known))
    for value in map(value_key, protected.labels):
        if not any(same_value(value, key) for key in known):
            hint = mend(value, known, otherwise="its groups are")
            desk.warn("cohort.label_of_nobody", f"{place}.labels", value=value, mend=hint)
