"""Parts of a result computed in threads: the order, the errors, the number in memory, and the same figures."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest

from triptych import cores
from triptych.analysis.comparing.joint import join
from triptych.benchmarks import load_benchmark
from triptych.cores import in_order
from triptych.records import Score
from triptych.scoring.figures.aggregate import aggregate_scores


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_come_in_the_order_of_their_parts(threads: int) -> None:
    first_may_end = threading.Event()

    def work(part: int) -> int:
        if part == 0 and threads > 1:
            assert first_may_end.wait(10)
        elif part == 1:
            first_may_end.set()
        return -part

    assert list(in_order(work, range(9), at_once=threads)) == [-part for part in range(9)]


def test_parts_are_read_only_as_far_as_threads_can_work_on_them() -> None:
    read = []

    def parts() -> Iterator[int]:
        for part in range(100):
            read.append(part)
            yield part

    found = in_order(abs, parts(), at_once=2)
    assert next(found) == 0
    assert len(read) == 3
    found.close()  # type: ignore[attr-defined]


def test_small_results_wait_for_a_part_that_takes_long() -> None:
    last_is_done = threading.Event()

    def work(part: int) -> int:
        if part == 0:
            assert last_is_done.wait(10)
        elif part == 20:
            last_is_done.set()
        return part

    assert list(in_order(work, range(21), at_once=2, size=1024)) == list(range(21))


def test_an_error_is_raised_when_its_result_is_due() -> None:
    found = in_order(lambda part: 6 // part, [3, 2, 0, 1, 1, 1, 1], at_once=2)
    assert [next(found), next(found)] == [2, 3]
    with pytest.raises(ZeroDivisionError):
        next(found)


def scores(seed: int) -> list[Score]:
    """Scores of three Tasks, of which two share their Instances: two strata."""
    rng = np.random.default_rng(seed)
    tasks = [f"xmodbench/perception/general/{way}" for way in ("audio_text", "text_audio", "audio_vision")]
    return [
        Score(f"{task}{n}", task, "acc", "scored", float(rng.integers(2)), 1.0, instance=f"{number % 2}-{n}")
        for number, task in enumerate(tasks)
        for n in range(40)
    ]


def test_replicates_and_p_values_do_not_depend_on_the_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    benchmark = load_benchmark("xmodbench")
    protocol, spec = benchmark.protocol("official"), benchmark.spec
    found = []
    for threads in (1, 3):
        monkeypatch.setattr(cores, "cores", lambda threads=threads: threads)
        joint = join([scores(1), scores(2)], protocol, spec, "answered", replicates=200)
        figures = aggregate_scores(scores(1), protocol, spec, replicates=200)
        found.append((figures, joint.permutation(0, 1), {k: v.tobytes() for k, v in joint.spread.items()}))
    assert found[0] == found[1]
