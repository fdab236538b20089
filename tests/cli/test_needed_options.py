"""Tests of `cli/needed_options.py`: options that mean nothing without another one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_main import exit_code
from tests.cli.test_repeated_options import COMMANDS
from triptych.cli.needed_options import NEEDED, check_needed
from triptych.errors import SpecError

CASES = [(command, name, needed) for command, options in NEEDED.items() for name, needed in options.items()]


def flag(command: str, name: str) -> str:
    (option,) = (one for one in COMMANDS[command].params if one.name == name)
    return max(option.opts, key=len)


def words(command: str, name: str) -> list[str]:
    (option,) = (one for one in COMMANDS[command].params if one.name == name)
    return [flag(command, name)] if option.is_flag else [flag(command, name), "1"]


@pytest.mark.parametrize(("command", "name", "needed"), CASES, ids=[f"{command} {name}" for command, name, _ in CASES])
def test_an_option_without_what_it_needs_is_refused(command: str, name: str, needed: tuple[str, ...]) -> None:
    context = COMMANDS[command].make_context(command, [], resilient_parsing=True)
    others = " or ".join(flag(command, other) for other in needed)
    with pytest.raises(SpecError, match=f"{flag(command, name)} requires {others}"):
        COMMANDS[command].parse_args(context, ["benchmark", *words(command, name)])


@pytest.mark.parametrize(("command", "name", "needed"), CASES, ids=[f"{command} {name}" for command, name, _ in CASES])
def test_one_of_those_is_enough_also_in_a_configuration(command: str, name: str, needed: tuple[str, ...]) -> None:
    flags = {one.name: max(one.opts, key=len) for one in COMMANDS[command].params}
    cases = [({name, other}, set()) for other in needed] + [({name}, {other}) for other in needed] + [(set(), {name})]
    refused = []
    for used, configured in cases:  # a file of --config may have the option for other commands
        try:
            check_needed(command, used, configured, flags)
        except SpecError as error:
            refused.append(error)
    assert refused == []


def test_the_command_line_says_what_to_add_and_writes_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    arguments = ("run", "cmdar", "--model", "baseline/random", "--out", str(tmp_path / "run"))
    assert exit_code(*arguments, "--judge-base-url", "http://x") == 2
    assert exit_code("score", str(tmp_path), "-J", "temperature=0") == 2
    shown = capsys.readouterr().err
    assert "--judge-base-url requires --judge" in shown and "-J requires --judge" in shown
    assert "add --judge, or remove -J" in shown
    assert not (tmp_path / "run").exists()


def test_a_plan_may_have_the_conditions_that_a_reader_is_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    context = COMMANDS["run"].make_context("run", [], resilient_parsing=True)
    COMMANDS["run"].parse_args(context, ["-R", "a=1", "--reader-base-url", "http://x"])
    assert list(context.params["reader_setting"]) == ["a=1"]
