"""The window's appearance: palette, fonts, measures and the one stylesheet, changed at run time."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetrics, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from .palette import DARK, LIGHT, TYPE, Palette
from .paths import RESOURCES

APPEARANCES = ("system", "light", "dark")
SCALES = (100, 110, 125, 150, 175, 200)


class Theme(QObject):
    """What every own-painted part asks for colours, fonts and sizes.

    Connect to :attr:`changed` to re-make what was made from a colour or a size (icons, figures);
    parts that paint themselves only need :meth:`QWidget.update`, which the stylesheet causes.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.appearance = "system"
        self.scale = 1.0
        self.colours: Palette = LIGHT
        self._fonts_read = False
        self._fonts: dict[tuple[str, int | None], QFont] = {}
        self._metrics: dict[str, QFontMetrics] = {}

    @property
    def dark(self) -> bool:
        """Whether the dark column of the palette is in use."""
        return self.colours is DARK

    @property
    def name(self) -> str:
        """``light`` or ``dark``, as :func:`engine.drawing.screen.draw` takes it."""
        return "dark" if self.dark else "light"

    def px(self, at_100: float) -> int:
        """A measure of the look, in pixels at 100 %, for the text scale in use."""
        return max(1, round(at_100 * self.scale))

    def colour(self, name: str) -> QColor:
        """A colour by the name of its use, such as ``text2`` or ``within_tint``."""
        return QColor(getattr(self.colours, name))

    def font(self, role: str = "text", *, weight: int | None = None) -> QFont:
        """The font of a role of type, see :data:`gui.palette.TYPE`."""
        known = self._fonts.get((role, weight))
        if known is None:
            family, points, usual = TYPE[role]
            known = QFont(family)
            known.setPointSizeF(points * self.scale)
            known.setWeight(QFont.Weight(weight or usual))
            self._fonts[role, weight] = known
        return QFont(known)

    def metrics(self, role: str = "text") -> QFontMetrics:
        """The measures of a role's font; asked for every cell of a table, so they are kept."""
        known = self._metrics.get(role)
        if known is None:
            known = self._metrics[role] = QFontMetrics(self.font(role))
        return known

    def use(self, *, appearance: str | None = None, scale: int | None = None) -> None:
        """Change appearance (``system``, ``light``, ``dark``) and text scale (per cent), at once."""
        if appearance in APPEARANCES:
            self.appearance = appearance
        if scale is not None:
            self.scale = min(200, max(100, scale)) / 100
        self.apply()

    def apply(self) -> None:
        """Rebuild palette and stylesheet of the application and tell everybody."""
        app = QApplication.instance()
        if not isinstance(app, QApplication):
            return
        if not self._fonts_read:
            for file in sorted((RESOURCES / "fonts").glob("IBMPlex*.ttf")):
                QFontDatabase.addApplicationFont(str(file))
            app.setStyle("Fusion")
            hints = app.styleHints()
            hints.colorSchemeChanged.connect(self._system_changed)
            self._fonts_read = True
        self.colours = DARK if self._wants_dark(app) else LIGHT
        self._fonts.clear()
        self._metrics.clear()
        from .stylesheet import stylesheet

        app.setFont(self.font())
        app.setPalette(qt_palette(self.colours))
        app.setStyleSheet(stylesheet(self))
        self.changed.emit()

    def _wants_dark(self, app: QApplication) -> bool:
        if self.appearance == "system":
            return app.styleHints().colorScheme() == Qt.ColorScheme.Dark
        return self.appearance == "dark"

    def _system_changed(self) -> None:
        if self.appearance == "system":
            self.apply()


def qt_palette(c: Palette) -> QPalette:
    """The palette of Qt's own parts, built from the table of colours."""
    made = QPalette()
    role = QPalette.ColorRole
    for target, colour in {
        role.Window: c.window,
        role.Base: c.page,
        role.AlternateBase: c.total,
        role.Text: c.text,
        role.WindowText: c.text,
        role.ButtonText: c.text,
        role.PlaceholderText: c.text2,
        role.Button: c.page,
        role.Highlight: c.selection,
        role.HighlightedText: c.text,
        role.Link: c.accent,
        role.LinkVisited: c.accent,
        role.Accent: c.accent,
        role.Mid: c.hairline,
        role.Light: c.page,
        role.Midlight: c.hairline,
        role.Dark: c.control,
        role.Shadow: c.control,
        role.BrightText: c.on_accent,
        role.ToolTipBase: c.page,
        role.ToolTipText: c.text,
    }.items():
        made.setColor(target, QColor(colour))
    for target in (role.Text, role.WindowText, role.ButtonText, role.HighlightedText):
        made.setColor(QPalette.ColorGroup.Disabled, target, QColor(c.not_checked))
    return made


_theme: Theme | None = None


def theme() -> Theme:
    """The one theme of this process."""
    global _theme
    if _theme is None:
        _theme = Theme()
    return _theme


def restyle(widget: QWidget) -> None:
    """Have the stylesheet look again at a widget after one of its properties was changed."""
    style = widget.style()
    style.unpolish(widget)
    style.polish(widget)
    widget.update()
