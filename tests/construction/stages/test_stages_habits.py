"""Habits of real makers: each fault is planted, found by its reason, told to its maker, and dropped if it stays."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.construction.people.test_reviews import reasons
from tests.construction.recipes import test_mcga as material
from tests.construction.single_stage import decide, decide_all
from triptych.construction.build import build
from triptych.construction.engine.media import MediaStore
from triptych.construction.recipes import mcga, mcs_bench
from triptych.construction.release.media import FileNames
from triptych.construction.stages.duplicates import near_duplicates
from triptych.construction.stages.options import options
from triptych.construction.stages.recording import one_clip_each, recording
from triptych.construction.stages.six import candidates
from triptych.construction.stages.text import clean_text
from triptych.errors import DataError
from triptych.media.levels import is_blank
from triptych.media.sound.coding import encode_wav
from triptych.models.adapter import Reply
from triptych.records import Request

SOUND = ["因为到站了", "因为下雨了", "因为有人喊", "因为灯灭了"]
PLANTED = [
    ("他为什么停下？", ["A. 因为到站了", "B. 因为下雨了", "C. 因为有人喊", "D. 因为灯灭了"], "option-letters"),
    ("他为什么停下？", ["（1）因为到站了", "（2）因为下雨了", "（3）因为有人喊", "（4）因为灯灭了"], "option-letters"),
    ("他为什么停下？", ["C、因为到站了", "因为下雨了", "因为有人喊", "因为灯灭了"], "option-letters"),
    ("他为什么停下？", ["因为到站了（正确）", *SOUND[1:]], "option-marked"),
    ("Why did he stop?", ["the station [correct]", "the rain", "a shout", "the dark"], "option-marked"),
    ("他为什么停下？", ["因为到站了✓", *SOUND[1:]], "option-marked"),
    ("他为什么停下？", [*SOUND[:3], "以上三项都对"], "option-refers-to-others"),
    ("Why did he stop?", ["the station", "the rain", "a shout", "all of the above"], "option-refers-to-others"),
    ("他为什么停下？", [*SOUND[:3], "<b>因为灯灭了</b>"], "markup"),
    ("他为什么停下？", [*SOUND[:3], "因为灯灭了&nbsp;"], "markup"),
    ("他为什么停下？", [*SOUND[:3], "因为\u202e灯灭了"], "invisible-characters"),
    ("他为什么停下？", [*SOUND[:3], "因为\ufe01灯灭了"], "invisible-characters"),
    ("他为什么停下？", [*SOUND[:3], "因为\u3164灯灭了"], "invisible-characters"),
    ("他为什么停下？", [*SOUND[:3], "因为\U000e0041灯灭了"], "invisible-characters"),
    ("他为什么停下？", [*SOUND[:3], "因为\ufffd灭了"], "damaged-characters"),
    ("他为什么停下？", [*SOUND[:3], "因为灯灭了[1]"], "note-number"),
    ("他为什么停下？", ["因為燈滅了", "因为灯灭了", *SOUND[1:3]], "same-option-twice"),
    ("有几个人？", ["三个人", "3个人", "五个人", "六个人"], "same-option-twice"),
    ("他为什么停下？A. 因为到站了 B. 因为下雨了 C. 因为有人喊 D. 因为灯灭了", SOUND, "options-in-question"),
    ("他为什么停下？因为到站了、因为下雨了、因为有人喊、因为灯灭了", SOUND, "options-in-question"),
    ("他为什么停下？答案：B", SOUND, "answer-in-question"),
    ("抱歉，我无法生成这道题。", SOUND, "apology"),
    ("他为什么停下？", ["甲、因为到站了", "乙、因为下雨了", "丙、因为有人喊", "丁、因为灯灭了"], "option-letters"),
    ("他为什么停下？", [*SOUND[:3], "前三项皆是"], "option-refers-to-others"),
    ("他为什么停下？", [*SOUND[:3], "其余选项都不对"], "option-refers-to-others"),
    ("Why did he stop?", ["the station", "the rain", "a shout", "the first three options"], "option-refers-to-others"),
    ("他为什么停下？", [SOUND[0], "选项二", "选项三", "选项四"], "placeholder"),
    ("他为什么停下？", [*SOUND[:3], "不知道"], "option-is-no-answer"),
    (
        "词写于何时？",
        ["中秋（因为写“丙辰中秋”）", "重阳（九月初九）", "清明（祭扫）", "元宵（正月）"],
        "option-explained",
    ),
    ("他看见了什么？", ["明月掛在東邊", "星星挂在东边", "大雁飞过东边", "渔船停在东边"], "scripts-mixed"),
    ("他为什么停下？", ["因为到站了。", *SOUND[1:]], "option-ends-differently"),
    ("他为什么停下？", [SOUND[0], *(f"{each}。" for each in SOUND[1:])], "option-ends-differently"),
    ("他为什么停下？请从A、B、C、D中选出正确的一项。", SOUND, "letters-in-question"),
    ("作于哪个朝代？", ["明", "明代", "元", "清"], "same-option-twice"),
    ("……", SOUND, "no-words"),
]


@pytest.mark.parametrize(("question", "given", "reason"), PLANTED)
def test_faults_of_wording_are_found_in_options_and_questions(question: str, given: list[str], reason: str) -> None:
    assert decide(options, {"question": question, "options": given, "answers": [0]}).reason == reason


@pytest.mark.parametrize(
    ("task", "question", "answer", "reason"),
    [
        ("T21", "画了几只鸟？请直接回答阿拉伯数字。", "五只", "answer-not-as-asked"),
        ("T21", "画了几只鸟？请直接回答阿拉伯数字。", "5", ""),
        ("T2", "", "廉颇者赵之良将也赵惠文王十六年廉颇为赵将伐齐大破之", "not-translated"),
        ("T2", "", "廉颇是赵国优秀的将领，赵惠文王十六年，他率军攻打齐国，大获全胜。", ""),
        ("T3", "", "廉颇者，越之良将也。", "answer-changes-text"),
        ("T3", "", "廉頗者，趙之良將也。", ""),
        ("T29", "火", "“水”是象形字，中间弯曲的长线像水流。", "answer-of-another-word"),
        ("T17", "", "This painting shows cloudy mountains and a boat.", "wrong-language"),
    ],
)
def test_answers_of_mcs_bench_do_what_their_task_asks(task: str, question: str, answer: str, reason: str) -> None:
    values = {"task": task, "question": question, "answer": answer, "true_text": "廉颇者赵之良将也"}
    assert decide(mcs_bench.wording, values).reason == reason


def test_a_clip_is_asked_a_question_once() -> None:
    rows = [
        {"clip": clip, "question": asked}
        for clip, asked in (("a", "谁的笛子？"), ("a", "誰的笛子？"), ("b", "谁的笛子？"))
    ]
    assert [each.reason for each in decide_all(mcga.one_question_each, rows)] == ["", "repeated-question", ""]


def test_a_picture_of_noise_is_blank_and_one_with_lines_is_not() -> None:
    noise = np.random.default_rng(1).normal(20, 4, (240, 320, 3)).clip(0, 255)
    drawn = noise.copy()
    drawn[100:104, 40:280] += 40
    assert is_blank(noise) and not is_blank(drawn)


def test_material_is_cleaned_or_refused() -> None:
    dirty = "关关\ufe00雎\u3164鸠[1]，在河&#20043;洲\U000e0041。&amp;nbsp;窈窕\u202e淑女〔二〕"
    assert decide(clean_text, {"text": dirty}).fields["text"] == "关关雎鸠，在河之洲。窈窕淑女"
    assert decide(clean_text, {"text": "关关雎\ufffd"}).reason == "damaged-text"
    assert decide(clean_text, {"text": "关关<br/>雎鸠"}).reason == "markup-in-text"


def test_twins_in_another_script_and_with_two_of_twenty_characters_changed() -> None:
    pytest.importorskip("opencc", reason="OpenCC comes with the extra [zh]")
    pytest.importorskip("datasketch", reason="datasketch comes with the extra [build]")
    texts = [
        "千山鸟飞绝，万径人踪灭。孤舟蓑笠翁，独钓寒江雪。",
        "千山鳥飛絕，萬徑人蹤滅。孤舟蓑笠翁，獨釣寒江雪。",
        "千山鸟飞尽，万径人踪灭。孤舟蓑笠翁，独钓寒江水。",
        "白日依山尽，黄河入海流。欲穷千里目，更上一层楼。",
    ]
    found = [outcome.decision for outcome in decide_all(near_duplicates, [{"text": text} for text in texts])]
    assert found == ["kept", "dropped", "dropped", "kept"]


def test_a_maker_is_told_what_is_wrong_and_asked_again(
    config_of_mcga: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[Request] = []

    async def respond(self: Any, request: Request, prepared: Any) -> Reply:
        words = request.messages[-1].parts[-1].text or ""
        heard.append(request)
        right = "河中沙洲" if "begins with a letter" in words else "A. 河中沙洲"
        return Reply(
            json.dumps({"question": "关雎写的是哪里？", "right": right, "wrong": ["深山密林", "闹市街头", "边塞大漠"]})
        )

    monkeypatch.setattr(material.Model, "respond", respond)
    own = 'tasks = ["su"]\nrecord = false\nvalidate = false\nreview = false\n'
    config_of_mcga.write_text(own + config_of_mcga.read_text(encoding="utf-8"), encoding="utf-8")
    done = build("mcga", config_of_mcga, tmp_path / "b")
    assert reasons(done, "su") == {} and len(heard) == 8  # four clips, each asked twice
    assert [m.role for m in heard[-1].messages][-2:] == ["assistant", "user"]


def test_a_maker_who_does_not_mend_it_is_asked_three_times(
    config_of_mcga: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []

    async def respond(self: Any, request: Request, prepared: Any) -> Reply:
        heard.append(request.messages[-1].parts[-1].text or "")
        return Reply(json.dumps({"translation": "I'm sorry, but I can't help with that."}))

    monkeypatch.setattr(material.Model, "respond", respond)
    own = 'tasks = ["s2tt"]\nrecord = false\nvalidate = false\nreview = false\n'
    config_of_mcga.write_text(own + config_of_mcga.read_text(encoding="utf-8"), encoding="utf-8")
    done = build("mcga", config_of_mcga, tmp_path / "b")
    assert reasons(done, "s2tt") == {"dropped: apology": 4} and len(heard) == 12
    assert "it declines" in heard[-1]


config_of_mcga = material.config
RATE = 16_000


def voice(pitch: float = 120.0, seconds: float = 3.0, seed: int = 1) -> Any:
    """A buzz with pauses and a pitch that wanders by a hundredth, as of a voice: no part repeats another."""
    t = np.arange(int(RATE * seconds)) / RATE
    draw = np.random.default_rng(seed)
    times = np.arange(0, seconds + 0.1, 0.1)
    wander = np.interp(t, times, draw.uniform(0.99, 1.01, len(times)))
    cycles = pitch * np.cumsum(wander) / RATE
    sound = sum(np.sin(2 * np.pi * n * cycles) / n for n in range(1, 12))
    syllables = np.repeat(
        draw.uniform(0.2, 1, int(seconds * 5) + 1) * (draw.random(int(seconds * 5) + 1) > 0.2), RATE // 5
    )
    swell = np.minimum(1, 25 * np.minimum(t % 0.2, 0.2 - t % 0.2)) ** 2  # each begins and ends within 40 ms
    return 0.1 * sound * syllables[: len(t)] * swell + 1e-4 * draw.standard_normal(len(t))


def judged(samples: Any, root: Path, data: bytes | None = None, **more: Any) -> Any:
    made = data if data is not None else encode_wav(samples.reshape(-1, 1), RATE)
    value = MediaStore(root).put(made, "wav")
    return decide(recording, {"audio": value, **more}, root)


def test_faults_of_recordings(tmp_path: Path) -> None:
    sound = voice()
    assert judged(sound, tmp_path).decision == "revised"
    assert judged(0 * sound, tmp_path).reason == "recording-silent"
    assert judged(0 * sound + 0.5, tmp_path).reason == "recording-silent"
    assert judged(sound + 0.1, tmp_path).reason == "recording-offset"
    assert judged(0.1 * np.random.default_rng(3).standard_normal(3 * RATE), tmp_path).reason == "recording-noisy"
    whole = encode_wav(sound.reshape(-1, 1), RATE)
    assert judged(sound, tmp_path, whole[: len(whole) * 2 // 3]).reason in ("recording-cut", "unreadable-audio")
    assert judged(voice(seconds=1.5), tmp_path, seconds_expected=20.0).reason == "recording-cut"


@pytest.mark.parametrize(
    ("hz", "gender", "doubtful"), [(110, "man", False), (230, "man", True), (220, "woman", False), (105, "woman", True)]
)
def test_pitch_asks_whether_the_gender_is_right(tmp_path: Path, hz: int, gender: str, doubtful: bool) -> None:
    found = judged(voice(hz), tmp_path, gender=gender).fields
    assert found["pitch_hz"] == pytest.approx(hz, abs=4) and found["gender_doubtful"] is doubtful


def test_one_recording_for_two_clips_is_to_be_made_again(tmp_path: Path) -> None:
    prints = {
        name: judged(s, tmp_path).fields["sound_print"]
        for name, s in (("a", voice()), ("b", 0.5 * voice()), ("c", voice(131, seed=2)))
    }
    found = decide_all(one_clip_each, [{"recording": name, "sound_print": own} for name, own in prints.items()])
    assert [o.reason for o in found] == ["record-again", "record-again", ""]
    again = decide_all(one_clip_each, [{"recording": "a", "sound_print": prints["a"]}] * 2)
    assert [o.decision for o in again] == ["kept", "kept"]  # two tasks of one recording


def test_categories_and_texts_that_differ_in_case_are_the_same() -> None:
    def row(text: str, category: str, number: int) -> Mapping[str, Any]:
        return {
            "subtask": "general",
            "pool": "subtask",
            "text": text,
            "audio": f"a{number}",
            "vision": f"v{number}",
            "category": category,
        }

    texts = [
        ("dog barking", "Dog"),
        ("Dog barking.", "dog"),
        ("a bark", "DOG"),
        ("rain", "x"),
        ("wind", "y"),
        ("bell", "z"),
    ]
    found = decide_all(candidates, [row(*pair, n) for n, pair in enumerate(texts)])
    for outcome in found[:3]:
        assert sorted(form["text"] for form in outcome.fields["candidates"][1:]) == ["bell", "rain", "wind"]


def test_two_ids_never_share_a_file_name(config_of_mcga: Path, tmp_path: Path) -> None:
    rows = material.WORKS.splitlines()
    for other in ("guan/ju", "Guan-Ju"):
        table = [rows[0], rows[1].replace("guanju", "guan-ju"), rows[2].replace("chunxiao", other)]
        (tmp_path / "works.csv").write_text("\n".join(table) + "\n", encoding="utf-8")
        with pytest.raises(DataError, match="same name"):
            build("mcga", config_of_mcga, tmp_path / "b")
    names = FileNames()
    assert names.claim_name("audio/a.wav", "1") == names.claim_name("audio/a.wav", "1")
    with pytest.raises(DataError, match="1 and 2"):
        names.claim_name("audio/A.wav", "2")
