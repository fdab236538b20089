"""Tests of `triptych models confirm`: the answer, the exit code, and what is stored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.models.worker.test_confirmed import KEY, example, settings
from triptych.cli.main import main
from triptych.models.worker.confirmed import NEVER, state


def test_another_answer_confirms_nothing(weights: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "models",
        "confirm",
        KEY,
        "--example",
        str(example(weights, expected="Mister Quiller")),
        "--trust-remote-code",
    ]
    arguments += [word for key, value in settings(weights).items() for word in ("-M", f"{key}={value}")]
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 1 and "not confirmed" in capsys.readouterr().err and state(KEY) == NEVER
    arguments[4] = str(example(weights, expected=["Quilter"], compare="contains"))
    with pytest.raises(SystemExit) as left:
        main([*arguments, "--json"])
    told = json.loads(capsys.readouterr().out)
    assert left.value.code == 0 and told["agrees"] and state(KEY).startswith("confirmed on")
