"""Faults of one line of a translation that people and programs make, after MQM's categories, and lines that are sound.

Each case is an English line with its translation; the sound ones are ways in which people do translate.
"""

from __future__ import annotations

import pytest

from triptych.construction.text_checks.translation.facts import fact_faults
from triptych.construction.text_checks.translation.parallel import lines_fault, parallel_fault
from triptych.construction.text_checks.wording import plain_meaning

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


@pytest.mark.parametrize("number", ["1" * 400, "1" * 5000, "二" * 400, "二" * 5000, "亿" * 5000, "十亿" * 2500])
def test_a_number_without_end_is_read(number: str) -> None:
    for language, unit in (("zh", "分钟"), ("zh", "万亿"), ("zh", ""), ("de", " Millionen"), ("de", " Minuten")):
        lines_fault([number + unit], ["It takes two million minutes."], language)  # raises nothing
        assert plain_meaning(number + unit)
    assert lines_fault(["Es dauert zwei Minuten."], [f"{number} million minutes."], "de") is not None


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


def test_a_short_answer_keeps_its_name() -> None:
    pair = ["Where are the pictures published?", "On Zenodo."]
    fault = parallel_fault(["Wo sind die Bilder veröffentlicht?", "Auf einem Raspberry Pi."], pair, "de")
    assert fault is not None and fault[0] == "name-lost"
    assert parallel_fault(["Wo sind die Bilder veröffentlicht?", "Auf Zenodo."], pair, "de") is None


def test_decades_that_follow_a_decade_are_no_seconds() -> None:
    assert not list(fact_faults("这在六七十年代很常见。", "This was common in the 1960s and 70s.", "zh"))
    assert list(fact_faults("花了七十分钟。", "It took 60s and then 70 s.", "zh"))


@pytest.mark.parametrize("hour", ["1 ora", "un'ora", "un\u2019ora", "una ora", "ogni ora", "mezz'ora", "2 ore"])
def test_an_italian_hour_is_a_unit(hour: str) -> None:
    """`ora` alone means now."""
    assert [fault[0] for fault in fact_faults(f"Dura {hour}.", "It takes 1 minute.", "it")] == ["fact-changed"]
    assert not list(fact_faults(f"Dura {hour}.", "It takes an hour.", "it"))
    assert not list(fact_faults("Ora dura un minuto.", "Now it takes a minute.", "it"))
