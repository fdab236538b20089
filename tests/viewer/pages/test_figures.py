"""Tests of `viewer/pages/figures.py`: tables of a Run's figures, each linked to the Items that it was computed from."""

from __future__ import annotations

import shutil
from pathlib import Path

from starlette.testclient import TestClient

import triptych
from triptych.benchmarks import load_benchmark
from triptych.store.folder import RunFolder
from triptych.viewer.catalogue import scores_of
from triptych.viewer.pages.figures import overview_of


def test_the_best_is_marked_only_among_runs_of_all_questions(client: TestClient, root: Path) -> None:
    def best(*runs: str) -> list[bool]:
        folders = {run: RunFolder.open(root / run) for run in runs}
        scored = {run: own for run, folder in folders.items() if (own := scores_of(folder)) is not None}
        shown = overview_of(load_benchmark("xmodbench"), scored, folders)
        assert shown is not None
        return [any(cell.best for cell in cells) for _, _, cells, _ in shown.rows]

    assert best("xmodbench/random", "xmodbench/knowing") == [False, True]
    triptych.run("xmodbench/linguistic/translation", "baseline/first", limit=1, out=root / "small")
    try:
        assert best("xmodbench/random", "xmodbench/knowing", "small") == [False, True, False]
        assert best("xmodbench/knowing", "small") == [False, False], "one was asked a question, the other four"
    finally:
        shutil.rmtree(root / "small")
