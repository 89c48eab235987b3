"""Refusals: what is wrong with an input, where, and how to mend it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """One reason for which an input is refused.

    Parameters
    ----------
    file : str
        Name of the file that holds the fault, without its folder.
    place : str
        Where in it, in the file's own terms: ``protected[0].column``, ``row 12, column "age"``.
        Empty where the whole file is meant.
    text : str
        What is wrong and how to mend it, as one sentence (or two short ones).

    Examples
    --------
    >>> str(Problem("plan.json", "outcome.column", 'german.csv has no column "risk"; did you mean "Risk"?'))
    'plan.json: outcome.column: german.csv has no column "risk"; did you mean "Risk"?'
    """

    file: str
    place: str
    text: str

    def __str__(self) -> str:
        return ": ".join(part for part in (self.file, self.place, self.text) if part)


class Refused(Exception):
    """The input cannot be used as it is; ``problems`` says why, one entry each."""

    def __init__(self, problems: Iterable[Problem] | Problem) -> None:
        self.problems = (problems,) if isinstance(problems, Problem) else tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


class Cancelled(Exception):
    """The person asked to stop, and the work stopped at a named point."""
