"""Judges' verdicts are attached to Units: asked once, read from the folder afterwards, and counted in notes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from tests.judges.test_asking import Judged
from triptych.benchmarks import load_benchmark
from triptych.errors import ProviderError, SpecError
from triptych.judges.panel import Judge, Panel
from triptych.judges.rubric import load_rubric
from triptych.protocols.protocol import NO_VERDICTS, Unit
from triptych.records import Item, Part, Response
from triptych.running.loop import RunOptions
from triptych.scoring.judging import JudgedUnits, JudgeSession, ask_judges, check_rubrics, last_session

CMDAR = load_benchmark("cmdar")
PAIR = load_rubric("pair")


def open_question(number: int, reply: str | None = "因为他怕赶不上火车。") -> Unit:
    """A question of CMDAR's open part: only these have a judge."""
    parts = (
        Part("audio", path=f"audio/{number}.wav", role="content"),
        Part("text", text=f"男子为什么着急？（{number}）", role="question"),
    )
    item = Item(f"cmdar/open/{number}", "cmdar/open", parts, answer="text", target="火车马上就要出发了。")
    return Unit((item,), (None if reply is None else Response(item.id, "", 0, "answered", reply),))


def choice() -> Unit:
    item = Item("cmdar/main/1", "cmdar/main", (), answer="letter", target="A")
    return Unit((item,), (Response(item.id, "", 0, "answered", "A"),))


def session(place: Path, *judges: Judged, asking: bool = True, **panel: Any) -> JudgeSession:
    made = Panel(tuple(Judge.from_adapter(judge) for judge in judges), **panel).validated()
    return JudgeSession(made, place, judges if asking else None, RunOptions(concurrency=2, retries=0))


def test_only_what_has_a_judged_metric_is_asked_about(tmp_path: Path) -> None:
    judge = Judged(lambda _: "9 5")
    one = session(tmp_path, judge)
    judging = ask_judges([[choice()], [open_question(1, None)]], CMDAR, ["official"], one)
    assert judge.requests == [] and judging.outcomes == () and not list(tmp_path.iterdir())
    ask_judges([[choice(), open_question(1)], [open_question(2)]], CMDAR, ["official"], one)
    assert [request.id for request in judge.requests] == ["cmdar/open/1", "cmdar/open/2"]


def test_units_carry_the_verdicts_of_the_folder_at_each_reading(tmp_path: Path) -> None:
    chunks = [[choice(), open_question(1)], [open_question(2)]]
    asked = session(tmp_path, Judged(lambda words: "9 5" if "（1）" in words else "8 4"))
    ask_judges(chunks, CMDAR, ["official"], asked)
    judged = JudgedUnits(chunks, session(tmp_path, *asked.adapters or (), asking=False), CMDAR, ["official"])  # type: ignore[arg-type]
    for _ in range(2):
        (first, one), (two,) = judged
        assert not first.verdicts.entries and first.item.id == "cmdar/main/1"
        assert [verdict.values for unit in (one, two) for verdict in unit.verdicts.entries] == [(9, 5), (8, 4)]
        assert one.responses == chunks[0][1].responses, "the rest of a Unit is unchanged"
        (note, described) = judged.notes()
        assert note.startswith(f"judge told/judge with {PAIR.name}: verdicts 2 given; 2 asked in all, 210 tokens")
        assert described == "the judge saw descriptions of the media from: none"


def test_notes_count_what_is_missing_failed_and_unreadable(tmp_path: Path) -> None:
    def say(words: str) -> Any:
        return {"（1）": "9 5", "（2）": "nothing to say", "（3）": ProviderError("down", kind="server")}[
            next(mark for mark in ("（1）", "（2）", "（3）") if mark in words)
        ]

    one = session(tmp_path, Judged(say))
    units = [open_question(number) for number in (1, 2, 3, 4)]
    ask_judges([units[:3]], CMDAR, ["official"], one)
    judged = JudgedUnits([units], one, CMDAR, ["official"])
    assert [v.status for (chunk) in judged for unit in chunk for v in unit.verdicts.entries] == [
        "given",
        "unparsed",
        "failed",
        "missing",
    ]
    assert "verdicts 1 given, 1 unparsed, 1 failed, 1 missing;" in next(judged.notes())


def test_an_early_end_says_how_to_continue(tmp_path: Path) -> None:
    one = session(tmp_path, Judged(lambda _: ProviderError("wrong key", kind="auth", fatal=True)))
    judging = ask_judges([[open_question(1)]], CMDAR, ["official"], one)
    judged = JudgedUnits([[open_question(1)]], one, CMDAR, ["official"])
    list(judged)
    *_, last = judged.notes(judging)
    assert last.startswith("judging ended early: ") and "wrong key" in last
    assert last.endswith("run the same command again to continue")


def test_without_a_session_units_are_unchanged_and_nothing_is_said() -> None:
    chunks = [[open_question(1)]]
    judged = JudgedUnits(chunks, None, CMDAR, ["official"])
    assert list(judged) == chunks and chunks[0][0].verdicts is NO_VERDICTS
    assert (judged.signature_text, list(judged.notes())) == ("", [])


def test_the_signature_has_judges_only_if_something_was_to_be_judged(tmp_path: Path) -> None:
    one = session(tmp_path, Judged(lambda _: "9 5"), evaluations=2)
    none, some = (JudgedUnits([[unit]], one, CMDAR, ["official"]) for unit in (choice(), open_question(1)))
    list(none), list(some)
    assert none.signature_text == "" and list(none.notes()) == []
    other = JudgedUnits([[open_question(1)]], session(tmp_path, Judged(lambda _: "", "told/2")), CMDAR, ["official"])
    list(other)
    assert "told/judge" in some.signature_text and some.signature_text != other.signature_text


def test_the_panel_that_was_asked_last_is_found_for_reading_only(tmp_path: Path) -> None:
    assert last_session(tmp_path) is None
    panel = session(tmp_path, Judged(lambda _: "9 5"), evaluations=3).panel
    panel.save(tmp_path)
    found = last_session(tmp_path)
    assert found is not None and (found.panel, found.path, found.adapters) == (panel, tmp_path, None)


def test_a_rubric_for_a_metric_that_nobody_judges_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    judge = Judged(lambda _: "9 5")
    one = session(tmp_path, judge, rubrics={"judge_scor": PAIR})
    with pytest.raises(SpecError, match="no judged metric 'judge_scor' in cmdar") as refused:
        ask_judges([[open_question(1)]], CMDAR, ["official"], one)
    error = refused.value
    assert (error.where, error.expected, error.fix) == ("--rubric", "judge_score", "did you mean 'judge_score'?")
    with pytest.raises(SpecError, match="judge_scor"):
        JudgedUnits([], one, CMDAR, ["official"])
    assert judge.requests == []
    toyless = load_benchmark("mcs_bench")
    with pytest.raises(SpecError) as refused:
        check_rubrics(one.panel, toyless, [])
    assert refused.value.expected == "a benchmark with judged metrics"


def test_a_rubric_that_asks_for_a_slot_which_the_benchmark_lacks_is_refused(tmp_path: Path) -> None:
    strange = structs.replace(PAIR, id="mine", prompt=PAIR.prompt + "\n{emotion}")
    panel = session(tmp_path, Judged(lambda _: "9 5"), rubrics={"judge_score": strange}).panel
    with pytest.raises(SpecError, match="emotion"):
        check_rubrics(panel, CMDAR, [open_question(1).item])
    check_rubrics(panel, CMDAR, [choice().item])  # nobody judges this one
