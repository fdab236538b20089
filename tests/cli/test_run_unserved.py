"""A dry run needs neither an endpoint nor weights; a Run does."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.cli.main import main


def told(capsys: pytest.CaptureFixture[str], *arguments: str, code: int) -> str:
    with pytest.raises(SystemExit) as ended:
        main(["run", "cmdar/main", "--limit", "1", *arguments])
    shown = capsys.readouterr()
    assert (ended.value.code or 0) == code, shown.err
    return shown.out + shown.err


@pytest.mark.parametrize("model", ["qwen2.5-omni-7b", "qwen-audio-chat"])
def test_a_model_that_is_not_served_can_be_planned(
    model: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    shown = told(capsys, "--model", model, "--dry-run", code=0)
    assert "can't be asked now" in shown and "the first Request" in shown
    assert "can't be asked now" not in told(capsys, "--model", model, "--out", str(tmp_path / "run"), code=2)


def test_another_mistake_is_still_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert "nobody" in told(capsys, "--model", "nobody", "--dry-run", code=2)
    assert "can't be asked now" not in told(
        capsys, "--model", "qwen2.5-omni-7b", "--dry-run", "--condition", "nothing", code=2
    )
