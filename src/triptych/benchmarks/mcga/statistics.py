"""Figure 5 and section 3.6, computed from the user's copy. The paper counts all splits; only `test` is released."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from triptych.benchmarks.mcga.names import DYNASTIES, GENRES, SPLITS
from triptych.benchmarks.statistics import Measures, Printed, Statistic, count, mean, media_of, statistic_over
from triptych.records import Item

FIGURE, TEXT, TABLE, READERS = "Figure 5", "section 3.6", "Table 4", "section 3.3"
CHINESE = frozenset({"chinese", "中文", "汉语言文学", "汉语言", "中国语言文学"})
PER_GENRE = 200


def statistics(items: Sequence[Item], measures: Measures, printed: Printed) -> Iterator[Statistic]:
    """Yield clips, hours, genres, periods and their pairs; lengths of clips; clips by period, genre and split;
    questions per speech task, test clips per genre; readers."""
    spoken = [item for item in items if item.facets.get("modality") == "audio"]
    clips = media_of(spoken, "audio")
    seconds = [measures.seconds(part) for part in clips]
    yield count("clips", "clips", len(clips), printed=22_000, source=FIGURE)
    hours = statistic_over("clips", "hours", seconds, sum, "h", digits=0, printed=119, source=FIGURE)
    yield _in_hours(hours)
    yield statistic_over("clips", "longest", seconds, max, "s", digits=1, printed=30.0, source=TEXT)
    yield statistic_over("clips", "shortest", seconds, min, "s", digits=1, printed=3.5, source=TEXT)
    yield mean("clips", "average length", seconds, "s", digits=1, printed=19.5, source=TEXT)
    pairs = {(item.facets.get("genre"), item.facets.get("dynasty")) for item in spoken}
    complete_pairs = {pair for pair in pairs if None not in pair}
    yield count("clips", "genres", len({genre for genre, _ in complete_pairs}), printed=5, source=FIGURE)
    yield count("clips", "periods", len({period for _, period in complete_pairs}), printed=11, source=FIGURE)
    yield count("clips", "pairs of period and genre", len(complete_pairs), printed=37, source=FIGURE)
    yield from _cells(spoken)
    yield from _tasks(spoken)
    yield from _readers(spoken)


def _readers(spoken: Sequence[Item]) -> Iterator[Statistic]:
    """Yield the people who read, if the rows name them, next to the paper's numbers; and the clips whose reader's
    gender, age or major is known."""
    clips = list({_clip(item): item for item in sorted(spoken, key=lambda item: len(item.facets))}.values())
    people = {item.facets["speaker"]: item for item in clips if "speaker" in item.facets}
    majors = [item for item in people.values() if item.facets.get("major", "").casefold() in CHINESE]
    counted: dict[str, tuple[int, int, Literal["", "about"]]] = {
        "people": (len(people), 28, ""),
        "men": (sum(item.facets.get("gender") == "man" for item in people.values()), 13, ""),
        "women": (sum(item.facets.get("gender") == "woman" for item in people.values()), 15, ""),
        "majors of Chinese": (len(majors), 14, "about"),
    }
    for name, (value, printed, says) in counted.items():
        reason = "" if people else "the rows don't name the reader"
        yield Statistic(
            "readers", name, value if people else None, printed=printed, source=READERS, reason=reason, says=says
        )
    for facet in ("gender", "age", "major"):
        counts = Counter(item.facets[facet] for item in clips if facet in item.facets)
        for name, number in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
            yield count("readers", f"clips, {facet} {name}", number, source=READERS)


def _cells(spoken: Sequence[Item]) -> Iterator[Statistic]:
    """Yield the clips of each pair of period and genre, by split: the cells of Figure 5, which has no numbers here."""
    clips = {_clip(item): item for item in spoken}.values()
    counts_by_cell = Counter(
        tuple(item.facets.get(name, "") for name in ("dynasty", "genre", "split")) for item in clips
    )
    for dynasty, genre in sorted({key[:2] for key in counts_by_cell}, key=_in_order):
        for split in (split for split in SPLITS if counts_by_cell[dynasty, genre, split]):
            yield count(f"{dynasty} {genre}", f"{split} clips", counts_by_cell[dynasty, genre, split], source=FIGURE)


def _clip(item: Item) -> str:
    return next((part.path for part in item.parts if part.kind == "audio"), item.id)


def _in_order(cell: tuple[str, ...]) -> tuple[int, ...]:
    orders = zip(cell, (DYNASTIES, GENRES), strict=True)
    return tuple(names.index(name) if name in names else len(names) for name, names in orders)


def _in_hours(statistic: Statistic) -> Statistic:
    from msgspec.structs import replace

    return statistic if statistic.value is None else replace(statistic, value=statistic.value / 3600)


def _tasks(spoken: Sequence[Item]) -> Iterator[Statistic]:
    """Yield questions by task; the paper prints those of ASR's test split."""
    for task in dict.fromkeys(item.task for item in spoken):
        items_of_task = [item for item in spoken if item.task == task]
        yield count(task.partition("/")[2], "questions", len(items_of_task))
    tested = [item for item in spoken if item.task == "mcga/asr" and item.facets.get("split") == "test"]
    for genre in GENRES if tested else ():
        number = sum(item.facets.get("genre") == genre for item in tested)
        yield count("asr", f"test clips of {genre}", number, printed=PER_GENRE, source=TABLE)
