"""Texts about the governance sheet."""

TEXTS = {
    "governance.title": "Governance sheet",
    "governance.opening": "Who watches the system after this audit, how often, whom a person may turn to, and how it is rolled back. The answers are the auditor’s record of what was agreed.",
    "governance.due": "The next checks fall on {dates}.",
    "governance.lacking": "{n} questions that have to be answered are not answered yet.",
    "governance.missing": "{what}: not answered. Write it down before it is needed.",
    "governance.roles": "{what}: each line needs a role and a name. Fill in both.",
    "governance.choice": "{what}: choose one of those offered.",
    "governance.date": "{what}: give a date such as 2027-01-31.",
    "governance.not_supplied": "not supplied",
    "governance.ics_check": "Fairness check due: {system}",
    "governance.ics_audit": "Fairness audit due: {system}",
}
