"""Tables 5 and 6 and Figure 5, computed from the user's copy. Lengths are in characters; "answers" of multi are
all its options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from triptych.benchmarks.cmdar.rows import KINDS
from triptych.benchmarks.statistics import Measures, Printed, Statistic, count, length, mean
from triptych.records import Item

SOURCE = "Table 6"
# Table 5: the films that the clips were cut from. The released files don't name them.
FILMS = {
    "horror": 10,
    "comedy": 73,
    "martial arts and action": 48,
    "animation": 44,
    "romance": 94,
    "science fiction": 12,
    "war": 25,
    "suspense and crime": 88,
    "inspirational drama": 62,
    "period drama": 14,
    "other": 30,
}


def statistics(items: Sequence[Item], measures: Measures, printed: Printed) -> Iterator[Statistic]:
    """Yield, per question form, the numbers of questions and categories, the lengths of texts and audio, and the
    questions of each category and subtask; then the films."""
    for kind in KINDS:
        matching_items = [item for item in items if item.task == f"cmdar/{kind}"]
        if matching_items:
            yield from _form(
                kind,
                matching_items,
                measures,
                {column: v for (t, r, column), v in printed.items() if (t, r) == ("T6", kind)},
            )
            yield from _distribution(kind, matching_items)
    yield from _films()


def _distribution(kind: str, items: Sequence[Item]) -> Iterator[Statistic]:
    """Yield the questions of each category and subtask, which Figure 5 shows without numbers."""
    for facet in ("category", "subtask"):
        counts = Counter(item.facets[facet] for item in items if facet in item.facets)
        for name, number in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
            yield count(kind, f"{facet} {name}", number, source="Figure 5")


def _films() -> Iterator[Statistic]:
    """Yield the printed numbers of films by genre, which can't be counted in the released files."""
    for genre, number in {**FILMS, "all": sum(FILMS.values())}.items():
        yield Statistic("films", genre, None, printed=number, source="Table 5", reason="not in the released files")


def _form(kind: str, items: Sequence[Item], measures: Measures, figures: dict[str, float]) -> Iterator[Statistic]:
    yield count(kind, "questions", len(items), printed=figures.get("questions"), source=SOURCE)
    categories = {item.facets["category"] for item in items}
    yield count(kind, "tasks (categories)", len(categories), printed=figures.get("task"), source=SOURCE)
    if kind == "main":
        subtasks = {item.facets["subtask"] for item in items}
        yield count(kind, "subtasks", len(subtasks), printed=figures.get("sub task"), source=SOURCE)
    lengths = {
        "average question length": ("avg question length", [length(item) for item in items]),
        "average option length": (
            "avg answer length" if kind == "multi" else "avg option length",
            [len(option[0].text) for item in items for option in item.options],
        ),
        "average reference length": ("avg reference length", [len(str(item.target)) for item in items]),
    }
    if kind == "open":
        del lengths["average option length"]
    else:
        del lengths["average reference length"]
    for name, (column, values) in lengths.items():
        yield mean(kind, name, values, "characters", printed=figures.get(column), source=SOURCE)
    if kind == "multi":
        yield mean(
            kind,
            "average number of answers",
            [len(item.targets) for item in items],
            printed=figures.get("avg answer number"),
            source=SOURCE,
        )
    audio = [_seconds(item, measures) for item in items]
    yield mean(kind, "average audio length", audio, "s", printed=figures.get("avg audio length"), source=SOURCE)


def _seconds(item: Item, measures: Measures) -> float | None:
    """Return the length of a question's audio; None if some of it is missing."""
    every = [measures.seconds(part) for part in item.parts if part.kind == "audio"]
    seconds = [one for one in every if one is not None]
    return sum(seconds) if len(seconds) == len(every) else None
