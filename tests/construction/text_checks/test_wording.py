"""Tests of `construction/text_checks/wording.py`."""

from __future__ import annotations

import pytest

from tests.construction.stages.test_stages_habits import SOUND
from tests.construction.test_construction_more_variants import ASKED, TEXTS
from tests.construction.text_checks.options.test_marks import _reasons
from triptych.construction.text_checks.makers.chatter import chatter_fault
from triptych.construction.text_checks.options.quantities import with_plain_quantities
from triptych.construction.text_checks.options.synonyms import overlapping
from triptych.construction.text_checks.punctuation import pair_fault
from triptych.construction.text_checks.wording import (
    in_language,
    plain_meaning,
    text_fault,
    transcript_fault,
    translation_fault,
    wording_fault,
)


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("他为什么停下？", SOUND),
        ("Who wrote it?", ["J. Adams", "B. Franklin", "A. Hamilton", "T. Paine"]),
        ("哪个班人多？选A班的多还是选B班的多？", ["甲班多", "乙班少", "一样的", "不清楚"]),
        ("How many?", ["1", "2", "12", "20"]),
        ("“天地”与“目的”各指什么？", ["天空", "土壤", "目标", "眼睛"]),
        ("谁说话？", ["甲、乙两人", "丙一个人", "乙、丙两人", "没有人"]),
        ("Where is he from?", ["the U.S.", "China", "the U.K.", "Japan"]),
        ("瞭望的是谁？", ["乾隆", "雍正", "康熙", "嘉庆"]),
    ],
)
def test_sound_questions_have_no_fault(question: str, given: list[str]) -> None:
    assert wording_fault(question, given) is None


POEM = "枯藤老树昏鸦，小桥流水人家，古道西风瘦马。夕阳西下，断肠人在天涯。"
TRANSLATED = (
    "Dry vines, old tree, crows of dusk,\nsmall bridge, flowing water, homes of men,\n"
    "old road, west wind, thin horse.\n"
    "The sun goes down in the west:\nthe broken-hearted is at the end of the sky."
)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (TRANSLATED, None),
        (TRANSLATED[:40], "translation-too-short"),
        (f"{TRANSLATED}\n(Note: the last line is famous.)", "not-the-text-alone"),
        ("\n".join(f"{n}. {line}" for n, line in enumerate(TRANSLATED.split("\n"), 1)), "not-the-text-alone"),
        ("[Translation omitted due to length]", "placeholder"),
        ("...", "no-words"),
        (f"{TRANSLATED} {TRANSLATED}", "repeats-itself"),
    ],
)
def test_a_translation_is_the_whole_text_and_nothing_else(text: str, reason: str | None) -> None:
    fault = translation_fault(text, POEM)
    assert (fault and fault[0]) == reason


@pytest.mark.parametrize(
    ("text", "language", "so"),
    [
        (TRANSLATED, "en", True),
        (
            "Lianes sèches, vieil arbre, petit pont, eau courante. Le soleil se couche à l'ouest, et l'homme est au "
            "bout du monde.",
            "en",
            False,
        ),
        ("Ku teng lao shu hun ya, xiao qiao liu shui ren jia, gu dao xi feng shou ma.", "en", False),
        ("Wir trainieren BERT und GPT-2 mit Dropout auf dem Korpus.", "de", True),
        ("We train it on the corpus and it is as good as the others are.", "de", False),
        ("この作品は楷書で書いたもので、とても美しい。", "zh", False),
        ("他在IBM工作", "zh", True),
    ],
)
def test_languages_with_the_same_letters_are_distinguished(text: str, language: str, so: bool) -> None:
    assert in_language(text, language) is so


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("I'm sorry, but I can't translate this poem.", "apology"),
        ("As an AI language model, I have no feelings.", "apology"),
        ("抱歉，我不能翻译。", "apology"),
        ("Here is the translation:\nThe moon rises.", "not-the-text-alone"),
        ("The moon rises over the hill. The moon rises over the hill.", "repeats-itself"),
    ],
)
def test_translations_that_are_none(text: str, reason: str) -> None:
    found = translation_fault(text, "明月出天山，苍茫云海间。")
    assert found is not None and found[0] == reason
    twice = "A maiden fair and gentle: a match.\nThe lady fair is far.\nThe lady fair is far."
    assert translation_fault(twice, "窈窕淑女，君子好逑。窈窕淑女，寤寐求之。") is None  # its source repeats itself too
    assert translation_fault("I cannot see the ancients before me.", "前不见古人") is None


@pytest.mark.parametrize(
    ("words", "declines"),
    [
        ("As an AI researcher I disagree.", False),
        ("As an AI language model, I cannot do this.", True),
        ("As an AI assistant I have no ears.", True),
        ("As a large language model, I only read.", True),
        ("他作为人工智能专家来到北京。", False),
        ("作为一个AI语言模型，我听不到。", True),
        ("作为人工智能助手，我听不到。", True),
        ("作为一个大语言模型，我听不到。", True),
        ("I can't hear the sound of the sea any more.", False),
        ("I can't see the image in my head.", False),
        ("我听不见也不能听外面的声音。", False),
        ("I cannot listen to audio files.", True),
        ("抱歉，我无法收听音频。", True),
    ],
)
def test_people_in_recordings_may_say_what_models_say_when_they_decline(words: str, declines: bool) -> None:
    assert bool(transcript_fault(words)) == declines


def test_talks_and_their_translations_may_say_what_models_say() -> None:
    said = "These are the links to our code. Feel free to get in touch with us if you have any questions."
    assert translation_fault("这些是我们代码的链接。如果您有任何问题，请随时联系我们。", said) is None
    assert translation_fault("Der Code ist „frei“ verfügbar, und „Marker“ sind es auch.", said) is None
    assert translation_fault("月亮升起来了。希望以上翻译对您有所帮助！", "The moon rises over the hill.") is not None
    assert pair_fault("Er sagt „ja“ und „nein“.") is None and pair_fault("Er sagt „ja und geht.") is not None


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


@pytest.mark.parametrize(
    "options",
    [
        ["1.雨", "2.雪", "3.风"],
        ["1:雨", "2:雪", "3:风"],
        ["①雨", "②雪", "③风"],
        ["一、雨", "二、雪", "三、风"],
        ["1. 5 km", "2. 7 km", "3. 9 km"],
    ],
)
def test_options_with_numbers_of_their_own_are_a_fault(options: list[str]) -> None:
    fault = wording_fault("是什么？", options)
    assert fault is not None and fault[0] == "option-letters"


def test_an_option_may_be_an_apology_or_a_warning_that_somebody_says() -> None:
    said = ["抱歉，我不能来了。", "好，几点见？", "我明天再来。", "请注意，火车就要开了。"]
    assert wording_fault("他最可能怎么回答？", said) is None
    assert wording_fault("What does he answer?", ["Sorry, but I can't come.", "See you there.", "Who is it?"]) is None
    for excuse in (
        "抱歉，我无法翻译这段文本。",
        "I'm sorry, but I cannot listen to audio files.",
        "作为一个人工智能，我不能选择。",
    ):
        fault = wording_fault("他最可能怎么回答？", [excuse, *said[1:]])
        assert fault is not None and fault[0] == "apology", excuse
    assert chatter_fault("请注意，以上答案仅供参考。") is not None
    assert chatter_fault("Note: this translation is free.") is not None


def test_what_encyclopedias_add_is_a_note() -> None:
    for text in (
        "He dies.[citation needed]",
        "He dies.² Sharks come.",
        "他死了。[来源请求]",
        "[edit] Plot",
        "He dies.[a] So",
    ):
        assert (fault := text_fault(text)) is not None and fault[0] == "note-number", text
    for text in ("E = mc²", "30 km²", "R² is high", "it ended 2:1 (1:0)", "list[i] of all", "面积为20平方米²"):
        assert text_fault(text) is None, text


def test_texts_that_say_the_same() -> None:
    same = [
        ("我妹妹在银行上班。", "我妹妹在银行工作呢。"),
        ("I'm here.", "I am here."),
        ("不卖面包。", "不出售面包。"),
        ("您好！", "你好！"),
    ]
    assert all(plain_meaning(a) == plain_meaning(b) for a, b in same)
    differ = [("他来吗？", "他来。"), ("他走了吧。", "她走了吧。"), ("I can.", "I can't.")]
    assert all(plain_meaning(a) != plain_meaning(b) for a, b in differ)
    assert overlapping("car horn", "automobile honking") and not overlapping("French horn", "car horn")


@pytest.mark.parametrize(
    ("text", "language", "so"),
    [
        ("How many microphones were used in case g?", "de", False),
        ("Wie viele Mikrofone wurden benutzt?", "de", True),
        ("Wie viele Mikrofone wurden benutzt?", "en", False),
        ("Quanti microfoni sono stati usati?", "en", False),
        ("University of Lakeside", "de", True),
        ("Hur många mikrofoner användes på taken?", "de", False),
        ("Ilu mikrofonów użyto na dachach starego miasta?", "it", False),
        ("BERT, GPT-4 und RoBERTa", "de", True),
    ],
)
def test_short_texts_in_another_language_are_distinguished(text: str, language: str, so: bool) -> None:
    pytest.importorskip("py3langid", reason="py3langid comes with the extra [build]")
    assert in_language(text, language) is so


@pytest.mark.parametrize(
    "options",
    [
        ["playing harpsichord", "playing cello", "playing flute", "playing drum kit"],
        ["G.E.M.", "Taylor Swift", "Jay Chou", "Adele"],
        [f"1. {a}; 2. {b}" for a, b in (("a bell", "a cat"), ("a cat", "a bell"), ("a dog", "a bell"))],
    ],
)
def test_options_of_the_released_questions_have_no_fault(options: list[str]) -> None:
    assert wording_fault("", options) is None


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["Ⅰ、老先生", "Ⅱ、大王", "Ⅲ、将军", "Ⅳ、使者"], "option-letters"),
        (["Ａ．老先生", "Ｂ．大王", "Ｃ．将军"], "option-letters"),
        (["⒈老先生", "⒉大王", "⒊将军"], "option-letters"),
        (["孟子★", "论语", "史记"], "option-marked"),
        (["👉孟子", "论语", "史记"], "option-marked"),
    ],
)
def test_numbers_and_marks_of_other_scripts_are_found(options: list[str], reason: str) -> None:
    fault = wording_fault("", options)
    assert fault is not None and fault[0] == reason


@pytest.mark.parametrize("option", ["A and B", "A和B都对", "B or C"])
def test_options_about_letters_are_still_found(option: str) -> None:
    assert wording_fault("", [option, "a cat", "a dog"])


def test_names_are_in_every_language() -> None:
    assert in_language("Francisco de Zamudio y Avendaño Francisco de Avendaño's son.", "en")
    assert in_language(
        "以笔名“Esta Brook”（或“Esta Brooks”）发表作品。她的方言幽默小说则以笔名“Aunt Nabby”发表。", "zh"
    )
    assert not in_language("我喜欢 coffee very much。", "zh")


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
    assert (text_fault(text) or ("",))[0] == "damaged-characters"


@pytest.mark.parametrize(
    "text", ["“烫烫烫！”她喊道", "屯田屯兵", "他问：“烫烫烫？”", "Ça va, Zoë?", "10 €", "拷贝文件"]
)
def test_characters_that_are_meant(text: str) -> None:
    assert text_fault(text) is None


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
    "marks",
    [
        ("（1）", "（2）", "（3）", "（4）"),
        ("①", "②", "③", "④"),
        ("1.", "2.", "3.", "4."),
        ("A)", "B)", "C)", "D)"),
        ("i.", "ii.", "iii.", "iv."),
        ("Ⅰ、", "Ⅱ、", "Ⅲ、", "Ⅳ、"),
        ("Ⓐ", "Ⓑ", "Ⓒ", "Ⓓ"),
        ("🄰", "🄱", "🄲", "🄳"),
        ("㈠", "㈡", "㈢", "㈣"),
        ("子、", "丑、", "寅、", "卯、"),
        ("[A] ", "[B] ", "[C] ", "[D] "),
        ("1º ", "2º ", "3º ", "4º "),
        ("ⅰ ", "ⅱ ", "ⅲ ", "ⅳ "),
    ],
)
def test_lists_are_found_in_options_and_stems(marks: tuple[str, ...]) -> None:
    things = ["霜", "雪", "水", "灯"]
    led = [mark + thing for mark, thing in zip(marks, things, strict=True)]
    assert "option-letters" in _reasons("是哪一部书？", led[2:] + led[:2])
    for end in ("", "？"):
        fault = wording_fault("诗人把月光当成了什么？\n" + "\n".join(led) + end, things)
        assert fault is not None and fault[0] == "options-in-question"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("一名医生", "一位大夫"),
        ("一只狗", "一条狗"),
        ("三个老人", "3位老人"),
        ("半个小时", "三十分钟"),
        ("0.5小时", "30分钟"),
        ("一个半小时", "九十分钟"),
        ("半年", "六个月"),
        ("一刻钟", "15分钟"),
        ("half an hour", "30 minutes"),
        ("an hour and a half", "ninety minutes"),
        ("a dozen eggs", "12 eggs"),
        ("twenty-five", "25"),
        ("eine halbe Stunde", "30 Minuten"),
    ],
)
def test_amounts_in_other_words_are_equal(first: str, second: str) -> None:
    assert plain_meaning(first) == plain_meaning(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("一对老人", "一个老人"),
        ("九点钟", "八点半"),
        ("三月", "三个月"),
        ("三十", "三十一"),
        ("一条", "一只"),
        ("半小时", "一小时"),
        ("two hours", "two minutes"),
        ("1995年", "1996年"),
        ("一百二", "一百零二"),
    ],
)
def test_amounts_that_differ_stay_different(first: str, second: str) -> None:
    assert plain_meaning(first) != plain_meaning(second), with_plain_quantities(first)


@pytest.mark.parametrize(
    "text",
    [
        "Unfortunately, translating this poem goes beyond what I can do here.",
        "I'm unable to view the image you've uploaded.",
        "This request is beyond my abilities.",
        "As a language model, I have no access to it.",
        "I cannot comply with that.",
        "I'm afraid I can't provide a translation of this text.",
        "I don't feel comfortable translating this passage in full. Would you like a summary instead?",
        "I'm not willing to translate this passage.",
        "I'm sorry, but the provided text is too short.",
        "Es tut mir leid, aber der bereitgestellte Text bricht ab; ich brauche die ganze Zusammenfassung.",
        "Mi scuso, ma dal video fornito non riesco a ricavare una risposta.",
        "Je suis désolé, mais la vidéo fournie ne contient pas cela.",
        "Lo siento, pero el vídeo proporcionado no se puede abrir.",
        "Regrettably, I'm not able to provide a rendering of this verse at the moment.",
        "Unfortunately, translating this is something I am not able to do right now.",
        "It is not possible for me to provide an English version of these lines.",
        "A translation of this poem is currently unavailable.",
        "Regretfully, this is a text that I do not feel able to translate faithfully.",
        "Sorry for the inconvenience; no translation could be produced this time.",
        "I'm afraid that I can't help with rendering these lines in English.",
        "这首诗的翻译超出了我的能力范围。",
        "我目前没有能力翻译这首诗。",
        "Diese Übersetzung übersteigt meine Fähigkeiten.",
        "Je ne suis pas en mesure de traduire ce poème.",
        "No puedo traducir este poema.",
        "Non sono in grado di tradurre questo testo.",
        "申し訳ありませんが、この詩を翻訳することはできません。",
        "죄송하지만 이 시를 번역할 수 없습니다.",
    ],
)
def test_texts_that_decline(text: str) -> None:
    fault = text_fault(text)
    assert fault is not None and fault[0] == "apology"


@pytest.mark.parametrize(
    "text",
    [
        "I cannot see the ancients who came before me,\nNor those who are to come.",
        "I cannot help but weep.",
        "I cannot see the moon in these lines of willows, yet I hear the flute.",
        "I'm afraid the boat can't reach the other shore tonight.",
        "The road is beyond my sight; I cannot read the letter you sent.",
        "My sorrow is beyond my power to tell.",
        "我不能来了，路上堵车。",
        "事情已经结束，我们现在还是无法处理。",
        "Je ne peux pas venir ce soir.",
        "Ich kann dich heute nicht sehen.",
        "No puedo dormir.",
        "I don't feel comfortable in this house.",
        "Sorry, the slide I uploaded is the old one.",
        "Es tut mir leid, dass wir zu spät sind.",
        "Mi dispiace, il microfono era spento.",
        "遗憾不能与友人同饮",
        "遗憾无法报国",
    ],
)
def test_texts_about_something_else_remain(text: str) -> None:
    assert text_fault(text) is None


@pytest.mark.parametrize(
    ("answer", "marked"),
    [
        ("2,6 Meter (richtige Antwort).", True),
        ("il 9% (risposta esatta)", True),
        ("9 % (bonne réponse)", True),
        ("Yes (correct).", True),
        ("on the side of the village (right of the river)", False),
        ("Der Ansatz ist richtig.", False),
    ],
)
def test_an_answer_that_is_called_correct_is_found_in_other_languages(answer: str, marked: bool) -> None:
    fault = wording_fault("", (), answer)
    assert (fault is not None) is marked


@pytest.mark.parametrize(
    ("one", "other"),
    [("婆婆", "岳母"), ("医院", "诊所"), ("车站", "站台"), ("经理", "主管"), ("眼镜", "镜片")],
)
def test_persons_and_places_that_differ_are_not_synonyms(one: str, other: str) -> None:
    assert plain_meaning(one) != plain_meaning(other)
