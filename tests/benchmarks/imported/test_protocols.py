"""Imported logs are scored by their own scores, and by their replies; nothing counts as 0 because it is missing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from triptych.benchmarks._imported.protocols import PROTOCOLS, aggregate, stored_score
from triptych.protocols.protocol import Cell, Unit
from triptych.records import Intermediate, Item, Part, Response, Score
from triptych.records.log_figures import LIKELIHOOD, READ_BY_HARNESS, STORED

OPTIONS = tuple((Part("text", text=words),) for words in ("a dog barking", "a car horn", "rain", "a door"))


def unit(reply: str | None, *steps: tuple[str, str], status: Any = "answered", **item: Any) -> Unit:
    asked = Item("imported/t/1", "imported/log", (), **item)
    intermediates = tuple(Intermediate(engine, "text", "", words) for engine, words in steps)
    response = None if reply is None else Response(asked.id, "", 0, status, reply, intermediates=intermediates)
    return Unit((asked,), (response,))


def score(protocol: str, one: Unit) -> Score:
    (only,) = PROTOCOLS[protocol].score(one)
    return only


def test_official_takes_the_score_of_the_chosen_scorer() -> None:
    steps = ((STORED + "match", "0.0"), (STORED + "judge", "0.75"), (READ_BY_HARNESS, "B"))
    first = score("official", unit("B", *steps))
    assert (first.status, first.value, first.note, first.extraction) == ("scored", 0.0, "by match", "B")
    named = score("official", unit("B", *steps, facets={"scorer": "judge"}))
    assert (named.value, named.note) == (0.75, "by judge")
    absent = score("official", unit("B", *steps, facets={"scorer": "none"}))
    assert (absent.status, absent.denominator) == ("unavailable", 0.0)


@pytest.mark.parametrize(
    ("reply", "status", "expected"),
    [
        ("B", "answered", "unavailable"),
        ("", "failed", "failed"),
        (None, "", "missing"),
        ("…", "truncated", "unavailable"),
    ],
)
def test_a_sample_without_a_score_is_in_no_figure(reply: str | None, status: str, expected: str) -> None:
    one = unit(reply, status=status)
    assert score("official", one).status == expected and stored_score(one) is None


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("B", 1),
        ("The answer is (B).", 1),
        ("C", 0),
        ("a car horn", 1),
        ("A or B", None),
        ("I can't say", None),
        ("", None),
    ],
)
def test_standard_reads_one_letter(reply: str, value: int | None) -> None:
    found = score("standard", unit(reply, labels=("A", "B", "C", "D"), options=OPTIONS, answer="letter", target="B"))
    assert (found.status, found.value if value is not None else None) == (
        "unparsed" if value is None else "scored",
        value,
    )


@pytest.mark.parametrize(
    ("reply", "right"),
    [("It is Paris.", 1), ("paris", 1), ("It is not Paris.", 0), ("Parisian life", 0), ("Lutetia", 1), ("Rome", 0)],
)
def test_standard_looks_for_any_of_the_targets_texts(reply: str, right: int) -> None:
    assert score("standard", unit(reply, target=("Paris", "Lutetia"))).value == right


def test_standard_without_a_target_is_unavailable_and_likelihoods_are_compared_as_they_are() -> None:
    assert score("standard", unit("B")).status == "unavailable"
    for reply, value in (("B", 1), ("b", 0), ("A or B", 0)):
        likely = unit(reply, (LIKELIHOOD + "A", "-1.5"), target="B", labels=("A", "B"), answer="letter")
        assert score("standard", likely).value == value


def test_figures_are_means_by_task_and_over_all_without_filters() -> None:
    cells = [Cell("imported/log", "score.stored", (("log_task", name),)) for name in ("one", "two")]
    figures = list(aggregate(cells, np.array([[3.0, 4.0], [1.0, 6.0]])))
    assert [(one.task, dict(one.slice), float(one.value), one.cells) for one in figures] == [
        ("imported/log", {"log_task": "one"}, 75.0, (0,)),
        ("imported/log", {"log_task": "two"}, pytest.approx(100 / 6), (1,)),
        ("imported", {}, 40.0, (0, 1)),
    ]


def test_filters_of_one_reply_have_no_total_which_would_count_it_twice() -> None:
    cells = [
        Cell("imported/log", "score.stored", (("filter", name), ("log_task", "gsm8k")))
        for name in ("strict-match", "flexible-extract")
    ]
    sums = np.array([[[1.0, 4.0], [2.0, 4.0]], [[4.0, 4.0], [0.0, 4.0]]])  # with an axis of replicates
    figures = list(aggregate(cells, sums))
    assert [one.task for one in figures] == ["imported/log"] * 2
    assert [one.value.tolist() for one in figures] == [[25.0, 100.0], [50.0, 0.0]]
