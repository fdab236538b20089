"""Fixtures of the tests of `api` that tests elsewhere have too."""

from __future__ import annotations

from tests.experiment.conftest import here
from tests.models.worker.test_confirmed import weights
from tests.support.errors import run_with_errors
from tests.support.shards import asked, shards

__all__ = ["asked", "here", "run_with_errors", "shards", "weights"]
