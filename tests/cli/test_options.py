"""Tests of `cli/options.py`: the judges that the options of a command name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from triptych.cli.main import main
from triptych.cli.options import judges_of
from triptych.errors import SpecError
from triptych.running.loop import RunOptions

URL = ["http://127.0.0.1:9/v1"]
OPTIONS = RunOptions(concurrency=3)


def test_without_a_judge_there_is_no_panel() -> None:
    assert judges_of(None, None, None, OPTIONS) is None


def test_every_judge_is_one_of_the_panel_with_the_same_settings() -> None:
    named = judges_of(
        ["openai/one", "openai/two"], URL * 2, ["temperature=0.5"], OPTIONS, evaluations=2, combine="median"
    )
    assert named is not None and named.options.concurrency == 3
    assert [judge.model for judge in named.panel.judges] == ["openai/one", "openai/two"]
    assert [judge.decoding for judge in named.panel.judges] == [{"temperature": 0.5}] * 2
    assert (named.panel.evaluations, named.panel.combine) == (2, "median")


@pytest.mark.parametrize(
    ("judges", "urls", "settings", "more", "words"),
    [
        (["baselin/first"], None, None, {}, "did you mean 'baseline'"),
        (["baseline/first"], None, ["letter"], {}, "letter"),
        (["baseline/first"], None, None, {"combine": "mode"}, "mode"),
        (["openai/j"], URL, None, {"evaluations": 0}, "0"),
        (["baseline/first"], None, None, {"rubrics": ["judge_score"]}, "judge_score"),
        (["openai/j"], URL, None, {"rubrics": ["judge_score=/nowhere.toml"]}, "/nowhere.toml"),
        (["openai/j"], [*URL, *URL], None, {}, "2 for 1"),
        (["baseline/first"], None, None, {}, "can't be used as a judge"),
    ],
)
def test_what_fits_no_judge_is_refused(
    judges: list[str] | None, urls: list[str] | None, settings: list[str] | None, more: dict[str, Any], words: str
) -> None:
    with pytest.raises(SpecError, match=words):
        judges_of(judges, urls, settings, OPTIONS, **more)


@pytest.mark.parametrize(
    "words",
    [
        ("audit", "data", "cmdar", "--to", "x.txt"),
        ("audit", "run", "nowhere", "--to", "x.pdf"),
        ("audit", "released", "mcif", "--data", "nowhere", "--to", "x.csv"),
        ("audit", "tables", "mcga", "--to", "x.json"),
        ("build", "report", "nowhere", "--to", "x.md"),
        ("build", "tasks", "nowhere", "stage", "--to", "x.xlsx"),
        ("compare", "a", "b", "--junit", "x.json"),
    ],
)
def test_a_name_of_another_kind_of_file_is_refused_before_anything_is_done(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(list(words))
    said = capsys.readouterr().err
    assert ended.value.code == 2 and f"{words[-2]} can't write a file of this kind" in said and words[-1] in said
    assert not [*tmp_path.iterdir()]


def test_a_folder_may_have_a_dot_in_its_name(tmp_path: Path) -> None:
    (tmp_path / "v1.2").mkdir()
    with pytest.raises(SystemExit) as ended:
        main(["audit", "data", "cmdar/main", "--to", str(tmp_path / "v1.2")])
    assert ended.value.code == 0 and (tmp_path / "v1.2/audit.html").is_file()
