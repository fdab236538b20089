"""Which Runs are found, under which names; and what is never followed."""

from __future__ import annotations

import os
import shutil
from functools import cache, partial
from itertools import count
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.viewer.runs import BENCHMARKS, KNOWING, RANDOM, manifest
from triptych.benchmarks import load_benchmark
from triptych.errors import DataError
from triptych.media.payload import DataFolder
from triptych.scoring.runs import is_outdated
from triptych.store.folder import RunFolder
from triptych.viewer.catalogue import Catalogue, scores_of
from triptych.viewer.index.files import RunIndex, open_index
from triptych.viewer.index.query import PAGE, Questions
from triptych.viewer.pages.figures import run_tables
from triptych.viewer.pages.lists import filter_of


def test_runs_are_named_by_their_folders(root: Path) -> None:
    assert set(Catalogue(root).list_runs().runs) == {RANDOM, KNOWING, "mcif", "repeats", "hostile", *BENCHMARKS}


def test_a_run_can_be_the_root_itself(root: Path) -> None:
    assert set(Catalogue(root / "mcif").list_runs().runs) == {"mcif"}


def test_a_name_that_was_not_found_opens_nothing(root: Path) -> None:
    catalogue = Catalogue(root / "xmodbench")
    assert catalogue.run("random") is not None
    for name in ("../mcif", "..~mcif", "", ".", "xmodbench~random", str(root / "mcif")):
        assert catalogue.run(name) is None


def test_a_reports_shorter_name_finds_the_run_where_it_is_the_only_one(root: Path, tmp_path: Path) -> None:
    assert Catalogue(root).run("random").path == root / "xmodbench" / "random"  # type: ignore[union-attr]
    assert Catalogue(root).run("andom") is None
    for place in ("a", "b"):
        shutil.copytree(root / "repeats", tmp_path / place / "same")
    assert Catalogue(tmp_path).run("same") is None
    assert Catalogue(tmp_path).run("a~same") is not None


def test_links_are_not_followed_and_damage_is_told(tmp_path: Path, root: Path) -> None:
    os.symlink(root / "mcif", tmp_path / "linked")
    (tmp_path / "newer").mkdir()
    (tmp_path / "newer" / "manifest.json").write_text('{"schema_version": 99}', encoding="utf-8")
    listed = Catalogue(tmp_path).list_runs()
    assert not listed.runs
    assert listed.unreadable == (("newer", "the Run was written by a newer version of Triptych"),)


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such folder"):
        Catalogue(tmp_path / "nowhere")


def test_where_media_lie(tmp_path: Path, root: Path) -> None:
    mini = RunFolder.open(root / "xmodbench" / "random")
    own = Catalogue(root).data_root(mini)
    assert own and own.path.name == "mini" and own.named
    elsewhere = Catalogue(root, {"xmodbench": tmp_path})
    assert elsewhere.data_root(mini) == DataFolder(tmp_path)
    for data in (str(tmp_path / "gone"), "", "a\x00b", "x" * 5000):
        assert Catalogue(root).data_root(RunFolder(tmp_path, manifest(data=data))) is None
    theirs = RunFolder(tmp_path, manifest(data=str(tmp_path)))
    assert Catalogue(root).data_root(theirs) == DataFolder(tmp_path, named=False)
    assert Catalogue(root, {theirs.manifest.benchmark: tmp_path}).data_root(theirs) == DataFolder(tmp_path)


def test_scores_older_than_replies_are_told(tmp_path: Path, root: Path) -> None:
    shutil.copytree(root / "mcif", tmp_path / "run")
    folder = RunFolder.open(tmp_path / "run")
    os.utime(folder.path / "responses.jsonl", ns=(1, 1))
    assert not is_outdated(folder)
    replies = folder.path / "responses.jsonl"
    replies.write_bytes(replies.read_bytes() + replies.read_bytes().splitlines(keepends=True)[0])
    assert is_outdated(folder)


@pytest.mark.parametrize("run", ["xmodbench/random", "mcif", "repeats", *BENCHMARKS])
def test_every_number_leads_to_its_items(client: TestClient, root: Path, run: str) -> None:
    """The list behind a figure holds the Units that the figure says that it is about, and no others."""
    folder, slug = RunFolder.open(root / run), run.replace("/", "~")
    benchmark, scored, index = load_benchmark(folder.manifest.benchmark), scores_of(folder), open_index(folder)
    assert scored is not None
    units = cache(partial(units_of, folder, index))  # several figures lead to the same list
    seen = 0
    for protocol in scored:
        for table in run_tables(benchmark, slug, scored, protocol, index, folder):
            for row, (_, _, cells, _) in zip(table.table.rows, table.rows, strict=True):
                for told, cell in zip(row.cells, cells, strict=True):
                    if cell.href and cell.n:
                        assert units(cell.href) == told.units, (table.table.id, cell)
                        seen += 1
    assert seen > 2


def units_of(folder: RunFolder, index: RunIndex, href: str) -> int:
    from urllib.parse import parse_qsl, urlsplit

    wanted = filter_of(folder, index, dict(parse_qsl(urlsplit(href).query)))
    questions, units = Questions(index), set()
    for number in count(1):
        rows = questions.page(wanted, number)
        units |= {(row["unit"], row["repeat"]) for row in rows}
        if len(rows) < PAGE:
            break
    return len(units)
