"""Tests of `api/confirming.py`: an example that agrees confirms a runner, and what cannot be confirmed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.models.worker.test_confirmed import KEY, example, settings
from triptych.api.confirming import confirm_model
from triptych.errors import SpecError
from triptych.models.catalogue import find_model
from triptych.models.worker import environments
from triptych.models.worker.confirmed import NEVER, confirmation, runner_hash, state


def test_an_example_that_agrees_confirms_the_runner(weights: Path) -> None:
    assert state(KEY) == NEVER
    found, stored = confirm_model(KEY, example(weights), settings(weights))
    assert stored is not None and found.answer == "Mister Quilter." and found.versions["python"]
    assert state(f"worker/{KEY}") == f"confirmed on {found.date} with {found.revision}" and found.revision
    row = find_model(KEY)
    assert row is not None and confirmation(row) == found
    runner = environments.RUNNERS / "qwen_chat.py"
    runner.write_text(runner.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    assert runner_hash(row) != found.runner and state(KEY) == NEVER  # another runner was confirmed


def test_only_a_runner_of_the_house_is_confirmed(weights: Path) -> None:
    for name, more in (("qwen2.5-omni-7b", {}), ("nobody", {}), (KEY, {"runner": "mine.py"})):
        with pytest.raises(SpecError, match="runner"):
            confirm_model(name, example(weights), {**settings(weights), **more})
