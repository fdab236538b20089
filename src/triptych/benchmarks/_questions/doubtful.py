"""Answers and options that may not be meant as they are written: `N/A`, whole solutions, a few lists of answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from triptych.benchmarks._questions.answers import SEVERAL, number_of
from triptych.benchmarks._questions.mapping import Columns
from triptych.records import Item
from triptych.store.spooled import Again

_NOTHING_SAID = re.compile(r"n/?a|none|null|nil|-+|–|—|\?+|unknown|#n/a", re.IGNORECASE)
_SOLUTION = re.compile(r"####\s*\S[^\n]*\Z|\\boxed\{")  # the final answer, as GSM8K and MATH mark it
_FEW = 10  # percent: fewer questions with several answers than these decide for all only with a warning


def mostly_numbers(items: Iterable[Item], columns: Columns) -> list[str]:
    """Return a warning if the answers are text because a few of them are not numbers."""
    if columns.open_is != "text":
        return []
    cells = Again(lambda: (i.target for i in items if isinstance(i.target, str) and not i.options))
    count, _ = count_with_first(cells)
    others, example = count_with_first(one for one in cells if number_of(one) is None)
    if not others or others * 2 > count:
        return []
    text = f"{count - others} of {count} answers are numbers; {example[:40]!r} is not, so all are text"
    return [f"{text} (--map open_is=number lists what is not a number)"]


def doubtful_answers(items: Iterable[Item], columns: Columns) -> list[str]:
    """Return, in sentences, what about the answers and options is probably not meant, each with an example."""
    counts = [0] * len(_TESTS)
    examples = [""] * len(_TESTS)
    for item in items:
        for n, (test, _) in enumerate(_TESTS):
            if example := test(item):
                counts[n] += 1
                examples[n] = examples[n] or example
    sentences = [
        sentence.format(count=count, example=example)
        for count, example, (_, sentence) in zip(counts, examples, _TESTS, strict=True)
        if count
    ]
    return [*sentences, *_warn_of_few_lists(items, columns)]


def _warn_of_few_lists(items: Iterable[Item], columns: Columns) -> Iterator[str]:
    """Yield a warning if few questions have several correct options, but all are asked as if they could."""
    if columns.answer_is not in SEVERAL:
        return
    total = sum(bool(item.options) for item in items)
    some, example = count_with_first(
        f"{item.id} ({', '.join(item.targets)[:60]})" for item in items if item.options and len(item.targets) > 1
    )
    if 0 < some * 100 <= _FEW * total:
        verb = "has" if some == 1 else "have"
        way = "letter" if columns.answer_is == "letters" else "text"
        yield (
            f"{some:,} of {total:,} questions {verb} several correct options, such as {example}, so all {total:,} are "
            f"asked for several; if that is a mistake, correct these answers (--map answer_is={way} lists them)"
        )


def count_with_first(texts: Iterable[str]) -> tuple[int, str]:
    """Return the number of texts, and the first one.

    Example:
        >>> count_with_first(["a", "b"]), count_with_first([])
        ((2, 'a'), (0, ''))
    """
    source = iter(texts)
    first = next(source, None)
    return (0, "") if first is None else (1 + sum(1 for _ in source), first)


def _missing_value(item: Item) -> str:
    empty = not item.options and any(map(_NOTHING_SAID.fullmatch, item.targets))
    return f"{item.targets[0]!r} of {item.id}" if empty else ""


def _letter_of_another(item: Item) -> str:
    texts = ["".join(part.text for part in option).strip() for option in item.options]
    lone = any(text in item.labels and text != label for label, text in zip(item.labels, texts, strict=False))
    return item.id if lone else ""


def _whole_solution(item: Item) -> str:
    return item.id if item.task.endswith("/text") and any(map(_SOLUTION.search, item.targets)) else ""


_TESTS: tuple[tuple[Callable[[Item], str], str], ...] = (
    (
        _missing_value,
        "answers that usually mean that there is none are texts here: {count:,}, such as {example}",
    ),
    (
        _letter_of_another,
        "options that are the letter of another option, so that a reply can mean both: {count:,} questions, such as "
        "{example}",
    ),
    (
        _whole_solution,
        "reference answers that are a whole solution (`#### 42`, `\\boxed{{42}}`): {count:,}, such as that of {example}"
        "; the exact match compares all of it. Write the final answers into a column of their own (--map "
        "answer=COLUMN), or have a judge compare (--map open_is=judged)",
    ),
)
