"""What the paper, its signature and its check say."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "reports.no_glyph": (
        "the character {char!r} ({code}, {name}) cannot be printed with the fonts of this "
        "program; write it another way"
    ),
    "reports.right_to_left": (
        "the character {char!r} ({code}, {name}) belongs to a script that runs from right to "
        "left, which this paper cannot set; give the name in Latin, Greek or Cyrillic letters"
    ),
}

TEXTS |= {
    "reports.unsigned_here": "Unsigned until a signature stands here",
    "reports.code_alt": "QR code for checking this paper. It holds: {payload}",
    "reports.foot_certificate": (
        "No EU declaration of conformity, no ISO/IEC 42001 certificate, no legal finding. Speaks "
        "of the named version and data only. The pages behind this one are part of it."
    ),
    "reports.foot_statement": (
        "No legal finding. Speaks of the named version and data only. The pages behind this one "
        "are part of it."
    ),
    "reports.subtitle_certificate": (
        "for an automated decision system, on the data and within the limits named here"
    ),
    "reports.within": "Within the tolerance",
    "reports.within_values": "Within the tolerance, by values alone",
    "reports.sentence_within": (
        "Every metric, with its whole {confidence} interval, lies within the tolerance, which {seen}."
    ),
    "reports.sentence_values": (
        "Read from values alone, as the procedure was published. The data do not settle {count} of "
        "{total} metrics. The tolerance {seen}."
    ),
    "reports.set_unknown": "was set at a time that was not supplied",
    "reports.set_before": "was set before any metric was computed",
    "reports.set_after_rates": "was set when group rates were visible",
    "reports.set_after_result": "was set when a result was visible",
    "reports.key_in_block": "The signature block below names the key.",
    "reports.check_offline": "FairAssay checks it without a network: File, Verify a certificate.",
}

TEXTS |= {
    "reports.subtitle_statement": (
        "This is not a certificate. It says what was shown, what was ruled out and what is not "
        "settled."
    ),
    "reports.undecided": "Not decided",
    "reports.advice_grant": (
        "No person has decided yet. By its rule the program recommends to grant a certificate."
    ),
    "reports.advice_refuse": (
        "No person has decided yet. By its rule the program recommends to refuse a certificate."
    ),
    "reports.advice_open": (
        "No person has decided yet. By its rule the result is not settled: no certificate can be "
        "granted on it."
    ),
    "reports.outside": "Outside the tolerance",
    "reports.sentence_outside": (
        "The data show unfairness beyond the tolerance. A certificate needs a Fairness Score of "
        "{bound} or above; it is {score}"
    ),
    "reports.not_granted": "Not granted",
    "reports.sentence_not_granted": (
        "The decider did not grant a certificate, for the reasons below. {tally}"
    ),
    "reports.not_settled": "Not settled",
    "reports.sentence_open": (
        "The data neither show unfairness beyond the tolerance nor rule it out."
    ),
    "reports.why_open": "Why it is not settled",
    "reports.why_refused": "Why it is refused",
    "reports.why_advice": "Reasons of the recommendation",
    "reports.settle_title": "What would settle it",
    "reports.rows_left": "The {shown} of {total} metrics that lie farthest from their ideal.",
    "reports.more_reasons": "{count} further reasons stand on the next pages.",
}

TEXTS |= {
    "reports.cannot_grant": (
        "the recommendation is “{advice}”: a certificate cannot be granted above it; decide to "
        "refuse, or leave it not settled, and a statement of findings is printed"
    ),
    "reports.issued_too_early": (
        "the issue date lies before the decision date; give the date on which the paper is issued"
    ),
}
