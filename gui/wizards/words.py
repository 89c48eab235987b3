"""Texts of the method wizards."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "head": "Step {step} · Method wizard",
    "ran": "This method is part of the audit and ran with it.",
    "in_plan": "This method is part of the audit. It runs with the next run.",
    "not_in_plan": "This method is not part of the audit yet.",
    "add": "Add to the audit",
    "remove": "Take out of the audit",
    "words.add": "added {title}",
    "words.remove": "took out {title}",
    "words.set": "{title}: set “{setting}”",
    "defaults": "Set all back",
    "words.defaults": "{title}: set everything back",
    "default": "As given: {value}.",
    "empty": "Left empty",
    "empty_numbers": "Left empty, or 30, 20, 10",
    "first": "The first protected attribute",
    "no_column": "None",
    "yes": "Yes",
    "value_help": "Write a list with commas between, or one line for each as name: value.",
    "graph_help": "One line for each arrow: cause -> effect. Several graphs stand apart by a line with their name and a colon.",
    "wrong_value": "This cannot be read. {help}",
    "wrong_number": "Write a number, such as 0.3.",
    "wrong_numbers": "Write numbers with commas between, such as 30, 20, 10.",
    "wrong_whole": "Write a whole number, such as 35.",
    "no_settings": "This page asks nothing.",
    "run": "Run the audit",
    "running": "The audit is running. The result appears here.",
    "not_run": "This method has not run yet. Run the audit to see what it finds.",
    "stale_closed": "What you see here belongs to an earlier run. {why}",
    "stale": "A choice changed after the last run. What you see here belongs to the earlier one.",
    "not_added": "This method is not part of the audit. Add it, then run the audit.",
    "needs_data": "The audit cannot run yet: {why}",
    "making": "Setting out the result",
    "findings": "What it found",
    "copy": "Copy table",
    "export": "Export CSV…",
    "table_of": "{title}, {rows} rows",
    "files": "Tables of this run",
    "page_of": "Page {n} of {total}",
    "continue_run": "Run the audit",
}  # fmt: skip

GRADES = {
    "shown": ("outside", "Shown"),
    "ruled out": ("within", "Ruled out"),
    "not settled": ("not settled", "Not settled"),
    "not computable": ("not computable", "Not computable"),
    "not checked": ("not checked", "Not checked"),
}
"""Grade of a finding -> the mark and the word of its chip; a note has none."""


def text(code: str, **fields: object) -> str:
    """The text of a code with its fields filled in."""
    return TEXTS[code].format(**fields)
