"""Results of people: nothing contradicts itself, and every edit can be used.

`faults_of` is the one validator: the portal's form, a sheet and a build refuse the same results for the same reasons.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from triptych.construction.people.named import named_fault
from triptych.construction.people.spans import spans_outside
from triptych.construction.people.texts import edit_fault
from triptych.construction.text_checks.options.choices import (
    Choice,
    Limits,
    NoChoice,
    choice_fault,
    comparable_text,
    edited,
    places_of,
)
from triptych.construction.text_checks.wording import option_faults

EDITS = ("edit", "revise")  # verdicts that take the changed texts
REFUSALS = ("reject", "remove")  # verdicts by which a record is dropped
FAULTS = ("criterion", "fault", "faults", "also_right")  # fields that name what is wrong
REASONS = (*FAULTS, "why")  # fields that can be the reason of a refusal
_NONE: Mapping[str, Any] = {}


def proposals(form: Mapping[str, Any], shows: Mapping[str, Any]) -> list[str]:
    """Return the fields of a form that edit a shown value: texts, lists and choices with the name of one."""
    editable = [name for name, kind in form.items() if kind in ("text", "list") or _is_choices(kind)]
    return [name for name in editable if name in shows]


def changed(values: Mapping[str, Any], form: Mapping[str, Any], shows: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields by which a person changed a shown value."""
    return {
        name: values[name]
        for name in proposals(form, shows)
        if not _is_blank(values.get(name)) and _strip_spaces(values[name]) != _strip_spaces(shows[name])
    }


def faults_of(
    values: Mapping[str, Any],
    form: Mapping[str, Any],
    shows: Mapping[str, Any],
    checks: Mapping[str, Any] = _NONE,
    rules: Mapping[str, Any] = _NONE,
) -> Iterator[str]:
    """Yield everything that is wrong with a result whose values fit the form: contradictions, and edits that can't be
    used. `checks`: as a Task has them (`people.stage.Task`); `rules`: parameters of the stage."""
    first = next(iter(form), "")
    kinds, verdict = form.get(first), values.get(first)
    yield from spans_outside(values, form, checks.get("seconds"))
    yield from _scored(values, form, rules)
    if not _is_choices(kinds):
        if name := checks.get("check"):
            yield from named_fault(name, {**shows, **values}, {**checks, "rules": rules})
        return
    new = changed(values, form, shows) if set(EDITS) & set(map(str, kinds or ())) else {}
    yield from _contradictions(first, values, form, new)
    if verdict in REFUSALS:
        return
    if set(EDITS) & set(map(str, kinds or ())):
        yield from _verdict_faults(verdict, kinds, values, form, shows, new)
        yield from _unusable(new, shows, checks)
    if (name := checks.get("check")) and new:
        yield from named_fault(name, {**shows, **new}, {**checks, "rules": rules, "changed": sorted(new)})


def has_verdict(form: Mapping[str, Any]) -> bool:
    """Return whether the first field of a form is a choice: a verdict, not a text."""
    return _is_choices(form.get(next(iter(form), "")))


def edited_fields(new: Mapping[str, Any], shows: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a record after an edit: options, correct positions and answer are written together.

    `new`: as `changed` returns it. Raises NoChoice for an edit that can't be used.
    """
    texts = {name: value.strip() if isinstance(value, str) else value for name, value in new.items()}
    if shows.get("options") is None or not {"options", "answer"} & new.keys():
        return texts
    choice = _choice(new, shows)
    return texts | {"options": list(choice.options), "answers": list(choice.answers), "answer": choice.text}


class Distinct:
    """Texts that must differ between the records of a stage: a question about one recording, say.

    `checks["distinct"]` of a Task maps a field to the scope within which its text must occur only once.
    """

    def __init__(self, tasks: Iterable[tuple[str, Mapping[str, Any], Mapping[str, Any]]] = ()) -> None:
        self._owners: dict[tuple[str, str, str], str] = {}
        for id, shows, checks in tasks:
            self.add(id, shows, checks)

    def add(self, id: str, texts: Mapping[str, Any], checks: Mapping[str, Any]) -> None:
        """Note the texts of a record, as they are shown or after an edit."""
        for key in self._keys(texts, checks):
            self._owners.setdefault(key, id)

    def faults(self, id: str, new: Mapping[str, Any], checks: Mapping[str, Any]) -> Iterator[str]:
        """Yield each edited text that another record has already."""
        for key in self._keys(new, checks):
            if (owner := self._owners.get(key, id)) != id:
                yield f"{key[0]}: {owner} has this text already; each text may occur once"

    @staticmethod
    def _keys(texts: Mapping[str, Any], checks: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
        for name, scope in (checks.get("distinct") or {}).items():
            if text := comparable_text(texts.get(name) or ""):
                yield name, str(scope), text


def same_person(one: str, other: str) -> bool:
    """Return whether two names are the same except for case, width of letters and spaces."""
    return person_key(one) == person_key(other)


def person_key(person: str) -> str:
    """Return a name without differences of case, width of letters, and spaces and punctuation around it.

    >>> {person_key(name) for name in ("R1", "r1 ", "Ｒ1", "R1.")}
    {'r1'}
    """
    name = unicodedata.normalize("NFKC", person).strip().casefold()
    ends = [index for index, character in enumerate(name) if character.isalnum()]
    return name[ends[0] : ends[-1] + 1] if ends else name


def _verdict_faults(
    verdict: Any,
    kinds: Any,
    values: Mapping[str, Any],
    form: Mapping[str, Any],
    shows: Mapping[str, Any],
    new: Mapping[str, Any],
) -> Iterator[str]:
    for name in proposals(form, shows):
        if name in values and _is_blank(values[name]) and values[name] is not None and not _is_blank(shows[name]):
            yield f"{name}: it was emptied; expected a text: reject the record if it must go"
    if verdict in EDITS and not new:
        yield f"the verdict is {verdict}, but nothing was changed"
    if verdict not in EDITS and new:
        named = ", ".join(new)
        yield f"the verdict is {verdict}, but {named} was changed: choose {_edit_of(kinds)}, or undo the change"


def _contradictions(
    first: str, values: Mapping[str, Any], form: Mapping[str, Any], new: Mapping[str, Any]
) -> Iterator[str]:
    verdict = values.get(first)
    named = [name for name in FAULTS if name in form and name != first and not _is_blank(values.get(name))]
    if verdict == "approve":
        for name in named:
            listed = values[name] if isinstance(values[name], list) else [values[name]]
            yield f"{name}: the verdict is approve, but a fault is named ({', '.join(map(str, listed))}); expected none"
    if verdict in REFUSALS:
        reasons = [name for name in REASONS if name in form]
        if reasons and not new and all(_is_blank(values.get(name)) for name in reasons):
            fields = " or ".join(reasons)
            yield f"{reasons[-1]}: the verdict is {verdict}, but there is no reason; expected one in {fields}"


def _scored(values: Mapping[str, Any], form: Mapping[str, Any], rules: Mapping[str, Any]) -> Iterator[str]:
    """Yield contradictions of a score and a fault: the highest score with a fault, a score too low to be used without a
    reason."""
    kind, score, fault = form.get("score"), values.get("score"), values.get("fault")
    if not isinstance(kind, Mapping) or "fault" not in form or not isinstance(score, int):
        return
    min_score, top = rules.get("least_score"), kind.get("maximum")
    if not _is_blank(fault) and (score == top or (min_score is not None and score >= min_score and fault != "other")):
        expected = f"a score below {min_score}" if min_score is not None else f"a score below {top}"
        yield f"fault: {fault!r} with score {score}; expected {expected}, or no fault"
    if min_score is not None and score < min_score and _is_blank(fault) and _is_blank(values.get("why")):
        yield f"fault: score {score} means that the recording isn't used; expected a fault, or a reason in `why`"


def _unusable(new: Mapping[str, Any], shows: Mapping[str, Any], checks: Mapping[str, Any]) -> Iterator[str]:
    fixed = shows.get("fixed") or {}
    for name, value in new.items():
        if name in fixed:
            yield f"{name} can't be edited: {fixed[name]}"
        elif among := shows.get(f"{name}_choices"):
            if value not in among:
                yield f"{name}: {value!r} is none of {', '.join(map(str, among))}"
        elif name != "answer" or shows.get("options") is None:
            yield from edit_fault(name, value, shows, checks)
    if shows.get("options") is None or not {"question", "options", "answer"} & new.keys():
        return
    try:
        choice = _choice(new, shows)
    except NoChoice as error:
        yield str(error)
        return
    question = str(new.get("question") or shows.get("question") or "")
    yield from _choice_faults(question, choice, shows, checks)


def _choice_faults(question: str, choice: Choice, shows: Mapping[str, Any], checks: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with a question and its options after an edit, except what was so before."""
    min_right, max_right = checks.get("right") or (1, max(1, len(choice.options) - 1))
    limits = Limits(
        len(choice.options), len(choice.options), min_right, max_right, float(checks.get("length_ratio") or 0)
    )
    before = Choice(tuple(map(str, shows["options"])), tuple(_answers(shows)))
    earlier = {fault[0] for fault in _all_faults(str(shows.get("question") or ""), before, limits)}
    for fault in _all_faults(question, choice, limits):
        if fault[0] not in earlier - {"no-right-option"}:
            yield f"{fault[0]}: {fault[1]}"


def _all_faults(question: str, choice: Choice, limits: Limits) -> Iterator[tuple[str, str]]:
    if fault := choice_fault(question, choice.options, choice.answers, limits):
        yield fault
    yield from option_faults(question, choice.options)


def _answers(shows: Mapping[str, Any]) -> Sequence[int]:
    answers = shows.get("answers")
    return places_of(shows.get("answer"), shows["options"]) if answers is None else answers


def _choice(new: Mapping[str, Any], shows: Mapping[str, Any]) -> Choice:
    return edited(shows["options"], _answers(shows), new.get("options"), new.get("answer"))


def _edit_of(kinds: Any) -> str:
    return next(str(kind) for kind in kinds if kind in EDITS)


def _is_choices(kind: Any) -> bool:
    return isinstance(kind, Sequence) and not isinstance(kind, str)


def _is_blank(value: Any) -> bool:
    """Return whether a value says nothing: None, an empty or invisible text, a list of such texts."""
    if isinstance(value, list | tuple):
        return all(_is_blank(each) for each in value)
    return value is None or (isinstance(value, str) and not value.strip())


def _strip_spaces(value: Any) -> Any:
    return [str(each).strip() for each in value] if isinstance(value, list | tuple) else str(value).strip()
