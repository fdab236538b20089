"""The MCGA-like mini set: poems and prose read aloud, and six question files as the released ones are."""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triptych.construction.mini import encode, sounds
from triptych.construction.mini.speech import Line, synthesise

if TYPE_CHECKING:
    from triptych.construction.mini.sounds import Wave

CONTENT = Path(__file__).with_name("mcga.toml")
SEED = 42
PAUSE = 0.35
BITS = 14_000
LETTERS = "ABCD"
# The voices' own words would be wrong with another voice, so the captions are held to this.
PERSONA = {"woman": "女", "lady": "女", "man": "男", "grandpa": "男"}
Clip = Mapping[str, Any]


def build(root: Path, work: Path) -> None:
    """Writes `root/MCGA_<task>_test.jsonl` of six tasks and `root/audio/…`."""
    clips = content()
    said = synthesise([line for clip in clips for line in lines(clip)], work)
    for clip in clips:
        encode.write_opus(root / path(clip), reading([said[line] for line in lines(clip)]), BITS)
    places = {task: _places(len(clips), task) for task in ("su", "sr")}
    for task in ("asr", "s2tt", "sec", "sqa", "su", "sr"):
        rows = [_head(clip) | _asked(clip, task, places.get(task, {}).get(n, 0)) for n, clip in enumerate(clips)]
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (root / f"MCGA_{task}_test.jsonl").write_text(text, encoding="utf-8")


def content() -> list[dict[str, Any]]:
    """The clips, by genre and then in the content file's order: 诗 词 曲 赋 文."""
    clips: list[dict[str, Any]] = tomllib.loads(CONTENT.read_text(encoding="utf-8"))["clip"]
    return sorted(clips, key=lambda clip: "诗词曲赋文".index(clip["genre"]))


def spoken() -> dict[str, str]:
    """Every recording: its path under the root -> what is read in it."""
    return {path(clip): clip["text"] for clip in content()}


def path(clip: Clip) -> str:
    """A clip's recording, below the root."""
    return f"audio/{clip['name']}.ogg"


def lines(clip: Clip) -> list[Line]:
    """A clip's sentences, each spoken on its own: the synthesiser keeps its breath better so."""
    sentences = clip["text"].replace("。", "。\n").replace("？", "？\n").replace("！", "！\n").split("\n")
    spelled = clip.get("spelled", {})
    return [Line(_as_spoken(sentence, spelled), "zh", clip["voice"]) for sentence in sentences if sentence]


def reading(sentences: Sequence[Wave]) -> Wave:
    """Sentence after sentence, with pauses between."""
    pause = sounds.silence(PAUSE)
    heard: list[Wave] = [pause]
    for sentence in sentences:
        heard += [sentence, pause]
    return sounds.joined(*heard)


def _as_spoken(sentence: str, spelled: Mapping[str, str]) -> str:
    """The sentence with characters of the same sound in place of those that the synthesiser misreads."""
    for wrong, right in spelled.items():
        sentence = sentence.replace(wrong, right)
    return sentence


def _head(clip: Clip) -> dict[str, Any]:
    told = {"id": clip["work"], "audio": path(clip), "split": "test"}
    return told | {"genre": clip["genre"], "dynasty": clip["dynasty"], "asr": clip["text"]}


def _asked(clip: Clip, task: str, place: int) -> dict[str, Any]:
    """The fields of a task; `place` is where the key of a choice stands."""
    if task == "asr":
        return {}
    if task == "s2tt":
        return {"s2tt": clip["s2tt"]}
    if task == "sec":
        return {"sec_1": clip["persona"], "sec_2": clip["tone"], "sec_3": "\n".join(clip["caption"])}
    if task == "sqa":
        return dict(zip(("sqa", "sqa_a"), clip["sqa"], strict=True))
    question, right, *others = clip[task]
    options = [*others[:place], right, *others[place:]]
    shown = "\n".join(f"{letter}. {option}" for letter, option in zip(LETTERS, options, strict=True))
    return {task: f"问题：{question}\n{shown}\n答案：", f"{task}_a": LETTERS[place]}


def _places(number: int, task: str) -> dict[int, int]:
    """Where each clip's key stands: every letter as often as any other, in no order."""
    places = [n % len(LETTERS) for n in range(number)]
    random.Random(f"{SEED} {task}").shuffle(places)
    return dict(enumerate(places))
