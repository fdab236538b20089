"""Questions of a stage to models (`Ask`) and to people (`People`), and people's results (`Result`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from triptych.construction.asking.prompt import Prompt
from triptych.construction.engine.context import Context, Values
from triptych.construction.record import Outcome
from triptych.records import Message

Decide = Callable[[Mapping[str, Any], Values, Context], Outcome]


@dataclass(frozen=True)
class Ask:
    """A question of a stage to models, and how their replies are used.

    prompt    its slots are declared fields or parameters of the stage
    decide    receives each role's parsed reply (None if it could not be read twice) and returns the Outcome
    reply     the type of the JSON reply, a msgspec Struct; None: plain text
    roles     names in the table `[models]` of the recipe's configuration; each role is asked once
    shows     declared fields whose media go before the text
    settings  decoding: temperature, max_tokens …
    per       a declared field: records with the same value are asked once (the same recording in several tasks)
    hides     declared fields that only `decide` reads: a person in the role doesn't see them
    writes    returns the Messages to send, in place of those of `prompt` and `shows`; `prompt` then only identifies
              them
    repaired  a reply that `decide` drops is one that can't be used: its maker is given the reason and asked again,
              `attempts` times in all (a parameter of the stage); then the record is dropped with the last reason
    parts     with `repaired`: returns a text for each part of a reply that can't be used (one of its questions). Its
              maker is given these and asked again; if no reply is without such parts, `decide` receives the one with
              the fewest, and gives each part an outcome of its own
    needed    False: without a usable reply (the model doesn't take a recording, say) `decide` receives None, instead
              of the record being dropped
    """

    prompt: Prompt
    decide: Decide
    reply: type | None = None
    roles: tuple[str, ...] = ("maker",)
    shows: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    per: str = ""
    hides: tuple[str, ...] = ()
    writes: Callable[[Values, Context], tuple[Message, ...]] | None = None
    needed: bool = True
    repaired: bool = False
    parts: Callable[[Any, Values], Sequence[str]] | None = None

    def subject(self, values: Values) -> str:
        """Return what the question is about: the record, or the value that it shares with others."""
        return str(values[self.per]) if self.per else values.id


class Result(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The result of one person. `person` is a pseudonym; a person's latest result about a Task counts. One that
    `settles` decides a disagreement of others: it alone counts."""

    id: str
    shown: str
    person: str
    values: dict[str, Any]
    at: str = ""
    sources: tuple[str, ...] = ()
    settles: bool = False


DecideResults = Callable[[Sequence[Result], Values, Context], Outcome]


@dataclass(frozen=True)
class People:
    """A question of a stage to people, and how their results are used (once there are enough).

    form    the fields to fill in, as `people.Task` describes them. The first field is required, the others are
            optional. A field with the name of one that is shown proposes its value, and takes only a changed one
    decide  receives the results of `people` different people; without it, the first one's values become fields
    shows   the declared fields that people see; all if none is named
    per     a declared field: records with the same value are one Task (a clip that several questions are about)
    helps   declared fields that make the work easier (the film of a talk): results stay valid if these change
    guides  `guide` in other languages: language (`zh`) -> text
    agree   whether people who say different things about a Task disagree, so that it waits until somebody settles it.
            If false (recordings), the first results count
    aside   fields in which people may differ without disagreeing (remarks)
    checks  returns what a result about a record is checked by, besides the form (`people.stage.Task`)
    """

    form: Mapping[str, Any]
    guide: str = ""
    people: int = 1
    decide: DecideResults | None = None
    shows: tuple[str, ...] = ()
    per: str = ""
    helps: tuple[str, ...] = ()
    guides: Mapping[str, str] = field(default_factory=dict)
    agree: bool = True
    aside: tuple[str, ...] = ()
    checks: Callable[[Values], Mapping[str, Any]] | None = None
