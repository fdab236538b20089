"""Results of all encoder comparisons of a scoring, computed at once, with reasons for missing ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from triptych.errors import WeightsError
from triptych.metrics.embedding import TextComparison
from triptych.models.encoders.engines import Engine, find_engine
from triptych.models.encoders.settings import EncoderSettings

Kind = tuple[str, str]  # measure, language


class Compared:
    """The values of comparisons, computed once for all Units, and the available encoders.

    Without settings (encoders were not requested) there are none.
    """

    def __init__(self, settings: EncoderSettings | None = None) -> None:
        self._settings = settings
        self._values: dict[TextComparison, float] = {}
        self._engines: dict[Kind, Engine | str] = {}

    def value(self, comparison: TextComparison) -> float | None:
        """Return the encoder's value; None if it is unavailable (see `missing_reason`)."""
        return self._values.get(comparison)

    def missing_reason(self, measure: str, language: str = "") -> str:
        """Return why a measure is unavailable for a language, and what to install; empty if it is available."""
        engine = self._engine((measure, language))
        return engine if isinstance(engine, str) else ""

    def signature_text(self, kinds: Iterable[Kind]) -> str:
        """Return the models used for these measures and languages, for a signature; empty if none was used."""
        engines = [self._engine(kind) for kind in sorted(set(kinds))]
        return "+".join(dict.fromkeys(engine.signature_text for engine in engines if not isinstance(engine, str)))

    def fill(self, comparisons: Iterable[TextComparison]) -> None:
        """Compute the missing values, encoder by encoder, so that only one is in memory at a time."""
        groups: defaultdict[Kind, list[TextComparison]] = defaultdict(list)
        for one in dict.fromkeys(comparisons):
            if one not in self._values:
                groups[one.measure, one.language].append(one)
        for kind, group in groups.items():
            self._compute(kind, group)

    def _compute(self, kind: Kind, group: list[TextComparison]) -> None:
        engine = self._engine(kind)
        if isinstance(engine, str):
            return
        assert self._settings is not None
        self._settings.report(f"{kind[0]}: {len(group):,} comparisons with {engine.signature_text}")
        try:
            self._values |= dict(zip(group, engine.compare(group), strict=True))
        except WeightsError as error:
            self._engines[kind] = _one_line(error)

    def _engine(self, kind: Kind) -> Engine | str:
        if kind not in self._engines:
            try:
                self._engines[kind] = self._engine_for(kind)
            except WeightsError as error:
                self._engines[kind] = _one_line(error)
        return self._engines[kind]

    def _engine_for(self, kind: Kind) -> Engine | str:
        return (
            "requires an encoder, and encoders were not requested"
            if self._settings is None
            else find_engine(*kind, self._settings)
        )


def _one_line(error: WeightsError) -> str:
    """Return an error in one line, for the note of a Score."""
    parts = [error.problem, *(str(part) for part in (error.where, error.got, error.fix) if part)]
    return ": ".join([parts[0], "; ".join(parts[1:])]) if parts[1:] else parts[0]


NOT_COMPARED = Compared()
