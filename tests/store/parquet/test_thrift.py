"""Tests of `store/parquet/thrift.py`: bytes written by hand from the specification of Thrift's compact protocol."""

from __future__ import annotations

import pytest

from triptych.store.parquet.thrift import Reader


def read(data: bytes) -> dict[int, object]:
    return Reader(memoryview(data), 0, len(data)).struct()


@pytest.mark.parametrize(
    ("data", "fields"),
    [
        (b"\x00", {}),
        (b"\x15\x1e\x00", {1: 15}),  # i32, zigzag 30
        (b"\x15\x01\x00", {1: -1}),
        (b"\x16\xac\x02\x00", {1: 150}),  # i64, zigzag 300 in two bytes
        (b"\x11\x12\x00", {1: True, 2: False}),  # the value is in the type
        (b"\x18\x03abc\x00", {1: b"abc"}),
        (b"\x15\x02\x25\x04\x00", {1: 1, 3: 2}),  # a step of two fields
        (b"\x05\x64\x02\x00", {50: 1}),  # a field id in full, zigzag 100
        (b"\x19\x35\x02\x04\x06\x00", {1: [1, 2, 3]}),
        (b"\x19\xf5\x10" + b"\x02" * 16 + b"\x00", {1: [1] * 16}),  # a long list has its length apart
        (b"\x1c\x15\x02\x00\x15\x04\x00", {1: {1: 1}, 2: 2}),
        (b"\x19\x1c\x18\x01x\x00\x00", {1: [{1: b"x"}]}),
        (b"\x17\x00\x00\x00\x00\x00\x00\xf0\x3f\x00", {1: b"\x00\x00\x00\x00\x00\x00\xf0?"}),  # 1.0
    ],
)
def test_structures_by_hand(data: bytes, fields: dict[int, object]) -> None:
    assert read(data) == fields


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "middle"),
        (b"\x15", "middle"),
        (b"\x18\x7fabc", "longer than what is left"),
        (b"\x19\xf5\xff\xff\xff\xff\x7f", "longer than what is left"),
        (b"\x15\x02\x05\x02\x04\x00", "twice"),
        (b"\x1d\x00", "unknown kind"),
        (b"\x15" + b"\xff" * 12, "too many bytes"),
        (b"\x1c" * 40 + b"\x00" * 41, "too deep"),
    ],
)
def test_damaged_structures_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read(data)


def test_lists_in_lists_end_with_an_error_and_not_with_the_stack() -> None:
    with pytest.raises(ValueError):
        read(b"\x19" * 100_000)


def test_it_reads_from_the_middle_and_never_beyond_the_end() -> None:
    data = memoryview(b"??\x15\x02\x00\x15\x04\x00")
    reader = Reader(data, 2, 8)
    assert reader.struct() == {1: 1} and reader.at == 5
    with pytest.raises(ValueError, match="middle"):
        Reader(data, 2, 4).struct()
