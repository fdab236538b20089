"""Tests of `media/payload.py`: reading media from a data folder."""

from __future__ import annotations

import base64
import hashlib
import math
import os
from pathlib import Path

import numpy as np
import pytest
import soundfile

from tests.media.test_opening import texts
from tests.media.test_transform import RATE, heard, rms, tone, wav
from triptych.errors import MediaError
from triptych.media.payload import KIND_OF, MIME_TYPES, MediaReader
from triptych.records import Item, Part, media
from triptych.records.exchange import Message, Request


def test_the_kind_of_a_file_follows_from_its_type() -> None:
    assert KIND_OF.keys() == MIME_TYPES.keys() and set(KIND_OF.values()) == {"audio", "image", "video"}
    assert (KIND_OF[".oga"], KIND_OF[".m4a"], KIND_OF[".jfif"], KIND_OF[".m4v"]) == ("audio", "audio", "image", "video")


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


def test_the_bytes_count_where_the_suffix_is_wrong(root: Path) -> None:
    (root / "really.mp3").write_bytes(b"RIFF....WAVEfmt ")
    (root / "plain.m4a").write_bytes(b"????")
    assert MediaReader(root).load(media("audio", "really.mp3")).format == "wav"
    assert MediaReader(root).load(media("audio", "plain.m4a")).format == "m4a"


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


def test_every_part_of_a_request_goes_through_it(working: Path) -> None:
    (working / "clinic.ogg").write_bytes(texts(working)["concat"])
    reader = MediaReader(working)
    for steps in ("silence", "mp3:kbps=32", "noise:seed=1", "cut:seconds=1"):
        with pytest.raises(MediaError):
            reader.load(Part("audio", path="clinic.ogg", transform=steps))
    assert reader.load(media("audio", "clinic.ogg")).data == texts(working)["concat"]


def test_a_noise_file_is_mixed_in_at_the_ratio_over_and_over(tmp_path: Path) -> None:
    babble = tmp_path / "babble.wav"
    noise = 0.3 * np.sign(np.sin(2 * np.pi * 3000 * np.arange(4000) / 8000))
    soundfile.write(babble, noise, 8000, subtype="PCM_16")
    digest = hashlib.sha256(babble.read_bytes()).hexdigest()
    (tmp_path / "a.wav").write_bytes(wav(tone(3.0)))
    part = Part("audio", path="a.wav", transform=f"snr:db=6,noise={digest},seed=0")
    got, _ = heard(MediaReader(tmp_path, extra={digest: babble}).load(part))
    own = tone(3.0).astype(np.float64)
    gain = float((got * own).sum() / (own**2).sum())
    left = got - gain * own
    assert 10 * math.log10(np.mean((gain * own) ** 2) / np.mean(left**2)) == pytest.approx(6, abs=0.3)
    assert rms(left[:RATE]) == pytest.approx(rms(left[2 * RATE :]), rel=0.05)  # repeated to the end
    with pytest.raises(MediaError, match="mixed in"):
        MediaReader(tmp_path).load(part)
    babble.write_bytes(b"RIFF of another kind")
    with pytest.raises(MediaError, match="mixed in"):
        MediaReader(tmp_path, extra={digest: babble}).load(part)


def test_a_requests_key_holds_what_is_sent_and_the_item_the_files_own_hash(tmp_path: Path) -> None:
    """Two Conditions never share a key, though they share the file; the same one always does."""
    (tmp_path / "a.wav").write_bytes(wav(tone()))
    reader = MediaReader(tmp_path)

    def key(steps: str) -> str:
        part = Part("audio", path="a.wav", transform=steps)
        payload = reader.load(part)
        assert reader.known_hash(part.content_name) == payload.sha256
        assert reader.known_hash("a.wav") == hashlib.sha256(wav(tone())).hexdigest()
        request = Request("i", (Message("user", (part,)),), item=Item("i", "t", (part,)))
        return request.key("m", "", {part.content_name: payload.sha256})

    keys = [key(steps) for steps in ("", "noise:seed=0", "noise:seed=1", "silence", "noise:seed=0")]
    assert len(set(keys)) == 4 and keys[1] == keys[4]
