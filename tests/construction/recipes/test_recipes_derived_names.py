"""Names that recipes derive from ids: two ids that would become one name never share a file, in any recipe's writer."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.construction.recipes.writers import LEAST, written
from triptych.construction.build import build
from triptych.errors import DataError

pytest.importorskip("pyloudnorm", reason="pyloudnorm comes with the extra [build]")
COMPOSED = unicodedata.normalize("NFC", "poésie")
PAIRS = [("li/bai", "li-bai"), ("Li-Bai", "li-bai"), (COMPOSED, unicodedata.normalize("NFD", COMPOSED))]


@pytest.mark.parametrize("ids", PAIRS, ids=["separator", "case", "composition"])
@pytest.mark.parametrize("recipe", LEAST)
def test_a_writer_gives_each_thing_its_own_file_or_refuses(recipe: str, ids: tuple[str, str], tmp_path: Path) -> None:
    try:
        for own, found in written(recipe, ids, tmp_path):
            assert own == found
    except DataError as error:
        assert recipe == "mcga" and all(id in str(error) for id in ids)


@pytest.mark.parametrize("recipe", LEAST)
def test_ids_that_differ_in_nothing_else_keep_their_media(recipe: str, tmp_path: Path) -> None:
    for own, found in written(recipe, ("li/bai", "du/fu"), tmp_path):
        assert own == found


TABLES: dict[str, tuple[str, Callable[[str], dict[str, Any]]]] = {
    "mcga": (
        "w.csv",
        lambda id: {"title": "静夜思", "author": "李白", "author_died": 762, "genre": "诗", "text": "床前明月光。"},
    ),
    "cmdar": ("r.csv", lambda id: {"path": "a.wav", "licence": "cc0-1.0"}),
    "mcs_bench": ("p.csv", lambda id: {"image": "a.png", "task": "T7", "answer": "论语", "licence": "cc0-1.0"}),
    "mcif": ("t.csv", lambda id: {"path": "a.wav", "speaker": "A", "licence": "cc0-1.0", "abstract": "We count."}),
    "xmodbench": ("t.csv", lambda id: {"subtask": "recognition", "text": id, "group": "g", "licence": "cc0-1.0"}),
}


@pytest.mark.parametrize("recipe", TABLES)
def test_a_table_with_such_ids_is_refused_before_anything_is_asked(
    recipe: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name, row = TABLES[recipe]
    ids = ("Li-Bai" if recipe == "mcif" else "li/bai", "li-bai")  # MCIF's ids have no slash
    rows = [{"id": id, "dynasty": "唐", **row(id)} for id in ids]
    lines = [",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]
    Path(name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(DataError, match="two ids would have the same name in the output") as caught:
        build(recipe, {**LEAST[recipe], "allow_same_family": True}, tmp_path / "b")
    assert all(id in str(caught.value) for id in ids)
    assert not list(tmp_path.rglob("tasks/*"))
