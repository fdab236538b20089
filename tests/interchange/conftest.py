"""A small Run of XModBench with two repeats, to be exported."""

from __future__ import annotations

import pytest

from triptych import api
from triptych.store.folder import RunFolder


@pytest.fixture(scope="package")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    out = tmp_path_factory.mktemp("runs") / "one"
    return api.run("xmodbench/linguistic", "baseline/random", out=out, limit=2, seed=0, repeats=2).folder
