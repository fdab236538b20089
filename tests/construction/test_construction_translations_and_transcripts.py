"""Transcripts of talks and their translations as people, recognisers and translators return them, with their faults."""

from __future__ import annotations

import pytest
from tools.mini import mcif_set

from triptych.construction.stages.annotation import reworded, worded_fault
from triptych.construction.text_checks.talks.spoken import spoken_fault
from triptych.construction.text_checks.translation.parallel import copied, lines_fault, shifted, traditional

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


def test_titles_and_examples_stay_as_they_are() -> None:
    source = 'Our paper is called "Do the taggers of 2003 still work well in 2023 for all of us?".'
    assert not copied('Unser Paper heißt "Do the taggers of 2003 still work well in 2023 for all of us?".', source)
    assert not copied("Wir nutzen Attention Is All You Need.", "We use Attention Is All You Need.")
    assert copied("The taggers still work well for us.", "The taggers still work well for us.")


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


def test_traditional_characters_are_none_of_simplified_chinese() -> None:
    pytest.importorskip("opencc", reason="opencc comes with the extra [build]")
    assert traditional("大家好，我要講的是用叫聲來統計雨燕的數量。")
    assert not traditional("大家好，我要讲的是统计雨燕的数量。")


def test_equal_lines_are_not_shifted() -> None:
    assert shifted(["Ja."] * 6, ["Yes."] * 6, "de") is None


def test_a_question_that_is_asked_again_in_other_words_is_found() -> None:
    def asking(question: str, answer: str = "Nine percent.", begin: float = 21.5) -> dict[str, object]:
        return {"texts": {"en": [question, answer]}, "begin": begin, "end": begin + 4}

    first = asking("How large is the average error of the network's count?")
    assert reworded(asking("By how much is the count of the network off on average?"), first)
    assert not reworded(asking("By how much is the count of the network off on average?", begin=40.0), first)
    assert not reworded(asking("What share of the birds was missed?"), first)
    assert not reworded(asking("Is it free?", "No."), asking("Is it free to use?", "No."))
