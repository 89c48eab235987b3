"""The algorithms that can be trained here, one line each. Light: scikit-learn loads at the first build."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Algorithm:
    """An algorithm: its name in words, and how its estimator is built.

    Attributes
    ----------
    title : str
    estimator : str
        The class, as ``sklearn.svm.SVC``.
    given : mapping
        Its parameters beside the seed.
    scaled : bool
        Whether it needs all columns on one scale.
    weighs : bool
        Whether it learns with weights of the people.
    """

    title: str
    estimator: str
    given: Mapping[str, Any] = field(default_factory=dict)
    scaled: bool = False
    weighs: bool = True

    def build(self, seed: int) -> Any:
        """An unfitted estimator; the seed goes to those that draw."""
        module, _, name = self.estimator.rpartition(".")
        made = getattr(importlib.import_module(module), name)
        draws = "random_state" in inspect.signature(made).parameters
        return made(**self.given, **({"random_state": seed} if draws else {}))


MODELS: dict[str, Algorithm] = {
    "logistic_regression": Algorithm("Logistic regression", "sklearn.linear_model.LogisticRegression", {"solver": "newton-cholesky", "max_iter": 300}, scaled=True),
    "random_forest": Algorithm("Random forest", "sklearn.ensemble.RandomForestClassifier"),
    "decision_tree": Algorithm("Decision tree", "sklearn.tree.DecisionTreeClassifier"),
    "svm": Algorithm("Support vector machine", "sklearn.svm.SVC", {"cache_size": 500}, scaled=True),
    "k_nearest": Algorithm("Nearest neighbours", "sklearn.neighbors.KNeighborsClassifier", scaled=True, weighs=False),
    "neural_network": Algorithm("Neural network", "sklearn.neural_network.MLPClassifier", {"max_iter": 300}, scaled=True),
    "gradient_boosting": Algorithm("Gradient boosting", "sklearn.ensemble.HistGradientBoostingClassifier"),
}  # fmt: skip
"""Every stand-in there is; a further one is one line."""
