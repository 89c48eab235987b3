"""DoWhy's side of the benchmark of counterfactuals, run by an interpreter that has DoWhy.

``python dowhy_peer.py FOLDER DRAWS`` reads ``people.npz`` and ``edges.json``, fits straight lines
(and a classifier for a column of 0 and 1), asks what would have been with the first column flipped,
and writes ``answers.npz`` (each person's mean of the last column over the draws) and ``told.json``.
DoWhy has no posterior draws of its own: where a column is yes or no, what the answers allow is
drawn here and handed over, and only DoWhy's own call is timed. Nothing of this program is imported.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import dowhy
import networkx as nx
import numpy as np
import pandas as pd
from dowhy import gcm

gcm.config.disable_progress_bars()
WORDS = {0.0: "no", 1.0: "yes"}
AT_ONCE = 20
"""Draws that are handed over in one call: columns of words take much memory."""


def fitted(table: pd.DataFrame, edges: list[list[str]], choices: list[str]) -> Any:
    """The model of the graph, fitted."""
    kind = gcm.ProbabilisticCausalModel if choices else gcm.InvertibleStructuralCausalModel
    model = kind(nx.DiGraph([tuple(edge) for edge in edges]))
    model.set_causal_mechanism(table.columns[0], gcm.EmpiricalDistribution())
    for node in table.columns[1:]:
        if node in choices:
            mechanism = gcm.ClassifierFCM(gcm.ml.create_logistic_regression_classifier(C=1e6))
        else:
            mechanism = gcm.AdditiveNoiseModel(gcm.ml.create_linear_regressor())
        model.set_causal_mechanism(node, mechanism)
    gcm.fit(model, table)
    return model


def noise_of(model: Any, table: pd.DataFrame, choices: list[str], rng: Any) -> pd.DataFrame:
    """The noise that each person's values allow; drawn where it cannot be read off."""
    found = {}
    for node in table.columns:
        if node == table.columns[0]:
            found[node] = table[node].to_numpy()
            continue
        causes = table[sorted(model.graph.predecessors(node))].to_numpy()
        mechanism = model.causal_mechanism(node)
        if node in choices:
            chance = mechanism.estimate_probabilities(causes)[:, 0]
            drawn = rng.random(len(table))
            no = (table[node] == "no").to_numpy()
            found[node] = np.where(no, drawn * chance, chance + drawn * (1 - chance))
        else:
            found[node] = mechanism.estimate_noise(table[node].to_numpy(), causes).reshape(-1)
    return pd.DataFrame(found)


def main(folder: Path, draws: int) -> None:
    """Fit, ask and write."""
    table = pd.DataFrame(dict(np.load(folder / "people.npz")))
    edges = json.loads((folder / "edges.json").read_text())
    flip = {table.columns[0]: lambda a: 1 - a}
    choices = [c for c in table.columns[1:] if set(table[c].unique()) <= set(WORDS)]
    seconds = 0.0
    if choices:
        table = table.assign(**{c: table[c].map(WORDS) for c in choices})
        model, rng = fitted(table, edges, choices), np.random.default_rng(3)
        total = np.zeros(len(table))
        for begin in range(0, draws, AT_ONCE):
            parts = min(AT_ONCE, draws - begin)
            handed = [noise_of(model, table, choices, rng) for _ in range(parts)]
            noise = pd.concat(handed, ignore_index=True)
            start = time.process_time()
            found = gcm.counterfactual_samples(model, flip, noise_data=noise)
            seconds += time.process_time() - start
            last = found[table.columns[-1]].to_numpy(dtype=float)
            total += last.reshape(parts, len(table)).sum(axis=0)
        answers = total / draws
    else:
        model = fitted(table, edges, choices)
        rows = pd.concat([table] * max(1, draws), ignore_index=True)
        taken = []
        for _ in range(3 if draws <= 1 else 1):
            start = time.process_time()
            found = gcm.counterfactual_samples(model, flip, observed_data=rows)
            taken.append(time.process_time() - start)
        seconds = min(taken)
        answers = found[table.columns[-1]].to_numpy()[: len(table)]
    np.savez(folder / "answers.npz", last=answers)
    told = {"dowhy": dowhy.__version__, "seconds": seconds}
    (folder / "told.json").write_text(json.dumps(told))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
