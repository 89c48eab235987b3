"""Odd names, few people, uneven folds, forged pieces, and how much of it all is printed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from crossval_people import audited, cohort_of, simulated

from engine.base.kept import KeptFile
from engine.base.problems import Refused
from engine.base.watch import Watch
from engine.cohort.model import Cohort
from engine.methods.crossval import fitting, kept
from engine.methods.crossval.findings import sections
from engine.methods.crossval.folds import strata_of
from engine.methods.crossval.people import people_of
from engine.methods.crossval.settings import METHOD
from tests.engine import helpers

TREE = ["decision_tree"]


def of_several(n: int, names: list[str], *, groups: int = 2, seed: int = 1) -> Cohort:
    """People with several attributes of as many groups each, and an outcome by chance."""
    rng = np.random.default_rng(seed)
    keys = [f"{chr(97 + g)}=1 × z" for g in range(groups)]
    attributes = [helpers.attribute(name, *keys) for name in names]
    frame = pd.DataFrame(rng.normal(size=(n, 2)), columns=["x0", "x1"])
    return cohort_of(
        frame, attributes, {name: rng.choice(keys, n) for name in names},
        rng.integers(0, 2, n), features=["x0", "x1"],
    )  # fmt: skip


@pytest.mark.parametrize("names", [["sex=a", "age × k"], ["a", "b", "a × b"]])
def test_names_that_look_like_crossings_are_crossed_all_the_same(names: list[str]) -> None:
    people = of_several(240, names)
    result = audited(people, models=TREE, k=3, crossed=names[:2]).result
    crossed = result["order"]["attributes"][-1]
    assert crossed not in names
    whole = people.whole
    assert whole is not None
    first, second = (whole.codes[name] for name in names[:2])
    sizes = [g["people"] for g in result["attributes"][crossed]["groups"].values()]
    right = np.histogram2d(first, second, bins=2)[0].ravel()
    assert sorted(sizes) == sorted(right) and sum(sizes) == 240
    words = [g["words"] for g in result["attributes"][crossed]["groups"].values()]
    assert len(set(words)) == 4 and all(names[0] in w and names[1] in w for w in words)


def test_there_are_no_more_folds_than_people_and_chance_is_not_called_stratified() -> None:
    few = simulated(12, minority=0.5, seed=3)
    result = audited(few, models=TREE, k=20).result
    assert result["k"] == 12 and not result["stratified"]
    fold_rows = {row for one in result["fits"].values() for row in [len(one)]}
    assert fold_rows == {12}
    assert audited(simulated(200, minority=0.4, seed=3), models=TREE, k=5).result["stratified"]


def test_a_single_known_person_is_told_of() -> None:
    one = cohort_of(
        pd.DataFrame({"x": [1.0, 2.0]}), [helpers.attribute("g", "a", "b")], {"g": ["a", "b"]},
        [1, None], features=["x"],
    )  # fmt: skip
    with pytest.raises(Refused, match="there is 1"):
        audited(one, models=TREE)


def test_failed_folds_are_named_by_their_number() -> None:
    n = 40
    y = np.ones(n, int)
    y[7] = 0
    frame = pd.DataFrame({"x": np.arange(n, dtype=float)})
    people = cohort_of(
        frame, [helpers.attribute("g", "a", "b")], {"g": np.array(["a", "b"] * (n // 2))}, y,
        features=["x"],
    )  # fmt: skip
    done = audited(people, models=TREE, k=4)
    (failed,) = done.result["failed"]
    (number,) = failed["folds"]
    assert f"no decisions in fold {number}:" in done.warnings[0]["text"]


def test_numbers_too_large_to_learn_from_are_told_in_words() -> None:
    people = simulated(80, minority=0.4, seed=2)
    whole = people.whole
    assert whole is not None
    whole.frame["x0"] = whole.frame["x0"] * 1e300
    for model in ("logistic_regression", "decision_tree"):
        (failed,) = audited(people, models=[model], k=3).result["failed"]
        assert "too large" in failed["why"] and "NaN" not in failed["why"]


def test_folds_that_hold_fewer_than_the_advice_says_are_told() -> None:
    """With many attributes dealt together a fold can hold fewer than an even deal would."""
    people = of_several(400, ["a", "b", "c", "d"], groups=3, seed=5)
    plan = helpers.plan(people.attributes, resamples=100)
    told = 0
    for k in (9, 10, 11):
        done = audited(people, plan, k=k, models=TREE, more_attributes=["b", "c", "d"])
        for name, one in done.result["attributes"].items():
            least = one["smallest_fold"]["people"]
            rows = done.tables["folds"].query("attribute == @name")
            held = np.column_stack([rows["tp"] + rows["fn"], rows["fp"] + rows["tn"]])
            assert least == held.min()
            best = one["advice"]["advised"]
            short = best is not None and k <= best and 0 < least < 5
            texts = [
                w["text"]
                for w in done.warnings
                if w["code"] == "crossval.short" and w["where"] == name
            ]
            assert bool(texts) == short
            assert all(f"has {least} people" in text for text in texts)
            told += short
    assert told


def test_all_folds_of_the_first_attribute_are_even() -> None:
    people = of_several(400, ["a", "b"], groups=3, seed=6)
    made = people_of(
        cohort=people, plan=helpers.plan(people.attributes),
        settings={**METHOD.defaults(), "more_attributes": ["b"]},
    )  # fmt: skip
    assert len(np.unique(strata_of(made))) == 18
    one = audited(people, models=TREE, k=8, more_attributes=["b"]).result["attributes"]["a"]
    row = next(r for r in one["advice"]["table"] if r["k"] == 8)
    even = min(min(g.values()) for g in row["groups"].values())
    assert even - one["smallest_fold"]["people"] in (0, 1)


FORGED: dict[str, Callable[[], bytes]] = {
    "endless rounds": lambda: b'{"reason": "", "rounds": Infinity, "words": []}\n',
    "deep": lambda: b"[" * 100_000 + b"\n",
    "a list": lambda: b"[1]\n",
    "words of nothing": lambda: b'{"reason": "", "rounds": 0, "words": 3}\n',
}


@pytest.mark.parametrize("how", FORGED)
def test_forged_pieces_cost_the_kept_fits_alone(tmp_path: Path, how: str) -> None:
    people = simulated(90, minority=0.4, seed=6)
    keep = KeptFile(tmp_path / "kept")
    fitting.forget()
    right = audited(people, models=TREE, k=3, watch=Watch(keep=keep))
    import sqlite3

    with sqlite3.connect(keep.path) as db:
        keys = [k for (k,) in db.execute("SELECT key FROM kept WHERE key LIKE 'fit %'")]
    db.close()
    for key in keys:
        keep.put(key, FORGED[how]())
    fitting.forget()
    assert audited(people, models=TREE, k=3, watch=Watch(keep=keep)).result == right.result


@pytest.mark.parametrize(
    "note",
    [
        b'{"grid": {"a": "+"}, "done": Infinity, "total": 3}',
        b'{"grid": {"a": "+"}, "done": 9, "total": 3}',
        b'{"grid": [1], "done": 1, "total": 3}',
        b'{"grid": {"svm": "?!"}, "done": 1, "total": 3}',
        b"[" * 100_000,
        b"\xff\xfe",
    ],
)
def test_a_forged_note_is_no_progress(tmp_path: Path, note: bytes) -> None:
    keep = KeptFile(tmp_path / "kept")
    keep.put(kept.NOTE, note)
    assert kept.noted(keep) is None


def test_a_forged_stamp_and_a_closed_folder_are_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = KeptFile(tmp_path / "kept", "one")
    keep.put("stamp", b"\xff")
    assert keep.stamped() == "one" or keep.stamped() is not None

    def closed(self: Path) -> bool:
        raise PermissionError("closed")

    monkeypatch.setattr(Path, "is_file", closed)
    assert keep.get("a") is None and keep.stamped() is None


def test_of_many_attributes_no_long_fold_tables_are_printed() -> None:
    people = of_several(300, ["a", "b", "c"])
    done = audited(
        people, models=["decision_tree", "logistic_regression"], k=4, more_attributes=["b", "c"]
    )
    plan = helpers.plan(people.attributes, resamples=200)
    made = sections(result=json.loads(json.dumps(done.result)), plan=plan)
    tables = [t for s in made for t in s.tables]
    tests = [t for t in tables if t.title.startswith("Tests fold by fold")]
    assert [len(t.rows) for t in tests] == [6, 6, 6]
    assert all("fold_tests.csv" in " ".join(t.notes) for t in tests)
    # every p of the run's table stands in a row of the paper
    p_values = done.tables["fold_tests"]
    assert {"p, paired", "p, paired Nadeau and Bengio", "p, equivalence"} <= set(tests[0].columns)
    assert len(p_values) == 3 * 2 * 3 * 5
    published = next(s for s in made if s.title == "As published")
    assert "folds.csv" in " ".join(published.paragraphs)
    assert published.charts == ("crossval_published", "crossval_folds_tpr", "crossval_folds_fpr")
    ks = [t for t in tables if t.title.startswith("People in a fold")]
    for table, one in zip(ks, done.result["attributes"].values(), strict=True):
        shown = {int(row[0]) for row in table.rows}
        best = one["advice"]["advised"]
        assert {2, 4, 5, 10, 15, 20} <= shown and (best is None or best in shown)
        assert "folds_advised.csv" in " ".join(table.notes)


def test_of_many_crossings_the_largest_are_printed_and_the_rest_is_named() -> None:
    """27 crossings with five outcomes each: all in the tables, the paper names them."""
    people = of_several(1500, ["a", "b", "c"], groups=3, seed=4)
    done = audited(people, models=TREE, k=4, crossed=["a", "b", "c"])
    plan = helpers.plan(people.attributes, resamples=200)
    made = sections(result=json.loads(json.dumps(done.result)), plan=plan)
    tables = [t for s in made for t in s.tables]
    rates = [t for t in tables if t.title == "Rates by group"]
    assert [len(t.rows) for t in rates] == [3, 8]
    assert "8 of 27 groups" in rates[1].notes[0] and "folds.csv" in rates[1].notes[0]
    assert not rates[0].notes
    crossed = list(done.result["attributes"].values())[-1]
    assert len(done.tables["folds"].query("attribute == 'a × b × c'")["group"].unique()) == 27
    sizes = {g["words"]: g["people"] for g in crossed["groups"].values()}
    told = {row[1] for row in rates[1].rows}
    privileged = crossed["groups"][crossed["privileged"]]["words"]
    least = min(sizes[w] for w in told if w != privileged)
    assert privileged in told and all(n <= least for w, n in sizes.items() if w not in told)
    folds = next(t for t in tables if t.title == "People in a fold: a × b × c")
    assert len(folds.columns) == 10 and any("7 smallest of 27" in note for note in folds.notes)
    assert min(sizes, key=lambda w: sizes[w]) in folds.columns


@pytest.mark.parametrize(
    ("asked", "careful"),
    [
        ({}, ""),
        ({"question": "the algorithm"}, "paired t, Nadeau and Bengio"),
        ({"scheme": "model per group"}, "independent t, Nadeau and Bengio"),
    ],
)
def test_a_test_that_has_a_say_is_not_said_to_decide_nothing(
    asked: dict[str, str], careful: str
) -> None:
    people = simulated(300, minority=0.4, seed=8, gap=1.0)
    done = audited(people, models=TREE, k=5, **asked)
    model = done.result["models"]["decision_tree"]
    plan = helpers.plan(people.attributes, resamples=200)
    made = sections(result=done.result, plan=plan)
    (told,) = [p for s in made for p in s.paragraphs if p.startswith("Holm")]
    for metric in ("TPR", "FPR"):
        pooled = model["pooled"][metric]
        folds = [t["p"] for t in model[metric]["tests"].values() if t["test"] == careful]
        assert pooled["careful_p"] == max([pooled["p"], *folds])
    assert (f"({careful})" in told) == bool(careful)
    assert ("Further tests" in told) != bool(careful)
