"""Item: what is asked once. Units (what is scored once) and Instances (what is compared) are names on it."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from triptych.records.parts import Part

MOST_ITEMS = 1_000_000  # of one Unit; a larger number in a file is damage, or worse
AnswerForm = Literal["letter", "option", "options", "text"]
Target = str | tuple[str, ...] | None


class Item(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """What is asked once.

    id        unique within the benchmark, stable over versions of the code
    task      the Task it belongs to: `xmodbench/perception/general/audio_text`
    parts     the stem in order; each Part's role is `question` or `content`
    options   each a tuple of Parts, since options can be media; empty for open questions
    labels    the options' letters where they have some ("A" …); empty where options are asked for by their text
    answer    what a right reply looks like: a `letter`, an `option`'s text, several `options`, or free `text`
    target    the key: a letter, an option's text, a tuple of texts, a reference text; None where unknown
    unit      what is scored once; empty: the Item itself
    instance  what Units with the same meaning share (other modality, language, prompt); empty: the Unit itself
    facets    what tables group by: family, direction, category …
    place     of a Unit of several Items: which of them this one is, from 0; their replies are joined in this order.
              The first holds the Unit's target, the others an empty one
    unit_size how many Items the Unit has
    hidden    what scoring or a Condition needs beside the target and no model is shown as it is: the `source` that a
              translation is of, the question in traditional characters, the true text of a picture
    """

    id: str
    task: str
    parts: tuple[Part, ...]
    options: tuple[tuple[Part, ...], ...] = ()
    labels: tuple[str, ...] = ()
    answer: AnswerForm = "text"
    target: Target = None
    unit: str = ""
    instance: str = ""
    facets: dict[str, str] = {}
    place: Annotated[int, msgspec.Meta(ge=0, le=MOST_ITEMS)] = 0
    unit_size: Annotated[int, msgspec.Meta(ge=1, le=MOST_ITEMS)] = 1
    hidden: dict[str, str] = {}

    @property
    def unit_id(self) -> str:
        """The Unit that this Item belongs to."""
        return self.unit or self.id

    @property
    def instance_id(self) -> str:
        """The Instance that this Item's Unit belongs to."""
        return self.instance or self.unit_id

    @property
    def all_parts(self) -> tuple[Part, ...]:
        """The stem's Parts, then those of every option."""
        return self.parts + tuple([part for option in self.options for part in option])

    @property
    def targets(self) -> tuple[str, ...]:
        """The key as texts: one, or the several right ones; none where it is unknown."""
        return (self.target,) if isinstance(self.target, str) else self.target or ()

    def option_texts(self) -> tuple[str, ...]:
        """The options as text; a media option is its path, which only a baseline would look at."""
        return tuple(
            [
                (option[0].text or option[0].path) if len(option) == 1 else " ".join([p.text or p.path for p in option])
                for option in self.options
            ]
        )
