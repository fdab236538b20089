"""Films read and written as streams, joined, and changed."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from tests.media.scenes.material import RATE, SMALL, film, scene
from triptych.errors import MediaError
from triptych.media.lengths import probed
from triptych.media.scenes.checking import cuts_missing, order_of_films
from triptych.media.scenes.drawing import RED, with_box
from triptych.media.scenes.films import Clip, Form, changed_film, pictures, sound, write_film
from triptych.media.scenes.sequences import join_films
from triptych.media.sound.coding import decode_sound

pytest.importorskip("av", reason="PyAV comes with the extra [local]")
import pytest

from tests.media.scenes.material import ball
from triptych.media.scenes.checking import movements


def test_a_film_is_read_as_it_was_written(tmp_path: Path) -> None:
    clip = Clip(film(tmp_path / "a.mp4", seed=3, seconds=1.0))
    shown = list(pictures(clip, 10))
    assert len(shown) == 10 and np.abs(shown[0].astype(int) - scene(3)).mean() < 12
    heard = np.concatenate(list(sound(clip, RATE)))
    assert heard.shape == (RATE, 1) and np.sqrt(np.mean(heard[2000:-2000] ** 2)) == pytest.approx(
        0.2 / 2**0.5, rel=0.05
    )


def test_a_span_is_cut_out_of_pictures_and_sound(tmp_path: Path) -> None:
    shown = [np.full((64, 96, 3), 20 * n, np.uint8) for n in range(10)]
    heard = [np.full((RATE // 10, 1), 0.0 if n != 5 else 0.5, np.float32) for n in range(10)]
    write_film(tmp_path / "a.mp4", shown, SMALL, heard)
    clip = Clip(tmp_path / "a.mp4", 0.4, 0.8)
    assert [round(float(p.mean()) / 20) for p in pictures(clip, 10)] == [4, 5, 6, 7]
    pieces = np.abs(np.concatenate(list(sound(clip, RATE)))).reshape(4, -1).mean(axis=1)
    assert pieces.argmax() == 1


@pytest.mark.parametrize("rate", [5, 10, 25])
def test_another_rate_shows_what_is_visible_at_each_time(tmp_path: Path, rate: int) -> None:
    shown = [np.full((64, 96, 3), 20 * n, np.uint8) for n in range(10)]
    write_film(tmp_path / "a.mp4", shown, SMALL.without_sound())
    levels = [round(float(p.mean()) / 20) for p in pictures(Clip(tmp_path / "a.mp4"), rate)]
    assert levels == [min(9, int(n / rate * 10 + 1e-6)) for n in range(rate)]


def test_the_same_film_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second = (film(tmp_path / f"{n}.mp4", seed=1).read_bytes() for n in "ab")
    assert first == second


def test_a_film_without_sound_is_silent(tmp_path: Path) -> None:
    film(tmp_path / "a.mp4", form=SMALL.without_sound(), tone=None)
    heard = np.concatenate(list(sound(Clip(tmp_path / "a.mp4"), RATE)))
    assert heard.shape == (RATE, 1) and not heard.any() and "audio_codec" not in probed(tmp_path / "a.mp4")


def test_films_of_other_sizes_and_rates_are_joined_in_one_form(tmp_path: Path) -> None:
    big = Form(width=160, height=96, per_second=15, rate=48_000, channels=2)
    clips = [
        Clip(film(tmp_path / "a.mp4", 1, 0.6)),
        Clip(film(tmp_path / "b.mp4", 2, 1.0, big, 880.0), 0.2, 0.8),
        Clip(film(tmp_path / "c.mp4", 3, 0.5, SMALL.without_sound(), None)),
    ]
    begins = join_films(clips, tmp_path / "all.mp4", SMALL)
    assert begins == [0.0, 0.6, 1.2]
    found = probed(tmp_path / "all.mp4")
    assert (found["width"], found["height"], found["per_second"], found["rate"]) == (96, 64, 10, RATE)
    assert found["seconds"] == pytest.approx(1.7, abs=0.1)
    assert cuts_missing(tmp_path / "all.mp4", begins) == []
    assert order_of_films(tmp_path / "all.mp4", clips, begins, per_second=10) == [0, 1, 2]
    assert order_of_films(tmp_path / "all.mp4", clips[::-1], begins, per_second=10) == [2, 1, 0]
    heard = decode_sound((tmp_path / "all.mp4").read_bytes()).samples[:, 0]
    parts = [np.sqrt(np.mean(heard[round((b + 0.1) * RATE) : round((b + 0.4) * RATE)] ** 2)) for b in begins]
    assert parts[0] > 0.1 and parts[1] > 0.1 and parts[2] < 0.01


def test_a_cut_that_is_not_there_is_missed(tmp_path: Path) -> None:
    join_films([Clip(film(tmp_path / "a.mp4", 1, 1.0))], tmp_path / "one.mp4", SMALL)
    assert cuts_missing(tmp_path / "one.mp4", [0.0, 0.5]) == [0.5]


def test_pictures_are_changed_and_the_sound_is_kept(tmp_path: Path) -> None:
    clip = Clip(film(tmp_path / "a.mp4", seed=2))
    times: list[float] = []

    def boxed(picture: object, seconds: float) -> object:
        times.append(seconds)
        return with_box(picture, (10, 10, 60, 40), thickness=4)

    assert changed_film(clip, tmp_path / "b.mp4", SMALL, boxed) == 10
    assert times == [n / 10 for n in range(10)]
    made = next(pictures(Clip(tmp_path / "b.mp4"), 10))
    assert np.abs(made[11, 20:50].astype(int) - RED).mean() < 40
    assert np.concatenate(list(sound(Clip(tmp_path / "b.mp4"), RATE))).std() > 0.1


def test_memory_does_not_grow_with_the_film(tmp_path: Path) -> None:
    """Pictures are asked for one by one while the film is written."""
    made = 0

    def one() -> object:
        nonlocal made
        made += 1
        return scene(0)

    endless = chain.from_iterable([one()] for _ in range(20))
    write_film(tmp_path / "a.mp4", endless, SMALL.without_sound())
    assert made == 20
    stream = pictures(Clip(tmp_path / "a.mp4"), 10)
    assert next(stream).shape == (64, 96, 3)
    stream.close()


def test_nothing_is_left_of_a_film_that_fails(tmp_path: Path) -> None:
    with pytest.raises(MediaError, match="no pictures"):
        write_film(tmp_path / "a.mp4", [], SMALL)
    assert list(tmp_path.iterdir()) == []


def test_wrong_clips_and_forms_are_refused(tmp_path: Path) -> None:
    path = film(tmp_path / "a.mp4", seconds=0.5)
    for clip in (Clip(path, 1.0, 0.5), Clip(path, -1.0, 0.5), Clip(path, 5.0)):
        with pytest.raises(MediaError):
            list(pictures(clip, 10))
    with pytest.raises(MediaError, match="ends before"):
        list(pictures(Clip(path, 5.0, 6.0), 10))
    (tmp_path / "b.mp4").write_bytes(b"no film")
    with pytest.raises(MediaError):
        join_films([Clip(tmp_path / "b.mp4")], tmp_path / "c.mp4", SMALL)
    for wrong in ({"width": 95}, {"per_second": 0}, {"channels": 3}, {"width": 10_000, "height": 10_000}):
        with pytest.raises(MediaError):
            Form(**wrong)
    with pytest.raises(MediaError):
        join_films([], tmp_path / "c.mp4")
    assert not (tmp_path / "c.mp4").exists()


def test_a_film_without_movement_has_none(tmp_path: Path) -> None:
    write_film(tmp_path / "a.mp4", ball()[:1] * 5, SMALL.without_sound())
    assert movements(tmp_path / "a.mp4", per_second=10) == []
