"""Tests of `api/building.py`: a build from a file or a dictionary, its funnel, lives of records, and withdrawals."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_build import WORKS
from triptych import api
from triptych.api.building import build_status, build_why, estimate_build, withdraw
from triptych.errors import DataError, RunFolderError, SpecError

CONFIG = 'works = "works.csv"\nyear = 2026\ntasks = ["asr", "sqa"]\nrecord = false\nreview = false\n'


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("pypinyin", reason="pypinyin comes with the extra [build]")
    pytest.importorskip("datasketch", reason="datasketch comes with the extra [build]")
    folder = tmp_path_factory.mktemp("raw")
    (folder / "works.csv").write_text(WORKS, encoding="utf-8")
    (folder / "mcga.toml").write_text(CONFIG, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def built(raw: Path) -> Path:
    """A build of three works, of which one is too recent."""
    result = api.build("mcga", raw / "mcga.toml", raw / "b")
    assert (result.written, result.waiting, result.interrupted) == (4, 0, False) and result.verdict is not None
    return raw / "b"


def lines(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "out").glob("*.jsonl"))}


def test_a_dictionary_and_a_file_give_the_same_benchmark(
    built: Path, raw: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(raw)
    api.build("mcga", tomllib.loads(CONFIG), tmp_path / "b")
    assert lines(tmp_path / "b") == lines(built) != {}


def test_the_funnel_counts_every_record_that_came(built: Path) -> None:
    counts = build_status(built)
    rights = counts[0]
    assert (rights.stage, rights.came, rights.went) == ("rights", 3, 2)
    assert rights.reasons == {"dropped: author-died-too-recently": 1}
    assert all(sum(one.decisions.values()) == one.came for one in counts)


def test_the_life_of_a_record_says_where_it_ended_and_why(built: Path) -> None:
    dropped = build_why(str(built), "w2")
    assert dropped.sources == ("work:w2",) and dropped.steps[-1].stage == "rights"
    assert any("author-died-too-recently" in str(step) for step in dropped.steps)
    kept = build_why(built, "w0/000/sqa")
    assert kept.sources == ("work:w0",) and len(kept.steps) > len(dropped.steps)
    with pytest.raises(DataError, match="has no record with this id") as error:
        build_why(built, "w9")
    assert "w9" in str(error.value)


def test_what_is_no_build_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for folder in (tmp_path / "nowhere", tmp_path / "empty"):
        for call in (
            lambda: build_status(folder),  # noqa: B023
            lambda: build_why(folder, "w0"),  # noqa: B023
            lambda: withdraw(folder, ["work:w0"], {}),  # noqa: B023
        ):
            with pytest.raises(RunFolderError, match="not a build folder") as error:
                call()
            assert str(folder) in str(error.value)


def test_a_wrong_recipe_or_configuration_is_refused_before_anything_is_written(raw: Path, tmp_path: Path) -> None:
    for recipe, config, words in (
        ("mgca", raw / "mcga.toml", "did you mean 'mcga'"),
        ("mcga", raw / "none.toml", "none.toml"),
        ("mcga", {**tomllib.loads(CONFIG), "yaer": 2026}, "yaer"),
    ):
        with pytest.raises((SpecError, DataError), match=words):
            api.build(recipe, config, tmp_path / "b")
        assert not (tmp_path / "b").exists()


def test_an_estimate_counts_the_raw_material_by_a_pilots_means(raw: Path, tmp_path: Path) -> None:
    pilot = api.build("mcga", raw / "mcga.toml", tmp_path / "b", limit=1)
    assert pilot.counts[0].came == 1
    number, stages = estimate_build("mcga", raw / "mcga.toml", tmp_path / "b")
    assert number == 3 and (stages[0].stage, stages[0].came) == ("rights", 3)
    assert estimate_build("mcga", raw / "mcga.toml", tmp_path / "b", limit=2)[0] == 2


def test_a_source_that_is_withdrawn_leaves_no_record_in_the_output(raw: Path, tmp_path: Path) -> None:
    api.build("mcga", raw / "mcga.toml", tmp_path / "b")
    assert "春眠不觉晓" in b"".join(lines(tmp_path / "b").values()).decode()
    with pytest.raises(DataError, match="no record has this source"):
        withdraw(tmp_path / "b", ["work:w9"], raw / "mcga.toml")
    left = withdraw(tmp_path / "b", ["work:w0"], raw / "mcga.toml")
    assert left.written == 2 and "春眠不觉晓" not in b"".join(lines(tmp_path / "b").values()).decode()


@pytest.mark.parametrize(
    ("config", "more"),
    [
        ({"works": "nope.csv", "year": 2026}, {}),
        ({"works": "works.csv", "year": 2026}, {"only": ["nostage"]}),
        ({"works": "works.csv", "year": 2026}, {"limit": 0}),
        ({"works": "works.csv", "year": 2026, "stages": {"nostage": {}}}, {}),
        ({"works": "broken.csv", "year": 2026}, {}),
    ],
)
def test_nothing_is_written_of_a_build_that_is_refused(
    config: dict[str, Any], more: dict[str, Any], raw: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(raw)
    (raw / "broken.csv").write_text("id,title\n1,x\n", encoding="utf-8")
    (tmp_path / "there").mkdir()
    for folder in (tmp_path / "new", tmp_path / "there"):
        with pytest.raises((SpecError, DataError)):
            api.build("mcga", config, folder, **more)
        assert not (folder / "build.json").exists()
    assert not (tmp_path / "new").exists()


def test_a_build_that_exists_is_left_as_it_is(built: Path, raw: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(raw)
    before = lines(built)
    with pytest.raises(DataError):
        api.build("mcga", {"works": "nope.csv", "year": 2026}, built)
    assert lines(built) == before and (built / "build.json").is_file()
