"""Whether an Item's options, labels, target and text still belong together after a Condition: if one of them is left
behind, replies are scored against the wrong option."""

from __future__ import annotations

from triptych.prompts.lettered import find_lettered
from triptych.records import Item, Part

_CHOICE = ("letter", "option", "options")


def option_fault(changed: Item, item: Item) -> str:
    """Return what is wrong with the options, labels or target of an Item that a Condition has changed.

    The result is empty if nothing is wrong, and if an option is new: whether the target fits it can't be decided.
    """
    if changed.options is item.options and changed.labels is item.labels and changed.target is item.target:
        return ""
    has_new = type(changed.options) is not tuple or not all(map(item.options.__contains__, changed.options))
    if has_new and (fault := _option_shape(changed)):
        return fault
    if changed.labels is not item.labels and (fault := _label_shape(changed)):
        return fault
    counts = len(changed.labels), len(changed.options)
    if len(item.labels) == len(item.options) and all(counts) and counts[0] != counts[1]:
        return f"{counts[0]} labels for {counts[1]} options"
    if not changed.options or has_new:
        return ""
    return _target(changed, item) or _text(changed, item)


def _option_shape(changed: Item) -> str:
    if type(changed.options) is not tuple:
        return f"options that are a {type(changed.options).__name__}, not a tuple"
    for option in changed.options:
        if type(option) is not tuple or not all(isinstance(part, Part) for part in option):
            return f"the option {option!r}; expected a tuple of Part"
    return ""


def _label_shape(changed: Item) -> str:
    if type(changed.labels) is not tuple:
        return f"labels that are a {type(changed.labels).__name__}, not a tuple"
    wrong = [label for label in changed.labels if not isinstance(label, str)]
    return f"the label {wrong[0]!r}; expected a text" if wrong else ""


def _target(changed: Item, item: Item) -> str:
    """Return that the target is another option than before, or that its option was left out."""
    if changed.target is None or changed.answer not in _CHOICE or item.answer not in _CHOICE:
        return ""
    before, after = _right(item), _right(changed)
    if not before or before == after or {*before} == {*after}:
        return ""
    if gone := [option for option in before if option not in changed.options]:
        return f"no right option: {_words(gone[0])} was left out, and others stay; leave out wrong ones only"
    now = _words(after[0]) if after else "none of the options"
    return f"the target {changed.target!r}, which is {now}; the right option is {_words(before[0])}"


def _right(item: Item) -> list[tuple[Part, ...]]:
    return [item.options[n] for n in item.target_positions if n < len(item.options)]


def _text(changed: Item, item: Item) -> str:
    """Return that the options were reordered or left out, and that the question's text has them as they were."""
    if changed.options == item.options or not item.labels:
        return ""
    texts = item.option_texts()
    for part in changed.parts:
        if part.kind == "text" and part.role != "content" and find_lettered(part.text, item.labels, texts) is not None:
            return "other options than the question's text, which still has them in the old order; call `reordered`"
    return ""


def _words(option: tuple[Part, ...]) -> str:
    return repr(" ".join(part.text or part.path for part in option)[:60])
