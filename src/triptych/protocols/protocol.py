"""Protocol: a named, versioned way to score a benchmark; and the arrays that its aggregation works on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from triptych.judges.verdicts import Verdicts
from triptych.metrics.embedding import TextComparison
from triptych.models.encoders.compared import NOT_COMPARED, Compared
from triptych.records import Item, Response, Score

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

NO_VERDICTS = Verdicts()


@dataclass(frozen=True, slots=True)
class Unit:
    """The unit of scoring: one or more Items in order, and the Response to each (None if missing).

    Each repeat of a Run is a separate Unit with its own `repeat` (a missing Response could not tell the number).
    `verdicts`: the judges' verdicts; empty without a judge. `compared`: the encoders' comparisons of all texts that are
    scored together, if the protocol compares texts.
    """

    items: tuple[Item, ...]
    responses: tuple[Response | None, ...]
    repeat: int = 0
    verdicts: Verdicts = NO_VERDICTS
    compared: Compared = NOT_COMPARED

    @property
    def item(self) -> Item:
        """Return the first Item; all Items of a Unit have the same facets, Task and Instance."""
        return self.items[0]

    @property
    def unit_id(self) -> str:
        """Return the Unit's id, which its repeats share."""
        return self.items[0].unit_id

    @property
    def response(self) -> Response | None:
        """Return the first Response, for Units of a single Item."""
        return self.responses[0]


@dataclass(frozen=True, slots=True)
class Cell:
    """The finest group that an aggregation sees: a Task, a metric, and the values of the spec's `slices`."""

    task: str
    metric: str
    slice: tuple[tuple[str, str], ...] = ()

    def facet(self, name: str) -> str:
        """Return the value of one slice facet; empty if the cell does not have it."""
        return next((value for key, value in self.slice if key == name), "")


@dataclass(frozen=True, slots=True)
class Figure:
    """One aggregate: its name, its value over the leading (replicate) axes, the cells it is made of.

    `expected`: number of cells of a complete figure; 0 if unknown. `deviation_of`: for a standard deviation with n - 1,
    the values whose standard deviation it is, on a last axis after the leading ones (NaN if missing). Its interval
    takes into account that noise alone makes values differ (`metrics.statistics.limits.deviation_interval`).
    """

    task: str
    metric: str
    slice: Mapping[str, str]
    value: Array
    cells: tuple[int, ...]
    expected: int = 0
    deviation_of: Array | None = None


# (cells, sums of shape (…, cells, 2) holding numerators and denominators) -> figures with values of shape (…)
Aggregation = Callable[[Sequence[Cell], "Array"], Iterator[Figure]]


@dataclass(frozen=True, slots=True)
class Protocol:
    """How a benchmark is scored.

    `score` returns all Scores of one Unit, whether or not its Responses have a text, so that denominators don't shrink.
    `headline`: the figure that a table shows first, over `all` Units or over the `answered` ones. `uses`: other
    dependencies of the values (`zhconv-1.4.3`), for the signature. `compares`: the comparisons of texts that `score`
    looks up in `unit.compared`; encoders get those of all Units at once.
    """

    name: str
    version: str
    summary: str
    headline: Literal["all", "answered"]
    score: Callable[[Unit], Sequence[Score]]
    aggregate: Aggregation
    uses: tuple[str, ...] = ()
    compares: Callable[[Unit], Iterable[TextComparison]] | None = None


@dataclass(frozen=True, slots=True)
class Outputs:
    """Results made elsewhere, read from the authors' own format.

    `responses`: Item id -> Response (an unanswered one is `failed`, with the file's reason).
    `items`: the Items (question, target) if the results file contains them; scoring then needs no data folder.
    `stored`: scores in the files. `notes`: remarks for the user. `complete`: the `items` are complete, so questions
    that only the data has don't count as unanswered (it asks the same in several forms, and the results answer one).
    """

    responses: Mapping[str, Response]
    items: Mapping[str, Item]
    notes: tuple[str, ...] = ()
    stored: Mapping[str, Any] | None = None
    complete: bool = False
