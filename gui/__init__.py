"""The window. The only place that knows Qt."""

from .guard import guard

guard()
