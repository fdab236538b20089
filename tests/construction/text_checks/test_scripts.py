"""Tests of `construction/text_checks/scripts.py`: language tags, scripts, and the marks that end sentences."""

from __future__ import annotations

import pytest

from triptych.construction.text_checks.scripts import in_latin, is_ended, is_question, letters_of, primary

# The beginning of article 1 of the Universal Declaration of Human Rights, as the United Nations publish it
ARTICLE_1 = {
    "en": "All human beings are born free and equal in dignity and rights.",
    "de": "Alle Menschen sind frei und gleich an Würde und Rechten geboren.",
    "vi": "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền.",
    "ru": "Все люди рождаются свободными и равными в своем достоинстве и правах.",
    "el": "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.",
    "ar": "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق.",
    "he": "כל בני אדם נולדו בני חורין ושווים בערכם ובזכויותיהם.",
    "hi": "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।",
    "bn": "সমস্ত মানুষ স্বাধীনভাবে সমান মর্যাদা এবং অধিকার নিয়ে জন্মগ্রহণ করে।",
    "ta": "மனிதப் பிறிவியினர் சகலரும் சுதந்திரமாகவே பிறக்கின்றனர்.",
    "th": "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ",
    "am": "የሰው ልጅ ሁሉ ሲወለድ ነጻና በክብርና በመብትም እኩልነት ያለው ነው።",
    "hy": "Բոլոր մարդիկ ծնվում են ազատ ու հավասար իրենց արժանապատվությամբ ու իրավունքներով։",
    "ka": "ყველა ადამიანი იბადება თავისუფალი და თანასწორი თავისი ღირსებითა და უფლებებით.",
    "ja": "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。",
    "ko": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.",
    "zh": "人人生而自由，在尊严和权利上一律平等。",
    "bo": "འགྲོ་བ་མིའི་རིགས་རྒྱུད་ཡོངས་ལ་སྐྱེས་ཙམ་ཉིད་ནས་ཆེ་མཐོངས་དང༌། ཐོབ་ཐངགི་རང་དབང་འདྲ་མཉམ་དུ་ཡོད་ལ།",
}


@pytest.mark.parametrize("language", ARTICLE_1)
def test_most_letters_of_a_text_are_those_of_its_language(language: str) -> None:
    letters = [c for c in ARTICLE_1[language] if c.isalpha()]
    assert sum(bool(letters_of(language).match(c)) for c in letters) > 0.95 * len(letters)
    assert letters_of(f"{language.upper()}_XX").pattern == letters_of(language).pattern


@pytest.mark.parametrize("language", ARTICLE_1)
def test_a_published_sentence_is_ended_and_no_question(language: str) -> None:
    text = ARTICLE_1[language]
    assert is_ended(text)
    assert is_question(text) is not True
    assert in_latin(text) == (language in ("en", "de", "vi"))


@pytest.mark.parametrize(
    "text", ["Where is it?", "أين هو؟", "Πού είναι;", "የት ነው፧", "他在哪里？”", "Où est-il ? »", "¿Dónde está?"]
)
def test_a_question_ends_in_the_mark_of_its_script(text: str) -> None:
    assert is_question(text) is True
    assert is_ended(text)


@pytest.mark.parametrize("text", ["彼はどこですか。", "เขาอยู่ที่ไหน", "Որտե՞ղ է նա։"])
def test_questions_of_some_scripts_have_no_mark_at_their_end(text: str) -> None:
    assert is_question(text) is None


def test_a_text_that_stops_within_a_sentence_is_not_ended() -> None:
    texts = ["He went to the", "Sie ging nach", "他昨天去了", "Он пошёл в", "ذهب إلى", ""]
    assert [text for text in texts if is_ended(text)] == []


def test_tags_are_read_in_every_spelling() -> None:
    assert [primary(tag) for tag in ("zh-Hant-TW", "pt_BR", " EN-us ", "ckb", "")] == ["zh", "pt", "en", "ckb", ""]
