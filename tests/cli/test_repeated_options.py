"""An option that takes one value is refused if it is given twice, in every command: nothing keeps the last one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from tests.cli.test_main import exit_code
from triptych.cli.arguments import settings_of
from triptych.cli.main import app
from triptych.cli.repeated_options import check_once
from triptych.errors import SpecError


def _commands(command: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    for own, below in getattr(command, "commands", {}).items():
        yield from _commands(below, f"{name} {own}".strip())
    if not hasattr(command, "commands"):
        yield name, command


COMMANDS = dict(_commands(typer.main.get_command(app)))
SINGLE = [
    (name, option)
    for name, command in COMMANDS.items()
    for option in command.params
    if option.param_type_name == "option" and not option.multiple and not option.count
]


def test_there_are_options_to_try() -> None:
    assert len(COMMANDS) > 30
    assert len(SINGLE) > 200
    assert ("run", "limit") in {(name, option.name) for name, option in SINGLE}


@pytest.mark.parametrize(("name", "option"), SINGLE, ids=[f"{name}-{option.name}" for name, option in SINGLE])
def test_every_option_of_one_value_is_refused_twice(name: str, option: Any) -> None:
    flag = max(option.opts, key=len)
    words = [flag] if option.is_flag else [flag, "1"]
    context = COMMANDS[name].make_context(name, [], resilient_parsing=True)
    with pytest.raises(SpecError, match=f"{flag} is given twice, but takes one value"):
        COMMANDS[name].parse_args(context, [*words, *words])


def test_the_command_line_names_both_values_and_exits_with_2(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code = exit_code("run", "cmdar", "--limit", "1", "--limit=2", "--out", str(tmp_path / "run"))
    assert code == 2
    told = capsys.readouterr().err
    assert "--limit is given twice, but takes one value" in told
    assert "--limit 1 --limit=2" in told
    assert not (tmp_path / "run").exists()


def test_an_option_before_the_command_is_refused_twice(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("--log-level", "debug", "--log-level=info", "list", "tasks", "cmdar") == 2
    printed = capsys.readouterr().err
    assert "--log-level is given twice, but takes one value" in printed
    assert "--log-level=debug --log-level=info" in printed


def test_an_option_of_several_values_may_be_repeated(tmp_path: Path) -> None:
    words = ["--condition", "blind", "--condition", "shuffle-options", "-M", "temperature=0", "-M", "top_p=1"]
    command = COMMANDS["run"]
    context = command.make_context("run", [], resilient_parsing=True)
    command.parse_args(context, ["cmdar", *words])
    assert context.params["condition"] == ("blind", "shuffle-options")
    assert context.params["setting"] == ("temperature=0", "top_p=1")


def test_a_configuration_file_can_be_given_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('[run]\nmodel = "baseline/first"\n')
    file = str(tmp_path / "a.toml")
    assert exit_code("run", "cmdar", "--config", file, f"--config={file}") == 2
    assert "--config is given twice" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["run", "cmdar", "--model", "openai/m", "-M", "temperature=0", "-M", "temperature=1"],
        ["run", "cmdar", "--model", "openai/m", "--condition", "ocr", "-R", "llm=a", "-R", "llm=b"],
        ["run", "cmdar", "--model", "openai/m", "--judge", "openai/j", "-J", "temperature=0", "-J", "temperature=1"],
        ["run", "cmdar", "--model", "openai/m", "--judge", "openai/j", "--rubric", "m=a.toml", "--rubric", "m=b.toml"],
        ["report", "runs", "--data", "cmdar=a", "--data", "cmdar=b"],
        ["view", "runs", "--data", "cmdar=a", "--data", "cmdar=b"],
    ],
    ids=lambda words: f"{words[0]} {words[-2]}",
)
def test_a_key_has_one_value(words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    assert exit_code(*words) == 2
    assert "is given twice" in capsys.readouterr().err


def test_settings_are_pairs() -> None:
    assert settings_of(["a=1", "b=x=y"], "-M") == {"a": "1", "b": "x=y"}
    assert settings_of(None, "-M") == {}


def test_nothing_is_refused_that_is_given_once() -> None:
    options = [option for _, option in SINGLE[:5]]
    check_once(options, [])
    with pytest.raises(SpecError, match="takes one value"):
        check_once([*options, options[0]], [])
