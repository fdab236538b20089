"""Faults as real makers, readers and tables have them, planted into the five recipes, and whether each is caught.

A fault is caught if the record is dropped, waits, or is marked for people; if the fault is cleaned away; or if the
build is refused. Faults that change nothing for the benchmark aren't in the table.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from tests.construction.single_stage import context, decide, decide_all
from triptych.construction.engine.context import Context, Values
from triptych.construction.engine.media import MediaStore
from triptych.construction.recipes import _xmodbench_asking as asked
from triptych.construction.recipes import _xmodbench_rows as rows
from triptych.construction.recipes import cmdar, mcga, mcif, mcs_bench
from triptych.construction.record import Outcome
from triptych.construction.stages.annotation import question_form
from triptych.construction.stages.clips import clips
from triptych.construction.stages.duplicates import near_duplicates
from triptych.construction.stages.options import options
from triptych.construction.stages.pictures import picture
from triptych.construction.stages.recording import double_asr, one_clip_each, recording
from triptych.construction.stages.six import candidates
from triptych.construction.stages.text import clean_text, clip_text, one_translation_each, pinyin
from triptych.construction.stages.triplet_media import bring_forms
from triptych.construction.stages.triplets import whole_triplets
from triptych.construction.text_checks.transcripts import transcript_fault
from triptych.errors import TriptychError
from triptych.media.sound.coding import encode_wav

RATE = 16_000
Caught = Callable[[Path], bool]


@dataclass(frozen=True)
class Planted:
    """One fault. `missed`: it is known that no check finds it, and the documentation names its kind."""

    recipe: str
    kind: str
    name: str
    caught: Caught
    missed: bool = False


TABLE: list[Planted] = []


def plant(recipe: str, kind: str, name: str, caught: Caught, *, missed: bool = False) -> None:
    TABLE.append(Planted(recipe, kind, name, caught, missed))


def stopped(outcome: Outcome) -> bool:
    return outcome.decision in ("dropped", "pending", "failed")


def replied(decide_reply: Any, kind: type, reply: Mapping[str, Any], values: Mapping[str, Any], role: str) -> Outcome:
    """What becomes of a maker's reply."""
    stage = next(s for s in _stages() if s.asks is not None and s.asks.decide is decide_reply)
    made = msgspec.convert(reply, kind)
    outcome: Outcome = decide_reply({role: made}, Values(stage, "r", dict(values)), context(stage))
    return outcome


def _stages() -> list[Any]:
    configs = [
        mcga.RECIPE.stages(mcga.Config(works="w", year=2026)),
        cmdar.RECIPE.stages(cmdar.Config(recordings="r")),
        mcs_bench.RECIPE.stages(
            mcs_bench.Config(
                pictures="p", tasks={"T7": mcs_bench.TaskConfig("model"), "T9": mcs_bench.TaskConfig("description")}
            )
        ),
        mcif.RECIPE.stages(mcif.Config(talks="t", drafts=("transcripts", "translations"))),
        [asked.vary, asked.translate, asked.caption_picture],
    ]
    return [stage for own in configs for stage in own]


SPOKEN = "请你马上关门，到站了我们就下车。"
# What sound makers write; each fault changes one thing of it.
STEM = "他为什么停下来不走了？"
RIGHT, *WRONG = ["因为到站了", "因为下雨了", "因为有人喊", "因为灯灭了"]


def su(question: str = STEM, right: str = RIGHT, wrong: Sequence[str] = WRONG) -> Outcome:
    reply = {"question": question, "right": right, "wrong": list(wrong)}
    values = {"title": "短歌行", "work_text": "譬如朝露，去日苦多。", "text": "去日苦多。"}
    return replied(mcga._chosen, mcga.Choice, reply, values, "maker")


def distractors(question: str = STEM, right: str = RIGHT, wrong: Sequence[str] = WRONG) -> Outcome:
    values = {"question": question, "answer": right, "transcript": "", "audio_description": ""}
    return replied(cmdar._with_distractors, cmdar.Distractors, {"distractors": list(wrong)}, values, "maker")


def several(
    texts: Sequence[str],
    right: Sequence[int] = (0, 2),
    needs: Sequence[str] = (),
    question: str = STEM,
    category: str = "连续场景推理任务",
) -> Outcome:
    needed = needs or ["both", "first", "both", "second", "both", "second"]
    reply = {
        "question": question,
        "category": category,
        "reasoning": "",
        "options": [{"text": t, "right": n in right, "needs": needed[n]} for n, t in enumerate(texts)],
    }
    return replied(
        cmdar._read_multi_question, cmdar.Several, reply, {"transcript": SPOKEN, "transcript_other": SPOKEN}, "maker"
    )


SITUATIONS = ["两人在争论价钱", "雨声越来越大", "司机按了喇叭", "门被风吹开了", "有人在唱歌"]


def three(*questions: tuple[str, str, str]) -> list[Outcome]:
    """What becomes of each question of a reply."""
    reply = {"questions": [{"question": q, "category": c, "answer": a} for q, c, a in questions]}
    children = replied(cmdar._read_questions, cmdar.Three, reply, {"transcript": SPOKEN}, "maker").children
    return [decide(cmdar.each_question, child.fields) for child in children]


def opened(question: str = STEM, answer: str = "因为他听见了钟声。", category: str = "事件推理类") -> Outcome:
    reply = {"question": question, "answer": answer, "category": category}
    return replied(cmdar._open, cmdar.Question, reply, {"transcript": SPOKEN}, "maker")


def s2tt(translation: str, text: str = "明月出天山，苍茫云海间。") -> Outcome:
    return replied(mcga._translated, mcga.Translation, {"translation": translation}, {"text": text}, "maker")


def sec(overall: str, *lines: tuple[str, str], text: str = "关关雎鸠，在河之洲。") -> Outcome:
    reply = {"overall": overall, "sentences": [{"text": t, "emotion": e} for t, e in lines]}
    return replied(mcga._captioned, mcga.Caption, reply, {"text": text}, "maker")


def written(answer: str, wrong: Sequence[str] = (), question: str = "", task: str = "T7") -> Outcome:
    values = {"format": mcs_bench.formats()[task], "task": task, "examples": "无"}
    return replied(
        mcs_bench._written,
        mcs_bench.Written,
        {"answer": answer, "wrong": list(wrong), "question": question},
        values,
        "maker",
    )


def row_of_table(question: str, answer: str, wrong: Sequence[str] | None = None) -> Outcome:
    """A row of MCS-Bench's table, as people write it."""
    first = decide(mcs_bench.wording, {"task": "T6", "question": question, "answer": answer, "wrong": wrong})
    if stopped(first) or not wrong:
        return first
    given = {"question": question, "options": [answer, *wrong], "answers": [0]}
    return decide(options.with_(least=3, most=5, length_ratio=0.0), given)


def asked_of_talk(question: str, answer: str, **more: Any) -> Outcome:
    texts = {"en": [question, answer], **more.pop("texts", {})}
    values = {"type": "A", "origin": "Transcript", "begin": "0:01", "end": "0:09", "texts": texts, "seconds": 60.0}
    return decide(question_form, values | more)


def drafted(
    *lines: str,
    source: Sequence[str] = ("We count swifts.", "They fly at night."),
    language: str = "de",
    name: str = "German",
) -> Outcome:
    values = {"source": list(source), "language": language, "language_name": name, "element": "talk"}
    return replied(mcif._translated, mcif.Lines, {"lines": list(lines)}, values, "translator")


def row(**more: Any) -> Outcome | None:
    """The outcome of a row of XModBench's tables before any stage; None: the row goes on."""
    own = {"id": "a", "subtask": "recognition", "text": "He has two red cars.", "group": "cars", **more}
    return rows._unfit(own, {}, (3, 5))


def into_row(text: str, target: str) -> Outcome | None:
    """The outcome of a translated row of a table."""
    return row(subtask="translation", text=text, target_text=target)


def labelled(label: str) -> Outcome | None:
    """The outcome of a row with this label."""
    return row(subtask="natures", text=label, category=label)


FILE = ("order", "0", None, None)


def order(id: str, text: str) -> dict[str, str]:
    return {"id": id, "subtask": "order", "text": text}


def given(text: str) -> dict[str, Any]:
    return {"given": {"own": {"text": text, "audio": {"file": "a.wav", "sha256": "0"}}}}


def varied(*texts: str, given: str = "He has two red cars.") -> Outcome:
    return replied(asked._varied, asked.Texts, {"texts": list(texts)}, {"target_text": given}, "maker")


def into(text: str, language: str = "zh", given: str = "I am proud of you.") -> Outcome:
    values = {"text": given, "target_language": language}
    return replied(asked._translated, asked.Translation, {"translation": text}, values, "translator")


def form(text: str, number: int, **more: Any) -> dict[str, Any]:
    return {
        "subtask": "general",
        "pool": "subtask",
        "text": text,
        "audio": f"a{number}",
        "vision": f"v{number}",
        "category": text,
        **more,
    }


OTHERS = [form(name, 10 + n) for n, name in enumerate(["rain", "wind", "bell", "horn"])]


def never_together(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two rows of which both are right never stand in one question."""
    found = decide_all(candidates, [one, other, *OTHERS])
    shown = [[each["text"] for each in outcome.fields["candidates"]] for outcome in found[:2]]
    return other["text"] not in shown[0][1:] and one["text"] not in shown[1][1:]


def cleaned(text: str, gone: str) -> Caught:
    """Raw material: the text is refused, or what doesn't belong to it is gone."""

    def caught(_: Path) -> bool:
        outcome = decide(clean_text, {"text": text})
        return stopped(outcome) or gone not in outcome.fields.get("text", text)

    return caught


def voice(pitch: float = 120.0, seconds: float = 3.0, seed: int = 1) -> Any:
    """A buzz with pauses, as a voice has them."""
    t = np.arange(int(RATE * seconds)) / RATE
    draw = np.random.default_rng(seed)
    sound = sum(np.sin(2 * np.pi * pitch * n * t) / n for n in range(1, 12))
    number = int(seconds * 5) + 1
    syllables = np.repeat(draw.uniform(0.2, 1, number) * (draw.random(number) > 0.2), RATE // 5)
    return 0.1 * sound * syllables[: len(t)] + 1e-4 * draw.standard_normal(len(t))


def read_aloud(samples: Any, *, cut: bool = False, **more: Any) -> Caught:
    """A reader's recording is refused, or people are asked about it."""

    def caught(root: Path) -> bool:
        data = encode_wav(np.asarray(samples, np.float32).reshape(-1, 1), RATE)
        value = MediaStore(root).put(data[: len(data) // 2] if cut else data, "wav")
        outcome = decide(recording, {"audio": value, **more}, root)
        return stopped(outcome) or bool(outcome.fields.get("gender_doubtful"))

    return caught


def sent_for_two(root: Path) -> bool:
    """One recording is returned for two clips, the second time at another volume."""
    prints = []
    for samples in (voice(), 0.5 * voice()):
        value = MediaStore(root).put(encode_wav(samples.reshape(-1, 1).astype(np.float32), RATE), "wav")
        prints.append(decide(recording, {"audio": value}, root).fields["sound_print"])
    found = decide_all(one_clip_each, [{"recording": f"r{n}", "sound_print": own} for n, own in enumerate(prints)])
    return all(map(stopped, found))


def silent_film(samples: Any) -> Caught:
    """A recording of CMDAR with nothing to hear."""

    def caught(root: Path) -> bool:
        (root / "r.wav").write_bytes(encode_wav(np.asarray(samples, np.float32).reshape(-1, 1), RATE))
        own = clips.with_(how="whole")
        values = Values(own, "r", {"film": "r.wav", "film_sha256": "0"})
        return stopped(own.run(values, Context(own.parameters, MediaStore(root), 0, root)))

    return caught


def brought(**files: bytes) -> Caught:
    """Media of a row of XModBench are refused."""

    def caught(root: Path) -> bool:
        given = {}
        for kind, data in files.items():
            name = f"m.{'wav' if kind == 'audio' else 'png'}"
            (root / name).write_bytes(data)
            given[kind] = {"file": name, "sha256": "0"}
        values = {"given": {"own": {"text": "a bell", **given}}, "vision_kind": "image"}
        own = bring_forms
        try:
            outcome = own.run(Values(own, "r", values), Context(own.parameters, MediaStore(root), 0, root))
        except TriptychError:
            return True
        return stopped(outcome)

    return caught


def png(pixels: Any) -> bytes:
    import io

    from PIL import Image

    made = io.BytesIO()
    Image.fromarray(np.asarray(pixels, np.uint8)).save(made, "PNG")
    return made.getvalue()


def photographed(data: bytes) -> Caught:
    """A picture of MCS-Bench is refused."""

    def caught(root: Path) -> bool:
        (root / "p.png").write_bytes(data)
        values = Values(picture, "r", {"image_file": "p.png", "image_sha256": "0", "task": "T1"})
        return stopped(picture.run(values, Context(picture.parameters, MediaStore(root), 0, root)))

    return caught


def collides(recipe: str, *ids: str) -> Caught:
    """Two ids that would become one file name are refused, or get files of their own."""

    def caught(root: Path) -> bool:
        from tests.construction.recipes.writers import written

        try:
            return all(own == found for own, found in written(recipe, (ids[0], ids[1]), root))
        except TriptychError:
            return True

    return caught


# MCGA
for name, fault in {
    "letters": lambda: su(right="A. 因为到站了", wrong=["B. 因为下雨了", "C. 因为有人喊", "D. 因为灯灭了"]),
    "letters in brackets": lambda: su(
        right="（A）因为到站了", wrong=["（B）因为下雨了", "（C）因为有人喊", "（D）因为灯灭了"]
    ),
    "circled numbers": lambda: su(right="①因为到站了", wrong=["②因为下雨了", "③因为有人喊", "④因为灯灭了"]),
    "the answer alone has its letter": lambda: su(right="C、因为到站了"),
    "marked as right": lambda: su(right="因为到站了（正确）"),
    "marked as wrong": lambda: su(wrong=["因为下雨了（错误）", *WRONG[1:]]),
    "bold": lambda: su(right="**因为到站了**"),
    "a tag": lambda: su(wrong=["<b>因为下雨了</b>", *WRONG[1:]]),
    "right to left": lambda: su(wrong=["因为\u202e下雨了", *WRONG[1:]]),
    "variation selector": lambda: su(wrong=["因为下\ufe00雨了", *WRONG[1:]]),
    "all of them": lambda: su(wrong=[*WRONG[:2], "以上三项都对"]),
    "none of them": lambda: su(wrong=[*WRONG[:2], "以上都不是"]),
    "twins in two scripts": lambda: su(wrong=["因為到站了", *WRONG[1:]]),
    "synonyms": lambda: su("诗人此时心情怎样？", "高兴", ["快乐", "悲伤", "愤怒"]),
    "the stem lists its options": lambda: su(f"{STEM}A.因为到站了 B.因为下雨了 C.因为有人喊 D.因为灯灭了"),
    "the stem names the key": lambda: su(f"{STEM}答案：B"),
    "the answer in the stem": lambda: su("因为到站了，他为什么停下？"),
    "an apology": lambda: su("抱歉，我无法根据这段文字出题。"),
    "a note's number": lambda: su(right="因为到站了[1]"),
    "three options": lambda: su(wrong=WRONG[:2]),
    "an option inside another": lambda: su(wrong=["因为到站了下车", *WRONG[1:]]),
}.items():
    plant("mcga", "wording", f"question: {name}", lambda _, fault=fault: stopped(fault()))
for name, fault in {
    "an apology": lambda: s2tt("I'm sorry, but I can't translate classical Chinese."),
    "words around it": lambda: s2tt("Here is the translation: The moon rises over the hills."),
    "in Chinese": lambda: s2tt("明月从天山升起。"),
    "a sentence twice": lambda: s2tt("The bright moon rises over the hill. The bright moon rises over the hill."),
    "damaged": lambda: s2tt("The moon\ufffds light"),
    "entities": lambda: s2tt("The moon &amp; the hills"),
}.items():
    plant("mcga", "translation", f"translation: {name}", lambda _, fault=fault: stopped(fault()))
plant(
    "mcga",
    "translation",
    "one translation for two texts",
    lambda _: any(
        map(
            stopped,
            decide_all(
                one_translation_each,
                [
                    {"text": "春眠不觉晓", "answer": "Spring sleep knows no dawn."},
                    {"text": "处处闻啼鸟", "answer": "Spring sleep, knows no dawn"},
                ],
            ),
        )
    ),
)
plant("mcga", "caption", "a sentence of another poem", lambda _: stopped(sec("欢快。", ("床前明月光", "思念"))))
plant("mcga", "caption", "a sentence is missing", lambda _: stopped(sec("欢快。", ("关关雎鸠", "喜悦"))))
for name, text, gone in (
    ("variation selectors", "关关\ufe00雎鸠，在河之洲。", "\ufe00"),
    ("fillers", "关关\u3164雎鸠，在河之洲。", "\u3164"),
    ("tags", "关关雎鸠<br/>在河之洲。", "<br/>"),
    ("notes", "关关雎鸠[1]，在河之洲。", "[1]"),
    ("entities", "关关雎鸠&nbsp;，在河之洲。", "&nbsp;"),
    ("U+FFFD", "关关雎\ufffd，在河之洲。", "\ufffd"),
):
    plant("mcga", "material", f"a work with {name}", cleaned(text, gone))
POEM = "千山鸟飞绝，万径人踪灭。孤舟蓑笠翁，独钓寒江雪。"
for name, twin in (
    ("in traditional script", "千山鳥飛絕，萬徑人蹤滅。孤舟蓑笠翁，獨釣寒江雪。"),
    ("with 2 of 20 characters changed", "千山鸟飞尽，万径人踪灭。孤舟蓑笠翁，独钓寒江水。"),
):
    plant(
        "mcga",
        "duplicate",
        f"a twin {name}",
        lambda _, twin=twin: stopped(decide_all(near_duplicates, [{"text": POEM}, {"text": twin}])[1]),
    )
for name, caught in {
    "silence": read_aloud(0 * voice()),
    "a constant": read_aloud(0 * voice() + 0.4),
    "a cut file": read_aloud(voice(), cut=True),
    "noise": read_aloud(0.1 * np.random.default_rng(3).standard_normal(3 * RATE)),
    "a DC offset": read_aloud(voice() + 0.1),
    "a tenth of the text": read_aloud(voice(seconds=1.5), seconds_expected=20.0),
    "a woman as man": read_aloud(voice(230), gender="man"),
    "a man as woman": read_aloud(voice(105), gender="woman"),
    "clipped": read_aloud(np.clip(40 * voice(), -1, 1)),
    "one for two clips": sent_for_two,
    "another text": lambda _: stopped(
        double_asr().asks.decide(
            {"asr_a": "床前明月光", "asr_b": "床前名月光"},
            Values(double_asr(), "r", {"text": "去日苦多。", "audio": "a"}),
            context(double_asr()),
        )
    ),
}.items():
    plant("mcga", "recording", f"recording: {name}", caught)
plant("mcga", "ids", "li/bai and li-bai", collides("mcga", "li/bai", "li-bai"))
plant("mcga", "ids", "Libai and libai", collides("mcga", "Libai", "libai"))
plant(
    "mcga",
    "pinyin",
    "a wrong syllable in its place",
    lambda _: stopped(decide(pinyin, {"text": "关关雎鸠", "pinyin": "guān guān jū zhōu"})),
)
plant(
    "mcga",
    "pinyin",
    "a syllable is missing",
    lambda _: stopped(
        decide(clip_text, {"text": "关关雎鸠，在河之洲。窈窕淑女，君子好逑。", "pinyin": "guān guān jū jiū zài hé zhī"})
    ),
)

# CMDAR
for name, fault in {
    "letters": lambda: distractors(wrong=["B. 因为下雨了", "C. 因为有人喊", "D. 因为灯灭了"]),
    "marked as right": lambda: distractors(right="因为到站了（正确答案）"),
    "a tick": lambda: distractors(right="因为到站了✓"),
    "a filler": lambda: distractors(wrong=["因为\u3164下雨了", *WRONG[1:]]),
    "tag characters": lambda: distractors(wrong=["因为下雨了\U000e0041", *WRONG[1:]]),
    "all of them": lambda: distractors(wrong=[*WRONG[:2], "以上皆是"]),
    "synonyms": lambda: distractors("他为什么离开？", "因为他很害怕", ["因为他很恐惧", "因为他迟到了", "因为他饿极了"]),
    "twins": lambda: distractors("有几个人？", "三个人", ["3个人", "五个人", "六个人"]),
    "an answer far longer than the others": lambda: distractors(right="因为外面下了一整夜的大雨而且路上积满了水"),
    "one distractor too many": lambda: distractors(wrong=[*WRONG, "因为风很大"]),
    "an entity": lambda: distractors(wrong=["因为&quot;下雨&quot;了", *WRONG[1:]]),
}.items():
    plant("cmdar", "wording", f"main: {name}", lambda _, fault=fault: stopped(fault()))
for name, fault in {
    "letters": lambda: several([f"{letter}. {text}" for letter, text in zip("ABCDE", SITUATIONS, strict=True)]),
    "refers to others": lambda: several([*SITUATIONS[:4], "A和B都对"]),
    "all right": lambda: several(SITUATIONS[:4], right=(0, 1, 2, 3)),
    "twins in two scripts": lambda: several([*SITUATIONS[:4], "兩人在爭論價錢"]),
    "no option needs both": lambda: several(SITUATIONS, needs=["first", "second", "first", "second", "first"]),
    "all distractors of one recording": lambda: several(SITUATIONS, needs=["both", "first", "both", "first", "first"]),
    "a category that doesn't exist": lambda: several(SITUATIONS, category="猜谜"),
    "the key in the stem": lambda: several(SITUATIONS, question=f"{STEM}（答案：A、C）"),
}.items():
    plant("cmdar", "wording", f"multi: {name}", lambda _, fault=fault: stopped(fault()))
for name, fault in {
    "an apology": lambda: opened(answer="作为一个AI语言模型，我听不到录音。"),
    "markup": lambda: opened(answer="因为他<i>听见</i>了钟声。"),
    "U+FFFD": lambda: opened(question="他为什么\ufffd？"),
    "no answer": lambda: opened(answer=" "),
}.items():
    plant("cmdar", "wording", f"open: {name}", lambda _, fault=fault: stopped(fault()))
plant(
    "cmdar",
    "duplicate",
    "one question twice about a clip",
    lambda _: (
        three((STEM, "时间推理任务", "因为到站了"), ("请问他为何停下来不走了呢？", "时间推理任务", "因为下雨了"))[
            1
        ].reason
        == "repeated-question"
    ),
)
for name, question, answer, category in (
    ("in Spanish", "¿Por qué dejan de caminar?", "因为到站了", "时间推理任务"),
    ("in Japanese", "彼らはどうして止まったのですか？", "因为到站了", "时间推理任务"),
    ("in traditional characters", "他們為什麼停下來不走了？", "因為到站了", "时间推理任务"),
    ("with its number", "第2题：他为什么停下来不走了？", "因为到站了", "时间推理任务"),
    ("with points", "他为什么停下来不走了？（3分）", "因为到站了", "时间推理任务"),
    ("with an address", "根据 https://example.org 的报道，他为什么停下来？", "因为到站了", "时间推理任务"),
    ("that asks for several", "他为什么停下来不走了？（多选）", "因为到站了", "时间推理任务"),
    ("that asks nothing", "音频内容很有意思。", "因为到站了", "时间推理任务"),
    ("with an open quotation", "他说“到站了是什么意思？", "该下车了", "时间推理任务"),
    ("that stands twice", "他为什么停下来？他为什么停下来？", "因为到站了", "时间推理任务"),
    ("of two categories", STEM, "因为到站了", "时间推理任务、场景定位任务"),
    ("of a category of multi", STEM, "因为到站了", "连续场景推理任务"),
    ("whose answer is a letter", STEM, "B", "时间推理任务"),
    ("whose answer is N/A", STEM, "N/A", "时间推理任务"),
    ("whose answer has a lead-in", STEM, "答案：因为到站了", "时间推理任务"),
    ("whose answer is the question", STEM, STEM, "时间推理任务"),
    ("with escapes", STEM, "因为\\u5230站了", "时间推理任务"),
    ("read in another encoding", "鍥犱负鐢峰瓙鍋滀笅鏉ヤ簡", "因为到站了", "时间推理任务"),
):
    plant(
        "cmdar",
        "question",
        f"a question {name}",
        lambda _, own=(question, category, answer): stopped(three(own)[0]),
    )
for name, wrong in (
    ("in English", [*WRONG[:2], "because it was raining"]),
    ("in Korean", [*WRONG[:2], "비가 왔기 때문에"]),
    ("of the answer in other particles", [*WRONG[:2], "因为已经到了站了"]),
    ("that points elsewhere", [*WRONG[:2], "同上"]),
    ("with a star", [*WRONG[:2], "★因为灯灭了"]),
    ("with a source", [*WRONG[:2], "因为灯灭了（来源：字幕）"]),
):
    plant("cmdar", "options", f"a wrong option {name}", lambda _, wrong=wrong: stopped(distractors(wrong=wrong)))
plant(
    "cmdar", "options", "the answer alone in English too", lambda _: stopped(distractors(right="因为到站了（arrived）"))
)
plant(
    "cmdar",
    "options",
    "two are asked for, and three are right",
    lambda _: stopped(several(SITUATIONS, (0, 2, 4), question="以下哪两项推断合理？")),
)
plant(
    "cmdar",
    "options",
    "the stem names the letters",
    lambda _: stopped(several(SITUATIONS, question="以下哪些推断合理？（选择A、C）")),
)
for name, answer in (
    ("参考答案", "参考答案：因为他听见了钟声。"),
    ("略", "略"),
    ("see above", "See above."),
    ("any will do", "言之有理即可。"),
    ("the question again", STEM),
    ("in French", "Parce qu'il a entendu la cloche sonner dans la rue."),
    ("cut off", "因为他听见了钟声，所以"),
    ("twice", "因为他听见了钟声。因为他听见了钟声。"),
):
    plant("cmdar", "answer", f"an open answer: {name}", lambda _, answer=answer: stopped(opened(answer=answer)))
for name, text in (
    ("an apology", "对不起，我听不到音频内容。"),
    ("music alone", "[music]"),
    ("a loop", "我们走吧，" * 30),
    ("subtitles of others", "请不吝点赞 订阅 转发 打赏支持明镜与点点栏目"),
    ("in English", "Where is my wallet? I left it on the table."),
    ("times", "[00:01.000 --> 00:04.000] 你好。"),
    ("JSON", '{"text": "你好，请问去哪里？"}'),
    ("a lead-in", "以下是音频的转写内容：你好，请问去哪里？"),
):
    plant("cmdar", "transcript", name, lambda _, text=text: transcript_fault(text, "zh") is not None)
plant("cmdar", "material", "a silent recording", silent_film(np.zeros(25 * RATE)))
plant(
    "cmdar",
    "material",
    "a recording of hum below -60 dB",
    silent_film(2e-4 * np.sin(2 * np.pi * 50 * np.arange(25 * RATE) / RATE)),
)
plant(
    "cmdar",
    "translation",
    "a describer that can't hear",
    lambda _: stopped(_described("describe-audio", "audio_describer", "I'm sorry, but I can't listen to audio files.")),
)
plant(
    "cmdar",
    "translation",
    "a recogniser that can't hear",
    lambda _: stopped(_described("transcribe", "recogniser", "抱歉，我无法直接听取音频文件。")),
)
plant(
    "cmdar",
    "wording",
    "the true statement as a distractor",
    lambda _: stopped(distractors("他在哪里？", "在学校附近", ["在教室外面", "在医院门口", "在码头旁边"])),
    missed=True,
)


def _described(name: str, role: str, reply: str) -> Outcome:
    from triptych.construction.stages.describing import describe_audio, transcribe

    stage = {"describe-audio": describe_audio, "transcribe": transcribe}[name]
    assert stage.asks is not None
    return stage.asks.decide({role: reply}, Values(stage, "r", {"audio": "a", "clip": "c"}), context(stage))


# MCS-Bench
BOOKS = ["史记", "庄子", "孟子"]
for name, fault in {
    "letters": lambda: written("A. 论语", ["B. 史记", "C. 庄子", "D. 孟子"]),
    "marked as right": lambda: written("论语（正解）", BOOKS),
    "twins in two scripts": lambda: written("论语", ["論語", "庄子", "孟子"]),
    "all of them": lambda: written("论语", ["史记", "庄子", "以上都对"]),
    "a tag": lambda: written("论语", ["<u>史记</u>", "庄子", "孟子"]),
    "an apology as answer": lambda: written("抱歉，我无法查看图片。", task="T9"),
    "a code fence": lambda: written("```\n山水画\n```", task="T9"),
    "an empty question": lambda: written("三只鸟", question="", task="T21"),
    "an entity in an answer": lambda: written("山&nbsp;水", task="T9"),
}.items():
    plant("mcs_bench", "wording", f"model: {name}", lambda _, fault=fault: stopped(fault()))
for name, fault in {
    "letters": lambda: row_of_table("", "A、论语", ["B、史记", "C、庄子", "D、孟子"]),
    "marked as right": lambda: row_of_table("", "论语(√)", BOOKS),
    "invisible characters": lambda: row_of_table("画中有几只鸟？", "三只\u200b鸟"),
    "U+FFFD": lambda: row_of_table("画中有几只鸟？", "三只\ufffd鸟"),
    "the answer says that it is right": lambda: row_of_table("画中有几只鸟？", "三只鸟（正确）"),
    "the key in the stem": lambda: row_of_table("“說”的意思是？答案：A", "高兴", ["劝告", "议论", "学问"]),
    "a note's number": lambda: row_of_table("画中有几只鸟？", "三只鸟〔一〕"),
    "synonyms": lambda: row_of_table("“說”的意思是？", "高兴", ["快乐", "劝告", "学问"]),
    "an option twice": lambda: row_of_table("", "论语", ["论语。", "庄子", "孟子"]),
}.items():
    plant("mcs_bench", "wording", f"table: {name}", lambda _, fault=fault: stopped(fault()))
plant("mcs_bench", "material", "a white picture", photographed(png(np.full((300, 300, 3), 255))))
plant("mcs_bench", "material", "a black picture", photographed(png(np.zeros((300, 300, 3)))))
plant("mcs_bench", "material", "a damaged file", photographed(png(np.zeros((300, 300, 3)))[:60]))
plant(
    "mcs_bench",
    "wording",
    "an answer about another picture",
    lambda _: stopped(row_of_table("画中有几只鸟？", "一座石桥。")),
    missed=True,
)

# MCIF
for name, fault in {
    "markup": lambda: asked_of_talk("What do they <b>count</b>?", "Swifts."),
    "invisible characters": lambda: asked_of_talk("What do\u2060 they count?", "Swifts."),
    "U+FFFD": lambda: asked_of_talk("What do they count?", "Swift\ufffd."),
    "a note's number": lambda: asked_of_talk("What do they count?", "Swifts [3]."),
    "an entity": lambda: asked_of_talk("What do they count?", "Swifts &amp; swallows."),
    "an apology": lambda: asked_of_talk("What do they count?", "I'm sorry, but I cannot watch the video."),
    "the question as its answer": lambda: asked_of_talk("What do they count?", "What do they count?"),
    "the question again": lambda: asked_of_talk("What do they count?", "Swifts.", repeats=2),
    "three sentences": lambda: asked_of_talk("What do they count?", "Swifts. At night. By ear."),
    "English in place of Chinese": lambda: asked_of_talk(
        "What?", "Swifts.", texts={"zh": ["What do they count?", "雨燕。"]}
    ),
    "marked as right": lambda: asked_of_talk("What do they count?", "Swifts (correct answer)"),
}.items():
    plant("mcif", "wording", f"question: {name}", lambda _, fault=fault: stopped(fault()))
for name, fault in {
    "an apology": lambda: drafted("Es tut mir leid.", "I'm sorry, but I can't translate this."),
    "words around it": lambda: drafted("Translation: Wir zählen Mauersegler.", "Sie fliegen nachts."),
    "a line twice": lambda: drafted("Wir zählen Mauersegler.", "Wir zählen Mauersegler."),
    "another number of lines": lambda: drafted("Wir zählen Mauersegler. Sie fliegen nachts."),
    "a tag": lambda: drafted("Wir zählen <i>Mauersegler</i>.", "Sie fliegen nachts."),
    "English in place of Chinese": lambda: drafted(
        "We count common swifts.", "They are flying at night.", language="zh"
    ),
    "an apology in Chinese": lambda: drafted("抱歉，我无法翻译这句话。", "它们在夜里飞。", language="zh"),
    "an apology in German": lambda: drafted(
        "Es tut mir leid, aber ich kann das nicht übersetzen.", "Sie fliegen nachts."
    ),
}.items():
    plant("mcif", "translation", f"draft: {name}", lambda _, fault=fault: stopped(fault()))
plant(
    "mcif",
    "translation",
    "a translation of another sentence",
    lambda _: stopped(drafted("Der Zug kommt um neun.", "Sie fliegen nachts.")),
    missed=True,
)

# XModBench
for name, fault in {
    "a tag": lambda: row(text="He has <b>two</b> red cars."),
    "invisible characters": lambda: row(text="He has two\u202e red cars."),
    "U+FFFD": lambda: row(text="He has two r\ufffdd cars."),
    "an entity": lambda: row(text="He &amp; she have cars."),
    "an apology as translation": lambda: row(target_text="抱歉，我无法翻译。"),
    "UTF-8 read as Windows-1252": lambda: row(text="He has two caf\u00c3\u00a9s."),
    "an emoji": lambda: row(text="He has two red cars \U0001f697"),
    "English in place of Chinese": lambda: row(language="zh"),
    "Chinese in place of English": lambda: row(language="en", text="他有两辆红车。"),
    "a wrong answer with its letter": lambda: row(wrong="B. He has two blue cars.|He sold two red cars."),
    "a wrong answer that says so": lambda: row(wrong="He has two blue cars. (wrong)|He sold two red cars."),
    "a text that names the answer": lambda: row(text="He has two red cars. Answer: B"),
    "a text with its letter": lambda: row(text="A. He has two red cars.", wrong="He sold two cars.|He has six cars."),
    "a text about the others": lambda: row(text="Both of the above", wrong="He sold two cars.|He has six cars."),
    "a remark in a wrong text": lambda: row(
        wrong="This option is too easy.|He sold two red cars.|He has six red cars."
    ),
    "another number": lambda: into_row("There are 12 students.", "有20个学生。"),
    "two translations": lambda: into_row("I am hungry.", "我饿了。/我很饿。"),
    "a question for a statement": lambda: into_row("The museum is closed.", "博物馆关门了吗？"),
    "a file's name as label": lambda: labelled("geyser_003.wav"),
    "a label that names nothing": lambda: labelled("other"),
    "a label about its picture": lambda: labelled("An image of a sandy beach"),
    "three times": lambda: row(
        subtask="calculation",
        text="2 times",
        target_text="4 times",
        relation="has three times as many repetitions as this {context}",
    ),
    "another singer": lambda: rows._unfit(
        {"subtask": "singer_identification", "text": "Mira Solenne grew up by the sea.", "category": "Ivo Brandt"},
        {"Mira Solenne": 3, "Ivo Brandt": 3},
        (3, 5),
    ),
    "a title without accents": lambda: row(
        subtask="movie_matching", text="In Les Miserables a man is hunted for years.", category="Les Misérables"
    ),
    "German without a language": lambda: row(language="", text="Er hat zwei rote Autos und ein Fahrrad."),
}.items():
    plant("xmodbench", "wording", f"table: {name}", lambda _, fault=fault: fault() is not None)
for name, fault in {
    "the text itself": lambda: varied("He has two red cars", "He has two blue cars.", "He sold two red cars."),
    "twins": lambda: varied("He has 2 red cars.", "He has two blue cars.", "He sold two red cars."),
    "letters": lambda: varied("A. He has two blue cars.", "B. He sold two red cars.", "C. He has six red cars."),
    "two only": lambda: varied("He has two blue cars.", "He sold two red cars."),
    "an apology": lambda: varied("I'm sorry, but I can't do that.", "He sold two red cars.", "He has six red cars."),
    "synonyms": lambda: varied(
        "He has two red automobiles.",
        "He has two red cars today.",
        "He has six red cars.",
        given="He has two red cars.",
    ),
    "all of the above": lambda: varied("all of the above", "He sold two red cars.", "He has six red cars."),
}.items():
    plant("xmodbench", "wording", f"wrong texts: {name}", lambda _, fault=fault: stopped(fault()))
for name, fault in {
    "an apology": lambda: into("抱歉，我不能翻译这句话。"),
    "in English": lambda: into("I am proud of you."),
    "words around it": lambda: into("译文：我为你感到骄傲。"),
}.items():
    plant("xmodbench", "translation", f"translation: {name}", lambda _, fault=fault: stopped(fault()))
plant(
    "xmodbench",
    "categories",
    "one label in other case",
    lambda _: never_together(form("dog barking", 1), form("Dog Barking", 2)),
)
plant(
    "xmodbench",
    "categories",
    "synonyms as labels",
    lambda _: never_together(form("a car passes", 1), form("an automobile passes", 2)),
)
plant(
    "xmodbench",
    "categories",
    "one recording under two labels",
    lambda _: never_together(form("dog", 1), form("wolf", 2, audio="a1")),
)
for name, labels in {
    "plural": ("a thunderstorm", "thunderstorms"),
    "a compound and its phrase": ("waves at the sea", "ocean waves"),
    "the participle first": ("dog barking", "barking dogs"),
    "the kind of it": ("an animal", "a dog barking"),
    "less exact": ("rain", "rain on a tin roof"),
    "one letter wrong": ("clarinet", "clarinett"),
    "British spelling": ("a gray wolf", "a grey wolf"),
    "one word or two": ("a tea kettle", "teakettles"),
}.items():
    plant(
        "xmodbench",
        "categories",
        f"labels: {name}",
        lambda _, labels=labels: never_together(form(labels[0], 1), form(labels[1], 2)),
    )
plant(
    "xmodbench",
    "categories",
    "labels of one concept",
    lambda _: never_together(form("surf", 1, concept="sea"), form("breakers on a beach", 2, concept="sea")),
)
plant(
    "xmodbench",
    "material",
    "one file with two orders",
    lambda _: (
        rows._contradiction(order("b", "bell → rain"), given("bell → rain"), {FILE: ("a", "rain bell")}) is not None
    ),
)
plant(
    "xmodbench",
    "material",
    "a recording that is silent but for a click",
    brought(audio=encode_wav(np.where(np.isin(np.arange(4 * RATE), (30_000, 30_001)), 0.9, 0)[:, None], RATE)),
)
plant(
    "xmodbench",
    "material",
    "a picture of noise",
    brought(image=png(np.clip(np.random.default_rng(2).normal(128, 6, (480, 640, 3)), 0, 255))),
)
plant("xmodbench", "material", "a silent recording", brought(audio=encode_wav(np.zeros((RATE, 1), np.float32), RATE)))
plant(
    "xmodbench",
    "material",
    "a constant recording",
    brought(audio=encode_wav(np.full((RATE, 1), 0.3, np.float32), RATE)),
)
plant("xmodbench", "material", "a blank cover", brought(image=png(np.full((90, 90, 3), 128))))
plant(
    "xmodbench",
    "material",
    "a blank cover with noise of the sensor",
    brought(image=png(128 + np.random.default_rng(1).integers(-1, 2, (90, 90, 3)))),
)
plant(
    "xmodbench",
    "material",
    "a row without a picture",
    lambda _: stopped(decide(whole_triplets, {"text": "dog", "audio": "a", "vision": None})),
)
plant("mcif", "ids", "li/bai and li-bai", collides("mcif", "li/bai", "li-bai"))
plant("mcs_bench", "ids", "li/bai and li-bai", collides("mcs_bench", "li/bai", "li-bai"))
plant("cmdar", "ids", "li/bai and li-bai", collides("cmdar", "li/bai", "li-bai"))
plant("xmodbench", "ids", "a/b and a-b", collides("xmodbench", "a/b", "a-b"))


def by_recipe() -> dict[str, int]:
    """The number of planted faults of each recipe."""
    return {name: sum(each.recipe == name for each in TABLE) for name in sorted({each.recipe for each in TABLE})}


if __name__ == "__main__":
    import tempfile

    found = []
    for each in TABLE:
        with tempfile.TemporaryDirectory() as folder:
            found.append(each.caught(Path(folder)))
    print(json.dumps({"planted": len(TABLE), "caught": sum(found), "by recipe": by_recipe()}))
    for each, caught in zip(TABLE, found, strict=True):
        if not caught:
            print("missed" if each.missed else "NOT CAUGHT", each.recipe, each.name)
        elif each.missed:
            print("CAUGHT, said missed", each.recipe, each.name)
