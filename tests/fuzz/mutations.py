"""Mutations of a file: bytes flipped, cut, doubled; and where it is JSON, values of its tree in one another's place."""

from __future__ import annotations

import json
import random
from typing import Any

# What readers stumble over, as values of JSON …
VALUES: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    2**31,
    2**63,
    2**64 - 1,
    10**30,
    0.5,
    -0.0,
    1e308,
    float("nan"),
    float("inf"),
    "",
    " ",
    "A",
    "..",
    "../../x",
    "/etc/passwd",
    "a\x00b",
    "\u2028",
    "\ud800",
    "\u202e",
    "ＡＢ",
    "é" * 300,
    "x" * 5000,
    [],
    {},
    [[]],
    [None],
    ["A", "A"],
    {"": None},
    "1e5",
    "true",
    "null",
    "<b>",
    "=1+1",
    "%s%n",
    "2026-01-01T00:00:00Z",
]
# … and as bytes.
TOKENS = [
    b"\x00",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\xed\xa0\x80",
    b"\r",
    b"\n",
    b"\n\n",
    b'"',
    b"'",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b"null",
    b"NaN",
    b"-1",
    b"1e999",
    b"18446744073709551616",
    b"<a>",
    b"&a;",
    b"<!DOCTYPE a [",
    b"]]>",
    b"[[",
    b"]]",
    b"[" * 3000,
    b'{"a":' * 2000,
    b"a." * 2000,
    b"=",
    b"\xe2\x80\xa8",
    b"..",
    b"../",
    b"%",
    b"\\",
    b"\x1b[2J",
]


def mutated(data: bytes, rng: random.Random) -> bytes:
    """The file with one to four changes."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        tree = rng.random() < 0.6 and data[:1] in (b"{", b"[")
        data = (_in_tree(data, rng) if tree else None) or _in_bytes(data, rng)
    return data


def _in_bytes(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    until = min(len(data), at + rng.choice((1, 2, 8, 64, len(data))))
    kind = rng.randrange(6)
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + data[until:]
    if kind == 2:
        return data[:until] + data[at:]
    if kind == 3:
        return data[:at] + rng.choice(TOKENS) + data[at:]
    if kind == 4:
        return data[:at] + rng.choice(TOKENS) + data[until:]
    return data[:at] + bytes(rng.randrange(256) for _ in range(rng.choice((1, 1, 4)))) + data[at + 1 :]


def _in_tree(data: bytes, rng: random.Random) -> bytes | None:
    """JSON, or a line of JSON lines, with a node of it changed; None for what is none."""
    try:
        return _dumped(_changed(json.loads(data), rng))
    except (ValueError, RecursionError):
        pass
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    try:
        lines[at] = _dumped(_changed(json.loads(lines[at]), rng))
    except (ValueError, RecursionError):
        return None
    return b"\n".join(lines)


def _dumped(tree: Any) -> bytes:
    return json.dumps(tree).encode()


def _changed(node: Any, rng: random.Random) -> Any:
    """The tree with one of its nodes changed."""
    if isinstance(node, dict) and node and rng.random() < 0.9:
        key = rng.choice(sorted(node))
        kind = rng.randrange(8)
        if kind == 0:
            return {k: v for k, v in node.items() if k != key}
        if kind == 1:
            return {(rng.choice(("", "x", key.upper(), f"{key} ")) if k == key else k): v for k, v in node.items()}
        if kind == 2:
            return {**node, key: node[rng.choice(sorted(node))]}
        return {**node, key: _changed(node[key], rng)}
    if isinstance(node, list) and node and rng.random() < 0.9:
        at, kind = rng.randrange(len(node)), rng.randrange(8)
        if kind == 0:
            return node[:at] + node[at + 1 :]
        if kind == 1:
            return [*node, node[at]]
        return [*node[:at], _changed(node[at], rng), *node[at + 1 :]]
    return rng.choice(VALUES)
