"""MCGA's two judged tasks and the classifier of errors, by the command line against a real endpoint."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from tests.experiment.test_judging import triptych_json
from tests.support.mock_process import MockProcess
from triptych import api
from triptych.judges.panel import load_panel

CLIPS = 16  # in MCGA's mini set


def test_a_mark_is_a_figure_and_what_cannot_be_read_twice_is_judge_failed(tmp_path: Path) -> None:
    """One reply for every rubric: `[1/2]` is a persona's mark, and a first digit; no mark of another scale."""
    folder = api.run("mcga", "baseline/reference", tasks=["s2tt", "sec"], out=tmp_path / "run").folder.path
    with MockProcess(answer="text:[1/2]") as mock:
        document = triptych_json("score", folder, "--judge", "openai/j", "--judge-base-url", mock.base_url)
        asked = mock.stats()
    found = {s["metric"]: s for s in document["scores"] if s["protocol"] == "official" and not s["slice"]}
    for name, value in (("llm_bf", 20), ("llm_bm", 20), ("llm_bs", 20), ("llm_b", 20), ("sec_p", 10)):
        assert found[name]["value"] == pytest.approx(value), name
    for name in ("sec_g", "sec_s", "llm_c"):
        assert found[name]["value"] is None
        assert found[name]["counts"] == {"judge_failed": CLIPS}
    assert asked["received"] == (6 + 2) * CLIPS, "six rubrics, two of them asked once more"
    assert not any("baseline" in entry["text"] for entry in asked["requests"].values())


def test_errors_are_classified_once_and_counted(tmp_path: Path) -> None:
    run = api.run("cmdar/main", "baseline/constant", settings={"option": "2"}, out=tmp_path / "run").folder.path
    wrong = [row for row in scores(run) if row["numerator"] < row["denominator"]]
    with MockProcess(answer="text:VERDICT: REASONING") as mock:
        judge = ("--judge", "openai/j", "--judge-base-url", mock.base_url)
        told = triptych_json("errors", run, *judge)
        asked = mock.stats()
        again = triptych_json("errors", run, *judge)
        assert mock.stats()["received"] == asked["received"] == len(wrong), "a verdict is asked for once"
    assert told["estimates"] == again["estimates"]
    assert any(f"{len(wrong)} reasoning" in sentence for sentence in told["sentences"])
    assert not any("baseline" in entry["text"] for entry in asked["requests"].values())


def scores(run: Path) -> list[dict[str, Any]]:
    lines = (run / "scores" / "official.jsonl").read_text(encoding="utf-8").splitlines()
    return [{"numerator": 0.0, **json.loads(line)} for line in lines]


@pytest.mark.parametrize(
    ("judge", "choice", "hears"),
    [
        ("gemini-2.5-flash", "known", True),
        ("deepseek-chat", "known", False),
        ("j", "known", False),
        ("j", "all", True),
        ("gemini-2.5-flash", "none", False),
    ],
)
def test_a_judge_that_takes_recordings_hears_what_the_model_was_given(
    judge: str, choice: str, hears: bool, tmp_path: Path
) -> None:
    """CMDAR's judge of errors is Gemini 2.5 Flash, which hears. A judge that only reads is sent texts alone."""
    run = api.run("cmdar", "baseline/constant", settings={"option": "2"}, tasks=["main", "multi"], out=tmp_path / "run")
    with MockProcess(answer="text:VERDICT: PERCEPTION") as mock:
        asked = ("--judge", f"openai/{judge}", "--judge-base-url", mock.base_url, "--judge-media", choice)
        told = triptych_json("errors", run.folder.path, *asked)
        requests = list(mock.stats()["requests"].values())
        again = triptych_json("errors", run.folder.path, *asked)
        assert mock.stats()["received"] == len(requests), "nothing is asked twice"
    place = run.folder.verdicts_path
    panel = load_panel(place)
    assert panel is not None
    judges = tuple(structs.replace(one, media=() if hears else ("audio",)) for one in panel.judges)
    structs.replace(panel, judges=judges).save(place)  # as if the judge had last been asked about something else
    plain = triptych_json("errors", run.folder.path)
    assert told["estimates"] == again["estimates"] == plain["estimates"], "verdicts are read without naming the judge"
    heard = [len([one for one in request["media"] if one.startswith("audio")]) for request in requests]
    assert set(heard) == ({1, 2} if hears else {0}), "one recording in main, two in multi"
    assert all(("comes before this text" in request["text"]) == hears for request in requests)
    n = len(requests)
    assert f"was sent the media of {n if hears else 0} of {n} questions that have any" in " ".join(told["notes"])


def test_a_folder_that_only_the_run_names_is_not_sent_to_a_judge(tmp_path: Path) -> None:
    """The manifest of a stranger's Run could name any folder of this computer."""
    data = tmp_path / "data"
    shutil.copytree(api.load_benchmark("cmdar").mini, data)
    run = api.run("cmdar/main", "baseline/constant", settings={"option": "2"}, data=data, out=tmp_path / "run").folder
    with MockProcess(answer="text:VERDICT: REASONING") as mock:
        judge = ("--judge", "openai/gemini-2.5-flash", "--judge-base-url", mock.base_url)
        told = " ".join(triptych_json("errors", run.path, *judge)["notes"])
        assert "texts alone, since the folder of the media is named by the Run alone: --data DIR" in told
        assert not any(one["media"] for one in mock.stats()["requests"].values())
        told = " ".join(triptych_json("errors", run.path, *judge, "--data", data)["notes"])
        assert "texts alone" not in told
        assert sum(bool(one["media"]) for one in mock.stats()["requests"].values())
    shutil.rmtree(data)
    told = " ".join(triptych_json("errors", run.path)["notes"])
    assert "was sent the media" in told, "verdicts are read without the media"
