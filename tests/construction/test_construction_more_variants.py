"""Faults in other words and forms than those of the other modules, each in several forms; sound texts stay."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageOps

from tests.construction.single_stage import decide, decide_all
from triptych.construction.answers import question_fault, same_question
from triptych.construction.chatter import chatter_fault
from triptych.construction.engine.media import MediaStore
from triptych.construction.option_forms import about_others, own_letters
from triptych.construction.recipes import mcs_bench
from triptych.construction.stages import _voices as voices
from triptych.construction.stages.guessing import unguessable
from triptych.construction.stages.pictures import duplicate_pictures
from triptych.construction.stages.text import clean_text
from triptych.construction.wording import wording_fault

ASKED = "男子为什么要去车站？"
TEXTS = ["接朋友", "买车票", "送孩子", "看比赛"]


@pytest.mark.parametrize(
    "written",
    [
        "{A}|{t}",
        "{t}({A})",
        "{t}（{甲}）",
        "选{A}：{t}",
        "答案{A} {t}",
        "No.{n} {t}",
        "{n} {t}",
        "0{n}、{t}",
        "「{A}」{t}",
        "{A}/{t}",
        "{A}·{t}",
        "{A}={t}",
        "{A}{t}",
        "{壹}、{t}",
        "{春}、{t}",
        "{P}. {t}",
        "{Α}. {t}",
        "项{A} {t}",
    ],
)
def test_entries_of_a_list(written: str) -> None:
    orders = ("ABCD", "甲乙丙丁", "壹贰叁肆", "春夏秋冬", "PQRS", "ΑΒΓΔ")
    options = [
        written.format(t=text, n=number + 1, **{order[0]: order[number] for order in orders})
        for number, text in enumerate(TEXTS)
    ]
    fault = wording_fault(ASKED, options)
    assert fault is not None and fault[0] == "option-letters", fault


@pytest.mark.parametrize(
    "options",
    [
        ["1只猫", "2条狗", "3匹马", "4头牛"],
        ["A座", "B座", "C座", "D座"],
        ["一楼大厅", "二楼餐厅", "三楼教室", "四楼天台"],
        ["第一次见面", "第二次约会", "第三次吵架", "第四次道歉"],
        ["红楼梦（一）", "红楼梦（二）", "红楼梦（三）", "红楼梦（四）"],
        ["1:30", "2:30", "3:30", "4:30"],
        ["一、二班", "二、三班", "三、四班", "四、五班"],
        ["春，花开了", "夏，蝉叫了", "秋，叶落了", "冬，下雪了"],
        ["一问一答", "二话不说", "三心二意", "四平八稳"],
    ],
)
def test_options_that_count_or_name_are_no_list(options: list[str]) -> None:
    assert own_letters(options) == ""


@pytest.mark.parametrize(
    "option",
    [
        "全选",
        "全都是",
        "都是对的",
        "没有对的",
        "无正确选项",
        "此中无正解",
        "上述三点",
        "综上",
        "选项一和选项二",
        "其他",
        "其他原因",
        "同选项A",
        "三种可能都存在",
        "不止一个原因",
        "各项都不符合",
        "所有选项",
        "三者居其一",
        "以上两种情况同时存在",
    ],
)
def test_more_options_about_others(option: str) -> None:
    assert about_others(ASKED, [*TEXTS[:3], option]) == option


@pytest.mark.parametrize(
    "option",
    [
        "他要卖房子（假）",
        "他要卖房子（录音未提及）",
        "他要卖房子（不符合题意）",
        "他要卖房子：错",
        "他要卖房子→正确",
        "（对）他要卖房子",
        "[x]他要卖房子",
        "他要卖房子（编造）",
    ],
)
def test_options_with_a_verdict(option: str) -> None:
    fault = wording_fault(ASKED, [*TEXTS[:3], option])
    assert fault is not None and fault[0] == "option-marked", fault


@pytest.mark.parametrize("option", ["无法判断", "录音没有提到", "信息不足", "看不出来", "以上无法判断", "未知"])
def test_options_that_answer_nothing(option: str) -> None:
    fault = wording_fault(ASKED, [*TEXTS[:3], option])
    assert fault is not None and fault[0] in ("option-is-no-answer", "option-refers-to-others"), fault
    assert wording_fault("女子知道车站在哪里吗？", ["在城东", "在城西", "在城北", "不清楚"]) is None


STEM = "诗人把月光当成了什么？"


@pytest.mark.parametrize(
    "question",
    [
        f"{STEM}（答案见A项）",
        f"{STEM}〔A〕",
        f"{STEM}（最短的那个）",
        f"{STEM}（从左数第一个）",
        f"{STEM}（①）",
        f"{STEM}（B、C、D均错）",
        f"{STEM}A✓",
        f"【A】{STEM}",
        f"A、{STEM}",
        f"{STEM}（提示：清霜）",
        f"{STEM}清霜或白雪或流水或宣纸？",
        f"在清霜、白雪、流水、宣纸之中，{STEM}",
        f"{STEM}（填序号）",
        f"{STEM}请回答A/B/C/D。",
    ],
)
def test_stems_with_keys_hints_and_options(question: str) -> None:
    fault = wording_fault(question, ["清霜", "白雪", "流水", "宣纸"])
    assert fault is not None and fault[0] in ("answer-in-question", "options-in-question", "letters-in-question"), fault


@pytest.mark.parametrize(
    "question",
    [
        "男子（A座的住户）为什么下楼？",
        "谁先到了（第一次）？请结合对话推断。",
        "他们要去哪个出口（A口、B口）见面？",
    ],
)
def test_sound_stems(question: str) -> None:
    assert wording_fault(question, TEXTS) is None


def test_a_pattern_takes_no_long_time() -> None:
    # These would not end if the parts of a match could be divided in many ways.
    for text in ("为佳" * 200, "？" + "是的为佳" * 200 + "啊"):
        assert wording_fault(text, TEXTS) is None
    for text in ("（" + "为佳的" * 200, "（A" * 300):
        fault = wording_fault(text, TEXTS)
        assert fault is not None and fault[0] == "marks-unpaired"


def test_what_people_say_about_themselves_and_points() -> None:
    for text in ("作为老师，我很骄傲。", "她得了满分（100分）。", "作为一名工程师，我每天都很忙。"):
        assert chatter_fault(text) is None, text
    for text in ("作为一名翻译家，我将逐句翻译。", "①指出他是邻居（2分）", "他走了。如需进一步分析，请随时告知。"):
        assert chatter_fault(text) is not None, text
    assert question_fault("谁先开口？谁后开口？", "zh", sound=True) is None
    assert question_fault("这是哪里？敲门的人是谁？", "zh", sound=True) is not None


def test_one_question_in_another_order() -> None:
    burnt = "因为饭烧糊了"
    assert same_question("为什么报警器会响？", "报警器响起的原因是什么？", burnt, burnt)
    assert not same_question("男子先做什么？", "男子最后做什么？", "吃饭", "吃饭")


@pytest.mark.parametrize("number", ["－12－", "·12·", "（第12页）", "第12页"])
def test_page_numbers_within_a_work(number: str) -> None:
    outcome = decide(clean_text, {"text": f"床前明月光，{number}疑是地上霜。"})
    assert outcome.fields["text"] == "床前明月光，疑是地上霜。"


def test_pages_that_show_a_check_are_not_read() -> None:
    wall = {"file": "a.html", "text": "正在检查您的浏览器…… 请完成安全验证 请求编号 8f2a" * 2}
    page = {
        "file": "b.html",
        "text": "《兰亭集序》是东晋王羲之所书，写修禊之会，行书二十八行，三百二十四字，后世推为第一。",
    }
    assert decide(mcs_bench.read_pages, {"pages": [wall]}).reason == "pages-empty"
    outcome = decide(mcs_bench.read_pages, {"pages": [wall, page]})
    assert "安全验证" not in outcome.fields["collected"] and "兰亭" in outcome.fields["collected"]


def _set(texts: list[tuple[str, str, list[str]]]) -> list[dict[str, object]]:
    return [
        {"question": question, "options": [right, *wrong], "answers": [0], "task": "t"}
        for question, right, wrong in texts
    ]


WORDS = [
    "松风",
    "江月",
    "归舟",
    "寒鸦",
    "落日",
    "晓钟",
    "远山",
    "孤灯",
    "白露",
    "秋声",
    "残雪",
    "春水",
    "渔火",
    "驿路",
    "秋千",
    "柳絮",
]


@pytest.mark.parametrize("rule", ["same-wrong", "ending", "question", "number"])
def test_sets_whose_options_tell_the_key(rule: str) -> None:
    rows = []
    for number, word in enumerate(WORDS):
        others = [WORDS[(number + step) % len(WORDS)] for step in (3, 5, 7)]
        if rule == "same-wrong":
            rows.append((f"第{number}问", word, ["甲地", "乙地", "丙地"]))
        elif rule == "ending":
            rows.append(
                (f"第{number}问", f"{word}之情", [f"{each}{end}" for each, end in zip(others, "上下中", strict=True)])
            )
        elif rule == "question":
            rows.append((f"{word}在哪里？", f"{word}边", [f"{each}边" for each in others]))
        else:
            rows.append(
                (f"第{number}问", f"{1900 + number}年", [f"{1000 + 7 * number + step}年" for step in (1, 2, 3)])
            )
    dropped = [each for each in decide_all(unguessable, _set(rows)) if each.reason == "guessable"]
    assert len(dropped) >= 6, dropped


def _picture(seed: int) -> Image.Image:
    draw = np.random.default_rng(seed)
    image = Image.new("RGB", (320, 240), (206, 200, 190))
    pen = ImageDraw.Draw(image)
    for _ in range(14):
        x, y, size = draw.integers(0, 280), draw.integers(0, 200), draw.integers(15, 70)
        pen.ellipse((x, y, x + size, y + size // 2), fill=tuple(int(v) for v in draw.integers(30, 250, 3)))
    return image


@pytest.mark.parametrize("change", ["turned", "upside down", "bordered", "brighter", "darker", "mirrored"])
def test_copies_of_a_picture(change: str, tmp_path: Path) -> None:
    store, image = MediaStore(tmp_path), _picture(1)
    changed = {
        "turned": lambda: image.rotate(90, expand=True),
        "upside down": lambda: image.rotate(180),
        "bordered": lambda: ImageOps.expand(image, 24, "white").resize((258, 202)),
        "brighter": lambda: Image.eval(image, lambda value: min(255, int(value * 1.12))),
        "darker": lambda: Image.eval(image, lambda value: int(value * 0.8)),
        "mirrored": lambda: ImageOps.mirror(image),
    }[change]()
    rows = []
    for number, each in enumerate((image, changed, _picture(2))):
        path = tmp_path / f"{number}.jpg"
        each.save(path, quality=80)
        rows.append({"image": store.put(path.read_bytes(), "jpg"), "task": "T36"})
    clusters = [each.fields["picture_cluster"] for each in decide_all(duplicate_pictures, rows, tmp_path)]
    assert clusters == ["T36:r0", "T36:r0", "T36:r2"]


def test_an_offset_that_changes_its_sign_and_noise_that_swells() -> None:
    rate, draw = 16_000, np.random.default_rng(3)
    time = np.arange(12 * rate) / rate
    voice = 0.2 * np.sin(2 * np.pi * (180 + 60 * np.sin(3 * time)) * time) * (np.sin(2 * np.pi * 1.7 * time) > 0)
    assert voices.shifted(voice, rate) < 0.02 < voices.shifted(voice + np.where(time < 6, 0.2, -0.2), rate)
    noise = draw.normal(0, 0.1, len(time)) * (0.55 + 0.45 * np.sin(2 * np.pi * time / 3))
    assert voices.is_even(noise, rate) and not voices.is_even(voice + draw.normal(0, 0.003, len(time)), rate)
