"""Section 3.1 and appendix 8, computed from the user's copy; then the figures of the authors' `compute_stats.py`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from triptych.benchmarks.statistics import Measures, Printed, Statistic, count, mean, media_of, statistic_over
from triptych.records import Item

SECTION, TABLE, SCRIPT = "section 3.1", "Table 1", "compute_stats.py"


def statistics(items: Sequence[Item], measures: Measures, printed: Printed) -> Iterator[Statistic]:
    """Yield talks with hours and words; segments; summaries; questions per talk. Only English: others are parallel."""
    english = [item for item in items if item.facets.get("language") == "en"]
    yield count("all", "languages", len({i.facets.get("language") for i in items}), printed=4, source=SECTION)
    tasks = {item.facets["acronym"] for item in items if "acronym" in item.facets}
    yield count("all", "tasks by modality (Table 1)", len(tasks), printed=13, source=TABLE)
    yield from _talks([i for i in english if _is_of_kind(i, "long", "ASR")], measures)
    yield from _segments([i for i in english if _is_of_kind(i, "short", "ASR")], measures)
    yield from _summaries([i for i in english if _is_of_kind(i, "long", "SUM")], measures)
    yield from _questions([i for i in english if _is_of_kind(i, "long", "QA")])
    yield from _reference_files(items, measures)


def _is_of_kind(item: Item, track: str, kind: str) -> bool:
    return (item.facets.get("track"), item.facets.get("kind")) == (track, kind)


def _talks(items: Sequence[Item], measures: Measures) -> Iterator[Statistic]:
    transcripts = {item.instance_id: str(item.target or "") for item in items if not item.place}
    yield count("talks", "talks", len(transcripts), printed=21, source=SECTION)
    yield rounded_statistic(_hours("talks", "hours of video", items, "video", measures, 2))
    words = sum(len(text.split()) for text in transcripts.values())
    yield rounded_statistic(count("talks", "words of the transcripts", words, printed=15_500, source=SECTION))


def _segments(items: Sequence[Item], measures: Measures) -> Iterator[Statistic]:
    seconds = [measures.seconds(part) for part in media_of(items, "audio")]
    yield rounded_statistic(mean("segments", "average length", seconds, "s", digits=1, printed=16, source=SECTION))


def _summaries(items: Sequence[Item], measures: Measures) -> Iterator[Statistic]:
    texts = {item.instance_id: str(item.target or "") for item in items}
    yield count("summaries", "talks with a summary", len(texts), printed=100, source=SECTION)
    yield rounded_statistic(_hours("summaries", "hours of video", items, "video", measures, 10))
    words = sum(len(text.split()) for text in texts.values())
    yield rounded_statistic(count("summaries", "words of the summaries", words, printed=17_000, source=SECTION))


def _questions(items: Sequence[Item]) -> Iterator[Statistic]:
    """Yield questions per talk: those about the same recording or text."""
    different = {item.instance_id: item for item in items}
    yield count("questions", "questions", len(different))
    talks = Counter(_talk(item) for item in different.values())
    if "" not in talks:
        fewest = statistic_over(
            "questions", "fewest of a talk", map(float, talks.values()), min, digits=0, printed=10, source=SECTION
        )
        yield replace(fewest, says="at least")
    for facet in ("qa_origin", "qa_type"):
        for value, number in sorted(Counter(item.facets.get(facet, "") for item in different.values()).items()):
            if value:
                yield count("questions", f"{facet.replace('qa_', '')} {value}", number)


def _reference_files(items: Sequence[Item], measures: Measures) -> Iterator[Statistic]:
    """Yield, for each reference file (track and language) and task, what the authors' script prints: samples (segments
    in the short track), seconds of audio, and words of the references (characters in Chinese); of questions also by
    type, origin and both."""
    matching_items = [item for item in items if item.facets.get("modality") == "audio"]
    one = [item for item in matching_items if item.facets.get("prompts") == matching_items[0].facets.get("prompts")]
    groups: dict[str, list[Item]] = {}
    for item in one:
        facets = item.facets
        start = f"{facets['track']} {facets['language']} {facets['kind']}"
        subtasks = (("qa_type",), ("qa_origin",), ("qa_type", "qa_origin")) if "qa_type" in facets else ()
        for names in ((), *subtasks):
            groups.setdefault("_".join([start, *(facets.get(name, "") for name in names)]), []).append(item)
    for name, group in groups.items():
        yield from _samples(name, group, measures)


def _samples(of: str, items: Sequence[Item], measures: Measures) -> Iterator[Statistic]:
    chinese = items[0].facets["language"] == "zh"
    unit, size = ("characters", len) if chinese else ("words", lambda text: len(text.split()))
    length = sum(size(str(item.target or "").strip()) for item in items if not item.place)
    seconds = [measures.seconds(part) for item in items for part in item.parts if part.kind == "audio"]
    yield count(of, "samples", len(items), source=SCRIPT)
    yield statistic_over(of, "audio", seconds, sum, "s", source=SCRIPT)
    yield mean(of, "average audio", seconds, "s", source=SCRIPT)
    yield Statistic(of, f"{unit} of references", float(length), n=len(items), source=SCRIPT)
    yield Statistic(of, f"average {unit} of references", length / len(items), n=len(items), digits=2, source=SCRIPT)


def rounded_statistic(statistic: Statistic) -> Statistic:
    """Return the statistic with a printed figure that is rounded in the paper."""
    return replace(statistic, says="about")


def _talk(item: Item) -> str:
    """Return the talk of a question: its recording's name without folder and ending; empty if its content is a text."""
    return next((part.path.rpartition("/")[2].rpartition(".")[0] for part in item.parts if part.is_media), "")


def _hours(of: str, name: str, items: Sequence[Item], kind: str, measures: Measures, printed: float) -> Statistic:
    hours = statistic_over(
        of,
        name,
        [measures.seconds(part) for part in media_of(items, kind)],
        sum,
        "h",
        digits=1,
        printed=printed,
        source=SECTION,
    )
    return hours if hours.value is None else replace(hours, value=hours.value / 3600)
