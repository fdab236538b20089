"""Models on this computer, installed by pip: OCR, speech recognition, sound events, a small language model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from triptych.errors import SpecError, nearest

if TYPE_CHECKING:
    from triptych.models.adapter import Adapter

ADAPTER = "local/cascade: OCR, speech recognition and a small LLM on this computer"

ENGINES = ("rapidocr", "tesseract", "easyocr", "paddleocr")
NAMES = ("cascade", "asr", "ocr", *ENGINES)


def make(name: str, settings: Mapping[str, Any]) -> Adapter:
    """Return `local/cascade`, or one engine as a model: `local/asr`, `local/ocr`, or an OCR engine by name.

    Raises SpecError for another name.
    """
    if name == "cascade":
        from triptych.models.local.cascade import Cascade

        return Cascade(settings)
    if name in NAMES:
        from triptych.models.local.reader import Reader

        return Reader(name, settings)
    raise SpecError(f"no local model {name!r}", fix=nearest(name, NAMES))


def ensure_weights(settings: Mapping[str, Any], *, fetch: bool) -> None:
    """Ensure that all weights for `local/cascade` with these settings are present; with `fetch`, download missing ones.

    Raises SpecError if a package is missing; WeightsError if weights are missing and `fetch` is false, or if no source
    has them.
    """
    from triptych.models.local.cascade import Cascade
    from triptych.models.local.packages import need_cascade
    from triptych.models.weights.resolver import Resolver

    need_cascade()
    resolver = Resolver()
    for name in Cascade(settings).weights:
        resolver.resolve(name, fetch=fetch)
