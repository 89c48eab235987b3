"""Charts as data, drawn alike on screen (matplotlib ``Figure``) and on paper (reportlab)."""
