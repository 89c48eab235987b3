"""What the paper, its signature and its check say."""

from __future__ import annotations

_PAPER: dict[str, str] = {
    "reports.no_glyph": (
        "the character {char!r} ({point}) cannot be printed with the fonts of this "
        "program; write it in Latin, Greek or Cyrillic letters"
    ),
    "reports.right_to_left": (
        "the character {char!r} ({point}) belongs to a script that runs from right to "
        "left, which this paper cannot set; give the name in Latin, Greek or Cyrillic letters"
    ),
    "reports.unprintable": "{where}, “{text}”: {why}",
    "reports.where_reasons": "The reasons of the decision",
    "reports.where_conditions": "The conditions",
    "reports.where_why": "The reason why “{what}” is not supplied",
    "reports.where_file": "The name of a file",
    "reports.where_attribute": "The name of an attribute",
    "reports.where_group": "A group of {attribute}",
    "reports.cannot_grant": (
        "the recommendation is “{advice}”: a certificate cannot be granted above it; decide to "
        "refuse, or leave it not settled, and a statement of findings is printed"
    ),
    "reports.issued_too_early": (
        "the issue date lies before the decision date; give the date on which the paper is issued"
    ),
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
    "reports.subtitle_statement": (
        "This is not a certificate. It says what was shown, what was ruled out and what is not "
        "settled."
    ),
    "reports.foot_request": (
        "No finding, no certificate. The pages behind this one say what was found so far."
    ),
    "reports.subtitle_request": (
        "This is neither a certificate nor a statement of findings. The audit stays open."
    ),
    "reports.asked": "More evidence is asked for",
    "reports.sentence_asked": (
        "What was supplied does not carry a decision. Nothing is granted and nothing refused. {tally}"
    ),
    "reports.why_asked": "What is asked for, and why",
    "reports.lacking_title": "What was not supplied, and what that limits",
    "reports.within": "Within the tolerance",
    "reports.within_values": "Within the tolerance, by values alone",
    "reports.sentence_within": (
        "Every metric, with its whole {confidence} interval, lies within the tolerance, which "
        "{seen}."
    ),
    "reports.sentence_values": (
        "Read from values alone, as the procedure was published. The data do not settle {count} of "
        "{total} metrics. The tolerance {seen}."
    ),
    "reports.set_unknown": "was set at a time that was not supplied",
    "reports.set_in_plan": "came in a plan whose author may have seen a result",
    "reports.set_before": "was set before any metric was computed",
    "reports.set_after_rates": "was set when group rates were visible",
    "reports.set_after_result": "was set when a result was visible",
    "reports.key_in_block": "The signature block below names the key.",
    "reports.check_offline": "FairAssay checks it without a network: File, Verify a certificate.",
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
    "reports.sentence_outside": ("The data show unfairness beyond the tolerance."),
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
    "reports.named_behind": "named on the next pages",
    "reports.attribute_number": "No. {number}",
    "reports.rows_left": (
        "{shown} of {total} metrics: those not within come first, then those farthest from their "
        "ideal. All stand on the next pages."
    ),
    "reports.counts_note": (
        "TP and FN: people whose recorded outcome was favourable, decided favourably or not. FP "
        "and TN: people whose recorded outcome was unfavourable, decided favourably or not."
    ),
    "reports.how_1": (
        "Open FairAssay and choose File, Verify a certificate, or call: python main.py verify "
        "FILE.pdf --trust ROOT.pem. The root is the issuing body's; get it from the body itself."
    ),
    "reports.how_2": (
        "Read the number, the SHA-256 of result.json and the key from the QR code of page 1 with "
        "any reader. They must be those that FairAssay names."
    ),
    "reports.how_3": (
        "Take result.json out of the PDF (any reader lists attachments) and compute its SHA-256. "
        "It must be the one in the QR code. It holds every figure of these pages."
    ),
    "reports.how_4": (
        "Ask the issuing body whether the paper still stands: no file can know that it was "
        "withdrawn or replaced."
    ),
    "reports.how_without": (
        "Any other reader of signed PDF files shows the same signature once the issuing body's "
        "root is trusted in it. The signature is of the kind PAdES B-B; the file is PDF/A-3b."
    ),
    "reports.annex": "Annex to {kind} {number} · {office}",
    "reports.annex_to_audit": "audit",
    "reports.annex_to_certificate": "certificate",
    "reports.annex_to_request": "request for evidence",
    "reports.annex_to_statement": "statement",
    "reports.annex_no_number": "without a number",
    "reports.annex_no_office": "body not named",
    "reports.confidential": "Confidential: about people",
    "reports.accuses_nobody": (
        "This list accuses nobody. It is a reason to look, not a finding of discrimination."
    ),
    "reports.w_person": "Watch-out: {name}",
    "reports.w_differs": "What differs",
    "reports.w_place": "Where this person stands among the peers",
    "reports.w_in_short": "In short.",
    "reports.w_todo": "What to do",
    "reports.w_result": "Result of the review",
    "reports.w_who": "Reviewer, date",
    "reports.s_title": "Self-test of FairAssay on this machine",
    "reports.s_all": "All {n} published figures were reproduced.",
    "reports.s_some": "{n} of {total} published figures were not reproduced.",
    "reports.s_what": (
        "Each figure below was printed in a paper, or follows from a closed form. The program "
        "computed it again on this machine, with the versions named here."
    ),
    "reports.s_machine": "Computed with",
    "reports.s_failed": "Not reproduced",
    "reports.s_table": "Every figure",
    "reports.s_notes": "Misprints of the sources",
    "reports.s_yes": "Reproduced",
    "reports.s_no": "Not reproduced",
    "reports.f_left_out": "{attribute}: “{group}” is left out, because: {why}.",
    "reports.all_reasons": "{count} points stand on the next pages.",
    "reports.more_reasons": "{count} more on the next pages.",
}

_FILES: dict[str, str] = {
    "reports.cannot_write": "the file cannot be written ({why}); choose another folder",
    "reports.cannot_read": "the file cannot be read ({why}); check its name and its folder",
    "reports.is_folder": "this is a folder; name the PDF file in it",
    "reports.too_large": (
        "the file has {size} MB, more than the {most} MB of any certificate; check that it is the "
        "right file"
    ),
    "reports.packed": (
        "the file unpacks to more than {most} MB, or is packed as no certificate is; check that it "
        "is the right file"
    ),
    "reports.no_pdf": "the file is not a PDF; choose the certificate's PDF",
    "reports.broken_pdf": "the file is damaged and cannot be read as a PDF; ask for it again",
    "reports.encrypted": (
        "the PDF is encrypted; FairAssay never locks a certificate, so ask for the file as it was "
        "issued"
    ),
    "reports.not_ours": (
        "the PDF is no certificate or statement of findings of FairAssay; choose the file that "
        "FairAssay wrote"
    ),
}

_KEYS: dict[str, str] = {
    "reports.passphrase_short": (
        "the passphrase is too short; take at least {least} characters, better four words"
    ),
    "reports.key_exists": (
        "a key of this name exists already and is never overwritten; take another name or folder"
    ),
    "reports.key_name": (
        'the name is empty or holds one of \\ / : * ? " < > |; take a name that can name a file'
    ),
    "reports.key_name_root": "“root” is the name of the office's root; take the person's name",
    "reports.key_name_long": "the name has {length} characters, and 64 fit a key; shorten it",
    "reports.root_half": (
        "the office's root is incomplete: {missing} is missing; put it back beside this file, or "
        "take an empty folder for a new root"
    ),
    "reports.root_unreadable": (
        "the root cannot be read; take an empty folder for a new root, or put the right file back"
    ),
    "reports.root_passphrase": (
        "the passphrase does not open the office's root; give the passphrase of the root"
    ),
    "reports.root_mismatch": (
        "the key in this file is not that of root.pem; put the two files that belong together "
        "side by side"
    ),
    "reports.root_expired": "the office's root expired on {day}; make a new one in another folder",
    "reports.wrong_passphrase": (
        "the passphrase does not open this key, or the file is damaged; try the passphrase again"
    ),
    "reports.no_key_file": "the file is no PKCS#12 key file; choose the .p12 or .pfx file",
    "reports.no_key_inside": (
        "the file holds no private key with its certificate; choose the .p12 file of the signer"
    ),
    "reports.key_early": "the key is not valid before {day}; wait, or sign with another key",
    "reports.key_expired": "the key expired on {day}; make or ask for a new key",
    "reports.key_no_signing": (
        "the key's certificate does not allow signing; ask for one with the use “digital "
        "signature” or “non-repudiation”"
    ),
    "reports.key_kind": (
        "the key is of a kind that other readers cannot check, or too short; take one of P-256, or "
        "of RSA with at least {least} bits"
    ),
    "reports.wrong_pin": "the PIN is not right; try again, tokens lock after a few wrong PINs",
    "reports.no_token": (
        "the token, or the key “{label}” on it, cannot be reached; put the token in and check the "
        "names of library, token and key"
    ),
    "reports.token_gone": (
        "the token did not sign; it may have been pulled out: put it in and sign again"
    ),
    "reports.signed_already": (
        "the file is signed already and allows no further change; sign the unsigned file"
    ),
    "reports.evaluator_signed": (
        "the evaluator has signed already; the decider's signature is the one to come"
    ),
    "reports.other_key": (
        "the paper names the key {named}, which is not this one; sign with that key, or print the "
        "paper again for this one"
    ),
}

_VERIFY: dict[str, str] = {
    "reports.v_valid": "Valid. The file is as it was signed, and the signer belongs to the root.",
    "reports.v_genuine_expired": (
        "Valid no longer: it expired on {day}. The file is genuine: as it was signed, and the signer "
        "belongs to the root."
    ),
    "reports.v_intact": (
        "Not shown to be genuine. The file is as it was signed, but no root was named to check "
        "the signer against. Get the office's root from the office itself, and name it."
    ),
    "reports.v_invalid": "Not valid. {why}",
    "reports.v_unsigned": "The file carries no signature. What it says is vouched for by nobody.",
    "reports.v_damaged": (
        "The file cannot be checked: it is damaged, or was built to mislead. Ask the issuing body "
        "for the file again."
    ),
    "reports.v_not_ours": (
        "This is no certificate and no statement of findings of FairAssay, signed or not."
    ),
    "reports.v_count": "It carries {count} signatures; one or two are expected.",
    "reports.v_waiting": (
        "The evaluator has signed; the signature of the decider, which makes it count, is missing."
    ),
    "reports.v_order": "The signatures do not stand in the order in which they must be made.",
    "reports.v_kind": "The signature does not forbid later changes, as those of FairAssay do.",
    "reports.v_form": (
        "The signature of {signer} is not of the form that FairAssay makes (PAdES), or names "
        "another person or a place."
    ),
    "reports.v_changed": "The file was changed after it was signed.",
    "reports.v_signature": "The signature of {signer} does not fit the file.",
    "reports.v_not_whole": "Something was added to the file after the last signature.",
    "reports.v_untrusted": "The key of {signer} was not issued by the root that you named.",
    "reports.v_key_time": (
        "The key of {signer} was not valid at the time that the signature states, {day}."
    ),
    "reports.v_future": (
        "The signature of {signer} states a time to come, {day}. If that is wrong, set this "
        "computer's date right and check again."
    ),
    "reports.v_overlay": (
        "The file holds something that no paper of FairAssay has and that can cover what was "
        "printed: {what}."
    ),
    "reports.v_text": (
        "Page 1 does not say what the files inside say: it lacks “{what}”. One of the two was "
        "exchanged."
    ),
    "reports.v_pages": (
        "It has {count} pages, and page 1 names another number: pages were taken out or put in."
    ),
    "reports.v_not_carried": (
        "It says it is a certificate, but the attached result does not carry one: the result is "
        "“{advice}”."
    ),
    "reports.v_figures": (
        "The pages behind page 1 do not show what the attached result says: they lack “{what}”. "
        "One of the two was exchanged."
    ),
    "reports.v_page": (
        "Page {number} is not as it was printed: it was changed before somebody signed it."
    ),
    "reports.v_beside": (
        "Title, bookmarks or the words for screen readers are not as they were printed: they were "
        "changed before somebody signed."
    ),
    "reports.v_plan": "The attached plan.json is not the plan that gave the result.",
    "reports.v_stamp": (
        "The signature of {signer} that page 1 shows is not drawn as FairAssay draws it, or says "
        "something else than the signature itself."
    ),
    "reports.v_times": "{second} signed second, but states an earlier time than {first}.",
    "reports.v_before": (
        "The signature of {signer} states {day}, before the decision of {decided}."
    ),
    "reports.v_key_usage": "The key of {signer} may not be used for signing.",
    "reports.v_code": "The QR code on page 1 is not the one that the file describes.",
    "reports.v_result": (
        "The attached result.json is not the one that the QR code names: its SHA-256 differs."
    ),
    "reports.v_no_result": "The file holds no result.json of FairAssay.",
    "reports.v_summary": "The file's own summary does not fit page 1.",
    "reports.v_key": "Page 1 names the key {named}, but the file was signed with {used}.",
    "reports.v_what": "{kind} {number}, revision {revision}, for {system}, issued by {office}.",
    "reports.v_signer": "Signed by {signer} ({office}) as {role}; key {key}; issued by {issuer}.",
    "reports.v_since": "Time of signing, as the signer states it: {moment}.",
    "reports.v_same": "Evaluator and decider signed with the same key.",
    "reports.v_match": "The attached result.json is the one that the QR code names: {sha}.",
    "reports.v_decided": "Decided on {decided}, issued on {issued}.",
    "reports.v_decided_only": "Decided on {decided}. It names no day of issue.",
    "reports.v_undecided": "It names no day of decision: nobody has decided on it yet.",
    "reports.v_exchanged": (
        "{signer} signed as {role}, but page 1 names {named} as {role} and {signer} in the other "
        "role: the signatures stand in each other's place."
    ),
    "reports.exchanged": (
        "this key is that of {signer}, and page 1 names {named} as {role}; let {named} sign here"
    ),
    "reports.v_other_name": (
        "Page 1 names {named} as {role}, and the key is that of {signer}. Ask the issuing body "
        "whether {signer} may sign in that place."
    ),
    "reports.v_until": "Valid until {day}.",
    "reports.v_expired": "It expired on {day}: it holds no longer.",
    "reports.v_no_until": "It names no day until which it is valid.",
    "reports.v_statement": "It is a statement of findings and grants nothing.",
    "reports.v_request": "It asks for evidence and decides nothing.",
    "reports.v_replaces": "It replaces {number}.",
    "reports.v_status": (
        "Whether it was withdrawn or replaced since, the file cannot know. Ask {contact}."
    ),
    "reports.v_key_expired": (
        "The key expired on {day}. What it signed before that day stands, if the stated time is "
        "believed."
    ),
    "reports.bad_root": (
        "the root cannot be read as a certificate in PEM form; get root.pem from the office again"
    ),
}

TEXTS: dict[str, str] = {**_PAPER, **_FILES, **_KEYS, **_VERIFY}
