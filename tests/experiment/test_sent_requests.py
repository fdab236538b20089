"""Tests of `experiment/sent_requests.py`."""

from __future__ import annotations

import json
import sys
from collections import deque
from functools import cache
from pathlib import Path

import pytest

import triptych
from tests.cli.test_main_strangers_runs import NAMED, call
from triptych.benchmarks import load_benchmark
from triptych.experiment.sent_requests import sent_messages
from triptych.store.folder import RunFolder


@cache
def _watched() -> deque[str]:
    """What this process opened lately; a hook can't be taken back, so there is one."""
    opened: deque[str] = deque(maxlen=10_000)
    sys.addaudithook(lambda event, given: opened.append(str(given[0])) if event == "open" else None)
    return opened


@pytest.mark.parametrize("condition", NAMED)
def test_a_file_that_a_manifest_names_is_opened_by_nothing_that_looks_at_the_run(
    condition: str, tmp_path: Path
) -> None:
    """A Run's Condition is made again for what it does to the prompt; its file is opened only to ask."""
    run = triptych.run("xmodbench/perception", "baseline/random", out=tmp_path / "run", limit=1).folder
    secret = tmp_path / "secret.json"
    secret.write_text("{}")
    changed = json.loads((run.path / "manifest.json").read_text())
    changed["conditions"] = [condition.format(secret)]
    (run.path / "manifest.json").write_text(json.dumps(changed))
    opened = _watched()
    opened.clear()
    for command in ("score", "audit run", "errors", "report"):
        call(*command.split(), run.path, *(["--to", tmp_path / "out"] if command == "report" else []))
    folder = RunFolder.open(run.path)
    bench, response = load_benchmark("xmodbench"), next(folder.responses())
    item = next(item for item in folder.items() if item.id == response.item)
    assert sent_messages(item, response, folder.manifest, bench.spec).certainty in ("other", "exact")
    assert str(run.path / "responses.jsonl") in opened and str(secret) not in opened
