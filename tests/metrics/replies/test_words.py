"""Tests of `metrics/replies/words.py`: the words of replies as tables of phrases."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import triptych.metrics.replies.words as words_module
from triptych.metrics.replies.words import CORRECTION, SIGNS, by_next_word, corrections, phrases, split


@pytest.mark.parametrize(
    ("phrase", "tokens"),
    [
        ("It isn't THE Answer", ("it", "isn't", "the", "answer")),
        ("答案是", ("答", "案", "是")),
        ("Straße", ("strasse",)),
        ("l'opzione", ("l'opzione",)),
        ("ｂｅｓｔ　answer", ("best", "answer")),  # full width
        ("정답은", ("정", "답", "은")),
        ("उत्तर है", ("उत्तर", "है")),
        ("الإجابة هي", ("الإجابة", "هي")),
        ("well-known", ("well-known",)),
        ("", ()),
        ("  \n", ()),
    ],
)
def test_a_phrase_is_split_as_its_script_is_written(phrase: str, tokens: tuple[str, ...]) -> None:
    assert split(phrase) == tokens


def test_every_word_of_the_file_is_in_a_table_with_the_first_of_its_kinds() -> None:
    path = Path(words_module.__file__).with_name("words.toml")
    rank = {sign: number for number, sign in enumerate(SIGNS.values())}
    table = phrases()
    for language, kinds in tomllib.loads(path.read_text(encoding="utf-8")).items():
        assert set(kinds) <= {*SIGNS, "correction"}, f"{language} has a kind that nothing reads"
        for kind, listed in kinds.items():
            for phrase in listed:
                first, *rest = split(phrase)
                found = dict((corrections() if kind == "correction" else table)[first])
                sign = found[tuple(rest)]
                assert sign == CORRECTION if kind == "correction" else rank[sign] <= rank[SIGNS[kind]], phrase


def test_the_longest_phrase_of_a_first_word_comes_first() -> None:
    for table in (phrases(), corrections()):
        for rest in table.values():
            lengths = [len(words) for words, _ in rest]
            assert lengths == sorted(lengths, reverse=True)


def test_a_table_by_next_word_has_the_same_phrases_in_the_same_order() -> None:
    for table in (phrases, corrections):
        for first, (alone, longer) in by_next_word(table).items():
            rests = [one for of_word in longer.values() for one in of_word]
            assert {*rests, *([((), alone)] if alone else [])} == set(table()[first])
            for word, of_word in longer.items():
                assert [one for one in table()[first] if one[0][:1] == (word,)] == list(of_word)


@pytest.mark.parametrize(
    ("phrase", "kind"),
    [
        ("answer", "answer"),
        ("not", "not"),
        ("wrong", "wrong"),
        ("答案", "answer"),
        ("错误", "wrong"),
        ("ist", "is"),
        ("risposta", "answer"),
        ("oder", "or"),
    ],
)
def test_words_of_the_benchmarks_languages_have_their_kind(phrase: str, kind: str) -> None:
    first, *rest = split(phrase)
    assert dict(phrases()[first])[tuple(rest)] == SIGNS[kind]


def test_no_two_kinds_have_the_same_sign() -> None:
    assert len({*SIGNS.values(), CORRECTION}) == len(SIGNS) + 1
