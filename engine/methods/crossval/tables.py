"""The tables of the cross-validated tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

FOLD_COLUMNS = ("model", "attribute", "group", "fold", "tp", "fp", "fn", "tn")
"""Fixed by the contract, so not in words."""
WORDS = {
    "TPR": "True positive rate",
    "FPR": "False positive rate",
    "FN_FP": "False negatives over false positives",
    "FN_share": "False negatives' share of errors",
}


def tables_of(
    result: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]
) -> dict[str, pd.DataFrame]:
    """``folds``: counts of every fold; ``fold_tests``, ``pooled_tests``, ``folds_advised``,
    and with several outcomes ``confusion``."""
    tests, pooled, advised, confusion = [], [], [], []
    for name, attribute in result["attributes"].items():
        for model in attribute["models"].values():
            parts = {"": model, **model.get("classes", {})}
            for label, one in parts.items():
                head = {"Algorithm": model["title"], "Attribute": name}
                if result["labels"] is not None:
                    head["Class"] = label or "favourable"
                for metric in ("TPR", "FPR", "FN_FP"):
                    for test in one[metric]["tests"].values():
                        tests.append(
                            {
                                **head,
                                "Value": WORDS[metric],
                                "Test": test["test"],
                                "As published": "yes"
                                if test["test"] == one[metric]["test"]
                                else "no",
                                "Statistic": test["statistic"],
                                "p": test["p"],
                                "p after Holm": one[metric]["p_adjusted_all"]
                                if test["test"] == one[metric]["test"]
                                else None,
                                "Reason": test["reason"],
                            }
                        )
                for metric, m in one["pooled"].items():
                    pooled.append(
                        {
                            **head,
                            "Value": WORDS[metric],
                            "Privileged less unprivileged": m["value"],
                            "Interval from": m["low"],
                            "Interval to": m["high"],
                            "People, privileged": m["n"]["privileged"],
                            "People, unprivileged": m["n"]["unprivileged"],
                            "Test": m["test"],
                            "p": m["p"],
                            "p after Holm": m["careful_p_adjusted"],
                            "p of equivalence": m["equivalence_p"],
                            "p of equivalence after Holm": m["equivalence_p_adjusted"],
                            "Smallest difference that would show": m["smallest_gap_adjusted"],
                            "Answer": m["answer"],
                            "Reason": m["reason"],
                        }
                    )
            for group, matrix in model.get("confusion", {}).items():
                for recorded, line in zip(result["labels"], matrix, strict=True):
                    for decided, people in zip(result["labels"], line, strict=True):
                        confusion.append(
                            {
                                "Algorithm": model["title"],
                                "Attribute": name,
                                "Group": attribute["groups"][group]["words"],
                                "Recorded": recorded,
                                "Decided": decided,
                                "People": people,
                            }
                        )
        for row in attribute["advice"]["table"]:
            for group, n in row["groups"].items():
                advised.append(
                    {
                        "Attribute": name,
                        "Folds": row["k"],
                        "Group": attribute["groups"][group]["words"],
                        "Favourable in a fold, fewest": n["positives"],
                        "Unfavourable in a fold, fewest": n["negatives"],
                        "Enough in every group": "yes" if row["enough"] else "no",
                        "Advised": "yes" if row["k"] == attribute["advice"]["advised"] else "no",
                    }
                )
    more = {"confusion": pd.DataFrame(confusion)} if confusion else {}
    return {
        **more,
        "folds": pd.DataFrame(list(rows), columns=list(FOLD_COLUMNS)),
        "fold_tests": pd.DataFrame(tests),
        "pooled_tests": pd.DataFrame(pooled),
        "folds_advised": pd.DataFrame(advised),
    }
