"""Sound texts that checks must let pass: options, questions and translations in many languages."""

import pytest

from triptych.construction.answers import options_fault, question_fault
from triptych.construction.chatter import chatter_fault
from triptych.construction.choices import Limits, choice_fault
from triptych.construction.classical_translations import other_date
from triptych.construction.doubled_words import doubled_word
from triptych.construction.parallel import lines_fault, parallel_fault
from triptych.construction.recipes._xmodbench_labels import translated_fault
from triptych.construction.stages.annotation import worded_fault
from triptych.construction.talk_answers import talk_answer_fault
from triptych.construction.wording import in_language, wording_fault

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


def test_a_tag_with_a_region_is_checked_as_its_language() -> None:
    for tag in ("de", "de-AT", "DE"):
        fault = lines_fault(["Er nimmt zehn Minuten auf."], ["It records for ten seconds."], tag)
        assert fault is not None and fault[0] == "fact-changed", tag
        assert lines_fault(["他录了十分钟。"], ["It records for ten seconds."], "zh-Hans-CN") is not None


QUESTIONS = {
    "ar": ("كم ساعة من الصوت تم استخدامها؟", "حوالي 300 ساعة."),
    "th": ("ใช้เสียงทั้งหมดกี่ชั่วโมง", "ประมาณ 300 ชั่วโมง"),
    "el": ("Πόσες ώρες ήχου χρησιμοποιούνται;", "Περίπου 300 ώρες."),
    "ka": ("რამდენი საათი აუდიოა გამოყენებული?", "დაახლოებით 300 საათი."),
    "hy": ("Քանի՞ ժամ ձայնագրություն է օգտագործվում։", "Մոտ 300 ժամ։"),
    "bn": ("কত ঘণ্টার অডিও ব্যবহৃত হয়েছে?", "প্রায় ৩০০ ঘণ্টা।"),
    "ur": ("کتنے گھنٹوں کی آڈیو استعمال ہوئی؟", "تقریباً 300 گھنٹے۔"),
    "sr": ("Колико сати звука је коришћено?", "Око 300 сати."),
    "it": ("Quante ore di audio vengono usate?", "Circa 300 ore."),
}


@pytest.mark.parametrize("language", QUESTIONS)
def test_a_question_passes_in_every_script(language: str) -> None:
    assert worded_fault(QUESTIONS[language], language) is None
    assert parallel_fault(QUESTIONS[language], ["How many hours are used?", "About 300 hours."], language) is None
    assert not in_language("Quante ore di audio vengono usate qui?", language) or language in ("it", "sr")


def test_a_question_without_its_mark_is_still_a_fault() -> None:
    for question in ("Wie viele Stunden werden verwendet", "Wie viele Stunden werden verwendet:"):
        fault = worded_fault((question, "Rund 300."), "de")
        assert fault is not None and fault[0] == "question-cut-off", question


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


@pytest.mark.parametrize(
    "options",
    [
        ["8:30", "9:00", "9:30", "10:00"],
        ["1：30", "2：30", "3：30", "4：30"],
        ["3:2", "2:1", "1:0", "0:0"],
        ["1.5 km", "2.5 km", "3.5 km", "4.5 km"],
        ["1°C", "2°C", "3°C", "4°C"],
        ["①②", "②③", "①③"],
        ["一、二年级", "三、四年级", "五、六年级"],
        ["E♭ major", "F# minor", "C major", "A minor"],
    ],
)
def test_times_scores_amounts_and_choices_of_statements_have_no_letters_of_their_own(options: list[str]) -> None:
    assert wording_fault("是什么？", options) is None
    assert options_fault("是什么？", options, "zh" if options[0][0] in "①一" else "") is None
    assert choice_fault("是什么？", options, [1], Limits()) is None


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


@pytest.mark.parametrize(
    "question",
    [
        "他现在在哪里？",
        "为了了解真相，他做了什么？",
        "问题的关键是是否有人受伤吗？",
        "为达到这个目的的方法是什么？",
        "老师讲到第二题的时候，门外发生了什么？",
        "如图书馆里的人所说，几点关门？",
        "他为什么说自己“1)没钱 2)没时间”？",
    ],
)
def test_a_sound_question_about_a_recording_passes(question: str) -> None:
    assert question_fault(question, "zh", sound=True) is None


def test_function_words_twice_are_found_unless_two_words_meet() -> None:
    for text in ("他在在家", "她走了了吗", "这是是家", "雨和和雪", "他把把门关了"):
        assert doubled_word(text, "zh"), text
    for text in ("实在在理", "明明是是非题", "他把把手拆了", "总和和差"):
        assert not doubled_word(text, "zh"), text


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What does the model not do?", "It does not explain its answers."),
        ("Why can't the length be fixed?", "The value is not known at run time."),
        ("What is a limitation of the system?", "It does not address tonal languages."),
        ("How many people came to the second meeting?", "Nobody."),
        ("How much memory is used?", "The whole memory."),
        ("How much did it improve?", "It did not improve."),
    ],
)
def test_an_answer_may_say_what_is_not_so(question: str, answer: str) -> None:
    assert talk_answer_fault(question, answer, "en") is None


def test_an_answer_that_the_talk_lacks_one_is_a_fault_whatever_is_asked() -> None:
    for question in ("Who built it?", "Why did it fail?", "What is a limitation?"):
        for answer in ("The talk does not say.", "The speaker did not mention it.", "Unanswerable."):
            fault = talk_answer_fault(question, answer, "en")
            assert fault is not None and fault[0] == "no-answer", (question, answer)


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


def test_a_number_of_several_words_is_not_read_by_its_last_word() -> None:
    assert other_date("一年三百六十日", "Three hundred and sixty days in one year.") is None
    assert other_date("一年三十日", "Sixty days in one year.") is not None
