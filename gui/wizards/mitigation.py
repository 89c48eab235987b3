"""The wizard of scenarios: plainly a study, with proxies chosen from what they tell."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.methods.base import Setting
from gui.jobs import Job
from gui.widgets.basic import Label

from .method_page import MethodPage
from .setting_fields import Offer
from .study_proxies import ProxyPage, Told, basis_of, measure, of_result
from .study_words import text

PER_ATTRIBUTE = ("reweighing", "cell factor", "oversampling", "undersampling", "thresholds")
"""Scenarios that are played for every attribute where that is asked for."""


class Wizard(MethodPage):
    """What would help."""

    def build(self) -> None:
        self.proxies: ProxyPage | None = None
        self.fits: Label | None = None
        self._told: Told | None = None
        self._job: Job | None = None
        super().build()
        self.study_bar = self.message("info", text("study"))
        self.body.insertWidget(1, self.study_bar)

    def make_page(self, name: str, settings: list[Setting], offer: Offer) -> QWidget:
        form = super().make_page(name, [s for s in settings if s.name != "proxies"], offer)
        if name == "Scenarios":
            self.fits = Label("", "help", tone="second", wrap=True)
            inner = form.layout()
            assert isinstance(inner, QVBoxLayout)
            inner.addWidget(self.fits)
        if any(s.name == "proxies" for s in settings):
            self.proxies = ProxyPage(form)
            self.proxies.picked.connect(self._pick)
            self.proxies.as_measured.connect(lambda: self._set_proxies(None))
            self.proxies.measure_asked.connect(self.measure)
            return self.proxies
        return form

    # Proxies ------------------------------------------------------------------------------------

    def _pick(self, columns: list[str]) -> None:
        self._set_proxies(columns)

    def _set_proxies(self, columns: list[str] | None) -> None:
        if self.session.read_only:
            return
        given = {k: v for k, v in (self.asked.get(self.name) or {}).items() if k != "proxies"}
        if columns is not None:
            given["proxies"] = columns
        words = text("act_back" if columns is None else "act")
        self._set_methods({**self.asked, self.name: given}, words)
        self.refresh()

    def measure(self) -> None:
        """Measure what the columns tell, in a job."""
        if self._measuring:
            return
        work = measure(self.session, self._given())
        self._job = self.session.jobs.start(
            text("measuring"), work, on_done=self._measured, on_failed=self._not_measured,
            page=self.number,
        )  # fmt: skip
        self.refresh()

    @property
    def _measuring(self) -> bool:
        return self._job is not None and self._job.state in ("running", "stopping")

    def _measured(self, told: Told) -> None:
        self._told = told
        self.refresh()

    def _not_measured(self, error: Exception) -> None:
        self.session.refuse(error)
        self.refresh()

    def _known(self, attribute: str, basis: str) -> Told | None:
        """What was measured last of this attribute: here, else by the run."""
        if self._told is not None and self._told.attribute == attribute:
            return self._told
        part = (self.session.result or {}).get(self.name)
        if part is not None and part["attribute"] == attribute:
            plan = (self.session.result or {}).get("plan") or {}
            same = self.session.result_current
            return of_result(part, basis if same else basis_of(plan, {}))
        return None

    # Showing ------------------------------------------------------------------------------------

    def refresh(self) -> None:
        super().refresh()
        given = self._given()
        names = list(self._offered.attributes)
        if self.fits is not None:
            each = len(names) if given["each_attribute"] else 1
            played = [s for s in given["scenarios"] if s != "none"]
            n = 1 + sum(each if s in PER_ATTRIBUTE else 1 for s in played)
            self.fits.setText(text("fits", n=n) if n > 1 else text("fits_one"))
        if self.proxies is not None:
            attribute = given["attribute"] or (names[0] if names else text("first"))
            basis = basis_of(self.session.plan, given)
            told = self._known(attribute, basis)
            chosen: Any = given["proxies"]
            self.proxies.show_told(
                told,
                chosen=[chosen] if isinstance(chosen, str) else chosen,
                least=float(given["proxy_from"]),
                attribute=attribute,
                old=told is not None and told.basis != basis,
                closed=self.session.read_only,
                busy=self._measuring,
            )
