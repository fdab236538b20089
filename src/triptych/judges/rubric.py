"""A rubric: what a judge is asked, as data, and how its words become a verdict. One TOML file each in `rubrics/`.

id, version     a change that can change a verdict is a new version; the hash of the file stands in signatures too
language        of the prompt
scale           the least and the greatest mark
dimensions      what the judge is to look at
system, prompt  the words, with slots: `{question}`, `{reply}` …; `{fence}` is a word that no slot's text can hold
positions       two slots that trade places between the prompt's `{first}` and `{second}`
guard           a regular expression: what a text could hold to imitate the prompt's own markers; its first
                character is taken for a round bracket there
parser          how a reply is read: see `triptych.judges.parsers`
labels          for verdicts in words: each with its mark
again           what is added where a reply could not be read and the judge is asked once more
decoding        settings of the Request (temperature 0, max_tokens …)
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from triptych.errors import SpecError, nearest
from triptych.records import Message, text
from triptych.records.unreadable import NO_TOML

Order = Literal["straight", "swapped"]
_SHOWN = "docs/judges.md shows a whole rubric"
RUBRICS = Path(__file__).with_name("rubrics")
_SLOT = re.compile(r"\{([a-z_]+)\}")
# What a model's chat template would read as the end of a turn, whoever wrote it
_CONTROL = re.compile(r"<(?=\|[\w]+\|>|｜)|<(?=/?s>)|\[(?=/?INST\])")


class Rubric(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """See the module."""

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
        """Eight hex digits that tell two texts of one rubric apart."""
        return hashlib.sha256(msgspec.json.encode(self, order="deterministic")).hexdigest()[:8]

    @property
    def name(self) -> str:
        """`pair@1#ab12cd34`, as signatures carry it."""
        return f"{self.id}@{self.version}#{self.digest}"

    @property
    def slots(self) -> frozenset[str]:
        """The slots that must be filled: those of the prompt, the two positions for `{first}` and `{second}`."""
        named = set(_SLOT.findall(self.system + self.prompt)) - {"first", "second", "fence"}
        return frozenset(named | set(self.positions))


def messages(
    rubric: Rubric, slots: Mapping[str, str], order: Order = "straight", *, again: bool = False
) -> tuple[Message, ...]:
    """What the judge is sent. Nothing that fills a slot is read as a template, or can stand for a marker.

    Raises SpecError where a slot has no text (those that `optional` names have a stand-in for an empty one).
    """
    if missing := sorted(rubric.slots - slots.keys() - rubric.optional.keys()):
        raise SpecError(f"rubric {rubric.id!r} needs {missing[0]!r}", got=", ".join(sorted(slots)) or "nothing")
    filled = {name: _guarded(slots.get(name) or rubric.optional.get(name, ""), rubric) for name in rubric.slots}
    if rubric.positions:
        first, second = rubric.positions if order == "straight" else reversed(rubric.positions)
        filled |= {"first": filled[first], "second": filled[second]}
    filled["fence"] = hashlib.sha256("\0".join(filled[k] for k in sorted(filled)).encode()).hexdigest()[:12]
    words = _fill(rubric.prompt, filled) + (f"\n\n{rubric.again}" if again and rubric.again else "")
    system = (Message("system", (text(_fill(rubric.system, filled)),)),) if rubric.system else ()
    return (*system, Message("user", (text(words),)))


def known_rubrics() -> dict[str, Path]:
    """The rubrics in the box by id."""
    return {path.stem: path for path in sorted(RUBRICS.glob("*.toml"))}


@cache
def load_rubric(name: str) -> Rubric:
    """The rubric called `name`, or that of a TOML file. Raises SpecError for one that isn't there or is malformed."""
    known = known_rubrics()
    path = known.get(name) or Path(name)
    if name not in known and not name.endswith(".toml"):
        raise SpecError(f"no rubric {name!r}", fix=nearest(name, known), expected="a known rubric, or a TOML file")
    try:
        rubric = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Rubric)
    except OSError as error:
        raise SpecError(f"the rubric can't be read ({error.strerror})", where=path) from None
    except NO_TOML as error:
        raise SpecError("the rubric is malformed: it is no TOML file", where=path, got=str(error), fix=_SHOWN) from None
    except msgspec.ValidationError as error:
        expected = f"the fields {', '.join(Rubric.__struct_fields__)}"
        raise SpecError("the rubric is malformed", where=path, got=str(error), expected=expected, fix=_SHOWN) from None
    _check(rubric, path)
    return rubric


def _check(rubric: Rubric, path: Path) -> None:
    """What types can't say."""
    used = set(_SLOT.findall(rubric.prompt))
    low, high = rubric.scale
    try:
        re.compile(rubric.guard)
    except re.error as error:
        raise SpecError("the rubric's guard is no regular expression", where=path, got=str(error)) from None
    problems = {
        "scale: the least mark must be below the greatest": low < high,
        "labels: parser `label` needs them, and no other does": bool(rubric.labels) == (rubric.parser == "label"),
        "labels: a mark lies outside the scale": all(low <= mark <= high for mark in rubric.labels.values()),
        "positions: two slots, for {first} and {second}": len(rubric.positions) == 2 * ({"first", "second"} <= used),
        "positions: parser `pair` needs them, and no other does": bool(rubric.positions) == (rubric.parser == "pair"),
        "prompt: it has no slot": bool(used - {"fence"}),
    }
    if wrong := [problem for problem, right in problems.items() if not right]:
        raise SpecError(f"rubric {rubric.id!r}: {wrong[0]}", where=path)


def _guarded(value: str, rubric: Rubric) -> str:
    """A text that can neither imitate the prompt's markers nor end a turn of the chat."""
    value = _CONTROL.sub("(", value)
    if not rubric.guard:
        return value
    return re.sub(rubric.guard, lambda found: "(" + found[0][1:], value, flags=re.IGNORECASE)


def _fill(template: str, filled: Mapping[str, str]) -> str:
    """One pass over the template: what is filled in is never looked at again."""
    return _SLOT.sub(lambda slot: filled[slot[1]] if slot[1] in filled else slot[0], template)


def check_stands_for(rubric: Rubric, usual: Rubric, metric: str, slots: Mapping[str, str]) -> None:
    """Raises SpecError where `rubric` can't give a metric's verdicts in place of `usual`.

    The protocol reads marks on the usual scale, as many as usual, or the usual labels; the prompt must show the reply,
    and can use no slot that a Unit (`slots`) doesn't fill.
    """
    shown = (f"{usual.scale[0]:g} to {usual.scale[1]:g}", f"{rubric.scale[0]:g} to {rubric.scale[1]:g}")
    about = f"the rubric {rubric.id!r} for {metric}"
    if rubric.scale != usual.scale:
        raise SpecError(f"{about} has another scale than the metric", expected=f"scale {shown[0]}", got=shown[1])
    if (len(rubric.positions), set(rubric.labels)) != (len(usual.positions), set(usual.labels)):
        expected = f"parser {usual.parser!r}" + (f" with the labels {', '.join(usual.labels)}" if usual.labels else "")
        raise SpecError(f"{about} gives another kind of verdict", expected=expected, got=f"parser {rubric.parser!r}")
    if "reply" not in rubric.slots:
        raise SpecError(f"{about} shows the judge no reply", expected="{reply} in its prompt",
                        got=", ".join(f"{{{name}}}" for name in sorted(rubric.slots)))  # fmt: skip
    if missing := sorted(rubric.slots - slots.keys() - rubric.optional.keys()):
        raise SpecError(f"{about} has a placeholder that nothing fills", got=f"{{{missing[0]}}}",
                        expected=", ".join(f"{{{name}}}" for name in sorted(slots)))  # fmt: skip
