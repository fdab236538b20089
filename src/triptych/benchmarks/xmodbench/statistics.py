"""The counts of sections 1 and 3 and of Figure 2, computed from the user's copy: 60,828 questions, 10,138 in each of
six directions; and Table 1, where the other benchmarks' rows are as printed."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from triptych.benchmarks.statistics import Measures, Printed, Statistic, count
from triptych.benchmarks.xmodbench.names import DIRECTIONS, FAMILIES
from triptych.records import Item

TEXT, TABLE, QUESTIONS = "section 1", "Table 1", 60_828
# Questions in each direction as Figure 2 has them (the authors' plot_dist.py); their sum is 60,828 / 6
FIGURE: Mapping[str, int] = {
    "general": 1000,
    "finegrained": 1000,
    "natures": 500,
    "instruments": 1000,
    "instruments_comp": 500,
    "arrangements": 465,
    "panaroma": 390,
    "3D_movements": 509,
    "order": 500,
    "count": 411,
    "calculation": 439,
    "recognition": 672,
    "translation": 702,
    "emotion_classification": 700,
    "music_genre_classification": 1000,
    "movie_matching": 200,
    "singer_identification": 150,
}
SOURCE = "six times Figure 2"
COMPARED = Path(__file__).with_name("published") / "compared.toml"


def statistics(items: Sequence[Item], measures: Measures, printed: Printed) -> Iterator[Statistic]:
    """Yield questions in total, by direction, modality, family and subtask; numbers of families and subtasks."""
    six = [item for item in items if item.facets["direction"] in DIRECTIONS]
    yield count("all", "questions", len(six), printed=QUESTIONS, source=TEXT)
    yield count("all", "families", len({item.facets["family"] for item in six}), printed=5, source=TEXT)
    yield count("all", "subtasks", len({item.facets["subtask"] for item in six}), printed=17, source=TEXT)
    options = {len(item.options) for item in six}
    for number in sorted(options):
        yield count("all", "options of a question", number, printed=4, source="section 3.2")
    for direction in DIRECTIONS:
        total = sum(item.facets["direction"] == direction for item in six)
        yield count(direction, "questions", total, printed=QUESTIONS / 6, source="a sixth of 60,828")
    yield from _modalities(six)
    for family, subtasks in FAMILIES.items():
        of_family = [item for item in six if item.facets["family"] == family]
        yield count(
            family, "questions", len(of_family), printed=6 * sum(map(FIGURE.__getitem__, subtasks)), source=SOURCE
        )
        for subtask in subtasks:
            number = sum(item.facets["subtask"] == subtask for item in of_family)
            yield count(f"{family}/{subtask}", "questions", number, printed=6 * FIGURE[subtask], source=SOURCE)
    yield from _benchmark_comparison()


def _benchmark_comparison() -> Iterator[Statistic]:
    """Yield the rows of Table 1: the questions of each benchmark, and which modalities and kinds of task it has."""
    for row in tomllib.loads(COMPARED.read_text(encoding="utf-8"))["benchmarks"]:
        facts = {name: ", ".join(row[name]) for name in ("context", "candidates", "domains")}
        facts["consistency"] = "yes" if row["consistent"] else "no"
        of = f"{row['name']} ({row['source']})" if row.get("source") else row["name"]
        number, reason = float(row["questions"]), "as printed, not computed"
        yield Statistic(of, "questions", None, printed=number, source=TABLE, reason=reason, facts=facts)


def _modalities(six: Sequence[Item]) -> Iterator[Statistic]:
    """Yield the questions with context and with candidates in each modality, and the Instances that have all six forms:
    XModBench's row of Table 1, which has a tick for each of these."""
    for index, name in enumerate(("context", "candidates")):
        for modality in ("text", "vision", "audio"):
            number = sum(item.facets["direction"].split("_")[index] == modality for item in six)
            yield count(name, f"questions with {modality}", number, source=TABLE)
    forms: dict[str, set[str]] = {}
    for item in six:
        forms.setdefault(item.instance_id, set()).add(item.facets["direction"])
    complete = sum(len(form_group) == len(DIRECTIONS) for form_group in forms.values())
    yield count("Instances", "in all six directions", complete, source=TABLE)
    yield count("Instances", "all", len(forms), printed=QUESTIONS // 6, source=TEXT)
