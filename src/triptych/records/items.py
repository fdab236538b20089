"""Item: one question. It also names its Unit (scored once) and its Instance (compared across forms)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from triptych.records.parts import Part

MAX_ITEMS = 1_000_000  # of one Unit; a larger number in a file is damage or an attack
AnswerForm = Literal["letter", "option", "options", "text"]
Target = str | tuple[str, ...] | None


class Item(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """One question to a model.

    Attributes:
        id: Unique within the benchmark, and stable across versions of the code.
        task: The Task it belongs to, such as `xmodbench/perception/general/audio_text`.
        parts: The stem, in order; the role of each Part is `question` or `content`.
        options: Each option is a tuple of Parts, since options can be media; empty for open questions.
        labels: Letters of the options ("A" …); empty if options are referred to by their text.
        answer: Form of the answer: a `letter`, the text of an `option`, several `options`, or free `text`.
        target: The reference answer: a letter, an option's text, a tuple of texts, a reference text; None if unknown.
        unit: Id of the Unit, which is scored once; empty: the Item itself.
        instance: Id shared by Units with the same meaning (other modality, language, prompt); empty: the Unit itself.
        facets: What tables group by: family, direction, category …
        place: Index of the Item in its Unit, from 0; replies are joined in this order. The first Item of a Unit has its
            target, the others have an empty one.
        unit_size: Number of Items in the Unit.
        hidden: Data that scoring or a Condition needs, and that is never shown to a model as it is: the `source` of a
            translation, the question in traditional characters, the true text of an image.
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
    place: Annotated[int, msgspec.Meta(ge=0, le=MAX_ITEMS)] = 0
    unit_size: Annotated[int, msgspec.Meta(ge=1, le=MAX_ITEMS)] = 1
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
        """The Parts of the stem, then those of all options."""
        return self.parts + tuple([part for option in self.options for part in option])

    @property
    def has_media(self) -> bool:
        """Whether the stem or an option has a Part that isn't text."""
        for part in self.parts:
            if part.kind != "text":
                return True
        for option in self.options:
            for part in option:
                if part.kind != "text":
                    return True
        return False

    @property
    def targets(self) -> tuple[str, ...]:
        """The reference answers as texts: one or several; empty if unknown."""
        return (self.target,) if isinstance(self.target, str) else self.target or ()

    @property
    def target_positions(self) -> tuple[int, ...]:
        """Positions of the correct options, from 0; empty if the reference answer names none.

        A letter stands for its label, whether or not the Item holds its options. Texts are compared without leading and
        trailing spaces, so of equal options all are correct.

        Example:
            >>> Item("i", "t", (), labels=("A", "B"), answer="letter", target="B").target_positions
            (1,)
        """
        if self.answer == "letter" or self.target in self.labels:
            return (self.labels.index(self.target),) if self.target in self.labels else ()
        wanted = {text.strip() for text in self.targets}
        return tuple([n for n, option in enumerate(self.option_texts()) if option.strip() in wanted])

    def option_words(self) -> tuple[str | None, ...]:
        """Return the options as texts, None for media; empty unless there is one option for each label."""
        if len(self.options) != len(self.labels):
            return ()
        texts = zip(self.options, self.option_texts(), strict=True)
        return tuple([None if any(part.is_media for part in option) else text for option, text in texts])

    def option_texts(self) -> tuple[str, ...]:
        """Return the options as texts; a media option is represented by its path, which only baselines use."""
        return tuple(
            [
                (option[0].text or option[0].path) if len(option) == 1 else " ".join([p.text or p.path for p in option])
                for option in self.options
            ]
        )
