"""Validation by models: several models of different makers judge each question, and enough must find it valid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from triptych.construction.asking.prompt import Prompt, load_prompts
from triptych.construction.asking.questions import Ask
from triptych.construction.asking.stage import Group, Model, Unavailable, ask
from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters
from triptych.construction.record import Outcome, dropped, kept
from triptych.construction.stage import Stage
from triptych.errors import SpecError
from triptych.models.families import family_of

PROMPTS = load_prompts(Path(__file__).with_suffix(".toml"))


class Verdict(msgspec.Struct):
    """A validator's reply: whether the pair is valid, and if not, why."""

    valid: bool
    reason: str = ""


class Validated(Parameters, frozen=True):
    """Parameters of stages in which several models validate a question."""

    at_least: Annotated[int, Meta(ge=1, description="number of models that must find the question valid")]


def validated(
    name: str, prompt: Prompt, reads: Sequence[str], roles: Sequence[str], *, at_least: int | None = None
) -> Stage:
    """Return a stage that asks several models for a Verdict; `at_least` of them must say valid (None: all).

    A reply that can't be read twice counts as not valid. The models' verdicts are in the note of a dropped record, and
    in `validated_by` of a kept one.
    """
    need = len(roles) if at_least is None else at_least
    if not 1 <= need <= len(roles):
        raise SpecError("more validators must agree than there are", got=need, expected=f"1 to {len(roles)}")
    asking = Ask(prompt, _decide, Verdict, tuple(roles), settings={"temperature": 0})
    return ask(
        name,
        asking,
        version=1,
        reads=reads,
        writes=["validated_by"],
        about=f"{need} of {len(roles)} models must find the question valid.",
        parameters=Validated(at_least=need),
    )


def check_families(
    maker: Model | Group | Unavailable, validators: Sequence[Model | Group | Unavailable], *, allow: bool
) -> list[str]:
    """Return the validators of the maker's model family. Raises SpecError if there are any and `allow` is false.

    People have no model family.
    """
    family = "" if isinstance(maker, Group) else family_of(maker.name)
    same = [v.role for v in validators if family and not isinstance(v, Group) and family_of(v.name) == family]
    if same and not allow:
        raise SpecError(
            f"{same[0]} judges the work of a model of its own family",
            got=f"{maker.name} and {family}",
            fix="name a validator of another family, or set allow_same_family = true (the card will say so)",
        )
    return same


def _decide(replies: Mapping[str, Any], values: Values, context: Context[Validated]) -> Outcome:
    """Keep a question that enough models find valid; a reply that can't be read counts as not valid."""
    said_no = {
        role: "no readable reply" if v is None else v.reason or "no reason"
        for role, v in replies.items()
        if v is None or not v.valid
    }
    said_yes = [role for role in replies if role not in said_no]
    if len(said_yes) >= context.parameters.at_least:
        return kept(validated_by=said_yes)
    return dropped("not-valid", "; ".join(f"{role}: {reason}" for role, reason in said_no.items()))


trio: Stage = validated(
    "trio", PROMPTS["trio"], ["question", "options?", "answer", "text?"], ("validator_a", "validator_b", "validator_c")
)
