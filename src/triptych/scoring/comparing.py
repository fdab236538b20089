"""Apply encoders to Units: the texts that any protocol compares are encoded together, before a Unit is scored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from triptych.errors import TriptychError
from triptych.metrics.embedding import TextComparison
from triptych.models.encoders.compared import NOT_COMPARED, Compared
from triptych.models.encoders.settings import EncoderSettings
from triptych.protocols.protocol import Protocol, Unit
from triptych.scoring.apply import scoring_error


def compare_texts(
    chunks: Iterable[Sequence[Unit]], protocols: Mapping[str, Protocol], settings: EncoderSettings | None = None
) -> tuple[Compared, dict[str, str]]:
    """Return the similarities of the Units' texts, and per protocol the encoders used, for its signature.

    Of all Units, only the texts to be compared are held in memory. `chunks`: the Units, some at a time; they are not
    read if no protocol compares texts.
    """
    asking = {name: protocol for name, protocol in protocols.items() if protocol.compares}
    if not asking:
        return NOT_COMPARED, {}
    compared = Compared(settings or EncoderSettings())
    texts: dict[str, dict[TextComparison, None]] = {name: {} for name in asking}  # in the order of their first Units
    for chunk in chunks:
        for unit in attach_similarities(chunk, compared):
            for name, protocol in asking.items():
                texts[name].update(dict.fromkeys(_compares(unit, protocol)))
    compared.fill(one for every in texts.values() for one in every)
    notes_by_text = {
        name: compared.signature_text((one.measure, one.language) for one in every) for name, every in texts.items()
    }
    return compared, {name: words for name, words in notes_by_text.items() if words}


def attach_similarities(units: Iterable[Unit], compared: Compared) -> list[Unit]:
    """Return the Units with the similarities of their texts."""
    return [replace(unit, compared=compared) for unit in units]


def _compares(unit: Unit, protocol: Protocol) -> Sequence[TextComparison]:
    assert protocol.compares is not None
    try:
        return list(protocol.compares(unit))
    except TriptychError:
        raise
    except Exception as error:
        raise scoring_error(unit, protocol, error) from error
