"""Tests of `construction/text_checks/translation/words.py`: words that mean the same in four languages."""

from __future__ import annotations

import unicodedata

import pytest

from triptych.construction.text_checks.translation.words import meanings_in

# One line in English, German, Italian and Chinese, with the number of meanings that all four share at least.
LINES = [
    (
        "Snow fell on the old bridge.",
        "Schnee fiel auf die alte Brücke.",
        "La neve cadeva sul vecchio ponte.",
        "雪落在老桥上。",
        3,
    ),
    (
        "My grandmother bought bread and milk at the market.",
        "Meine Großmutter kaufte auf dem Markt Brot und Milch.",
        "Mia nonna ha comprato pane e latte al mercato.",
        "我奶奶在市场买了面包和牛奶。",
        5,
    ),
    (
        "The doctor will see the patient on Thursday morning.",
        "Der Arzt sieht den Patienten am Donnerstagmorgen.",
        "Il medico vedrà il paziente giovedì mattina.",
        "医生星期四上午见病人。",
        4,
    ),
]


@pytest.mark.parametrize(("en", "de", "it", "zh", "shared"), LINES)
def test_translations_of_a_line_share_its_meanings(en: str, de: str, it: str, zh: str, shared: int) -> None:
    meanings = [
        meanings_in(text, language) for text, language in zip((en, de, it, zh), ("en", "de", "it", "zh"), strict=True)
    ]
    assert len(frozenset.intersection(*meanings)) >= shared


@pytest.mark.parametrize(("number", "language"), [(1, "de"), (2, "it"), (3, "zh")])
def test_lines_about_something_else_share_less(number: int, language: str) -> None:
    for line in LINES:
        here = meanings_in(line[0], "en")
        for other in LINES:
            common = len(here & meanings_in(str(other[number]), language))
            assert (common >= line[4]) is (other is line), (line[0], other[number])


@pytest.mark.parametrize(
    ("text", "language", "same"),
    [
        ("snowing", "en", "snow"),  # words of English begin so
        ("tea", "en", "teas"),  # a whole word, also with `s`
        ("dogs", "en", "dog"),
        ("Haustür", "de", "Tür"),
        ("Neuschnee", "de", "Schnee"),  # German words have it inside
        ("nevicare", "it", "neve"),
    ],
)
def test_forms_of_a_word_have_its_meaning(text: str, language: str, same: str) -> None:
    assert meanings_in(text, language) and meanings_in(same, language) & meanings_in(text, language)


@pytest.mark.parametrize(
    ("text", "language", "word"), [("team", "en", "tea"), ("category", "en", "cat"), ("Eile", "de", "Ei")]
)
def test_a_word_that_only_begins_like_another_is_another(text: str, language: str, word: str) -> None:
    assert meanings_in(word, language) and not meanings_in(word, language) & meanings_in(text, language)


def test_case_composition_and_region_make_no_difference() -> None:
    text = "Über die Brücke"
    assert meanings_in(text, "de") == meanings_in(text.upper(), "de") == meanings_in(text, "de-CH")
    assert meanings_in(unicodedata.normalize("NFD", text), "de") == meanings_in(text, "de") != frozenset()


@pytest.mark.parametrize(
    ("text", "language", "word"),
    [("zu Fuß", "de", "geht"), ("im Gegensatz dazu", "de", "Vergleich"), ("ad es. qui", "it", "esempio")],
)
@pytest.mark.parametrize("space", [" ", "\u00a0", "\u202f", "\u2009"])
def test_words_of_the_list_with_a_space_are_found_with_any_space(
    text: str, language: str, word: str, space: str
) -> None:
    assert meanings_in(text.replace(" ", space), language) & meanings_in(word, language)


def test_other_languages_and_empty_texts_have_none() -> None:
    assert meanings_in("Neige sur le pont", "fr") == meanings_in("", "en") == meanings_in("\n \t", "zh") == frozenset()
