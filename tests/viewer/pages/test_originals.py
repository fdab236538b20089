"""Media that a Condition removed: played from the benchmark's files, and said not to have been sent."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import msgspec
import pytest
from starlette.testclient import TestClient

import triptych
from triptych.benchmarks import load_benchmark
from triptych.media.payload import DataFolder
from triptych.reports.html.links import item_path
from triptych.store.folder import RunFolder
from triptych.viewer.app import make_app
from triptych.viewer.pages.originals import original

SAID = "The model did not get this."
TASKS = ["perception/general/audio_text", "perception/general/vision_audio"]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Run as it is, one without media, and one without the context, on the mini set."""
    root = tmp_path_factory.mktemp("runs")
    for name, conditions in (("whole", []), ("blind", ["blind"]), ("no-context", ["no_context"])):
        triptych.run("xmodbench", "baseline/constant", tasks=TASKS, limit=1, conditions=conditions, out=root / name)
    return root


@pytest.fixture(scope="module")
def client(runs: Path) -> TestClient:
    return TestClient(make_app(runs), base_url="http://127.0.0.1")


def of_kind(runs: Path, kind: str) -> str:
    """The id of an Item whose stem has a medium of this kind."""
    return next(i.id for i in RunFolder.open(runs / "whole").items() if any(p.kind == kind for p in i.parts))


@pytest.mark.parametrize("name", ["blind", "no-context"])
@pytest.mark.parametrize("kind", ["audio", "image"])
def test_what_was_removed_is_played_and_said_not_to_have_been_sent(
    runs: Path, client: TestClient, name: str, kind: str
) -> None:
    id_ = of_kind(runs, kind)
    page = client.get(item_path(name, id_)).text
    assert SAID in page
    played = next(url for url in re.findall(r'src="([^"]+/original/\d+)"', page))
    number = int(played.rpartition("/")[2])
    whole = next(i for i in RunFolder.open(runs / "whole").items() if i.id == id_)
    stored = load_benchmark("xmodbench").mini / whole.all_parts[number].path
    assert client.get(played).content == stored.read_bytes()
    if whole.all_parts[number].kind == "audio":
        assert client.get(played + "/wave").status_code == 200


def test_what_the_model_got_is_shown_once(runs: Path, client: TestClient) -> None:
    assert SAID not in client.get(item_path("whole", of_kind(runs, "audio"))).text
    address = item_path("whole", of_kind(runs, "audio")).partition("?")[0]
    assert client.get(address + "/original/1").status_code == 404
    assert client.get(address + "/other/1").status_code == 404


def test_other_question_files_than_the_runs_are_not_used(runs: Path, tmp_path: Path) -> None:
    bench = load_benchmark("xmodbench")
    shutil.copytree(bench.mini, tmp_path / "data")
    folder = RunFolder.open(runs / "blind")
    item = next(i for i in folder.items() if i.id == of_kind(runs, "audio"))
    unconfirmed = original(item, folder.manifest, bench, DataFolder(tmp_path / "data", named=False))
    assert unconfirmed and unconfirmed.item is None and "--data xmodbench=DIR" in unconfirmed.problem
    theirs = DataFolder(tmp_path / "data")
    found = original(item, folder.manifest, bench, theirs)
    assert found and found.item and found.root and not found.problem
    changed = bench.source_files(theirs.path)[0]
    changed.write_text(changed.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    found = original(item, folder.manifest, bench, theirs)
    assert found and found.item is None and "not those of this Run" in found.problem
    found = original(item, folder.manifest, bench, None)
    assert found and "--data xmodbench=DIR" in found.problem
    plain = msgspec.structs.replace(folder.manifest, conditions=())
    assert original(item, plain, bench, theirs) is None
