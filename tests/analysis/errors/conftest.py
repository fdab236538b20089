"""Fixtures of the tests of errors that tests elsewhere have too."""

from __future__ import annotations

from tests.support.errors import run_with_errors

__all__ = ["run_with_errors"]
