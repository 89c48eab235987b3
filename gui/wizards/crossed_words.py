"""Texts of the wizard of crossed groups."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "map": "Map of the crossings",
    "map_note": "The square of a crossing is as large as its effective number of people. Choose one to read its numbers.",
    "map_cut": "The {shown} rows with the lowest ratios are drawn; the table holds all.",
    "table": "Crossings",
    "nobody": "0 people",
    "people": "{n} people",
    "columns": "Crossing,Effective number,Favourable,Ratio,Lower rate",
    "copy": "Copy table",
    "export": "Export CSV…",
    "save": "Save graph…",
    "chosen": "{cell}",
    "none_chosen": "Choose a crossing in the map or in the table.",
    "fact.rows": "People",
    "fact.effective": "Effective number",
    "fact.kish": "Kish's number",
    "fact.imputed": "Of it from probabilities",
    "fact.rate": "Favourable",
    "fact.ratio": "Ratio to {reference}",
    "fact.overall": "Ratio to everybody",
    "fact.bounds": "Rate with no assumption",
    "fact.published": "As published",
    "tip": "{cell}: {rate}, {people}, ratio {ratio} ({flag})",
    "tip_empty": "{cell}: 0 people",
    "left_out": "Crossings left out, each with its reason",
    "left_out_note": "Only crossings with less than 2 % of the people can be left out. They stay in the table with your reason.",
    "left_out_none": "No crossing has less than 2 % of the people.",
    "left_out_later": "Run the audit once; the crossings with less than 2 % of the people are then listed here.",
    "left_out_row": "{cell}, {people} ({share})",
    "left_out_reason": "Reason for leaving it out; empty keeps it in",
    "set_left_out": "Crossed groups: left a crossing out",
    "highest": "The crossing with the highest rate among those large enough",
    "overall": "Everybody",
    "rest": "What it found",
}  # fmt: skip

FLAGS = {
    "FLAGGED": ("outside", "Flagged"),
    "OK": ("within", "OK"),
    "UNDECIDED": ("not settled", "Undecided"),
    "INSUFFICIENT": ("not computable", "Too few"),
}
"""A flag -> the mark and colour that it is drawn in, and its word."""


def text(code: str, **fields: object) -> str:
    """The text of a code with its fields filled in."""
    return TEXTS[code].format(**fields)
