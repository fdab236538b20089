"""Log-likelihoods in a row of lm-eval or lmms-eval, for tasks that compare texts instead of asking for a reply.

The result of each request is a pair, the log-likelihood and whether greedy decoding gives the text, both written as
texts (`["-12.5", "False"]`); a rolling log-likelihood is a single number.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

from triptych.records.log_figures import LIKELIHOOD


@dataclass(frozen=True, slots=True)
class Likelihoods:
    """The compared texts. `choices`: the options' texts, if the log has them; `labels`: theirs; `reply`: the label of
    the most likely one (for a single text: the text, if greedy decoding gives it); `fields`: (engine, number)."""

    question: str
    choices: tuple[str, ...]
    labels: tuple[str, ...]
    target: tuple[str, ...]
    reply: str
    fields: tuple[tuple[str, str], ...]


Pair = tuple[float, bool]


def likelihoods_of(row: Mapping[str, Any]) -> Likelihoods | None:
    """Return the log-likelihoods of a row; None if it has replies."""
    replies = row.get("filtered_resps", row.get("resps"))
    arguments = arguments_of(row)
    if (
        arguments
        and all(len(argument) == 1 for argument in arguments)
        and (total := _number(_unwrap_list(replies))) is not None
    ):
        return Likelihoods("", (), (), (), "", ((f"{LIKELIHOOD}text", repr(total)),))
    pairs = _pairs(replies)
    if not pairs:
        return None
    if len(pairs) == 1:
        return _single_likelihood(row, pairs[0], arguments)
    return _option_likelihoods(row, pairs, arguments)


def arguments_of(row: Mapping[str, Any]) -> list[list[Any]]:
    """Return the arguments of each request, if the log has them: lm-eval's `gen_args_0` -> `arg_0`, `arg_1` …"""
    arguments = row.get("arguments")
    if not isinstance(arguments, dict):
        return []
    return [list(values.values()) for values in arguments.values() if isinstance(values, dict)]


def _single_likelihood(row: Mapping[str, Any], pair: Pair, arguments: Sequence[Sequence[Any]]) -> Likelihoods:
    """Return a single text as chosen if greedy decoding gives it."""
    wanted = str(arguments[0][1]) if arguments and len(arguments[0]) > 1 else str(row.get("target", ""))
    fields = ((f"{LIKELIHOOD}text", repr(pair[0])), (f"{LIKELIHOOD}greedy", str(pair[1])))
    return Likelihoods("", (), (), (wanted,), wanted if pair[1] else "", fields)


def _option_likelihoods(
    row: Mapping[str, Any], pairs: Sequence[Pair], arguments: Sequence[Sequence[Any]]
) -> Likelihoods:
    """Return the most likely option as the choice. Half of the requests may be options without the question."""
    half = len(arguments) // 2
    if len(arguments) == len(pairs) == 2 * half and all(str(argument[0]) == "" for argument in arguments[half:]):
        pairs, arguments = pairs[:half], arguments[:half]
    question, choices = _options(arguments) if len(arguments) == len(pairs) else ("", ())
    labels = tuple(ascii_uppercase[: len(pairs)]) if len(pairs) <= 26 else tuple(map(str, range(1, len(pairs) + 1)))
    best = max(range(len(pairs)), key=lambda n: pairs[n][0])
    right = _right(str(row.get("target", "")), choices, len(pairs))
    fields = tuple((f"{LIKELIHOOD}{label}", repr(pair[0])) for label, pair in zip(labels, pairs, strict=True))
    target = () if right is None else (labels[right],)
    return Likelihoods(question, choices, labels, target, labels[best], fields)


def _options(arguments: Sequence[Sequence[Any]]) -> tuple[str, tuple[str, ...]]:
    """Return (question, options): the options are the parts in which requests differ, mostly the continuations."""
    if any(len(argument) < 2 for argument in arguments):
        return "", ()
    starts, ends = [str(argument[0]) for argument in arguments], [str(argument[1]) for argument in arguments]
    if len(set(ends)) == 1 and len(set(starts)) > 1:
        return ends[0].strip(), tuple(start.strip() for start in starts)
    return starts[0], tuple(end.strip() for end in ends)


def _right(target: str, choices: Sequence[str], n: int) -> int | None:
    """Return the index of the correct option; None if the log doesn't have it, or if it is ambiguous.

    The log has an option's number, or its text, both as a text.
    """
    named = [number for number, choice in enumerate(choices) if choice == target.strip()]
    numbered = [int(target)] if target.isascii() and target.isdecimal() and int(target) < n else []
    right_options = {*named, *numbered}
    return right_options.pop() if len(right_options) == 1 else None


def _pairs(value: Any) -> list[Pair]:
    """Return the pairs inside lists of one element; empty if these are not pairs."""
    if (pair := _pair(value)) is not None:  # lmms-eval removes the list if there is one request
        return [pair]
    if not isinstance(value, list):
        return []
    pairs = []
    for one in value:
        while isinstance(one, list) and len(one) == 1:
            one = one[0]
        if (pair := _pair(one)) is None:
            return []
        pairs.append(pair)
    return pairs


def _pair(value: Any) -> Pair | None:
    if not isinstance(value, list) or len(value) != 2 or str(value[1]) not in ("True", "False"):
        return None
    number = _number(value[0])
    return None if number is None else (number, str(value[1]) == "True")


def _unwrap_list(value: Any) -> Any:
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value


def _number(value: Any) -> float | None:
    """Return a log-likelihood, which may be minus infinity."""
    try:
        number = float(value) if isinstance(value, str | int | float) else math.nan
    except (ValueError, OverflowError):
        return None
    return None if math.isnan(number) else number
