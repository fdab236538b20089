"""The Scores of a protocol, collected a part at a time, give the figures of all Scores together."""

from __future__ import annotations

import pytest
from msgspec import structs

from tests.scoring.toy import item, make_spec, protocol, random_scores, response, score
from triptych.errors import DataError
from triptych.protocols.outcomes import AMBIGUOUS
from triptych.protocols.protocol import Unit
from triptych.records import Score
from triptych.scoring.figures.aggregate import aggregate_scores
from triptych.scoring.stored.collecting import Collected


def collected() -> Collected:
    return Collected(protocol(), make_spec(), {})


@pytest.mark.parametrize("parts", [1, 3, 60])
def test_figures_do_not_depend_on_the_parts(parts: int) -> None:
    """Parts that share no Instance, as shards and chunks of a large Run are."""
    scores = random_scores(4)
    names = sorted({one.instance for one in scores})
    found = collected()
    for number in range(parts):
        mine = {name for index, name in enumerate(names) if index % parts == number}
        found.add([one for one in scores if one.instance in mine])
        found.end_part()
    assert found.aggregates("s") == aggregate_scores(scores, protocol(), make_spec(), "s")


def test_scores_that_are_still_open_count_too() -> None:
    scores = random_scores(2, instances=20)
    first = [one for one in scores if one.instance < "i5"]
    found = collected()
    found.add(first)
    found.end_part()
    found.end_part()  # of nothing: it changes nothing
    found.add([one for one in scores if one.instance >= "i5"])
    assert found.aggregates("s") == aggregate_scores(scores, protocol(), make_spec(), "s")


def test_no_scores_have_no_figures() -> None:
    found = collected()
    found.end_part()
    assert (found.aggregates("s"), found.metrics, found.lacking, found.ambiguous) == ([], set(), {}, 0)


def test_units_are_scored_and_their_scores_returned() -> None:
    found = collected()
    units = [Unit((item(name),), (reply,)) for name, reply in (("1", response("1")), ("2", None))]
    scores = found.score(units)
    assert [(one.unit, one.status, one.numerator) for one in scores] == [("1", "scored", 1), ("2", "missing", 0)]
    assert [(a.task, a.value) for a in found.aggregates("s")] == [("toy/a", 50), ("toy", 50)]


def test_a_task_has_the_same_metrics_in_every_part() -> None:
    def changing(unit: Unit) -> list[Score]:
        scored = score(unit.unit_id, 1, metric="acc" if unit.unit_id == "1" else "bleu")
        return [structs.replace(scored, task=unit.item.task)]

    found = Collected(protocol(score=changing), make_spec(), {})
    found.score([Unit((item("1"),), (response("1"),))])
    found.end_part()
    with pytest.raises(DataError, match="unit 2 of toy/a"):
        found.score([Unit((item("2"),), (response("2"),))])
    found.score([Unit((item("2", task="b"),), (response("2"),))])
    assert found.metrics == {"acc", "bleu"}, "another Task may have others"


def test_what_is_missing_is_counted_by_metric_and_ambiguous_replies_for_all() -> None:
    found = collected()
    lost = structs.replace(score("1", 0, status="unavailable"), note="COMET is not installed")
    unclear = structs.replace(score("2", 0, status="unparsed"), note=AMBIGUOUS)
    remark = structs.replace(score("3", 1), note="a remark about a Score that has a value")
    found.add([lost, structs.replace(lost, metric="comet"), unclear, remark])
    found.add([structs.replace(lost, unit="4"), structs.replace(unclear, unit="5")])
    assert found.lacking == {("COMET is not installed", "acc"): 2, ("COMET is not installed", "comet"): 1}
    assert found.ambiguous == 2 and found.metrics == {"acc", "comet"}
