"""Tests of `benchmarks/xmodbench/statistics.py`."""

from __future__ import annotations


def test_figure_2_of_xmodbench_gives_the_papers_number_of_questions() -> None:
    """The paper counts 60,828 questions; the authors' plot of Figure 2 has those of each subtask."""
    from triptych.benchmarks.xmodbench.names import FAMILIES
    from triptych.benchmarks.xmodbench.statistics import FIGURE

    assert 6 * sum(FIGURE.values()) == 60_828
    assert set(FIGURE) == {subtask for subtasks in FAMILIES.values() for subtask in subtasks}
