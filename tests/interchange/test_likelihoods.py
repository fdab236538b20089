"""Tests of `interchange/likelihoods.py`: rows as lm-eval and lmms-eval write them with `--log_samples`."""

from __future__ import annotations

from typing import Any

import pytest

from triptych.interchange.likelihoods import arguments_of, likelihoods_of


def arguments(*pairs: tuple[str, ...]) -> dict[str, dict[str, str]]:
    return {f"gen_args_{n}": {f"arg_{k}": text for k, text in enumerate(pair)} for n, pair in enumerate(pairs)}


def hellaswag(**more: Any) -> dict[str, Any]:
    question = "Roof shingle removal: A man is sitting on a roof. He"
    ends = ("is using wrap.", "is ripping tiles off.", "holds a rubik's cube.", "starts pulling up roofing.")
    return {
        "doc_id": 0,
        "target": "3",
        "arguments": arguments(*((question, f" {end}") for end in ends)),
        "resps": [[["-31.5", "False"]], [["-22.25", "False"]], [["-45.0", "False"]], [["-20.125", "True"]]],
        "filtered_resps": [["-31.5", "False"], ["-22.25", "False"], ["-45.0", "False"], ["-20.125", "True"]],
        **more,
    }


def test_the_most_likely_option_is_the_reply() -> None:
    read = likelihoods_of(hellaswag())
    assert read is not None
    assert (read.reply, read.target, read.labels) == ("D", ("D",), ("A", "B", "C", "D"))
    assert read.choices[1] == "is ripping tiles off." and read.question.endswith("He")
    assert [value for _, value in read.fields] == ["-31.5", "-22.25", "-45.0", "-20.125"]


@pytest.mark.parametrize(
    ("target", "label"), [("is using wrap.", ("A",)), ("0", ("A",)), ("7", ()), ("gold", ()), ("", ()), ("-1", ())]
)
def test_the_correct_option_by_number_or_text(target: str, label: tuple[str, ...]) -> None:
    read = likelihoods_of(hellaswag(target=target))
    assert read is not None and read.target == label


def test_options_alone_that_normalise_the_score_are_left_out() -> None:
    ends = (" yes", " no")
    row = {
        "target": "1",
        "arguments": arguments(*(("Is it raining?", end) for end in ends), *(("", end) for end in ends)),
        "filtered_resps": [["-4.0", "False"], ["-2.0", "True"], ["-1.0", "False"], ["-9.0", "False"]],
    }
    read = likelihoods_of(row)
    assert read is not None and (read.choices, read.reply, len(read.fields)) == (("yes", "no"), "B", 2)


def test_questions_that_differ_before_the_same_end_are_the_options() -> None:
    row = {
        "target": "0",
        "arguments": arguments(
            ("Sarah was better than Maria because Sarah", " won."),
            ("Sarah was better than Maria because Maria", " won."),
        ),
        "filtered_resps": [["-3.0", "False"], ["-5.0", "False"]],
    }
    read = likelihoods_of(row)
    assert read is not None
    assert (read.question, read.choices[0][-5:], read.reply) == ("won.", "Sarah", "A")


def test_a_single_text_is_chosen_if_greedy_decoding_gives_it() -> None:
    row = {
        "target": " signs",
        "arguments": arguments(("He didn't see the", " signs")),
        "filtered_resps": [["-1.5", "True"]],
    }
    chosen, other = likelihoods_of(row), likelihoods_of({**row, "filtered_resps": [["-1.5", "False"]]})
    assert chosen is not None and other is not None
    assert (chosen.reply, other.reply, chosen.target) == (" signs", "", (" signs",))


def test_a_rolling_likelihood_is_one_number_which_may_be_infinite() -> None:
    row = {"arguments": arguments(("A whole page of text.",)), "filtered_resps": [["-inf"]]}
    read = likelihoods_of(row)
    assert read is not None and read.fields[0][1] == "-inf" and read.reply == ""


@pytest.mark.parametrize(
    "replies",
    [
        ["A"],
        [["The answer is A."]],
        [],
        None,
        "x",
        [["-1.5", "maybe"]],
        [["nan", "True"]],
        [["-1.0", "True"], "B"],
        [[[]]],
        {"a": 1},
    ],
)
def test_replies_are_no_likelihoods(replies: Any) -> None:
    assert likelihoods_of({"target": "A", "filtered_resps": replies, "arguments": arguments(("q", "{}"))}) is None
    assert arguments_of({"arguments": [["q"]]}) == arguments_of({}) == []
