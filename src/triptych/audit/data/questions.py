"""Checks of single questions: targets that aren't options, empty and repeated questions, banned words, small groups,
leaks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence

from triptych.audit.data.guessing import key_places
from triptych.audit.tables.rules import DataRules
from triptych.records import Finding, FindingSeverity, Item, finding

_SHOWN = 8  # Items named in one finding
_SMALL = 30  # questions under which a group's figure hardly counts


def check_questions(benchmark: str, task: str, items: Sequence[Item], file: str, rules: DataRules) -> Iterator[Finding]:
    """Yield one finding per kind of fault, with the Items concerned."""
    for kind, severity, message, test in _TESTS:
        if hits := [item.id for item in items if test(item)]:
            yield _finding(benchmark, kind, severity, f"{len(hits):,} of {len(items):,}: {message}", file, hits, task)
    yield from _doubled(benchmark, task, items, file)
    yield from _banned(benchmark, task, items, file, rules.banned)
    yield from _balance(benchmark, task, items, file, rules.balance)
    yield from _split(benchmark, task, items, file, rules.split_facet)


def _finding(
    benchmark: str, kind: str, severity: FindingSeverity, message: str, file: str, hits: Sequence[str], task: str
) -> Finding:
    return finding(
        kind,
        severity,
        benchmark,
        message,
        file=file,
        rows=hits[:_SHOWN],
        columns=[task],
        effect=f"{len(hits):,} question{'s' * (len(hits) != 1)}",
        about=message.partition(":")[2],
    )


def _keys(item: Item) -> tuple[str, ...]:
    """Return the texts of the reference answer: those of its options, or its own; a letter has none."""
    options = item.option_texts()
    return tuple(options[key_place] for key_place in key_places(item)) or (
        (item.target,) if isinstance(item.target, str) else ()
    )


def _texts(item: Item) -> tuple[str, ...]:
    shown = tuple(part.text for part in item.all_parts if not part.is_media)
    return (*shown, *(t for t in item.targets if t not in item.labels))


def _no_key(item: Item) -> bool:
    """Return whether an Item has options and the reference answer is none of them. Leading and trailing spaces don't
    count."""
    targets = {t.strip() for t in item.targets}
    return bool(item.options) and bool(targets) and len(key_places(item)) < len(targets)


def _by_blanks(item: Item) -> bool:
    """Return whether the reference answer equals an option only after leading and trailing spaces are removed."""
    options = item.option_texts()
    return bool(options) and not item.labels and not _no_key(item) and any(t not in options for t in item.targets)


def _key_twice(item: Item) -> bool:
    options = [o.strip() for o in item.option_texts()]
    return any(options.count(options[key_place]) > 1 for key_place in key_places(item))


def _option_twice(item: Item) -> bool:
    options = [o.strip() for o in item.option_texts()]
    return len(set(options)) < len(options) and not _key_twice(item)


def _is_empty(item: Item) -> bool:
    return any(not (part.text or part.path).strip() for part in item.all_parts)


def _keyless(item: Item) -> bool:
    """Return whether the reference answer is missing; the first Item of a Unit has it."""
    return item.place == 0 and (item.target is None or not str(item.target).strip())


_TESTS: tuple[tuple[str, FindingSeverity, str, Callable[[Item], bool]], ...] = (
    ("target", "severe", "the reference answer is not among the options", _no_key),
    ("target", "warning", "the reference answer differs from its option by leading or trailing spaces", _by_blanks),
    ("target", "warning", "another option is the same as the reference answer", _key_twice),
    ("target", "note", "two wrong options are the same", _option_twice),
    ("malformed", "severe", "a question, option or content is empty", _is_empty),
    ("malformed", "warning", "the reference answer is missing", _keyless),
)


def _question_key(item: Item) -> tuple[object, ...]:
    return (*((p.kind, p.sha256 or p.path or p.text) for p in item.parts), *sorted(item.option_texts()))


def _doubled(benchmark: str, task: str, items: Sequence[Item], file: str) -> Iterator[Finding]:
    """Yield findings on questions that occur more than once: the same stem with the same options in any order. They are
    severe if the reference answers differ.

    Forms of one Instance may be equal (a prompt drawn at random may be the fixed one) and are not reported.
    """
    groups: dict[tuple[object, ...], list[Item]] = defaultdict(list)
    for item in items:
        groups[_question_key(item)].append(item)
    twice = [group for group in groups.values() if len({item.instance_id for item in group}) > 1]
    severities: tuple[tuple[FindingSeverity, str], ...] = (
        ("severe", ", with different reference answers"),
        ("warning", ""),
    )
    for severity, words in severities:
        chosen = [group for group in twice if (len(set(map(_key_text, group))) > 1) is (severity == "severe")]
        if chosen:
            hits = [item.id for group in chosen for item in group]
            counted = f"{len(chosen):,} question{'s are' if len(chosen) > 1 else ' is'} asked"
            message = f"{counted} more than once{words}: {len(hits):,} of {len(items):,}"
            yield _finding(benchmark, "duplicate", severity, message, file, hits, task)


def _key_text(item: Item) -> object:
    """Return the text of the reference answer, whatever the position of its option."""
    options = item.option_texts()
    return tuple(sorted(options[key_place].strip() for key_place in key_places(item))) or str(item.target)


def _banned(benchmark: str, task: str, items: Sequence[Item], file: str, words: Sequence[str]) -> Iterator[Finding]:
    for word in words:
        low = word.casefold()
        keyed = {item.id for item in items if any(low in text.casefold() for text in _keys(item))}
        banned = [item.id for item in items if any(low in text.casefold() for text in _texts(item))]
        hits, keys = sorted(banned, key=lambda id_: id_ not in keyed), len(keyed)
        if hits:
            message = (
                f"{len(hits):,} of {len(items):,} contain “{word}”, which must not occur; "
                f"{keys:,} of them in the reference answer"
            )
            yield _finding(benchmark, "word", "warning" if keys else "note", message, file, hits, task)


def _balance(benchmark: str, task: str, items: Sequence[Item], file: str, facets: Sequence[str]) -> Iterator[Finding]:
    """Yield findings on groups of fewer than 30 questions, whose figures are of little use."""
    for facet in facets:
        sizes = Counter(item.facets[facet] for item in items if facet in item.facets)
        small = {name: n for name, n in sizes.items() if n < min(_SMALL, len(items) / len(sizes) / 2)}
        if small:
            name, n = min(small.items(), key=lambda pair: pair[1])
            counts = ", ".join(f"{k} {v}" for k, v in sizes.most_common())
            yield finding(
                "balance",
                "warning",
                benchmark,
                f"by {facet}: {counts}; one question is {100 / n:.1f} points of {name}",
                file=file,
                rows=list(small),
                columns=[task],
                published=None,
                recomputed=float(n),
                effect=f"a figure for {name} rests on {n} question{'s' * (n != 1)}",
                about=facet,
            )


def _split(benchmark: str, task: str, items: Sequence[Item], file: str, facet: str) -> Iterator[Finding]:
    """Yield a finding on contents (media by hash or path, otherwise texts) that occur in more than one split."""
    places: dict[object, dict[str, str]] = defaultdict(dict)
    for item in items:
        split = item.facets.get(facet, "") if facet else ""
        question = " ".join(part.text for part in item.parts if part.role == "question")
        for part in item.parts if split else ():
            # A text that the question has, too, is the mark of a file (`<audio 1>`).
            if part.is_media or (part.role == "content" and part.text not in question):
                places[part.sha256 or part.path or part.text].setdefault(split, item.id)
    shared = [shared_place for shared_place in places.values() if len(shared_place) > 1]
    if shared:
        names = " and ".join(sorted({split for by_split in shared for split in by_split}))
        message = f"{len(shared):,} contents occur in {names}: {len(items):,} questions were checked"
        hits = [id_ for value in shared for id_ in value.values()]
        yield _finding(benchmark, "leak", "severe", message, file, hits, task)
