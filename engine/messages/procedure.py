"""Texts of the procedure: steps, what blocks them, the decision."""

TEXTS: dict[str, str] = {
    "procedure.no_place": "The case has no place {place}. Reload the page and try again.",
    "procedure.issued": (
        "The certificate {number} is issued. Nothing behind it can change; "
        "open a new revision and give its reason."
    ),
    "procedure.decide_out_of_date": (
        "There is no up-to-date result to decide on. Run the audit again on step 6."
    ),
    "procedure.issue_out_of_date": (
        "The decision does not belong to the result that stands now. Decide again on step 10."
    ),
    "procedure.no_certificate": "This case has no certificate yet. Issue one on step 10.",
    "procedure.nothing_to_undo": "There is nothing to undo.",
    "procedure.nothing_to_redo": "There is nothing to redo.",
}
