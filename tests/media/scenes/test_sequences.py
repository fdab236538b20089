"""Counts and orders are found again in what was made."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.media.scenes.material import RATE, SMALL, SOUNDS, ball, film
from triptych.errors import MediaError
from triptych.media.scenes.checking import is_single, movements, onsets, order_of_sounds, places_of_sounds
from triptych.media.scenes.films import Clip, Form, pictures, sound, write_film
from triptych.media.scenes.sequences import join_sounds, repeat_film, repeat_pictures, repeat_sound
from triptych.media.sound.coding import decode_sound, encode_opus

pytest.importorskip("av", reason="PyAV comes with the extra [local]")
pytest.importorskip("scipy", reason="SciPy comes with the extra [build]")


KINDS = st.sampled_from(sorted(SOUNDS))


@settings(max_examples=60, deadline=None)
@given(KINDS, st.integers(1, 10), st.floats(0.2, 0.8), st.integers(0, 2**16))
def test_every_count_of_sounds_is_found_again(kind: str, count: int, gap: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    event = SOUNDS[kind](rng)
    assert is_single(event, RATE)
    made, begins = repeat_sound(event, count, RATE, gap=gap)
    noisy = made + 0.0005 * rng.standard_normal(len(made)).astype(np.float32)
    found = onsets(noisy, RATE)
    assert len(found) == count == len(begins)
    assert found == pytest.approx(begins, abs=0.03)


@settings(max_examples=6, deadline=None)
@given(KINDS, st.integers(1, 10))
def test_counts_survive_lossy_compression(kind: str, count: int) -> None:
    made, _ = repeat_sound(SOUNDS[kind](np.random.default_rng(0)), count, RATE)
    decoded = decode_sound(encode_opus(made.reshape(-1, 1), RATE, 32_000)).mono(RATE)
    assert len(onsets(decoded, RATE)) == count


def test_sounds_that_are_several_are_not_single() -> None:
    knock = SOUNDS["knock"](np.random.default_rng(0))
    double, _ = join_sounds([knock, knock], RATE, gap=0.2)
    assert not is_single(double, RATE) and not is_single(np.zeros(RATE), RATE)


@settings(max_examples=25, deadline=None)
@given(st.permutations([0, 1, 2, 3]), st.integers(0, 999), st.floats(0, 0.5))
def test_every_order_of_sounds_is_found_again(order: list[int], seed: int, gap: float) -> None:
    rng = np.random.default_rng(seed)
    sounds = [make(rng) for _, make in sorted(SOUNDS.items())]
    made, begins = join_sounds([sounds[n] for n in order], RATE, gap=gap)
    assert order_of_sounds(made, sounds) == order
    places = places_of_sounds(made, sounds)
    assert [places[n] for n in order] == pytest.approx([b * RATE for b in begins], abs=80)  # 5 ms


def test_a_sound_that_is_missing_or_doubled_has_no_order() -> None:
    rng = np.random.default_rng(0)
    knock, bark, bell = (SOUNDS[name](rng) for name in ("knock", "bark", "bell"))
    made, _ = join_sounds([knock, bark], RATE)
    assert order_of_sounds(made, [knock, bark, bell]) is None
    assert order_of_sounds(made, [knock, knock]) is None


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(count=st.integers(1, 10), gap=st.sampled_from([0.3, 0.5]))
def test_every_count_of_movements_is_found_again(tmp_path: Path, count: int, gap: float) -> None:
    path = tmp_path / "made.mp4"
    knock = SOUNDS["knock"](np.random.default_rng(count))
    begins = repeat_pictures(ball(), count, path, SMALL, knock, gap=gap)
    spans = movements(path, per_second=10)
    assert len(spans) == count
    assert [begin for begin, _ in spans] == pytest.approx(begins, abs=0.21)
    heard = np.concatenate(list(sound(Clip(path), RATE)))[:, 0]
    assert onsets(heard, RATE) == pytest.approx(begins, abs=0.03)  # seen and heard together


@pytest.mark.parametrize("count", [1, 4])
def test_an_event_of_a_film_is_repeated_with_its_sound(tmp_path: Path, count: int) -> None:
    bark = SOUNDS["bark"](np.random.default_rng(0))
    heard = np.concatenate([bark, np.zeros(RATE - len(bark), np.float32)])[:, None]
    still = ball()[:1]
    write_film(tmp_path / "one.mp4", [*ball(), *still * 4], SMALL, [heard])
    event = Clip(tmp_path / "one.mp4", 0.0, 0.6)
    begins = repeat_film(event, count, tmp_path / "many.mp4", SMALL)
    assert len(movements(tmp_path / "many.mp4", per_second=10)) == count
    found = onsets(np.concatenate(list(sound(Clip(tmp_path / "many.mp4"), RATE)))[:, 0], RATE)
    assert found == pytest.approx(begins, abs=0.03)
    assert len(list(pictures(Clip(tmp_path / "many.mp4"), 10))) == 3 + count * 6 + (count - 1) * 4 + 3


def test_wrong_arguments_are_refused(tmp_path: Path) -> None:
    with pytest.raises(MediaError, match="1 to 100"):
        repeat_sound(np.ones(10), 0, RATE)
    with pytest.raises(MediaError, match="no sounds"):
        join_sounds([], RATE)
    with pytest.raises(MediaError, match="no pictures"):
        repeat_pictures([], 2, tmp_path / "a.mp4", SMALL)
    with pytest.raises(MediaError, match="mono"):
        onsets(np.zeros((5, 2)), RATE)
    with pytest.raises(MediaError, match="too long"):
        repeat_film(Clip(film(tmp_path / "l.mp4", seconds=1.0), 0.0, 12.0), 2, tmp_path / "b.mp4", Form(96, 64, 10))
