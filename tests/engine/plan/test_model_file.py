"""A plan's model file: every key is read, every mistake is refused with its place."""

from __future__ import annotations

from typing import Any

import pytest

from engine.base.problems import Refused
from engine.plan.form import to_dict
from engine.plan.model import SCHEMA, Plan
from engine.plan.parse import parse


def _plan(**model_file: Any) -> Plan:
    return parse(
        {
            "schema": SCHEMA,
            "data": {"test": {"path": "people.csv"}},
            "outcome": {"column": "approved", "favourable": [1]},
            "system": {"model_file": {"path": "model.onnx", **model_file}},
            "protected": [{"column": "sex", "privileged": ["M"]}],
            "methods": {"certification": {}},
        },
        methods={"certification": {}},
    )


def test_every_key_is_taken_and_the_defaults_are_filled_in() -> None:
    plain = _plan()
    assert plain.system is not None
    assert plain.system.model_file == {"path": "model.onnx", "threshold": 0.5, "high_is": "favourable"}  # fmt: skip
    given: dict[str, Any] = {
        "inputs": {"x": ["age", "income"], "town": "town"},
        "output": "score",
        "threshold": 0.25,
        "favourable": ["good"],
        "high_is": "unfavourable",
        "seconds": 60,
        "megabytes": 2048,
    }
    full = _plan(**given)
    assert full.system is not None
    assert full.system.model_file == {"path": "model.onnx", **given}
    assert to_dict(full)["system"]["model_file"] == {"path": "model.onnx", **given}


@pytest.mark.parametrize(
    ("wrong", "line"),
    [
        ({"treshold": 0.5}, 'system.model_file.treshold: the key "treshold" is not known; did you mean "threshold"'),
        ({"threshold": "0.5"}, "system.model_file.threshold: a number is needed"),
        ({"threshold": True}, "system.model_file.threshold: a number is needed"),
        ({"high_is": "good"}, "system.model_file.high_is"),
        ({"inputs": "age"}, "system.model_file.inputs: an object"),
        ({"inputs": {"x": 3}}, "system.model_file.inputs.x: a text"),
        ({"inputs": {"x": ["age", 3]}}, "system.model_file.inputs.x[1]: a text"),
        ({"output": 1}, "system.model_file.output: a text"),
        ({"favourable": {"at_least": 3}}, "system.model_file.favourable"),
        ({"seconds": 0}, "system.model_file.seconds: 0 is out of range"),
        ({"megabytes": "many"}, "system.model_file.megabytes: a whole number"),
        ({"path": 5}, "system.model_file.path: a text"),
    ],
)  # fmt: skip
def test_a_wrong_key_is_refused_with_its_place(wrong: dict[str, Any], line: str) -> None:
    with pytest.raises(Refused) as caught:
        _plan(**wrong)
    assert any(line in str(problem) for problem in caught.value.problems), caught.value.problems
