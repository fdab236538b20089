"""What Runs cost: tokens, time and money, in total and by family, as their Responses report.

A sum covers the Responses that report the value, and states their number; an unreported value is not 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from triptych.analysis.observed import facet_of
from triptych.records import Estimate, Item, Response, Section, table_of
from triptych.running.costs import Sum, sums, sums_of
from triptych.store.decoded import fact_table

FAMILY_FACETS = ("family", "domain", "genre", "category", "kind")
EXPLANATION = (
    "Sums over Responses: input and output tokens as counted by the model's server, seconds until the answer "
    "(parallel Requests are added up), US dollars from the dated price file. Each sum states the number of "
    "Responses that it covers; answers from the cache cost nothing."
)
_UNITS = {"input_tokens": "tokens in", "output_tokens": "tokens out", "seconds": "seconds", "usd": "USD"}


def cost_section(runs: Iterable[tuple[str, Sequence[Item], Sequence[Response]]], *, by: str = "") -> Section:
    """Labels, each with its Items and Responses, to a Section: a total for each Run, and one for each family. Pure.

    `by`: the facet that is the family; empty: the first of `family`, `domain`, `genre`, `category`, `kind` that an Item
    has, else its Task.
    """
    estimates = [e for label, items, responses in runs for e in _of_run(label, items, responses, by)]
    totals = [e for e in estimates if not e.slice]
    tables = [table_of("cost", "Cost", totals, row=lambda e: e.runs[0], column=lambda e: _UNITS[e.measure])]
    for label in dict.fromkeys(e.runs[0] for e in totals):
        matching_estimates = [e for e in estimates if e.slice and e.runs == (label,)]
        if matching_estimates:
            title = f"Cost by family: {label}"
            tables.append(
                table_of(
                    f"cost.{label}",
                    title,
                    matching_estimates,
                    row=lambda e: e.slice["family"],
                    column=lambda e: _UNITS[e.measure],
                )
            )
    return Section("cost", "Cost", EXPLANATION, estimates=tuple(estimates), tables=tuple(tables))


def _of_run(label: str, items: Sequence[Item], responses: Sequence[Response], by: str) -> Iterator[Estimate]:
    families = _families(items, (by,) if by else FAMILY_FACETS)
    groups: dict[str, list[Response]] = {}
    for response in responses:
        groups.setdefault(families.get(response.item, "?"), []).append(response)
    yield from _sums(label, responses, sums(responses), {})
    if len(groups) > 1:
        for family, members in sorted(groups.items()):
            yield from _sums(label, members, sums_of(members), {"family": family})


def _families(items: Sequence[Item], names: tuple[str, ...]) -> Mapping[str, str]:
    """Item id -> its family; once for the Items that several Runs share."""
    facts_by_run: dict[tuple[int, tuple[str, ...]], tuple[Mapping[str, str], Sequence[Item]]] = fact_table("families")
    key = id(items), names
    if key not in facts_by_run:
        facts_by_run[key] = {item.id: facet_of(item, names) for item in items}, items
    return facts_by_run[key][0]


def _sums(
    label: str, members: Sequence[Response], totals: Mapping[str, Sum], slice_: dict[str, str]
) -> Iterator[Estimate]:
    """Yield the sums over some Responses. `totals`: by measure, over those that were sent to the model."""
    for measure, unit in _UNITS.items():
        total = totals[measure]
        number = total.known_count + total.unknown_count
        is_known = bool(total.known_count) or not number
        yield Estimate(
            measure,
            total.value if is_known else None,
            unit,
            n=total.known_count,
            counted="Responses",
            slice=slice_,
            runs=(label,),
            coverage=total.known_count / number if total.known_count else None,
            better="lower",
            counts={"responses": len(members), "cached": len(members) - number},
            digits={"usd": 4, "seconds": 1}.get(measure, 0),
            label=unit,
            reason="" if is_known else "no Response reports it",
            note="" if total.known_count == number else f"reported by {total.known_count:,} of {number:,} Responses",
        )
