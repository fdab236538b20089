"""Tests of `cli/messages.py`: why Requests failed, and what an estimate says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import triptych
from triptych.cli.messages import tell_estimate, tell_rules
from triptych.running.estimate import RunEstimate


def test_why_requests_failed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    nobody = ["--model-base-url", "http://127.0.0.1:1/v1", "--retries", "0"]
    shown = triptych("run", "cmdar/main", "--model", "openai/x", *nobody, "--condition", "blind", "--limit", "2")
    assert shown.returncode == 1
    assert "failed, connection: 2; the first: no connection to http://127.0.0.1:1/v1" in shown.stderr


def test_an_estimate_without_a_price_has_no_line_of_what_does_not_occur(capsys: pytest.CaptureFixture[str]) -> None:
    tell_estimate(RunEstimate(usd=None, output_tokens_most=None, seconds=119), 1, ())
    assert capsys.readouterr().out.splitlines() == [
        "about 0 tokens in (0 of text; 0 s of sound, 0 s of video, 0 pictures)",
        "about 0 tokens out",
        "price unknown: give --price-in and --price-out, or a price file (--prices)",
        "about 119 s, 1 at once",
    ]


def test_an_estimate_names_limits_and_what_is_not_counted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    total = RunEstimate(
        text_tokens=1_200,
        audio_seconds=90.4,
        video_seconds=3_600,
        images=12,
        input_tokens=45_000,
        output_tokens=1_000,
        output_tokens_most=20_000,
        usd=1.5,
        usd_most=7,
        seconds=7_200,
        missing=2,
        first_missing="no such file: a.wav",
        unmeasured=3,
        skipped=4,
        hopeless={"no text to leave out": 5},
        rules=("a picture is 258 tokens", "a token is 4 letters"),
    )
    tell_estimate(total, 8, ["captions"])
    tell_rules(total)
    assert capsys.readouterr().out.splitlines() == [
        "about 45,000 tokens in (1,200 of text; 90 s of sound, 3,600 s of video, 12 pictures)",
        "about 1,000 tokens out (at most 20,000)",
        "price about 1.50 USD (at most 7.00)",
        "about 2.0 h, 8 at once",
        "2 media files can't be read and are not counted here: no such file: a.wav",
        "3 media of unknown length are not counted here"
        " (PyAV is needed to measure videos: pip install 'triptych[local]')",
        "4 Requests will be skipped: the model doesn't accept this input",
        "5 Requests will be skipped: no text to leave out",
        "media are read first for captions: one Request per file, not counted here",
        "estimated by these rules: a picture is 258 tokens; a token is 4 letters",
    ]


@pytest.mark.parametrize(("seconds", "words"), [(120, "2 min"), (7_199, "120 min"), (9_000, "2.5 h")])
def test_long_times_are_in_minutes_and_hours(seconds: float, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    tell_estimate(RunEstimate(seconds=seconds), 2, ())
    assert f"about {words}, 2 at once" in capsys.readouterr().out.splitlines()


def test_a_price_without_a_limit_is_named_alone(capsys: pytest.CaptureFixture[str]) -> None:
    tell_estimate(RunEstimate(usd=1_234.5, usd_most=None), 1, ())
    assert "price about 1,234.50 USD" in capsys.readouterr().out.splitlines()
