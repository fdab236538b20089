"""Options that say more than their text, stems that list options, texts that decline, and options that are equal in
other words. Sound ones of the same look remain."""

from __future__ import annotations

import pytest

from triptych.construction.people.stage import tidied
from triptych.construction.quantities import with_plain_quantities
from triptych.construction.wording import option_faults, plain_meaning, text_fault, wording_fault

BOOKS = ["孟子", "论语", "史记", "庄子"]
ASKED = "他在做什么？"


def _reasons(question: str, options: list[str]) -> set[str]:
    return {fault[0] for fault in option_faults(question, options)}


@pytest.mark.parametrize(
    "option",
    [
        "B与C两项",
        "A、B两者",
        "A和B",
        "甲、乙两项",
        "①和③",
        "二者皆是",
        "两者都不是",
        "选项2与选项3都对",
        "both B and C",
        "Both A and C",
        "A or C",
        "neither A nor B",
        "sowohl A als auch B",
        "A et C",
        "tutte le precedenti",
        "ninguna de las anteriores",
        "AとBの両方",
        "A와 B 모두",
        "alle oben genannten",
    ],
)
def test_options_about_others_are_refused(option: str) -> None:
    reasons = _reasons(ASKED, ["读书", "采菊", "饮酒", option])
    assert "option-refers-to-others" in reasons
    assert "option-letters" not in reasons


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("谁认识谁？", ["甲和乙", "乙和丙", "甲和丙"]),
        ("Which two notes are heard?", ["A and B", "C and D", "E and F"]),
        ("他带了伞还是雨衣？", ["伞", "雨衣", "两者都有", "两者都没有"]),
        ("哪两个数字？", ["1和3", "2和5", "3和4"]),
        (ASKED, ["读书和写字", "采菊", "饮酒", "他和她都走了"]),
    ],
)
def test_options_with_letters_by_nature_remain(question: str, options: list[str]) -> None:
    assert "option-refers-to-others" not in _reasons(question, options)


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


def test_statements_that_options_refer_to_by_number_remain() -> None:
    question = "下列说法正确的是：\n①作者是李白\n②作者是杜甫\n③写于唐代"
    assert "options-in-question" not in _reasons(question, ["①③", "②③", "①②"])


@pytest.mark.parametrize(
    "option", ["孟子★", "★孟子", "孟子*", "→孟子", "#孟子", "「孟子」", "“孟子”", "●孟子", "孟子，", "孟子（本题正确）"]
)
def test_a_mark_of_one_option_is_found(option: str) -> None:
    assert "option-marked" in _reasons("是哪一部书？", [option, *BOOKS[1:]])


@pytest.mark.parametrize(
    "options",
    [
        ["《孟子》", "《论语》", "《史记》"],
        ["“走”", "“停”", "“看”"],
        ["5％", "7", "9"],
        ["F#", "G", "A"],
        ["$5", "6", "7"],
    ],
)
def test_signs_that_belong_to_options_remain(options: list[str]) -> None:
    assert "option-marked" not in _reasons("是什么？", options)


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


def test_several_correct_options_may_be_a_list() -> None:
    made = tidied({"verdict": "EDIT", "answer": ["A", "C"]}, {"verdict": ["approve", "edit"], "answer": "text"})
    assert made == {"verdict": "edit", "answer": "A\nC"}


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("道歉的人最可能是谁？（　C　）", True),
        ("下列说法正确的是（ B ）。", True),
        ("Which of these is it? (C)", True),
        ("下列说法正确的是（　　）。", False),
        ("维生素（C）有什么作用？", False),
        ("What is vitamin (C) good for?", False),
    ],
)
def test_a_letter_in_the_brackets_of_a_stem_is_found(question: str, named: bool) -> None:
    assert ("answer-in-question" in _reasons(question, BOOKS)) is named


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


def test_keys_of_music_have_no_letters_of_a_list() -> None:
    question = "In which key is the piece?"
    assert not _reasons(question, ["A minor", "B flat major", "C sharp minor", "D major"])
    assert "option-letters" in _reasons(question, ["A slow", "B fast", "C loud", "D soft"])


@pytest.mark.parametrize(
    ("one", "other"),
    [("婆婆", "岳母"), ("医院", "诊所"), ("车站", "站台"), ("经理", "主管"), ("眼镜", "镜片")],
)
def test_persons_and_places_that_differ_are_not_synonyms(one: str, other: str) -> None:
    assert plain_meaning(one) != plain_meaning(other)


def test_who_knows_may_be_answered_by_not_knowing() -> None:
    assert not _reasons("他知道谁来吗？", ["知道", "不知道", "没说", "记错了"])
    assert "option-is-no-answer" in _reasons("他为什么没来？", ["生病了", "堵车了", "忘记了", "不知道"])
