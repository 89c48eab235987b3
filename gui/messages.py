"""The window's own texts, as data with a code each; the engine's are in engine.messages."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "verdict.within": "Within",
    "verdict.outside": "Outside",
    "verdict.not settled": "Not settled",
    "verdict.not computable": "Not computable",
    "verdict.not checked": "Not checked",
    "verdict.shown": "Shown",
    "verdict.ruled out": "Ruled out",
    "app.name": "FairAssay",
    "home.lede": "Audits a decision system for fairness, step by step, and prints what the data can carry.",
    "home.new": "New audit",
    "home.new_help": "Start with the files you received",
    "home.open": "Open an audit",
    "home.open_help": "A case file, ending in .fairassay",
    "home.verify": "Verify a certificate",
    "home.verify_help": "Drop a PDF here to learn whether it is intact, who signed it and what it holds. You need no case file and no network.",
    "home.choose_pdf": "Choose a PDF…",
    "home.offline": "FairAssay works without a network.\nNothing you open here leaves this computer.",
    "home.recent": "Recent audits",
    "home.find": "Find by name or reference",
    "home.none": "No audit was opened on this computer yet. Start with New audit, or open a sample below.",
    "home.none_found": "No recent audit has “{text}” in its name or reference.",
    "home.samples": "Built-in samples",
    "home.samples_help": "Public data with known answers. Your own audits are never touched.",
    "home.gone": "The file is no longer there",
    "home.selftest": "Run self-test",
    "home.keys": "Keys and office…",
    "home.version": "FairAssay {version}",
    "saved.all": "All changes saved",
    "saved.read_only": "Read only",
    "saved.none": "",
    "read_only.other": "This case is open in another window. You can look at everything here and change nothing.",
    "read_only.signed": "This case is signed. A correction is a new revision, with a reason.",
    "step.waits": "Waits for step {number}",
    "step.not_built": "This step has no page yet.",
    "help.title": "What this means",
    "help.fold": "Fold What this means",
    "help.unfold": "Open What this means",
    "footer.back": "Back",
    "footer.continue": "Continue",
    "footer.cancel": "Cancel",
    "footer.end_now": "End now",
    "footer.show": "Show",
    "footer.stopping": "Stopping after {what}",
    "footer.stopping_plain": "Stopping at the next safe point",
    "footer.stopped": "{what}: stopped",
    "footer.done": "{what}: done",
    "footer.failed": "{what}: could not be finished",
    "footer.of": "{done} of {total}",
    "time.seconds": "about {n} s left",
    "time.minutes": "about {n} min left",
    "table.copy": "Copy",
    "table.export": "Export CSV…",
    "table.export_title": "Export this table",
    "figure.show_table": "Show as table",
    "figure.show_figure": "Show as figure",
    "figure.save": "Save graph…",
    "figure.save_title": "Save this graph",
    "figure.saved": "The graph was saved as {name}.",
    "figure.failed": "This figure could not be drawn. Its numbers are in the table.",
    "drop.choose": "Choose files…",
    "person.title": "Who works on this case?",
    "person.sentence": "Each choice is recorded with the name and role of who made it.",
    "person.name": "Your name",
    "person.name_help": "As it stands in the trail and, where you sign, on the certificate.",
    "person.role": "Your role in this case",
    "person.organisation": "Office",
    "person.organisation_help": "The body for which you audit. You can leave it empty.",
    "file.new_title": "Where to keep the new case",
    "file.open_title": "Open a case",
    "file.copy_title": "Save a copy of this case",
    "file.pdf_title": "Choose a certificate to verify",
    "file.files_title": "Add the files you received",
    "file.case_filter": "FairAssay cases (*.fairassay)",
    "file.pdf_filter": "PDF files (*.pdf)",
    "file.all_filter": "All files (*)",
    "file.new_name": "New audit.fairassay",
    "problem.title": "This cannot be used as it is",
    "problem.open": "{name} cannot be opened: {why}",
    "crash.title": "FairAssay met a fault of its own",
    "crash.text": "Something in the program did not work, while: {what}. Your case is safe: each choice was saved when you made it. You can go on.",
    "crash.report": "A report without personal data lies in {path}.",
    "crash.last": "FairAssay ended unexpectedly last time. Your cases are safe. A report lies in {path}.",
    "job.audit": "Running the audit",
    "job.read": "Reading {name}",
    "result.out_of_date": "The result is out of date: something it rests on was changed. Run it again in step 6.",
    "verify.title": "Verify a certificate",
    "verify.running": "Checking {name}",
    "about.text": "FairAssay {version} audits a decision system for fairness on this computer alone, and prints what the data can carry.",
    "about.parts": "Fonts: IBM Plex (OFL 1.1), DejaVu. Icons: Lucide (ISC). Licence: Apache 2.0.",
    "sealed.note": "An export is encrypted with a passphrase. Whoever has it can read everything in the case.",
}  # fmt: skip


def text(code: str, **fields: object) -> str:
    """The text of a code with its fields filled in.

    Raises
    ------
    KeyError
        For an unknown code or a missing field: a fault of ours.
    """
    return TEXTS[code].format(**fields)


def verdict_word(verdict: str) -> str:
    """A verdict as the window writes it; a word that is no verdict stays as it is."""
    return TEXTS.get(f"verdict.{verdict}", verdict)
