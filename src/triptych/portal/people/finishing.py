"""The end of somebody's work in a queue: a completion code, and the address to go back to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from triptych.portal.project import Finish
from triptych.portal.site.page import Visit

_SLOT = re.compile(r"\{(\w[\w-]*)\}")


@dataclass(frozen=True)
class Finished:
    """A code and an address that a page shows at the end; each may be empty."""

    code: str
    back: str


def finish_of(visit: Visit, queue: str) -> Finished | None:
    """Return the code and the address for a person who has done their work in a queue; None if none is set."""
    finish = visit.portal.settings.finish.get(queue)
    return Finished(finish.code, return_address(finish, visit.person.arrived)) if finish else None


def return_address(finish: Finish, arrived: Mapping[str, str]) -> str:
    """Return the address with the code and the parameters by which the person came; unknown ones are empty.

    >>> return_address(Finish("C1", "https://x.org/done?cc={code}&pid={PROLIFIC_PID}&s={S}"), {"PROLIFIC_PID": "5f&a"})
    'https://x.org/done?cc=C1&pid=5f%26a&s='
    """
    values = {**arrived, "code": finish.code}
    return _SLOT.sub(lambda match: quote(values.get(match[1], ""), safe=""), finish.back)
