"""Transcripts of talks and their translations as people, recognisers and translators return them, with their faults."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools.mini import mcif_set

from triptych.construction.numerals import numbers_in
from triptych.construction.parallel import copied, lines_fault, shifted, traditional
from triptych.construction.spoken import rate_fault, spoken_fault
from triptych.construction.stages.annotation import reworded, worded_fault
from triptych.construction.talk_words import other_talks
from triptych.construction.wording import in_language, wording_fault

RAW = mcif_set.FOLDER
OTHERS = ("de", "it", "zh")


def lines(talk: str, language: str) -> list[str]:
    return (RAW / f"{talk}.{language}").read_text(encoding="utf-8").splitlines()


SHIFTED = {"lines-shifted", "same-translation-twice", "numbers-differ", "translation-too-short", "name-lost"}
OTHER_NUMBER = {
    "de": ["Es liegt um neunzig Prozent daneben, und er um fünfzehn."],
    "it": ["Sbaglia del novanta per cento, e lui del quindici."],
    "zh": ["它的误差为百分之九十，而他的误差为百分之十五。"],
}
ALL = [(talk, language) for talk in ("t1", "t2", "t3") for language in OTHERS]


@pytest.mark.parametrize(("talk", "language"), ALL)
def test_the_mini_sets_own_translations_have_no_fault(talk: str, language: str) -> None:
    assert lines_fault(lines(talk, language), lines(talk, "en"), language) is None
    assert spoken_fault("\n".join(lines(talk, "en"))) is None


@pytest.mark.parametrize(("talk", "language"), ALL)
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("another language", {"wrong-language", "left-in-english"}),
        ("not translated", {"left-in-english"}),
        ("one line not translated", {"left-in-english"}),
        ("half a line not translated", {"left-in-english", "wrong-language"}),
        ("an apology in one line", {"apology"}),
        ("two lines with one translation", {"same-translation-twice", "numbers-differ"}),
        ("first line left out, last one twice", SHIFTED),
        ("shifted from the middle on", SHIFTED),
        ("two lines exchanged", SHIFTED),
        ("of another talk", SHIFTED),
        ("a time stamp", {"time-stamps"}),
        ("a speaker", {"speaker-labels"}),
        ("a sound", {"sound-described"}),
        ("markup", {"markup"}),
        ("numbers before the lines", {"not-the-text-alone", "numbers-differ"}),
        ("a translator's note", {"not-the-text-alone"}),
        ("one line in a third language", {"wrong-language", "numbers-differ"}),
        ("two lines in one, and a word", {"translation-too-short", "numbers-differ"}),
        ("one number of two", {"numbers-differ"}),
        ("a number lost", {"numbers-differ"}),
    ],
)
def test_faults_of_translations_are_found(talk: str, language: str, name: str, reason: set[str]) -> None:
    right, source = lines(talk, language), lines(talk, "en")
    other = {"de": "it", "it": "de", "zh": "de"}[language]
    apology = {
        "de": "Es tut mir leid, ich kann diesen Satz nicht übersetzen.",
        "it": "Mi dispiace, non posso tradurre questa frase.",
        "zh": "抱歉，我无法翻译这句话。",
    }[language]
    words = source[6].split()
    made = {
        "another language": lines(talk, other),
        "not translated": source,
        "one line not translated": [*right[:6], source[6], *right[7:]],
        "half a line not translated": [
            *right[:6],
            right[6][: len(right[6]) // 3] + " " + " ".join(words[-9:]),
            *right[7:],
        ],
        "an apology in one line": [*right[:4], apology, *right[5:]],
        "two lines with one translation": [*right[:5], right[6], *right[6:]],
        "first line left out, last one twice": [*right[1:], right[-1]],
        "shifted from the middle on": [*right[:3], *right[4:], right[1]],
        "two lines exchanged": [*right[:2], right[3], right[2], *right[4:]],
        "of another talk": lines({"t1": "t2", "t2": "t3", "t3": "t1"}[talk], language),
        "a time stamp": [f"[00:00:{4 * n:02}] {line}" for n, line in enumerate(right)],
        "a speaker": ["Speaker 1: " + line for line in right],
        "a sound": [*right[:-1], right[-1] + {"de": " (Applaus)", "it": " (applausi)", "zh": "（掌声）"}[language]],
        "numbers before the lines": [f"{n}. {line}" for n, line in enumerate(right, 1)],
        "a translator's note": [
            *right[:4],
            right[4] + {"de": " (Anm. d. Übers.: frei)", "it": " (N.d.T.: libera)", "zh": "（译者注：意译）"}[language],
            *right[5:],
        ],
        "one line in a third language": [*right[:6], lines(talk, other)[6], *right[7:]],
        "two lines in one, and a word": [
            *right[:5],
            right[5] + " " + right[6],
            {"zh": "好。"}.get(language, "Ok."),
            *right[7:],
        ],
        "a number lost": [],
        "one number of two": [*right[:4], *OTHER_NUMBER[language], *right[5:]],
        "markup": [*right[:2], f"<i>{right[2]}</i>", *right[3:]],
    }[name]
    if name == "a number lost":
        source, made = (
            ["It is off by fifteen percent."],
            [{"de": "Es liegt weit daneben.", "it": "È molto lontano.", "zh": "误差很大很大。"}[language]],
        )
    if name == "one number of two":
        source = [*source[:4], "It is off by nine percent, and he is off by fifteen.", *source[5:]]
    fault = lines_fault(made, source, language)
    if name == "not translated":
        assert fault is None or fault[0] in reason  # said as `left-in-english` where translations are taken
    else:
        assert fault is not None and fault[0] in reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Hello everyone.\nWe mask 15% of the tokens with [MASK], as BERT does.", None),
        ("The ratio is 3:1.\nAt 10:30 we stopped.", None),
        ("Our model: it has two parts.\nThe data: it comes from news.", None),
        ("Please see [Smith et al.] for the <mask> token.", None),
        ("[00:01:05] Hello everyone.", "time-stamps"),
        ("1\n00:00:01,000 --> 00:00:04,000\nHello everyone.", "time-stamps"),
        ("WEBVTT\n\nHello everyone.", "time-stamps"),
        ("0:01 Hello.\n0:04 We count birds.\n0:09 They call.\n0:12 Thanks.", "time-stamps"),
        ("Speaker 1: Hello.\nSpeaker 2: Hi.", "speaker-labels"),
        ("SPEAKER_00: Hello everyone.", "speaker-labels"),
        ("Anna Keller: Hello.\nAnna Keller: We count.\nHost: Thanks.", "speaker-labels"),
        ("Thank you. [Applause]", "sound-described"),
        ("This is [inaudible] method.", "sound-described"),
        ("♪ Hello ♪", "sound-described"),
        ("[BLANK_AUDIO]", "sound-described"),
        ("We <i>count</i> them.", "markup"),
        ("- We count birds.\n- They call.\n- Thanks.", "markup"),
        ("We count them.[1]", "note-number"),
        ("We co\ufffdnt them.", "damaged-characters"),
        ("We count\u200b them.", "invisible-characters"),
    ],
)
def test_a_transcript_has_the_words_that_were_spoken_alone(text: str, reason: str | None) -> None:
    fault = spoken_fault(text)
    assert (fault and fault[0]) == reason


def test_the_words_of_a_talk_fit_its_length() -> None:
    words = " ".join(lines("t1", "en"))  # 35 s
    assert (
        rate_fault(words, 35.0) is None and rate_fault(words, 12.0) is not None and rate_fault(words, 180.0) is not None
    )


@pytest.mark.parametrize(
    ("language", "text", "numbers"),
    [
        ("en", "twenty-two of two hundred and three questions, 1,000 times", {22, 203, 1000}),
        ("de", "zweiundzwanzig von zweihundertdrei Fragen, 1.000 Mal", {22, 203, 1000}),
        ("it", "ventidue di duecentotre domande, 1.000 volte", {22, 203, 1000}),
        ("zh", "二百零三个问题中的二十二个，1000次", {22, 203, 1000}),
        ("en", "three hundred thousand plants, sixty-two percent", {300_000, 62}),
        ("de", "dreihunderttausend Pflanzen, zweiundsechzig Prozent", {300_000, 62}),
        ("it", "trecentomila piante, sessantadue per cento", {300_000, 62}),
        ("zh", "三十万株植物，百分之六十二", {300_000, 62}),
        ("en", "one of them", set()),
        ("it", "sei tu", set()),
    ],
)
def test_numbers_in_words_have_one_value_in_all_languages(language: str, text: str, numbers: set[int]) -> None:
    assert numbers_in(text, language) == numbers


def test_titles_and_examples_stay_as_they_are() -> None:
    source = 'Our paper is called "Do the taggers of 2003 still work well in 2023 for all of us?".'
    assert not copied('Unser Paper heißt "Do the taggers of 2003 still work well in 2023 for all of us?".', source)
    assert not copied("Wir nutzen Attention Is All You Need.", "We use Attention Is All You Need.")
    assert copied("The taggers still work well for us.", "The taggers still work well for us.")


def test_an_abstract_of_another_talk_is_found() -> None:
    rows = {talk: "\n".join(lines(talk, "en")) for talk in ("t1", "t2", "t3")}
    own = {row["id"]: row["abstract"] for row in mcif_rows()}
    assert other_talks(own, rows) == {}
    assert other_talks({**own, "t1": own["t3"]}, rows) == {"t1": "t3"}
    assert other_talks(own, {**rows, "t1": rows["t2"]}) == {"t1": "t3"} or other_talks(
        own, {**rows, "t4": rows["t1"], "t1": rows["t2"]}
    ) == {"t1": "t4"}
    assert other_talks({"t1": own["t1"]}, {"t1": rows["t1"]}) == {}


def mcif_rows() -> list[dict[str, str]]:
    import csv

    with Path(RAW / "talks.tsv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@pytest.mark.parametrize(
    ("pair", "language", "reason"),
    [
        (["How many microphones were used?", "Twelve."], "en", None),
        (["Wie viele Mikrofone wurden benutzt?", "Zwölf."], "de", None),
        (["作者来自哪个单位？", "来自 University of Lakeside。"], "zh", None),
        (["Which is better, BERT or GPT-4?", "GPT-4."], "en", None),
        (["What is the title?", "Attention Is All You Need."], "zh", "wrong-language"),
        (["论文的题目是什么？", "Attention Is All You Need."], "zh", None),
        (["How many microphones were used in the street?", "Zwölf."], "de", "wrong-language"),
        (["Wie viele Mikrofone sind auf den Dächern der Stadt?", "Dodici."], "it", "wrong-language"),
        (["用了多少个麦克风？", "Zwölf Mikrofone auf den Dächern der Stadt."], "zh", "wrong-language"),
        (["Were twelve microphones used, or how many of the twelve?", "Twelve."], "en", "answer-in-question"),
        (["Did the twelve microphones work well?", "The twelve microphones."], "en", "answer-in-question"),
        (["Question: How many were there?", "Twelve."], "en", "not-the-text-alone"),
        (["How many were there?", "Answer: Twelve."], "en", "not-the-text-alone"),
        (["问题：用了多少个麦克风？", "十二个。"], "zh", "not-the-text-alone"),
        (["How many microphones were", "Twelve."], "en", "question-cut-off"),
        (["Twelve microphones were used.", "How many were used?"], "en", "question-cut-off"),
        (["Nennen Sie die Zahl der Mikrofone.", "Zwölf."], "de", None),
        (["?", "Twelve."], "en", "no-words"),
        (["How many were there?", "N/A"], "en", "no-answer"),
        (["How many were there?", "Twelve (see 0:27)."], "en", "not-the-text-alone"),
        (["When does it begin?", "At 10:30."], "en", None),
        (["How many were there?", "- Twelve - or ten"], "en", "not-the-text-alone"),
    ],
)
def test_a_question_about_a_talk_is_in_its_language_and_asks(
    pair: list[str], language: str, reason: str | None
) -> None:
    fault = worded_fault(pair, language)
    assert (fault and fault[0]) == reason


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


def test_traditional_characters_are_none_of_simplified_chinese() -> None:
    pytest.importorskip("opencc", reason="opencc comes with the extra [build]")
    assert traditional("大家好，我要講的是用叫聲來統計雨燕的數量。")
    assert not traditional("大家好，我要讲的是统计雨燕的数量。")


def test_equal_lines_are_not_shifted() -> None:
    assert shifted(["Ja."] * 6, ["Yes."] * 6, "de") is None


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


def test_a_question_that_is_asked_again_in_other_words_is_found() -> None:
    def asking(question: str, answer: str = "Nine percent.", begin: float = 21.5) -> dict[str, object]:
        return {"texts": {"en": [question, answer]}, "begin": begin, "end": begin + 4}

    first = asking("How large is the average error of the network's count?")
    assert reworded(asking("By how much is the count of the network off on average?"), first)
    assert not reworded(asking("By how much is the count of the network off on average?", begin=40.0), first)
    assert not reworded(asking("What share of the birds was missed?"), first)
    assert not reworded(asking("Is it free?", "No."), asking("Is it free to use?", "No."))
