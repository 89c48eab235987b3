"""A plan's JSON made into a :class:`~engine.plan.model.Plan`, or refused with all its problems."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from engine.base.nearest import mend
from engine.base.problems import Problem, Refused
from engine.messages import say

from . import keys
from .attributes import read_protected, read_tolerance
from .check import check
from .form import to_dict
from .model import SCHEMA, Outcome, Plan, System
from .reading import Reader, at, spelled
from .sources import read_data, read_joins, read_received

__all__ = ["load", "parse", "to_dict"]

Methods = Mapping[str, Mapping[str, Any]]
CheckSetting = Callable[[str, str, Any], str | None]
"""Takes a method's name, a setting's name and its value; gives what is wrong, or None."""


def load(path: Path, *, methods: Methods, check_setting: CheckSetting | None = None) -> Plan:
    """Read a plan from a file.

    Parameters
    ----------
    path : pathlib.Path
        The plan, JSON in UTF-8 (a byte order mark is forgiven).
    methods, check_setting
        As in :func:`parse`.

    Raises
    ------
    Refused
        Where the file cannot be read as a plan; a syntax error names its line and column.
    """
    name = path.name or str(path)
    if path.is_dir():
        raise Refused(Problem(name, "", say("plan.directory")))
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise Refused(Problem(name, "", say("plan.no_file"))) from None
    except (OSError, ValueError):
        raise Refused(Problem(name, "", say("plan.unreadable"))) from None
    return parse(_json(raw, name), name=name, methods=methods, check_setting=check_setting)


def _json(raw: bytes, name: str) -> Any:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                raise Refused(Problem(name, key, say("plan.twice", key=key)))
            found[key] = value
        return found

    def no_constant(text: str) -> Any:
        raise Refused(Problem(name, "", say("plan.not_number", found=text)))

    try:
        text = raw.decode(json.detect_encoding(raw)).removeprefix("\ufeff")
    except UnicodeDecodeError:
        raise Refused(Problem(name, "", say("plan.encoding"))) from None
    try:
        found = json.loads(text, object_pairs_hook=once, parse_constant=no_constant)
        json.dumps(found, ensure_ascii=False).encode()
        return found
    except UnicodeEncodeError as fault:  # half of a pair of surrogates, written as an escape
        half = f"\\u{ord(fault.object[fault.start]):04x}"
        raise Refused(Problem(name, half, say("plan.half_character", half=half))) from None
    except json.JSONDecodeError as fault:
        place = f"line {fault.lineno}, column {fault.colno}"
        what = fault.msg[:1].lower() + fault.msg[1:]
        raise Refused(Problem(name, place, say("plan.syntax", what=what))) from None
    except ValueError:
        raise Refused(
            Problem(name, "", say("plan.range", found="a number", range="of fewer digits"))
        ) from None
    except RecursionError:
        raise Refused(Problem(name, "", say("plan.too_deep"))) from None


def parse(
    data: Any,
    *,
    name: str = "plan.json",
    methods: Methods,
    check_setting: CheckSetting | None = None,
) -> Plan:
    """Make a plan of its JSON form, with every default filled in.

    Parameters
    ----------
    data : dict
        The plan as the contract writes it.
    name : str
        File name for refusals.
    methods : mapping of method name to its settings with their defaults
        The registry of :mod:`engine.methods`, handed in because it lies above this room.
    check_setting : callable, optional
        Says what is wrong with one setting's value.

    Raises
    ------
    Refused
        With all problems at once, each naming its place and its mend.
    """
    reader = Reader(name)
    if not isinstance(data, Mapping):
        raise Refused(Problem(name, "", say("plan.not_object", found=spelled(data))))
    if data.get("schema") != SCHEMA:
        found = spelled(data["schema"]) if data.get("schema") is not None else "missing"
        problem = Problem(name, "schema", say("plan.schema", found=found, schema=SCHEMA))
        raise Refused(problem)
    top = reader.mapping(data, "", keys.TOP)
    protected = read_protected(reader, top.get("protected"))
    features = None
    if "features" in top:
        features = reader.texts(top["features"], "features")
        if not features:
            reader.problem("features", "plan.empty_list")
    plan = Plan(
        seed=reader.whole(top, "seed", "", keys.DEFAULT_SEED, low=0, high=2**32 - 1),
        case=_case(reader, top.get("case")),
        data=read_data(reader, top.get("data")),
        id=reader.text(top, "id", ""),
        join=read_joins(reader, top.get("join")),
        weight=reader.text(top, "weight", ""),
        outcome=_outcome(reader, top["outcome"], "outcome") if "outcome" in top else None,
        system=_system(reader, top.get("system")),
        features=features,
        protected=protected,
        tolerance=read_tolerance(reader, top.get("tolerance"), [a.name for a in protected]),
        confidence=reader.number(
            top, "confidence", "", keys.DEFAULT_CONFIDENCE, low=0, high=1, open_ends=True,
            range="between 0 and 1",
        ),
        resamples=reader.whole(
            top, "resamples", "", keys.DEFAULT_RESAMPLES, low=1, high=10**6
        ),
        methods=_methods(reader, top.get("methods"), methods, check_setting, protected),
        name=name,
    )  # fmt: skip
    check(reader, plan)
    if reader.problems:
        raise Refused(reader.problems)
    return plan


def _case(reader: Reader, found: Any) -> dict[str, str]:
    data = reader.mapping(found, "case", keys.CASE)
    facts = dict.fromkeys(keys.CASE, "") | {"language": "en"}
    for key in keys.CASE:
        value = data.get(key)
        if isinstance(value, str):
            facts[key] = value
        elif value is not None:
            reader.problem(at("case", key), "plan.not_text", found=spelled(value))
    return facts


def _outcome(reader: Reader, found: Any, place: str) -> Outcome:
    data = reader.mapping(found, place, keys.OUTCOME)
    column = reader.needed_text(data, "column", place, "name the column") if data else ""
    if not data:
        if isinstance(found, Mapping):
            reader.problem(place, "plan.needed", key="column", mend="name the column")
        return Outcome(column="", favourable=())
    favourable: Any = ()
    if "favourable" in data:
        favourable = reader.values_or_rule(data["favourable"], at(place, "favourable"))
    else:
        reader.problem(place, "plan.needed", key="favourable", mend="list the favourable values")
    unfavourable = None
    if "unfavourable" in data:
        unfavourable = reader.values_or_rule(data["unfavourable"], at(place, "unfavourable"))
    return Outcome(column=column, favourable=favourable, unfavourable=unfavourable)


def _system(reader: Reader, found: Any) -> System | None:
    data = reader.mapping(found, "system", keys.SYSTEM)
    if not data:
        return None
    score = reader.mapping(data.get("score"), "system.score", keys.SCORE)
    amount = reader.mapping(data.get("amount"), "system.amount", keys.AMOUNT)
    train = None
    if "train" in data:
        asked = reader.mapping(data["train"], "system.train", keys.TRAIN)
        train = {
            "model": reader.choice(
                asked, "model", "system.train", keys.DEFAULT_MODEL, keys.MODELS
            ),
            "parameters": reader.mapping(
                asked.get("parameters"), "system.train.parameters", None
            ),
        }  # fmt: skip
    model_file = _model_file(reader, data["model_file"]) if "model_file" in data else None
    column = "name the column"
    return System(
        prediction=_outcome(reader, data["prediction"], "system.prediction")
        if "prediction" in data
        else None,
        score_column=reader.needed_text(score, "column", "system.score", column)
        if "score" in data
        else None,
        score_high_is=reader.choice(
            score, "high_is", "system.score", "favourable", ("favourable", "unfavourable")
        ),
        amount_column=reader.needed_text(amount, "column", "system.amount", column)
        if "amount" in data
        else None,
        amount_adverse=reader.choice(amount, "adverse", "system.amount", None, ("high", "low")),
        train=train,
        model_file=model_file,
    )


def _model_file(reader: Reader, found: Any) -> dict[str, Any]:
    """A model file's settings: only what is given, and threshold and direction."""
    place = "system.model_file"
    data = reader.mapping(found, place, keys.MODEL_FILE)
    made = dict(data)
    reader.needed_text(data, "path", place, "name the model's file")
    if "inputs" in data:
        inputs = reader.mapping(data["inputs"], at(place, "inputs"), None)
        for name, columns in inputs.items():
            if isinstance(columns, list):
                reader.texts(columns, at(at(place, "inputs"), name))
            else:
                reader.text(inputs, name, at(place, "inputs"))
        made["inputs"] = inputs
    reader.text(data, "output", place)
    received = read_received(reader, made.pop("received", None), at(place, "received"))
    if received is not None:
        made["received"] = received
    favourable = data.get("favourable")
    if favourable is not None:
        one = favourable[0] if isinstance(favourable, list) and len(favourable) == 1 else favourable
        reader.value(one, at(place, "favourable"))
    made["threshold"] = reader.number(data, "threshold", place, 0.5)
    made["high_is"] = reader.choice(
        data, "high_is", place, "favourable", ("favourable", "unfavourable")
    )
    for key, low, high in (("seconds", 1, 86_400), ("megabytes", 256, 1_048_576)):
        reader.whole(data, key, place, None, low=low, high=high)
    return made


def _methods(
    reader: Reader,
    found: Any,
    methods: Methods,
    check_setting: CheckSetting | None,
    protected: tuple[Any, ...],
) -> dict[str, dict[str, Any]]:
    asked = {} if found is None else found
    if not isinstance(asked, Mapping):
        reader.problem("methods", "plan.not_object", found=spelled(asked))
        return {}
    if not asked:
        reader.problem("methods", "plan.no_methods")
    names = [a.name for a in protected]
    full = {}
    for method, settings in asked.items():
        place = at("methods", method)
        if method not in methods:
            hint = mend(method, methods, otherwise="the methods are")
            reader.problem(place, "plan.unknown_method", name=method, mend=hint)
            continue
        given = reader.mapping(settings, place, methods[method])
        values = {**methods[method], **{k: v for k, v in given.items() if k in methods[method]}}
        if "attribute" in values and names:
            if values["attribute"] is None:
                values["attribute"] = names[0]
            elif isinstance(values["attribute"], str) and values["attribute"] not in names:
                hint = mend(values["attribute"], names, otherwise="the attributes are")
                reader.problem(
                    at(place, "attribute"),
                    "plan.override_unknown",
                    name=values["attribute"],
                    mend=hint,
                )
        if check_setting is not None:
            for key, value in values.items():
                wrong = check_setting(method, key, value)
                if wrong:
                    reader.problem(at(place, key), "plan.setting", text=wrong)
        full[method] = values
    return full
