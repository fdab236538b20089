"""Results in an archive are named by the archive: the folder of its content is gone when the message is read."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.audit.results.test_check import often, results
from triptych import audit_run
from triptych.api.runs import score
from triptych.errors import DataError


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Results of two systems, as a zip archive."""
    for name in ("one", "two"):
        results(tmp_path / "released" / name, often, 50)
    return Path(shutil.make_archive(str(tmp_path / "released"), "zip", tmp_path / "released"))


def test_an_error_about_results_in_an_archive_names_the_archive(archive: Path) -> None:
    with pytest.raises(DataError, match="results of several systems") as caught:
        score("xmodbench", predictions=[archive])
    assert caught.value.where == str(archive)
    assert caught.value.fix == f"give one of them, such as {archive}/one (unpack the archive first)"


def test_an_audit_says_of_which_archive_the_results_are(archive: Path) -> None:
    said: list[str] = []
    audit_run([archive], say=said.append)
    assert said == ["released.zip: recognised as results of xmodbench"]


def test_an_audits_error_names_the_archive(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "notes.txt").write_text("nothing")
    packed = Path(shutil.make_archive(str(tmp_path / "empty"), "zip", tmp_path / "empty"))
    with pytest.raises(DataError) as caught:
        audit_run([packed], benchmark="xmodbench")
    assert str(packed) in str(caught.value) and "/tmp" not in str(caught.value).replace(str(packed), "")
