"""Tests of `experiment/engines.py`: where the Requests of a Run are sent from."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.cli.main import main
from triptych.experiment import engines

RAY = ("--engine", "ray")


@pytest.mark.parametrize(
    ("model", "more", "says"),
    [
        ("openai/m", ("--model-base-url", "http://127.0.0.1:9/v1"), "is asked at an endpoint"),
        ("baseline/frequent", (), "learns from all Items"),
        ("baseline/first", ("--cache", "answers"), "--cache can't be combined"),
        ("baseline/first", ("--rate", "60"), "--rate can't be combined"),
        ("baseline/first", ("--workers", "0"), "--workers must be at least 1"),
        ("baseline/first", ("--worker-gpus", "1.5"), "a fraction of several GPUs"),
        ("baseline/first", ("--worker-cpus", "-1"), "must be at least 0"),
    ],
)
def test_what_workers_cannot_do_is_refused(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    model: str,
    more: tuple[str, ...],
    says: str,
) -> None:
    monkeypatch.setattr(engines, "find_spec", lambda name: name)  # whether Ray is here or not
    with pytest.raises(SystemExit) as ended:
        main(["run", "cmdar/main", "--model", model, *RAY, *more, "--out", str(tmp_path / "a")])
    assert ended.value.code == 2 and says in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / "a").exists()


def test_without_ray_the_extra_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "find_spec", lambda name: None)
    with pytest.raises(SystemExit) as ended:
        main(["run", "cmdar/main", "--model", "baseline/first", *RAY, "--out", str(tmp_path / "a")])
    assert ended.value.code == 2 and "pip install 'triptych[ray]'" in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize(("engine", "says"), [("spark", "local or ray"), ("local", "requires --engine ray")])
def test_other_engines_and_workers_without_ray_are_refused(
    capsys: pytest.CaptureFixture[str], engine: str, says: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["run", "cmdar/main", "--model", "baseline/first", "--engine", engine, "--workers", "2"])
    assert ended.value.code == 2 and says in " ".join(capsys.readouterr().err.split())
