"""The names that a plan may use, and their defaults (the contract's plan)."""

from __future__ import annotations

DEFAULT_SEED = 20261129
DEFAULT_CONFIDENCE = 0.95
DEFAULT_RESAMPLES = 1000

TOP = (
    "schema", "seed", "case", "data", "id", "join", "weight", "outcome", "system", "features",
    "protected", "tolerance", "confidence", "resamples", "methods",
)  # fmt: skip
CASE = (
    "reference", "system", "version", "provider", "provider_address", "client", "client_address",
    "purpose", "decision_kind", "organisation", "organisation_address", "accreditation",
    "evaluator", "reviewer", "decider", "scheme", "scheme_date", "scope", "out_of_scope",
    "audit_period", "data_dates", "data_kind_reason", "independence", "conditions", "complaints",
    "status_contact", "language",
)  # fmt: skip
"""The facts of a case. The case file's state knows the same ones; a test holds them together."""
DATA = ("training", "test", "all")
SOURCE = (
    "path", "format", "sheet", "delimiter", "encoding", "decimal", "header", "columns",
    "skip_lines", "missing", "types", "rows", "received",
)  # fmt: skip
TYPES = ("text", "number", "date", "date, day first", "date, month first")
"""How a plan may say that a column is read."""
RECEIVED = ("from", "when", "how")
SPLIT = ("test_share", "stratify")
JOIN = (*SOURCE, "on")
ROWS = ("column", "keep")
OUTCOME = ("column", "favourable", "unfavourable")
SYSTEM = ("prediction", "score", "amount", "train", "model_file")
SCORE = ("column", "high_is")
AMOUNT = ("column", "adverse")
TRAIN = ("model", "parameters")
MODEL_FILE = (
    "path",
    "inputs",
    "output",
    "threshold",
    "favourable",
    "high_is",
    "seconds",
    "megabytes",
    "received",
)
PROTECTED = ("name", "column", "privileged", "unprivileged", "left_out", "membership", "labels")
TOLERANCE = ("rule", "difference", "ratio", "bias_index", "fairness_score", "overrides")
METRICS = ("SPD", "DI", "EOD", "EMOD", "AOD")
OVERRIDE = ("difference", "ratio", "bias_index", *METRICS)
RULES = ("at_least", "below", "between")

MODELS = (
    "logistic_regression", "random_forest", "decision_tree", "svm", "k_nearest",
    "neural_network", "gradient_boosting",
)  # fmt: skip
"""The stand-ins that can be trained here."""
DEFAULT_MODEL = "random_forest"
