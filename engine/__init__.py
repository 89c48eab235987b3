"""The numeric engine of FairAssay: no window, no clock, no global random state.

The one road is ``received file -> table -> plan -> run -> result -> findings -> decision ->
certificate``; :mod:`engine.run` walks it for the window, the command line and the tests alike.
"""

__version__ = "0.1.0"
