"""Tests of `benchmarks/xmodbench/names.py`: names."""

from __future__ import annotations

from collections import Counter

import pytest

from triptych.benchmarks import Benchmark
from triptych.benchmarks.xmodbench.names import DIRECTIONS, FAMILIES, instance_of, task_of_result
from triptych.records import Item


@pytest.mark.parametrize(
    ("stem", "names"),
    [
        ("speech_translation_text_vision_pandagpt", ("linguistic", "translation", "text_vision")),
        ("perception_general_audio_vision_text", ("perception", "general", "audiovision_text")),
        ("perception_general_audio_vision_text_v2", ("perception", "general", "audiovision_text")),
        ("perception_general_audio_text_vision", None),
        ("perception_general_audio_text2", None),
        ("perception_general", None),
        ("", None),
    ],
)
def test_tasks_of_file_names(stem: str, names: tuple[str, str, str] | None) -> None:
    assert task_of_result(stem) == names


def test_instances_pair_positions_with_the_known_exceptions() -> None:
    assert instance_of("general", "audio_text", 5, 2000) == instance_of("general", "vision_audio", 5, 2000)
    at = [instance_of("instruments", "audio_text", i, 999) for i in (0, 307, 308, 998)]
    assert at == [f"perception/instruments/{i}" for i in (0, 307, 309, 999)]
    assert instance_of("instruments", "audio_text", 400, 500) == "perception/instruments/401"  # results of a part
    assert instance_of("instruments", "audio_text", 308, 1000) == "perception/instruments/308"  # a repaired file
    sets = {d: instance_of("panaroma", d, 0, 390) for d in DIRECTIONS}
    assert len({sets[d] for d in ("audio_text", "audio_vision", "text_vision")}) == 1
    assert len(set(sets.values())) == 2


def test_the_released_questions_are_what_the_specification_says(
    bench: Benchmark, released_items: dict[str, Item]
) -> None:
    counts: Counter[str] = Counter()
    kinds: dict[str, set[tuple[str, ...]]] = {}
    swapped = Counter[str]()
    for item in released_items.values():
        counts[item.task] += 1
        contents = [p.kind for p in item.parts if p.role == "content"]
        kinds.setdefault(item.task, set()).add((*contents, item.options[0][0].kind))
        swapped[item.task] += item.facets["direction"] != item.facets["content_direction"]
    specified = {bench.spec.full_id(t): t for t in bench.spec.tasks}
    for task, count in counts.items():
        assert count == specified[task].count, task
        if swapped[task]:
            assert (task.split("/")[2], swapped[task]) == ("order", 500)
        else:
            assert kinds[task] == {specified[task].modalities}, task
    missing = {t for t in specified if t not in counts}
    assert missing == {f"xmodbench/perception/finegrained/{d}" for d in DIRECTIONS} - set(counts)
    assert len(missing) == 4


def test_paper_lite_of_the_released_questions(bench: Benchmark, released_items: dict[str, Item]) -> None:
    sample = list(bench.sample("paper-lite", released_items.values()))
    assert Counter((i.facets["family"], i.facets["direction"]) for i in sample) == {
        (family, direction): 200 for family in FAMILIES for direction in DIRECTIONS
    }
