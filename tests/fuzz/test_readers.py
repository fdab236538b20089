"""Every reader takes damaged files in words: a bounded number of mutated ones, the same in every run of the tests."""

from __future__ import annotations

import io
import os
import random
import struct
import warnings
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.mutations import mutated
from tests.fuzz.targets import TARGETS

EXAMPLES = int(os.environ.get("TRIPTYCH_FUZZ_EXAMPLES", "25"))
NEEDS = {"media video": "av", "SOFA files": "h5py", "viewer queries": "duckdb"}


@pytest.mark.parametrize("name", TARGETS)
def test_a_right_file_is_read(name: str) -> None:
    """Each by one of the target's readers at least, and each reader reads one: otherwise all that is mutated is refused
    at once, and nothing behind that is tried."""
    pytest.importorskip(NEEDS.get(name, "msgspec"))
    target, read, refused = TARGETS[name], set[str](), dict[str, str]()
    for number, seed in enumerate(target.seeds()):
        took, others = target.readers(seed)
        assert took, (number, others)
        read |= took
        refused |= others
    assert read and not {reader: why for reader, why in refused.items() if reader not in read}


@pytest.mark.parametrize("name", [name for name in TARGETS if TARGETS[name].wrong])
def test_a_wrong_file_is_refused_in_words(name: str) -> None:
    for data in TARGETS[name].wrong:
        took, refused = TARGETS[name].readers(data)
        assert not took and all(refused.values())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", TARGETS)
def test_a_damaged_file_is_told_of_in_words(name: str) -> None:
    pytest.importorskip(NEEDS.get(name, "msgspec"))
    target = TARGETS[name]

    @settings(
        max_examples=EXAMPLES, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(st.sampled_from(target.seeds()), st.integers(0, 2**32 - 1))
    def read(seed: bytes, chance: int) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            took, refused = target.readers(mutated(seed, random.Random(chance)))
        assert took or (refused and all(refused.values()))

    read()


def _zip_without_a_name() -> bytes:
    """A ZIP archive with one empty file whose name is empty; `zipfile` doesn't write such a one."""
    local = struct.pack("<4s5H3I2H", b"PK\x03\x04", 20, 0, 0, 0, 33, 0, 0, 0, 0, 0)
    entry = struct.pack("<4s6H3I5H2I", b"PK\x01\x02", 20, 20, 0, 0, 0, 33, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    return local + entry + struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 1, 1, len(entry), len(local), 0)


def _log_with_damaged_deflate() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as log:
        log.writestr("header.json", b'{"eval": {"task": "t"}}' * 9)
    data = bytearray(buffer.getvalue())
    data[45:60] = b"\xff" * 15
    return bytes(data)


FOUND = {
    "toml spec": b"\xff = 1",
    "toml prompts": b"a = " + b"[" * 5000,
    "toml rubric": b"a = " + b"9" * 5000,
    "build configurations": b"a = " + b"[" * 5000,
    "archives": _zip_without_a_name(),
    "archive of results": b"\x1f\x8b\x08\x00",
    "log inspect": _log_with_damaged_deflate(),
    "media sound": b"ffconcat version 1.0\nfile secret.wav\n",
}


def _zip_with_a_name_that_is_no_utf8() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("ä.txt", b"x")
    return buffer.getvalue().replace("ä".encode(), b"\xf4a")


@pytest.mark.parametrize("name", ["archives", "archive of results", "log inspect"])
def test_a_zip_whose_names_are_no_utf8(name: str) -> None:
    refused(name, _zip_with_a_name_that_is_no_utf8())


def refused(name: str, data: bytes) -> None:
    """Every reader of the target says in words what is wrong."""
    took, why = TARGETS[name].readers(data)
    assert not took and why and all(why.values())


def test_a_configuration_with_a_number_of_5000_digits() -> None:
    refused("build configurations", b"works = " + b"9" * 5000)


@pytest.mark.parametrize("name", FOUND)
def test_what_was_found_once_stays_mended(name: str) -> None:
    refused(name, FOUND[name])


SAMPLES = (
    b'"samples": [{"id": 1, "epoch": 1, "input": "q", "target": "A", "output": {"choices": [{"message": '
    b'{"content": "A"}, "stop_reason": "stop"}]}}]}'
)
FIGURES = b'"results": {"scores": [{"name": "\\ud800", "metrics": {"m": {"value": 1}}}]}, '


@pytest.mark.parametrize(
    "log",
    [
        b'{"eval": {"task": NaN}, "samples": 7}',  # not-a-number makes the strict decoder give way to the other one
        b'{"eval": {"task": "t", "model": "\\ud800", "x": NaN}, ' + SAMPLES,
        b'{"eval": {"task": "t", "x": NaN}, ' + FIGURES + SAMPLES,
    ],
)
def test_a_log_that_the_strict_decoder_did_not_take(log: bytes) -> None:
    refused("log inspect", log)
