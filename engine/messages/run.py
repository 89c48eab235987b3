"""What a run says on its way, about the twelve steps, and about the folder it writes."""

TEXTS = {
    "run.no_method_column": 'the data have no column "{column}"; {mend}',
    "run.not_applicable": ("{title} needs decisions, and there are none. It did not run."),
    "run.favourable_sounds_bad": (
        'The plan takes "{value}" of "{column}" as favourable to a person. "{other}" is more usual. '
        "Check that the two are not exchanged."
    ),
    "run.rerun_no_result": "the case holds no result yet; run the audit first",
    "run.rerun_no_evidence": (
        "the case does not hold this file as the result read it; ask for the case as it was when "
        "the certificate was issued"
    ),
    "run.rerun_not_result": "the result is none of FairAssay; ask for the case again",
    "run.rerun_unpacking": "Unpacking {name}",
    "run.rerun_identical": (
        "All {figures} figures are the same: computed again from the case's evidence, result.json "
        "is the same byte for byte (SHA-256 {sha})."
    ),
    "run.rerun_same": "All {figures} figures are the same, computed again from the case's evidence.",
    "run.rerun_differs": "{n} of {figures} figures are NOT the same, computed again:",
    "run.rerun_figure": "{place}: {then} then, {now} now.",
    "run.rerun_more": "And {n} more.",
    "run.rerun_rounded": (
        "{n} of them differ by less than a billionth, as rounding on another machine does."
    ),
    "run.rerun_plan": "The fingerprint of the plan differs: this program fills in other defaults.",
    "run.rerun_version": "Computed with {name} {then} then, {now} now.",
    "run.rerun_other": (
        "The result compared is the one that the certificate carries; the case itself holds "
        "another."
    ),
    "run.rerun_edited": (
        "The case file itself was changed outside FairAssay or is damaged, in {n} places: {first} "
        "Ask for the case as it was when the certificate was issued."
    ),
    "run.out_is_file": "this is a file; give a folder to write into",
    "run.out_full": "the disk is full, so nothing was written and the folder is as it was; free some space and run it again",
    "run.out_unwritable": "this folder cannot be written; choose another",
    "run.step_1": "Protected attributes",
    "run.step_2": "Groups compared",
    "run.step_3": "Tolerance",
    "run.step_4": "Training data",
    "run.step_5": "The system",
    "run.step_6": "Test run and tally",
    "run.step_7": "Outcome metrics",
    "run.step_8": "All metrics and the band",
    "run.step_9": "Index and score",
    "run.step_10": "Decision and certificate",
    "run.step_11": "What was not supplied",
    "run.step_12": "Recertification",
    "run.why_4_skipped": (
        "Training data not supplied: statistical parity difference and disparate impact of the "
        "training data were not checked."
    ),
    "run.why_4_test": (
        "Training data not supplied: the recorded outcomes of the test data are audited instead."
    ),
    "run.why_4_no_outcome": "No recorded outcome is named.",
    "run.why_5_skipped": (
        "Training data not supplied: the training of the system was not followed. Its decisions on "
        "the test data are audited."
    ),
    "run.why_no_system": "No system is audited: the recorded outcomes themselves are.",
    "run.why_no_decisions": "There are no decisions to tally.",
    "run.why_no_outcome": "There is no recorded outcome to hold the decisions against.",
    "run.why_no_certification": "The plan does not ask for certification.",
    "run.why_11_nothing": "Nothing is missing: training data, test data and decisions were supplied.",
    "run.why_11": "Not supplied: {what}.",
    "run.why_12": "The date of the next check is set with the decision.",
}
