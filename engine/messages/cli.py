"""What the command line prints."""

TEXTS = {
    "cli.written": "The audit is done and lies in {out}.",
    "cli.recommendation": "Recommendation: {value}.",
    "cli.score": "Fairness Score: {value}.",
    "cli.no_score": "Fairness Score: not computable. {reason}",
    "cli.warnings": "{n} to read, among the warnings of result.json.",
    "cli.fault": (
        "FairAssay met a fault of its own. A report without personal data is in {path}; send it to "
        "whoever maintains your copy."
    ),
    "cli.fault_unwritten": "FairAssay met a fault of its own, and no report could be written.",
    "cli.cancelled": "Cancelled. Nothing was written.",
    "cli.sample_sme": "Loans to small firms (synthetic): are micro firms refused where larger ones alike are not?",
    "cli.sample_unknown": 'there is no sample "{name}"; {mend}',
    "cli.sample_out": "where to? give the folder: --out DIR",
    "cli.sample_exists": "{name} is there already, with other content; choose another folder",
    "cli.sample_written": "Sample {name} is in {out}. Run it with: audit {plan} --out {result}",
    "cli.no_file": "there is no such file; check the path",
    "cli.not_file": "this is a folder; give a file",
    "cli.passphrase_file": "the passphrase file cannot be read; give another",
    "cli.passphrase_empty": "the passphrase is empty; type at least one character",
    "cli.passphrase_differs": "the two passphrases differ; type the same one twice",
    "cli.passphrase_terminal": "no terminal to ask on; give --passphrase-file FILE",
    "cli.ask_passphrase": "Passphrase: ",
    "cli.ask_passphrase_again": "The same passphrase again: ",
    "cli.who": "the plan handed in",
    "cli.keys_made": (
        "The office root is {root}, the signing key {key}, valid until {until}. Keep the key's "
        "file safe."
    ),
    "cli.fingerprint": "Fingerprint of the signing key: {fingerprint}.",
    "cli.selftest_written": "They stand side by side in {path}.",
    "cli.selftest": "{n} of {total} figures reproduced on this machine.",
    "cli.head_of_case": "only a case file has a trail; leave --head out for a certificate",
    "cli.trust_of_paper": "a case file bears no signature; leave --trust out",
    "cli.register_of_paper": "a register tells of certificates; leave --register out",
    "cli.verify_what": "verify what? give a certificate or a case file, or --rerun CASE",
    "cli.case_whole": (
        "The case is whole: {events} entries of its trail follow each other, and {blobs} files "
        "are kept bit for bit."
    ),
    "cli.case_head": "Head of the trail: {head}.",
    "cli.case_no_witness": (
        "Whether the trail was rewritten from the start only a printed head can show: give it "
        "with --head."
    ),
    "cli.case_broken": "The case is NOT whole: {n} found.",
    "cli.case_sound": (
        "Sound are the first {events} entries of its trail and {blobs} of its files."
    ),
    "cli.signed": "The signed certificate is {out}.",
}
