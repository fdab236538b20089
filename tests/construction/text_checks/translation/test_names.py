"""Tests of `construction/text_checks/translation/names.py`: names that a translation lost or exchanged."""

from __future__ import annotations

import pytest

from triptych.construction.text_checks.translation.names import name_faults

COLOGNE = "We were in Cologne last year."
SPEAKER = "Hello, I am Priya Raman, and this is our work."
MODEL = "Below we see BERT."


def reasons(line: str, original: str, language: str) -> list[str]:
    return [reason for reason, _ in name_faults(line, original, language)]


@pytest.mark.parametrize(
    ("language", "original", "line"),
    [
        # Cities by their names in each language
        ("de", COLOGNE, "Wir waren letztes Jahr in Köln."),
        ("it", COLOGNE, "L'anno scorso eravamo a Colonia."),
        ("zh", COLOGNE, "我们去年在科隆。"),
        ("de", "We met in Vienna and in Prague.", "Wir trafen uns in Wien und in Prag."),
        ("de", COLOGNE, "Wir waren letztes Jahr dort."),  # another word for it, not another city
        ("zh", "In Madrid.", "在马德里。"),
        ("zh", "Romania is big.", "罗马尼亚很大。"),
        # Speakers; in Chinese also in other characters
        ("de", SPEAKER, "Hallo, ich bin Priya Raman, und dies ist unsere Arbeit."),
        ("it", SPEAKER, "Ciao, sono Priya Raman, e questo è il nostro lavoro."),
        ("zh", SPEAKER, "大家好，我是普里娅·拉曼，这是我们的工作。"),
        ("de", "Anna's idea won.", "Annas Idee gewann."),
        ("de", "Hello, I am Zoë Müller.", "Hallo, ich bin Zoe Mueller-Schmidt, geborene Müller."),
        # Models and data sets; abbreviations that other languages write out
        ("de", MODEL, "Unten sehen wir BERT."),
        ("de", "We use two GPUs and BERTs.", "Wir verwenden zwei GPUs und BERT-Modelle."),
        ("de", "We use AI in the USA.", "Wir nutzen KI in den Vereinigten Staaten."),
        ("it", "The EU pays.", "L'Unione europea paga."),
        # No name at all, and languages in other letters
        ("de", "It rains.", "Es regnet."),
        ("ru", COLOGNE, "Мы были в Кёльне."),
        ("ja", MODEL, "下にBERTが見えます。"),
        ("de", "", ""),
    ],
)
def test_a_translation_with_its_names_has_no_fault(language: str, original: str, line: str) -> None:
    assert list(name_faults(line, original, language)) == []


@pytest.mark.parametrize(
    ("language", "original", "line", "reason"),
    [
        ("de", COLOGNE, "Wir waren letztes Jahr in München.", "name-changed"),
        ("it", COLOGNE, "L'anno scorso eravamo a Monaco.", "name-changed"),
        ("zh", COLOGNE, "我们去年在慕尼黑。", "name-changed"),
        ("de", SPEAKER, "Hallo, ich bin Priya Sharma, und dies ist unsere Arbeit.", "name-lost"),
        ("it", SPEAKER, "Ciao, e questo è il nostro lavoro.", "name-lost"),
        ("zh", SPEAKER, "大家好，这项研究很重要。", "name-lost"),
        ("zh", "It was a bird.", "那是Johnson。", "name-changed"),
        ("de", MODEL, "Unten sehen wir GPT.", "name-changed"),
        ("de", "We use WordNet.", "Wir verwenden ein Netz.", "name-lost"),
        ("de", "A test in Springfield failed.", "Ein Test schlug fehl.", "name-lost"),
        ("de", "It was Johnson.", "Es war Peter.", "name-lost"),
    ],
)
def test_a_name_that_is_lost_or_another_one_is_a_fault(language: str, original: str, line: str, reason: str) -> None:
    assert reason in reasons(line, original, language)


def test_a_fault_names_both_names_and_the_line() -> None:
    assert list(name_faults("Wir waren in München.", COLOGNE, "de")) == [
        ("name-changed", "Cologne in the source, München here: 'Wir waren in München.'")
    ]


def test_a_language_may_be_named_with_its_region() -> None:
    assert reasons("Unten sehen wir GPT.", MODEL, "de-AT") == reasons("Unten sehen wir GPT.", MODEL, "de")
    assert reasons("我们去年在慕尼黑。", COLOGNE, "zh-CN") == ["name-changed"]


def test_composed_and_decomposed_letters_are_the_same_name() -> None:
    assert reasons("Wir waren in Ko\u0308ln.", COLOGNE, "de") == []
    assert reasons("Hallo, ich bin Zoe\u0308 Raman.", "Hello, I am Zoë Raman.", "de") == []
