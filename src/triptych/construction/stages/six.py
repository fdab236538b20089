"""Six directions from one Instance: the same three distractors, the target's position drawn for each direction.

An Instance has four candidates, each a form (`stages/triplets.py`), the target first. `directions` splits it into six
records, one for each pair of modalities; `options` are texts or media values, `answers` is the target's position.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta

from triptych.benchmarks.xmodbench.names import DIRECTIONS
from triptych.construction.engine.context import Context, Values
from triptych.construction.engine.media import MediaStore
from triptych.construction.parameters import Parameters
from triptych.construction.record import Child, Outcome, dropped, kept, split
from triptych.construction.stage import stage
from triptych.construction.stages._figures import surface_cues_of
from triptych.construction.stages.guessing import beyond_band, to_leave_out
from triptych.construction.stages.options import balance_keys
from triptych.construction.stages.triplets import FORMS, own_form
from triptych.construction.text_checks.options.synonyms import label_meaning, overlapping
from triptych.construction.text_checks.wording import plain_meaning
from triptych.metrics.surface_cues import classified, simple_rules, telling_rules

NUMBER = 4  # candidates
_NEARNESS = ("group", "category", "concept", "close", "ranked", "paired", "step", "alike", "relation")


@stage(
    "candidates",
    version=10,
    kind="whole",
    writes=["candidates", "distractors"],
    reads=["subtask", "pool", *(f"{name}?" for name in (*_NEARNESS, *FORMS))],
)
def candidates(records: Sequence[Values], context: Context) -> list[Outcome]:
    """Give each Instance its target and three distractors, the same for all directions.

    `pool` says where distractors come from: `own` (the record's `wrong` forms), `group` (records of its subtask with
    the same `group`) or `subtask` (all of its subtask). Their texts differ from the target's and from each other's, and
    so do their categories (with `paired`: the pairs of group and category) and their `concept`; synonyms, plurals and
    spellings of labels count as one, and a label isn't next to a more general one (`a dog barking`, `an animal`). They
    were made as the target was: no synthetic voice is among recordings. Near ones come first: the categories of
    `ranked` in this order, those whose category is among `close`, then those with the same group or category; the rest
    is drawn by the seed. If the first ones leave no third, others are tried. An Instance with fewer than three is
    dropped.

    With `step` (seconds), the recordings of the four candidates have the same number of steps, and so have their films:
    the target would otherwise be the one that is as long as the stem. An Instance that has three distractors, but not
    of its length, is dropped as `no-distractors-of-its-length`.
    """
    pools: dict[tuple[str, object], list[Values]] = defaultdict(list)
    for values in records:
        pools[_pool(values)].append(values)
    return [_with_candidates(values, pools[_pool(values)], context) for values in records]


@stage(
    "other-candidates",
    version=7,
    kind="whole",
    writes=["candidates", "distractors", "unfit", "retest"],
    reads=[
        *("subtask", "pool", "candidates", "distractors?", "unfit?"),
        *(f"{name}?" for name in (*_NEARNESS, *FORMS)),
    ],
)
def other_candidates(records: Sequence[Values], context: Context) -> list[Outcome]:
    """Replace the distractors of an Instance that a judge or a person found to be correct as well.

    `unfit` lists their numbers among the candidates, of which the target is 1. Others are drawn as `candidates` draws
    them, from the rows that are left; of wrong texts that belong to one row, those that were not used. `retest` marks
    the Instance for a second look. If there are too few others, it is dropped as `second-right-candidate`.
    """
    pools: dict[tuple[str, object], list[Values]] = defaultdict(list)
    for values in records:
        pools[_pool(values)].append(values)
    return [
        _replaced(values, pools[_pool(values)], context) if values["unfit"] else kept(retest=False)
        for values in records
    ]


def _replaced(values: Values, pool: Sequence[Values], context: Context) -> Outcome:
    target, *wrong = [dict(form) for form in values["candidates"]]
    unfit = {int(number) - 2 for number in values["unfit"]}
    ids = list(values["distractors"] or [""] * len(wrong))
    held = [(ids[index], form) for index, form in enumerate(wrong) if index not in unfit]
    if values["pool"] == "own":
        used = [target, *wrong]
        spare = [dict(form) for form in values["wrong"] or () if not any(_same_form(form, other) for other in used)]
        forms = [*held, *(("", form) for form in _distinct(target, spare))]
    else:
        left = [other for other in pool if other.id not in {ids[position] for position in unfit}]
        forms = _draw_others(values, target, left, context, held=held)
    if len(forms) < NUMBER - 1:
        return dropped("second-right-candidate", "there are no other distractors")
    forms = forms[: NUMBER - 1]
    kept_ids = [id for id, _ in forms] if values["distractors"] else []
    candidates = [target, *(form for _, form in forms)]
    return kept(candidates=candidates, distractors=kept_ids, unfit=None, retest=True)


def _pool(values: Values) -> tuple[str, object]:
    return values["subtask"], values["group"] if values["pool"] == "group" else None


def _with_candidates(values: Values, pool: Sequence[Values], context: Context) -> Outcome:
    target = values["target"] or own_form(values)
    if values["pool"] == "own":
        wrong = _distinct(target, [dict(form) for form in values["wrong"] or ()])
        ids: list[str] = []
    else:
        candidates = _draw_others(values, target, pool, context)
        wrong, ids = [form for _, form in candidates], [id for id, _ in candidates]
        if (
            len(wrong) < NUMBER - 1
            and values["step"]
            and len(_draw_others(values, target, pool, context, alike=False)) > 2
        ):
            length = ", ".join(
                f"{steps * values['step']:g} s" for steps in _steps(target, values["step"], context.media)
            )
            return dropped("no-distractors-of-its-length", f"{length}; {len(wrong)} of {NUMBER - 1} are as long")
    if len(wrong) < NUMBER - 1:
        return dropped("too-few-distractors", f"{len(wrong)} of {NUMBER - 1}{_unusable(values, target, pool)}")
    return kept(candidates=[target, *wrong[: NUMBER - 1]], distractors=ids)


_MAX_NAMED = 6  # options whose reasons are named


def _unusable(values: Values, target: Mapping[str, Any], pool: Sequence[Values]) -> str:
    """Say which other texts or rows can't be distractors, and why; empty if there are no others."""
    if values["pool"] == "own":
        forms = [(repr(str(form["text"])[:40]), form) for form in values["wrong"] or ()]
        reasons = [
            f"{name} {fault}"
            for number, (name, form) in enumerate(forms)
            if (fault := _twin_of(form, [("the right one", target), *forms[:number]]))
        ]
    else:
        others = [other for other in pool if other.id != values.id]
        reasons = [f"{other.id} {fault}" for other in others if (fault := _unfit(values, target, other))]
    more = f"; and {len(reasons) - _MAX_NAMED} more" if len(reasons) > _MAX_NAMED else ""
    return f": {'; '.join(reasons[:_MAX_NAMED])}{more}" if reasons else ""


def _twin_of(form: Mapping[str, Any], others: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
    """Say with which earlier form a form shares its recording, picture or text; empty if with none."""
    for name, other in others:
        for kind, noun in (("audio", "sounds like"), ("vision", "looks like")):
            if form[kind] and form[kind] == other[kind]:
                return f"{noun} {name} (one file)"
        if _same_form(form, other):
            return f"says the same as {name}"
    return ""


def _unfit(values: Values, target: Mapping[str, Any], other: Values) -> str:
    """Say why another row can't be a distractor of this one; empty if it can."""
    form = other["target"] or own_form(other)
    if sorted(form["made"] or ()) != sorted(target["made"] or ()):
        made = ", ".join(form["made"] or ()) or "nothing"
        return f"was made otherwise ({made} by the build; here {', '.join(target['made'] or ()) or 'nothing'})"
    if fault := _twin_of(form, [("this row", target)]):
        return fault
    if shared := sorted(_meanings(values) & _meanings(other)):
        return f"has the same {shared[0].partition(' ')[0]}"
    return "has a label that is right here too" if _overlap(_labels(values), _labels(other)) else ""


def _distinct(target: Mapping[str, Any], forms: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The forms whose text, audio and vision differ from the target's and from each other's."""
    taken: list[Mapping[str, Any]] = [target]
    for form in forms:
        if not any(_same_form(form, other) for other in taken):
            taken.append(form)
    return [dict(form) for form in taken[1:]]


def _draw_others(
    values: Values,
    target: Mapping[str, Any],
    pool: Sequence[Values],
    context: Context,
    *,
    alike: bool = True,
    held: Sequence[tuple[str, dict[str, Any]]] = (),
) -> list[tuple[str, dict[str, Any]]]:
    """Three others with their ids, the nearest first and otherwise at random; `alike`: of the target's length.

    held: distractors that are kept, with their ids.
    """
    draw = context.random("distractors", values.id)
    others = [other for other in pool if other.id not in {values.id, *(id for id, _ in held)}]
    ordered = sorted(others, key=lambda other: (_distance(values, other), draw.random()))
    taken: list[Mapping[str, Any]] = [target, *(form for _, form in held)]
    kept_ids = {id for id, _ in held}
    near = [values, *(other for other in pool if other.id in kept_ids)]
    meanings = set().union(*map(_meanings, near))
    labels = {label for each in near for label in _labels(each)}
    step = values["step"] if alike else None
    length = _steps(target, step, context.media) if step else ()

    def usable_options() -> Iterator[_Option]:
        for other in ordered:
            form = other["target"] or own_form(other)
            so_made = sorted(form["made"] or ()) == sorted(target["made"] or ())
            fresh = not (_meanings(other) & meanings) and not any(_same_form(form, each) for each in taken)
            fresh = fresh and not _overlap(labels, _labels(other))
            if so_made and fresh and (not step or _steps(form, step, context.media) == length):
                yield other.id, form, _meanings(other), _labels(other)

    more = _separate_options(usable_options(), NUMBER - len(taken))
    return [(id, dict(form)) for id, form in (*held, *((id, form) for id, form, *_ in more))]


_Option = tuple[str, Mapping[str, Any], set[str], frozenset[str]]  # id, form, meanings, labels
_TRIES = 5_000  # pairs that a search compares before it takes the most that it found


def _separate_options(options: Iterator[_Option], number: int) -> list[_Option]:
    """Return the first `number` options of which no two have a meaning or a medium in common; if there aren't so many,
    as many as were found.

    The first fitting ones are tried first. If these are too few, an earlier choice is taken back: of a small pool with
    synonyms, the first choice may rule out all others.
    """
    seen: list[_Option] = []
    best: list[_Option] = []
    tries = 0

    def option(position: int) -> _Option | None:
        while len(seen) <= position and (following := next(options, None)) is not None:
            seen.append(following)
        return seen[position] if position < len(seen) else None

    def search(position: int, chosen: list[_Option]) -> bool:
        nonlocal best, tries
        if len(chosen) > len(best):
            best = chosen
        while len(best) < number and tries < _TRIES and (candidate := option(position)) is not None:
            position, tries = position + 1, tries + 1
            if not any(
                candidate[2] & each[2] or _same_form(candidate[1], each[1]) or _overlap(candidate[3], each[3])
                for each in chosen
            ):
                search(position, [*chosen, candidate])
        return len(best) == number

    search(0, [])
    return best


def _steps(form: Mapping[str, Any], step: float, media: MediaStore) -> tuple[int, ...]:
    """The lengths of a form's recording and film in steps."""
    return tuple(round(_seconds(media.path(form[name])) / step) for name in ("audio", "vision") if form[name])


@lru_cache(maxsize=65_536)  # a file of the store is named by its content
def _seconds(path: Path) -> float:
    from triptych.media.lengths import media_seconds

    return media_seconds(path) or 0.0


def _same_form(form: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two forms share a medium, or their texts differ only in case, script, width or punctuation."""
    shared = any(form[name] and form[name] == other[name] for name in ("audio", "vision"))
    return (
        shared
        or form["text"] == other["text"]
        or (bool(plain := _letters_of(form["text"])) and plain == _letters_of(other["text"]))
    )


def _letters_of(text: object) -> str:
    return _plain_text(str(text)) if text else ""


@lru_cache(maxsize=65_536)
def _plain_text(text: str) -> str:
    return plain_meaning(text)


@lru_cache(maxsize=65_536)
def _label(text: str) -> str:
    return label_meaning(text)


def _meanings(values: Values) -> set[str]:
    """What no two candidates share: category and text, as they are and as labels, the concept, a medium made alike."""
    category = str(values["category"] or "")
    label = f"{values['group'] or ''}, {category}" if values["paired"] else category
    text = str((values["target"] or {}).get("text") or values["text"] or "")
    meanings = {f"category {_kind(values)}"} if _kind(values) else set()
    meanings |= {f"label {_label(each)}" for each in {label, text} if _label(each)}
    if values["target"]:  # two rows that ask for what one text says: each one's answer is right for the other
        meanings |= (
            {f"stem {values['relation'] or ''} {_letters_of(values['text'])}"} if _letters_of(values["text"]) else set()
        )
    meanings |= {f"alike {each}" for each in values["alike"] or ()}
    return meanings | ({f"concept {_letters_of(values['concept'])}"} if values["concept"] else set())


def _labels(values: Values) -> frozenset[str]:
    """The labels of a row that names what it shows: its category, and its text if it is short."""
    category = str(values["category"] or "")
    if not category or values["paired"]:
        return frozenset()
    text = str((values["target"] or {}).get("text") or values["text"] or "")
    short = text and "," not in text and len(text.split()) <= _MAX_LABEL  # what follows a comma may describe the label
    return frozenset({category, text} if short else {category})


_MAX_LABEL = 8  # words of a text that is a label


def _overlap(labels: Collection[str], others: Collection[str]) -> bool:
    """Whether one of the labels is right for what one of the others names."""
    return any(overlapping(label, other) for label in labels for other in others)


def _kind(values: Values) -> str:
    """The category, with `paired` together with the group."""
    if values["paired"]:
        return _letters_of(f"{values['group'] or ''}, {values['category'] or ''}")
    return _letters_of(values["category"])


def _distance(values: Values, other: Values) -> float:
    """0: a close category; 1: the same group, or the same category in another group; 2: neither; below 0: by rank."""
    if (kind := _kind(other)) in (ranked := [_letters_of(each) for each in values["ranked"] or ()]):
        return ranked.index(kind) - len(ranked)
    if other["category"] in (values["close"] or ()):
        return 0
    shares = [values[name] is not None and values[name] == other[name] for name in ("group", "category")]
    return 1 if any(shares) else 2


class Directions(Parameters, frozen=True):
    """Parameters of `directions`."""

    directions: Annotated[
        tuple[str, ...], Meta(description="directions of an Instance that become questions, such as `audio_text`")
    ] = DIRECTIONS


@stage(
    "directions",
    version=1,
    reads=["family", "subtask", "vision_kind", "relation", "candidates", *(f"{name}?" for name in FORMS)],
    writes=["task", "instance", "direction", "question", "context", "options", "answers", "answer"],
    parameters=Directions,
)
def directions(values: Values, context: Context[Directions]) -> Outcome:
    """Split an Instance into one question per direction; the target is the first option until positions are drawn."""
    own_form_ = own_form(values)
    children = []
    for direction in context.parameters.directions:
        source, to = direction.split("_")
        options = [form[to] for form in values["candidates"]]
        children.append(
            Child(
                direction,
                {
                    "task": f"{values['family']}/{values['subtask']}/{direction}",
                    "instance": values.id,
                    "direction": direction,
                    "question": template(source, to, values["vision_kind"], values["relation"]),
                    "context": own_form_[source],
                    "options": options,
                    "answers": [0],
                    "answer": options[0],
                },
            )
        )
    return split(children)


def template(source: str, to: str, vision_kind: str, relation: str) -> str:
    """The question of a direction in standard words: `Which recording has the same words as this picture?`"""
    nouns = {"audio": "recording", "vision": "picture" if vision_kind == "image" else "video", "text": "text"}
    return f"Which {nouns[to]} {relation.format(context=nouns[source])}?"


class Positions(Parameters, frozen=True):
    """Parameters of `positions`."""

    how: Annotated[
        Literal["independent", "shared"],
        Meta(
            description="`independent`: balanced for each direction by itself; `shared`: one position in all directions"
        ),
    ] = "independent"


@stage(
    "positions",
    version=1,
    kind="whole",
    reads=["task", "instance", "options", "answers"],
    writes=["options", "answers"],
    parameters=Positions,
)
def positions(records: Sequence[Values], context: Context[Positions]) -> list[Outcome]:
    """Draw the target's position: balanced in each task, for each direction by itself (`independent`).

    With `how = "shared"`, as in the released files, an Instance has one position and one order of options in all
    directions; a constant letter then looks consistent.
    """
    if context.parameters.how == "independent":
        return list(balance_keys.run(records, context))
    order = sorted({(v["task"].rpartition("/")[0], v["instance"]) for v in records})
    ranked = sorted(order, key=lambda pair: (pair[0], context.random("order", pair[1]).random()))
    turn = {instance: number for number, (_, instance) in enumerate(ranked)}
    outcomes = []
    for values in records:
        wrong = [option for index, option in enumerate(values["options"]) if index not in values["answers"]]
        right, position = values["options"][values["answers"][0]], turn[values["instance"]] % len(values["options"])
        order_of_wrong = list(range(len(wrong)))
        context.random("wrong", values["instance"]).shuffle(order_of_wrong)
        made = [wrong[number] for number in order_of_wrong]
        outcomes.append(kept(options=[*made[:position], right, *made[position:]], answers=[position]))
    return outcomes


_FEW = 200  # questions up to which single figures are looked at by themselves


class FairDirections(Parameters, frozen=True):
    """Parameters of `fair-directions`."""

    tries: Annotated[int, Meta(ge=1, description="rounds over all ways of guessing")] = 20
    tells: Annotated[bool, Meta(description="whether a classifier over what isn't content is one of the ways")] = True


@stage(
    "fair-directions",
    version=6,
    kind="whole",
    writes=[],
    reads=["options", "answers", "question", "task", "instance", "blind_right?", "context"],
    parameters=FairDirections,
)
def fair_directions(records: Sequence[Values], context: Context[FairDirections]) -> list[Outcome]:
    """Leave out as few Instances as needed until no way of guessing is above chance's 95% band in any direction.

    The ways are those of `unguessable`: a constant position, the longest and the shortest options, a model without the
    context (`blind_right`); and, with `tells`, a classifier over what isn't content, as
    `triptych.metrics.surface_cues` learns it in each task: lengths, sizes, levels, brightness, words, positions, how
    near they are to the stem's, and how near their ranks are to those of other figures of the stem. A single figure
    that picks clearly too many is looked at in the later rounds too, in which too few questions may be left for the
    classifier. An Instance is left out in all of its directions.
    """
    gone: dict[str, str] = {}
    telling: dict[str, frozenset[str]] = defaultdict(frozenset)
    for _ in range(context.parameters.tries):
        before = len(gone)
        by_task: dict[str, list[Values]] = defaultdict(list)
        for values in records:
            if values["instance"] not in gone:
                by_task[values["task"]].append(values)
        for task in sorted(by_task):
            left = [values for values in by_task[task] if values["instance"] not in gone]
            left.sort(key=lambda values: context.random("fair", values["instance"]).random())
            instances = {values.id: values["instance"] for values in left}
            out = to_leave_out(left)
            left = [values for values in left if values.id not in out]
            if context.parameters.tells:
                cues = surface_cues_of(left, context.media)
                if (classifier := classified(cues)) is not None:
                    out |= beyond_band(left, "a classifier over what isn't content", classifier.right)
                if len(cues) <= _FEW:
                    telling[task] |= telling_rules(cues)
                    rules = simple_rules(cues) if telling[task] else {}
                    for name in sorted(telling[task] & rules.keys()):
                        out |= beyond_band(left, name, rules[name])
            for id, reason in out.items():
                gone.setdefault(instances[id], f"{task}: {reason}")
        if len(gone) == before:
            break
    return [dropped("guessable", gone[v["instance"]]) if v["instance"] in gone else kept() for v in records]
