"""Changes of media: each is held to what it promises by measuring its output, and is the same in any process."""

from __future__ import annotations

import io
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from PIL import Image

from triptych.errors import MediaError
from triptych.media import transform
from triptych.media.payload import MediaReader, Payload
from triptych.records import Kind, Part

av = pytest.importorskip("av")


RATE = 16_000


def tone(seconds: float = 1.0, level: float = 0.1, channels: int = 1, rate: int = RATE) -> Any:
    """A sine whose RMS is `level`, in each channel half as loud as in the one before."""
    time = np.arange(int(seconds * rate)) / rate
    wave = level * math.sqrt(2) * np.sin(2 * np.pi * 440 * time)
    return np.stack([wave / 2**n for n in range(channels)], axis=1).astype(np.float32)


def wav(samples: Any, rate: int = RATE) -> bytes:
    buffer = io.BytesIO()
    soundfile.write(buffer, samples, rate, format="WAV", subtype="PCM_16")
    return buffer.getvalue()


def changed(root: Path, data: bytes, steps: str, kind: Kind = "audio", name: str = "a.wav") -> Payload:
    (root / name).write_bytes(data)
    return MediaReader(root).load(Part(kind, path=name, transform=steps))


def heard(payload: Payload) -> tuple[Any, int]:
    return soundfile.read(io.BytesIO(payload.data), dtype="float64", always_2d=True)


def db(ratio: float) -> float:
    return 20 * math.log10(ratio)


def rms(samples: Any) -> Any:
    return np.sqrt(np.mean(np.square(samples), axis=0))


@pytest.mark.parametrize("level", [0.003, 0.1, 0.4])
def test_noise_has_the_length_channels_and_level_of_what_it_replaces(tmp_path: Path, level: float) -> None:
    samples = tone(0.7, level, channels=2)
    got, rate = heard(changed(tmp_path, wav(samples), "noise:seed=1"))
    assert (got.shape, rate) == (samples.shape, RATE)
    assert np.all(np.abs([db(a / b) for a, b in zip(rms(got), rms(samples), strict=True)]) < 0.1)
    spectrum = np.abs(np.fft.rfft(got[:, 0])) ** 2  # white: no third of the band has much more power than another
    thirds = [part.mean() for part in np.array_split(spectrum[1:], 3)]
    assert max(thirds) / min(thirds) < 1.3
    assert abs(np.corrcoef(got[:, 0], got[:, 1])[0, 1]) < 0.05


def test_noise_differs_by_seed_and_file_and_by_nothing_else(tmp_path: Path) -> None:
    one, other = wav(tone()), wav(tone(level=0.1001))
    first = changed(tmp_path, one, "noise:seed=1")
    assert changed(tmp_path, one, "noise:seed=1", name="b.wav").data == first.data
    assert changed(tmp_path, one, "noise:seed=2").data != first.data
    assert changed(tmp_path, other, "noise:seed=1").data != first.data


def test_silence_is_silent_and_as_long(tmp_path: Path) -> None:
    got, rate = heard(changed(tmp_path, wav(tone(0.5)), "silence"))
    assert got.shape == (RATE // 2, 1) and rate == RATE and not got.any()


@pytest.mark.parametrize("ratio", [-5.0, 0.0, 10.0, 30.0])
def test_the_ratio_asked_for_is_found_in_the_output(tmp_path: Path, ratio: float) -> None:
    """Measured back: what the tone doesn't explain is noise."""
    samples = tone(2.0).astype(np.float64)
    got, _ = heard(changed(tmp_path, wav(samples), f"snr:db={ratio:g},seed=3"))
    gain = float((got * samples).sum() / (samples**2).sum())
    noise = got - gain * samples
    assert 10 * math.log10(np.mean((gain * samples) ** 2) / np.mean(noise**2)) == pytest.approx(ratio, abs=0.15)
    assert np.abs(got).max() <= 1


def test_a_silent_clip_has_no_ratio(tmp_path: Path) -> None:
    with pytest.raises(MediaError, match="signal-to-noise"):
        changed(tmp_path, wav(np.zeros((100, 1))), "snr:db=10,seed=0")


def test_resampling_keeps_the_tone_and_loses_what_is_above(tmp_path: Path) -> None:
    high = 0.1 * np.sin(2 * np.pi * 6000 * np.arange(RATE) / RATE)
    got, rate = heard(changed(tmp_path, wav(tone()[:, 0] + high), "resample:hz=8000"))
    assert rate == 8000 and len(got) == 8000
    spectrum = np.abs(np.fft.rfft(got[:, 0]))
    assert spectrum.argmax() == 440 and spectrum[2100:].max() < spectrum.max() / 100


@pytest.mark.parametrize(
    ("step", "mime"), [("mp3:kbps=16", "audio/mpeg"), ("mp3:kbps=320", "audio/mpeg"), ("opus:kbps=16", "audio/ogg")]
)
@pytest.mark.parametrize("rate", [8_000, 16_000, 44_100])
def test_lossy_codes_decode_to_the_same_length_and_tone(tmp_path: Path, step: str, mime: str, rate: int) -> None:
    payload = changed(tmp_path, wav(tone(2.0, channels=2, rate=rate), rate), step)
    got, coded_rate = heard(payload)
    assert payload.mime == mime and len(got) / coded_rate == pytest.approx(2.0, abs=0.15)
    spectrum = np.abs(np.fft.rfft(got[:, 0]))
    assert spectrum.argmax() / len(got) * coded_rate == pytest.approx(440, abs=3)
    kbps = len(payload.data) * 8 / 2000
    assert kbps < 1.4 * int(step.rpartition("=")[2]) + 8


def test_what_is_too_long_is_cut_and_what_isnt_stays(tmp_path: Path) -> None:
    assert len(heard(changed(tmp_path, wav(tone(2.0)), "cut:seconds=0.5"))[0]) == RATE // 2
    assert changed(tmp_path, wav(tone(2.0)), "cut:seconds=2").data == wav(tone(2.0))


def test_steps_follow_each_other(tmp_path: Path) -> None:
    payload = changed(tmp_path, wav(tone()), "silence|mp3:kbps=32")
    assert payload.mime == "audio/mpeg" and np.abs(heard(payload)[0]).max() < 1e-3


def test_the_same_in_another_process(tmp_path: Path) -> None:
    steps = ["noise:seed=5|mp3:kbps=24", "noise:seed=5|opus:kbps=12"]
    here = [changed(tmp_path, wav(tone()), one).sha256 for one in steps]
    code = (
        "from pathlib import Path; from triptych.media.payload import MediaReader; from triptych.records import Part\n"
        f"for s in {steps!r}: print(MediaReader(Path({str(tmp_path)!r})).load(Part('audio', path='a.wav', transform=s))"
        ".sha256)"
    )
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert there == here


def photo(size: tuple[int, int] = (64, 48), container: str = "PNG", **more: Any) -> bytes:
    width, height = size
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    pixels = np.stack([x * 255 // width, y * 255 // height, np.full_like(x, 90)], axis=2).astype(np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, container, **more)
    return buffer.getvalue()


def seen(payload: Payload) -> Any:
    with Image.open(io.BytesIO(payload.data)) as image:
        return np.asarray(image.convert("RGB"))


def test_grey_is_grey_and_of_the_same_size(tmp_path: Path) -> None:
    got = seen(changed(tmp_path, photo(), "grey", "image", "a.png"))
    assert got.shape == (48, 64, 3) and (got == 128).all()


def test_noise_has_the_pictures_size_and_mean_and_none_of_its_shapes(tmp_path: Path) -> None:
    payload = changed(tmp_path, photo((128, 128)), "noise:seed=1", "image", "a.png")
    got, own = seen(payload).astype(float), seen(changed(tmp_path, photo((128, 128)), "", "image", "a.png"))
    assert got.shape == own.shape and np.abs(got.mean((0, 1)) - own.mean((0, 1))).max() < 4
    assert abs(np.corrcoef(got[..., 0].ravel(), own[..., 0].ravel())[0, 1]) < 0.05


def test_jpeg_and_downscaling(tmp_path: Path) -> None:
    jpeg = changed(tmp_path, photo((200, 200)), "jpeg:quality=5", "image", "a.png")
    assert jpeg.mime == "image/jpeg" and len(jpeg.data) < len(
        changed(tmp_path, photo((200, 200)), "jpeg:quality=95", "image", "a.png").data
    )
    small = changed(tmp_path, photo((200, 100)), "downscale:factor=0.25", "image", "a.png")
    assert seen(small).shape == (25, 50, 3) and small.mime == "image/png"
    assert changed(tmp_path, photo(container="JPEG"), "downscale:factor=0.5", "image", "a.jpg").mime == "image/jpeg"


def test_a_picture_lying_on_its_side_is_stood_up(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    assert seen(changed(tmp_path, photo((64, 48), "JPEG", exif=exif), "grey", "image", "a.jpg")).shape == (64, 48, 3)


def film(seconds: float = 0.5, sound: bool = True) -> bytes:
    buffer = io.BytesIO()
    with av.open(buffer, "w", format="mp4") as target:
        pictures = target.add_stream("libx264", rate=8)
        pictures.width, pictures.height, pictures.pix_fmt = 64, 48, "yuv420p"
        track = target.add_stream("aac", rate=RATE, layout="mono") if sound else None
        for number in range(int(8 * seconds)):
            pixels = np.full((48, 64, 3), 20 * number, dtype=np.uint8)
            target.mux(pictures.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")))
        if track:
            for start in range(0, int(RATE * seconds), 1024):
                piece = av.AudioFrame.from_ndarray(tone(1024 / RATE).T.copy(), format="fltp", layout="mono")
                piece.sample_rate, piece.pts = RATE, start
                target.mux(track.encode(piece))
            target.mux(track.encode(None))
        target.mux(pictures.encode(None))
    return buffer.getvalue()


def tracks(payload: Payload) -> dict[str, int]:
    with av.open(io.BytesIO(payload.data)) as container:
        kinds = {stream.type for stream in container.streams}
        count = sum(1 for _ in container.decode(video=0))
    return {"frames": count, "sound": int("audio" in kinds)}


def test_a_video_loses_its_sound_and_keeps_its_pictures(tmp_path: Path) -> None:
    assert tracks(changed(tmp_path, film(), "", "video", "a.mp4")) == {"frames": 4, "sound": 1}
    assert tracks(changed(tmp_path, film(), "mute", "video", "a.mp4")) == {"frames": 4, "sound": 0}


@pytest.mark.parametrize("step", ["grey", "noise:seed=1", "downscale:factor=0.5"])
def test_a_videos_pictures_change_and_its_sound_stays(tmp_path: Path, step: str) -> None:
    data = film()
    payload = changed(tmp_path, data, step, "video", "a.mp4")
    assert tracks(payload) == {"frames": 4, "sound": 1}
    assert {changed(tmp_path, data, step, "video", "a.mp4").sha256 for _ in range(10)} == {payload.sha256}
    with av.open(io.BytesIO(payload.data)) as container:
        first = next(container.decode(video=0)).to_ndarray(format="rgb24").astype(int)
    if step == "grey":
        assert np.abs(first - 128).max() <= 3
    if step.startswith("downscale"):
        assert first.shape == (24, 32, 3)


@pytest.mark.parametrize(
    ("kind", "data", "steps", "said"),
    [
        ("audio", b"no sound at all", "silence", "decoded"),
        ("image", b"no picture", "grey", "decoded"),
        ("video", b"no film", "mute", "decoded"),
        ("audio", b"x", "grey", "can't be changed by 'grey'"),
        ("audio", wav(tone()), "mp3:kbps=loud", "number"),
        ("audio", wav(tone(0.1, channels=4)), "mp3:kbps=32", "channels"),
    ],
)
def test_what_cant_be_changed_is_a_media_error(tmp_path: Path, kind: Kind, data: bytes, steps: str, said: str) -> None:
    with pytest.raises(MediaError, match=said):
        changed(tmp_path, data, steps, kind)


@pytest.mark.parametrize(
    ("kind", "steps", "said"),
    [
        ("audio", "resample:hz=1e12", "out of range"),
        ("audio", "resample:hz=nan", "out of range"),
        ("audio", "snr:db=inf", "out of range"),
        ("audio", "cut:seconds=-1", "out of range"),
        ("audio", "mp3:kbps=1e9", "out of range"),
        ("image", "jpeg:quality=1000", "out of range"),
        ("image", "downscale:factor=10000", "out of range"),
        ("audio", "|".join(["silence"] * 21), "too many steps"),
    ],
)
def test_a_strangers_description_asks_for_nothing_without_end(
    tmp_path: Path, kind: Kind, steps: str, said: str
) -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (4, 4)).save(buffer, "PNG")
    data = wav(tone(0.1)) if kind == "audio" else buffer.getvalue()
    with pytest.raises(MediaError, match=said):
        changed(tmp_path, data, steps, kind)


def test_the_ranges_are_those_of_the_conditions() -> None:
    from triptych.conditions.media_changes import CONDITIONS

    for offer in CONDITIONS.values():
        for argument in offer.arguments or ():
            if argument.name in transform.RANGES:
                least, most = transform.RANGES[argument.name]
                assert least <= argument.least and argument.most <= most


def test_descriptions_are_read_as_they_are_written() -> None:
    steps = [transform.describe("snr", {"seed": 0, "db": 10.0}), transform.describe("grey", {})]
    assert steps == ["snr:db=10,seed=0", "grey"]
    assert transform.parse("|".join(steps)) == [("snr", {"db": "10", "seed": "0"}), ("grey", {})]
