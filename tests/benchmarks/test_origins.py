"""Where Items come from: the files of built benchmarks, and hostile ones."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from triptych.benchmarks import load_benchmark
from triptych.benchmarks.origins import MAX_LINE_BYTES, origin_of, provenances, record_of
from triptych.errors import DataError
from triptych.records.provenance import Maker


def folder(path: Path, samples: bytes, provenance: bytes) -> Path:
    path.mkdir(exist_ok=True)
    (path / "samples.jsonl").write_bytes(samples)
    (path / "provenance.jsonl").write_bytes(provenance)
    return path


SAMPLE = b'{"item":"cmdar/main/0000","record":"film/1"}\n'


@pytest.mark.parametrize("name", ["mcga", "cmdar", "mcs_bench", "mcif"])
def test_every_item_of_a_mini_set_has_sources_and_makers(name: str) -> None:
    bench = load_benchmark(name)
    for item in list(bench.items(bench.mini))[::23]:
        found = origin_of(bench.mini, item.id)
        assert found is not None and found.sources, item.id
        assert any(maker.kind == "source" for maker in found.makers.values()), item.id


def test_a_folder_that_says_nothing(tmp_path: Path) -> None:
    assert origin_of(tmp_path, "a") is None and list(provenances(tmp_path)) == []
    assert origin_of(folder(tmp_path, SAMPLE, b""), "cmdar/main/0000") is None
    assert origin_of(folder(tmp_path, b"", b'{"id":"film/1"}\n'), "cmdar/main/0000") is None


def test_a_line_is_found_by_its_whole_id_and_at_its_beginning(tmp_path: Path) -> None:
    lines = (
        b'{"id":"film/10","sources":["x"]}\n{"id":"z","sources":["{\\"id\\":\\"film/1\\","]}\n'
        b'{"id":"film/1","makers":{"question":{"kind":"model","name":"m","at":"j#1","prompt":"p#1"}}}'
    )
    found = origin_of(folder(tmp_path, SAMPLE, lines), "cmdar/main/0000")
    assert found and found.makers == {"question": Maker("model", "m", "j#1", "p#1")}


def test_a_star_stands_for_what_an_item_is_asked_in(tmp_path: Path) -> None:
    samples = b'{"items":["mcif/short/en/*/*/0"],"record":"t1/q"}\n'
    assert record_of(folder(tmp_path, samples, b""), "mcif/short/en/audio/fixed/0") == "t1/q"
    assert record_of(tmp_path, "mcif/short/en/audio/fixed/01") is None


@pytest.mark.parametrize(
    "provenance",
    [
        b'{"id":"film/1",' + b" " * MAX_LINE_BYTES + b"}\n",
        b'{"id":"film/1","makers":[]}\n',
        b'{"id":"film/1","makers":' + b"[" * 100_000 + b"\n",
        b'{"id":"film/1","sources":["\xff"]}\n',
    ],
)
def test_hostile_lines_are_data_errors(tmp_path: Path, provenance: bytes) -> None:
    place = folder(tmp_path, SAMPLE, provenance)
    with pytest.raises(DataError, match=r"too long|can't be read"):
        origin_of(place, "cmdar/main/0000")
    with pytest.raises(DataError):
        list(provenances(place))
    with pytest.raises(DataError):
        record_of(folder(tmp_path, provenance.replace(b'"id"', b'"item"'), b""), "film/1")


def test_what_is_no_ordinary_file_is_refused(tmp_path: Path) -> None:
    place = folder(tmp_path, SAMPLE, b"")
    (place / "provenance.jsonl").unlink()
    os.mkfifo(place / "provenance.jsonl")
    with pytest.raises(DataError, match="can't be read"):
        origin_of(place, "cmdar/main/0000")
