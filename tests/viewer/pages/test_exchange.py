"""The Request as it was sent, held to the journal's key; what judges said, read by their rubrics."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

import triptych
from tests.viewer.runs import HOSTILE_ID
from triptych.benchmarks import load_benchmark
from triptych.experiment.sent_requests import sent_messages
from triptych.media.payload import DataFolder, MediaReader
from triptych.records import Item, Request, Response
from triptych.store.folder import RunFolder
from triptych.viewer.index.files import open_index
from triptych.viewer.index.query import Questions
from triptych.viewer.pages.exchange import judge_replies


@pytest.mark.parametrize("run", ["xmodbench/random", "xmodbench/knowing", "mcif", "repeats"])
def test_every_request_is_what_was_sent(root: Path, run: str) -> None:
    folder = RunFolder.open(root / run)
    items = {item.id: item for item in folder.items()}
    spec = load_benchmark(folder.manifest.benchmark).spec
    told = {sent_messages(items[r.item], r, folder.manifest, spec).certainty for r in folder.responses()}
    assert told == {"exact"}


def first(root: Path) -> tuple[Item, Response, RunFolder]:
    folder = RunFolder.open(root / "xmodbench" / "random")
    item, response = next(iter(folder.items())), next(iter(folder.responses()))
    assert item.id == response.item
    return item, response, folder


def test_the_smallest_difference_is_told(root: Path) -> None:
    item, response, folder = first(root)
    spec = load_benchmark("xmodbench").spec
    words = msgspec.structs.replace(item.parts[0], text=item.parts[0].text + ".")
    changed = msgspec.structs.replace(item, parts=(words, *item.parts[1:]))
    assert sent_messages(changed, response, folder.manifest, spec).certainty == "other"
    warmer = msgspec.structs.replace(folder.manifest, decoding={"temperature": 1.0})
    assert sent_messages(item, response, warmer, spec).certainty == "other"


@pytest.mark.parametrize("conditions", [("reasons",), ("noise", "shuffle"), ("circular",)])
def test_under_conditions_too(tmp_path: Path, conditions: tuple[str, ...]) -> None:
    tasks = ["perception/general/audio_text"]
    folder = triptych.run(
        "xmodbench", "baseline/random", tasks=tasks, limit=1, seed=3, conditions=conditions, out=tmp_path / "run"
    ).folder
    spec, items = load_benchmark("xmodbench").spec, {item.id: item for item in folder.items()}
    told = [sent_messages(items[r.item], r, folder.manifest, spec).certainty for r in folder.responses()]
    assert told
    assert set(told) == {"exact"}


def test_what_a_condition_made_of_a_file_is_vouched_for(root: Path) -> None:
    """The key of a model that was sent the changed file holds the hash of what was sent, not the file's own."""
    item, response, folder = first(root)
    spec, data = load_benchmark("xmodbench").spec, load_benchmark("xmodbench").mini
    parts = tuple(msgspec.structs.replace(p, transform="silence") if p.kind == "audio" else p for p in item.parts)
    item = msgspec.structs.replace(item, parts=parts)
    (part,) = [p for p in parts if p.kind == "audio"]
    sent = MediaReader(data).load(part)
    request = Request(item.id, sent_messages(item, None, folder.manifest, spec).messages, folder.manifest.decoding)
    settings = msgspec.json.encode(folder.manifest.model_settings).decode()
    key = request.key(folder.manifest.model, f"{folder.manifest.revision} {settings}", {part.content_name: sent.sha256})
    response = msgspec.structs.replace(response, key=key)
    assert sent_messages(item, response, folder.manifest, spec, DataFolder(data)).certainty == "exact"
    assert sent_messages(item, response, folder.manifest, spec, None).certainty == "other"


def test_what_cannot_be_known_is_said(root: Path) -> None:
    item, response, folder = first(root)
    spec = load_benchmark("xmodbench").spec
    keyless = msgspec.structs.replace(response, key="")
    assert sent_messages(item, keyless, folder.manifest, spec).certainty == "unchecked"
    assert sent_messages(item, None, folder.manifest, spec).certainty == "unchecked"
    own = msgspec.structs.replace(folder.manifest, prompt="my own")
    assert sent_messages(item, response, own, spec).certainty == "unknown"
    # the manifest holds the prompt's text
    assert sent_messages(item, response, folder.manifest, None).certainty == "exact"
    textless = msgspec.structs.replace(folder.manifest, prompts={})
    assert "isn't installed" in sent_messages(item, response, textless, None).problem


def test_verdicts_are_read_by_their_rubric(root: Path) -> None:
    folder = RunFolder.open(root / "hostile")
    rows = Questions(open_index(folder)).verdicts(HOSTILE_ID)
    known, unknown = sorted(judge_replies(folder, rows), key=lambda said: not said.rubric)
    assert (known.judge, known.parsed, known.order) == ("openai/judge", "REASONING", "straight")
    assert known.rubric.startswith("error_kind@")
    assert (unknown.judge, unknown.marks, unknown.evaluation, unknown.attempt) == ("unknown-judge", (), 1, 1)
