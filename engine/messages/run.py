"""What a run says on its way, about the twelve steps, and about the folder it writes."""

TEXTS = {
    "run.no_method_column": 'the data have no column "{column}"; {mend}',
    "run.not_applicable": ("{title} needs decisions, and there are none. It did not run."),
    "run.favourable_sounds_bad": (
        'The plan takes "{value}" of "{column}" as favourable to a person. "{other}" is more usual. '
        "Check that the two are not exchanged."
    ),
    "run.out_is_file": "this is a file; give a folder to write into",
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
