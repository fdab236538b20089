"""Tests of `cli/option_groups.py`."""

from __future__ import annotations

from tests.support.commands import triptych
from triptych.cli.main import app


def test_every_option_of_run_is_in_one_group() -> None:
    from typer.main import get_command

    from triptych.cli.option_groups import REST, RUN

    command = get_command(app).commands["run"]  # type: ignore[attr-defined]
    names = [one.name for one in command.params if one.param_type_name == "option" and not one.hidden]
    listed = [name for group in RUN.values() for name in group]
    assert sorted(listed) == sorted(names) and len(set(listed)) == len(listed)
    shown = triptych("run", "--help").stdout
    places = [shown.index(f"\n{group}:\n") for group in RUN]
    assert places == sorted(places) and f"\n{REST}:" not in shown
    assert shown.index("--model-base-url") < shown.index("\nQuestions:") < shown.index("--condition")
