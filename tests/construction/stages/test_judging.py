"""Stages with a judge: each reply leads to its decision, through the real asking."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from tests.construction.single_stage import decide_all
from tests.support.onnx_file import mean_over
from triptych.construction.asking.stage import Model
from triptych.construction.engine.context import Context, Values
from triptych.construction.engine.engine import Engine
from triptych.construction.engine.folder import BuildFolder
from triptych.construction.engine.media import MediaStore
from triptych.construction.parameters import Parameters
from triptych.construction.record import Outcome, Record
from triptych.construction.stage import Stage
from triptych.construction.stages.judging import (
    options_judged,
    pair_judged,
    picture_judged,
    picture_matches,
    safe,
)
from triptych.construction.stages.pictures import duplicate_pictures, picture, picture_vector
from triptych.models.adapter import Reply, SimpleAdapter
from triptych.records import Request


class Judge(SimpleAdapter):
    """Replies as it was given, and keeps what it was asked."""

    name = "stand-in/judge"

    def __init__(self, reply: Mapping[str, Any]) -> None:
        super().__init__({})
        self.reply, self.asked = reply, list[Request]()

    async def respond(self, request: Request, prepared: Any) -> Reply:
        self.asked.append(request)
        return Reply(json.dumps(self.reply))


def judged(stage: Stage, fields: Mapping[str, Any], reply: Mapping[str, Any], root: Path) -> tuple[Outcome, Judge]:
    judge = Judge(reply)
    engine = Engine(BuildFolder(root), Context(Parameters(), MediaStore(root)), {"judge": Model("judge", judge)})
    engine.run([stage], [Record("r", dict(fields))])
    (line,) = BuildFolder(root).lines(stage.name)
    return line.outcome, judge


QUESTION = {"question": "Who?", "options": ["Ann", "Ben", "Cleo"], "answers": [0], "answer": "Ann"}


def verdicts(**second: bool) -> dict[str, Any]:
    fine = {"wrong": True, "relevant": True, "deceptive": True}
    return {"options": [{"number": 2, **fine, **second}, {"number": 3, **fine}]}


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (verdicts(), ""),
        (verdicts(wrong=False), "second-right-option"),
        (verdicts(relevant=False), "irrelevant-option"),
        (verdicts(deceptive=False), ""),
        ({"options": [{"number": 2, "wrong": True, "relevant": True, "deceptive": True}]}, "options-not-judged"),
    ],
)
def test_options_must_be_wrong_and_relevant_and_one_deceptive(
    reply: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    outcome, judge = judged(options_judged, QUESTION, reply, tmp_path)
    assert outcome.reason == reason
    words = judge.asked[0].messages[-1].parts[-1].text or ""
    assert '["Ann","Ben","Cleo"]' in words and '{"options": [{"number": 1' in words


def test_all_options_may_be_required_to_be_deceptive(tmp_path: Path) -> None:
    outcome, _ = judged(options_judged.with_(deceptive=0), QUESTION, verdicts(deceptive=False), tmp_path)
    assert (outcome.reason, outcome.note) == ("options-not-deceptive", "1 of 2")


PAIR = {
    **QUESTION,
    "transcript": "a",
    "audio_description": "b",
    "transcript_other": "c",
    "audio_description_other": "d",
}


@pytest.mark.parametrize(
    ("stage", "fields", "reply", "reason"),
    [
        (safe, {"text": "x"}, {"safe": True}, ""),
        (safe, {"question": "x"}, {"safe": False, "kind": "private", "reason": "an address"}, "unsafe"),
        (pair_judged, PAIR, {"consistent": True, "needs_both": True}, ""),
        (pair_judged, PAIR, {"consistent": False, "needs_both": True}, "pair-inconsistent"),
        (pair_judged, PAIR, {"consistent": True, "needs_both": False}, "one-clip-suffices"),
    ],
)
def test_a_judge_decides(
    stage: Stage, fields: dict[str, Any], reply: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    outcome, _ = judged(stage, fields, reply, tmp_path)
    assert outcome.reason == reason
    if reason == "unsafe":
        assert outcome.note == "private: an address"


@pytest.mark.parametrize(
    ("stage", "reply", "reason"),
    [
        (picture_judged, {"relevant": True, "clear": True}, ""),
        (picture_judged, {"relevant": False, "clear": True}, "irrelevant-picture"),
        (picture_judged, {"relevant": True, "clear": False}, "unclear-picture"),
        (picture_matches, {"answerable": True, "right": True}, ""),
        (picture_matches, {"answerable": False, "right": True}, "not-in-the-picture"),
        (picture_matches, {"answerable": True, "right": False}, "wrong-about-the-picture"),
    ],
)
def test_the_judge_sees_the_picture(stage: Stage, reply: dict[str, Any], reason: str, tmp_path: Path) -> None:
    image = MediaStore(tmp_path).put(b"\xff\xd8\xff a picture", "jpg")
    outcome, judge = judged(stage, {**QUESTION, "image": image, "title": "bronze"}, reply, tmp_path)
    assert outcome.reason == reason
    assert [part.path for part in judge.asked[0].media_parts] == [image]


def drawn(colours: tuple[str, str], place: int) -> Image.Image:
    image = Image.new("RGB", (96, 96), colours[0])
    ImageDraw.Draw(image).rectangle((place, 20, place + 40, 70), fill=colours[1])
    return image


def stored(images: list[Image.Image], root: Path) -> list[dict[str, Any]]:
    rows = []
    for number, image in enumerate(images):
        (root / f"{number}.png").parent.mkdir(exist_ok=True)
        image.save(root / f"{number}.png")
        own = picture.with_(least_sharpness=0.0)
        made = own.run(
            Values(own, "r", {"image_file": f"{number}.png", "image_sha256": "0"}),
            Context(own.parameters, MediaStore(root), 0, root),
        )
        rows.append(made.fields)
    return rows


def test_vectors_find_a_shifted_picture_that_prints_miss(tmp_path: Path) -> None:
    """The encoder is the mean colour: a shifted picture has the same, one of another colour hasn't."""
    pytest.importorskip("onnxruntime", reason="onnxruntime comes with the extra [local]")
    model = tmp_path / "pictures.onnx"
    model.write_bytes(mean_over([2, 3], [1, 3, 32, 32]))
    rows = stored([drawn(("red", "blue"), 5), drawn(("red", "blue"), 45), drawn(("white", "black"), 20)], tmp_path)
    settings = {"weights": "pictures.onnx", "sha256": hashlib.sha256(model.read_bytes()).hexdigest(), "side": 32}
    own = picture_vector.with_(**settings)
    for row in rows:
        outcome = own.run(Values(own, "r", row), Context(own.parameters, MediaStore(tmp_path), 0, tmp_path))
        row |= own.checked(outcome, "r").fields
    vector = np.frombuffer((tmp_path / rows[0]["image_vector"]).read_bytes(), "<f4")
    assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-6)
    without = [{k: v for k, v in row.items() if k != "image_vector"} for row in rows]
    assert [o.fields["picture_cluster"] for o in decide_all(duplicate_pictures, without, tmp_path)] == [
        ":r0",
        ":r1",
        ":r2",
    ]
    assert [o.fields["picture_cluster"] for o in decide_all(duplicate_pictures, rows, tmp_path)] == [
        ":r0",
        ":r0",
        ":r2",
    ]
