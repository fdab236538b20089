"""Tests of `store/log_figures.py`: figures that a log states, compared with the scores of its samples."""

from __future__ import annotations

from math import nan
from pathlib import Path
from statistics import mean, stdev

import pytest

from triptych.errors import RunFolderError
from triptych.records import Intermediate, Item, Response
from triptych.records.log_figures import LIKELIHOOD, STORED, LogFigure
from triptych.store.log_figures import (
    NAME,
    Followed,
    follow,
    log_notes,
    read_log_figures,
    stored_scores,
    write_log_figures,
)


def samples(scores: list[list[float | str]], metric: str = "exact_match") -> tuple[list[Item], list[Response]]:
    """Items of gsm8k under `strict-match`; for each, the scores of its repeats."""
    facets = {"log_task": "gsm8k", "filter": "strict-match"}
    items = [Item(f"gsm8k/{n}", "gsm8k", (), facets=facets) for n in range(len(scores))]
    responses = [
        Response(f"gsm8k/{n}", "", repeat, "answered", intermediates=(scored(metric, value),))
        for n, repeats in enumerate(scores)
        for repeat, value in enumerate(repeats)
    ]
    return items, responses


def scored(metric: str, value: float | str) -> Intermediate:
    return Intermediate(STORED + metric, "text", "", str(value))


def one(figure: LogFigure, scores: list[list[float | str]]) -> Followed:
    (followed,) = follow([figure], *samples(scores))
    return followed


def strict(value: float | None, **more: object) -> LogFigure:
    return LogFigure("gsm8k", "exact_match", value, filter="strict-match", **more)  # type: ignore[arg-type]


def test_a_mean_of_the_samples_follows_with_its_standard_error() -> None:
    """lm-eval states the mean, and s / sqrt(n) with n - 1."""
    scores = [1.0, 0.0, 1.0, 1.0, 0.0]
    followed = one(strict(0.6, aggregation="mean"), [[score] for score in scores])
    assert followed.mean == pytest.approx(mean(scores)) and followed.n == 5 and followed.follows is True
    assert followed.stderr == pytest.approx(stdev(scores) / 5**0.5)
    assert one(strict(0.8, aggregation="mean"), [[score] for score in scores]).follows is False


def test_repeats_of_a_sample_are_averaged_before_the_samples() -> None:
    followed = one(strict(0.75), [[1.0, 0.0], [1.0]])
    assert followed.mean == 0.75 and followed.n == 2 and followed.follows is True


@pytest.mark.parametrize(("value", "follows"), [(66.67, True), (66.66, False), (67.0, False)])
def test_a_rounded_percentage_follows_within_its_last_digit(value: float, follows: bool) -> None:
    followed = one(strict(value, scale=100.0, digits=2), [[1.0], [1.0], [0.0]])
    assert followed.mean == pytest.approx(200 / 3) and followed.follows is follows


@pytest.mark.parametrize(("value", "follows"), [(55.6, True), (55.5, False), (55.7, False)])
def test_a_neighbour_of_the_rounded_value_does_not_follow(value: float, follows: bool) -> None:
    assert one(strict(value, scale=100.0, digits=1), [[1.0]] * 5 + [[0.0]] * 4).follows is follows


def test_another_aggregation_is_not_compared_with_a_mean() -> None:
    scores: list[list[float | str]] = [[1.0], [0.0]]
    assert one(strict(0.9, aggregation="f1"), scores).follows is None
    assert one(strict(0.5, aggregation="f1"), scores).follows is None, "equal by chance is no evidence"
    assert one(strict(0.5, aggregation="<function acc at 0x7f>"), scores).follows is True
    assert one(strict(50.0, aggregation="<function acc at 0x7f>"), scores).follows is True, "the mean in percent"
    assert one(strict(0.9, aggregation="<function acc at 0x7f>"), scores).follows is None


def test_what_can_not_be_compared_is_none() -> None:
    assert one(strict(None), [[1.0], [0.0]]).follows is None
    assert one(strict(0.5), [["yes"], ["nan"], ["inf"]]).follows is None, "no sample has a number"
    assert one(strict(0.5), [["yes"], [0.5]]).n == 1
    single = one(strict(1.0), [[1.0]])
    assert single.follows is True and single.stderr is None


def test_figures_of_other_tasks_filters_and_metrics_have_no_samples() -> None:
    items, responses = samples([[1.0], [0.0]])
    figures = [
        LogFigure("gsm8k", "exact_match", 0.5, filter="flexible-extract"),
        LogFigure("gsm8k", "f1", 0.5, filter="strict-match"),
        LogFigure("mmlu", "acc", 0.5),
    ]
    followed = list(follow(figures, items, responses))
    assert [(f.mean, f.n, f.lacking) for f in followed] == [(None, 0, False), (None, 0, False), (None, 0, True)]
    assert list(follow([], items, responses)) == []


def test_only_numbers_that_the_log_stored_are_scores() -> None:
    steps = (
        scored("acc", 1.0),
        scored("acc_norm", "0.25"),
        scored("grade", "C"),
        Intermediate(LIKELIHOOD + "B", "text", "", "-3.2"),
        Intermediate("hf/whisper", "audio", "a.wav", "17"),
    )
    response = Response("a", "", 0, "answered", intermediates=steps)
    assert list(stored_scores(response)) == [("acc", 1.0), ("acc_norm", 0.25)]


def test_figures_come_back_from_the_folder(tmp_path: Path) -> None:
    assert read_log_figures(tmp_path) == []
    write_log_figures(tmp_path, [])
    assert not (tmp_path / NAME).exists()
    figures = [strict(0.3305534495830174, stderr=0.0129, n=1319), LogFigure("宋词", "acc", None, of=1000)]
    write_log_figures(tmp_path, figures)
    assert read_log_figures(tmp_path) == figures
    write_log_figures(tmp_path, [LogFigure("t", "m", nan)])
    assert [figure.value for figure in read_log_figures(tmp_path)] == [None]


@pytest.mark.parametrize("content", [b"", b"[", b'{"task": "t"}', b'[{"task": "t", "metric": 5}]', b"\xff\xfe[]"])
def test_a_damaged_file_says_what_to_do(content: bytes, tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(content)
    with pytest.raises(RunFolderError, match=r"log\.json(.|\n)*import the log again"):
        read_log_figures(tmp_path)


def test_a_line_for_each_figure_says_what_its_samples_give(tmp_path: Path) -> None:
    items, responses = samples([[1.0], [1.0], [0.0], [0.0]])
    figures = [
        strict(0.5, aggregation="mean"),
        strict(0.8, aggregation="mean"),
        strict(0.8),
        strict(0.8, aggregation="f1"),
        strict(None),
        LogFigure("gsm8k", "f1", 0.5, filter="strict-match"),
        LogFigure("mmlu", "acc", 0.5),
    ]
    write_log_figures(tmp_path, figures)
    lines = list(log_notes(tmp_path, lambda: items, lambda: responses))
    start = "the log states gsm8k exact_match,strict-match = "
    assert lines == [
        f"{start}0.5; its samples give 0.5 (n 4)",
        f"{start}0.8; its samples give 0.5, which differs (n 4)",
        f"{start}0.8; its samples give 0.5, which differs (or the figure is not a mean) (n 4)",
        f"{start}0.8; its samples give 0.5 as their mean, but the figure is aggregated differently (f1) (n 4)",
        f"{start}something that is not a number; its samples give 0.5 (n 4)",
        "the log states gsm8k f1,strict-match = 0.5; its samples have no such score (n 0)",
        "the log states mmlu acc = 0.5; the log has no sample of this task (n 0)",
    ]


def test_a_run_that_was_not_imported_costs_nothing(tmp_path: Path) -> None:
    def unread() -> list[Item]:
        raise AssertionError("its questions need not be read")

    assert list(log_notes(tmp_path, unread, list)) == []
