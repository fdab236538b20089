"""Tests of `construction/release/media.py`: media of a finished benchmark."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.construction.recipes import test_mcga as material
from triptych.construction.build import build
from triptych.construction.release.media import FileNames
from triptych.errors import DataError


def test_two_ids_never_share_a_file_name(config_of_mcga: Path, tmp_path: Path) -> None:
    rows = material.WORKS.splitlines()
    for other in ("guan/ju", "Guan-Ju"):
        table = [rows[0], rows[1].replace("guanju", "guan-ju"), rows[2].replace("chunxiao", other)]
        (tmp_path / "works.csv").write_text("\n".join(table) + "\n", encoding="utf-8")
        with pytest.raises(DataError, match="same name"):
            build("mcga", config_of_mcga, tmp_path / "b")
    names = FileNames()
    assert names.of("audio/a.wav", "1") == names.of("audio/a.wav", "1")
    with pytest.raises(DataError, match="1 and 2"):
        names.of("audio/A.wav", "2")
