"""Tests of `construction/report/estimate.py`: projections of a build from a pilot, or from the prompts alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.construction import toy
from triptych.construction.asking.prompt import Prompt
from triptych.construction.asking.questions import Ask
from triptych.construction.asking.stage import Group, Model
from triptych.construction.engine.folder import BuildFolder, StageCounts
from triptych.construction.record import Record, kept
from triptych.construction.report.estimate import estimate_build, estimate_by_prompts
from triptych.construction.stage import Stage, stage
from triptych.records import Response, Usage
from triptych.store.journals.journal import JournalWriter

CUT: Stage = stage("cut", version=1, reads=["text"], writes=["text"])(lambda values, context: kept())
ASK = toy.ask("ask", Ask(Prompt("p", "Ask: {text}"), lambda *_: kept()), version=1, reads=["text"])


def pilot(root: Path, counts: Sequence[StageCounts], responses: Sequence[Response] = ()) -> BuildFolder:
    folder = BuildFolder(root)
    for number, each in enumerate(counts, 1):
        folder.stage(each.stage, number).mkdir(parents=True)
    folder.write_json("funnel.json", list(counts))
    if responses:
        path = folder.stage("ask") / "replies"
        path.mkdir()
        writer = JournalWriter(path / "m.jsonl")
        for response in responses:
            writer.append(response)
        writer.close()
    return folder


def counted(name: str, came: int, went: int, passed_by: int = 0) -> StageCounts:
    return StageCounts(name, 1, came, went, {"kept": came}, passed_by=passed_by)


def replied(id: str, cost: float | None, *, cached: bool = False) -> Response:
    usage = Usage(input_tokens=100, output_tokens=20)
    return Response(id, "", 0, "answered", "x", usage=usage, cost_usd=cost, cached=cached, seconds=2.0)


def test_a_pilots_rates_and_costs_are_carried_to_all_records(tmp_path: Path) -> None:
    """10 works became 30 pieces, of which half were asked about; 1,000 works are a hundred times as many."""
    responses = [replied(f"r{n}", 0.01) for n in range(15)] + [replied("again", 0.01)]
    folder = pilot(tmp_path, [counted("cut", 10, 30), counted("ask", 15, 6, passed_by=15)], responses)
    cut, asked = estimate_build(folder, [CUT, ASK], 1000)
    assert (cut.stage, cut.came, cut.pilot, cut.requests, cut.usd) == ("cut", 1000, 10, 0, 0)
    assert (asked.came, asked.pilot) == (1500, 15)
    assert asked.requests == pytest.approx(1600) and asked.usd == pytest.approx(16.0)
    assert asked.input_tokens == pytest.approx(160_000) and asked.output_tokens == pytest.approx(32_000)
    assert asked.seconds == pytest.approx(3200)


def test_records_that_a_stage_passes_by_go_on(tmp_path: Path) -> None:
    """Of 10 records the first stage concerns 4 and keeps 1, so that 7 go on."""
    last = CUT.named("last")
    folder = pilot(tmp_path, [counted("cut", 4, 1, passed_by=6), counted("last", 7, 7)])
    assert [each.came for each in estimate_build(folder, [CUT, last], 100)] == pytest.approx([40, 70])


def test_a_stage_that_the_pilot_did_not_reach_has_no_figure(tmp_path: Path) -> None:
    folder = pilot(tmp_path, [counted("cut", 10, 0), counted("ask", 0, 0)])
    later = CUT.named("later")
    cut, asked, last = estimate_build(folder, [CUT, ASK, later], 50)
    assert cut.came == 50 and asked.came == 0
    assert asked.requests is None and asked.usd is None and last.pilot == 0
    assert [each.came for each in estimate_build(pilot(tmp_path / "b", []), [CUT, later], 9)] == [9, None]


@pytest.mark.parametrize(
    ("responses", "usd"),
    [
        ([replied("a", 0.5), replied("b", None)], None),  # one without a price
        ([replied("a", 0.5), replied("b", None, cached=True)], 5.0),  # a cached one costs nothing
        ([replied("a", 0.0), replied("b", 0.0)], 0.0),
    ],
)
def test_a_reply_without_a_price_makes_the_cost_unknown(
    tmp_path: Path, responses: list[Response], usd: float | None
) -> None:
    folder = pilot(tmp_path, [counted("ask", 2, 2)], responses)
    (asked,) = estimate_build(folder, [ASK], 20)
    assert asked.usd == (None if usd is None else pytest.approx(usd)) and asked.requests == pytest.approx(20)


RECORDS = [Record("a", {"text": "x" * 400, "n": 5}), Record("b", {"text": "y" * 800, "hard": True})]


def test_before_a_pilot_the_prompt_and_the_mean_text_are_counted() -> None:
    model = Model("maker", toy.Counting({}), price=(1.0, 10.0))
    cut, asked = estimate_by_prompts([CUT, ASK], RECORDS, {"maker": model})
    assert (cut.came, cut.requests, cut.basis) == (2, 0, "prompts")
    assert asked.came == asked.requests == 2 and asked.basis == "prompts" and asked.output_tokens == 400
    # 600 letters on average are 150 tokens, and the prompt's eleven letters 3
    assert asked.input_tokens == 2 * 153
    assert asked.usd == pytest.approx(2 * (153 * 1.0 + 200 * 10.0) / 1e6)


def test_media_people_and_roles_without_a_model() -> None:
    shows = ("audio", "video_clip", "picture")
    asking = Ask(Prompt("p", ""), lambda *_: kept(), shows=shows, roles=("maker", "judge"))
    made = toy.ask("see", asking, version=1, reads=list(shows))
    free = Model("maker", toy.Counting({}), price=(0.0, 0.0))
    people = {"maker": free, "judge": Group("judge", "human/experts")}
    (seen,) = estimate_by_prompts([made], [Record("a", {})], people)
    assert seen.requests == 1 and seen.usd == 0 and seen.input_tokens == 30 * 25 + 30 * 260 + 1000
    (unknown,) = estimate_by_prompts([made], [Record("a", {})], {"maker": free})
    assert unknown.usd is None and unknown.requests == 2


def test_a_stage_for_some_records_is_counted_by_the_fields_that_the_raw_material_has() -> None:
    hard, later = CUT.only(hard=[True]), CUT.named("later").only(made_in_the_build=["x"])
    assert [each.came for each in estimate_by_prompts([hard, later], RECORDS, {})] == [1, 2]
    assert [each.came for each in estimate_by_prompts([CUT], [], {})] == [0]
