"""Replies from which a harness read no answer, so that it drew an option at random and scored that.

The parsers of five tasks of lmms-eval and the answer extractor of VLMEvalKit do so. They are rebuilt as rules that say
when nothing is read; which option was drawn can't be known, and needn't be.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from triptych.audit.results.systems import System
from triptych.records import Finding, FindingSeverity, Item, Response, finding
from triptych.records.log_figures import LOG_NOTE
from triptych.store.log_figures import stored_scores

_SEVERE_FROM, _WARNING_FROM = 20, 5
_DRAWN_IN_LOG = "randomly generate"  # VLMEvalKit: "Failed to predict, thus randomly generate one."
_OPTION = re.compile(r"^\s*\(?([A-J])[.):]\s*(.+?)\s*$", re.MULTILINE)
_LONG_VIDEO_WORDS = (
    "The best answer is",
    "The correct answer is",
    "The answer is",
    "The answer",
    "The best option is",
    "The correct option is",
    "Best answer:",
    "Best option:",
)
Options = Mapping[str, str]  # letter -> text


def reads_nothing(reply: str, options: Options, *, spaced: bool = False, texts: bool = True) -> bool:
    """Return whether the parser that these tasks took from MMMU finds no option in a reply.

    It looks for `(A)`, then for `A ` (if `spaced`: ` A `), then for `A.`, and in replies of more than five words for
    the text of an option (unless `texts` is False).

    Example:
        >>> reads_nothing("a dog barks", {"A": "dog", "B": "cat"})
        True
        >>> reads_nothing("I think that a dog barks here", {"A": "dog", "B": "cat"})
        False
    """
    for mark in ",.!?;:'":
        reply = reply.strip(mark)
    reply = f" {reply} "
    marks = ("({})", " {} " if spaced else "{} ", "{}.")
    if any(mark.format(letter) in reply for mark in marks for letter in options):
        return False
    return not (texts and len(reply.split()) > 5 and any(text.lower() in reply.lower() for text in options.values()))


def _no_capital(reply: str) -> bool:
    """Return whether LongVideoBench's parser finds no letter from A to E."""
    for words in _LONG_VIDEO_WORDS:
        reply = reply.replace(words, "")
    return not re.search("[ABCDE]", reply)


Rule = Callable[[str, Options], bool]
_RULES: Sequence[tuple[str, Rule]] = (
    ("mmau*", lambda reply, options: reads_nothing(reply, options, spaced=True, texts=False)),
    ("mmar*", reads_nothing),
    ("mmsu*", reads_nothing),
    ("video_holmes*", reads_nothing),
    ("longvideobench*", lambda reply, options: _no_capital(reply)),
)


def check_drawn(system: System) -> Iterator[Finding]:
    """Yield a finding per task of a log in which options were drawn at random."""
    harness = system.manifest.model_settings.get("harness") if system.manifest else None
    if harness not in ("lmms-eval", "vlmevalkit"):
        return
    replies: dict[str, list[tuple[Response, bool]]] = defaultdict(list)
    for item in system.items.values():
        task, response = item.facets.get("log_task", ""), system.responses.get(item.id)
        if response is not None:
            replies[task].append((response, _is_drawn(str(harness), task, item, response)))
    for task, task_replies in replies.items():
        if hits := [response for response, drawn in task_replies if drawn]:
            system.drawn += len(hits)
            yield _finding(system, task, len(task_replies), hits, [response for response, _ in task_replies])


def _is_drawn(harness: str, task: str, item: Item, response: Response) -> bool:
    if harness == "vlmevalkit":
        notes = (step.text for step in response.intermediates if step.engine == LOG_NOTE)
        return any(_DRAWN_IN_LOG in words for words in notes)
    rule = next((rule for pattern, rule in _RULES if fnmatchcase(task, pattern)), None)
    return rule is not None and rule(response.text, _options(item))


def _options(item: Item) -> Options:
    """Return the options, which a log of lmms-eval has in the question's text."""
    if item.options:
        return {label: words or "" for label, words in zip(item.labels, item.option_words(), strict=False)}
    texts_by_letter = dict(_OPTION.findall("\n".join(part.text for part in item.parts)))
    return texts_by_letter or dict.fromkeys("ABCD", "")


def _finding(system: System, task: str, n: int, hits: Sequence[Response], every: Sequence[Response]) -> Finding:
    with_drawn, without = _accuracy(every), _accuracy(every, hits)
    share = len(hits) / n
    severity: FindingSeverity = "note"
    if len(hits) >= _WARNING_FROM and share >= 0.01:
        severity = "severe" if len(hits) >= _SEVERE_FROM and share >= 0.1 else "warning"
    empty = sum(not response.text.strip() for response in hits)
    are_defined = with_drawn is not None and without is not None
    return finding(
        "drawn",
        severity,
        system.benchmark.name,
        f"{system.name}, {task}: of {n:,} answers, {len(hits):,} "
        f"{'was' if len(hits) == 1 else 'were'} a random option: nothing was read from the reply, as from "
        f"{hits[0].text[:60]!r} ({hits[0].item.rpartition('/')[2]})"
        + (f"; {empty:,} of these replies {'is' if empty == 1 else 'are'} empty" if empty else ""),
        file=str(system.path),
        rows=[task],
        columns=["reply"],
        published=round(with_drawn, 2) if are_defined and with_drawn is not None else None,
        recomputed=round(without, 2) if are_defined and without is not None else None,
        effect=f"{100 * share:.1f}% of the answers; a random option is correct by chance",
        about=task,
    )


def _accuracy(every: Sequence[Response], wrong: Sequence[Response] = ()) -> float | None:
    """Return the mean of the log's scores in percent, with these counted as wrong; None if there are none."""
    out = {id(response) for response in wrong}
    scores = [
        0.0 if id(response) in out else value
        for response in every
        for _, value in list(stored_scores(response))[:1]
        if 0 <= value <= 1
    ]
    return 100 * sum(scores) / len(scores) if scores else None
