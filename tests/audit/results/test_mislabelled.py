"""Is one system another's results, as a whole or in some Tasks? Planted copies, and the error rate by simulation."""

from __future__ import annotations

import random
from pathlib import Path

from tests.audit.results.test_check import Reply, often, repeat_of, results
from triptych import audit_run
from triptych.audit.results.agreement import Agreement, compare
from triptych.audit.results.mislabelled import copied_tasks

TASKS = [f"perception_general_{d}" for d in ("audio_text", "audio_vision", "text_audio", "text_vision")]


def test_tasks_that_are_another_systems_are_found_where_the_whole_is_not(tmp_path: Path) -> None:
    """One of four result files of `b` is `a`'s, asked again; the others are its own. As a whole the two differ."""
    said: dict[int, str] = {}

    def first(index: int, key: str, rng: random.Random) -> str:
        said[index] = often(index, key, rng)
        return said[index]

    for number, task in enumerate(TASKS):
        results(tmp_path / "a", first if not number else often, 600, task, seed=number)
        results(tmp_path / "c", often, 600, task, seed=70 + number)
    for number, task in enumerate(TASKS):
        copy: Reply = repeat_of(said, 0.98)
        results(tmp_path / "b", often if number else copy, 600, task, seed=40 + number)
    (found,) = [f for f in audit_run([tmp_path], benchmark="xmodbench") if f.kind == "mislabelled"]
    assert found.rows == ("a", "b") and found.columns == ("xmodbench/perception/general/audio_text",)
    assert found.severity == "severe" and "in 1 of 4 Tasks" in found.message


def test_results_under_one_name_in_two_folders_are_told_apart_and_no_grave_finding(tmp_path: Path) -> None:
    """A system's sample beside its whole results: alike, as they should be; told with the folders' names, as a note."""
    said: dict[int, str] = {}

    def first(index: int, key: str, rng: random.Random) -> str:
        said[index] = often(index, key, rng)
        return said[index]

    results(tmp_path / "whole" / "vita", first, 1000, seed=1)
    results(tmp_path / "sample" / "vita", repeat_of(said, 0.98), 1000, seed=2)
    (found,) = [
        f
        for f in audit_run([tmp_path / "whole", tmp_path / "sample"], benchmark="xmodbench")
        if f.kind == "mislabelled"
    ]
    assert (found.severity, found.rows) == ("note", ("whole/vita", "sample/vita"))
    assert "both are called vita" in found.effect and "vita and vita" not in found.message


def drawn(rng: random.Random, wrong: int, agreement: float) -> Agreement:
    """Questions with reference answer A that both get wrong: the second says what the first does with a probability,
    else an answer of its own. `agreement` is beyond chance."""
    pairs = []
    for _ in range(wrong):
        first = rng.choice("BBBCCD")
        second = first if rng.random() < agreement else rng.choice("BBBCCD")
        pairs.append(("task", "A", first, second))
    return compare(pairs)


def test_the_error_rate_over_all_pairs_and_tasks_holds_at_the_null_models_edge() -> None:
    """400 families of 5 pairs x 8 Tasks, every Task at the most agreement that the null model allows: in at most 1%
    of the families may any Task be named. At that rate 400 families give 10 or more with a probability below 0.01."""
    rng = random.Random(20)
    alarms = 0
    for _ in range(400):
        family = [{f"t{n}": drawn(rng, rng.randint(30, 120), 0.75) for n in range(8)} for _ in range(5)]
        alarms += any(copied_tasks(family))
    assert alarms < 10


def test_copies_are_found_among_many_tasks_and_small_ones_are_not_looked_at() -> None:
    rng = random.Random(7)
    family = [{f"t{n}": drawn(rng, 200, 0.3) for n in range(100)} for _ in range(6)]
    family[2]["copy"] = drawn(rng, 200, 0.98)
    family[3]["small"] = drawn(rng, 29, 1.0)
    assert copied_tasks(family) == [[], [], ["copy"], [], [], []]
    assert copied_tasks([]) == [] and copied_tasks([{}]) == [[]]
