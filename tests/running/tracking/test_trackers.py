"""Tests of `running/tracking/trackers.py`: one class per service."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from tests.running.tracking.test_tracking import response
from triptych.errors import SpecError
from triptych.running.tally import Tally
from triptych.running.tracking import trackers
from triptych.running.tracking import tracking as own
from triptych.running.tracking.trackers import TRACKERS, Tracked, check_tracker, distinct


def test_the_last_progress_is_sent_also_if_an_earlier_report_waits(tmp_path: Path) -> None:
    """A slow service delays the report; it then has the newest numbers."""
    sending, sent = threading.Event(), []

    class Slow:
        def __init__(self, run: Tracked, where: str) -> None:
            sending.wait(10)

        def progress(self, values: dict[str, float]) -> None:
            sent.append(values["asked"])

        def end(self, state: str) -> None:
            sent.append(state)

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(TRACKERS, "jsonl", (Slow, ((),), ""))
        tracked = own.Tracking(["jsonl"], Tracked("k", "label", tmp_path, {}))
        tally = Tally()
        for number in range(3):
            tally.add(response(str(number)))
            tracked.progress(tally)
        sending.set()
        tracked.end("done")
    assert sent == [3, "done"]


def test_a_trackers_error_shows_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = "sk-" + "a1b2c3d4" * 4

    def refuse(run: Tracked, where: str) -> None:
        raise ValueError(f"401 for key {key}")

    monkeypatch.setitem(TRACKERS, "jsonl", (refuse, ((),), ""))
    with pytest.warns(UserWarning, match="the Run goes on without it") as caught:
        own.Tracking(["jsonl"], Tracked("k", "label", tmp_path, {})).end("done")
    assert not [one for one in caught if key in str(one.message)]


def test_runs_with_the_same_label_have_different_folders_of_tensorboard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = []

    class Writer:
        def __init__(self, logdir: str) -> None:
            folders.append(Path(logdir))

        def add_text(self, tag: str, text_string: str) -> None:
            pass

    monkeypatch.setattr(trackers, "_summary_writer", lambda: Writer)
    for key in ("a1", "b2", "a1"):
        trackers.TensorBoard(Tracked(key, "cmdar: mine", tmp_path, {}), str(tmp_path))
    assert folders[0] != folders[1] and folders[0] == folders[2], "a resumed Run continues its folder"
    assert {folder.parent for folder in folders} == {tmp_path} and "mine" in folders[0].name


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.delitem(sys.modules, "mlflow", raising=False)
    with pytest.raises(SpecError, match="pip install mlflow"):
        check_tracker("mlflow:experiment")


def test_names_that_mlflow_refuses_are_made_plain() -> None:
    named = distinct({"official/x/acc/a=b,c=d": 1.0, "official/x/acc/a+b,c+d": 2.0, "错/accuracy": 3.0})
    assert named == {"official/x/acc/a_b_c_d": 1.0, "official/x/acc/a_b_c_d 2": 2.0, "错/accuracy": 3.0}
