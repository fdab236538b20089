"""Forms composed of parts: arrangements, orders, counts, sums; each count and order is found again in what was made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from PIL import Image, ImageDraw

from triptych.construction.engine.context import Context, Values
from triptych.construction.engine.media import MediaStore
from triptych.construction.record import Outcome
from triptych.construction.stages.composed import compose, near_counts
from triptych.media.scenes.checking import movements, onsets, order_of_sounds
from triptych.media.scenes.films import Form, write_film
from triptych.media.sound.coding import decode_sound

RATE = 24_000
PITCHES = {"low": 300, "middle": 700, "high": 1500}


@pytest.fixture
def shop(tmp_path: Path) -> Context:
    """A folder with three parts: a tone that dies away, a picture, a film in which a bar lights up."""
    for number, (name, hertz) in enumerate(PITCHES.items()):
        t = np.arange(RATE // 2) / RATE
        soundfile.write(tmp_path / f"{name}.wav", 0.5 * np.exp(-6 * t) * np.sin(2 * np.pi * hertz * t), RATE)
        pictures = []
        for lit in (False, True, True, False):
            image = Image.new("RGB", (160, 90), "black")
            colour = ("red", "lime", "blue")[number]
            ImageDraw.Draw(image).rectangle((50 * number, 0, 50 * number + 40, 90), fill=colour if lit else "#303030")
            pictures.append(np.asarray(image))
        Image.fromarray(pictures[1]).save(tmp_path / f"{name}.png")
        write_film(tmp_path / f"{name}.mp4", iter(pictures), Form(160, 90, 10, RATE, 0))
    return Context(compose.with_(width=160, height=90).parameters, MediaStore(tmp_path), base=tmp_path)


def parts(*names: str) -> list[dict[str, Any]]:
    kinds = {"audio": "wav", "image": "png", "video": "mp4"}
    return [{"text": name} | {k: {"file": f"{name}.{e}"} for k, e in kinds.items()} for name in names]


def run_each(fields: dict[str, Any], shop: Context) -> Outcome:
    return compose.checked(compose.run(Values(compose, "r", fields), shop), "r")


def made(shop: Context, **fields: Any) -> dict[str, Any]:
    outcome = run_each(fields, shop)
    assert outcome.decision == "kept", outcome
    return dict(outcome.fields)


def heard(shop: Context, value: str) -> np.ndarray:
    return decode_sound(shop.media.path(value).read_bytes()).samples


def test_an_arrangement_pans_from_left_to_right_and_permutes_the_rest(shop):
    fields = made(shop, compose="arrangement", parts=parts("low", "middle", "high"))
    assert fields["text"] == "From left to right: low, middle, high"
    texts = {fields["text"], *(form["text"] for form in fields["wrong"])}
    assert len(texts) == 4
    samples = heard(shop, fields["audio"])
    spectrum = np.abs(np.fft.rfft(samples, axis=0))
    places = np.fft.rfftfreq(len(samples), 1 / RATE)
    level = {name: spectrum[np.argmin(np.abs(places - hz))] for name, hz in PITCHES.items()}
    assert level["low"][0] > 10 * level["low"][1] and level["high"][1] > 10 * level["high"][0]
    assert level["middle"][0] == pytest.approx(level["middle"][1], rel=0.02)


def test_a_sequence_is_heard_in_its_order(shop):
    fields = made(shop, compose="order", parts=parts("high", "low", "middle"))
    assert fields["text"] == "high → low → middle"
    whole = [decode_sound((shop.base / f"{n}.wav").read_bytes()).samples[:, 0] for n in ("low", "middle", "high")]
    for form in [fields, *fields["wrong"]]:
        order = order_of_sounds(heard(shop, form["audio"])[:, 0], [part[: RATE // 4] for part in whole])
        assert [("low", "middle", "high")[n] for n in order] == form["text"].split(" → ")


@pytest.mark.parametrize(("kind", "counts", "target"), [("count", [3], 3), ("double", [2], 4), ("sum", [3, 2], 5)])
def test_counts_are_exact_in_sound_and_film(shop, kind, counts, target):
    fields = made(shop, compose=kind, parts=parts("middle"), counts=counts)
    right = fields if kind == "count" else fields["target"]
    assert right["text"] == f"{target} times"
    for form, count in [(fields, sum(counts)), *((f, int(f["text"].split()[0])) for f in [right, *fields["wrong"]])]:
        assert len(onsets(heard(shop, form["audio"])[:, 0], RATE)) == count
        assert len(movements(shop.media.path(form["vision"]), per_second=10)) == count
    assert len({form["text"] for form in [right, *fields["wrong"]]}) == 4
    assert ("relation" in fields) == (kind != "count")


def test_the_right_count_has_each_rank_and_never_leaves_the_range():
    ranks = [sorted(near_counts(6, rank, 1)).index(6) for rank in range(4)]
    assert ranks == [0, 1, 2, 3]
    for right in range(1, 12):
        for rank in range(4):
            found = near_counts(right, rank, 1)
            assert found[0] == right and len(set(found)) == 4 and min(found) >= 1


def test_what_cannot_be_composed_is_dropped_with_a_reason(shop):
    silent = parts("low", "middle", "high")
    soundfile.write(shop.base / "silent.wav", np.zeros(RATE), RATE)
    silent[1]["audio"]["file"] = "silent.wav"
    cases = {
        "silent": {"compose": "order", "parts": silent},
        "number-of-parts": {"compose": "arrangement", "parts": parts("low", "high")},
        "count-too-great": {"compose": "count", "parts": parts("low"), "counts": [12]},
    }
    assert {name: run_each(own, shop).reason for name, own in cases.items()} == {n: n for n in cases}
