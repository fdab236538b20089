"""Cutting a text into its reference's lines: by hand, as properties, and against mweralign where it is installed."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

import triptych.metrics
from tests.support.steps import steps
from triptych.errors import DataError
from triptych.metrics import resegment

LINES = st.lists(st.lists(st.sampled_from("abc"), max_size=5).map(" ".join), min_size=1, max_size=5)
WORDS = st.lists(st.sampled_from("abcd"), max_size=12).map(" ".join)


def test_the_name_is_the_function_and_stays_it() -> None:
    from importlib import import_module

    import_module("triptych.metrics.text.resegmentation")
    assert callable(triptych.metrics.resegment)
    assert triptych.metrics.resegment is resegment


# The expected lines of the cases with ties, empty lines and too few words are mweralign 1.4.1's.
@pytest.mark.parametrize(
    ("hypothesis", "references", "expected"),
    [
        ("a b c d", ["a b", "c d"], ["a b", "c d"]),
        ("a x b c", ["a b", "c"], ["a x b", "c"]),
        ("a b\nc", ["a", "b c"], ["a", "b c"]),
        ("", ["a", "b"], ["", ""]),
        ("a b", ["c"], ["a b"]),
        ("a The b", ["a the", "The b"], ["a", "The b"]),  # case counts
        ("b a", ["a", "b"], ["b a", ""]),  # leaving out and putting in go before two substitutions
        ("a b x c", ["a b", "c"], ["a b x", "c"]),  # what is put in between belongs to the line before
        ("t1 t2 t3", ["t1", "", "t2"], ["t1", "", "t2 t3"]),
        ("b", ["a", "c", "b"], ["b", "", ""]),  # the first line isn't left empty
        ("a", ["", "a"], ["", "a"]),  # but where it has no words
        ("d b d b c b a", ["c", "a d", "b b d b", "c a b d"], ["d", "", "b d b", "c b a"]),
        ("c a a a a", ["a", "b c", "b", "c b c b"], ["c a", "a a", "a", ""]),
        ("a h g a a", ["", "a"], ["a h g", "a a"]),
    ],
)
def test_by_hand(hypothesis: str, references: list[str], expected: list[str]) -> None:
    assert resegment(hypothesis, references) == expected


def test_characters_are_joined_without_blanks() -> None:
    assert resegment("我们 提出了 一个新 方法。", ["我们提出了", "一个新方法。"], characters=True) == [
        "我们提出了",
        "一个新方法。",
    ]
    assert resegment("BERT模 型", ["BERT", "模型"], characters=True) == ["BERT", "模型"]


def test_a_no_break_space_stays_inside_its_word() -> None:
    assert resegment("10\u00a0km far", ["10\u00a0km", "far"]) == ["10\u00a0km", "far"]


def test_words_without_lines_are_refused() -> None:
    assert resegment(" ", []) == []
    with pytest.raises(DataError, match="without reference lines"):
        resegment("a", [])


@given(WORDS, LINES)
def test_nothing_is_lost(hypothesis: str, references: list[str]) -> None:
    lines = resegment(hypothesis, references)
    assert len(lines) == len(references)
    assert " ".join(lines).split() == hypothesis.split()


@given(LINES)
def test_a_reference_is_cut_as_it_is(references: list[str]) -> None:
    if all(references):
        assert resegment(" ".join(references), references) == references


def best_cost(words: list[str], lines: list[list[str]]) -> int:
    """The fewest edits of all cuts, by trying them all."""
    ends = product(range(len(words) + 1), repeat=len(lines) - 1)
    cuts = [(0, *inner, len(words)) for inner in ends if list(inner) == sorted(inner)]
    return min(
        sum(Levenshtein.distance(line, words[a:b]) for line, a, b in zip(lines, cut, cut[1:], strict=False))
        for cut in cuts
    )


@given(st.lists(st.sampled_from("ab"), max_size=5), st.lists(st.lists(st.sampled_from("ab"), max_size=3), max_size=3))
def test_no_cut_is_better(words: list[str], lines: list[list[str]]) -> None:
    lines = [["a"], *lines]
    words = ["a", *words]  # so that the first line has its word, and its rule doesn't bind
    cut = resegment(" ".join(words), [" ".join(line) for line in lines])
    cost = sum(Levenshtein.distance(line, got.split()) for line, got in zip(lines, cut, strict=True))
    assert cost == best_cost(words, lines)


Aligner = Callable[[Sequence[str], Sequence[Sequence[str]]], list[list[str]]]


@pytest.fixture(scope="module")
def mwer_segmenter() -> Aligner:
    """mweralign (GPL, a test's oracle only), fed with opaque ids, since it folds case and has rules for words."""
    module = pytest.importorskip("mweralign", reason="mweralign is not installed")

    def align(words: Sequence[str], lines: Sequence[Sequence[str]]) -> list[list[str]]:
        ids: dict[str, str] = {}
        texts = [" ".join(ids.setdefault(w, f"t{len(ids)}") for w in line) for line in (*lines, words)]
        back = {number: word for word, number in ids.items()}
        found = module.align_texts("\n".join(texts[:-1]), texts[-1]).split("\n")
        return [[back[number] for number in line.split()] for line in found]

    return align


def test_equals_mwer_segmenter_where_ties_abound(mwer_segmenter: Aligner) -> None:
    draw = random.Random(5)
    for _ in range(2000):
        letters = "abcdefgh"[: draw.randint(1, 8)]
        lines = [draw.choices(letters, k=draw.choice([0, 1, 2, 3, 6])) for _ in range(draw.randint(0, 5))] + [["a"]]
        words = draw.choices(letters, k=draw.randint(1, 25))
        ours = resegment(" ".join(words), [" ".join(line) for line in lines])
        assert [line.split() for line in ours] == mwer_segmenter(words, lines), (lines, words)


def talks(folder: Path, output: str, reference: str, task: str) -> list[tuple[str, list[str]]]:
    """(the talk's output, the reference's lines) of each talk."""
    said = {s.get("id"): s.text or "" for s in ET.parse(folder / output).iter("sample")}
    found = []
    for sample in ET.parse(folder / reference).iter("sample"):
        if sample.get("task") == task:
            ids = (sample.get("id") or "").split(",")
            found.append(("\n".join(said[i] for i in ids), (sample.findtext("reference") or "").split("\n")))
    return found


def bytes_split(text: str) -> list[str]:
    """The words between ASCII white space: a no-break space is none to bytes."""
    return [word.decode() for word in text.encode().split()]


GERMAN = ("audio_short_de_random_phi_multimodal_output.xml", "MCIFrecon.short.de.ref.xml", "TRANS")


@pytest.mark.parametrize("characters", [False, True])
def test_equals_mwer_segmenter_on_real_talks(mwer_segmenter: Aligner, shared_data: Path, characters: bool) -> None:
    found = talks(shared_data / "mcif", *GERMAN)
    assert found
    for text, lines in found[:3] if characters else found:
        split = (lambda t: list(re.sub(r"\s", "", t, flags=re.ASCII))) if characters else bytes_split
        expected = mwer_segmenter(split(text), [split(line) for line in lines])
        glue = "" if characters else " "
        assert resegment(text, lines, characters=characters) == [glue.join(line) for line in expected]


def test_the_work_grows_with_the_length_and_not_with_its_square() -> None:
    draw = random.Random(1)

    def work(length: int) -> int:
        words = [str(int(draw.expovariate(0.01))) for _ in range(length)]
        heard = [word for word in words if draw.random() > 0.1]
        lines = [" ".join(words[start : start + 20]) for start in range(0, length, 20)]
        assert " ".join(resegment(" ".join(heard), lines)).split() == heard
        return steps(lambda: resegment(" ".join(heard), lines))

    assert work(3000) < 4 * work(1000) < 4 * 100 * 1000, "a row of the table is computed at once"
