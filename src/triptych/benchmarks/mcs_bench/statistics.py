"""Tables 2 and 5, computed from the user's copy. Lengths are in characters of the simplified texts; PV is width x
height in pixels, AR width / height."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from triptych.benchmarks.statistics import Measures, Printed, Statistic, count, length, mean, statistic_over
from triptych.records import Item

DOMAINS = {
    "ACT": "Ancient Chinese Text",
    "CAL": "Calligraphy",
    "PAI": "Painting",
    "OBS": "Oracle Bone Script",
    "SEA": "Seal",
    "REL": "Cultural Relic",
    "ILL": "Illustration",
}


def statistics(items: Sequence[Item], measures: Measures, printed: Printed) -> Iterator[Statistic]:
    """Yield, for each domain and all (Table 2), then for each task (Table 5): questions, lengths, pictures."""
    groups = {name: [item for item in items if item.facets.get("domain") == code] for code, name in DOMAINS.items()}
    for name, matching_items in {**groups, "OverAll": list(items)}.items():
        if matching_items:
            yield from _tasks(name, matching_items, printed)
            yield from _questions("T2", name, matching_items, measures, printed)
    for task in dict.fromkeys(item.task for item in items):
        matching_items = [item for item in items if item.task == task]
        yield from _questions("T5", task.partition("/")[2], matching_items, measures, printed)


def _tasks(name: str, items: Sequence[Item], printed: Printed) -> Iterator[Statistic]:
    formats = {item.task: item.facets.get("format") for item in items}
    for column, number in (
        ("tasks", len(formats)),
        ("MCQ tasks", sum(form == "MCQ" for form in formats.values())),
        ("QA tasks", sum(form == "QA" for form in formats.values())),
    ):
        yield count(name, column, number, printed=printed.get(("T2", name, column)), source="Table 2")


def _questions(
    table: str, name: str, items: Sequence[Item], measures: Measures, printed: Printed
) -> Iterator[Statistic]:
    source = f"Table {table[1:]}"

    def printed_value(column: str) -> float | None:
        return printed.get((table, name, column))

    yield count(name, "questions", len(items), printed=printed_value("Q"), source=source)
    yield mean(
        name, "average question length", map(length, items), "characters", printed=printed_value("AvgQ"), source=source
    )
    answers = [len(item.targets[0]) for item in items if item.targets]
    yield mean(name, "average answer length", answers, "characters", printed=printed_value("AvgA"), source=source)
    sizes = [measures.size(part) for item in items for part in item.parts if part.kind == "image"]
    pixels = [None if size is None else float(size[0] * size[1]) for size in sizes]
    ratios = [None if size is None else size[0] / size[1] for size in sizes]
    yield mean(name, "average pixels", pixels, "pixels", digits=0, printed=printed_value("AvgPV"), source=source)
    yield statistic_over(
        name, "most pixels", pixels, max, "pixels", digits=0, printed=printed_value("MaxPV"), source=source
    )
    yield statistic_over(
        name, "fewest pixels", pixels, min, "pixels", digits=0, printed=printed_value("MinPV"), source=source
    )
    yield mean(name, "average aspect ratio", ratios, printed=printed_value("AvgAR"), source=source)
    yield statistic_over(name, "largest aspect ratio", ratios, max, printed=printed_value("MaxAR"), source=source)
    yield statistic_over(name, "smallest aspect ratio", ratios, min, printed=printed_value("MinAR"), source=source)
