"""What must hold for every benchmark in the box, over its embedded mini set: one test a rule, no benchmark named."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from triptych.benchmarks import Benchmark, known_benchmarks
from triptych.errors import SpecError
from triptych.media.payload import MediaReader
from triptych.metrics.metric import find_metric, known_metrics
from triptych.models.registry import load_adapter
from triptych.prompts.build import build_request
from triptych.protocols.protocol import Unit
from triptych.records import RESPONSE_STATUSES, SCORE_STATUSES, Item, Response, ResponseStatus
from triptych.running.loop import run_sync
from triptych.scoring.stored.units import group_units

BENCHMARKS = sorted(known_benchmarks().values(), key=lambda b: b.name)
PROMPTS = {bench.name: next(iter(bench.spec.prompts.values())) for bench in BENCHMARKS}
REFERENCE = load_adapter("baseline/reference")
pytestmark = pytest.mark.parametrize("bench", BENCHMARKS, ids=lambda b: b.name)


def mini_items(bench: Benchmark) -> list[Item]:
    return list(bench.items(bench.mini))


def mini_units(bench: Benchmark) -> list[Unit]:
    return list(group_units(mini_items(bench), []))


def answered(unit: Unit, status: ResponseStatus, text: str | None = None) -> Unit:
    """The Unit with every Item answered by the same text, or by its own target."""
    return Unit(unit.items, tuple(reply(i, status, reference_text(i) if text is None else text) for i in unit.items))


def reply(item: Item, status: ResponseStatus, text: str = "") -> Response:
    return Response(item=item.id, condition="", repeat=0, status=status, text=text)


def reference_text(item: Item) -> str:
    prompt = build_request(item, PROMPTS[item.task.partition("/")[0]], settings={})
    return run_sync(REFERENCE.respond(prompt, None)).text


def test_the_specification_names_a_paper_a_licence_and_known_metrics(bench: Benchmark) -> None:
    assert bench.spec.citation.title
    assert bench.spec.licence
    assert {m for t in bench.spec.tasks for m in t.metrics} <= set(known_metrics())
    assert list(bench.protocols) == list(bench.spec.protocols)


def test_the_mini_set_is_clean_small_and_whole(bench: Benchmark) -> None:
    problems = [p for p in bench.check(bench.mini) if p.severity == "error"]
    assert not problems
    size = sum(p.stat().st_size for p in bench.mini.rglob("*") if p.is_file())
    assert size < 3_500_000
    reader = MediaReader(bench.mini)
    for item in mini_items(bench):
        for part in item.all_parts:
            if part.is_media:
                reader.resolve(part)


def test_item_ids_are_unique_and_tasks_are_the_specifications(bench: Benchmark) -> None:
    items = mini_items(bench)
    assert items
    repeated = [id_ for id_, count in Counter(i.id for i in items).items() if count > 1]
    assert not repeated
    assert {i.task for i in items} <= {bench.spec.full_id(t) for t in bench.spec.tasks}


def test_the_key_is_among_the_options(bench: Benchmark) -> None:
    for item in mini_items(bench):
        assert item.answer in ("letter", "option", "options") or not item.options, item.id
        if item.answer == "letter":
            assert item.target in item.labels, item.id
        elif item.answer == "option":
            assert item.target in item.option_texts(), item.id
        elif item.answer == "options":
            assert isinstance(item.target, tuple)
            assert set(item.target) <= set(item.option_texts()), item.id


def test_every_prompt_can_ask_every_item_and_never_tells_the_key_apart(bench: Benchmark) -> None:
    for item in mini_items(bench)[::7]:
        for name in {
            bench.spec.prompt,
            *(p for t in bench.spec.tasks if bench.spec.full_id(t) == item.task for p in t.prompts),
        }:
            request = build_request(item, bench.spec.prompts[name], settings={})
            sent = [p for m in request.messages for p in m.parts]
            assert {p.path for p in sent if p.is_media} == {p.path for p in item.all_parts if p.is_media}
            assert all(p.text.strip() for p in sent if not p.is_media)


@pytest.mark.parametrize("status", RESPONSE_STATUSES)
def test_every_status_gives_every_metric_in_every_protocol(bench: Benchmark, status: ResponseStatus) -> None:
    """Denominators never shrink: whatever became of a Response, the same Scores come out."""
    for protocol in bench.protocols.values():
        for unit in mini_units(bench)[::11]:
            spoken = protocol.score(answered(unit, "answered", "A"))
            expected = {s.metric for s in spoken}
            without_judge = {s.metric for s in spoken if s.status == "unavailable"}
            scores = protocol.score(answered(unit, status, ""))
            assert {s.metric for s in scores} == expected
            assert len(scores) == len(expected)
            for score in scores:
                assert score.status in SCORE_STATUSES
                assert score.denominator > 0 or score.metric in without_judge


def test_no_response_is_missing_and_never_scored(bench: Benchmark) -> None:
    for protocol in bench.protocols.values():
        for unit in mini_units(bench)[::11]:
            for score in protocol.score(unit):
                assert score.status in ("missing", "unavailable")
                assert score.value is None


def test_the_reference_is_never_wrong(bench: Benchmark) -> None:
    for name, protocol in bench.protocols.items():
        for unit in mini_units(bench):
            for score in protocol.score(answered(unit, "answered")):
                if score.status == "unavailable":
                    continue
                assert score.status == "scored", (name, unit.unit_id)
                if score.metric == "bleu" and len(str(unit.item.target)) < 4:
                    continue  # BLEU has no four-gram to find in it, and so never reaches 1
                best = 0.0 if find_metric(score.metric).better == "lower" else 1.0
                assert score.value == best, (name, unit.unit_id, score.metric)


HOSTILE = ["", " ", "\n" * 50, "A" * 20_000, "<script>alert(1)</script>", "\x00\x1b[2J", "ABCD", "；；；", "🀄" * 1000]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_reply_is_scored_or_unparsed_and_never_a_crash(bench: Benchmark, text: str) -> None:
    for protocol in bench.protocols.values():
        for unit in mini_units(bench)[::17]:
            for score in protocol.score(answered(unit, "answered", text)):
                assert score.status in ("scored", "unparsed", "unavailable")
                low, high = find_metric(score.metric).range
                per = 100 if find_metric(score.metric).unit == "%" else 1
                if score.denominator:
                    assert low * score.denominator <= per * score.numerator <= high * score.denominator


def test_published_tables_are_tidy(bench: Benchmark) -> None:
    for path in sorted((bench.folder / "published").glob("tables*.csv")):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines[0] == "paper,table,model,column,value"
        assert len(lines) == len(set(lines)), path


def test_layouts_name_tasks_and_metrics_that_exist(bench: Benchmark) -> None:
    tasks = {bench.spec.full_id(t) for t in bench.spec.tasks}
    for layout in bench.spec.layouts:
        for column in layout.columns:
            known = column.task in tasks or column.task == bench.name or column.task == ""
            assert known, (layout.id, column.task)


def test_a_folder_without_the_files_is_refused_clearly(bench: Benchmark, tmp_path: Path) -> None:
    from triptych.errors import DataError

    with pytest.raises(DataError):
        list(bench.items(tmp_path))


def test_a_plug_ins_reader_gives_items_of_the_tasks_that_it_is_asked_for(bench: Benchmark) -> None:
    items = mini_items(bench)
    tasks = [task for task in bench.spec.tasks if any(item.task == bench.spec.full_id(task) for item in items)]
    package = replace(bench, origin="lab-plugin")
    assert list(package._checked_items(items, tasks)) == items
    for wrong in ([{"id": "1"}], None, items):
        with pytest.raises(SpecError, match="reader of the package lab-plugin gave no Item of the Tasks"):
            list(package._checked_items(wrong, tasks[:1] if len(tasks) > 1 else []))  # type: ignore[arg-type]
