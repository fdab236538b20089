"""Recordings in words: each model is asked once per clip, and what it writes is kept in a field of its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from triptych.construction.asking.stage import Model
from triptych.construction.engine.context import Context
from triptych.construction.engine.engine import Engine
from triptych.construction.engine.folder import BuildFolder
from triptych.construction.engine.media import MediaStore
from triptych.construction.parameters import Parameters
from triptych.construction.record import Record
from triptych.construction.stage import Stage
from triptych.construction.stages.describing import describe_audio, describe_video, transcribe
from triptych.construction.stages.recording import double_asr_default
from triptych.models.adapter import Reply, SimpleAdapter
from triptych.records import Request


class Says(SimpleAdapter):
    """Replies with the same text, and keeps what it was asked."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__({})
        self.name, self.text, self.asked = f"stand-in/{name}", text, list[Request]()

    async def respond(self, request: Request, prepared: Any) -> Reply:
        self.asked.append(request)
        return Reply(self.text)


def run(stages: list[Stage], records: list[Record], models: Mapping[str, Says], root: Path) -> list[Record]:
    context = Context(Parameters(), MediaStore(root))
    engine = Engine(BuildFolder(root), context, {role: Model(role, own) for role, own in models.items()})
    return list(engine.run(stages, records).records)


@pytest.mark.parametrize(
    ("stage", "role", "shows", "extension", "writes"),
    [
        (transcribe, "recogniser", "audio", "wav", "transcript"),
        (describe_audio, "audio_describer", "audio", "wav", "audio_description"),
        (describe_video, "video_describer", "video", "mp4", "video_description"),
    ],
)
def test_a_clip_in_two_records_is_put_into_words_once(
    stage: Stage, role: str, shows: str, extension: str, writes: str, tmp_path: Path
) -> None:
    value = MediaStore(tmp_path).put(b"media", extension)
    model = Says(role, " Two people talk. \n")
    records = [Record(name, {shows: value, "clip": "c1"}) for name in ("a", "b")]
    found = run([stage], records, {role: model}, tmp_path)
    assert [record.fields[writes] for record in found] == ["Two people talk."] * 2
    assert len(model.asked) == 1 and [part.path for part in model.asked[0].media_parts] == [value]


def test_an_empty_text_drops_the_record(tmp_path: Path) -> None:
    value = MediaStore(tmp_path).put(b"media", "wav")
    assert (
        run([transcribe], [Record("a", {"audio": value, "clip": "a"})], {"recogniser": Says("r", " ")}, tmp_path) == []
    )


def test_two_recognisers_keep_repeat_or_reject(tmp_path: Path) -> None:
    text = "春眠不觉晓处处闻啼鸟"
    for n, (heard, decision) in enumerate([(text, "kept"), (text[:7], "pending"), ("无关", "dropped")]):
        root = tmp_path / str(n)
        value = MediaStore(root).put(b"media", "wav")
        record = Record("a", {"audio": value, "text": text, "recording": "a"})
        run([double_asr_default], [record], {"asr_a": Says("a", heard), "asr_b": Says("b", "无关")}, root)
        (line,) = BuildFolder(root).lines("double-asr")
        assert line.outcome.decision == decision
