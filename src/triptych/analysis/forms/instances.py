"""Instances and the facet that varies: which Units are forms of one thing, verified; what can't be paired is named."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from triptych.analysis.observed import Observed, is_answered
from triptych.benchmarks.spec import Variation
from triptych.metrics.choice import read_letter, read_option
from triptych.records import Item, Listing, Part, Score
from triptych.scoring.figures.cells import CellName
from triptych.store.decoded import fact_table

# Facets that any benchmark's Runs can vary: every rotation of the options asked, and a question asked again.
ROTATION = Variation("rotation", "option order")
REPEAT = Variation("repeat", "repeat")
_NAMED = 1000  # that are named, at most
_SHOWN = 3  # examples named for each reason


@dataclass(frozen=True, slots=True)
class Group:
    """One Instance: its Scores by form. `stratum` is what it shares with its like: the Task, its form aside."""

    instance: str
    stratum: str
    scores: Mapping[str, Score]


@dataclass(frozen=True)
class Forms:
    """Instances by form. `values`: the forms, in order; `cells`: (stratum, form) -> its Scores' Task, as a cell.

    `left_out`: why Instances or Units are not compared, with examples.
    """

    variation: Variation
    values: tuple[str, ...]
    groups: tuple[Group, ...]
    cells: Mapping[tuple[str, str], CellName]
    left_out: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    note: str = ""

    def complete(self) -> tuple[Group, ...]:
        """The Instances that were asked in every form that their like have."""
        return tuple(g for g in self.groups if len(g.scores) == len(self.forms_in(g.stratum)))

    def forms_in(self, stratum: str) -> tuple[str, ...]:
        """The forms that Instances of this kind were asked in, in order."""
        return tuple(value for value in self.values if (stratum, value) in self.cells)

    def listing(self) -> Listing | None:
        """Return the Instances that are left out, with examples; None if there are none."""
        rows = [(why, f"{len(names):,}", _examples(names)) for why, names in self.left_out.items() if names]
        title = f"Left out of the comparison by {self.variation.title}"
        return (
            Listing(f"left_out.{self.variation.facet}", title, ("Why", "Count", "Examples"), tuple(rows))
            if rows
            else None
        )

    def omissions_listing(self) -> Listing | None:
        """Everything that is left out, by name; None where nothing is."""
        rows = [(name, why) for why, names in self.left_out.items() for name in dict.fromkeys(names)]
        title = f"Everything left out of the comparison by {self.variation.title}"
        return (
            Listing(
                f"named.{self.variation.facet}", title, ("Unit or Instance", "Why"), tuple(rows[:_NAMED]), len(rows)
            )
            if rows
            else None
        )


def _examples(names: Sequence[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (" …" if len(names) > _SHOWN else "")


def variations(run: Observed) -> list[Variation]:
    """The facets that vary inside this Run's Instances: those of the benchmark, rotations, repeats."""
    scores, spec = run.main_scores, run.benchmark.spec
    varied = [v for v in (*spec.variations, ROTATION) if len({s.facets.get(v.facet) for s in scores} - {None}) > 1]
    return [*varied, REPEAT] if any(score.repeat for score in scores) else varied


def forms_of(run: Observed, variation: Variation) -> Forms:
    """The Instances of one Run by one facet; all other facets that vary are held fixed."""
    held = [v.facet for v in (*run.benchmark.spec.variations, ROTATION) if v.facet != variation.facet]
    labelled = _instances_by_label(run.main_scores, variation)

    def form(score: Score) -> str:
        name = variation.facet if not variation.content or score.instance in labelled else variation.content
        return str(score.repeat) if variation is REPEAT else score.facets.get(name, "")

    fixed: dict[int, tuple[str, ...]] = {}  # by the identity of facets, which many Scores share

    def context(score: Score) -> tuple[str, ...]:
        if variation is REPEAT:
            return (score.instance, score.metric, score.unit)
        facets = score.facets
        if (form_name := fixed.get(id(facets))) is None:
            form_name = fixed[id(facets)] = tuple(facets.get(facet, "") for facet in held)
        return (score.instance, score.metric, *form_name, str(score.repeat) if score.repeat else "")

    chosen = [s for s in run.main_scores if not variation.values or form(s) in variation.values]
    text = (
        f"the forms of {len(labelled):,} Instances are known only from the files' label ({variation.facet}): the "
        f"content that "
    )
    note = f"{text}would verify them is missing" if labelled else ""
    return _group(chosen, form, context, variation, run.items, note, removed=variation.facet)


def _instances_by_label(scores: Iterable[Score], variation: Variation) -> frozenset[str]:
    """The Instances of which not every Score says what its content's form is; none where no content is asked for."""
    return frozenset(s.instance for s in scores if variation.content and variation.content not in s.facets)


def forms_across(runs: Sequence[Observed], variation: Variation, names: Sequence[str]) -> Forms:
    """The Units of several Runs, each Run a form called by its name: the facet that varies is the Run's."""
    names_by_score = {id(score): name for run, name in zip(runs, names, strict=True) for score in run.main_scores}
    scores = [score for run in runs for score in run.main_scores]
    return _group(
        scores,
        lambda s: names_by_score[id(s)],
        lambda s: (s.unit, s.metric, str(s.repeat)),
        variation,
        {},
        "",
        removed="",
        order=names,
    )


def _group(
    scores: Sequence[Score],
    form: Callable[[Score], str],
    context: Callable[[Score], tuple[str, ...]],
    variation: Variation,
    items: Mapping[str, Item],
    note: str,
    *,
    removed: str,
    order: Sequence[str] = (),
) -> Forms:
    gathered: dict[tuple[str, ...], dict[str, Score]] = defaultdict(dict)
    left: dict[str, list[str]] = defaultdict(list)
    there: dict[str, None] = {}
    for score in scores:
        name = form(score)
        there[name] = None
        if gathered[context(score)].setdefault(name, score) is not score:
            left["the same form twice in an Instance"].append(score.unit)
    values = tuple(v for v in (order or variation.values or sorted(there)) if v in there)
    values_of: dict[tuple[str, ...], str]  # by Units, once for the Items that several Runs share
    values_of, _ = fact_table("contradiction").setdefault(id(items), ({}, items))
    groups: list[Group] = []
    for key, members in gathered.items():
        if len(members) < 2:
            form_ = _names(members) if any(members) else "one form"
            left[f"asked in {form_} only: no other form to pair it with"].append(next(iter(members.values())).unit)
        elif variation is not ROTATION and (fault := _contradiction(members, items, values_of)):
            left[fault].append(key[0])
        else:
            groups.append(Group(next(iter(members.values())).instance, _stratum(members.values(), removed), members))
    cells: dict[tuple[str, str], CellName] = {
        (g.stratum, value): (score.task, score.metric, ()) for g in groups for value, score in g.scores.items()
    }
    forms = Forms(variation, values, tuple(groups), cells, note=note)
    forms_in = {stratum: forms.forms_in(stratum) for stratum in {group.stratum for group in groups}}
    for group in groups:
        for value in forms_in[group.stratum]:
            if value not in group.scores:
                left[f"not asked in {value}: counts only in pairs of the other forms"].append(group.instance)
            elif not is_scorable(group.scores[value]):
                left[f"no answer that could be scored in {value}"].append(group.instance)
    ordered = {why: tuple(all_) for why, all_ in sorted(left.items(), key=lambda pair: -len(pair[1]))}
    return replace(forms, left_out=ordered)


def is_scorable(score: Score) -> bool:
    """Whether there is an answer, and something to score it against."""
    return is_answered(score) and score.denominator > 0


def _names(values: Iterable[str]) -> str:
    return ", ".join(value or "none" for value in values)


def _stratum(scores: Iterable[Score], removed: str) -> str:
    """Their Tasks with the form taken out, and the metric: `xmodbench/spatial/panaroma acc`."""
    tasks, metric = set(), ""
    for score in scores:
        metric = score.metric
        tasks.add(_task_without_form(score.task, score.facets.get(removed, "") if removed else ""))
    return f"{' + '.join(sorted(tasks))} {metric}"


@lru_cache(maxsize=1024)
def _task_without_form(task: str, form: str) -> str:
    """The Task's name without the step that is the form."""
    return "/".join(step for step in task.split("/") if not form or step != form)


def _contradiction(
    scores: Mapping[str, Score], items: Mapping[str, Item], values_of: dict[tuple[str, ...], str]
) -> str:
    """`contradiction` of the Items of these Scores, once for the same Units."""
    units = tuple([score.unit for score in scores.values()])
    if units not in values_of:
        values_of[units] = contradiction([items[unit] for unit in units if unit in items])
    return values_of[units]


def contradiction(items: Sequence[Item]) -> str:
    """Return why these Items can't be forms of one multiple-choice question; empty if they can.

    The letters of the correct options must be the same, and so must stem and options if these are of the same modality.
    """
    lettered = [item for item in items if item.answer == "letter"]
    if len({item.target for item in lettered}) > 1:
        return "the forms have different reference answers: not the same question"
    picks: dict[tuple[str, ...], object] = {}
    for item in lettered:
        stem = [part for part in item.parts if part.role == "content"]
        content = _content(stem)
        if stem and picks.setdefault(("stem", *sorted([part.kind for part in stem])), content) != content:
            return "the forms have different contents: not the same question"
        options = [part for option in item.options for part in option]
        content = _content(options)
        if options and picks.setdefault(("options", *sorted({part.kind for part in options})), content) != content:
            return "the forms have different options: not the same question"
    return ""


def _content(parts: Iterable[Part]) -> tuple[str, ...]:
    return tuple([part.text or part.path for part in parts])


def choices(item: Item) -> tuple[str, ...]:
    """The names of an Item's places: its letters, else 1, 2, 3 …; empty for an open question, or several answers."""
    if item.answer == "letter":
        return item.labels
    return tuple(str(n + 1) for n in range(len(item.options))) if item.answer == "option" else ()


class OptionPositions(NamedTuple):
    """The positions of an Item's options: their names, that of the correct option, and by how many they are rotated."""

    item: Item
    names: tuple[str, ...]
    key: str
    turned: str


def places_of(run: Observed) -> Mapping[str, OptionPositions]:
    """Return Unit -> its positions; computed once for the Items that several Runs share."""
    positions_kept: dict[int, tuple[Mapping[str, OptionPositions], Mapping[str, Item]]] = fact_table("places")
    items = run.items
    if id(items) not in positions_kept:
        positions = {
            unit: OptionPositions(item, choices(item), key_place(item), item.facets.get(ROTATION.facet, "0"))
            for unit, item in items.items()
        }
        positions_kept[id(items)] = positions, items
        return positions
    return positions_kept[id(items)][0]


def picked_position(score: Score, item: Item, run: Observed) -> str:
    """Return the position that a reply picked; empty if none could be extracted."""
    reply = run.answer_texts.get((score.unit, score.repeat), "")
    if item.answer == "letter":
        return (
            reply if reply in item.labels or not reply else read_letter(reply, item.labels, item.option_words()) or ""
        )
    option = read_option(reply, item.option_texts()) if reply and item.options else None
    return "" if option is None else str(option + 1)


def unrotated(position: str, turned: str, places: Sequence[str]) -> str:
    """Return the position of an option before rotation by `turned`, so that forms can be compared."""
    if turned == "0" or position not in places or not turned.isdecimal():
        return position
    return places[(places.index(position) + int(turned)) % len(places)]


def key_place(item: Item) -> str:
    """Return the position of the correct option; empty if there is none."""
    if not isinstance(item.target, str) or not item.target_positions:
        return ""
    position = item.target_positions[0]
    return item.labels[position] if item.answer == "letter" else str(position + 1)
