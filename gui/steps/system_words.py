"""The system of a plan in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .audit_texts import text

MODELS: tuple[tuple[str, str], ...] = (
    ("random_forest", "Random forest"),
    ("logistic_regression", "Logistic regression"),
    ("decision_tree", "Decision tree"),
    ("gradient_boosting", "Gradient boosting"),
    ("svm", "Support vector machine"),
    ("k_nearest", "Nearest neighbours"),
    ("neural_network", "Neural network"),
)
"""The stand-ins with their names as :data:`engine.models.standin.MODELS` gives them, which loads
scikit-learn; a test holds the two together."""


def kind_of(plan: Mapping[str, Any]) -> str:
    """``unset``, ``none``, ``train``, ``model_file`` or ``columns``."""
    if "system" not in plan:
        return "unset"
    system = plan["system"] or {}
    for kind in ("train", "model_file"):
        if system.get(kind) is not None:
            return kind
    return "columns" if system else "none"


def system_words(plan: Mapping[str, Any]) -> str:
    """Where the decisions come from, in a few words."""
    kind = kind_of(plan)
    if kind == "train":
        model = plan["system"]["train"].get("model") or "random_forest"
        return text("system.now.train", model=dict(MODELS)[model].lower())
    return text(f"system.now.{kind}")
