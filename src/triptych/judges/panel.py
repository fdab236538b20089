"""The panel: the judges, how many times each is asked, and how their opinions are combined. Stored next to the
verdicts.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from triptych.errors import DataError, SpecError
from triptych.judges.rubric import Rubric
from triptych.judges.verdicts import COMBINATIONS, Combine
from triptych.models.adapter import Adapter
from triptych.records import Kind, Part
from triptych.records.repeated_keys import decode_once
from triptych.records.unreadable import UNREADABLE, reason
from triptych.store.files.atomic import write_atomically
from triptych.store.files.run_files import read_own

FILE = "panel.json"
MAX_EVALUATIONS = 1000
ALL_MEDIA: tuple[Kind, ...] = ("audio", "image", "video")
# they answer from the target, or without reading, so they can't judge a reply
NO_JUDGES = ("baseline", "replay")


class Judge(msgspec.Struct, frozen=True, omit_defaults=True):
    """The identity of a judge: everything about the model that can change a verdict.

    `decoding` overrides the rubric's. `media`: the kinds of media that it is sent where a Case has any; a verdict's
    journal entry has a hash of what was sent, so they are not part of the journal's name.
    """

    model: str
    revision: str = ""
    settings: dict[str, Any] = {}
    decoding: dict[str, Any] = {}
    media: tuple[Kind, ...] = ()

    @classmethod
    def from_adapter(
        cls, adapter: Adapter, decoding: Mapping[str, Any] | None = None, media: tuple[Kind, ...] = ()
    ) -> Judge:
        """Return the judge for an adapter. Raises SpecError if it can't judge."""
        if adapter.name.partition("/")[0] in NO_JUDGES:
            fix = "use a model that accepts text: --judge openai/NAME"
            raise SpecError("this model can't be used as a judge", got=adapter.name, fix=fix)
        return cls(adapter.name, adapter.revision, dict(adapter.settings), dict(decoding or {}), media)

    def request_settings(self, rubric: Rubric) -> dict[str, Any]:
        """Return the settings of the Request: the rubric's, overridden by the judge's own."""
        return {**rubric.decoding, **self.decoding}

    def can_take(self, parts: Sequence[Part]) -> bool:
        """Return whether the judge is sent these Parts: it takes every kind of media among them."""
        kinds = {part.kind for part in parts if part.is_media}
        return bool(kinds) and kinds <= set(self.media)

    def signature(self, rubric: Rubric) -> str:
        """Return the name of the journal, `openai-gpt-4o-pair-1a2b3c4d`; the digits are a hash of everything that can
        change a verdict.
        """
        identity = [self.model, self.revision, self.settings, self.request_settings(rubric), rubric.name]
        digest = hashlib.sha256(msgspec.json.encode(identity, order="deterministic", enc_hook=str)).hexdigest()[:8]
        return re.sub(r"[^\w.-]+", "-", f"{self.model}-{rubric.id}")[:100] + f"-{digest}"


class Panel(msgspec.Struct, frozen=True, omit_defaults=True):
    """Judges, and how they are asked.

    evaluations   number of times each judge is asked about a subject in each order
    descriptions  what can be heard or seen in an Item's media, by Item id or path, for rubrics that show it
    rubrics       metric -> rubric used instead of the benchmark's own
    files         files given by `--rubric` (by metric) and `--judge-descriptions` (`descriptions`), to repeat a command
    """

    judges: tuple[Judge, ...]
    evaluations: int = 1
    combine: Combine = "mean"
    descriptions: dict[str, str] = {}
    descriptions_from: str = ""
    rubrics: dict[str, Rubric] = {}
    files: dict[str, str] = {}

    def validated(self) -> Panel:
        """Return the panel itself. Raises SpecError if it is inconsistent."""
        if not self.judges:
            raise SpecError("the panel has no judges")
        if len({msgspec.json.encode(judge) for judge in self.judges}) < len(self.judges):
            raise SpecError("the same judge is given twice", got=", ".join(j.model for j in self.judges))
        if not 1 <= self.evaluations <= MAX_EVALUATIONS:  # also read from Run folders
            raise SpecError("--judge-repeats is out of range", expected=f"1 to {MAX_EVALUATIONS}", got=self.evaluations)
        if self.combine not in COMBINATIONS:
            raise SpecError("unknown way to combine judges", got=self.combine, expected=", ".join(COMBINATIONS))
        return self

    @property
    def takes_media(self) -> bool:
        """Whether any judge is sent media."""
        return any(judge.media for judge in self.judges)

    def signature_text(self, rubrics: Mapping[str, Rubric]) -> str:
        """Return the panel for a score's signature: `openai/m/pair@1#ab12cd34-1a2b3c4d`, and settings that differ from
        the defaults.
        """
        names = [f"{j.model}/{r.name}-{j.signature(r)[-8:]}" for j in self.judges for r in rubrics.values()]
        more = [f"x{self.evaluations}"] if self.evaluations > 1 else []
        more += [self.combine] if len(self.judges) > 1 else []
        if any("description" in rubric.slots for rubric in rubrics.values()):
            more.append(f"descriptions={self.descriptions_from or 'none'}")
            kinds = sorted({kind for judge in self.judges for kind in judge.media})
            more += [f"media={','.join(kinds)}"] if kinds else []
        return " ".join([*names, *more])

    def save(self, path: Path) -> None:
        """Store it next to the verdicts, so that scoring again needs no `--judge`."""
        write_atomically(path / FILE, msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n")


def load_panel(path: Path) -> Panel | None:
    """Return the panel that was asked last; None if there is none. Raises DataError for a damaged file."""
    try:
        return msgspec.json.decode(read_own(path / FILE), type=Panel).validated()
    except FileNotFoundError:
        return None
    except (OSError, SpecError, *UNREADABLE) as error:
        fix = "delete the file, and give --judge again"
        raise DataError("the panel of judges can't be read", where=path / FILE, got=reason(error), fix=fix) from None


def load_descriptions(path: Path) -> dict[str, str]:
    """Return descriptions of media from a JSON object `{item id or media path: text}`. Raises DataError."""
    try:
        return decode_once(path.read_bytes(), dict[str, str])
    except OSError as error:
        raise DataError(f"the descriptions can't be read ({error.strerror})", where=path) from None
    except UNREADABLE as error:
        expected = '{"item id or media path": "description"}'
        raise DataError("the descriptions are malformed", where=path, got=reason(error), expected=expected) from None
