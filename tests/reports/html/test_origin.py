"""How a question was made, in a report: mini sets, folders that only a manifest names, hostile provenance."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest
from msgspec import structs

from triptych import api
from triptych.benchmarks import load_benchmark
from triptych.media.payload import DataFolder
from triptych.records import Item
from triptych.reports.html.origin import MAX_ROWS, TEXT, origin

EVIL = "<script>document.title='owned'</script>../../etc/passwd"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return Path(shutil.copytree(load_benchmark("cmdar").mini, tmp_path / "data"))


def item(data: Path) -> Item:
    return next(iter(load_benchmark("cmdar").items(data)))


def test_makers_are_grouped_sources_first(data: Path) -> None:
    found = origin(item(data), DataFolder(data))
    assert found and found.record == "clinic/main/0" and found.sources == ("film:clinic",)
    kinds = [made.kind for made in found.fields]
    assert kinds == sorted(kinds, key=["source", "model", "person", "code"].index)
    assert any(made.at == "seconds=0-9.46725" and made.what == "audio" for made in found.fields)


def test_a_folder_that_only_a_manifest_names_is_read_if_it_has_the_items_media(data: Path) -> None:
    asked = item(data)
    part = next(part for part in asked.parts if part.is_media)
    folder = DataFolder(data, named=False)
    assert origin(asked, folder) is None
    right = folder.path.joinpath(part.path).read_bytes()
    for digest, there in ((hashlib.sha256(right).hexdigest(), True), ("0" * 64, False)):
        parts = tuple(structs.replace(p, sha256=digest) if p.is_media else p for p in asked.parts)
        assert (origin(structs.replace(asked, parts=parts), folder) is not None) is there


def test_hostile_provenance_is_text_and_short(data: Path, tmp_path: Path) -> None:
    pytest.importorskip("jinja2", reason="jinja2 comes with the extra [report]")
    makers = {f"{EVIL}{n}": {"kind": "person", "name": EVIL * 20, "at": f"seconds={n}"} for n in range(500)}
    line = {"id": "clinic/main/0", "sources": [EVIL] * 500, "makers": makers}
    others = (data / "provenance.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    (data / "provenance.jsonl").write_text(
        "\n".join([json.dumps(line, separators=(",", ":")), *others]), encoding="utf-8"
    )
    found = origin(item(data), DataFolder(data))
    assert found and len(found.fields) == MAX_ROWS and found.more == 400 and len(found.sources) == MAX_ROWS
    assert all(len(made.who) < TEXT + 50 for made in found.fields)
    run = tmp_path / "run"
    api.run("cmdar/main", "baseline/first", data=data, limit=2, out=run)
    (page,) = api.report([run], to=tmp_path / "report", formats=["html"], data={"cmdar": data})
    shown = page.read_text(encoding="utf-8")
    assert "How this question was made" in shown
    assert "<script>document.title" not in shown


def test_damaged_provenance_is_told(data: Path) -> None:
    (data / "provenance.jsonl").write_bytes(b'{"id":"clinic/main/0","makers":1}\n')
    found = origin(item(data), DataFolder(data))
    assert found and "can't be read" in found.problem
