"""What no single key of a plan can show: whether its parts go together."""

from __future__ import annotations

from collections.abc import Mapping

from engine.base.wording import listed

from .attributes import entry_words, value_text
from .model import Outcome, Plan
from .reading import Reader, at


def check(reader: Reader, plan: Plan) -> None:
    """Note every contradiction between the parts of a plan."""
    _system(reader, plan)
    _columns(reader, plan)
    if plan.outcome is not None:
        _sides(reader, plan.outcome, "outcome")
    if plan.system is not None and plan.system.prediction is not None:
        _sides(reader, plan.system.prediction, "system.prediction")


def _system(reader: Reader, plan: Plan) -> None:
    system = plan.system
    if system is None:
        return
    kinds = []
    if system.prediction is not None or system.score_column is not None:
        kinds.append("columns")
    if system.train is not None:
        kinds.append('"train"')
    if system.model_file is not None:
        kinds.append('"model_file"')
    if len(kinds) > 1:
        reader.problem("system", "plan.one_system", found=listed(kinds))
    if system.train is not None:
        if plan.outcome is None:
            reader.problem("system.train", "plan.train_outcome")
        if plan.data.test is not None and plan.data.training is None:
            reader.problem("system.train", "plan.train_needs_training")


def _sides(reader: Reader, outcome: Outcome, place: str) -> None:
    good, bad = outcome.favourable, outcome.unfavourable
    if isinstance(good, Mapping) or isinstance(bad, Mapping) or bad is None:
        return
    texts = {value_text(value) for value in good}
    for value in bad:
        if value_text(value) in texts:
            reader.problem(
                at(place, "unfavourable"),
                "plan.both_lists",
                value=entry_words(value),
                first="favourable",
                second="unfavourable",
            )


def _columns(reader: Reader, plan: Plan) -> None:
    """A column that serves two uses which exclude each other is refused.

    A score may also be the decision (cut by a rule), and one column may be protected twice with
    different cuts.
    """
    uses: list[tuple[str, str, str]] = []  # place, words, column
    if plan.id is not None:
        uses.append(("id", "the id", plan.id))
    if plan.weight is not None:
        uses.append(("weight", "the weight", plan.weight))
    if plan.outcome is not None:
        uses.append(("outcome.column", "the outcome", plan.outcome.column))
    system = plan.system
    if system is not None:
        if system.prediction is not None:
            column = system.prediction.column
            uses.append(("system.prediction.column", "the prediction", column))
        if system.score_column is not None:
            uses.append(("system.score.column", "the score", system.score_column))
        if system.amount_column is not None:
            uses.append(("system.amount.column", "the amount", system.amount_column))
    for i, attribute in enumerate(plan.protected):
        words = f'the protected attribute "{attribute.name}"'
        place = at("protected", i)
        if attribute.column is not None:
            uses.append((at(place, "column"), words, attribute.column))
        for group, column in (attribute.membership or {}).items():
            uses.append((at(at(place, "membership"), group), words, column))
    for i, column in enumerate(plan.features or ()):
        uses.append((at("features", i), "a feature", column))
    together = {
        frozenset(("the prediction", "the score")),
        frozenset(("the score", "the amount")),
        frozenset(("the prediction", "the amount")),
    }
    seen: dict[str, str] = {}
    for place, words, column in uses:
        if not column:
            continue
        first = seen.setdefault(column, words)
        both_protected = first.startswith("the protected") and words.startswith("the protected")
        protected_feature = first.startswith("the protected") and words == "a feature"
        allowed = frozenset((first, words)) in together or both_protected or protected_feature
        if first != words and not allowed:
            reader.problem(place, "plan.column_twice", column=column, first=first, second=words)
