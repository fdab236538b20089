"""Classical texts as editions, schoolbooks and web pages have them, and what makers and readers return about them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.construction.single_stage import decide, decide_all
from tests.voices import syllables
from triptych.construction.asking.questions import Result
from triptych.construction.engine.media import MediaStore
from triptych.construction.people.reviews import faults_of
from triptych.construction.people.stage import REFUSED
from triptych.construction.recipes import mcga
from triptych.construction.stages.recording import recording, same_pace, take
from triptych.construction.stages.text import clean_text, clip_text, given_readings, pinyin
from triptych.construction.text_checks.answers import question_fault
from triptych.errors import DataError
from triptych.media.sound.coding import encode_wav

SPRING = "红豆生南国，春来发几枝。愿君多采撷，此物最相思。"


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("远上寒山石径斜（xiá），白云生处有人家。", "远上寒山石径斜，白云生处有人家。"),
        ("石径斜(xié，又读xiá)，白云深（ㄕㄣ）处。", "石径斜，白云深处。"),
        (
            "月落乌啼霜满天，江枫①渔火对愁眠②。姑苏城外寒山寺③，夜半钟声到客船。④",
            "月落乌啼霜满天，江枫渔火对愁眠。姑苏城外寒山寺，夜半钟声到客船。",
        ),
        ("意恐迟迟归（恐：担心）。", "意恐迟迟归。"),
        ("所以传道受（通“授”）业解惑也。", "所以传道受业解惑也。"),
        ("举头望明月（一作山月），低头思故乡【注1】。", "举头望明月，低头思故乡。"),
        ("（生上云）小生姓张，名珙。", "（生上云）小生姓张，名珙。"),
        ("丙辰中秋，欢饮达旦，大醉（兼怀子由）。", "丙辰中秋，欢饮达旦，大醉（兼怀子由）。"),
        ("二〇年前旧草堂，廿四梅边雪满床。", "二〇年前旧草堂，廿四梅边雪满床。"),
    ],
)
def test_readings_glosses_and_numbers_of_notes_are_removed(text: str, cleaned: str) -> None:
    assert decide(clean_text, {"text": text}).fields["text"] == cleaned


@pytest.mark.parametrize(
    "text",
    [
        "早发白帝城　李白　朝辞白帝彩云间，千里江陵一日还。",
        "早发白帝城\n〔唐〕李白\n朝辞白帝彩云间，千里江陵一日还。",
        "《早发白帝城》唐·李白\n朝辞白帝彩云间，千里江陵一日还。",
        "早发白帝城李白朝辞白帝彩云间，千里江陵一日还。",
        "朝辞白帝彩云间，千里江陵一日还。——李白《早发白帝城》",
    ],
)
def test_a_heading_is_no_part_of_the_text(text: str) -> None:
    row = {"text": text, "title": "《早发白帝城》", "author": "李白", "dynasty": "唐"}
    assert decide(clean_text, row).fields["text"] == "朝辞白帝彩云间，千里江陵一日还。"


def test_a_text_that_begins_with_its_title_keeps_it() -> None:
    row = {"text": "长相思，在长安。络纬秋啼金井阑。", "title": "《长相思》", "author": "李白", "dynasty": "唐"}
    assert decide(clean_text, row).fields["text"] == row["text"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("岱宗夫如何？齐鲁青□□。造化钟神秀。", "missing-characters"),
        ("孟子见梁惠王，王曰【无法识别】不远千里而来。", "missing-characters"),
        ("其辞曰：（缺三字）天地玄黄。", "missing-characters"),
        ("无边落木萧萧下，不尽长江滚滚来。万里悲秋常作客，百年", "text-cut-off"),
        ("北冥有鱼，其名为鲲。鲲之大，不知其几千里也。化而为鸟，", "text-cut-off"),
        ("孟子见梁惠王。王立于沼上，顾鸿雁麋鹿。曰：“贤者亦乐", "text-cut-off"),
    ],
)
def test_a_text_with_gaps_or_a_cut_end_is_dropped(text: str, reason: str) -> None:
    assert decide(clean_text, {"text": text}).reason == reason


@pytest.mark.parametrize(
    "text",
    [
        "床前明月光，疑是地上霜。举头望明月，低头思故乡",
        "床前明月光，疑是地上霜，举头望明月，低头思故乡",
        "床前明月光\n疑是地上霜",
        "北冥有鱼，其名为鲲。鲲之大，不知其几千里也。化而为鸟，其名为鹏",
        "子曰：“学而时习之，不亦说乎？有朋自远方来，不亦乐乎？人不知而不愠，不亦君子乎”",
        "廉颇者，赵之良将也。赵惠文王十六年，廉颇为赵将，伐齐，大破之，取阳晋，拜为上卿，以勇气闻于诸侯",
    ],
)
def test_a_text_without_its_last_mark_may_be_complete(text: str) -> None:
    assert decide(clean_text, {"text": text}).decision == "kept"


def test_pinyin_may_be_separated_by_marks_alone() -> None:
    given = "hóng dòu shēng nán guó，chūn lái fā jǐ zhī。yuàn jūn duō cǎi xié，cǐ wù zuì xiāng sī。"
    assert len(given_readings(given)) == 20
    (clip,) = decide(clip_text, {"text": SPRING, "pinyin": given}).children
    assert decide(pinyin, clip.fields).decision == "kept"


def test_pinyin_without_tones_is_refused() -> None:
    given = "hong dou sheng nan guo chun lai fa ji zhi yuan jun duo cai xie ci wu zui xiang si"
    assert decide(pinyin, {"text": SPRING, "pinyin": given}).reason == "pinyin-without-tones"


def test_exchanged_cells_are_refused_and_all_named(tmp_path: Path) -> None:
    (tmp_path / "works.csv").write_text(
        "id,title,author,genre,dynasty,text\na,《绝句》,杜甫,唐,诗,两个黄鹂鸣翠柳。\nb,《相思》,王维,诗,唐,红豆生南国。\n",
        encoding="utf-8",
    )
    with pytest.raises(DataError, match="genre and dynasty are exchanged"):
        list(mcga.start(mcga.Config("works.csv", 2026), tmp_path, None))  # type: ignore[arg-type]


TRANSLATIONS = [
    ("The passage opens by telling us when the outing took place, and describes the breeze.", "not-translated"),
    ("In this poem the poet expresses his longing for home by means of the bright moon.", "not-translated"),
    ("Literal: The sky is like a tent. Poetic: The sky's a tent above the plain.", "not-the-text-alone"),
    ("Version 1: The sky is like a tent.\nVersion 2: Like a tent, the sky.", "not-the-text-alone"),
    ("In the tenth month of the fifth year of Chongzhen I lived by West Lake.", "numbers-differ"),
    ("In the twelfth month of the third year of Chongzhen I lived by West Lake.", "numbers-differ"),
    ("In the twelfth month of the fifth year I lived by 西湖.", "not-translated"),
    ("In the twelfth month of the fifth year of Chongzhen, I lived by West Lake.", None),
    ("Fifth year of Chongzhen, twelfth month. I was living near West Lake.", None),
    ("In December 1632 I was living near the lake; the poet in me slept.", None),
]


@pytest.mark.parametrize(("text", "reason"), TRANSLATIONS)
def test_translations_of_a_classical_text(text: str, reason: str | None) -> None:
    fault = mcga._translation_fault(text, "崇祯五年十二月，余住西湖。")
    assert (fault[0] if fault else None) == reason
    shows = {
        "task": "s2tt",
        "text": "崇祯五年十二月，余住西湖。",
        "answer": "I lived by the lake.",
        "question": None,
        "options": None,
    }
    values = {"verdict": "edit", "answer": text}
    form = {"verdict": ["approve", "edit", "reject"], "answer": "text", "why": "text"}
    checks = {"sources": {"answer": "text"}, **mcga.CLASSICAL}
    assert bool(list(faults_of(values, form, shows, checks))) == (reason is not None)


@pytest.mark.parametrize("emotion", ["怀念(0.82)", "哀怨（80%）", "悲伤：0.9", "喜悦 95%", "平静 [4/5]"])
def test_an_emotion_is_words_and_no_score(emotion: str) -> None:
    fault = mcga.caption_fault("去日苦多。", "悲凉。", [("去日苦多", emotion)])
    assert fault and fault[0] == "not-the-text-alone"


@pytest.mark.parametrize(
    ("years", "refused"),
    [
        ("1998", True),
        ("1998年", True),
        ("999", True),
        ("twenty", True),
        ("27", False),
        ("27岁", False),
        ("20-30", False),
        ("", False),
    ],
)
def test_a_reader_gives_the_age_and_not_the_year_of_birth(years: str, refused: bool) -> None:
    form: dict[str, Any] = mcga.RECORD_ONE.form
    values = {"audio": "a.wav", "gender": "man", "age": "young", "years": years}
    faults = list(faults_of(values, form, {}, {"check": "reader"}))
    assert bool(faults) is refused
    assert not refused or "years" in faults[0]


def test_a_text_that_was_recorded_twice_is_read_again(tmp_path: Path) -> None:
    said = syllables(4.0)
    rate = 16_000
    for samples, again in ((said, False), (np.concatenate([said, np.zeros(rate // 3), 0.7 * said]), True)):
        audio = MediaStore(tmp_path).put(encode_wav(samples.reshape(-1, 1), rate), "wav")
        outcome = decide(recording, {"audio": audio, "seconds_expected": 5.0}, tmp_path)
        assert (outcome.reason == "record-again") is again, outcome


def test_a_recording_far_slower_than_the_readers_others_is_made_again() -> None:
    paces = [1.0, 1.1, 0.95, 1.05, 0.5]
    records = [{"speaker": "p", "recording": f"c{n}", "pace": pace} for n, pace in enumerate(paces)]
    assert [outcome.decision for outcome in decide_all(same_pace, records)] == ["kept"] * 4 + ["pending"]


def test_a_recording_with_a_year_of_birth_keeps_its_task_open() -> None:
    def returned(years: str) -> Result:
        return Result("c", "x", f"P{years}", {"audio": "a.wav", "gender": "man", "years": years})

    values: Any = {"clip": "c"}
    assert take([returned("1998")], values, None).reason == REFUSED  # type: ignore[arg-type]
    assert take([returned("1998"), returned("27")], values, None).fields["years"] == "27"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "fault"),
    [
        ("“青青子衿，悠悠我心”一句中的“子”指的是谁？", "quotation-not-in-text"),
        ("「青青子衿」這一句寫的是誰？", "quotation-not-in-text"),
        ("“青青子衿”中的“子”指谁？", "quotation-not-in-text"),
        ("“关关雎鸠，在河之洲”两句运用了什么手法？", None),
        ("“窈窕淑女……好逑”一句表达了怎样的感情？", None),
        ("诗人怎样“借景抒情”？", None),
        ("“思无邪”体现在哪里？", None),
        ("与“青青子衿，悠悠我心”一句相比，这里的感情有何不同？", None),
        ("《关雎》中的“君子”指什么人？", None),
    ],
)
def test_a_question_quotes_lines_that_the_work_has(question: str, fault: str | None) -> None:
    found = mcga.quoted_line_fault(question, "《关雎》\n关关雎鸠，在河之洲。窈窕淑女，君子好逑。")
    assert (found and found[0]) == fault


@pytest.mark.parametrize(
    "question", ["文中画线的句子表达了诗人怎样的感情？", "结合上一题的答案，说说词人不堪回首的原因是什么？"]
)
def test_a_question_about_a_recording_needs_no_page_and_no_other_question(question: str) -> None:
    assert (question_fault(question, mcga.LANGUAGE) or ("",))[0] == "refers-elsewhere"
