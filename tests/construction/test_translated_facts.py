"""Faults of one line of a translation that people and programs make, after MQM's categories, and lines that are sound.

Each case is an English line with its translation; the sound ones are ways in which people do translate.
"""

from __future__ import annotations

import pytest

from triptych.construction.parallel import lines_fault, parallel_fault
from triptych.construction.spoken import written_fault
from triptych.construction.talk_abstracts import abstract_fault
from triptych.construction.talk_answers import talk_answer_fault
from triptych.construction.talk_evidence import TalkQuestion, evidence_faults
from triptych.construction.translator_marks import full_width, mark_fault

SENSOR = "Each sensor wakes up at three in the morning, when the streets are quiet."
SHORT = "It records for ten seconds and sends only a short summary, not the sound."
HISS = "A leak makes a soft hiss that travels along the pipe."
AWAY = "The average distance to the true place was 2.6 meters."
NAME = "Hello, I am Priya Raman, and this is our work on water pipes."
THANKS = "The code is online. Thank you, and I am happy to take questions."


@pytest.mark.parametrize(
    ("language", "reason", "source", "line"),
    [
        ("de", "numbers-differ", AWAY, "Der mittlere Abstand zur wahren Stelle betrug 26 Meter."),
        ("it", "numbers-differ", AWAY, "La distanza media dal punto vero era di 0,26 metri."),
        ("zh", "numbers-differ", AWAY, "与真实位置的平均距离为26米。"),
        ("de", "numbers-differ", SENSOR, "Jeder Sensor wacht um vier Uhr morgens auf, wenn es ruhig ist."),
        ("de", "numbers-differ", "It processes 3 billion recordings.", "Es verarbeitet 3 Billionen Aufnahmen."),
        ("zh", "numbers-differ", "It processes 3 million recordings.", "它处理3万个录音。"),
        ("it", "fact-changed", AWAY, "La distanza media dal punto vero era di 2,6 chilometri."),
        ("de", "fact-changed", "It records for ten seconds.", "Er nimmt zehn Minuten lang auf."),
        ("zh", "fact-changed", "Each sensor costs 30 euros.", "每个传感器三十美元。"),
        ("de", "fact-changed", "It found 85 percent of the leaks.", "Es fand 85 der bekannten Lecks."),
        ("it", "fact-changed", "The error decreases.", "L'errore aumenta."),
        ("zh", "fact-changed", "We listened in March.", "我们在五月录音。"),
        ("de", "fact-changed", "No, it does not.", "Ja, das tut er nicht."),
        ("zh", "fact-changed", "Where is the leak?", "漏点在这里。"),
        ("de", "negation-changed", SHORT, "Er nimmt zehn Sekunden auf und sendet nur eine kurze Fassung und den Ton."),
        ("it", "negation-changed", "The water never reaches a tap.", "L'acqua arriva a un rubinetto."),
        ("zh", "negation-changed", SHORT, "它录音十秒，只发送一个简短的摘要和声音本身。"),
        ("de", "name-lost", NAME, "Hallo, ich bin Maria Raman, und dies ist unsere Arbeit über Wasserleitungen."),
        ("it", "name-lost", NAME, "Ciao, sono Priya Sharma, e questo è il nostro lavoro sulle condutture."),
        ("zh", "name-lost", NAME, "大家好，今天介绍我们关于水管的工作。"),
        ("zh", "name-changed", NAME, "大家好，我是玛丽亚·罗西（Maria Rossi），介绍我们关于水管的工作。"),
        ("de", "name-changed", "A small BERT compares two sensors.", "Ein kleines GPT vergleicht zwei Sensoren."),
        ("de", "name-changed", "In a test in Toronto it failed.", "In einem Test in Hamburg versagte es."),
        ("de", "not-the-text-alone", HISS, "Ein Leck erzeugt ein leises Zischen/Pfeifen, das sich ausbreitet."),
        ("it", "not-the-text-alone", HISS, "Una falla produce un sibilo (oppure fischio) che viaggia lungo il tubo."),
        ("de", "not-the-text-alone", HISS, "Ein Leck erzeugt ein leises Zischen [?], das sich ausbreitet."),
        ("zh", "not-the-text-alone", HISS, "漏点会发出轻微的嘶嘶声（待确认），并沿着管道传播。"),
        ("de", "not-the-text-alone", HISS, "Ein Leck erzeugt ein leises Zischen (hiss), das sich ausbreitet."),
        (
            "de",
            "not-the-text-alone",
            NAME,
            "Hier ist die Übersetzung: Hallo, ich bin Priya Raman, dies ist unsere Arbeit.",
        ),
        ("zh", "not-the-text-alone", THANKS, "代码在网上。谢谢大家，欢迎提问。如果需要修改，请告诉我。"),
        (
            "it",
            "not-the-text-alone",
            THANKS,
            "Il codice è in rete. Grazie, rispondo alle domande. Tradotto con DeepL.com",
        ),
        ("de", "mark-open", HISS, "Ein Leck erzeugt ein leises „Zischen, das sich ausbreitet."),
        ("it", "mark-open", HISS, "Una falla produce un sibilo (leggero che viaggia lungo il tubo."),
        (
            "de",
            "repeats-itself",
            HISS,
            "Ein Leck erzeugt ein leises Zischen Zischen, das sich in der Leitung ausbreitet.",
        ),
        ("de", "wrong-language", HISS, "Ein Leck erzeugt the leise Zischen, das sich ausbreitet."),
        ("it", "wrong-language", HISS, "Una falla produce ein leggero sibilo und viaggia nicht lungo il tubo."),
        ("zh", "wrong-language", HISS, "漏点会发出轻微の嘶嘶声，并沿着管道传播。"),
        ("zh", "left-in-english", "We clamp cheap sensors to the hydrants.", "我们把cheap sensors夹在消防栓上。"),
        (
            "de",
            "damaged-characters",
            SENSOR,
            "Jeder Sensor wacht um drei Uhr morgens auf, wenn die Stra?en ruhig sind.",
        ),
        ("de", "in-capitals", HISS, "EIN LECK ERZEUGT EIN LEISES ZISCHEN, DAS SICH IN DER LEITUNG AUSBREITET."),
        (
            "de",
            "translation-too-long",
            SENSOR,
            "Jeder Sensor wacht um drei Uhr morgens auf, wenn es ruhig ist. "
            "Wir arbeiten daran mit einer Universität in Schweden und haben viele "
            "andere Pläne, die wir bald vorstellen.",
        ),
    ],
)
def test_a_fault_of_one_line_is_found(language: str, reason: str, source: str, line: str) -> None:
    fault = lines_fault([line], [source], language)
    assert fault is not None and fault[0] == reason, fault


@pytest.mark.parametrize(
    ("language", "source", "line"),
    [
        ("de", AWAY, "Der mittlere Abstand zur wahren Stelle betrug 2,6 Meter."),
        ("de", AWAY, "Der mittlere Abstand zur wahren Stelle betrug 2.6 m."),
        ("zh", "It processes 3 million recordings.", "它处理300万个录音。"),
        ("de", "At 3 p.m. we stop.", "Um 15 Uhr hören wir auf."),
        ("it", "Half of them are new.", "La metà di loro è nuova."),
        ("zh", "The answer is not the same.", "答案各不相同。"),
        ("de", "Last but not least, we thank you.", "Zu guter Letzt danken wir Ihnen."),
        ("it", "We look forward to your questions.", "Non vediamo l'ora di ricevere le vostre domande."),
        ("de", "Right?", "Nicht wahr?"),
        ("de", "The AI of the UN works in Germany.", "Die KI der Vereinten Nationen arbeitet in Deutschland."),
        ("zh", NAME, "大家好，我是普里娅·拉曼，这是我们关于水管的工作。"),
        ("de", "We host it on Lab in the Wild.", "Wir betreiben es auf Lab in the Wild."),
        ("it", "So he or she decides.", "Quindi decide lui/lei."),
        ("de", "It is very, very slow.", "Es ist sehr, sehr langsam."),
        ("de", "The house that solves that is here.", "Das Haus, das das löst, ist hier."),
        ("it", "Our model is a baseline for the benchmark.", "Il nostro modello è una baseline per il benchmark."),
        ("zh", "The bus leaves at ten to five.", "公交车四点五十分发车。"),
        ("de", "The bus leaves at ten to five.", "Der Bus fährt um 16:50 Uhr."),
        ("de", "See you tomorrow night in Nice.", "Bis morgen Abend in Nizza."),
        ("it", "See you tomorrow night in Nice.", "Ci vediamo domani sera a Nizza."),
        ("zh", "See you tomorrow evening.", "明晚见。"),
        ("de", "The shop closed on Friday night.", "Das Geschäft schloss am Freitagabend."),
        ("it", "The shop closed on Friday evening.", "Il negozio ha chiuso venerdì sera."),
        ("it", "He taught for years in Aachen.", "Ha insegnato per anni ad Aquisgrana."),
        ("de", "He taught for years in Bruges.", "Er unterrichtete jahrelang in Brügge."),
    ],
)
def test_what_people_write_is_no_fault(language: str, source: str, line: str) -> None:
    assert lines_fault([line], [source], language) is None


@pytest.mark.parametrize(
    ("language", "source", "line"),
    [
        ("zh", "The bus leaves at ten to five.", "公交车三点五十分发车。"),
        ("zh", "We need ten to fifteen volunteers.", "我们需要二十名志愿者。"),
        ("de", "See you tomorrow morning.", "Bis morgen Abend."),
        ("it", "He taught for years in Aachen.", "Ha insegnato per anni a Treviri."),
    ],
)
def test_another_time_number_or_city_is_a_fault(language: str, source: str, line: str) -> None:
    assert lines_fault([line], [source], language) is not None


def test_scripts_without_capitals_are_not_in_capitals() -> None:
    lines = ["我们的博物馆保存着三十万件干燥的植物，每件都有一张纸标签。", "متحفنا يحفظ ثلاثمئة ألف نبتة مجففة."]
    for line in lines:
        fault = mark_fault(line, "Our museum keeps three hundred thousand dried plants.", "")
        assert fault is None, fault


def test_half_width_punctuation_becomes_full_width() -> None:
    assert full_width("声音很轻,但是(几乎)听得到.") == "声音很轻，但是（几乎）听得到。"
    assert full_width("误差为2.6米，版本3.11。见 arXiv:1706.") == "误差为2.6米，版本3.11。见 arXiv:1706."


TALK = [
    "Hello, I am Lena Okafor, and I count moths.",
    "Our software runs on a small computer.",
    "Thank you for listening.",
]
GERMAN = [
    "Hallo, ich bin Lena Okafor, und ich zähle Falter.",
    "Unsere Software läuft für uns auf einem kleinen Rechner.",
    "Vielen Dank fürs Zuhören.",
]
CHINESE = ["大家好，我是莱娜，我数飞蛾。", "我们的软件在一台小型计算机上运行。", "谢谢大家。"]


@pytest.mark.parametrize(
    ("language", "reason", "lines"),
    [
        ("de", "letters-lost", [line.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue") for line in GERMAN]),
        ("de", "words-apart", [line.replace(",", " ,").replace(".", " .") for line in GERMAN]),
        ("zh", "words-apart", [" ".join(line) for line in CHINESE]),
        ("de", "in-lower-case", [line.lower().replace(",", "").replace(".", "") for line in GERMAN]),
        ("de", "translation-cut-off", [line.replace(".", "") for line in GERMAN]),
        ("zh", "damaged-characters", [*CHINESE[:1], "我们的⁇在一台小型计算机上运行。", *CHINESE[2:]]),
    ],
)
def test_a_fault_of_a_whole_translation_is_found(language: str, reason: str, lines: list[str]) -> None:
    whole = {"letters-lost": 8}.get(reason, 1)  # a short text may have no umlaut
    fault = lines_fault(lines * whole, [f"{line[:-1]} {n}." for n in range(whole) for line in TALK], language)
    assert lines_fault(GERMAN, TALK, "de") is None and lines_fault(CHINESE, TALK, "zh") is None
    assert fault is not None and fault[0] in (reason, "characters-spaced", "numbers-differ"), fault


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("WE COUNT MOTHS UNDER LAMPS AND WE COUNT THEM EVERY NIGHT", "in-capitals"),
        ("we count moths under lamps and " * 8, "no-punctuation"),
        ("We repla- we replaced the bulbs.", "false-starts"),
        ("We replaced the the bulbs.", "repeats-itself"),
        ("Thank you.\nSubtitles by the Amara.org community", "not-heard"),
        ("Thank you for listening.", None),
        ("Short- and long-term plans that that person had had.", None),
    ],
)
def test_how_a_transcript_is_written(text: str, reason: str | None) -> None:
    fault = written_fault(text)
    assert (fault and fault[0]) == reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Following \\citet{lee2024},~in a village we replaced the bulbs of lamps.", "markup"),
        ("We replaced the bulbs of $N{=}36$ lamps in a village of the north.", "markup"),
        ("We train <fixed-case>BERT</fixed-case> on the texts of many small villages.", "markup"),
        ("We report the detec- tion of moths under the lamps of a village.", "markup"),
        ("Under white light there were 1,840 moths, under amber light only 610, and the", "text-cut-off"),
        ("To be added.", "placeholder"),
        ("A camera costs $30 and a lamp $40; see `[CLS]` in the short- and long-term plans.", None),
    ],
)
def test_an_abstract_has_nothing_of_the_file_that_it_is_from(text: str, reason: str | None) -> None:
    fault = abstract_fault(text)
    assert (fault and fault[0]) == reason


@pytest.mark.parametrize(
    ("language", "question", "answer", "reason"),
    [
        ("en", "Does it need a network?", "nan", "no-answer"),
        ("en", "Who built the cameras?", "The talk does not say.", "no-answer"),
        ("de", "Wer hat die Kameras gebaut?", "Das sagt der Vortrag nicht.", "no-answer"),
        ("it", "Chi ha costruito le telecamere?", "La presentazione non lo dice.", "no-answer"),
        ("zh", "相机是谁制造的？", "演讲中没有提到。", "no-answer"),
        ("en", "How many lamps got new bulbs?", "Yes.", "answer-of-another-question"),
        ("de", "Wie viele Lampen bekamen neue Birnen?", "Ja.", "answer-of-another-question"),
        ("zh", "多少盏路灯换了灯泡？", "是的。", "answer-of-another-question"),
        ("en", "How many lamps got new bulbs?", "On Zenodo.", "answer-of-another-question"),
        ("en", "Does it need a network?", "No, none.", None),
        ("en", "How many students counted?", "Two.", None),
        ("en", "Why does it fail?", "Because the model has not seen the words that are known.", None),
        ("zh", "网络有没有影响？", "没有。", None),
    ],
)
def test_an_answer_answers_its_question(language: str, question: str, answer: str, reason: str | None) -> None:
    fault = talk_answer_fault(question, answer, language)
    assert (fault and fault[0]) == reason


def test_a_short_answer_keeps_its_name() -> None:
    pair = ["Where are the pictures published?", "On Zenodo."]
    fault = parallel_fault(["Wo sind die Bilder veröffentlicht?", "Auf einem Raspberry Pi."], pair, "de")
    assert fault is not None and fault[0] == "name-lost"
    assert parallel_fault(["Wo sind die Bilder veröffentlicht?", "Auf Zenodo."], pair, "de") is None


def asked(name: str, talk: str, question: str, answer: str, begin: float, end: float, kind: str = "A") -> TalkQuestion:
    return TalkQuestion(name, talk, kind, "Transcript", question, answer, begin, end)


def test_questions_that_the_transcripts_contradict_are_found() -> None:
    transcripts = {
        "moths": "Moths circle around street lamps until they are tired. Students "
        "counted them with a camera on a pole. "
        "The pictures are published on Zenodo. Beetles ignored the color.",
        "pipes": "Leaks of water pipes make a soft hiss. Cheap sensors on hydrants "
        "record the hiss at night for ten seconds.",
    }
    rows = [
        asked("sound", "moths", "With what did students count?", "With a camera on a pole.", 12, 20),
        asked("foreign", "moths", "On what are the cheap sensors that record the hiss?", "On hydrants.", 1, 5),
        asked("one", "moths", "What circles around the lamps?", "Beetles.", 0, 8),
        asked("other", "moths", "Who ignored the color?", "Moths.", 34, 40),
        asked("unheard", "pipes", "How many leaks are there?", "48 leaks.", 1, 5),
        asked("seen", "pipes", "How many leaks are there?", "48 leaks.", 1, 5, kind="V"),
    ]
    found = evidence_faults(rows, transcripts, {"moths": 40.0, "pipes": 30.0})
    assert {name: reason for name, (reason, _) in found.items()} == {
        "foreign": "question-of-another-talk",
        "one": "answers-exchanged",
        "other": "answers-exchanged",
        "unheard": "type-contradicted",
    }
