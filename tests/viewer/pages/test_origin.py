"""How a question was made, in the viewer: of a mini set, of a build on this machine, and where nothing is known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import triptych
from tests.construction.recipes.test_mcs_bench import drawn
from tests.viewer.runs import EVIL, HOSTILE_ID
from triptych.construction.build import build
from triptych.reports.html.links import item_path, origin_path
from triptych.store.folder import RunFolder
from triptych.viewer.app import make_app

ROW = {
    "id": "c",
    "image": "page.png",
    "task": "T7",
    "licence": "cc0-1.0",
    "title": EVIL,
    "answer": "孟子",
    "wrong": ["论语", "史记", "庄子"],
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[TestClient, str, Path]:
    """The viewer over a Run on a built benchmark, its Item, and the build."""
    pytest.importorskip("datasketch", reason="datasketch comes with the extra [build]")
    place = tmp_path_factory.mktemp("built")
    drawn(1, (600, 600)).save(place / "page.png")
    (place / "rows.jsonl").write_text(json.dumps(ROW), encoding="utf-8")
    config = place / "own.toml"
    config.write_text(
        'pictures = "rows.jsonl"\nyear = 2026\nreview = false\nsecond_review = false\nmatch = false\n'
        "allow_guessable = true\n",
        encoding="utf-8",
    )
    done = build("mcs_bench", config, place / "b")
    assert done.written == 1, done.counts
    triptych.run("mcs_bench", "baseline/first", data=place / "b/out", out=place / "runs/run")
    (item,) = RunFolder.open(place / "runs/run").items()
    app = make_app(place / "runs", {"mcs_bench": place / "b/out"})
    return TestClient(app, base_url="http://127.0.0.1:8765"), item.id, place / "b"


def test_every_step_is_shown_and_its_media_are_served(built: tuple[TestClient, str, Path]) -> None:
    client, item, folder = built
    assert origin_path("run", item) in client.get(item_path("run", item)).text
    page = client.get(origin_path("run", item)).text
    for words in ("material", "rights", "rows.jsonl", "row=1", "孟子", "&lt;script&gt;"):
        assert words in page
    assert "<script>document" not in page
    value = next(path.relative_to(folder).as_posix() for path in sorted((folder / "media").rglob("*.jpg")))
    assert f'src="{origin_path("run", item)}/{value}"' in page
    answer = client.get(f"{origin_path('run', item)}/{value}")
    assert answer.headers["content-type"] == "image/jpeg" and answer.content == (folder / value).read_bytes()


@pytest.mark.parametrize(
    "value", ["../../build.json", "build.json", "%2e%2e/%2e%2e/rows.jsonl", f"media/ab/{'ab' * 32}.jpg"]
)
def test_no_other_file_is_served(built: tuple[TestClient, str, Path], value: str) -> None:
    client, item, _ = built
    assert client.get(f"{origin_path('run', item)}/{value}").status_code == 404


def test_media_of_another_record_are_not_served(built: tuple[TestClient, str, Path]) -> None:
    client, item, folder = built
    other = folder / "media/00" / f"{'00' * 32}.jpg"
    other.parent.mkdir(parents=True, exist_ok=True)
    other.write_bytes(next((folder / "media").rglob("*.jpg")).read_bytes())
    try:
        assert client.get(f"{origin_path('run', item)}/{other.relative_to(folder).as_posix()}").status_code == 404
    finally:
        other.unlink()  # the tests of this file share the build, in any order


def test_an_item_of_a_mini_set_and_one_of_nowhere(client: TestClient, root: Path) -> None:
    item = next(iter(RunFolder.open(root / "cmdar").items())).id
    page = client.get(origin_path("cmdar", item)).text
    assert "seconds=" in page and "Every step" not in page
    page = client.get(origin_path("hostile", HOSTILE_ID)).text
    assert "no provenance of this question" in page and "<script>document" not in page


def test_a_damaged_build_is_told(built: tuple[TestClient, str, Path]) -> None:
    client, item, folder = built
    funnel = (folder / "funnel.json").read_bytes()
    (folder / "funnel.json").write_bytes(b"{")
    try:
        answer = client.get(origin_path("run", item))
        assert answer.status_code == 200 and "can&#39;t be read" in answer.text
    finally:
        (folder / "funnel.json").write_bytes(funnel)
