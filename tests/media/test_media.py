"""Media: paths stay inside, bytes stay as they are, types follow the bytes."""

from __future__ import annotations

import base64
import hashlib
import os
from pathlib import Path

import pytest

from triptych.errors import MediaError
from triptych.media.convert import audio_to_wav, image_to_png
from triptych.media.paths import resolve_inside
from triptych.media.payload import MediaReader
from triptych.media.sniff import sniff
from triptych.records import Part, media


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "data"
    (root / "deep").mkdir(parents=True)
    (root / "deep" / "a.wav").write_bytes(b"RIFF....WAVEfmt ")
    (tmp_path / "secret.wav").write_bytes(b"secret")
    (root / "out.wav").symlink_to(tmp_path / "secret.wav")
    (root / "outdir").symlink_to(tmp_path)
    (root / "in.wav").symlink_to(root / "deep" / "a.wav")
    return root


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("../secret.wav", "leads out"),
        ("deep/../../secret.wav", "leads out"),
        ("deep\\..\\..\\x", "leads out"),
        ("/etc/passwd", "absolute"),
        ("~/x.wav", "absolute"),
        ("C:\\x.wav", "absolute"),
        ("\\\\host\\x", "absolute"),
        ("https://example.org/x.wav", "URL"),
        ("file:///etc/passwd", "URL"),
        ("out.wav", "leads out"),
        ("outdir/secret.wav", "leads out"),
        ("none.wav", "not found"),
        ("deep", "not a file"),
        ("", "empty"),
        ("a\x00b.wav", "control"),
        ("a\nb.wav", "control"),
    ],
)
def test_paths_that_lead_out_are_refused(root: Path, name: str, words: str) -> None:
    with pytest.raises(MediaError, match=words):
        resolve_inside(root, name)
    with pytest.raises(MediaError, match=words):
        MediaReader(root).load(media("audio", name))


def test_paths_inside_are_found(root: Path) -> None:
    real = (root / "deep" / "a.wav").resolve()
    for name in ("deep/a.wav", "./deep/a.wav", "deep//a.wav", "in.wav"):
        assert resolve_inside(root, name) == real


def test_a_link_that_is_turned_outwards_later_is_refused(root: Path, tmp_path: Path) -> None:
    reader = MediaReader(root)
    assert reader.load(media("audio", "in.wav")).data.startswith(b"RIFF")
    (root / "in.wav").unlink()
    (root / "in.wav").symlink_to(tmp_path / "secret.wav")
    with pytest.raises(MediaError, match="leads out"):
        reader.load(media("audio", "in.wav"))


def test_bytes_are_read_once_hashed_and_coded(root: Path) -> None:
    reader = MediaReader(root)
    payload = reader.load(media("audio", "deep/a.wav"))
    assert payload.sha256 == hashlib.sha256(payload.data).hexdigest() == reader.known_hash("deep/a.wav")
    assert base64.b64decode(payload.base64) == payload.data and b"\n" not in payload.base64
    assert (payload.mime, payload.format) == ("audio/wav", "wav")
    assert reader.known_hash("none") == ""


def test_hashes_are_remembered_within_bounds(root: Path) -> None:
    reader = MediaReader(root, remembered=3)
    for number in range(5):
        (root / f"{number}.wav").write_bytes(b"x%d" % number)
        reader.load(media("audio", f"{number}.wav"))
    assert [bool(reader.known_hash(f"{n}.wav")) for n in range(5)] == [False, False, True, True, True]


def test_files_that_are_no_media_are_refused(root: Path) -> None:
    (root / "empty.wav").touch()
    with pytest.raises(MediaError, match="empty"):
        MediaReader(root).load(media("audio", "empty.wav"))
    with (root / "huge.wav").open("wb") as file:
        os.truncate(file.fileno(), 513 * 1024 * 1024)
    with pytest.raises(MediaError, match="too large"):
        MediaReader(root).load(media("audio", "huge.wav"))
    with pytest.raises(MediaError, match="--data"):
        MediaReader(None).load(media("audio", "a.wav"))


def test_what_real_encoders_write_is_known_by_its_bytes(tmp_path: Path) -> None:
    import numpy as np
    import soundfile
    from PIL import Image

    samples = np.zeros(4800, np.float32)
    for name, kind, mime in (
        ("wav", "WAV", "audio/wav"),
        ("flac", "FLAC", "audio/flac"),
        ("ogg", "OGG", "audio/ogg"),
        ("mp3", "MP3", "audio/mpeg"),
    ):
        soundfile.write(tmp_path / f"a.{name}", samples, 24_000, format=kind)
        assert sniff((tmp_path / f"a.{name}").read_bytes()) == mime
    for name, mime in (
        ("PNG", "image/png"),
        ("JPEG", "image/jpeg"),
        ("WEBP", "image/webp"),
        ("GIF", "image/gif"),
        ("BMP", "image/bmp"),
    ):
        Image.new("RGB", (4, 4)).save(tmp_path / "b", name)
        assert sniff((tmp_path / "b").read_bytes()) == mime
    assert sniff(b"") == sniff(b"\xff") == sniff(b"hello") == sniff(b"RIFF....xxxx") == ""


def test_the_bytes_count_where_the_suffix_is_wrong(root: Path) -> None:
    (root / "really.mp3").write_bytes(b"RIFF....WAVEfmt ")
    (root / "plain.m4a").write_bytes(b"????")
    assert MediaReader(root).load(media("audio", "really.mp3")).format == "wav"
    assert MediaReader(root).load(media("audio", "plain.m4a")).format == "m4a"


def test_conversion_keeps_samples_pixels_and_the_files_hash(tmp_path: Path) -> None:
    import io

    import numpy as np
    import soundfile
    from PIL import Image

    stereo = np.random.default_rng(0).integers(-30_000, 30_000, (800, 2)).astype(np.int16)
    soundfile.write(tmp_path / "a.flac", stereo, 8_000)
    flac = MediaReader(tmp_path).load(media("audio", "a.flac"))
    wav = audio_to_wav(flac)
    again, rate = soundfile.read(io.BytesIO(wav.data), dtype="int16")
    assert (again == stereo).all() and rate == 8_000 and wav.sha256 == flac.sha256 and wav.format == "wav"
    pixels = np.random.default_rng(0).integers(0, 255, (5, 7, 3)).astype(np.uint8)
    Image.fromarray(pixels).save(tmp_path / "b.bmp")
    png = image_to_png(MediaReader(tmp_path).load(media("image", "b.bmp")))
    assert (np.asarray(Image.open(io.BytesIO(png.data))) == pixels).all() and png.format == "png"
    (tmp_path / "c.bmp").write_bytes(b"BM and no more")
    with pytest.raises(MediaError, match="can't be decoded"):
        image_to_png(MediaReader(tmp_path).load(media("image", "c.bmp")))


@pytest.mark.parametrize("becomes", ["a link", "a pipe"])
def test_a_file_that_becomes_something_else_after_the_look_at_it(root: Path, tmp_path: Path, becomes: str) -> None:
    class Slow(MediaReader):
        def resolve(self, part: Part) -> Path:
            path = super().resolve(part)
            path.unlink()
            path.symlink_to(tmp_path / "secret.wav") if becomes == "a link" else os.mkfifo(path)
            return path

    try:
        data = Slow(root).load(media("audio", "deep/a.wav")).data
    except MediaError as error:
        data = str(error).encode()
    assert b"secret" not in data


def test_audio_that_is_small_only_as_a_file(tmp_path: Path) -> None:
    import numpy as np
    import soundfile

    soundfile.write(tmp_path / "a.flac", np.zeros(48_000, np.int16), 48_000)
    data = bytearray((tmp_path / "a.flac").read_bytes())
    data[21] |= 0x0F  # the 36 bits that tell how many samples there are
    data[22:26] = b"\xff\xff\xff\xff"
    (tmp_path / "a.flac").write_bytes(data)
    with pytest.raises(MediaError, match="too long"):
        audio_to_wav(MediaReader(tmp_path).load(media("audio", "a.flac")))
