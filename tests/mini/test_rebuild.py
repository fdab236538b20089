"""The question files that ship are what is made of the raw material; nothing is spoken or drawn here."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tools.mini import __main__, cmdar_set, mcga_set, mcif_set, recipes, xmodbench_set

import triptych.benchmarks
from triptych import load_benchmark
from triptych.construction.engine.folder import BuildFolder
from triptych.construction.release.provenance import life_of

BENCHMARKS = Path(triptych.benchmarks.__file__).parent


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All sets made again and held against those that ship; the builds that made them."""
    pytest.importorskip("av", reason="PyAV comes with the extra [local]")
    pytest.importorskip("datasketch", reason="datasketch comes with the extra [build]")
    work = tmp_path_factory.mktemp("mini")
    assert __main__.main(["compare", "--work", str(work)]) == 0
    return work / "builds"


@pytest.mark.mini
@pytest.mark.parametrize("name", recipes.RECIPES)
def test_every_item_leads_to_its_material_and_the_people_who_made_it(name: str, builds: Path) -> None:
    bench, folder = load_benchmark(name), BuildFolder(builds / name)
    for item in list(bench.items(bench.mini))[:: 1 if name == "cmdar" else 37]:
        life = life_of(folder, item.id)
        makers = {maker for step in life.steps for maker in step.wrote.values()}
        assert any(maker.kind == "source" for maker in makers), item.id
        if name == "cmdar":
            assert any(maker.kind == "person" and maker.name == "author" for maker in makers), item.id


def test_check_passes_on_what_ships_and_fails_on_what_was_changed(tmp_path: Path) -> None:
    for name in __main__.SETS:
        shutil.copytree(BENCHMARKS / name / "mini", tmp_path / name / "mini")
    assert __main__.main(["check", "--to", str(tmp_path)]) == 0
    (tmp_path / "cmdar" / "mini" / "MDAR-open.json").write_text("[]", encoding="utf-8")
    assert __main__.main(["check", "--to", str(tmp_path)]) == 1


@pytest.mark.mini
def test_spoken_recordings_are_in_the_material() -> None:
    for module in (cmdar_set, mcif_set, mcga_set, xmodbench_set):
        said = module.spoken()
        assert said and all((module.FOLDER / path).is_file() for path in said)
