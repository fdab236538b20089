"""Whether two Runs asked the same question: everything that the model was sent is compared, media by content."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from triptych.analysis.observed import Observed
from triptych.records import Item, Part

PARTS = "a part of the question is missing in a Run"
TEXT = "the question's text differs"
OPTIONS = "the options differ"
TARGET = "the reference answer differs"
ORDER = "the parts of the question are in another order"
MEDIA = "a recording, picture or video differs, by the hash of its content"
CHANGED = "a recording, picture or video was changed in another way before it was sent"
KINDS = (PARTS, TEXT, ORDER, OPTIONS, TARGET, MEDIA, CHANGED)
Hashes = Mapping[str, str]  # path of a file -> hash of its content


def differing_units(runs: Sequence[Observed], units: set[str], *, by_content: bool = True) -> dict[str, str]:
    """Return the Units that are other questions in some of the Runs: Unit -> what differs.

    Runs under the same Conditions are compared in everything. Conditions change what is sent, so that Runs under
    different ones are compared in what these leave alone: the content of a file that both sent, and over other data the
    reference answer. Results made elsewhere say nothing about what was sent besides their own texts. `by_content`:
    False for Runs that were asked different forms of the same questions.
    """
    items = [items_of(run) for run in runs]
    first: dict[object, int] = {}  # how a Run was asked -> the first Run that was asked so
    differences: dict[str, str] = {}
    for number, run in enumerate(runs):
        base = first.setdefault(_item_changes(run), number)
        if number == 0:
            continue
        alike = by_content and base != number and not _is_elsewhere(run)
        rule = _AllParts() if alike else _Rest(runs[0], run)
        before = items[base if alike else 0]
        if before is items[number]:
            continue
        for unit in units - differences.keys():
            if why := rule.difference(before.get(unit, ()), items[number].get(unit, ())):
                differences[unit] = why
    return differences


def count_by_kind(reasons: Mapping[str, str]) -> dict[str, int]:
    """Return what differs -> the number of Units, in the order of KINDS."""
    numbers = Counter(reasons.values())
    return {kind: numbers[kind] for kind in KINDS if numbers[kind]}


def items_of(run: Observed) -> Mapping[str, tuple[Item, ...]]:
    """Return the Items of each Unit, in order."""
    items_by_unit: dict[str, tuple[Item, ...]] = {}
    several: dict[str, list[Item]] = defaultdict(list)
    for item in run.all_items:
        if item.unit_size > 1 or item.place or item.unit:
            several[item.unit_id].append(item)
        else:
            items_by_unit[item.id] = (item,)
    for unit, items in several.items():
        items_by_unit[unit] = tuple(sorted(items, key=lambda item: item.place))
    return items_by_unit


def _item_changes(run: Observed) -> object:
    """Return what changes Items between the data and the model, apart from the prompt."""
    manifest = run.manifest
    if manifest is None or _is_elsewhere(run):
        return "elsewhere", run.label
    return manifest.conditions, manifest.seed if manifest.conditions else 0, manifest.audio_seconds


def _is_elsewhere(run: Observed) -> bool:
    return run.manifest is None or run.manifest.model.startswith("replay/")


class _AllParts:
    """Runs that were asked in the same way: everything that was sent is the same."""

    def difference(self, items: Sequence[Item], other: Sequence[Item]) -> str:
        """Return what differs; empty if nothing does."""
        if len(items) != len(other) or not items:
            return PARTS
        return next(filter(None, (_item_difference(*pair) for pair in zip(items, other, strict=True))), "")


class _Rest:
    """Runs of which only a part can be compared."""

    def __init__(self, one: Observed, other: Observed) -> None:
        manifests = one.manifest, other.manifest
        self._texts = not one.condition and not other.condition  # nothing has changed them
        hashes = [manifest.data_sha256 for manifest in manifests if manifest]
        has_other_data = _is_elsewhere(one) or _is_elsewhere(other)
        self._data = has_other_data or len(hashes) < len(manifests) or hashes[0] != hashes[1]

    def difference(self, items: Sequence[Item], other: Sequence[Item]) -> str:
        """Return what differs; empty if nothing that can be compared does."""
        if not items or not other:
            return PARTS if self._data else ""
        if self._data and items[0].target != other[0].target:
            return TARGET
        if self._data and self._texts:
            if _wording(items[0]) != _wording(other[0]):
                return TEXT
            if _has_text_options(items[0]) and _has_text_options(other[0]) and items[0].options != other[0].options:
                return OPTIONS
        return MEDIA if _contradict(_hashes(items), _hashes(other)) else ""


def _item_difference(one: Item, other: Item) -> str:
    """Return what differs between two Items that were asked in the same way; empty if nothing does."""
    if one is other:
        return ""
    if one.target != other.target:
        return TARGET
    if one.parts != other.parts and (why := _of_parts(one.parts, other.parts, TEXT)):
        return ORDER if _same_in_another_order(one.parts, other.parts) else why
    if one.options != other.options:
        if len(one.options) != len(other.options):
            return OPTIONS
        pairs = zip(one.options, other.options, strict=True)
        if why := next(filter(None, (_of_parts(item, its, OPTIONS) for item, its in pairs)), ""):
            return why
    return OPTIONS if (one.labels, one.answer) != (other.labels, other.answer) else ""


def _of_parts(parts: Sequence[Part], other: Sequence[Part], words: str) -> str:
    if len(parts) != len(other):
        return words
    for one, its in zip(parts, other, strict=True):
        if one is its:
            continue
        if (one.kind, one.text, one.role) != (its.kind, its.text, its.role):
            return words
        if not _same_content(one, its):
            return MEDIA
        if one.transform != its.transform:
            return CHANGED
    return ""


def _same_in_another_order(parts: Sequence[Part], other: Sequence[Part]) -> bool:
    """Return whether each part has its equal among the others, at another position."""
    rest = list(other)
    for part in parts:
        equal = next((one for one in rest if not _of_parts([part], [one], TEXT)), None)
        if equal is None:
            return False
        rest.remove(equal)
    return not rest


def _same_content(one: Part, other: Part) -> bool:
    """Compare files by content, or by their paths if a Run didn't read them and has no hash."""
    if one.sha256 and other.sha256:
        return one.sha256 == other.sha256
    return one.path == other.path


def _hashes(items: Sequence[Item]) -> Hashes:
    return {part.path: part.sha256 for item in items for part in item.all_parts if part.sha256}


def _contradict(one: Hashes, other: Hashes) -> bool:
    return any(other.get(path, content) != content for path, content in one.items())


def _wording(item: Item) -> tuple[str, ...]:
    return tuple(part.text for part in item.parts if part.role == "question")


def _has_text_options(item: Item) -> bool:
    """Return whether the Item has options, all of them texts."""
    return bool(item.options) and not any(part.is_media for option in item.options for part in option)
