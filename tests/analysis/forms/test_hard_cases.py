"""Questions that are right in one form and wrong in another, against a plain count over Scores and released results."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import pytest

from triptych import api
from triptych.api.errors import analyse_errors
from triptych.cli.main import main
from triptych.errors import SpecError
from triptych.scoring.runs import load_scores
from triptych.store.folder import RunFolder

RELEASED = Path(__file__).parents[4] / "shared" / "data" / "xmodbench" / "released_results.tar.xz"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a Run of guesses over the mini set."""
    out = tmp_path_factory.mktemp("runs") / "guess"
    api.run("xmodbench", "baseline/random", seed=5, out=out, protocols=["official"])
    return out


def test_every_case_is_right_in_one_form_and_wrong_in_the_other(run: Path) -> None:
    scores = {score.unit: score for score in load_scores(RunFolder.open(run), "official")}
    section = analyse_errors([run], right="audio_text", wrong="text_audio")
    (one,) = section.estimates
    (listing,) = section.listings
    assert len(listing.rows) == one.counts["count"] > 0 and one.value == 100 * one.counts["count"] / one.n
    for _, instance, right, wrong, _ in listing.rows:
        assert (scores[right].value, scores[wrong].value) == (1.0, 0.0)
        assert scores[right].instance == scores[wrong].instance == instance
    back = analyse_errors([run], right="text_audio", wrong="audio_text").estimates[0]
    assert back.n == one.n and back.counts != one.counts


def test_wrong_use(run: Path) -> None:
    with pytest.raises(SpecError, match="two forms"):
        analyse_errors([run], right="audio_text")
    with pytest.raises(SpecError, match="not asked in the form 'audio_txt'"):
        analyse_errors([run], right="audio_txt", wrong="text_audio")


def test_the_command(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["errors", str(run), "--right", "vision_text", "--wrong", "audio_text", "--task", "perception"])
    assert ended.value.code == 0 and "Right in vision_text, wrong in audio_text" in capsys.readouterr().out


@pytest.mark.skipif(not RELEASED.is_file(), reason="the released results are not here")
def test_released_results_give_the_authors_list(tmp_path: Path) -> None:
    """`find_hard_case.py`: positions at which audio to text is correct and text to audio, if answered, is not."""
    with tarfile.open(RELEASED) as archive:
        names = [m for m in archive.getmembers() if "qwen2.5_omni" in m.name and "spatial_3D_movements" in m.name]
        archive.extractall(tmp_path, names, filter="data")
    found = {
        path.stem.removeprefix("spatial_3D_movements_"): json.loads(path.read_text(encoding="utf-8"))["results"]
        for path in tmp_path.rglob("*.json")
    }
    expected = {
        index
        for index, one in found["audio_text"].items()
        if one["is_correct"]
        and index in found["text_audio"]
        and not found["text_audio"][index]["is_correct"]
        and found["text_audio"][index]["response"]
    }
    folder = next(tmp_path.rglob("*.json")).parent
    api.run(
        "xmodbench/spatial/3D_movements",
        "replay/qwen",
        settings={"path": str(folder)},
        out=tmp_path / "run",
        protocols=["official"],
    )
    section = analyse_errors([tmp_path / "run"], right="audio_text", wrong="text_audio")
    assert {row[1].rpartition("/")[2] for row in section.listings[0].rows} == expected and expected
