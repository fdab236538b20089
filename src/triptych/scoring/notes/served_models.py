"""The models that served a Run, as its endpoints named them in their replies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from triptych.models.catalogue import HOSTED, same_model
from triptych.records import Response


def count_served_models(responses: Iterable[Response | None]) -> Counter[str]:
    """Count replies by the model that the endpoint named; replies without a name are not counted."""
    named = (served_by(one) for one in responses if one is not None)
    return Counter(name for name in named if name)


def served_by(response: Response) -> str:
    """Return the model that the endpoint named in a reply; empty without a name.

    A LoRA adapter that was asked for and is named is the model itself. Where another name comes back, the endpoint may
    have left the adapter out: the name says so.
    """
    name = response.served_model or ""
    if not name or response.status == "failed" or name == response.adapter:
        return ""
    return f"{name} without the adapter {response.adapter}" if response.adapter else name


def several_models(counts: Counter[str]) -> Iterator[str]:
    """Yield a note if several models gave the replies of a Run, since its figures then describe none of them.

    `counts`: as `served` counts them.
    """
    if len(counts) > 1:
        yield f"answered by {len(counts)} models, so the figures are of none of them: {in_words(counts)}"


def asked_model(model: str) -> str:
    """Return the name that an endpoint was asked for, of a Run's model; empty if no endpoint was asked.

    Example:
        >>> asked_model("ocr/rapidocr+openai/gpt-4o"), asked_model("local/cascade")
        ('gpt-4o', '')
    """
    adapter, _, name = model.rpartition("+")[2].partition("/") if model.startswith("ocr/") else model.partition("/")
    return name if adapter in HOSTED else ""


def other_model_counts(model: str, responses: Iterable[Response | None]) -> Counter[str]:
    """Return how many replies each model gave that is not the one asked for, by the names that the endpoint reported;
    empty if the Run's model is not behind an endpoint.
    """
    return _other_models(model, count_served_models(responses)) if asked_model(model) else Counter()


def another_model(model: str, counts: Counter[str]) -> Iterator[str]:
    """Yield a note if the endpoint named another model than the one asked for. `counts`: as `served` counts them."""
    if others := _other_models(model, counts):
        yield f"asked for {asked_model(model)}, but the endpoint named another model in its replies: {in_words(others)}"


def _other_models(model: str, counts: Counter[str]) -> Counter[str]:
    requested_name = asked_model(model)
    return Counter({name: n for name, n in counts.items() if requested_name and not same_model(requested_name, name)})


def in_words(counts: Counter[str]) -> str:
    """`a (120 replies), b (3)`: the most frequent first, then by name."""
    ordered = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    if not ordered:
        return ""
    (name, number), *rest = ordered
    first = f"{name} ({number:,} {'reply' if number == 1 else 'replies'})"
    return ", ".join([first, *(f"{name} ({number:,})" for name, number in rest)])
