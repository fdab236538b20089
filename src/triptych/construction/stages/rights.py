"""Rights: whether material may be used, and whether it may be passed on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

from msgspec import Meta

from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters
from triptych.construction.record import Outcome, dropped, kept
from triptych.construction.stage import stage

# Licences under which a benchmark may contain and pass on the material: SPDX identifiers in lower case
OPEN_LICENCES = (
    "cc0-1.0",
    "cc-by-3.0",
    "cc-by-4.0",
    "cc-by-sa-3.0",
    "cc-by-sa-4.0",
    "mit",
    "apache-2.0",
    "bsd-3-clause",
    "odc-by-1.0",
)


class Rights(Parameters, frozen=True):
    """Parameters of `rights`."""

    years: Annotated[int, Meta(ge=0, description="years after an author's death until a text is free")] = 150
    year: Annotated[
        int, Meta(ge=0, description="year in which rights are judged (0: the author's death is not used)")
    ] = 0
    licences: Annotated[tuple[str, ...], Meta(description="SPDX identifiers of the licences that are allowed")] = (
        OPEN_LICENCES
    )
    reference_only: Annotated[
        tuple[str, ...],
        Meta(description="SPDX identifiers of licences whose material leaves only as its source and time span"),
    ] = ()
    consent: Annotated[bool, Meta(description="whether a recorded consent is a ground")] = False

    def __post_init__(self) -> None:
        # the date refuses a build, and changes none
        if self.year > (now := datetime.now(UTC).year) + 1:
            raise ValueError(f"`year` is {self.year}, but it is {now}: protected material would count as free")


@stage(
    "rights",
    version=2,
    reads=["author_died?", "licence?", "consent?"],
    writes=["rights", "pass_on"],
    parameters=Rights,
)
def rights(values: Values, context: Context[Rights]) -> Outcome:
    """Keep material in the public domain, under an allowed licence, or recorded with consent, and state the ground.

    `author_died` is a year (negative: BC). A text is free if its author has been dead for over `years` (150, as in
    MCGA) in the year `year`; without `year` this ground isn't used, since a build must not depend on the date.
    `licence` is an SPDX identifier in `licences`, in any case; material under a licence in `reference_only` may be
    used, but the output has only its source and time span (`pass_on` is false). With `consent`, `consent` names the
    signed form.
    """
    wanted = context.parameters
    if wanted.consent and not values["consent"]:
        return dropped("no-consent")
    licence = str(values["licence"] or "").lower()
    if licence in _lower_case(wanted.reference_only):
        return kept(rights=f"licence {licence}", pass_on=False)
    if licence and licence in _lower_case(wanted.licences):
        return kept(rights=f"licence {licence}", pass_on=True)
    died = values["author_died"]
    if wanted.year and isinstance(died, int) and wanted.year - died > wanted.years:
        return kept(rights=f"author died in {died}, over {wanted.years} years before {wanted.year}", pass_on=True)
    if licence:
        return dropped("licence-not-allowed", licence)
    if isinstance(died, int):
        return dropped("author-died-too-recently", str(died))
    return dropped("rights-unknown", "neither a licence nor the year of the author's death is given")


def _lower_case(names: Sequence[str]) -> set[str]:
    return {name.lower() for name in names}


class PersonRights(Parameters, frozen=True):
    """Parameters of `person-rights`."""

    licences: Annotated[tuple[str, ...], Meta(description="SPDX identifiers of the licences that are allowed")] = (
        OPEN_LICENCES
    )


@stage(
    "person-rights",
    version=2,
    reads=["licence?", "consent?"],
    writes=["rights", "pass_on"],
    parameters=PersonRights,
)
def person_rights(values: Values, context: Context[PersonRights]) -> Outcome:
    """Keep material that shows a person only under an open licence, or if the person's consent is recorded."""
    licence = str(values["licence"] or "").lower()
    if licence in _lower_case(context.parameters.licences):
        return kept(rights=f"licence {licence}", pass_on=True)
    if values["consent"]:
        return kept(rights=f"consent: {values['consent']}", pass_on=True)
    return dropped("no-licence-or-consent", licence or "neither is recorded")
