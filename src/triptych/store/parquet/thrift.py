"""Thrift's compact form, in which the headers of Parquet files are written, read with bounded memory.

The form: https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
"""

from __future__ import annotations

from typing import Any

_DEEPEST = 12
_MAX_VALUES = 2_000_000  # values of one structure; Python needs up to 200 bytes for each
_YES, _NO, _BYTE, _DOUBLE, _TEXT, _LIST, _SET, _MAP, _STRUCT = 1, 2, 3, 7, 8, 9, 10, 11, 12
_INTEGER_TYPES = {4, 5, 6}  # 16, 32 and 64 bits


class Reader:
    """Reads `data` from `at`, never beyond `end`. `at`: where the next value begins."""

    def __init__(self, data: memoryview, at: int, end: int) -> None:
        self.data: memoryview[int] = data
        self.at: int = at
        self.end: int = end
        self._left = _MAX_VALUES

    def struct(self, depth: int = 0) -> dict[int, Any]:
        """Return a structure's fields by their numbers. Raises ValueError for damaged, too deep and too long ones."""
        if depth > _DEEPEST:
            raise ValueError("nested too deep")
        values: dict[int, Any] = {}
        number = 0
        while (head := self._byte()) != 0:
            kind, step = head & 15, head >> 4
            number = number + step if step else self._zigzag()
            if number in values:
                raise ValueError("a field is given twice")
            values[number] = kind == _YES if kind in (_YES, _NO) else self._value(kind, depth)
        return values

    def _value(self, kind: int, depth: int) -> Any:
        self._left -= 1
        if self._left < 0:
            raise ValueError("too many values")
        if kind in _INTEGER_TYPES:
            return self._zigzag()
        if kind == _TEXT:
            return self._take(self._varint())
        if kind in (_LIST, _SET):
            return self._list(depth)
        if kind == _STRUCT:
            return self.struct(depth + 1)
        if kind in (_YES, _NO, _BYTE):  # of a list: one byte each
            return self._byte()
        if kind == _DOUBLE:
            return self._take(8)
        raise ValueError(f"a value of the unknown kind {kind}")

    def _list(self, depth: int) -> list[Any]:
        if depth > _DEEPEST:
            raise ValueError("nested too deep")
        head = self._byte()
        length = head >> 4 if head >> 4 < 15 else self._varint()
        if length > self.end - self.at:
            raise ValueError("a list is longer than what is left")
        return [self._value(head & 15, depth + 1) for _ in range(length)]

    def _take(self, length: int) -> bytes:
        if length > self.end - self.at:
            raise ValueError("a text is longer than what is left")
        self.at += length
        return bytes(self.data[self.at - length : self.at])

    def _byte(self) -> int:
        if self.at >= self.end:
            raise ValueError("ends in the middle of a value")
        self.at += 1
        return self.data[self.at - 1]

    def _varint(self) -> int:
        """Return a number of seven bits a byte, the lowest first."""
        number = 0
        for index in range(0, 70, 7):
            byte = self._byte()
            number |= (byte & 127) << index
            if byte < 128:
                return number
        raise ValueError("a number of too many bytes")

    def _zigzag(self) -> int:
        """Return a signed number: 0, -1, 1, -2 … are written as 0, 1, 2, 3 …"""
        number = self._varint()
        return (number >> 1) ^ -(number & 1)
