"""A Run is scored from its folder alone; what is written can be read again."""

from __future__ import annotations

import pytest

from tests.scoring.conftest import MakeRun
from tests.scoring.toy import item, response
from triptych.errors import RunFolderError, SpecError
from triptych.scoring.runs import load_scores, load_summary, score_run

ITEMS = [item("1"), item("2"), item("3"), item("4", task="b")]
RESPONSES = [response("1"), response("2", "B"), response("3", "", "failed"), response("4")]


def test_scores_and_summary_are_written_and_read_back(make_run: MakeRun) -> None:
    folder = make_run(ITEMS, RESPONSES)
    scored = score_run(folder)
    assert list(scored) == ["official", "standard"]
    assert scored.counts == {"answered": 3, "failed": 1}
    assert dict(load_summary(folder)) == dict(scored)
    assert load_summary(folder).counts == scored.counts
    assert [(s.unit, s.status) for s in load_scores(folder, "standard")] == [
        ("1", "scored"),
        ("2", "scored"),
        ("3", "failed"),
        ("4", "scored"),
    ]
    first = scored["standard"][0]
    assert (first.task, first.value, scored["official"][0].value) == ("toy/a", pytest.approx(100 / 3), 50)


def test_scoring_again_gives_the_same_bytes(make_run: MakeRun) -> None:
    folder = make_run(ITEMS, RESPONSES)
    score_run(folder)
    before = [p.read_bytes() for p in (folder.summary_path, folder.scores_path("official"))]
    score_run(folder)
    assert [p.read_bytes() for p in (folder.summary_path, folder.scores_path("official"))] == before


def test_a_chosen_protocol_is_scored_alone_and_an_unknown_one_refused(make_run: MakeRun) -> None:
    folder = make_run(ITEMS, RESPONSES)
    assert list(score_run(folder, ["standard"])) == ["standard"]
    with pytest.raises(SpecError, match="did you mean 'official'"):
        score_run(folder, ["oficial"])


def test_the_signature_names_all_that_a_value_depends_on(make_run: MakeRun) -> None:
    folder = make_run(
        ITEMS, RESPONSES, conditions=("blind",), revision="r1", limit=3, decoding={"temperature": 0}, seed=7
    )
    signature = score_run(folder)["official"][0].signature
    fields = dict(field.split(":", 1) for field in signature.split("|"))
    settings = fields.pop("settings")
    assert fields.pop("triptych")
    assert fields == {
        "bench": "toy@1",
        "data": "abc",
        "protocol": "official@1",
        "metrics": "acc",
        "judge": "none",
        "model": "replay/x@r1",
        "cond": "blind",
        "prompt": "plain",
        "tasks": "a+b",
        "limit": "3",
        "seed": "7",
    }
    other = make_run(ITEMS, RESPONSES, "other", decoding={"temperature": 1})
    assert settings not in score_run(other)["official"][0].signature


def test_repeats_are_units_and_those_not_asked_are_missing(make_run: MakeRun) -> None:
    folder = make_run(ITEMS[:1], [response("1"), response("1", "B", repeat=1)], repeats=3)
    scored = score_run(folder)
    assert scored.counts == {"answered": 2, "missing": 1}
    assert scored["standard"][0].value == pytest.approx(100 / 3)
    assert scored["official"][0].value == 50


def test_an_unfinished_run_says_so(make_run: MakeRun) -> None:
    (note,) = score_run(make_run(ITEMS, RESPONSES, planned=10)).notes
    assert "in the data 10, asked 4" in note and "6 Requests" in note
    assert score_run(make_run(ITEMS, RESPONSES, "whole", planned=4)).notes == ()


def test_a_run_that_was_never_scored_says_what_to_do(make_run: MakeRun) -> None:
    folder = make_run(ITEMS, RESPONSES)
    with pytest.raises(RunFolderError, match="triptych score"):
        load_summary(folder)
    with pytest.raises(RunFolderError, match="triptych score"):
        load_scores(folder, "official")
    for content in (b"{", b'{"model": "\xff"}'):
        folder.summary_path.write_bytes(content)
        with pytest.raises(RunFolderError, match="can't be read"):
            load_summary(folder)
