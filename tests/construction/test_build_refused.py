"""A finished set that can be guessed is not written, unless the configuration allows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest

from triptych.construction.build import build
from triptych.construction.engine.context import Context, Values
from triptych.construction.recipe import Recipe, Start
from triptych.construction.record import Outcome, Record, kept
from triptych.construction.stage import Stage, stage


class Config(msgspec.Struct, forbid_unknown_fields=True):
    questions: int
    place: int = 0


@stage("pass", version=1, reads=["question"], writes=[])
def passed(values: Values, context: Context) -> Outcome:
    """Keep every question."""
    return kept()


def start(config: Config, base: Path, context: Context) -> Iterator[Start]:
    for n in range(config.questions):
        place = n % 4 if config.place < 0 else config.place
        fields = {"task": "main", "question": f"q{n}", "options": ["aa", "bb", "cc", "dd"], "answers": [place]}
        yield Start(Record(str(n), fields, (f"text:{n}",)))


def stages(config: Config) -> list[Stage]:
    return [passed]


def write(config: Config, records: Sequence[Record], out: Path, context: Context) -> None:
    (out / "n.txt").write_text(str(len(records)), encoding="utf-8")


RECIPE = Recipe("guess", 1, "for tests", Config, start, stages, write, {})


def test_a_set_with_a_constant_answer_is_refused(tmp_path: Path) -> None:
    found = build(RECIPE, {"questions": 40, "place": 2}, tmp_path / "b")
    assert not found.complete and found.written == 0 and not (tmp_path / "b/out").exists()
    assert found.refused[0] == "main: always 3: 40 of 40 correct; at most 16 by chance"


@pytest.mark.parametrize(
    "config", [{"questions": 40, "place": 2, "allow_guessable": True}, {"questions": 40, "place": -1}]
)
def test_a_balanced_one_and_one_that_is_allowed_are_written(config: dict[str, object], tmp_path: Path) -> None:
    found = build(RECIPE, config, tmp_path / "b")
    assert found.complete and found.written == 40 and (tmp_path / "b/out/n.txt").read_text() == "40"


def test_the_output_of_before_stays_until_something_was_withdrawn(tmp_path: Path) -> None:
    from triptych.construction.build import withdraw

    build(RECIPE, {"questions": 40, "place": -1}, tmp_path / "b")
    build(RECIPE, {"questions": 40, "place": 2}, tmp_path / "b")
    assert (tmp_path / "b/out/n.txt").exists()
    assert withdraw(RECIPE, {"questions": 40, "place": 2}, tmp_path / "b", ["text:3"]).refused
    assert not (tmp_path / "b/out").exists()
