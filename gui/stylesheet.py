"""The one stylesheet, built from the palette, the type table and the text scale."""

from __future__ import annotations

from string import Template
from typing import TYPE_CHECKING

from . import icons
from .palette import TYPE

if TYPE_CHECKING:
    from .theme import Theme

_SHEET = Template("""
QMainWindow, QDialog, QMessageBox { background: $window; }
QToolTip { background: $page; color: $text; border: 1px solid $control; padding: ${p4}px; }
QLabel { background: transparent; }
*[tone="second"] { color: $text2; }
*[tone="accent"] { color: $accent; }
*[tone="outside"] { color: $outside; }
*[tone="not_settled"] { color: $not_settled; }
*[tone="within"] { color: $within; }
*[tone="disabled"] { color: $not_checked; }
QWidget[ground="page"], QScrollArea[ground="page"] { background: $page; }
QWidget[ground="window"] { background: $window; }
QFrame[line="bottom"] { border: none; border-bottom: 1px solid $hairline; }
QFrame[line="top"] { border: none; border-top: 1px solid $hairline; }
QFrame[line="left"] { border: none; border-left: 1px solid $hairline; }
QFrame[line="right"] { border: none; border-right: 1px solid $hairline; }
QFrame[line="rule"] { border: none; background: $control; max-height: 1px; min-height: 1px; }
QFrame[line="hair"] { border: none; background: $hairline; max-height: 1px; min-height: 1px; }
QFrame[panel="true"] { background: $page; border: 1px solid $hairline; border-radius: 6px; }
QFrame[panel="drop"] { background: transparent; border: 1px dashed $control; border-radius: 6px; }
QFrame[panel="over"] { background: $selection; border: 2px dashed $accent; border-radius: 6px; }
QFrame[message] { background: $page; border: 1px solid $hairline; border-left: 3px solid $accent;
  border-radius: 4px; }
QFrame[message="good"] { border-left-color: $within; }
QFrame[message="warning"] { border-left-color: $not_settled; }
QFrame[message="outside"] { border-left-color: $outside; }

QMenuBar { background: $window; border-bottom: 1px solid $hairline; padding: 0 ${p12}px; spacing: 0; }
QMenuBar::item { padding: ${p6}px ${p9}px; background: transparent; color: $text; }
QMenuBar::item:selected { background: $selection; }
QMenu { background: $page; border: 1px solid $control; padding: ${p4}px 0; }
QMenu::item { padding: ${p6}px ${p24}px ${p6}px ${p16}px; color: $text; }
QMenu::item:selected { background: $selection; }
QMenu::item:disabled { color: $not_checked; }
QMenu::separator { height: 1px; background: $hairline; margin: ${p4}px 0; }
QMenu::icon { padding-left: ${p8}px; }
QMenu::indicator { width: ${p14}px; height: ${p14}px; padding-left: ${p8}px; }
QMenu::indicator:checked { image: url($tick); }

QPushButton { background: $page; color: $text; border: 1px solid $control; border-radius: 5px;
  min-height: ${p30}px; max-height: ${p30}px; padding: 0 ${p14}px; $t_button }
QPushButton[small="true"] { min-height: ${p24}px; max-height: ${p24}px; padding: 0 ${p10}px; }
QPushButton:hover { border-color: $accent; }
QPushButton:pressed { background: $selection; }
QPushButton:focus { border: 2px solid $accent; min-height: ${p28}px; max-height: ${p28}px;
  padding: 0 ${p14f}px; }
QPushButton[small="true"]:focus { min-height: ${p22}px; max-height: ${p22}px;
  padding: 0 ${p10f}px; }
QPushButton:disabled { background: $window; color: $not_checked; border: 1px solid $hairline; }
QPushButton:default, QPushButton[primary="true"] { background: $accent; color: $on_accent;
  border-color: $accent; }
QPushButton:default:pressed, QPushButton[primary="true"]:pressed { background: $band_edge; }
QPushButton:default:disabled, QPushButton[primary="true"]:disabled { background: $window;
  color: $not_checked; border: 1px solid $hairline; }
QPushButton[link="true"] { background: transparent; border: 1px solid transparent;
  color: $accent; text-decoration: underline; min-height: ${p20}px; max-height: ${p20}px;
  padding: 0 0; font-weight: 500; }
QPushButton[link="true"]:focus { border: 2px solid $accent; min-height: ${p18}px;
  max-height: ${p18}px; border-radius: 3px; }
QPushButton[link="true"]:disabled { color: $not_checked; border-color: transparent; }

QToolButton { background: transparent; border: 1px solid transparent; border-radius: 4px;
  padding: ${p2}px; color: $text; }
QToolButton:hover { background: $selection; }
QToolButton:focus { border: 2px solid $accent; padding: ${p1}px; }
QToolButton[joined] { background: $page; border: 1px solid $control; border-radius: 0;
  border-right: none; min-height: ${p20}px; padding: 0 ${p4}px; color: $text2; $t_help }
QToolButton[joined="first"] { border-top-left-radius: 4px; border-bottom-left-radius: 4px; }
QToolButton[joined="last"] { border-top-right-radius: 4px; border-bottom-right-radius: 4px;
  border-right: 1px solid $control; }
QToolButton[joined="only"] { border-radius: 4px; border-right: 1px solid $control; }
QToolButton[joined]:checked { background: $accent; color: $on_accent; font-weight: 600;
  border-color: $accent; }
QToolButton[joined]:disabled { color: $not_checked; background: $window; }
QToolButton[joined]:checked:disabled { color: $not_checked; background: $not_checked_tint;
  border-color: $control; }
QToolButton[joined]:focus { border: 2px solid $accent; padding: 0 ${p3}px; min-height: ${p18}px; }
QToolButton[joined]:checked:focus { border: 2px solid $text; }

QLineEdit, QComboBox, QAbstractSpinBox, QDateEdit { background: $page; color: $text;
  border: 1px solid $control; border-radius: 4px; min-height: ${p28}px; padding: 0 ${p8}px;
  selection-background-color: $selection; selection-color: $text; }
QLineEdit:focus, QComboBox:focus, QAbstractSpinBox:focus, QDateEdit:focus {
  border: 2px solid $accent; min-height: ${p26}px; padding: 0 ${p7}px; }
QLineEdit:disabled, QComboBox:disabled, QAbstractSpinBox:disabled, QDateEdit:disabled,
QPlainTextEdit:disabled { background: $window; color: $not_checked; border-color: $hairline; }
QLineEdit:read-only { background: $window; }
QLineEdit, QPlainTextEdit, QTextEdit { placeholder-text-color: $text2; }
QLineEdit[small="true"], QComboBox[small="true"], QAbstractSpinBox[small="true"] {
  min-height: ${p24}px; }
*[error="true"] { border-color: $outside; }
QComboBox::drop-down { border: none; width: ${p26}px; subcontrol-origin: padding;
  subcontrol-position: center right; }
QComboBox::down-arrow { image: url($down); width: ${p14}px; height: ${p14}px; }
QComboBox QAbstractItemView { background: $page; border: 1px solid $control; outline: none;
  selection-background-color: $selection; selection-color: $text; }
QComboBox QAbstractItemView::item { min-height: ${p26}px; padding: 0 ${p8}px; }
QAbstractSpinBox { padding-right: ${p2}px; max-height: ${p28}px; }
QAbstractSpinBox:focus { max-height: ${p26}px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { border: none; width: ${p20}px;
  background: transparent; subcontrol-origin: border; }
QAbstractSpinBox::up-button { subcontrol-position: top right; margin: 1px 1px 0 0; }
QAbstractSpinBox::down-button { subcontrol-position: bottom right; margin: 0 1px 1px 0; }
QAbstractSpinBox::up-arrow { image: url($up); width: ${p12}px; height: ${p12}px; }
QAbstractSpinBox::down-arrow { image: url($down); width: ${p12}px; height: ${p12}px; }
QDateEdit::drop-down { border: none; width: ${p26}px; }
QDateEdit::down-arrow { image: url($down); width: ${p14}px; height: ${p14}px; }
QPlainTextEdit, QTextEdit { background: $page; color: $text; border: 1px solid $control;
  border-radius: 4px; padding: ${p4}px; selection-background-color: $selection;
  selection-color: $text; }
QPlainTextEdit:focus, QTextEdit:focus { border: 2px solid $accent; padding: ${p3}px; }
QTextBrowser { background: transparent; border: 1px solid transparent; padding: 0; }
QTextBrowser:focus { border: 1px solid $accent; padding: 0; }
QCheckBox, QRadioButton { spacing: ${p8}px; color: $text; background: transparent;
  border: 2px solid transparent; border-radius: 4px; padding: 1px ${p2}px 1px 0; }
QCheckBox:focus, QRadioButton:focus { border: 2px solid $accent; }
QCheckBox:disabled, QRadioButton:disabled { color: $not_checked; }
QTreeView[boxed="true"]::item { padding: 0 ${p6}px; }
QTreeView::indicator { width: ${p16}px; height: ${p16}px; }
QTreeView::indicator:unchecked { image: url($check_off); }
QTreeView::indicator:checked { image: url($check_on); }
QTreeView[boxed="true"]:focus { border: 1px solid $accent; }
QTreeView QHeaderView::section { background: $page; color: $text2; border: none;
  border-bottom: 1px solid $control; padding: ${p4}px ${p8}px; $t_head }
QCheckBox::indicator, QRadioButton::indicator { width: ${p16}px; height: ${p16}px; }
QCheckBox::indicator:unchecked { image: url($check_off); }
QCheckBox::indicator:checked { image: url($check_on); }
QCheckBox::indicator:unchecked:disabled { image: url($check_off_dis); }
QCheckBox::indicator:checked:disabled { image: url($check_on_dis); }
QRadioButton::indicator:unchecked { image: url($radio_off); }
QRadioButton::indicator:checked { image: url($radio_on); }
QRadioButton::indicator:unchecked:disabled { image: url($radio_off_dis); }
QRadioButton::indicator:checked:disabled { image: url($radio_on_dis); }
QGroupBox { border: none; margin: 0; padding: 0; }

QTabBar { background: transparent; border: none; }
QTabBar::tab { background: transparent; color: $text2; border: none;
  border-bottom: 2px solid transparent; padding: ${p2}px 0 ${p4}px 0; margin-left: ${p20}px; }
QTabBar::tab:selected { color: $text; border-bottom-color: $accent; font-weight: 600; }
QTabBar::tab:focus { color: $accent; }
QTabBar::tab:disabled { color: $not_checked; }
QTabBar::scroller { width: ${p28}px; }
QTabBar QToolButton { background: $page; border: 1px solid $control; }
QTabBar QToolButton::left-arrow { image: url($left); width: ${p14}px; height: ${p14}px; }
QTabBar QToolButton::right-arrow { image: url($right); width: ${p14}px; height: ${p14}px; }

QTableView, QTreeView, QListView { background: $page; color: $text; border: none; outline: none;
  selection-background-color: $selection; selection-color: $text; }
QTableView[boxed="true"], QTreeView[boxed="true"] { border: 1px solid $hairline; border-radius: 6px; }
QListView[steps="true"] { background: $window; border: none; }
QListView::item, QTreeView::item { min-height: ${p26}px; }
QHeaderView { background: transparent; border: none; }
QTableCornerButton::section { background: $page; border: none; }

QProgressBar { background: $hairline; border: none; border-radius: 3px; max-height: ${p6}px;
  min-height: ${p6}px; }
QProgressBar::chunk { background: $accent; border-radius: 3px; }

QScrollArea { border: none; }
QScrollBar:vertical { background: transparent; width: ${p12}px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: ${p12}px; margin: 0; }
QScrollBar::handle { background: $control; border-radius: ${p3}px; margin: ${p3}px; }
QScrollBar::handle:vertical { min-height: ${p32}px; }
QScrollBar::handle:horizontal { min-width: ${p32}px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSplitter::handle { background: $hairline; }

*[card] { background: $page; border: 1px solid $hairline; border-radius: 6px; padding: 0;
  text-align: left; min-height: ${p62}px; max-height: 999px; }
*[card]:focus { border: 2px solid $accent; min-height: ${p60}px; max-height: 999px; padding: 0; }
*[card="primary"] { background: $accent; border-color: $accent; }
*[card="primary"] QLabel, *[card="primary"] QLabel[tone="second"] { color: $on_accent; }
*[card="primary"]:focus { border: 2px solid $text; }
*[card]:pressed { background: $selection; }
*[card="primary"]:pressed { background: $band_edge; }
""")

_PIXELS = (1, 2, 3, 4, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 60, 62)


def _type_rule(family: str, points: float, weight: int) -> str:
    return f'font-family: "{family}"; font-size: {points:.2f}pt; font-weight: {weight};'


def stylesheet(theme: Theme) -> str:
    """The stylesheet for the theme's palette and text scale."""
    c = theme.colours
    rules = {
        role: _type_rule(family, points * theme.scale, weight)
        for role, (family, points, weight) in TYPE.items()
    }
    fields: dict[str, object] = {**vars(c)}
    fields.update({f"t_{role}": rule for role, rule in rules.items()})
    fields.update({f"p{n}": theme.px(n) for n in _PIXELS})
    fields["p14f"] = theme.px(14) - 1
    fields["p10f"] = theme.px(10) - 1
    fields["down"] = icons.file_of("chevron-down", c.text2)
    fields["up"] = icons.file_of("chevron-up", c.text2)
    fields["left"] = icons.file_of("chevron-left", c.text2)
    fields["right"] = icons.file_of("chevron-right", c.text2)
    fields["tick"] = icons.file_of("check", c.text)
    for kind in ("check", "radio"):
        fields[f"{kind}_off"] = icons.indicator(kind, False, c.control, c.page, c.on_accent)
        fields[f"{kind}_on"] = icons.indicator(kind, True, c.accent, c.accent, c.on_accent)
        fields[f"{kind}_off_dis"] = icons.indicator(kind, False, c.hairline, c.window, c.page)
        fields[f"{kind}_on_dis"] = icons.indicator(
            kind, True, c.hairline, c.not_checked_tint, c.not_checked
        )
    roles = "\n".join(f'*[role="{role}"] {{ {rule} }}' for role, rule in rules.items())
    return _SHEET.substitute(fields) + roles
