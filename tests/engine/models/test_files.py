"""Model files: ONNX written by hand, skops from scikit-learn, and what must be refused."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import skops.io
from scipy.special import expit
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder

from engine.base.problems import Cancelled, Refused
from engine.base.watch import Watch
from engine.models.child import pack, unpack
from engine.models.files import Limits, inspect, load

from . import onnx_bytes

PEOPLE = pd.DataFrame(
    {
        "age": pd.array([30, 41, None, 25], dtype="Int64"),
        "income": [1.0, -0.5, 0.25, 2.0],
        "town": pd.Categorical(["x", "y", None, "x"]),
    }
)


@pytest.fixture
def onnx(tmp_path: Path) -> Path:
    path = tmp_path / "model.onnx"
    path.write_bytes(onnx_bytes.logistic([0.1, -2.0], -3.0))
    return path


def test_onnx_says_what_it_takes(onnx: Path) -> None:
    found = inspect(onnx)
    assert found.kind == "onnx"
    (port,) = found.inputs
    assert (port.name, port.shape, port.width) == ("x", (None, 2), 2)
    assert [o.name for o in found.outputs] == ["score"]


def test_onnx_decides_as_its_formula(onnx: Path) -> None:
    model = load(path=onnx, inputs={"x": ["age", "income"]}, threshold=0.4)
    score, decision = model.both(PEOPLE)
    right = expit(np.array([3.0 - 2, 4.1 + 1, np.nan, 2.5 - 4]) - 3)
    np.testing.assert_allclose(score, right, atol=1e-6)
    assert decision.tolist() == [0, 1, -1, 0]
    assert model.columns == ("age", "income")


def test_onnx_with_a_fixed_number_of_rows(tmp_path: Path) -> None:
    path = tmp_path / "three.onnx"
    path.write_bytes(onnx_bytes.logistic([1.0], 0.0, rows=3))
    frame = pd.DataFrame({"x": np.arange(7.0)})
    score = load(path=path, columns=["x"]).score(frame)
    np.testing.assert_allclose(score, expit(np.arange(7.0)), atol=1e-6)


def test_onnx_with_two_shares_takes_the_named_class(tmp_path: Path) -> None:
    path = tmp_path / "shares.onnx"
    path.write_bytes(onnx_bytes.two_shares())
    frame = pd.DataFrame({"a": [0.0, 1.0], "b": [1.0, 0.0]})
    second = load(path=path, columns=["a", "b"]).score(frame)
    first = load(path=path, columns=["a", "b"], favourable="0").score(frame)
    np.testing.assert_allclose(second, expit([1.0, -1.0]), atol=1e-6)
    np.testing.assert_allclose(first, 1 - second, atol=1e-6)


def test_high_may_be_unfavourable(onnx: Path) -> None:
    model = load(path=onnx, inputs={"x": ["age", "income"]}, high_is="unfavourable")
    score, decision = model.both(PEOPLE)
    assert decision.tolist() == [1, 0, -1, 1]
    assert score[1] < score[0]


def test_skops_with_texts_and_blanks(tmp_path: Path) -> None:
    table = pd.DataFrame({"town": ["x", "y", "x", "z"] * 10, "income": np.arange(40.0)})
    y = np.array(["good", "bad", "good", "bad"] * 10)
    model = make_pipeline(
        make_column_transformer(
            (OneHotEncoder(handle_unknown="ignore"), ["town"]), remainder="passthrough"
        ),
        RandomForestClassifier(10, random_state=0),
    ).fit(table, y)
    path = tmp_path / "model.skops"
    skops.io.dump(model, path)
    assert [p.name for p in inspect(path).inputs] == ["town", "income"]
    loaded = load(path=path, columns=list(PEOPLE), favourable="good")
    right = model.predict_proba(
        pd.DataFrame({"town": ["x", "y", None, "x"], "income": PEOPLE["income"]})
    )[:, 1]
    np.testing.assert_allclose(loaded.score(PEOPLE), right, atol=1e-12)


def test_skops_without_names_takes_columns_in_order(tmp_path: Path) -> None:
    x = np.random.default_rng(0).normal(size=(50, 2))
    model = LogisticRegression().fit(x, (x[:, 0] > 0).astype(int))
    path = tmp_path / "plain.skops"
    skops.io.dump(model, path)
    frame = pd.DataFrame({"p": x[:, 0], "q": x[:, 1]})
    loaded = load(path=path, inputs={"X": ["p", "q"]}, columns=["p", "q"])
    np.testing.assert_allclose(loaded.score(frame), model.predict_proba(x)[:, 1], atol=1e-12)
    assert (loaded.decide(frame) == model.predict(x)).all()


def test_skops_with_an_unknown_part_is_refused_by_name(tmp_path: Path) -> None:
    class Hidden:
        pass

    model = FunctionTransformer(func=np.testing.assert_allclose).fit(np.zeros((2, 1)))
    path = tmp_path / "odd.skops"
    skops.io.dump(model, path)
    with pytest.raises(Refused, match=r"odd\.skops: .*numpy\.testing.*assert_allclose.*ONNX"):
        inspect(path)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("m.pkl", b"\x80\x04\x95abc", "pickle or joblib.*skops.io.dump"),
        ("m.onnx", b"\x80\x04\x95abc", "pickle"),
        ("m.joblib", b"x\x9c123", "pickle"),
        ("m.onnx", b"", "is empty"),
        ("m.onnx", b"\x08\x08rubbish", "cannot be read as ONNX"),
        ("m.skops", b"PK\x03\x04rubbish", "cannot be read as skops"),
        ("m.txt", b"hello", "neither an ONNX nor a skops"),
    ],
)
def test_refused_with_the_reason(tmp_path: Path, name: str, content: bytes, words: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(Refused, match=words):
        inspect(path)
    with pytest.raises(Refused, match="no file"):
        inspect(tmp_path / "gone.onnx")


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({}, 'needs the input "x"'),
        ({"inputs": {"y": "age"}}, 'no input "y".*inputs are x'),
        ({"inputs": {"x": "age"}}, "takes 2 columns, and 1"),
        ({"inputs": {"x": ["age", "incme"]}}, 'no column "incme"; did you mean "income"'),
        ({"inputs": {"x": ["age", "income"]}, "output": "scor"}, 'did you mean "score"'),
        ({"inputs": {"x": ["age", "income"]}, "threshold": float("nan")}, "must be a number"),
    ],
)
def test_matching_is_checked(onnx: Path, asked: dict, words: str) -> None:
    with pytest.raises(Refused, match=words):
        load(path=onnx, columns=list(PEOPLE), **asked)


def test_text_for_a_number_is_refused(onnx: Path) -> None:
    model = load(path=onnx, inputs={"x": ["age", "town"]})
    with pytest.raises(Refused, match='takes numbers, and column "town" holds text such as "x"'):
        model.score(PEOPLE)


def test_limits_hold(onnx: Path) -> None:
    asked = {"path": onnx, "inputs": {"x": ["age", "income"]}}
    with pytest.raises(Refused, match="more than 90 MB"):
        load(**asked, limits=Limits(megabytes=90))
    with pytest.raises(Refused, match="within 0 seconds"):
        load(**asked, limits=Limits(seconds=0))
    stop = threading.Event()
    stop.set()
    start = time.monotonic()
    with pytest.raises(Cancelled):
        load(**asked, watch=Watch(stop=stop))
    assert time.monotonic() - start < 5


def test_the_child_may_not_write_or_call_out(tmp_path: Path) -> None:
    import subprocess
    import sys

    code = (
        "import sys, socket, subprocess; from engine.models.child import _limit; _limit(4096, 20)\n"
        "for act in (lambda: open(sys.argv[1], 'w'), lambda: subprocess.run(['true']),\n"
        "            lambda: socket.create_connection(('127.0.0.1', 9))):\n"
        "    try: act()\n"
        "    except PermissionError as e: print('refused')\n"
    )
    target = tmp_path / "written"
    done = subprocess.run(
        [sys.executable, "-c", code, str(target)], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["refused"] * 3
    assert not target.exists()


def test_messages_come_apart_as_they_were_put_together() -> None:
    head, blocks = unpack(pack({"task": "run"}, [b"", b"abc"]))
    assert (head, blocks) == ({"task": "run"}, [b"", b"abc"])
    with pytest.raises(ValueError, match="cut"):
        unpack(pack({}, [b"abc"])[:-1])
