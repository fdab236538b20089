"""Units are scored under every protocol; what is missing, ambiguous or stored before is accounted for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from tests.scoring.toy import item, protocol, response, score, toy_benchmark
from triptych.benchmarks import load_benchmark
from triptych.errors import SpecError
from triptych.protocols.protocol import Protocol, Unit
from triptych.records import Column, Layout, Score, Usage
from triptych.scoring.figures.tallies import Tallies
from triptych.scoring.outcome import Scored, StoredScores, choose, score_all

TOY = toy_benchmark()
UNITS = [
    Unit((item("1"),), (response("1"),)),
    Unit((item("2"),), (response("2", "B"),)),
    Unit((item("3"),), (response("3", "", "failed"),)),
    Unit((item("4", "b"),), (None,)),
]


def sign(protocol: Protocol, metrics: Iterable[str], media: str) -> str:
    return f"{protocol.name}|{'+'.join(sorted(metrics))}|{media}"


def scored(units: Sequence[Unit] = UNITS, protocols: Any = None, **more: Any) -> Scored:
    return score_all([units[:1], units[1:]], TOY.protocols if protocols is None else protocols, TOY, sign, **more)


def values(outcome: Scored, name: str) -> dict[str, float | None]:
    return {one.task: one.value for one in outcome[name] if one.metric == "acc"}


def test_every_protocol_has_its_figures_of_the_same_units() -> None:
    outcome = scored()
    assert values(outcome, "standard") == {"toy/a": pytest.approx(100 / 3), "toy/b": 0, "toy": pytest.approx(100 / 6)}
    assert values(outcome, "official")["toy/a"] == 50, "of those with an answer"
    assert outcome.counts == {"answered": 2, "failed": 1, "missing": 1}
    assert {one.signature for one in outcome["standard"]} == {"standard|acc|"}


def test_no_units_and_no_protocols_give_nothing() -> None:
    nothing = scored([])
    assert dict(nothing) == {"official": [], "standard": []}
    assert (nothing.counts, nothing.notes, nothing.sent, nothing.credited) == ({}, (), {}, {})
    assert dict(scored(protocols={})) == {} and scored(protocols={}).counts == {
        "answered": 2,
        "failed": 1,
        "missing": 1,
    }


def test_scores_are_handed_out_as_they_come() -> None:
    kept: list[tuple[str, list[str]]] = []

    def keep(name: str, some: Sequence[Score] | bytes) -> None:
        assert not isinstance(some, bytes)
        kept.append((name, [one.unit for one in some]))

    scored(keep=keep)
    assert kept == [
        ("official", ["1"]),
        ("standard", ["1"]),
        ("official", ["2", "3", "4"]),
        ("standard", ["2", "3", "4"]),
    ]


def test_stored_scores_are_taken_and_their_protocol_is_not_applied() -> None:
    def never(unit: Unit) -> list[Score]:
        raise AssertionError("scored again")

    names = {"old": protocol(name="old", score=never), "standard": TOY.protocols["standard"]}
    parts = [[[score("1", 1), score("2", 1)]], [[score("3", 0)], [score("4", 1, task="toy/b")]]]
    stored = StoredScores(parts, [b'{"unit":"1"}\n', b'{"unit":"2"}\n'], credited={"toy/a": (1, 2)})
    lines: list[bytes] = []

    def keep(name: str, some: Sequence[Score] | bytes) -> None:
        if name == "old":
            assert isinstance(some, bytes)
            lines.append(some)

    outcome = scored(protocols=names, stored_scores={"old": stored}, keep=keep)
    assert values(outcome, "old") == {"toy/a": pytest.approx(200 / 3), "toy/b": 100, "toy": pytest.approx(250 / 3)}
    assert values(outcome, "standard")["toy/b"] == 0
    assert b"".join(lines) == b'{"unit":"1"}\n{"unit":"2"}\n'
    assert list(outcome) == ["old", "standard"] and outcome.credited["old"] == {"toy/a": (1, 2)}


def test_encoders_of_stored_scores_are_part_of_their_signature() -> None:
    stored = StoredScores([[[score("1", 1)]]], [], encoders="comet@22")
    outcome = scored(stored_scores={"standard": stored})
    assert outcome["standard"][0].signature == "standard|acc||encoders:comet@22"
    assert "encoders" not in outcome["official"][0].signature


def test_notes_are_made_after_all_units_were_counted() -> None:
    def notes(tallies: Tallies) -> list[str]:
        return [f"{sum(tallies.counts.values())} Units"]

    assert scored(notes=notes).notes == ("4 Units",)


def test_one_note_for_each_requirement_names_metrics_units_and_protocols() -> None:
    def lacks(reason: str, *metrics: str) -> Any:
        def score_unit(unit: Unit) -> list[Score]:
            lost = structs.replace(score(unit.unit_id, 0, of=0, task=unit.item.task, status="unavailable"), note=reason)
            return [structs.replace(lost, metric=metric) for metric in metrics]

        return score_unit

    names = {
        "official": protocol(name="official", score=lacks("COMET is not installed", "comet", "bleu")),
        "standard": protocol(name="standard", score=lacks("COMET is not installed", "comet")),
        "paper": protocol(name="paper", score=lacks("no judge", "judge_score")),
    }
    assert scored(protocols=names).notes == (
        "unavailable: comet for 4 Units (official, standard); bleu for 4 Units (official): COMET is not installed",
        "unavailable: judge_score for 4 Units (paper): no judge",
    )
    single = scored(UNITS[:1], {"paper": names["paper"]})
    assert single.notes == ("unavailable: judge_score for 1 Unit (paper): no judge",)


def test_ambiguous_replies_wait_for_a_person_and_the_decision_is_signed(tmp_path: Any) -> None:
    benchmark = load_benchmark("mcs_bench")
    asked = structs.replace(
        item("mcs_bench/T36/1"), task="mcs_bench/T36", labels=("A", "B"), target="B", facets={"kind": "choice"}
    )
    names, queue = {"paper": benchmark.protocol("paper")}, tmp_path / "queue.jsonl"
    units = [Unit((asked,), (response(asked.id, "A或B"),))]

    def outcome(**more: Any) -> Scored:
        return score_all([units], names, benchmark, sign, **more)

    assert outcome().notes == ("1 ambiguous reply is unparsed until a person decides: --queue FILE",)
    assert outcome(queue=queue).notes == (
        f"1 ambiguous reply waits for a person: write the label as `choice` in {queue}",
    )
    before = next(one for one in outcome(queue=queue)["paper"] if one.task == "mcs_bench/T36" and one.metric == "acc")
    queue.write_text(queue.read_text("utf-8").replace('"choice":null', '"choice":"B"'), "utf-8")
    decided = outcome(queue=queue)
    after = next(one for one in decided["paper"] if one.task == "mcs_bench/T36" and one.metric == "acc")
    assert (before.counts, after.counts, after.value) == ({"unparsed": 1}, {"scored": 1}, 100)
    assert "|decided:" in after.signature and decided.notes == ()


def test_the_cost_of_a_replay_is_not_the_models() -> None:
    spec = structs.replace(TOY.spec, layouts=(Layout("cost", "Cost", (Column("", "toy", "million_tokens"),)),))
    paid = structs.replace(response("1"), usage=Usage(2_000_000, 0))

    class Costly:
        def __getattr__(self, name: str) -> Any:
            return spec if name == "spec" else getattr(TOY, name)

    def metrics(costs: bool) -> set[str]:
        outcome = score_all([[replace(UNITS[0], responses=(paid,))]], TOY.protocols, Costly(), sign, costs=costs)  # type: ignore[arg-type]
        return {one.metric for one in outcome["standard"]}

    assert metrics(True) - metrics(False) == {"million_tokens"}


def test_protocols_are_chosen_in_the_benchmarks_order_and_unknown_ones_refused() -> None:
    assert (
        list(choose(TOY, None)) == list(choose(TOY, ["standard", "official", "standard"])) == ["official", "standard"]
    )
    assert list(choose(TOY, ["standard"])) == ["standard"] and choose(TOY, []) == {}
    with pytest.raises(SpecError, match="toy has no protocol 'standart'") as refused:
        choose(TOY, ["official", "standart"])
    assert refused.value.fix == "did you mean 'standard'?"
