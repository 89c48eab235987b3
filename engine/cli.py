"""The command line: every call of the contract, its exit codes and its refusals."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import engine
from engine.base.problems import Cancelled, Problem, Refused
from engine.base.watch import Progress, Watch
from engine.base.wording import count, number
from engine.messages import say

if TYPE_CHECKING:
    from engine.selftest import Row

DONE, NOT_VALID, REFUSED, FAULT, CANCELLED = 0, 1, 2, 3, 130


def main(argv: Sequence[str]) -> int:
    """Do what the arguments ask for and give the exit code; nothing escapes.

    Returns
    -------
    int
        0 done, 1 not valid or not reproduced, 2 refused, 3 a fault of ours, 130 cancelled.
    """
    _plain_streams()
    try:
        arguments = _parser().parse_args(list(argv))
    except SystemExit as stop:  # argparse: 0 after help, 2 after a wrong call
        return stop.code if isinstance(stop.code, int) else REFUSED
    progress = _Line(sys.stderr)
    try:
        code: int = arguments.do(arguments, Watch(report=progress))
        return code
    except Refused as refused:
        progress.clear()
        for problem in refused.problems:
            print(" ".join(str(problem).split("\n")), file=sys.stderr)
        return REFUSED
    except (Cancelled, KeyboardInterrupt):
        progress.clear()
        print(say("cli.cancelled"), file=sys.stderr)
        return CANCELLED
    except BrokenPipeError:  # the reader of our output has gone, for example `| head`
        sys.stderr.close()
        return DONE
    except Exception as fault:
        progress.clear()
        return _tell_fault(fault)
    finally:
        progress.clear()


def _tell_fault(fault: Exception) -> int:
    from engine import fault as faults

    path = faults.write(fault)
    text = say("cli.fault_unwritten") if path is None else say("cli.fault", path=path)
    print(text, file=sys.stderr)
    return FAULT


def _plain_streams() -> None:
    """Never fail over a character that a terminal cannot show."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


class _Line:
    """Progress on one line of a terminal; silent where the stream is none."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.shown = stream.isatty()
        self.width = 0

    def __call__(self, progress: Progress) -> None:
        if not self.shown:
            return
        share = "" if progress.fraction is None else f"{progress.fraction:4.0%} "
        text = (share + progress.text)[:79]
        self.stream.write("\r" + text.ljust(self.width))
        self.stream.flush()
        self.width = len(text)

    def clear(self) -> None:
        if self.width:
            self.stream.write("\r" + " " * self.width + "\r")
            self.stream.flush()
            self.width = 0


class _Parser(argparse.ArgumentParser):
    """Errors in the form of every other refusal: place and mend, exit code 2."""

    def error(self, message: str) -> None:  # type: ignore[override]
        print(f"{self.prog}: {message}; --help lists what can be given", file=sys.stderr)
        raise SystemExit(REFUSED)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="main.py",
        description="FairAssay audits an AI system for fairness and prints a certificate. "
        "Without a call it opens the window.",
        epilog="Exit codes: 0 done, 1 not valid or not reproduced, 2 input refused, 3 a fault of "
        "the program, 130 cancelled.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"FairAssay {engine.__version__}")
    calls = parser.add_subparsers(title="calls", metavar="CALL", required=True)

    def call(name: str, help: str, do: Callable[..., int]) -> argparse.ArgumentParser:
        made: argparse.ArgumentParser = calls.add_parser(
            name, help=help, description=help[0].upper() + help[1:] + ".", allow_abbrev=False
        )
        made.set_defaults(do=do)
        return made

    audit = call("audit", "run a plan without a window and write its result", _audit)
    audit.add_argument("plan", type=Path, metavar="PLAN.json", help="the plan")
    _out(audit, "the folder to write into")
    verify = call("verify", "say whether a certificate or a case file is intact", _verify)
    verify.add_argument(
        "file",
        type=Path,
        nargs="?",
        metavar="FILE",
        help="the certificate (.pdf) or case file (.fairassay)",
    )
    verify.add_argument(
        "--trust", type=Path, metavar="ROOT.pem", help="the office root that you trust"
    )
    verify.add_argument(
        "--head",
        metavar="FINGERPRINT",
        help="the head of the trail as a certificate prints it: a case file must hold it",
    )
    verify.add_argument(
        "--register",
        type=Path,
        metavar="REGISTER",
        help="the office's register: says whether the certificate was withdrawn or replaced",
    )
    verify.add_argument(
        "--rerun",
        type=Path,
        metavar="CASE",
        help="compute the result again from this case's evidence, and compare each figure with "
        "the certificate's, or without FILE with the case's own",
    )
    keys = call("keys", "make an office root and a signing key", _keys)
    keys.add_argument("--name", required=True, metavar="NAME", help="who signs")
    _out(keys, "the folder to write into")
    _passphrase(keys)
    sign = call("sign", "sign a certificate", _sign)
    sign.add_argument("file", type=Path, metavar="FILE.pdf", help="the unsigned certificate")
    sign.add_argument("--key", type=Path, required=True, metavar="KEY.p12", help="the signing key")
    _out(sign, "the signed certificate", metavar="SIGNED.pdf")
    _passphrase(sign)
    sample = call("sample", "list the built-in samples, or write one", _sample)
    sample.add_argument("name", nargs="?", metavar="NAME", help="the sample to write")
    _out(sample, "the folder to write into", required=False)
    selftest = call("selftest", "recompute the published figures on this machine", _selftest)
    _out(selftest, "the folder for the PDF", required=False)
    return parser


def _out(
    parser: argparse.ArgumentParser, help: str, *, metavar: str = "DIR", required: bool = True
) -> None:
    parser.add_argument("--out", type=Path, required=required, metavar=metavar, help=help)


def _passphrase(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--passphrase-file",
        type=Path,
        metavar="FILE",
        help="a file whose first line is the passphrase; without it you are asked",
    )


def _audit(arguments: argparse.Namespace, watch: Watch) -> int:
    from engine.methods.asking import load_plan
    from engine.run.writing import check_folder

    plan = load_plan(arguments.plan)
    check_folder(arguments.out)
    from engine.run import run, write
    from engine.run.documents import write_documents

    done = run(plan=plan, base=arguments.plan.parent, watch=watch.part(0, 0.9))
    who = plan.case["evaluator"] or say("cli.who")
    when = datetime.now().astimezone().isoformat(timespec="seconds")
    last = watch.part(0.9, 1)

    def more(folder: Path) -> None:
        write_documents(done, folder, who=who, when=when, watch=last)

    write(done, arguments.out, more=more)
    result = done.result
    certification = result.get("certification")
    if certification is not None:
        print(say("cli.recommendation", value=certification["recommendation"]["value"]))
        score = certification["fairness_score"]
        if score["value"] is None:
            print(say("cli.no_score", reason=score["reason"]))
        else:
            print(say("cli.score", value=number(score["value"])))
    if result["warnings"]:
        print(say("cli.warnings", n=len(result["warnings"])))
    print(say("cli.written", out=arguments.out))
    return DONE


def _verify(arguments: argparse.Namespace, watch: Watch) -> int:
    if arguments.file is None:
        if arguments.rerun is None:
            raise Refused(Problem("", "FILE", say("cli.verify_what")))
        _only_of_paper(arguments, arguments.rerun)
        return _rerun(arguments.rerun, None, watch)
    _file(arguments.file)
    if arguments.file.suffix.lower() == ".fairassay":
        code = _verify_case(arguments, watch)
        if arguments.rerun is None:
            return code
        return max(code, _rerun(arguments.rerun, None, watch))
    if arguments.head is not None:
        raise Refused(Problem(arguments.file.name, "--head", say("cli.head_of_case")))
    for path in (arguments.trust, arguments.register, arguments.rerun):
        if path is not None:
            _file(path)
    from engine.case.standing import standing
    from engine.reports import verify

    verdict = verify.verify(arguments.file, trust=arguments.trust, today=date.today())
    for line in verdict.lines:
        print(line)
    sound = verdict.valid and not verdict.expired  # what has run out certifies nothing any more
    if arguments.register is not None and verdict.intact:
        found = standing(
            arguments.register,
            number=verdict.number,
            revision=verdict.revision,
            sha256=verdict.sha256,
            today=date.today(),
        )
        for line in found.lines:
            print(line)
        sound = sound and found.stands
    code = DONE if sound else NOT_VALID
    if arguments.rerun is not None and verdict.intact:
        code = max(code, _rerun(arguments.rerun, verdict.result, watch))
    return code


def _rerun(case: Path, printed: bytes | None, watch: Watch) -> int:
    """Compute a case's result again and say whether each figure is the same."""
    _file(case)
    from engine.run.rerun import rerun

    found = rerun(case, printed=printed, watch=watch)
    for line in found.lines:
        print(line)
    return DONE if found.same and found.whole else NOT_VALID


def _only_of_paper(arguments: argparse.Namespace, file: Path) -> None:
    """Refuse what makes sense for a certificate alone."""
    for option in ("trust", "register"):
        if getattr(arguments, option) is not None:
            raise Refused(Problem(file.name, f"--{option}", say(f"cli.{option}_of_paper")))


def _verify_case(arguments: argparse.Namespace, watch: Watch) -> int:
    _only_of_paper(arguments, arguments.file)
    from engine.case.check import check_file

    report = check_file(arguments.file, witness=arguments.head, watch=watch)
    if report.whole:
        print(say("cli.case_whole", events=count(report.events), blobs=count(report.blobs)))
        print(say("cli.case_head", head=report.head))
        if arguments.head is None:
            print(say("cli.case_no_witness"))
        return DONE
    print(say("cli.case_broken", n=len(report.faults)))
    for fault in report.faults:
        print(f"{fault.place}: {fault.text}")
    print(say("cli.case_sound", events=count(report.events), blobs=count(report.blobs)))
    print(say("case.mend"))
    return NOT_VALID


def _keys(arguments: argparse.Namespace, watch: Watch) -> int:
    from engine.reports import keys

    passphrase = _asked_passphrase(arguments.passphrase_file, twice=True)
    made = keys.make(
        name=arguments.name, out=arguments.out, passphrase=passphrase, today=date.today()
    )
    print(say("cli.keys_made", root=made.root, key=made.key, until=made.valid_until))
    print(say("cli.fingerprint", fingerprint=made.fingerprint))
    return DONE


def _sign(arguments: argparse.Namespace, watch: Watch) -> int:
    _file(arguments.file)
    _file(arguments.key)
    from engine.reports import sign

    passphrase = _asked_passphrase(arguments.passphrase_file, twice=False)
    sign.sign(
        path=arguments.file,
        key=arguments.key,
        out=arguments.out,
        passphrase=passphrase,
        when=datetime.now().astimezone(),
    )
    print(say("cli.signed", out=arguments.out))
    return DONE


def _sample(arguments: argparse.Namespace, watch: Watch) -> int:
    from engine.samples import built_in as samples

    if arguments.name is None:
        for name in samples.names():
            print(f"{name}: {samples.purpose(name)}")
        return DONE
    samples.files(arguments.name)
    if arguments.out is None:
        raise Refused(Problem("", "", say("cli.sample_out")))
    plan = samples.write(arguments.name, arguments.out)
    result = arguments.out / "result"
    print(
        say("cli.sample_written", name=arguments.name, out=arguments.out, plan=plan, result=result)
    )
    return DONE


def _selftest(arguments: argparse.Namespace, watch: Watch) -> int:
    from engine.selftest import selftest

    rows = selftest(watch=watch)
    for row in rows:
        mark = "reproduced" if row.reproduced else "NOT REPRODUCED"
        note = f" {row.note}" if row.note else ""
        print(
            f"{mark}: {row.what} ({row.source}): expected {row.expected}, found {row.found}.{note}"
        )
    failed = sum(not row.reproduced for row in rows)
    print(say("cli.selftest", n=len(rows) - failed, total=len(rows)))
    if arguments.out is not None:
        print(say("cli.selftest_written", path=_write_selftest(rows, arguments.out)))
    return NOT_VALID if failed else DONE


def _write_selftest(rows: Sequence[Row], out: Path) -> Path:
    from engine.reports.selftest_pdf import build
    from engine.run.inputs import software
    from engine.run.writing import check_folder

    check_folder(out)
    found = software()
    versions = [("FairAssay", found["version"]), ("Python", found["python"])]
    pdf = build(rows=rows, versions=[*versions, *found["libraries"].items()], day=date.today())
    path = out / "selftest.pdf"
    try:
        out.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pdf)
    except OSError:
        raise Refused(Problem(out.name, "", say("run.out_unwritable"))) from None
    return path


def _file(path: Path) -> None:
    """Refuse what is no file before anything heavy is loaded."""
    if path.is_dir():
        raise Refused(Problem(path.name or str(path), "", say("cli.not_file")))
    if not path.is_file():
        raise Refused(Problem(path.name or str(path), "", say("cli.no_file")))


def _asked_passphrase(file: Path | None, *, twice: bool) -> str:
    """The passphrase from a file's first line, or from a prompt (twice for a new one)."""
    if file is not None:
        try:
            lines = file.read_text(encoding="utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError):
            raise Refused(Problem(file.name, "", say("cli.passphrase_file"))) from None
        passphrase = lines[0] if lines else ""
        name = file.name
    else:
        if not sys.stdin.isatty():
            raise Refused(Problem("", "--passphrase-file", say("cli.passphrase_terminal")))
        from getpass import getpass

        passphrase = getpass(say("cli.ask_passphrase"))
        if twice and getpass(say("cli.ask_passphrase_again")) != passphrase:
            raise Refused(Problem("", "", say("cli.passphrase_differs")))
        name = ""
    if not passphrase:
        raise Refused(Problem(name, "", say("cli.passphrase_empty")))
    return passphrase
