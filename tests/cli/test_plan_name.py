"""Tests of `cli/plan_name.py`: which plan file `triptych run` reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.cli.main import main
from triptych.cli.plan_name import PLAN, plan_file
from triptych.errors import SpecError


def test_a_named_plan_the_one_here_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert plan_file("", None) is None
    assert plan_file("", Path("other.toml")) == Path("other.toml")
    (tmp_path / PLAN).mkdir()
    assert plan_file("", None) is None  # a folder is no plan
    (tmp_path / PLAN).rmdir()
    (tmp_path / PLAN).touch()
    assert plan_file("", None) == Path(PLAN)
    assert plan_file("xmodbench", None) is None


def test_a_benchmark_beside_a_plan_is_refused() -> None:
    with pytest.raises(SpecError, match=r"mcif and --plan other\.toml"):
        plan_file("mcif", Path("other.toml"))


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_run_has_the_same_flags_for_help_as_other_commands(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["run", flag])
    assert ended.value.code == 0 and "-h, --help" in capsys.readouterr().out
