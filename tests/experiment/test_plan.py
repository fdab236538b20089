"""A plan has the selected Items, whole Instances of each Task, and says which ids were not found."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych import api
from triptych.errors import DataError
from triptych.experiment import plan as planned
from triptych.experiment.planning import plan


def test_limit_counts_whole_instances_of_each_task(tmp_path: Path) -> None:
    ready = api.plan("xmodbench", "baseline/random", limit=3)
    per_task: dict[str, set[str]] = {}
    for item in ready.items():
        per_task.setdefault(item.task, set()).add(item.instance_id)
    assert {len(v) for v in per_task.values()} == {3}
    directions = {t: v for t, v in per_task.items() if "linguistic/recognition" in t and "audiovision" not in t}
    assert len({frozenset(v) for v in directions.values()}) == 1, "the six directions keep the same Instances"


@pytest.mark.parametrize("few", [5, 4096])
def test_questions_that_are_too_many_to_keep_are_read_again(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planned, "MAX_ITEMS_IN_MEMORY", few)
    ready = plan("cmdar/main", "baseline/random", seed=0)
    first, again = list(ready.items()), list(ready.items())
    assert first == again and len(first) == ready.count() == 24
    assert (first[0] is again[0]) == (few > 24)


def test_a_list_of_items_is_read_as_editors_write_it_and_ids_that_fit_nothing_are_told(tmp_path: Path) -> None:
    listed = tmp_path / "items.txt"
    listed.write_bytes("\ufeffcmdar/main/0001\r\n\r\nnope\r\n".encode())
    ready = api.plan("cmdar", "baseline/random", items_file=listed)
    assert ready.count() == 1
    assert list(ready.problems) == ["--items names Items that are not asked: 1 of 2 ids, such as 'nope'"]
    listed.write_bytes(b"\xff\xfe")
    with pytest.raises(DataError, match="can't be read"):
        api.plan("cmdar", "baseline/random", items_file=listed)


def test_a_prompt_of_ones_own_that_leaves_something_out_is_named_once(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[mine]\ncontent = ["{media}", "{question}"]\n', encoding="utf-8")
    ready = plan("cmdar/main", "baseline/random", prompt=str(file), limit=3)
    assert len(list(ready.requests())) == 3
    (problem,) = ready.problems
    assert problem.startswith("the prompt 'own:mine@") and "does not contain the options" in problem
    built_in = plan("cmdar/main", "baseline/random", prompt="describe", limit=3)
    assert len(list(built_in.requests())) == 3 and built_in.problems == {}
