"""Texts of the case file: what is wrong with it, and what to do."""

TEXTS: dict[str, str] = {
    "case.no_file": "There is no such file. Look for the case where you last saved it.",
    "case.folder": "This is a folder. Choose a file that ends in .fairassay.",
    "case.exists": "A file of this name is there already. Choose another name, or open that case.",
    "case.no_folder": "The folder {folder} is not there. Make it first, or choose another.",
    "case.not_a_case": (
        "This is not a case of FairAssay. Choose a file that ends in .fairassay, "
        "or begin a new audit with this file as evidence."
    ),
    "case.empty": "The file is empty. Open a copy of the case instead.",
    "case.newer": (
        "A newer FairAssay wrote this case (form {found}; this one reads up to {known}). "
        "Open it with the newer program. The file was not changed."
    ),
    "case.damaged": (
        "The file is damaged and cannot be read here. Salvage it into a new case, "
        "or open your last copy."
    ),
    "case.foreign_schema": (
        "The tables of this case were changed from outside ({what}). "
        "Salvage it into a new case, or open your last copy."
    ),
    "case.full": (
        "The disk is full, so nothing was written and the case is as it was before. "
        "Free some space and try again."
    ),
    "case.not_writable": (
        "The file or its folder cannot be written, so the case is as it was before. "
        "Ask for the right to write there, or save a copy elsewhere."
    ),
    "case.io": (
        "The disk reports an error, so the case is as it was before. "
        "Save a copy on another disk and go on there."
    ),
    "case.busy": "Another program holds the file. Close it there and try again.",
    "case.not_open": "The case cannot be opened. Check that the file and its folder can be read.",
    "case.too_big": "The disk or SQLite cannot hold a piece of this size. Supply the file in parts.",
    "case.read_only": "This case is open to read only. {why}",
    "case.other_window": "It is open elsewhere{whom}. Close it there to change it here.",
    "case.written_elsewhere": (
        "Another program has written to this case since it was opened. Nothing of yours was "
        "written over it. Close the case and open it again."
    ),
    "case.two_names": (
        "The file has a second name on this disk (a hard link, as some backups make), and a change "
        "would go into both. Save a copy, and open and change that."
    ),
    "case.no_right": "The file or its folder cannot be written. Save a copy elsewhere to change it.",
    "case.asked": "You opened it to read.",
    "case.closed": "This case is closed. Open it again.",
    "case.no_bytes": (
        "The case does not hold a file with the fingerprint {sha256}. Add the file again."
    ),
    "case.bytes_damaged": (
        "The kept bytes of {name} are damaged (fingerprint {sha256}). "
        "Add the file again, or take it from a copy of the case."
    ),
    "case.same_file": "The copy would overwrite the case itself. Choose another name.",
    # What a check of the case finds
    "case.fault.pages": "The file's own structure is damaged: {what}.",
    "case.fault.event": (
        "Entry {seq} of the trail does not match its fingerprint: it was changed or is damaged. "
        "The {good} before it are intact."
    ),
    "case.fault.gap": ("Entry {seq} of the trail is missing. The {good} before it are intact."),
    "case.fault.cut": (
        "The trail ends at entry {found}, but the case last wrote entry {wanted}: its end was cut."
    ),
    "case.fault.head": "The last fingerprint of the trail is not the one that the case last wrote.",
    "case.fault.witness": (
        "The fingerprint {head} that you hold is not in this trail: "
        "this is another case, or its trail was rewritten."
    ),
    "case.fault.state": "The stored state of the case differs from what its trail gives.",
    "case.fault.replay": "Entry {seq} of the trail cannot be carried out: {why}",
    "case.fault.blob": (
        "The kept bytes of {name} are damaged (fingerprint {sha256}). Everything else is unharmed."
    ),
    "case.fault.missing": "The bytes of {name} are not in the case (fingerprint {sha256}).",
    "case.fault.draft": "The half-filled page {page} is damaged; its fields are lost.",
    "case.fault.unread": "The part {what} cannot be read: {why}.",
    "case.mend": "Salvage the case into a new file, or open your last copy.",
    "case.salvaged": (
        "salvaged from {name}: {events} entries of the trail and {blobs} files were intact, "
        "{lost} files were lost"
    ),
    "case.restored": "put back the last saved state after damage to the trail",
    "case.path_outside": (
        "This path leads out of the folder. Open the case that you received first and name its "
        "files anew."
    ),
    # The sealed export
    "case.unpacking": "Unpacking {name}",
    "case.export.title": "Fairness audit",
    "case.export.none": "not supplied",
    "case.export.reference": "Reference",
    "case.export.system": "System",
    "case.export.version": "Version",
    "case.export.provider": "Provider",
    "case.export.client": "Client",
    "case.export.organisation": "Issuing body",
    "case.export.decision": "Decision",
    "case.export.reasons": "Reasons",
    "case.export.head": "Head of the trail",
    "case.export.files": "Files received",
    "case.export.name": "Name",
    "case.export.bytes": "Bytes",
    "case.export.from": "Given by",
    "case.export.way": "How it came",
    "case.export.when": "When",
    "case.export.sha256": "SHA-256",
    "case.export.metrics": "Metrics",
    "case.export.attribute": "Attribute",
    "case.export.metric": "Metric",
    "case.export.value": "Value",
    "case.export.interval": "Interval",
    "case.export.verdict": "Verdict",
    "case.export.inside": "In this archive",
    "case.export.how": (
        "To check that nothing changed, unpack the archive and run: sha256sum -c {manifest}"
    ),
    # The certificates register
    "case.register.not_one": "This is not a register of FairAssay. Choose another file.",
    "case.register.taken": (
        "The number {number}, revision {revision}, is in the register already. Take the next number."
    ),
    "case.register.unknown": "The register has no certificate {number}. Check the number.",
    "case.register.status": "{status} is not a status. Choose one of: {known}.",
    "case.register.same": "The paper is {old} already. Choose another status.",
    "case.register.final": (
        "A paper that is {old} cannot become {new}. Issue a new revision, with its reason."
    ),
    "case.register.no_reason": "To set {status} needs a reason. Say why.",
    "case.register.no_file": "there is no such register; check the path",
    "case.register.s_valid": "The register holds this file as {number}, revision {revision}: valid.",
    "case.register.s_expired": (
        "The register holds this file as {number}, revision {revision}: expired."
    ),
    "case.register.s_suspended": (
        "The register holds this file as {number}, revision {revision}: SUSPENDED. It does not "
        "count until the office says so."
    ),
    "case.register.s_withdrawn": (
        "The register holds this file as {number}, revision {revision}: WITHDRAWN. It counts no "
        "longer."
    ),
    "case.register.s_superseded": (
        "The register holds this file as {number}, revision {revision}: SUPERSEDED. Another paper "
        "stands in its place."
    ),
    "case.register.s_unknown": (
        "The register holds no {number} of this revision: the office that keeps it has not issued "
        "this paper. Check that it is the right register."
    ),
    "case.register.s_other": (
        "The register holds another file as {number}, revision {revision}: this is not the paper "
        "that the office issued."
    ),
    "case.register.s_edited": (
        "The register contradicts itself on {number}, revision {revision}: its status is not the "
        "last one in its list of changes. Somebody edited the file by hand. Ask the office, and "
        "take the register from a copy."
    ),
    "case.register.s_change": "Changed on {day} by {who}: {reason}.",
    "case.register.s_nobody": "a person not named",
    "case.register.s_no_reason": "no reason given",
    "case.register.s_newest": "In its place stands {number}, revision {revision}.",
    "case.register.why": "A revision needs a reason. Say why it replaces {number}.",
}
