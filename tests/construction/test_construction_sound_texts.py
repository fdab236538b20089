"""Sound texts that checks must let pass: options, questions and translations in many languages."""

from __future__ import annotations

import pytest

from triptych.construction.recipes._xmodbench_rows import _unfit
from triptych.construction.stages.annotation import worded_fault
from triptych.construction.text_checks.answers import question_fault
from triptych.construction.text_checks.translation.parallel import parallel_fault
from triptych.construction.text_checks.wording import in_language


def test_an_apology_in_the_source_is_one_in_its_translation() -> None:
    row = {"subtask": "translation", "text": "Sorry, I can't come to the door."}
    row |= {"target_text": "对不起，我不能来开门。", "wrong": ""}
    assert _unfit(row, {}, (1, 2)) is None
    refused = _unfit({**row, "text": "The door is open."}, {}, (1, 2))
    assert refused is not None and refused.reason == "apology"


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
