"""Tests of `judges/panel.py`: the panel."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judges.test_asking import PAIR, Judged, ask, case
from triptych.errors import DataError, SpecError
from triptych.judges.panel import Judge, Panel, load_panel
from triptych.judges.rubric import load_rubric
from triptych.models.baseline import make


def test_the_panel_is_kept_and_names_journals_by_all_that_matters(tmp_path: Path) -> None:
    ask(tmp_path, [Judged(lambda _: "9 5")], [case(1)])
    panel = load_panel(tmp_path)
    assert panel is not None and [judge.model for judge in panel.judges] == ["told/judge"]
    judge = panel.judges[0]
    names = {
        judge.signature(PAIR),
        judge.signature(load_rubric("pass_fail")),
        Judge("told/judge", "r2").signature(PAIR),
        Judge("told/judge", decoding={"temperature": 1}).signature(PAIR),
    }
    assert len(names) == 4
    assert (tmp_path / f"{judge.signature(PAIR)}.jsonl").is_file()
    assert load_panel(tmp_path / "nowhere") is None


def test_a_baseline_is_no_judge_and_a_panel_makes_sense() -> None:
    with pytest.raises(SpecError, match="can't be used as a judge"):
        Judge.from_adapter(make("random", {}))
    for panel in (Panel(()), Panel((Judge("a/b"), Judge("a/b"))), Panel((Judge("a/b"),), 0)):
        with pytest.raises(SpecError):
            panel.validated()


def test_a_panel_in_a_strangers_run_can_not_ask_without_end(tmp_path: Path) -> None:
    """What has no verdict is counted for each evaluation: a billion of them would never end."""
    (tmp_path / "panel.json").write_text('{"judges":[{"model":"openai/m"}],"evaluations":1000000000}')
    with pytest.raises(DataError, match="out of range"):
        load_panel(tmp_path)
