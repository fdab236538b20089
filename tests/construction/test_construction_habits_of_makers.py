"""Forms of options, words about a reply, marks, references to what isn't there: habits of people and models that write
questions, in simplified and traditional Chinese and in English. Sound texts that look like them stay."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from tests.construction.single_stage import decide, decide_all
from triptych.construction.absent_references import quotation_fault, reference_fault, sentence_fault, time_fault
from triptych.construction.answers import no_information
from triptych.construction.chatter import chatter_fault, unread_fault
from triptych.construction.denials import denied
from triptych.construction.forms_of_options import form_fault
from triptych.construction.punctuation import doubled_fault, pair_fault
from triptych.construction.recipes import mcs_bench
from triptych.construction.recipes.mcs_bench import answer_fault_of
from triptych.construction.stages.clips import pairs
from triptych.construction.stages.describing import one_transcript_each
from triptych.construction.transcripts import copied_fault
from triptych.construction.wording import translation_fault
from triptych.media.picture_changes import decode_picture

WORDS_ABOUT_THE_REPLY = [
    "好的，下面是我的回答：他要去车站。",
    "好的！以下是这道题的答案：他要去车站。",
    "當然可以，以下是我的回答：他要去車站。",
    "以下是对这个问题的回答：他要去车站。",
    "这是一个很好的问题！他要去车站。",
    "作为一名资深的国画鉴赏专家，我认为画中有三竿竹子。",
    "作為一位歷史學者，我認為此畫作於明代。",
    "根据您提供的录音，他要去车站。",
    "他要去车站。希望以上回答对您有所帮助！",
    "他要去车站。希望这个答案能帮到你。",
    "他要去车站。如果您还有其他问题，请随时告诉我。",
    "他要去车站。以上内容仅供参考。",
    "画中有三人。由于图片分辨率有限，以上内容可能存在偏差。",
    "他要去车站。如有错误，敬请指正。",
    "他要去车站。注：录音后半段较嘈杂。",
    "Sure! Here is the answer: he is going to the station.",
    "Here's my translation:\nThe moon rises.",
    "As an experienced art historian, I think that it is a Ming painting.",
    "Based on the audio you provided, he is going to the station.",
    "He is going to the station. Hope this helps!",
    "He is going to the station. Let me know if you need anything else.",
    "The moon rises. Note: this line is hard to translate.",
    "竹叶四出如刀。（全文共58字）",
    "竹叶四出如刀。字数：58字。",
    "竹葉四出如刀。（約六十字）",
    "The moon rises over the hill. (45 words)",
    "The moon rises over the hill. Word count: 45",
    "得分点：①指出他是邻居 ②说明关系",
    "①指出敲门的人是邻居（2分）②说明关系（3分）",
    "他是邻居。每点2分，共4分。",
    "他是邻居。（答出其中两点即可）",
    "评分标准：答出邻居得2分。",
    "He is a neighbour (2 marks).",
]
TEXTS_ALONE = [
    "好的，我马上就来。",
    "好。我会很想念你的。而且我也会忘记你。",
    "他希望这些药对她有帮助。",
    "她说如果还有问题就去问老师。",
    "作为一名医生，他很着急。",
    "根据录音，他要去车站。",
    "图中共有四个字。",
    "他考试得了九十分。",
    "这首诗共二十个字，每句五字。",
    "Here is the house of the poet.",
    "Sure enough, the moon rose.",
    "I hope this letter finds you.",
    "Note the pale moon above the hill.",
    "As a scholar he was poor.",
]


@pytest.mark.parametrize("text", WORDS_ABOUT_THE_REPLY)
def test_words_about_a_reply_are_not_the_text(text: str) -> None:
    fault = chatter_fault(text)
    assert fault is not None and fault[0] == "not-the-text-alone", text


@pytest.mark.parametrize("text", TEXTS_ALONE)
def test_texts_without_words_about_the_reply(text: str) -> None:
    assert chatter_fault(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "王曰【无法识别】不远千里",
        "王曰□不远千里",
        "王曰〓〓不远",
        "王曰［模糊］不远",
        "王曰（字迹不清）不远",
        "王曰???不远",
        "王曰×不远",
        "王曰[UNK]不远",
        "王曰囗囗不远",
        "王曰**不远",
        "the [illegible] of Tang",
        "齊魯青■■",
    ],
)
def test_signs_for_characters_that_were_not_read(text: str) -> None:
    assert (unread_fault(text) or ("",))[0] == "placeholder"


@pytest.mark.parametrize(
    "text", ["他问：“你姐呢？你在哪？”", "3×5", "什么？（他问）", "A*算法", "二〇二三年", "（残阳）"]
)
def test_texts_whose_characters_were_all_read(text: str) -> None:
    assert unread_fault(text) is None


@pytest.mark.parametrize(
    "options",
    [
        ["可能是医院", "学校食堂", "中心小学", "人民银行"],
        ["医院吧", "学校", "小学", "银行"],
        ["Probably a hospital", "A canteen", "A school", "A bank"],
        ["《孟子》", "论语", "史记", "庄子"],
        ["孟子", "《论语》", "《史记》", "《庄子》"],
        ["朝露（早晨的露水）", "深秋的落花", "东去的流水", "天上的浮云"],
        ["朝露", "落花（秋天的花）", "流水（东去的水）", "浮云（天上的云）"],
        ["這裡不是他的故鄉", "因為下雨了", "因為他病了", "因為路太遠"],
        ["因为他病了", "下雨了", "路太远", "没有船"],
        ["采菊", "饮酒；读书", "下棋；钓鱼", "抚琴；练剑"],
        ["采菊、饮酒", "读书", "下棋", "抚琴"],
        ["“孟子”一书", "论语一书", "史记一书", "庄子一书"],
        ["请他坐下", "让他走开", "叫他回家", "给他开门"],
        ["他走了！", "他来了", "他病了", "他笑了"],
        ["他从来不喝酒", "他有时喝酒", "他在家喝酒", "他爱喝酒"],
        ["3个人", "四个人", "五个人", "六个人"],
        ["三", "四个人", "五个人", "六个人"],
        ["because it rained", "the bus was late", "his leg hurt", "the shop was shut"],
        ["a dog", "cat", "bird", "horse"],
    ],
)
def test_the_form_of_the_correct_option_is_another(options: list[str]) -> None:
    assert form_fault(options, [0])


@pytest.mark.parametrize(
    "options",
    [
        ["可能是医院", "可能是学校", "银行", "商店"],
        ["《孟子》", "《论语》", "史记", "庄子"],
        ["因为他病了", "因为下雨了", "路太远", "没有船"],
        ["三天", "五天", "半个月", "一年"],
        ["他觉得“那件事”过去了", "他忘了", "他没听见", "他不在家"],
        ["he ran", "she slept", "it rained", "they left"],
        ["Paris", "a village", "a farm", "the coast"],
        ["一项重大的、充满挑战的行动", "一次散步", "一场婚礼", "一顿晚饭"],
    ],
)
def test_forms_that_show_nothing(options: list[str]) -> None:
    assert not form_fault(options, [0])


@pytest.mark.parametrize(
    "text",
    [
        "因为女子说“外面下大雨了",
        "他来自《红楼梦",
        "他走了）。",
        "他说：”走吧“",
        "（他走了",
        '她说"走吧',
        "「走吧",
        "【走吧",
    ],
)
def test_marks_without_their_other_half(text: str) -> None:
    assert (pair_fault(text) or ("",))[0] == "marks-unpaired"


@pytest.mark.parametrize(
    "text",
    [
        "子曰：“赐也，始可与言《诗》已矣！‘如切如磋。’”",
        "1）他走了。2）她来了。",
        "理由：1）他走了。",
        "区间[0, 1)",
        "他说:)",
        '5" 屏',
        "（A)他",
    ],
)
def test_marks_in_pairs(text: str) -> None:
    assert pair_fault(text) is None


def test_talks_and_their_translations_may_say_what_models_say() -> None:
    said = "These are the links to our code. Feel free to get in touch with us if you have any questions."
    assert translation_fault("这些是我们代码的链接。如果您有任何问题，请随时联系我们。", said) is None
    assert translation_fault("Der Code ist „frei“ verfügbar, und „Marker“ sind es auch.", said) is None
    assert translation_fault("月亮升起来了。希望以上翻译对您有所帮助！", "The moon rises over the hill.") is not None
    assert pair_fault("Er sagt „ja“ und „nein“.") is None and pair_fault("Er sagt „ja und geht.") is not None


def test_marks_that_stand_together() -> None:
    for text in ("王曰，。叟", "他走了。。", "他走了，，她来了", "他走了？。", "He left,, and she came."):
        assert (doubled_fault(text) or ("",))[0] == "marks-doubled", text
    for text in ("他走了……她来了。", "真的？！", "“走！”，他说。", "U.S., he said", "。。。", "1,000.5"):
        assert doubled_fault(text) is None, text


@pytest.mark.parametrize(
    ("question", "seen"),
    [
        ("结合上一题的答案，他为什么走？", {}),
        ("根據前一題，他為什麼走？", {}),
        ("文中画线的句子表达了什么？", {}),
        ("加点的字是什么意思？", {}),
        ("Who is meant by the underlined word?", {}),
        ("What did he do in the previous question?", {}),
        ("画面中的报警器为什么会响？", {"sound": True}),
        ("影片里的男子为什么停下？", {"sound": True}),
        ("字幕显示他去哪里？", {"sound": True}),
        ("根据转写文本，男子为什么决定买两件衣服？", {"sound": True}),
        ("文字稿中谁先说话？", {"sound": True}),
        ("SPEAKER_00和SPEAKER_01是什么关系？", {"sound": True}),
        ("说话人1为什么停下？", {"sound": True}),
        ("第二幅图中的人头上戴着什么？", {"pictures": 1}),
        ("左图中的人是谁？", {"pictures": 1}),
        ("图二中有几只鸟？", {"pictures": 1}),
        ("两幅画有什么不同？", {"pictures": 1}),
        ("What is in the second picture?", {"pictures": 1}),
    ],
)
def test_questions_that_refer_to_what_is_not_there(question: str, seen: dict[str, int]) -> None:
    assert (reference_fault(question, **seen) or ("",))[0] == "refers-elsewhere"


@pytest.mark.parametrize(
    ("question", "seen"),
    [
        ("上面的问候是谁说的？", {}),
        ("他的上一句话是什么意思？", {"sound": True}),
        ("他动画面试结果如何？", {"sound": True}),
        ("她为什么要拍照？", {"sound": True}),
        ("女子在看的视频里有谁的声音？", {"sound": True}),
        ("图像中的人面朝左边还是右边？", {"pictures": 1}),
        ("图中第二个人手里拿着什么？", {"pictures": 1}),
        ("画的左上角写了什么？", {"pictures": 1}),
    ],
)
def test_questions_that_refer_to_what_is_there(question: str, seen: dict[str, int]) -> None:
    assert reference_fault(question, **seen) is None


def test_words_written_twice_and_two_questions_in_one() -> None:
    for question in (
        "男子为什么为什么要叫救护车？",
        "男子在在哪里？",
        "男子為什麼為什麼走？",
        "Why did the the man stop?",
    ):
        assert (sentence_fault(question) or ("",))[0] == "repeats-itself", question
    for question in ("这是哪里？敲门的人是谁？", "什么时候出发？谁去接他？", "Where is it? Who knocked?"):
        assert (sentence_fault(question) or ("",))[0] == "two-questions", question
        assert sentence_fault(question, one=False) is None
    sound = (
        "他为什么说“什么什么”？",
        "铃声响了，这暗示了什么？",
        "他们在商量商量什么？",
        "男子说“你是谁？”时是什么心情？",
        "目的的达成靠什么？",
    )
    assert not [question for question in sound if sentence_fault(question)]


def test_times_after_the_end_and_words_that_the_text_lacks() -> None:
    for text in (
        "在第75秒可以听到什么声音？",
        "第2分10秒处谁在说话？",
        "在40秒处发生了什么？",
        "What is heard at 75 seconds?",
    ):
        assert (time_fault(text, 10.4) or ("",))[0] == "time-beyond-recording", text
    for text in ("第5秒时谁在说话？", "他等了30分钟，为什么？", "会议8:30开始，谁迟到了？", "他跑了75秒，是第几名？"):
        assert time_fault(text, 10.4) is None, text
    work = "关关雎鸠，在河之洲。窈窕淑女，君子好逑。"
    assert quotation_fault("“青青子衿，悠悠我心”中的“子”指谁？", work)
    assert quotation_fault("「青青子衿」是什麼意思？", work)
    assert not quotation_fault("“窈窕淑女……好逑”写的是谁？", work) and not quotation_fault(
        "“關關雎鳩”是什麼聲音？", work
    )
    assert not quotation_fault("“今天天气真好”是谁说的？", "今天天器真好啊", exact=False)  # what a recogniser heard
    assert quotation_fault("“我要去火车站”是谁说的？", "今天天气真好啊我们出去玩吧", exact=False)


def test_texts_that_deny_each_other() -> None:
    for pair in (
        ["男子要去北京", "男子不要去北京"],
        ["她没有迟到", "她迟到了"],
        ["他未婚先走", "他走"],
        ["He can swim", "He can't swim"],
    ):
        assert bool(denied(pair)) == (pair[0] != "他未婚先走"), pair
    assert denied(["男子不仅迟到", "男子没去北京"]) is None


def test_answers_that_say_that_there_is_none() -> None:
    for answer in (
        "文中没有提到这一点，因此无法判断。",
        "根据录音无法确定他的身份。",
        "信息不足，无法回答。",
        "無法判斷。",
        "The text does not mention it.",
        "It is unclear from the recording.",
    ):
        assert (no_information(answer) or ("",))[0] == "no-answer", answer
    for answer in (
        "他没有提到自己的病，因为怕母亲担心。",
        "君子并没有因为别人不了解自己而生气。",
        "她无法判断谁在说谎。",
    ):
        assert no_information(answer) is None, answer


@pytest.mark.parametrize(
    ("task", "question", "answer", "text", "reason"),
    [
        ("T28", "", "山或火", "", "answer-not-as-asked"),
        ("T28", "", "山/火", "", "answer-not-as-asked"),
        ("T28", "", "这个字是山", "", "answer-not-as-asked"),
        ("T1", "", "第一列：春眠不觉晓 第二列：处处闻啼鸟", "", "not-the-text-alone"),
        ("T8", "", "正文：春眠不觉晓 落款：米芾", "", "not-the-text-alone"),
        ("T4", "", "廉颇、赵、廉颇、齐", "", "repeats-itself"),
        ("T4", "", "孟子、秦昭王", "孟子见梁惠王", "entity-not-in-text"),
        ("T5", "拜", "授予官职", "孟子见梁惠王", "quotation-not-in-text"),
        ("T6", "“不耻下问”是谁说的？", "孔子说的。", "孟子见梁惠王", "quotation-not-in-text"),
        ("T3", "", "王曰：“叟！曰：“王！”", "王曰叟曰王", "marks-unpaired"),
        ("T3", "", "王曰，。叟！", "王曰叟", "marks-doubled"),
        (
            "T2",
            "",
            "廉颇是赵国优秀的将领。他去攻打齐国，大破之，取阳晋，拜为上卿，以勇气闻于诸侯。蔺相如者，赵人也。",
            "",
            "not-translated",
        ),
    ],
)
def test_answers_by_task(task: str, question: str, answer: str, text: str, reason: str) -> None:
    assert (answer_fault_of(task, question, answer, text or None) or ("",))[0] == reason


@pytest.mark.parametrize(
    ("task", "answer", "text"),
    [
        ("T28", "龢", ""),
        ("T28", "上甲", ""),
        ("T4", "孟子、梁惠王", "孟子見梁惠王"),
        ("T3", "王曰：“叟！不远千里而来", "王曰叟不远千里而来"),  # the page ends within a quotation
        ("T2", "廉颇是赵国优秀的将领，他攻打齐国，大败齐军，夺取了阳晋，被任命为上卿，凭勇气闻名于诸侯各国。", ""),
        ("T2", "孔子说：“学而时习之，不亦说乎？”意思是学习以后要时常温习，这是快乐的。", ""),
    ],
)
def test_sound_answers_by_task(task: str, answer: str, text: str) -> None:
    assert answer_fault_of(task, "", answer, text or None) is None


def test_one_question_about_one_picture_and_one_answer_for_many(tmp_path: Path) -> None:
    row = {"task": "T19", "question": "", "answer": "明", "wrong": ["唐", "元", "清"], "picture_cluster": "T19:a"}
    said = {"task": "T45", "question": "图像中有什么？", "answer": "图像中有一位站着的老人。", "picture_cluster": ""}
    rows = [
        row,
        row | {"answer": "清", "wrong": ["唐", "元", "明"]},
        row | {"picture_cluster": "T19:b"},
        *(said | {"picture_cluster": f"T45:{name}"} for name in "abc"),
    ]
    outcomes = decide_all(mcs_bench.one_question_each, rows, tmp_path)
    assert [each.decision for each in outcomes] == ["kept", "dropped", "kept", "kept", "dropped", "dropped"]


def test_transcripts_of_two_recordings_and_descriptions_that_are_transcripts(tmp_path: Path) -> None:
    text = "医生，我的头很疼，昨天晚上没有睡好，请您看一看。"
    rows = [{"transcript": text}, {"transcript": "我们坐公共汽车去图书馆吧，外面下雨了。"}, {"transcript": f"{text}好"}]
    outcomes = decide_all(one_transcript_each, rows, tmp_path)
    assert [each.reason for each in outcomes] == ["", "", "same-transcript"]
    assert (copied_fault(text, text.replace("，", " ")) or ("",))[0] == "transcript-as-description"
    assert copied_fault("室内有人说话，一位病人对医生说他头疼。", text) is None


def test_names_of_stories_that_differ_in_case_and_spaces(tmp_path: Path) -> None:
    row = {"begin": 0.0, "end": 9.0, "transcript": "a", "audio_description": "b", "audio": "c"}
    names = ("homework", "Homework ", "ｈｏｍｅｗｏｒｋ")
    rows = [row | {"film": f"{n}.ogg", "clip": str(n), "story": name} for n, name in enumerate(names)]
    outcomes = decide_all(pairs, rows, tmp_path)
    assert [len(each.children) for each in outcomes] == [3, 3, 2]


@pytest.mark.parametrize("form", ["PNG", "TIFF"])
@pytest.mark.parametrize("top", [65_000, 4_000])
def test_pictures_of_sixteen_bits(form: str, top: int) -> None:
    from PIL import Image

    pixels = (np.linspace(0, 1, 64)[None, :] * np.ones((64, 1)) * top).astype(np.uint16)
    data = io.BytesIO()
    Image.fromarray(pixels).save(data, form)
    image, _ = decode_picture(data.getvalue())
    levels = np.asarray(image.convert("L"))
    assert levels.min() == 0 and levels.max() > 245 and 110 < levels.mean() < 140


def test_a_sound_row_of_a_table_stays(tmp_path: Path) -> None:
    row = {"task": "T45", "question": "图像中的人面朝左边还是右边？", "answer": "左边"}
    assert decide(mcs_bench.wording, row, tmp_path).decision == "kept"
