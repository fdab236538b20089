"""Published rows are next to a Run only if it was measured as they were; otherwise in a table of their own."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from triptych import api
from triptych.benchmarks import load_benchmark
from triptych.benchmarks.published import published_basis
from triptych.records import RunManifest
from triptych.releases.fetching import RECORD, Fetched, FetchedFile, fetched_from
from triptych.reports.tables.measured import why_apart

CMDAR = load_benchmark("cmdar")
LAYOUT = next(layout for layout in CMDAR.spec.layouts if layout.id == "main")
BASIS = published_basis(CMDAR.folder / "published")


@pytest.fixture(scope="module")
def whole() -> RunManifest:
    """A Run over the published question files, as the benchmark asks."""
    manifest = api.plan("cmdar", "openai/m", base_url="http://127.0.0.1:9/v1").manifest
    return msgspec.structs.replace(manifest, data="released", data_sha256=BASIS.data[0])


def why(manifest: RunManifest, *marks: str) -> list[str]:
    return list(why_apart(manifest, CMDAR.spec, BASIS, LAYOUT, marks))


def test_a_run_that_was_measured_alike_has_no_reason(whole: RunManifest) -> None:
    assert why(whole) == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"data_sha256": "0" * 16}, "other question files"),
        ({"conditions": ("blind",)}, "--condition blind"),
        ({"decoding": {"temperature": 2.0, "max_tokens": 256}}, "temperature 2.0 (the benchmark's: 0)"),
        ({"prompt": "open+v1", "prompts": {}}, "prompt v1"),
        ({"prompts": {"v2": {"content": ["{question} It is A."]}}}, "prompt v2"),
        ({"model_settings": {"packing": "silent"}}, "--packing silent"),
        ({"system": "Say A."}, "another system prompt"),
        ({"audio_seconds": 1.0}, "audio_seconds 1"),
        ({"model_settings": {"extra": {"min_p": 0.1}}}, "extra {'min_p': 0.1}"),
        ({"model_settings": {"chat_template_kwargs": {"enable_thinking": False}}}, "chat_template_kwargs"),
    ],
)
def test_what_differs_is_a_reason(whole: RunManifest, changes: dict[str, Any], words: str) -> None:
    assert words in "; ".join(why(msgspec.structs.replace(whole, **changes)))


def test_a_subset_is_a_reason(whole: RunManifest) -> None:
    mark = "on a subset: 24 of the benchmark's 1,500 Units in 1 Task"
    assert why(whole, mark) == [mark]


def test_the_rows_are_in_a_table_of_their_own(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    run = api.run("cmdar/main", "baseline/longest", out=tmp_path / "run").folder
    api.report([run.path], to=tmp_path / "out", formats=("csv", "md"), with_published=True)
    own = (tmp_path / "out" / "main.csv").read_text()
    apart = (tmp_path / "out" / "main-published.csv").read_text()
    assert "Kimi-Audio-Instruct" not in own and "Kimi-Audio-Instruct" in apart
    assert "not next to baseline/longest: on the built-in mini set" in (tmp_path / "out" / "notes.csv").read_text()


COMMIT = "0123456789abcdef0123456789abcdef01234567"
WITHOUT_HASH = ["mcga", "mcif", "mcs_bench", "xmodbench"]


def recorded(folder: Path, repo: str) -> None:
    """Write the record of a fetch of all files in a folder: large ones by SHA-256, small ones by git's hash."""
    files = {}
    for number, path in enumerate(sorted(folder.rglob("*"))):
        if path.is_file():
            data = path.read_bytes()
            git = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
            hashed = {"git": git} if number % 2 else {"sha256": hashlib.sha256(data).hexdigest()}
            files[path.relative_to(folder).as_posix()] = FetchedFile(len(data), **hashed)
    record = Fetched(repo, "main", COMMIT, "2026-01-01T00:00:00+00:00", files)
    (folder / RECORD).write_bytes(msgspec.json.encode(record))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Question files of MCGA (those of the mini set), without their recordings."""
    folder, bench = tmp_path / "data", load_benchmark("mcga")
    for path in bench.source_files(bench.mini):
        to = folder / path.relative_to(bench.mini)
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_bytes(path.read_bytes())
    return folder


def manifest_of(name: str, data: Path | str = "mini") -> RunManifest:
    return api.plan(name, "openai/m", data=data, base_url="http://127.0.0.1:9/v1").manifest


def reasons(name: str, manifest: RunManifest) -> str:
    bench = load_benchmark(name)
    layout = next(one for one in bench.spec.layouts if one.paper)
    return "; ".join(why_apart(manifest, bench.spec, published_basis(bench.folder / "published"), layout, ()))


def test_files_are_the_released_ones_by_their_content(data: Path) -> None:
    release = load_benchmark("mcga").spec.release
    files = [path for path in data.rglob("*") if path.is_file()]
    assert fetched_from(release, data, files) == ""  # nothing was fetched here
    recorded(data, release.repo)
    assert fetched_from(release, data, files) == f"{release.repo}@{COMMIT[:12]}"
    assert fetched_from(release, data, [*files, data / "more.jsonl"]) == ""
    content = files[0].read_bytes()
    files[0].write_bytes(content[:-2] + b" \n")  # of the same size
    assert fetched_from(release, data, files) == ""
    files[0].write_bytes(content)
    recorded(data, "somebody/else")
    assert fetched_from(release, data, files) == ""
    (data / RECORD).write_text("{", encoding="utf-8")
    assert fetched_from(release, data, files) == ""


def test_a_run_on_the_released_files_says_so(data: Path) -> None:
    recorded(data, load_benchmark("mcga").spec.release.repo)
    manifest = manifest_of("mcga", data)
    assert manifest.released == f"yxdu/MCGA@{COMMIT[:12]}" and "released" not in manifest.identity()
    assert reasons("mcga", manifest) == ""
    next(data.glob("*asr*")).write_bytes(b"")
    assert not manifest_of("mcga", data).released


@pytest.mark.parametrize("name", WITHOUT_HASH)
def test_other_files_are_apart_with_the_reason(name: str) -> None:
    assert not published_basis(load_benchmark(name).folder / "published").data
    manifest = msgspec.structs.replace(manifest_of(name), data="somewhere", data_sha256="1" * 16)
    said = reasons(name, manifest)
    assert "doesn't state its version of the question files" in said and "data:1111111111111111" in said
    assert ("triptych fetch" in said) is (name != "mcs_bench")
    assert "question files" not in reasons(name, msgspec.structs.replace(manifest, released="a/b@1"))


def test_a_release_that_is_newer_than_the_paper_is_apart() -> None:
    manifest = msgspec.structs.replace(manifest_of("xmodbench"), data="somewhere", released="RyanWW/XModBench@1")
    assert "question files" not in reasons("xmodbench", manifest)
    newer = msgspec.structs.replace(manifest, benchmark_version="2026-06")
    assert "the question files of 2026-06, which are newer" in reasons("xmodbench", newer)
