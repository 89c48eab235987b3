"""The wizard of prices and amounts: what is compared, at which risk, by which mark."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.methods.base import Setting
from gui.widgets.header import FoldingHeader, PageHeader
from gui.widgets.message import MessageBar

from .list_fields import ColumnsField, OneOfField, TwoWaysField
from .list_words import text
from .method_page import MethodPage
from .result_view import MethodView, make_view
from .setting_fields import Offer, SettingField
from .words import text as wizard_text

if TYPE_CHECKING:
    from engine.base.watch import Watch
    from gui.engine_calls import Reading

LINEAR, BOOSTING = "linear_regression", "gradient_boosting"


class ModelsField(OneOfField):
    """Which models predict the amount."""

    OPTIONS = (
        (None, text("models_auto")),
        ([], text("models_none")),
        ([LINEAR], text("models_linear")),
        ([BOOSTING], text("models_boosting")),
        ([LINEAR, BOOSTING], text("models_both")),
    )

    def _help(self) -> str:
        return text("models_help")


class Wizard(MethodPage):
    """Gaps of a number instead of a yes or no."""

    def make_header(self) -> PageHeader:
        head = wizard_text("head", step=self.number)
        made = FoldingHeader(head, self.title, self.sentence, self.pages)
        made.page_changed.connect(self.show_page)
        return made

    # Pages --------------------------------------------------------------------------------------

    def make_page(self, name: str, settings: list[Setting], offer: Offer) -> QWidget:
        form = super().make_page(name, settings, offer)
        inner = form.layout()
        assert isinstance(inner, QVBoxLayout)
        if name == "Amounts":
            self.quoted = self.message("info", " ")
            inner.insertWidget(0, self.quoted)
        elif name == "Pass mark":
            self.mark = self.message("info", " ")
            inner.insertWidget(0, self.mark)
        return form

    def make_field(self, setting: Setting, offer: Offer) -> SettingField:
        if setting.name in ("actual", "quotes"):
            offer = replace(offer, columns=self._numbers(offer))
        if setting.name == "quotes":
            return ColumnsField(setting, offer)
        if setting.name == "models":
            return ModelsField(setting, offer)
        if setting.name == "adverse":
            return TwoWaysField(setting, offer, self._amount()[1])
        return super().make_field(setting, offer)

    def _numbers(self, offer: Offer) -> list[str]:
        """The columns that hold numbers: only they can be amounts."""
        from pandas.api.types import is_bool_dtype, is_numeric_dtype

        kinds: dict[str, bool] = {}
        for item in self.session.state["items"]:
            table = self.session.table(item["id"])
            if table is not None:
                for column, kind in table.frame.dtypes.items():
                    fits = bool(is_numeric_dtype(kind) and not is_bool_dtype(kind))
                    kinds[str(column)] = kinds.get(str(column), True) and fits
        return [name for name in offer.columns if kinds.get(name, True)]

    def _amount(self) -> tuple[str, str | None]:
        """The column of the quoted amount that the plan names, and its adverse direction."""
        system = self.session.plan.get("system")
        given = system.get("amount") if isinstance(system, dict) else None
        if not given:
            return "", None
        if isinstance(given, str):
            return given, None
        return str(given.get("column") or ""), given.get("adverse")

    # Showing ------------------------------------------------------------------------------------

    def refresh(self) -> None:
        super().refresh()
        if hasattr(self, "quoted"):
            self._show_quoted(self.quoted)
        if hasattr(self, "mark"):
            seen = bool(self.session.state["seen"]["result"]) and self.name in (
                self.session.result or {}
            )
            code = "price_seen" if seen else "price_free"
            self.mark.show_message("warning" if seen else "info", text(code))

    def _show_quoted(self, bar: MessageBar) -> None:
        column, planned = self._amount()
        adverse = self._given()["adverse"]
        adverse = planned if adverse == TwoWaysField.OPEN else adverse
        link = {"link_text": text("price_step"), "link": "step:5"}
        if adverse is None:
            bar.show_message("question", text("price_ask"))
        elif column:
            worse = text(f"price_quoted_{adverse}")
            bar.show_message("info", text("price_quoted", column=column, worse=worse), **link)
        else:
            bar.show_message("info", text("price_none"), **link)

    def read_result(self, reading: Reading, watch: Watch) -> Any:
        return with_files(make_view(reading, self.name, watch), reading, self.name)


def with_files(view: MethodView, reading: Reading, name: str) -> MethodView:
    """The view with every table of the run that belongs to the method."""
    stems = sorted(stem for stem in reading.tables if stem.startswith(f"{name}_"))
    return replace(view, files=tuple((stem, len(reading.tables[stem])) for stem in stems))
