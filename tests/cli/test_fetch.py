"""`triptych fetch` says where systems' results were released, also where the Hub can't be reached."""

from __future__ import annotations

import pytest

from triptych.cli.main import main
from triptych.errors import DataError
from triptych.releases import fetching


@pytest.mark.parametrize(
    ("name", "words"), [("xmodbench", "XModBench, benchmark/results (five systems)"), ("mcif", "baselines/outputs")]
)
def test_fetch_says_where_results_are(
    name: str, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nowhere(*_: object, **__: object) -> None:
        raise DataError("the Hub can't be reached")

    monkeypatch.setattr(fetching, "plan_fetch", nowhere)
    with pytest.raises(SystemExit) as ended:
        main(["fetch", name, "--dry-run"])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert words in told and "can't be reached" in told
