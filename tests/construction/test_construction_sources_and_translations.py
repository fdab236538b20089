"""Translations against their sources, questions asked again, and texts of XModBench, as strangers planted them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from triptych.construction.engine.context import Context, Values
from triptych.construction.engine.media import MediaStore
from triptych.construction.option_forms import own_letters
from triptych.construction.parallel import lines_fault
from triptych.construction.recipes._xmodbench_labels import label_fault, translated_fault
from triptych.construction.stages.annotation import reworded
from triptych.construction.stages.talks import own_abstract
from triptych.construction.stages.triplet_media import movement_of_text
from triptych.construction.synonyms import overlapping
from triptych.construction.talk_repeats import same_answer
from triptych.construction.wording import plain_meaning, text_fault
from triptych.media.stereo import are_unlike

EN = [
    "Every spring, volunteers walk along the shore and write down what they find.",
    "That takes 14 days for a coast of 30 kilometers.",
    "Our drone takes one picture every two seconds.",
    "A network marks bottles, nets and ropes.",
    "The bees of our village sleep in winter.",
    "Thank you for your attention.",
]
OTHERS = {
    "de": [
        "In jedem Frühling gehen Freiwillige am Ufer entlang und schreiben auf, was sie finden.",
        "Das dauert 14 Tage für eine Küste von 30 Kilometern.",
        "Unsere Drohne macht alle zwei Sekunden ein Bild.",
        "Ein Netz markiert Flaschen, Netze und Seile.",
        "Die Bienen unseres Dorfes schlafen im Winter.",
        "Vielen Dank für Ihre Aufmerksamkeit.",
    ],
    "it": [
        "Ogni primavera i volontari camminano lungo la riva e annotano quello che trovano.",
        "Ci vogliono 14 giorni per una costa di 30 chilometri.",
        "Il nostro drone scatta una foto ogni due secondi.",
        "Una rete segna bottiglie, reti e corde.",
        "Le api del nostro villaggio dormono in inverno.",
        "Grazie per l'attenzione.",
    ],
    "zh": [
        "每年春天，志愿者沿着海岸行走，并记下他们发现的东西。",
        "三十公里的海岸需要14天。",
        "我们的无人机每两秒拍一张照片。",
        "一个网络标出瓶子、渔网和绳子。",
        "我们村里的蜜蜂在冬天睡觉。",
        "谢谢大家的聆听。",
    ],
}


def replaced(language: str, number: int, line: str) -> list[str]:
    lines = list(OTHERS[language])
    lines[number] = line
    return lines


@pytest.mark.parametrize("language", OTHERS)
def test_a_sound_translation_passes(language: str) -> None:
    assert lines_fault(OTHERS[language], EN, language) is None


@pytest.mark.parametrize(
    ("language", "number", "line", "reason"),
    [
        ("it", 3, "Il nostro drone scatta una foto ogni 2 secondi!", "same-translation-twice"),
        ("de", 3, "Unsere Drohne macht alle zwei Sekunden ein Foto.", "another-sentence"),
        ("de", 4, "Das dauert vierzehn Tage bei einer Küste von dreißig Kilometern.", "same-translation-twice"),
        ("zh", 4, "一个网络标记出瓶子、渔网和绳子。", "same-translation-twice"),
        ("zh", 3, "一个網絡标出瓶子、渔网和绳子。", "scripts-mixed"),
        ("zh", 4, "我们村里的蜜蜂在冬天睡覺。", "scripts-mixed"),
        ("de", 4, "In jeder Stadt verkauft eine Schule Brot und Milch.", "another-sentence"),
        ("it", 4, "In ogni città una scuola vende pane e latte.", "another-sentence"),
        ("zh", 4, "每个城市都有学校卖面包和牛奶。", "another-sentence"),
        ("de", 4, "Die Bienen unseres Dorfes schlafen 25 Wochen im Winter.", "numbers-differ"),
        ("de", 4, "Neue Fassung (v2): Die Bienen unseres Dorfes schlafen im Winter.", "not-the-text-alone"),
        ("it", 4, "Versione rivista (v2) – Le api del nostro villaggio dormono in inverno.", "not-the-text-alone"),
        ("zh", 4, "修订版：我们村里的蜜蜂在冬天睡觉。", "not-the-text-alone"),
    ],
)
def test_a_line_that_does_not_belong_there_is_found(language: str, number: int, line: str, reason: str) -> None:
    fault = lines_fault(replaced(language, number, line), EN, language)
    assert fault is not None and fault[0] == reason, fault


@pytest.mark.parametrize("language", OTHERS)
def test_lines_that_changed_places_are_found(language: str) -> None:
    lines = list(OTHERS[language])
    lines[0], lines[2], lines[4] = lines[2], lines[4], lines[0]
    fault = lines_fault(lines, EN, language)
    assert fault is not None and fault[0] in ("lines-shifted", "another-sentence", "fact-changed"), fault


@pytest.mark.parametrize(
    ("source", "line", "language", "reason"),
    [
        ("The train leaves at quarter past seven.", "Der Zug fährt um Viertel vor acht ab.", "de", "fact-changed"),
        ("The train leaves at quarter past seven.", "Der Zug fährt um 7:15 Uhr ab.", "de", None),
        ("The train leaves at half past seven.", "Der Zug fährt um halb acht ab.", "de", None),
        ("The train leaves at half past seven.", "Il treno parte alle sei e mezza.", "it", "fact-changed"),
        ("The train leaves at quarter past seven.", "火车七点三刻出发。", "zh", "fact-changed"),
        ("The train leaves at quarter past seven.", "火车七点一刻出发。", "zh", None),
        ("Historians in Lisbon read them.", "Alcuni storici a Madrid li hanno letti.", "it", "name-changed"),
        ("Historians in Lisbon read them.", "里斯本的历史学家读过它们。", "zh", None),
        ("The trams in Gothenburg are late.", "Die Straßenbahnen in Göteborg sind zu spät.", "de", None),
        ("We read two hundred and fifty thousand pages.", "我们读了2.5万页。", "zh", "numbers-differ"),
        ("We read two hundred and fifty thousand pages.", "我们读了25万页。", "zh", None),
        ("We read 500,000 pages.", "Wir lasen eine halbe Million Seiten.", "de", None),
        ("Students often ask.", "Nicht selten fragen Studierende.", "de", None),
        (
            "Snow plays a greater role than most people think.",
            "Schnee spielt eine größere Rolle, als viele denken. Als viele denken, spielt Schnee eine größere Rolle.",
            "de",
            "same-translation-twice",
        ),
    ],
)
def test_times_places_and_zeros_are_compared(source: str, line: str, language: str, reason: str | None) -> None:
    fault = lines_fault([line], [source], language)
    assert (fault[0] if fault else None) == reason, fault


def asking(question: str, answer: str, kind: str = "A", begin: float | None = 5.0, **more: list[str]) -> dict[str, Any]:
    end = None if begin is None else begin + 4
    return {"type": kind, "begin": begin, "end": end, "texts": {"en": [question, answer], **more}}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (("How long do they need?", "14 days."), ("How much time do they need?", "14 days."), True),
        (
            ("How long do the helpers need?", "14 days."),
            ("How much time do the helpers need?", "They need fourteen days."),
            True,
        ),
        (("Who built the cameras?", "Lena Okafor."), ("By whom were the cameras built?", "Lena Okafor."), True),
        (("How many bottles are found?", "87 percent."), ("How many ropes are found?", "87 percent."), False),
        (("Who wrote the paper?", "Ann Lee."), ("Who presents the paper?", "Ann Lee."), False),
        (("Does it find bottles?", "Yes."), ("Does it find small bottles?", "Yes."), False),
        (
            ("Which GPS receiver does the drone carry?", "", "NA", None),
            ("What GPS receiver is carried by the drone?", "", "NA", None),
            True,
        ),
        (
            ("Who built the camera of the museum?", "", "NA", None),
            ("When was the camera of the museum built?", "", "NA", None),
            False,
        ),
    ],
)
def test_a_question_asked_again_is_found(one: tuple[Any, ...], other: tuple[Any, ...], same: bool) -> None:
    if "helpers" not in one[0] and same and one[0].startswith("How long"):
        one, other = (tuple(str(x).replace("they", "the helpers") for x in each) for each in (one, other))
    assert reworded(asking(*other), asking(*one)) is same


def test_answers_in_other_words() -> None:
    assert same_answer("Zwei Studierende.", "2", "de") and not same_answer("Ja.", "Ja.", "de")


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


def test_letters_at_the_ends_of_options() -> None:
    assert own_letters(["It rains – (B)", "It snows – (A)", "It hails – (C)"])
    assert own_letters(["下雨【乙】", "下雪【甲】"]) and not own_letters(["vitamin A", "vitamin B"])


def test_ids_are_no_labels() -> None:
    assert all(label_fault(text) for text in ("dog.n.01", "n02084071", "label_12", "class: dog"))
    assert not any(label_fault(text) for text in ("a dog", "Q&A", "n-gram", "U2"))


def test_translations_of_xmodbench_are_compared_with_their_sentences() -> None:
    source = "The train to the old bridge was late again today."
    for text, reason in (
        ("猫在厨房里喝牛奶。", "another-sentence"),
        ("去旧桥的 train 今天又 late 了。", "left-in-english"),
        ("去舊橋的火车今天又晚点了。", "scripts-mixed"),
        ("很遗憾，这句话超出了我的翻译范围。", "apology"),
    ):
        assert (fault := translated_fault(text, source, "zh")) is not None and fault[0] == reason, fault
    assert translated_fault("去旧桥的火车今天又晚点了。", source, "zh") is None
    assert (translated_fault("桥有二十公里长。", "The bridge is twenty miles long.", "zh") or ("",))[
        0
    ] == "fact-changed"


def test_a_text_that_says_where_something_goes() -> None:
    assert movement_of_text("A tram drives off towards the left-hand side.") == "right to left"
    assert movement_of_text("A van disappears on the left.") == "right to left"
    assert movement_of_text("A bus moving from the left to the right.") == "left to right"
    assert movement_of_text("A door on the left") == movement_of_text("From left to right: bell, knocks") == ""


def test_an_abstract_that_is_a_biography_is_not_the_talks(tmp_path: Path) -> None:
    talk = (
        " ".join(EN) + " We compare the network with what helpers count, and both agree in most cases on sandy ground."
    )
    talk += " " + " ".join(f"Wet sand number {word} shines under strong morning light." for word in ("alpha", "beta"))
    talk += (
        " The cameras record gulls, plovers, seals, kelp, driftwood, lanterns, buoys, trawlers, dunes and footprints,"
    )
    talk += (
        " because rangers, teachers, fishermen, tourists and pupils asked which objects return after every storm tide,"
    )
    talk += (
        " where currents carry them, how quickly weather breaks them apart, and whether cleaning helps seabirds nest."
    )
    life = "Ingrid Solberg received her doctorate from Bergen, where she is a professor of informatics. Before that she"
    life += (
        " held positions in Kiel and Leeds, chaired two conferences, and won an award for mentoring. She enjoys skiing,"
    )
    life += " chess, baking, opera and restoring wooden furniture together with her grandchildren."
    own = (
        "Volunteers who walk along the shore count bottles, nets and ropes on sandy ground. Our drone records pictures"
    )
    own += " every two seconds, and a network marks objects, which agrees with what helpers count in most cases."
    for abstract, decision in ((life, "dropped"), (own, "kept")):
        fields = {"talk": "t", "transcript": talk, "summaries": {"en": abstract}, "title": "Drones"}
        context = Context(own_abstract.parameters, MediaStore(tmp_path), 0, tmp_path)
        (outcome,) = own_abstract.run([Values(own_abstract, "t", fields)], context)
        assert outcome.decision == decision, outcome.note


def test_an_interpreter_in_the_other_channel() -> None:
    draw, rate = np.random.default_rng(4), 16_000
    spoken = [draw.normal(0, 0.1, 20 * rate) * np.repeat(draw.random(100) > 0.4, rate // 5) for _ in range(2)]
    assert are_unlike(np.stack(spoken, axis=1), rate)
    late = np.roll(spoken[0], 40) * 0.5 + draw.normal(0, 0.001, 20 * rate)
    assert not are_unlike(np.stack([spoken[0], late], axis=1), rate)
    assert not are_unlike(np.stack([spoken[0], draw.normal(0, 0.05, 20 * rate)], axis=1), rate)
