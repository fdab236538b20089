"""Models and people in the recipe `xmodbench`: captions, wrong texts, clearness, wordings, blind answers, reviews."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from PIL import Image

from tests.voices import syllables
from triptych import load_benchmark
from triptych.conditions.condition import find_condition
from triptych.construction.build import Built, build
from triptych.construction.engine.folder import BuildFolder
from triptych.errors import SpecError
from triptych.media.sound.coding import encode_wav
from triptych.models import registry, speech
from triptych.models.adapter import Reply, SimpleAdapter
from triptych.prompts.build import build_request
from triptych.records import Request

VERBS = ("bought", "found", "lost", "sold")
PLACES = ("on Monday", "near the river", "last winter", "at the station")


class Model(SimpleAdapter):
    """All roles in one: its reply depends on its role and the prompt."""

    asked: Counter[str] = Counter()  # noqa: RUF012
    blind: dict[str, Request] = {}  # noqa: RUF012

    deaf = False

    def __init__(self, name: str) -> None:
        super().__init__({})
        self.name, self.role = f"stand-in/{name}", name

    async def respond(self, request: Request, prepared: Any) -> Reply:
        if self.role == "blind":
            if self.deaf and "audio" in request.kinds:
                return Reply("", "skipped", note="it doesn't take recordings")
            self.blind[request.id] = request
            return Reply("A")
        words = request.messages[-1].parts[-1].text or ""
        kind = re.search(r'\{"(\w+)"', words)
        assert kind is not None
        self.asked[kind[1]] += 1
        return Reply(json.dumps(self.said(kind[1], words)))

    def said(self, kind: str, words: str) -> dict[str, Any]:
        if kind == "caption":
            return {"caption": "a grey field"}
        if kind == "clear":  # every sentence about Monday is unclear at first, those about lost things always
            unclear = "lost" in words or ("Monday" in words and self.asked["clear"] % 2 == 1)
            return {"clear": not unclear, "matches": True, "reason": "blurred" if unclear else ""}
        if kind == "also_right":
            others = words.partition("Other candidates: ")[2].partition("\n")[0].split("; ")
            return {"also_right": [number for number, text in enumerate(others, 1) if "station" in text]}
        if kind == "wordings":
            return {"wordings": ["Which of these goes with it?", "Not a question", "Which loud one fits?"]}
        if kind == "same":
            return {"same": [1]}
        if kind == "texts":
            return {"texts": ["He has six red cars.", "He has two blue cars.", "He sold two red cars."]}
        raise AssertionError(kind)


def make(name: str, settings: Mapping[str, Any]) -> Model:
    return Model(name)


@pytest.fixture(autouse=True)
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.ADAPTERS, "stand-in", ("tests.construction.recipes.test_xmodbench_models", ""))
    monkeypatch.setattr(speech.Speaker, "speak", lambda self, text, voice: tone(text + voice))
    monkeypatch.chdir(tmp_path)
    Model.asked.clear()
    Model.blind.clear()


def tone(text: str) -> bytes:
    buffer = io.BytesIO()
    pitch = 200 + sum(map(ord, text)) % 500
    soundfile.write(buffer, 0.3 * np.sin(2 * np.pi * pitch * np.arange(8_000) / 16_000), 16_000, format="WAV")
    return buffer.getvalue()


def built(rows: list[dict[str, Any]], **more: Any) -> Built:
    names = list(dict.fromkeys(name for row in rows for name in row))
    with Path("t.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, names, restval="")
        writer.writeheader()
        writer.writerows(rows)
    roles = {role: {"model": f"stand-in/{role}"} for role in ("captioner", "maker", "judge", "blind")}
    only = more.pop("only", ())
    config = {"triplets": ["t.csv"], "common": {"licence": "cc0-1.0", "language": "en"}, "models": roles, **more}
    return build("xmodbench", config, Path("b"), only=only)


def sentences() -> list[dict[str, Any]]:
    return [
        {"id": f"s{p}{v}", "subtask": "recognition", "text": f"She {verb} a bicycle {place}.", "group": place}
        for p, place in enumerate(PLACES)
        for v, verb in enumerate(VERBS)
    ]


def counts(done: Built, stage: str) -> dict[str, int]:
    (found,) = (count for count in done.counts if count.stage == stage)
    return {**found.decisions, **{reason.rpartition(" ")[2]: n for reason, n in found.reasons.items()}}


def lines(stage: str) -> list[Any]:
    return [line.outcome for line in BuildFolder(Path("b")).lines(stage)]


def photographs(rows: list[dict[str, Any]]) -> None:
    for number, row in enumerate(rows):
        blocks = np.random.default_rng(number).integers(0, 255, (9, 16, 3), np.uint8)
        Image.fromarray(blocks.repeat(6, axis=0).repeat(6, axis=1)).save(f"{number}.png")
        row["image"] = f"{number}.png"


def recordings(rows: list[dict[str, Any]]) -> None:
    for number, row in enumerate(rows):
        Path(f"{number}.wav").write_bytes(encode_wav(syllables(2.0, number).reshape(-1, 1), 16_000))
        row["audio"] = f"{number}.wav"


def test_what_is_unclear_is_made_again_and_judged_again(monkeypatch):
    done = built(sentences(), clear=True, only=["clear-audio-again"], allow_same_family=True)
    first, again = counts(done, "clear-vision"), counts(done, "clear-vision-again")
    assert first["revised"] >= 4 and "dropped" not in first
    assert again["dropped"] == again["unclear-vision"] >= 3, "the lost things stay unclear"
    redrawn = [outcome for outcome in lines("redraw-text") if outcome.fields]
    assert len(redrawn) == first["revised"] and all(outcome.fields["redraw"] is False for outcome in redrawn)


def test_a_second_right_candidate_is_replaced_and_judged_again():
    # Candidates about the station are correct as well, whatever is asked for: those of other groups replace them.
    rows = [row | {"subtask": "general", "category": row["id"]} for row in sentences()]
    photographs(rows)
    recordings(rows)
    done = built(rows, also_right=True, only=["also-right-again"], allow_same_family=True)
    assert counts(done, "also-right") == {"kept": 12, "revised": 4, "second-right-candidate": 4}
    assert counts(done, "also-right-again") == {"kept": 4}
    for line in BuildFolder(Path("b")).lines("other-candidates"):
        texts = [form["text"] for form in line.outcome.fields.get("candidates", ())]
        assert len(texts) in (0, 4) and len(set(texts)) == len(texts)


def test_an_instance_without_other_distractors_is_dropped():
    done = built(sentences(), also_right=True, only=["other-candidates"], allow_same_family=True)
    assert counts(done, "also-right") == {"kept": 12, "revised": 4, "second-right-candidate": 4}
    assert counts(done, "other-candidates") == {"kept": 12, "dropped": 4, "second-right-candidate": 4}


def test_wordings_are_asked_once_for_each_task_and_those_that_add_something_are_left_out():
    done = built(sentences(), wordings=3, only=["choose-wording"], allow_same_family=True)
    assert Model.asked["wordings"] == Model.asked["same"] == 6
    questions = Counter(outcome.fields["question"] for outcome in lines("choose-wording"))
    assert "Which of these goes with it?" in questions and len(questions) == 7
    assert counts(done, "choose-wording") == {"kept": 96}


def test_a_model_without_the_context_stays_within_chance():
    done = built(sentences(), blind=True, allow_same_family=True)
    assert counts(done, "blind") == {"kept": 96} and done.complete
    right = sum(outcome.fields["blind_right"] for outcome in lines("blind"))
    assert right == 24, "it always answers with the first position, which is balanced"
    told = json.loads(Path("b/out/guessing.json").read_bytes())
    assert {row["guess"] for row in told} >= {"a model without the context", "always 1", "the longest options"}
    assert all(row["right"] <= row["most_by_chance"] for row in told)


def test_the_model_without_the_context_sees_what_a_run_sends():
    built(sentences(), blind=True, allow_same_family=True)
    bench, out = load_benchmark("xmodbench"), Path("b/out")
    records = {row["item"]: row["record"] for row in map(json.loads, (out / "samples.jsonl").read_bytes().splitlines())}
    compared = 0
    for item in bench.items(out):
        if item.task.endswith("audiovision_text"):
            continue
        run = build_request(find_condition("no_context").apply(item), bench.spec.prompts["released"], settings={})
        seen = Model.blind[records[item.id]]
        assert shown(seen, Path("b")) == shown(run, out)
        compared += 1
    assert compared == 96


def shown(request: Request, root: Path) -> list[Any]:
    """What a Request sends: texts, and media by their bytes."""
    return [
        (message.role, [(p.kind, (root / p.path).read_bytes() if p.path else p.text) for p in message.parts])
        for message in request.messages
    ]


def test_directions_that_the_model_without_the_context_cannot_take_are_kept_and_not_measured(monkeypatch):
    monkeypatch.setattr(Model, "deaf", True)
    done = built(sentences(), blind=True, allow_same_family=True)
    assert counts(done, "blind") == {"kept": 96} and done.written == 96
    told = json.loads(Path("b/out/guessing.json").read_bytes())
    measured = {row["direction"] for row in told if row["guess"] == "a model without the context"}
    assert measured == {"audio_text", "audio_vision", "text_vision", "vision_text"}


def test_its_prompt_cannot_be_reworded():
    with pytest.raises(SpecError, match="can't be reworded"):
        built(sentences(), blind=True, prompts={"blind": {"content": "Guess."}}, allow_same_family=True)


def test_a_person_without_the_context_sees_neither_it_nor_the_answer():
    roles = {role: {"model": f"stand-in/{role}"} for role in ("captioner", "maker", "judge")}
    built(sentences(), blind=True, models={**roles, "blind": {"model": "human/guessers"}})
    (task, *others) = map(json.loads, Path("b/tasks/blind.jsonl").read_bytes().splitlines())
    assert len(others) == 95 and not {"context", "answers"} & set(task["shows"]) and "options" in task["shows"]
    assert task["guide"].endswith("Give the letter of the correct answer (A, B, C, or D).")


def test_a_caption_is_marked_as_made():
    field = Image.new("RGB", (64, 64), "grey")
    field.paste("white", (0, 0, 64, 20))
    field.save("grey.png")
    rows = [{"id": "a", "subtask": "general", "image": "grey.png", "category": "field"}]
    done = built(rows, caption=True, only=["draw-text"], allow_same_family=True)
    (outcome,) = lines("caption-vision")
    assert outcome.fields == {"text": "a grey field", "made": ["text"]}
    assert outcome.makers["text"].kind == "model" and Model.asked["caption"] == 1
    (spoken,) = lines("speak")
    assert not spoken.fields and counts(done, "draw-text") == {"kept": 1}  # the name of a sound isn't spoken


def test_wrong_texts_are_written_by_a_model_where_there_are_none():
    done = built(
        [{"id": "a", "subtask": "recognition", "text": "He has two red cars."}],
        vary=True,
        allow_guessable=True,
        allow_same_family=True,
    )
    assert done.complete and Model.asked["texts"] == 1
    (own,) = lines("candidates")
    assert [form["text"] for form in own.fields["candidates"]] == [
        "He has two red cars.",
        "He has six red cars.",
        "He has two blue cars.",
        "He sold two red cars.",
    ]
    assert [form["made"] for form in own.fields["candidates"]] == [
        ["audio", "vision"],
        *[["audio", "text", "vision"]] * 3,
    ]


def approve(stage: str, rejected: int | None = None) -> int:
    tasks = [json.loads(line) for line in Path(f"b/tasks/{stage}.jsonl").read_bytes().splitlines()]
    Path("b/results").mkdir(exist_ok=True)
    with Path(f"b/results/{stage}.jsonl").open("w") as file:
        for number, task in enumerate(tasks):
            values = {"verdict": "reject", "why": "unclear"} if number == rejected else {"verdict": "approve"}
            line = {"id": task["id"], "shown": task["shown"], "person": "P1", "values": values}
            file.write(json.dumps(line) + "\n")
    return len(tasks)


def test_people_review_every_row_and_every_instance():
    assert built(sentences(), review=True, allow_same_family=True).waiting == approve("review-forms") == 16
    assert built(sentences(), review=True, allow_same_family=True).waiting == approve("review", rejected=3) == 16
    done = built(sentences(), review=True, allow_same_family=True)
    assert counts(done, "review") == {"kept": 15, "dropped": 1, "rejected-in-review": 1} and done.complete
