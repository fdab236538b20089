"""The media of the mini sets: they decode, they are small, the manifests name them; and the parts that make them."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
import soundfile
from PIL import Image
from tools.mini import cmdar_set, composites, encode, manifest, music, pictures, sounds, xmodbench_set
from tools.mini.listen import error_rate
from tools.mini.speech import Line

import triptych.benchmarks

SETS = [Path(triptych.benchmarks.__file__).parent / name / "mini" for name in ("xmodbench", "cmdar")]
FILES = [file for root in SETS for file in sorted(root.rglob("*")) if file.is_file()]
MATERIAL = xmodbench_set.FOLDER / "media"


def of_kind(suffix: str) -> list[Path]:
    found = [file for file in FILES if file.suffix == suffix]
    assert found
    return found


def test_both_sets_together_are_under_four_megabytes() -> None:
    assert sum(file.stat().st_size for file in FILES) < 4_000_000


@pytest.mark.parametrize("root", SETS, ids=["xmodbench", "cmdar"])
def test_files_are_those_of_the_manifest(root: Path) -> None:
    assert manifest.differences(root) == []


def test_a_changed_a_missing_and_a_new_file_are_noticed(tmp_path: Path) -> None:
    root = Path(shutil.copytree(SETS[1], tmp_path / "mini"))
    first, second = sorted((root / "audio").iterdir())[:2]
    first.write_bytes(b"other")
    second.unlink()
    (root / "audio" / "new.ogg").write_bytes(b"new")
    assert manifest.differences(root) == [
        f"missing: audio/{second.name}",
        "not in the manifest: audio/new.ogg",
        f"changed: audio/{first.name}",
    ]


def test_all_audio_is_opus_that_can_be_heard() -> None:
    for file in of_kind(".ogg"):
        info = soundfile.info(file)
        assert (info.format, info.subtype, info.samplerate) == ("OGG", "OPUS", 48_000), file.name
        wave, _ = soundfile.read(file)
        assert 0.4 < len(wave) / 48_000 < 25, file.name
        assert 0.1 < np.abs(wave).max() <= 1.1, file.name


def test_spatial_audio_is_stereo_and_the_rest_mono() -> None:
    for file in MATERIAL.rglob("*.ogg"):
        spatial = file.parent.name in {"arrangements", "movements", "panaroma"}
        assert soundfile.info(file).channels == (2 if spatial else 1), file


def test_all_pictures_decode() -> None:
    for file in of_kind(".jpg"):
        with Image.open(file) as picture:
            picture.load()
            assert picture.format == "JPEG"
            assert 100 <= min(picture.size) <= max(picture.size) <= 512, file.name


def test_all_videos_decode() -> None:
    av = pytest.importorskip("av")
    for file in of_kind(".mp4"):
        with av.open(str(file)) as box:
            frames = [frame.to_ndarray(format="rgb24") for frame in box.decode(video=0)]
        assert 8 <= len(frames) <= 60, file.name
        assert frames[0].std() > 1, file.name


def test_counted_videos_flash_and_recordings_beep_as_often_as_they_say() -> None:
    av = pytest.importorskip("av")
    for file in sorted((MATERIAL / "count").glob("*.mp4")):
        with av.open(str(file)) as box:
            light = [frame.to_ndarray(format="gray").mean() for frame in box.decode(video=0)]
        wave, rate = soundfile.read(file.with_suffix(".ogg"))
        loud = np.abs(wave[: len(wave) // (rate // 50) * (rate // 50)]).reshape(-1, rate // 50).max(axis=1)
        assert rises(np.array(light), (max(light) + min(light)) / 2) == int(file.stem)
        assert rises(loud, 0.15) == int(file.stem)


def rises(values: np.ndarray, limit: float) -> int:
    above = np.concatenate([[False], values > limit])
    return int(np.sum(above[1:] & ~above[:-1]))


def test_a_car_from_left_to_right_starts_louder_on_the_left() -> None:
    wave, rate = soundfile.read(MATERIAL / "movements" / "0.ogg")
    left, right = np.abs(wave[: rate // 2]).mean(axis=0)
    assert left > 3 * right
    left, right = np.abs(wave[-rate // 2 :]).mean(axis=0)
    assert right > 3 * left


@pytest.mark.mini
def test_the_encoders_write_the_same_bytes_again(tmp_path: Path) -> None:
    pytest.importorskip("av")
    for turn in ("a", "b"):
        encode.write_opus(tmp_path / f"{turn}.ogg", sounds.panned(sounds.doorbell(), 0.2))
        encode.write_mp4(tmp_path / f"{turn}.mp4", [pictures.flash(on) for on in (True, False)] * 4)
        encode.write_jpeg(tmp_path / f"{turn}.jpg", pictures.words("The cat is sleeping on the sofa."))
    for kind in ("ogg", "mp4", "jpg"):
        assert (tmp_path / f"a.{kind}").read_bytes() == (tmp_path / f"b.{kind}").read_bytes()


@pytest.mark.mini
@pytest.mark.parametrize("name", [*sounds.EFFECTS, *music.GENRES])
def test_every_sound_is_finite_not_silent_and_the_same_again(name: str) -> None:
    make = (sounds.EFFECTS | music.GENRES)[name]
    wave = make()
    assert wave.dtype == np.float32
    assert np.isfinite(wave).all()
    assert 0.2 < np.abs(wave).max() < 1.2
    assert np.array_equal(wave, make())


@pytest.mark.mini
def test_a_tone_has_its_pitch() -> None:
    wave = sounds.tone(440, 440, 1.0)
    spectrum = np.abs(np.fft.rfft(wave))
    assert int(spectrum.argmax()) == 440


@pytest.mark.mini
def test_columns_are_as_even_as_can_be_and_stand_from_right_to_left(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[tuple[float, float, str]] = []

    class Pen:
        def text(self, at: tuple[float, float], character: str, *_: object, **__: object) -> None:
            drawn.append((*at, character))

    monkeypatch.setattr(pictures, "chinese_font", pictures.latin_font)
    monkeypatch.setattr(pictures.ImageDraw, "Draw", lambda _: Pen())
    pictures.chinese_columns("今天天气很冷，真的。", most=6)
    columns: dict[float, str] = {}
    for x, _, character in drawn:
        columns[x] = columns.get(x, "") + character
    assert [columns[x] for x in sorted(columns, reverse=True)] == ["今天天气", "很冷真的"]


@pytest.mark.mini
def test_a_scene_holds_its_lines_pauses_and_effects_in_order() -> None:
    line = Line("好", "zh", "man")
    wave = cmdar_set.scene([["~rain", "0.5"], ["#clock"], ["man", "好"]], {line: np.ones(100, np.float32)})
    pause = int(cmdar_set.PAUSE * sounds.RATE)
    assert len(wave) == 3 * pause + len(sounds.clock()) + 100
    assert wave[-pause - 100 : -pause].min() > 0.5


@pytest.mark.mini
def test_the_bell_of_the_turned_room_is_louder_on_its_side() -> None:
    azimuths = xmodbench_set.content()["panaroma"]["azimuths"]
    for number, azimuth in enumerate(azimuths):
        wave, _ = soundfile.read(MATERIAL / f"panaroma/{number}.ogg")
        left, right = np.sqrt(np.mean(wave**2, axis=0))
        assert (left > 1.1 * right) if azimuth > 0 else (right > 1.1 * left), azimuth


@pytest.mark.mini
def test_the_events_of_an_order_are_found_again_in_their_order() -> None:
    from triptych.media.scenes.checking import order_of_sounds

    for number, order in enumerate(xmodbench_set.content()["order"]["orders"]):
        wave, _ = composites.ordered(order)
        parts = [composites.EVENTS[name]()[: sounds.RATE] for name in order]
        assert order_of_sounds(wave, parts) == [0, 1, 2], number


@pytest.mark.mini
def test_character_error_rate_ignores_case_punctuation_and_blanks() -> None:
    assert error_rate("你好，世界。", "你好世界") == 0
    assert error_rate("Hello, world!", "hello  word") == pytest.approx(1 / 10)
    assert error_rate("", "anything") == 0
