"""Sentences of the vocabulary: why a number has no value."""

TEXTS = {
    "fairness.nobody": "Cannot be computed: {group} has 0 people with a known outcome.",
    "fairness.outcomes_unknown": (
        "Cannot be computed: {group} has 0 people with a known outcome; the outcomes of all {n} are unknown."
    ),
    "fairness.nobody_decided": (
        "Cannot be computed: {group} has 0 people with a known outcome and a known decision."
    ),
    "fairness.none_with": "Cannot be computed: {group} has 0 people with {outcome}.",
    "fairness.ratio_to_zero": (
        "Cannot be computed: {group} has 0 people with {outcome}, of {n}, and a ratio to 0 has no value."
    ),
    "fairness.no_pooled_variance": (
        "Cannot be tested: all {n} people of both groups have the same outcome."
    ),
    "fairness.undefined_resamples": "No interval: {share} of the resamples have no value.",
    "fairness.some_undefined_resamples": (
        "The interval leaves out {share} of the resamples, which have no value."
    ),
    "fairness.no_corner": "Cannot be computed: {group} has 0 people in every way of reading the blanks.",
    "fairness.no_upper_end": (
        "There is no upper end: {group} may have 0 people with a favourable outcome, and a ratio to 0 has no value."
    ),
}
