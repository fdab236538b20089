"""Rubrics: the prompts of judges, as data. One TOML file each, in `rubrics/`."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from triptych.errors import SpecError, nearest
from triptych.records import Message, text
from triptych.records.toml_text import parse_toml
from triptych.records.unreadable import NO_TOML, reason

Order = Literal["straight", "swapped"]
_SHOWN = "docs/judges.md shows a whole rubric"
RUBRICS = Path(__file__).with_name("rubrics")
_SLOT = re.compile(r"\{([a-z_]+)\}")
# Markers that a model's chat template would interpret as the end of a turn
_CONTROL = re.compile(r"<(?=\|[\w]+\|>|｜)|<(?=/?s>)|\[(?=/?INST\])")


class Rubric(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The prompt for a judge, as data, and how its reply becomes a verdict: one TOML file.

    Attributes:
        id: Name of the rubric.
        version: A change that can change a verdict needs a new version; signatures contain the hash of the file, too.
        title: What is judged.
        language: Language of the prompt.
        scale: Lowest and highest score.
        dimensions: The aspects that the judge evaluates.
        prompt: The user's message, with slots: `{question}`, `{reply}` …; `{fence}` is a word that no slot's text can
            contain.
        parser: How a reply is parsed: see `triptych.judges.parsers`.
        source: Where the prompt was published.
        system: The system message, with the same slots; empty: none.
        positions: Two slots that are exchanged between the prompt's `{first}` and `{second}`.
        guard: Regular expression for texts that could imitate the prompt's own markers; the first character of a match
            is replaced by a round bracket.
        labels: For verdicts in words: label -> score.
        again: Text that is added if a reply could not be parsed and the judge is asked once more; empty: it is asked
            the same again.
        optional: Slot -> text used if it has none.
        decoding: Settings of the Request (temperature 0, max_tokens …).
    """

    id: str
    version: str
    title: str
    language: str
    scale: tuple[float, float]
    dimensions: tuple[str, ...]
    prompt: str
    parser: Literal["pair", "bracketed", "first_bracketed", "first_digit", "label"]
    source: str
    system: str = ""
    positions: tuple[str, ...] = ()
    guard: str = ""
    labels: dict[str, float] = {}
    again: str = ""
    optional: dict[str, str] = {}
    decoding: dict[str, Any] = {}

    @property
    def digest(self) -> str:
        """A hash of eight hex digits that distinguishes versions of a rubric's text."""
        return hashlib.sha256(msgspec.json.encode(self, order="deterministic")).hexdigest()[:8]

    @property
    def name(self) -> str:
        """The name in signatures: `pair@1#ab12cd34`."""
        return f"{self.id}@{self.version}#{self.digest}"

    @property
    def slots(self) -> frozenset[str]:
        """The slots that must be filled: those of the prompt, with the two positions instead of `{first}` and
        `{second}`.
        """
        named = set(_SLOT.findall(self.system + self.prompt)) - {"first", "second", "fence"}
        return frozenset(named | set(self.positions))


def messages(
    rubric: Rubric, slots: Mapping[str, str], order: Order = "straight", *, again: bool = False
) -> tuple[Message, ...]:
    """Return the Messages for the judge. Texts in slots are never interpreted as templates or markers.

    Raises SpecError if a slot has no text (those in `optional` have a placeholder for an empty one).
    """
    if missing := sorted(rubric.slots - slots.keys() - rubric.optional.keys()):
        raise SpecError(f"rubric {rubric.id!r} requires {missing[0]!r}", got=", ".join(sorted(slots)) or "nothing")
    filled = {name: _guarded(slots.get(name) or rubric.optional.get(name, ""), rubric) for name in rubric.slots}
    if rubric.positions:
        first, second = rubric.positions if order == "straight" else reversed(rubric.positions)
        filled |= {"first": filled[first], "second": filled[second]}
    filled["fence"] = hashlib.sha256("\0".join(filled[k] for k in sorted(filled)).encode()).hexdigest()[:12]
    words = _fill(rubric.prompt, filled) + (f"\n\n{rubric.again}" if again and rubric.again else "")
    system = (Message("system", (text(_fill(rubric.system, filled)),)),) if rubric.system else ()
    return (*system, Message("user", (text(words),)))


def known_rubrics() -> dict[str, Path]:
    """Return the built-in rubrics by id."""
    return {path.stem: path for path in sorted(RUBRICS.glob("*.toml"))}


@cache
def load_rubric(name: str) -> Rubric:
    """Return the rubric `name`, or the one in a TOML file. Raises SpecError if it is missing or malformed."""
    rubrics = known_rubrics()
    path = rubrics.get(name) or Path(name)
    if name not in rubrics and not name.endswith(".toml"):
        raise SpecError(f"no rubric {name!r}", fix=nearest(name, rubrics), expected="a known rubric, or a TOML file")
    try:
        rubric = msgspec.convert(parse_toml(path.read_text(encoding="utf-8")), Rubric)
    except OSError as error:
        raise SpecError(f"the rubric can't be read ({error.strerror})", where=path) from None
    except msgspec.ValidationError as error:
        expected = f"the fields {', '.join(Rubric.__struct_fields__)}"
        raise SpecError("the rubric is malformed", where=path, got=str(error), expected=expected, fix=_SHOWN) from None
    except NO_TOML as error:
        raise SpecError("the rubric is not a valid TOML file", where=path, got=reason(error), fix=_SHOWN) from None
    _check(rubric, path)
    return rubric


def _check(rubric: Rubric, path: Path) -> None:
    """Check what types can't express."""
    used = set(_SLOT.findall(rubric.prompt))
    low, high = rubric.scale
    try:
        re.compile(rubric.guard)
    except re.error as error:
        raise SpecError("the rubric's guard is not a valid regular expression", where=path, got=str(error)) from None
    problems = {
        "scale: the lowest score must be below the highest": low < high,
        "labels: required by parser `label`, and only by it": bool(rubric.labels) == (rubric.parser == "label"),
        "labels: a score is outside the scale": all(low <= mark <= high for mark in rubric.labels.values()),
        "positions: expected two slots, for {first} and {second}": len(rubric.positions)
        == 2 * ({"first", "second"} <= used),
        "positions: required by parser `pair`, and only by it": bool(rubric.positions) == (rubric.parser == "pair"),
        "prompt: unknown slot": bool(used - {"fence"}),
    }
    if wrong := [problem for problem, right in problems.items() if not right]:
        raise SpecError(f"rubric {rubric.id!r}: {wrong[0]}", where=path)


def _guarded(value: str, rubric: Rubric) -> str:
    """Return a text that can neither imitate the prompt's markers nor end a turn of the chat."""
    value = _CONTROL.sub("(", value)
    if not rubric.guard:
        return value
    return re.sub(rubric.guard, lambda cell_value: "(" + cell_value[0][1:], value, flags=re.IGNORECASE)


def _fill(template: str, filled: Mapping[str, str]) -> str:
    """Fill the template in one pass, so that filled-in text is never interpreted."""
    return _SLOT.sub(lambda slot: filled[slot[1]] if slot[1] in filled else slot[0], template)


def check_stands_for(rubric: Rubric, usual: Rubric, metric: str, slots: Mapping[str, str]) -> None:
    """Raise SpecError if `rubric` can't replace `usual` for a metric.

    The protocol expects scores on the usual scale, as many as usual, or the usual labels. The prompt must show the
    reply and may only use slots that a Unit fills (`slots`).
    """
    shown = (f"{usual.scale[0]:g} to {usual.scale[1]:g}", f"{rubric.scale[0]:g} to {rubric.scale[1]:g}")
    about = f"the rubric {rubric.id!r} for {metric}"
    if rubric.scale != usual.scale:
        raise SpecError(f"{about} has a different scale from the metric", expected=f"scale {shown[0]}", got=shown[1])
    if (len(rubric.positions), set(rubric.labels)) != (len(usual.positions), set(usual.labels)):
        expected = f"parser {usual.parser!r}" + (f" with the labels {', '.join(usual.labels)}" if usual.labels else "")
        raise SpecError(
            f"{about} gives a different kind of verdict", expected=expected, got=f"parser {rubric.parser!r}"
        )
    if "reply" not in rubric.slots:
        raise SpecError(
            f"{about} doesn't show the reply to the judge",
            expected="{reply} in its prompt",
            got=", ".join(f"{{{name}}}" for name in sorted(rubric.slots)),
        )
    if missing := sorted(rubric.slots - slots.keys() - rubric.optional.keys()):
        raise SpecError(
            f"{about} has a placeholder that nothing fills",
            got=f"{{{missing[0]}}}",
            expected=", ".join(f"{{{name}}}" for name in sorted(slots)),
        )
