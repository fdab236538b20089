"""A Run as rows for other harnesses: every Item and repeat, answered or not, with the scores of its Unit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from triptych import api
from triptych.errors import SpecError
from triptych.interchange.samples import Sample, ScoredRun, words
from triptych.records import Item, Part, Response
from triptych.store.folder import RunFolder


def test_every_item_and_repeat_is_a_sample_with_its_score(run: RunFolder) -> None:
    samples = list(ScoredRun.from_folder(run).samples())
    items = list(run.items())
    assert [(one.item.id, one.repeat) for one in samples] == [(item.id, n) for item in items for n in range(2)]
    for one in samples:
        assert one.response is not None and (one.response.item, one.response.repeat) == (one.item.id, one.repeat)
        (score,) = one.scores
        assert score.value == float(one.response.text == one.item.target) and score.repeat == one.repeat


def test_a_missing_reply_is_a_sample_too(run: RunFolder, tmp_path: Path) -> None:
    cut = RunFolder.create(tmp_path / "cut", run.manifest)
    with cut.writer() as writer:
        for item in run.items():
            writer.add_item(item)
        writer.add_response(next(iter(run.responses())))
    samples = list(ScoredRun.from_folder(cut).samples())
    assert sum(one.response is None for one in samples) == len(samples) - 1
    missing = next(one for one in samples if one.response is None)
    assert missing.scores[0].status == "missing" and missing.provenance["response"] is None


def test_the_scores_of_a_unit_of_several_items_are_on_its_first(tmp_path: Path) -> None:
    """MCIF scores a talk as a whole: its segments' samples have no score of their own."""
    folder = api.run("mcif/short/en/ASR", "baseline/reference", out=tmp_path / "run", limit=1).folder
    samples = list(ScoredRun.from_folder(folder).samples())
    with_scores = [one for one in samples if one.scores]
    assert len(samples) > len(with_scores) == len({one.item.unit_id for one in samples})
    assert all(not one.item.place for one in with_scores)


def test_the_protocol_is_the_first_unless_one_is_named(run: RunFolder) -> None:
    headline, named = ScoredRun.from_folder(run), ScoredRun.from_folder(run, "standard")
    assert headline.protocol == headline.spec.protocols[0] and named.protocol == "standard"
    assert {one.protocol for one in named.aggregates} == {"standard"}
    with pytest.raises(SpecError, match="did you mean 'standard'"):
        ScoredRun.from_folder(run, "standart")


def test_scores_that_are_out_of_date_are_made_again(run: RunFolder, tmp_path: Path) -> None:
    folder = api.run("cmdar/main", "baseline/first", out=tmp_path / "run", limit=2).folder
    lines = (folder.path / "responses.jsonl").read_text("utf-8").splitlines()
    changed = json.loads(lines[0]) | {"text": "", "status": "failed", "error": {"kind": "server", "message": "x"}}
    (folder.path / "responses.jsonl").write_text("\n".join([json.dumps(changed), lines[1], ""]), "utf-8")
    statuses = {one.item.id: one.scores[0].status for one in ScoredRun.from_folder(folder).samples()}
    assert statuses[changed["item"]] == "failed" and len(statuses) == 2


def test_media_are_named_in_stem_and_options() -> None:
    audio = Part("audio", path="音/1.wav", sha256="0" * 64)
    item = Item(
        "q", "b/t", (audio, Part("text", text="Which?")), ((audio,), (Part("text", text="a"), audio)), target=("A", "B")
    )
    sample = Sample(item, 0, Response("q", "", 0, "answered", "A"), ())
    assert (sample.stem, sample.choices) == ("[audio: 音/1.wav]\nWhich?", ["[audio: 音/1.wav]", "a [audio: 音/1.wav]"])
    assert sample.target == ["A", "B"] and Sample(Item("q", "b/t", ()), 0, None, ()).target == []
    assert words(Part("video", path="v.mp4")) == "[video: v.mp4]" and words(Part("text", text="诗")) == "诗"
