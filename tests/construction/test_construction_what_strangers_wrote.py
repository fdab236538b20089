"""Faults that others than the makers of the checks planted, each in several forms; sound texts beside them remain."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.construction.absent_references import quotation_fault
from triptych.construction.option_forms import about_others
from triptych.construction.people.reviews import person_key
from triptych.construction.recipes.mcs_bench import chinese_marks, written
from triptych.construction.release.withdrawal import forget_people
from triptych.construction.wording import misread, text_fault, wording_fault

TRANSCRIPT = "老师：没关系，下次注意就好。学生：谢谢老师，我先回教室了。"


@pytest.mark.parametrize(
    "question",
    [
        "“老师说的‘没关系’，是对谁说的？”听完录音请回答。",
        "「老師說的『没关系』是對誰說的？」請聽錄音回答。",
        "请听录音回答：“学生接下来要去什么地方？”",
        '请回答："老师为什么说‘没关系’？"',
    ],
)
def test_quotation_marks_around_the_question(question: str) -> None:
    assert quotation_fault(question, TRANSCRIPT, exact=False) is None


@pytest.mark.parametrize(
    "question",
    ["“老师说的‘明天不用上课’是对谁说的？”请回答。", "“青青子衿”指谁？", "“谁偷走了我的钱包？”这句话是谁说的？"],
)
def test_quotations_that_nobody_said(question: str) -> None:
    fault = quotation_fault(question, TRANSCRIPT, exact=False)
    assert fault is not None and fault[0] == "quotation-not-in-text"


@pytest.mark.parametrize(
    "option",
    [
        "其余三者兼而有之",
        "前述情形均未发生",
        "皆非",
        "均否",
        "兼有前三者",
        "其餘選項皆不成立",
        "以上兼有",
        "不属于前两种情况",
        "each of these",
        "Neither option",
        "none of the other choices",
        "neither",
        "没有一项正确",
        "以上任意一项",
        "none apply",
        "the first three",
        "a combination of the above",
    ],
)
def test_options_about_other_options(option: str) -> None:
    assert about_others("他想要什么？", ["归隐田园", "求取功名", "保卫边疆", option]) == option


@pytest.mark.parametrize(
    "option",
    [
        "其余的人都走了",
        "前三名都是女生",
        "两人皆非本地人",
        "这两个都要",
        "他们都没来",
        "每个人都有份",
        "前面的车不走",
        "其他人没有票",
    ],
)
def test_options_that_are_about_what_happens(option: str) -> None:
    assert about_others("他说了什么？", ["归隐田园", "求取功名", "保卫边疆", option]) == ""


@pytest.mark.parametrize(
    "question",
    [
        "诗中描写的是哪一种地方？（本题应选第三项）",
        "男子为什么催促同伴快一点？[Ans→A]",
        "孟子认为国君最应当看重什么？仁义，利益，还是武力？选第一个。",
        "Who opens the door? Correct: 2nd",
        "Who opens the door? [key: c]",
        "他在哪里？末项为正",
        "他在哪里？正解：(2)",
        "他在哪里？【答案是第二项】",
        "他在哪里？答案→③",
        "他在哪里？（選最後一項）",
        "Wo ist er? Lösung: b",
        "Wie viele? a) zehn b) elf c) zwölf Lösung: c",
        "When does the shop open? (1) at six (2) at seven (3) at eight 正解：(2)",
        "他在哪里？（正确的是第三项）",
        "他在哪里？（答案见第二项）",
        "他在哪里？第三个选项才对。",
        "Where is he? The answer is the second one.",
        "Where is he? Right: B",
    ],
)
def test_stems_that_tell_the_key(question: str) -> None:
    fault = wording_fault(question, ["朝露", "落花", "流水", "浮云"])
    assert fault is not None and fault[0] == "answer-in-question", fault


@pytest.mark.parametrize(
    "question",
    [
        "他为什么选第一个？",
        "男子最后选了第二个房间，为什么？",
        "第一个是正确的吗？",
        "谁回答了第三个问题（关于地铁）？",
        "他为什么应选第三项？",
        "Which answer is first?",
        "What is the key to the first door?",
        "如果选择第一个方案，会发生什么？",
    ],
)
def test_stems_about_choices(question: str) -> None:
    assert wording_fault(question, ["天冷了", "下雨了", "生病了", "走远了"]) is None


@pytest.mark.parametrize(
    "text",
    [
        "Regrettably, a faithful rendering of these lines lies outside what can be offered here. Old verse of this kind"
        " calls for a specialist.",
        "Unfortunately, the translation is beyond what is possible.",
        "A description of this kind cannot be offered here.",
        "I have no access to the audio.",
        "No image was attached.",
        "The picture did not load.",
        "I can only process text.",
        "我只能处理文字，听不到朗读的声音，因此没有办法判断全词的感情。",
        "图片未能加载出来，暂时无从描述画面里的花鸟与枝叶，烦请补充之后再议。",
        "對不起，您提供的英文句子不完整，我不能給出譯文。",
        "您上传的图片太模糊，无法描述。",
        "暂时打不开音频，请重新上传。",
        "音频文件没有加载成功，无法判断情感。",
        "很遗憾，我没有收到录音，难以作答。",
        "抱歉，这样的诗句无从译出。",
        "很抱歉这幅画没有显示，请再发一次。",
        "看不见图，说不出内容。",
        "音频没有声音，判断不了情绪。",
        "此诗我译不了，请另请高明。",
        "I'm only able to read text, so the recital is out of reach.",
        "That kind of rendering is more than I can manage.",
    ],
)
def test_inability_in_place_of_a_text(text: str) -> None:
    fault = text_fault(text)
    assert fault is not None and fault[0] == "apology", fault


@pytest.mark.parametrize(
    "text",
    [
        "他听不到音频里的声音，所以走近了一步。",
        "电脑打不开文件了",
        "画中没有画船，也看不出季节。",
        "这幅画没有题款。",
        "我听不到你说话，信号不好。",
        "画面没有留白，却不显拥挤。",
        "画面右侧没有人物，难以言说的寂寞由此而来。",
        "Alas, the mountains lie beyond my reach.",
        "The sound did not reach the far shore.",
        "I have no way to cross the river.",
        "The picture does not show the moon.",
        "No sound came through the pines.",
        "请您提供的材料里没有合同，请补交。",
    ],
)
def test_sound_texts_about_not_being_able(text: str) -> None:
    assert text_fault(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "只在锟斤拷中，云深不知处",
        "他去了烫烫烫烫屯屯",
        "屯屯屯屯他走了",
        "caf\u00c3\u00a9",
        "It\u00e2\u20ac\u2122s late",
        "\u00ef\u00bb\u00bf床前明月光",
        "\u9225\u6a9a is mine",
        "床前明月光\u951b\u5c7e鏄",
    ],
)
def test_characters_of_another_encoding(text: str) -> None:
    assert misread(text)


@pytest.mark.parametrize(
    "text", ["“烫烫烫！”她喊道", "屯田屯兵", "他问：“烫烫烫？”", "Ça va, Zoë?", "10 €", "拷贝文件"]
)
def test_characters_that_are_meant(text: str) -> None:
    assert not misread(text)


@pytest.mark.parametrize(
    "text",
    [
        "## 赏析\n- 笔法：颜体端庄，横轻竖重，起收有力。\n- 章法：两行十二字，左侧小字落款。",
        "- 笔法：颜体端庄。\n- 章法：两行十二字。",
        "* 笔法：颜体端庄。\n\n* 章法：两行十二字。",
        "笔法**端庄**，起收有力。",
        "|项目|说明|\n|---|---|\n|笔法|端庄|",
        "### 章法",
    ],
)
def test_markdown_in_answers(text: str) -> None:
    fault = wording_fault("如何赏析这幅字？", [], text)
    assert fault is not None and fault[0] == "markup", fault


@pytest.mark.parametrize(
    "text", ["C# 是一种语言", "先礼后兵——这是他的办法。", "气温为 -5 度，\n风力 3 级。", "他是 #1 号选手。"]
)
def test_marks_that_are_no_markdown(text: str) -> None:
    assert text_fault(text) is None


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        (
            '文中说:"以勇气闻于诸侯",所以他是凭勇气闻名的.',
            "文中说：“以勇气闻于诸侯”，所以他是凭勇气闻名的。",
        ),
        ('"仁"和"义"是什么?', "“仁”和“义”是什么？"),
        ('他说"OK"就走了', "他说“OK”就走了"),
        ('He said "yes".', 'He said "yes".'),
        ('屏幕为 27"的"大"屏', '屏幕为 27"的"大"屏'),
    ],
)
def test_straight_quotation_marks(text: str, marked: str) -> None:
    assert chinese_marks(text) == marked


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("《诗》云", "《詩》云"),
        ("《诗》云：“乐只君子。”", "《詩》云：“樂只君子。”"),
        ("古人云：“云从龙”", "古人云：“雲從龍”"),
        ("诗云，白云深处", "詩云，白雲深處"),
    ],
)
def test_the_word_say_in_traditional_characters(text: str, made: str) -> None:
    pytest.importorskip("opencc")
    assert written(text, "traditional") == made


@pytest.mark.parametrize("name", ["ＬＩ", "Li ", "LI"])
def test_names_of_one_person(name: str) -> None:
    assert person_key(name) == person_key("li")


def test_what_a_person_returned_under_a_name_of_other_width_is_removed(tmp_path: Path) -> None:
    results = tmp_path / "results" / "review.jsonl"
    results.parent.mkdir()
    lines = [f'{{"id":"{id}","person":"{person}"}}\n' for id, person in (("a", "li"), ("b", "ＬＩ"), ("c", "wang"))]
    results.write_text("".join(lines), encoding="utf-8")
    forget_people(tmp_path, frozenset({"li"}))
    assert results.read_text(encoding="utf-8") == lines[2]
