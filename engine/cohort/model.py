"""The people of an audit, as arrays. Built once by :mod:`engine.cohort.prepare`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd

UNKNOWN = -1
"""Code of a blank or unreadable value: never a group, never a refusal."""
LEFT_OUT = -2
"""Code of a value that the auditor left out of an attribute."""


@dataclass(frozen=True)
class Group:
    """One group of an attribute: its key as printed, and whether it is the privileged side."""

    key: str
    privileged: bool


@dataclass(frozen=True)
class Attribute:
    """A protected attribute with its groups, privileged group(s) first merged into one.

    ``groups[0]`` is always the privileged side (several privileged values form one group whose
    key joins theirs with ``, ``); the rest are unprivileged, in the order of the plan or of the
    values. ``codes`` of a sample index into ``groups``.
    """

    name: str
    column: str | None
    groups: tuple[Group, ...]
    soft: bool = False

    @property
    def privileged(self) -> Group:
        """The privileged group."""
        return self.groups[0]

    @property
    def unprivileged(self) -> tuple[Group, ...]:
        """The unprivileged groups."""
        return self.groups[1:]


@dataclass(frozen=True)
class Sample:
    """People of one source. All arrays have one entry a row, ``n`` rows.

    Attributes
    ----------
    role : str
        ``training``, ``test`` or ``all``.
    frame : pandas.DataFrame
        The typed columns as read (text as categories, numbers as numbers, blanks missing).
    outcome : int8 array or None
        1 favourable, 0 unfavourable, -1 unknown.
    decision : int8 array or None
        The same for the system's decisions; None where there are none for this sample.
    score : float array or None
        The system's score turned so that high is favourable; NaN where unknown. A supplied score
        keeps its own unit (it is negated where high is unfavourable).
    amount : float array or None
        The quoted amount; NaN where unknown.
    weight : float array or None
        Weights of the rows; None means one each.
    ids : object array or None
        The id of each person as text, for joining and naming rows.
    codes : mapping of attribute name to int16 array
        Index into ``Attribute.groups``; :data:`UNKNOWN` or :data:`LEFT_OUT` otherwise. For soft
        attributes the code is UNKNOWN throughout and ``membership`` is used.
    membership : mapping of attribute name to float array, shape (n, groups)
        Probabilities of belonging; rows that cannot be used are all zero.
    files : int16 array or None
        For several files appended: which of ``file_names`` each row came from.
    file_names : tuple of str
    """

    role: str
    frame: pd.DataFrame
    outcome: NDArray[np.int8] | None
    decision: NDArray[np.int8] | None
    score: NDArray[np.float64] | None
    amount: NDArray[np.float64] | None
    weight: NDArray[np.float64] | None
    ids: NDArray[np.object_] | None
    codes: Mapping[str, NDArray[np.int16]]
    membership: Mapping[str, NDArray[np.float64]]
    files: NDArray[np.int16] | None = None
    file_names: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.frame)


@dataclass(frozen=True)
class Cohort:
    """Everybody who is audited.

    Attributes
    ----------
    attributes : tuple of Attribute
        In the order of the plan.
    training, test, whole : Sample or None
        As the plan's ``data`` names them (``whole`` is ``all``); for a stand-in trained here on
        ``all``, the split made here is in ``training`` and ``test`` and ``whole`` stays too.
    features : tuple of str
        The columns that a stand-in may use (see the contract's ``features``).
    exclusions : list of dict
        ``what``, ``rows``, ``why``, one entry for each source, attribute and cause.
    warnings : list of dict
        ``code``, ``text``, ``where``.
    system_kind : str
        ``columns``, ``stand-in``, ``model file`` or ``none``.
    """

    attributes: tuple[Attribute, ...]
    training: Sample | None
    test: Sample | None
    whole: Sample | None
    features: tuple[str, ...]
    exclusions: list[dict[str, Any]]
    warnings: list[dict[str, Any]]
    system_kind: str
    test_rows: NDArray[np.int64] | None = None
    """Rows of ``whole`` that a split made here put into ``test``, in the order of ``test``."""
    fitted: Any = None
    """The fitted stand-in or loaded model (:class:`engine.models.base.Predictor`), else None."""

    def attribute(self, name: str | None = None) -> Attribute:
        """The attribute of that name, or the first."""
        if name is None:
            return self.attributes[0]
        return next(a for a in self.attributes if a.name == name)

    @property
    def decided(self) -> Sample | None:
        """The sample that holds the decisions: ``test``, else ``all``."""
        for sample in (self.test, self.whole):
            if sample is not None and sample.decision is not None:
                return sample
        return None

    @property
    def recorded(self) -> Sample | None:
        """The sample whose recorded outcomes are audited: what the plan calls ``training``, else
        ``all`` (whole, also where it is split for a stand-in: the outcomes are the file's, not
        the stand-in's); with no system at all also ``test``. None where they are "not checked"
        (the contract)."""
        if self.whole is not None:
            return self.whole
        if self.training is not None:
            return self.training
        return self.test if self.system_kind == "none" else None
