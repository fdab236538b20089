"""Two Runs that were sent different things are never side by side without a word."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("av", reason="av is not installed")

from tests.support.known_films import known_film
from tests.support.wire import Answer, Wire
from triptych import api
from triptych.running.loop import RunOptions

OPENAI = b'{"choices":[{"message":{"content":"A"},"finish_reason":"stop"}]}'


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a question about a film, and a film."""
    monkeypatch.setenv("OPENAI_API_KEY", "none-needed-here-000000")
    (tmp_path / "a.mp4").write_bytes(known_film(60, 10, sound=6.0))
    return tmp_path


def run(place: Path, name: str, **settings: Any) -> Any:
    """A Run on the mini XModBench, whose films are replaced by the reader's own."""
    with Wire(lambda seen: Answer(body=OPENAI)) as wire:
        ready = api.plan(
            "xmodbench",
            "openai/m",
            settings=settings,
            base_url=f"{wire.url}/v1",
            name=name,
            filters={"direction": ["vision_text"]},
            limit=2,
        )
        return api.run_plan(ready, out=place / name, options=RunOptions(progress=False), protocols=["official"])


def test_another_packing_is_named_by_compare_and_noted_in_tables(place: Path) -> None:
    one = run(place, "one")
    other = run(place, "other", packing="order=text_first,rate=16000")
    assert one.folder.manifest.packing != other.folder.manifest.packing
    found = api.compare([one.folder.path, other.folder.path])
    (told,) = [words for words in found.warnings if "packing" in words]
    assert "order=text_first" in told and "none" in told


def test_what_was_sent_in_fact_is_compared_too(place: Path) -> None:
    """The same settings, but another server converts: the Responses say what was sent."""
    from triptych.scoring.runs import media_formats

    one = run(place, "one")
    other = run(place, "other", image_formats="webp")
    told = media_formats(one.folder), media_formats(other.folder)
    assert told[0]["image"].startswith("as it is") and told[1]["image"].startswith("converted")
    warned = api.compare([one.folder.path, other.folder.path]).warnings
    assert any(words.startswith("image was sent differently") for words in warned)
    assert any("media as they were sent" in note for note in other.scores.notes)
    assert not any("media as they were sent" in note for note in one.scores.notes)
