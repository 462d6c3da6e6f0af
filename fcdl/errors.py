"""Errors that are the input's fault and not the program's: their messages are made to be read by users."""

from __future__ import annotations


class FcdlError(ValueError):
    """Something a user can mend; the command line prints its message and ends with its exit code."""

    exit_code = 1
