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
    # Titles of the steps
    "procedure.step.0": "Case and evidence",
    "procedure.step.1": "Protected attributes",
    "procedure.step.2": "Groups compared",
    "procedure.step.3": "Tolerance",
    "procedure.step.4": "Training data",
    "procedure.step.5": "The system",
    "procedure.step.6": "Test run and tally",
    "procedure.step.7": "Outcome metrics",
    "procedure.step.8": "All metrics and the band",
    "procedure.step.9": "Index and score",
    "procedure.step.10": "Decision and certificate",
    "procedure.step.11": "What was not supplied",
    "procedure.step.12": "Recertification",
    # The line under a title
    "procedure.sub.done": "Done",
    "procedure.sub.in_progress": "In progress",
    "procedure.sub.open_questions": "In progress, {questions} open",
    "procedure.sub.not_started": "Not started",
    "procedure.sub.waits": "Waits for step {step}",
    "procedure.sub.out_of_date": "Out of date",
    "procedure.sub.warnings": "Done, {warnings}",
    "procedure.sub.set": "Set {moment}",
    "procedure.sub.skipped_training": "Skipped, not supplied",
    "procedure.sub.not_applicable": "Not applicable, no system",
    "procedure.sub.stand_in": "Stand-in trained here",
    "procedure.sub.model_file": "Model file",
    "procedure.sub.supplied": "Decisions supplied",
    "procedure.sub.no_system": "Recorded outcomes alone",
    "procedure.sub.rows": "{rows} test rows",
    "procedure.sub.rows_all": "{rows} rows",
    "procedure.sub.settled": "{settled} of {all} settled",
    "procedure.sub.settled_none": "Done, none settled",
    "procedure.sub.settled_all": "Done, all settled",
    "procedure.sub.score": "Score {score}, {verdict}",
    "procedure.sub.no_score": "No score",
    "procedure.sub.decided.grant": "Granted",
    "procedure.sub.decided.refuse": "Refused",
    "procedure.sub.decided.not settled": "Decided: not settled",
    "procedure.sub.decided.more evidence": "Evidence asked for",
    "procedure.sub.issued": "Issued, {number}",
    "procedure.sub.lacking": "{lacking} not supplied",
    "procedure.sub.next_check": "Next check {day}",
    # What a step still needs: the sentence, with what to do
    "procedure.need.data": "There is no data file yet. Add the files that you received.",
    "procedure.need.role": "{name} has no role yet. Say what it is for.",
    "procedure.need.key": "{name} is to be joined, but on no column. Choose the column that holds the key.",
    "procedure.need.both": (
        "One file is history and test in one, another is only {other}. Give both a single use."
    ),
    "procedure.need.test": "There is training data but no test data. Add the test data.",
    "procedure.need.questions": "{questions} about the files open. Answer on step 0.",
    "procedure.need.outcome": (
        "No column holds the recorded outcome. Choose it, or say on step 11 why there is none."
    ),
    "procedure.need.favourable": 'No value of "{column}" is marked as favourable. Choose the outcome that a person hopes for.',
    "procedure.need.attributes": "No protected attribute is chosen. Choose at least one.",
    "procedure.need.privileged": 'No group of "{name}" is marked as privileged. Choose who has had the advantage so far.',
    "procedure.need.tolerance": "The tolerance is not set. Choose a preset or set your own.",
    "procedure.need.system": "It is not said where the decisions come from. Choose decisions, a model file, a stand-in, or none.",
    "procedure.need.model_file": "The system is a model file, but no item has that role. Add the file on step 0.",
    "procedure.need.prediction": "The column of the decisions is not chosen. Choose it and its favourable value.",
    "procedure.need.run": "The audit has not run yet. Run it.",
    "procedure.need.rerun": "A choice changed after the last run. Run the audit again.",
    "procedure.need.look": "You have not looked at this step yet. Look at it and press Continue.",
    "procedure.need.again": "Something above changed after you confirmed this step. Look at it again and press Continue.",
    "procedure.need.decision": "There is no decision yet. Decide and give your reasons.",
    "procedure.need.redecide": "The decision was made on a result that is out of date. Decide again.",
    "procedure.need.reason": "No reason is given why these were not supplied: {lacking}. Write why, in one sentence each.",
    "procedure.first": "First comes step {step}, {title}. {need}",
    "procedure.blocked": "This waits for step {step}, {title}. {need}",
    "procedure.skipped.training": (
        "Training data were not supplied, so statistical parity difference and disparate impact "
        "are not checked. The certificate says so."
    ),
    "procedure.not_applicable": (
        "The recorded outcomes themselves are audited. There are no decisions of a system to look at."
    ),
    # The decision
    "procedure.choice.grant": "Grant the certificate",
    "procedure.choice.not settled": "Issue a statement of findings: not settled",
    "procedure.choice.refuse": "Issue a statement of findings: refused",
    "procedure.choice.more evidence": "Ask for more evidence",
    "procedure.choice.grant.words": "Prints a certificate with its validity.",
    "procedure.choice.not settled.words": "Says what was shown, ruled out and not settled.",
    "procedure.choice.refuse.words": "Says what was shown to lie outside the tolerance.",
    "procedure.choice.more evidence.words": "Keeps the audit open and prints a request.",
    "procedure.closed.no_result": "Closed: there is no up-to-date result. Run the audit on step 6.",
    "procedure.closed.no_certification": (
        "Closed: the certification did not run. Add it to the methods and run the audit again."
    ),
    "procedure.closed.above": (
        "Closed: the recommendation is {recommendation}. You may decide below it, never above it."
    ),
    "procedure.closed.rule_late": (
        "Closed: the rule of point values was chosen after the result was seen. "
        "Read by whole intervals, the recommendation is {recommendation}."
    ),
    "procedure.closed.no_system": (
        "Closed: without decisions of a system there is nothing to certify. Supply its decisions."
    ),
    "procedure.decide.unknown": "{value} is not a decision. Choose one of: {known}.",
    "procedure.decide.reasons": "The decision has no reasons. Write them in your own words.",
    "procedure.decide.long": (
        "The reasons have {length} characters. Shorten them to {limit}; details belong in the conditions."
    ),
    "procedure.decide.by": "It is not said who decides. Name the decider.",
    "procedure.roles.differ": "Evaluator and Decider are different people.",
    "procedure.roles.same": (
        "Evaluator and Decider are the same person. The certificate says so. "
        "Name another decider if the office has one."
    ),
    "procedure.roles.missing": "The {role} is not named. Enter the name.",
    "procedure.tolerance.unset": "The tolerance was never confirmed, so the defaults of the paper hold.",
    "procedure.tolerance.before": "Set by {who}, {moment}, before a result was visible.",
    "procedure.tolerance.before_result": (
        "Set by {who}, {moment}, before a result was visible, but after favourable rates were."
    ),
    "procedure.tolerance.after": "Set by {who}, {moment}, after a result was visible.",
    "procedure.tolerance.plan": (
        "Set in a plan handed in on {moment}. Whether its author had seen a result by then is not known."
    ),
    "procedure.somebody": "the auditor",
    # What was not supplied, and what that limits
    "procedure.limits.training data": (
        "Statistical parity difference and disparate impact of the training data are not checked. "
        "Whether the system learnt a gap or made one stays open."
    ),
    "procedure.limits.test data": "No decision can be held against a recorded outcome, so no outcome metric is checked.",
    "procedure.limits.recorded outcomes": (
        "Without recorded outcomes nobody can say who was treated rightly. Only rates of decisions can be compared."
    ),
    "procedure.limits.decisions of the system": (
        "The provider's own decisions are not examined. What is said of a stand-in need not hold for the system."
    ),
    "procedure.limits.scores of the system": "Calibration, thresholds and near misses are not examined.",
    "procedure.limits.the system itself": (
        "No new case can be put to the system, so what it would do for other people is not tried."
    ),
    "procedure.limits.documentation": "Intended use, training and known limits are taken from the client's word alone.",
    # Recertification
    "procedure.dates.grant": (
        "The certificate holds until {expires}. Check again by {next_check}, or as soon as the system, "
        "its data or its use changes."
    ),
    "procedure.dates.statement": (
        "A statement of findings has no validity to run out. Look again by {next_check}, "
        "or when the missing evidence is there."
    ),
    # Issuing the paper
    "procedure.issue.open": "The decision asks for more evidence, so the audit stays open and nothing is issued.",
    "procedure.issue.reasons": "Step 11 asks why this was not supplied: {what}. Write the reason there.",
    "procedure.issue.number": "The paper has no number. Take the next one from the register, or write your own.",
    "procedure.issue.early": "The issue date lies before the decision of {day}. Choose that day or a later one.",
    "procedure.issue.expires": "The last day of validity is not after the issue date. Choose a later day.",
    "procedure.issue.next_check": "The next check is not after the issue date. Choose a later day.",
    # Fields of the certificate that are not known
    "procedure.gap": "{what}: not known. {mend} Until then it prints as “not supplied”.",
    "procedure.gap.enter": "Enter it.",
    "procedure.gap.step": "It comes from step {step}.",
    "procedure.gap.issue": "It is given when the certificate is issued.",
    "procedure.gap.sign": "It is given by the signature.",
}
