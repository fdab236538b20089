"""Fixtures that several files of tests of `analysis/comparing` share."""

from __future__ import annotations

import pytest

from tests.analysis.comparing.test_identity import hashed, rewritten
from triptych import api
from triptych.store.folder import RunFolder


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A Run of which all media have the hash 1…; every third Item is changed in the copies of it."""
    path = tmp_path_factory.mktemp("runs") / "first"
    folder = api.run("xmodbench", "baseline/first", out=path, filters={"direction": ["audio_text"]}).folder
    return rewritten(folder, path, hashed("1"), every=1)
