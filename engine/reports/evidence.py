"""The pages behind page 1: everything the verdict rests on, as flowables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reportlab.platypus.flowables import Flowable

from .facts import CertificateFacts
from .flow import heading
from .tables import pairs


def story(
    *, facts: CertificateFacts, result: Mapping[str, Any], state: Mapping[str, Any], width: float
) -> list[Flowable]:
    """All sections in order."""
    return [
        heading("What is known of this audit"),
        pairs(
            [(f"{fact.number} {fact.title}", fact.text) for fact in facts.fields],
            title="Facts",
            head=("Fact", "What is known"),
        ),
    ]
