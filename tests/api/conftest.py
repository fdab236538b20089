"""Fixtures of the tests of `api` that tests elsewhere have too."""

from __future__ import annotations

from tests.models.worker.test_confirmed import weights

__all__ = ["weights"]
