"""Tests of `construction/report/preview.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.construction.report.test_reasons import POEMS
from tests.construction.test_build_at_hand import POEM, run, works
from triptych.construction.report.preview import preview
from triptych.errors import DataError, SpecError


def test_a_preview_shows_the_request_and_asks_nobody(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    model = '[models.maker]\nmodel = "openai/nobody"\nbase_url = "http://127.0.0.1:9/v1"\n'
    config = works(tmp_path, *(f"w{n},题{n},作者{n},740,诗,唐,{text}" for n, text in enumerate(POEMS)), more=model)
    shown = preview("mcga", config, tmp_path / "b", "su", n=2)
    assert [each.record for each in shown] == ["w0/000/su", "w1/000/su"] and not (tmp_path / "b").exists()
    assert shown[0].model == "openai/nobody" and POEM[:5] in shown[0].texts[-1]
    code, out, err = run(capfd, "preview", str(tmp_path / "b"), "su", "--config", str(config), "--recipe", "mcga")
    assert code == 0 and POEM[:5] in out and "3 shown; nothing was asked" in err
    with pytest.raises(SpecError, match="asks nobody"):
        preview("mcga", config, tmp_path / "b", "options")
    with pytest.raises(DataError, match="no record reaches"):
        preview("mcga", config, tmp_path / "b", "validate")
