"""Tests of `construction/text_checks/translation/parallel.py`: faults of a translation that only a comparison with its
source shows."""

from __future__ import annotations

import pytest

from tests.construction.test_construction_sources_and_translations import EN
from triptych.construction.recipes._xmodbench_labels import translated_fault
from triptych.construction.text_checks.translation.parallel import lines_fault

SOURCE = [
    "Hello everyone, my name is Jane Smith and I am from the University of Edinburgh.",
    "We use about 300 hours of audio, and the model is twice as fast as the baseline.",
    "The results improve by 12 percent on average, but not for short sentences.",
    "Thank you for listening, and I'm happy to take your questions.",
]
TRANSLATIONS = {
    "fr": [
        "Bonjour à tous, je m'appelle Jane Smith et je viens de l'université d'Édimbourg.",
        "Nous utilisons environ 300 heures d'audio, et le modèle est deux fois plus rapide que la référence.",
        "Les résultats s'améliorent de 12 pour cent en moyenne, mais pas pour les phrases courtes.",
        "Merci de votre attention, je répondrai volontiers à vos questions.",
    ],
    "ja": [
        "皆さん、こんにちは。エディンバラ大学のジェーン・スミスと申します。",
        "約300時間の音声を使用しており、モデルはベースラインの二倍の速さです。",
        "結果は平均で12パーセント向上しますが、短い文では向上しません。",
        "ご清聴ありがとうございました。ご質問を喜んでお受けします。",
    ],
    "ru": [
        "Всем привет, меня зовут Джейн Смит, я из Эдинбургского университета.",
        "Мы используем около 300 часов аудио, и модель вдвое быстрее базовой.",
        "Результаты улучшаются в среднем на 12 процентов, но не для коротких предложений.",
        "Спасибо за внимание, я с радостью отвечу на ваши вопросы.",
    ],
    "hi": [
        "सभी को नमस्ते, मेरा नाम जेन स्मिथ है और मैं एडिनबर्ग विश्वविद्यालय से हूँ।",
        "हम लगभग 300 घंटे के ऑडियो का उपयोग करते हैं, और मॉडल आधार मॉडल से दोगुना तेज़ है।",
        "परिणाम औसतन 12 प्रतिशत बेहतर होते हैं, लेकिन छोटे वाक्यों के लिए नहीं।",
        "सुनने के लिए धन्यवाद, मुझे आपके प्रश्न लेने में खुशी होगी।",
    ],
    "th": [
        "สวัสดีทุกคน ฉันชื่อเจน สมิธ มาจากมหาวิทยาลัยเอดินบะระ",
        "เราใช้เสียงประมาณ 300 ชั่วโมง และแบบจำลองเร็วกว่าแบบพื้นฐานสองเท่า",
        "ผลลัพธ์ดีขึ้นโดยเฉลี่ย 12 เปอร์เซ็นต์ แต่ไม่ใช่สำหรับประโยคสั้น",
        "ขอบคุณที่รับฟัง ยินดีตอบคำถามของทุกท่าน",
    ],
    "ka": [
        "გამარჯობა ყველას, მე მქვია ჯეინ სმიტი და ვარ ედინბურგის უნივერსიტეტიდან.",
        "ვიყენებთ დაახლოებით 300 საათ აუდიოს, და მოდელი ორჯერ უფრო სწრაფია საბაზისოზე.",
        "შედეგები საშუალოდ 12 პროცენტით უმჯობესდება, მაგრამ არა მოკლე წინადადებებისთვის.",
        "გმადლობთ ყურადღებისთვის, სიამოვნებით გიპასუხებთ კითხვებზე.",
    ],
    "de": [
        "Hallo zusammen, ich heiße Jane Smith und komme von der Universität Edinburgh.",
        "Wir verwenden rund 300 Stunden Audio, und das Modell ist doppelt so schnell wie die Baseline.",
        "Die Ergebnisse verbessern sich im Schnitt um 12 Prozent, allerdings nicht bei kurzen Sätzen.",
        "Vielen Dank fürs Zuhören, ich beantworte gern Ihre Fragen.",
    ],
    "zh": [
        "大家好，我叫简·史密斯，来自爱丁堡大学。",
        "我们使用了大约三百小时的音频，模型的速度是基线的两倍。",
        "结果平均提升了百分之十二，但短句除外。",
        "感谢大家的聆听，我很乐意回答你们的问题。",
    ],
}


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_translation_passes_in_every_language_and_under_every_form_of_its_tag(language: str) -> None:
    lines = TRANSLATIONS[language]
    for tag in (language, language.upper(), f"{language}-XX", f"{language}_XX", ""):
        assert lines_fault(lines, SOURCE, tag) is None, tag
        for line, original in zip(lines, SOURCE, strict=True):
            assert lines_fault([line], [original], tag) is None, (tag, line)
            assert translated_fault(line, original, tag) is None, (tag, line)


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("zh", "我们的博物馆保存着三十万件干燥的植物。"),
        ("fr", "Notre musée conserve trois cent mille plantes séchées."),
        ("ja", "当館には三十万点の乾燥した植物があります。"),
        ("ru", "В нашем музее триста тысяч засушенных растений."),
        ("ar", "يحتفظ متحفنا بثلاثمئة ألف نبتة مجففة."),
        ("de", "Unser Museum bewahrt dreihunderttausend getrocknete Pflanzen auf."),
        ("it", "Il nostro museo conserva trecentomila piante essiccate."),
    ],
)
@pytest.mark.parametrize("stated", [True, False])
def test_numbers_in_words_pass_where_the_words_of_a_language_are_not_read(
    language: str, line: str, stated: bool
) -> None:
    source = "Our museum keeps three hundred thousand dried plants."
    assert lines_fault([line], [source], language if stated else "") is None


@pytest.mark.parametrize(
    ("language", "source", "line"),
    [
        ("zh", "The roof has eleven sensors.", "屋顶上有十一个传感器。"),
        ("zh", "It takes thirty minutes to dry.", "晾干需要三十分钟。"),
        ("zh", "The archive holds thirty-one thousand letters.", "档案馆藏有三万一千封信。"),
        ("zh", "The old trees are gone.", "那些老树已经不在了。"),
        ("it", "The old mill is gone.", "Il vecchio mulino non c'è più."),
    ],
)
def test_a_sound_line_of_numbers_and_losses_passes(language: str, source: str, line: str) -> None:
    assert lines_fault([line], [source], language) is None


def test_a_tag_with_a_region_is_checked_as_its_language() -> None:
    for tag in ("de", "de-AT", "DE"):
        fault = lines_fault(["Er nimmt zehn Minuten auf."], ["It records for ten seconds."], tag)
        assert fault is not None and fault[0] == "fact-changed", tag
        assert lines_fault(["他录了十分钟。"], ["It records for ten seconds."], "zh-Hans-CN") is not None


@pytest.mark.parametrize(
    ("language", "source", "line"),
    [
        ("de", "There are tasks for which the data are missing.", "Es gibt Aufgaben, für die die Daten fehlen."),
        ("de", "The verb comes last in this language.", "Das ist eine Sprache, in der der Satz mit dem Verb endet."),
        ("de", "I think that this is the problem.", "Ich glaube, dass das das Problem ist."),
        ("de", "The speaker asks whether she knows her.", "Die Sprecherin fragt, ob sie sie kennt."),
        ("de", "It is about a week long.", "Es dauert etwa sieben Tage."),
        ("de", "In the last decade, things changed.", "In den letzten zehn Jahren hat sich viel verändert."),
        ("de", "In 24 hours it was done.", "An einem Tag war es geschafft."),
        ("de", "I can't wait to see it.", "Ich freue mich darauf, es zu sehen."),
        ("de", "Nobody but the author knew.", "Nur der Autor wusste es."),
        ("it", "There are tasks for which the data are missing.", "Ci sono compiti per i quali mancano i dati."),
        ("it", "I almost stayed.", "Quasi quasi restavo."),
        ("it", "It rained last night.", "Ieri sera ha piovuto."),
        ("it", "Nothing changed.", "Tutto è rimasto uguale."),
        (
            "zh",
            "To understand the behaviour of the model, we see its layers.",
            "为了了解模型的行为，我们观察其各层。",
        ),
        ("zh", "The question is whether it works.", "问题是是否有效。"),
        ("zh", "Methods for this purpose exist.", "用于该目的的方法已经存在。"),
        ("zh", "He is now in Beijing.", "他现在在北京。"),
        ("zh", "War and peace matter.", "战争和和平都很重要。"),
        ("zh", "It lasted half a year.", "持续了六个月。"),
        ("zh", "It took two weeks.", "花了十四天。"),
        ("de", "The F1 score rose from 0.81 to 0.9.", "Der F1-Wert stieg von 0,81 auf 0,90."),
        ("de", "I doubt it.", "Das glaube ich nicht."),
        ("it", "It isn't bad at all.", "È davvero buono."),
        ("zh", "90% of users agreed.", "九成用户同意。"),
        ("zh", "It is second to none.", "它是最好的。"),
        ("zh", "In the early 1990s.", "在九十年代初。"),
        ("fr", "We are interested in cats.", "Nous nous intéressons aux chats."),
        ("nl", "The results were improved.", "De resultaten werden verbeterd."),
        ("nl", "I think that this works.", "Ik denk dat dat werkt."),
        ("id", "The children play in the yard.", "Anak anak bermain di halaman."),
        ("el", "Is that right, in your view?", "Είναι σωστό, κατά τη γνώμη σας;"),
        ("ar", "How many lamps are there in the village?", "كم عدد المصابيح الموجودة في القرية؟"),
        ("ja", "Is that right?", "それは正しいですか。"),
    ],
)
def test_a_sound_line_passes(language: str, source: str, line: str) -> None:
    assert lines_fault([line], [source], language) is None


@pytest.mark.parametrize(
    ("language", "source", "line", "reason"),
    [
        ("de", "This is the lamp.", "Das ist die die Lampe.", "repeats-itself"),
        ("it", "This is the lamp.", "Questa è la lampada lampada.", "repeats-itself"),
        ("zh", "This is the method of the village.", "这是村庄的的方法。", "repeats-itself"),
        ("zh", "We are in the village.", "我们在在村子里。", "repeats-itself"),
        ("de", "It takes a week.", "Es dauert sechs Tage.", "fact-changed"),
        ("de", "It took two weeks.", "Es dauerte zwei Tage.", "fact-changed"),
        ("zh", "It lasted half a year.", "持续了五个月。", "fact-changed"),
        ("de", "The F1 score rose to 0.9.", "Der F1-Wert stieg auf 0,80.", "numbers-differ"),
        ("zh", "80% of users agreed.", "九成用户同意。", "numbers-differ"),
        ("it", "It records for 90 s.", "Registra per 90 minuti.", "fact-changed"),
        ("it", "Is that right, in your view?", "È giusto, secondo lei;", "fact-changed"),
    ],
)
def test_a_line_that_differs_little_from_a_sound_one_is_a_fault(
    language: str, source: str, line: str, reason: str
) -> None:
    fault = lines_fault([line], [source], language)
    assert fault is not None and fault[0] == reason, fault


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
