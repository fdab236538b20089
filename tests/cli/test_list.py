"""Tests of `triptych list`: every list as text and JSON, its width, what may be combined, and plug-ins that fail."""

from __future__ import annotations

import json

import pytest

from tests.support.commands import triptych
from triptych.cli.main import main


def exit_code(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    assert isinstance(stop.value.code, int)
    return stop.value.code


@pytest.mark.parametrize("what", ["benchmarks", "tasks", "models", "metrics", "protocols", "conditions"])
def test_every_list_has_a_json_form(what: str) -> None:
    shown = triptych("list", what, "--json")
    assert shown.returncode == 0, shown.stderr
    rows = json.loads(shown.stdout)
    assert rows
    assert all(row["name"] for row in rows)


def test_a_list_fits_a_terminal_and_is_whole_elsewhere(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def printed() -> list[str]:
        assert exit_code("list", "metrics") == 0
        return capsys.readouterr().out.splitlines()

    whole = printed()
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    fitted = printed()
    assert max(map(len, fitted)) <= 80 < max(map(len, whole))
    assert sorted("".join(fitted).replace(" ", "")) == sorted("".join(whole).replace(" ", "")), "nothing is lost"
