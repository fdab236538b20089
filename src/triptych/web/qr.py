"""QR codes as SVG, for links on paper: byte mode, error correction level M, versions 1 to 10 (up to 213 bytes)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from triptych.errors import DataError

# ISO/IEC 18004, table 9, level M: version -> (codewords for correction per block, data codewords of each block)
_BLOCKS = {
    1: (10, (16,)),
    2: (16, (28,)),
    3: (26, (44,)),
    4: (18, (32, 32)),
    5: (24, (43, 43)),
    6: (16, (27,) * 4),
    7: (18, (31,) * 4),
    8: (22, (38, 38, 39, 39)),
    9: (22, (36, 36, 36, 37, 37)),
    10: (26, (43, 43, 43, 43, 44)),
}
_CENTRES = {
    1: (),
    2: (6, 18),
    3: (6, 22),
    4: (6, 26),
    5: (6, 30),
    6: (6, 34),
    7: (6, 22, 38),
    8: (6, 24, 42),
    9: (6, 26, 46),
    10: (6, 28, 50),
}
_QUIET = 4  # modules around the code
Grid = list[list[bool]]


def qr_svg(text: str, title: str = "") -> str:
    """Return a QR code as an SVG element, which a page or a file can contain. Raises DataError for a text over 213
    bytes.

    >>> qr_svg("HELLO")[:59]
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 29 29"'
    """
    from html import escape

    grid = qr_modules(text)
    side = len(grid) + 2 * _QUIET
    dark = [(x + _QUIET, y + _QUIET) for y, row in enumerate(grid) for x, cell in enumerate(row) if cell]
    runs = "".join(f"M{x} {y}h1v1h-1z" for x, y in dark)
    name = f' role="img" aria-label="{escape(title)}"' if title else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" class="qr"{name}'
        ' shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{side}v{side}h-{side}z"/><path fill="#000" d="{runs}"/></svg>'
    )


def qr_modules(text: str) -> Grid:
    """Return the modules of a QR code, row by row; True is dark. Raises DataError for a text over 213 bytes."""
    data = text.encode()
    version = next((v for v, (_, sizes) in _BLOCKS.items() if len(data) + 2 + (v > 9) <= sum(sizes)), None)
    if version is None:
        raise DataError("too long for a QR code", got=f"{len(data)} bytes", expected="at most 213")
    bits = _interleaved(_codewords(data, version), version)
    drawn = [_drawn(version, bits, mask) for mask in range(8)]
    return min(drawn, key=_penalty)


def _codewords(data: bytes, version: int) -> list[int]:
    """The data with mode and length, filled up to the capacity of the version."""
    length = 16 if version > 9 else 8
    bits = f"0100{len(data):0{length}b}" + "".join(f"{byte:08b}" for byte in data)
    room = 8 * sum(_BLOCKS[version][1])
    bits += "0" * min(4, room - len(bits))
    bits += "0" * (-len(bits) % 8)
    words = [int(bits[begin : begin + 8], 2) for begin in range(0, len(bits), 8)]
    return words + [(0xEC, 0x11)[n % 2] for n in range(room // 8 - len(words))]


def _interleaved(words: list[int], version: int) -> str:
    """The codewords of all blocks in turn, then those for their correction."""
    number, sizes = _BLOCKS[version]
    blocks, begin = [], 0
    for size in sizes:
        blocks.append(words[begin : begin + size])
        begin += size
    more = [_correction(block, number) for block in blocks]
    mixed = [block[n] for n in range(max(sizes)) for block in blocks if n < len(block)]
    mixed += [block[n] for n in range(number) for block in more]
    return "".join(f"{word:08b}" for word in mixed)


def _times(x: int, y: int) -> int:
    """The product in the field of 256 elements with the polynomial 0x11d."""
    product_ = 0
    for index in range(8):
        if y >> index & 1:
            product_ ^= x << index
    for index in range(15, 7, -1):
        if product_ >> index & 1:
            product_ ^= 0x11D << (index - 8)
    return product_


def _correction(block: list[int], number: int) -> list[int]:
    """The remainder of a block by the generator polynomial of Reed and Solomon."""
    generator, root = [1], 1
    for _ in range(number):
        longer = [*generator, 0]
        for n, factor in enumerate(generator):
            longer[n + 1] ^= _times(factor, root)
        generator, root = longer, _times(root, 2)
    left = [*block, *[0] * number]
    for n in range(len(block)):
        first = left[n]
        for m, factor in enumerate(generator):
            left[n + m] ^= _times(factor, first)
    return left[len(block) :]


def _drawn(version: int, bits: str, mask: int) -> Grid:
    side = 17 + 4 * version
    fixed = dict([*_patterns(version, side), *_information(version, side, mask)])
    grid = [[fixed.get((x, y), False) for x in range(side)] for y in range(side)]
    free = [cell for cell in _path(side) if cell not in fixed]
    for n, (x, y) in enumerate(free):
        grid[y][x] = (n < len(bits) and bits[n] == "1") ^ _MASKS[mask](x, y)
    return grid


_MASKS = (
    lambda x, y: (x + y) % 2 == 0,
    lambda x, y: y % 2 == 0,
    lambda x, y: x % 3 == 0,
    lambda x, y: (x + y) % 3 == 0,
    lambda x, y: (y // 2 + x // 3) % 2 == 0,
    lambda x, y: x * y % 2 + x * y % 3 == 0,
    lambda x, y: (x * y % 2 + x * y % 3) % 2 == 0,
    lambda x, y: ((x + y) % 2 + x * y % 3) % 2 == 0,
)


def _path(side: int) -> Iterator[tuple[int, int]]:
    """All places in the order of the data: two columns at a time from the right, up and down in turn."""
    upward = True
    for right in (*range(side - 1, 6, -2), 5, 3, 1):  # column 6 has a timing pattern
        rows = range(side - 1, -1, -1) if upward else range(side)
        yield from ((x, y) for y in rows for x in (right, right - 1))
        upward = not upward


def _patterns(version: int, side: int) -> Iterator[tuple[tuple[int, int], bool]]:
    """Timing, alignment and finder patterns, later ones over earlier ones, and the dark module."""
    for n in range(side):
        yield (n, 6), n % 2 == 0
        yield (6, n), n % 2 == 0
    corners = {(6, 6), (6, side - 7), (side - 7, 6)}
    for x, y in product(_CENTRES[version], repeat=2):
        if (x, y) not in corners:
            for dx, dy in product(range(-2, 3), repeat=2):
                yield (x + dx, y + dy), max(abs(dx), abs(dy)) != 1
    for x, y in ((3, 3), (side - 4, 3), (3, side - 4)):
        for dx, dy in product(range(-4, 5), repeat=2):
            if 0 <= x + dx < side and 0 <= y + dy < side:
                yield (x + dx, y + dy), max(abs(dx), abs(dy)) not in (2, 4)
    yield (8, side - 8), True


def _information(version: int, side: int, mask: int) -> Iterator[tuple[tuple[int, int], bool]]:
    """Level M and the mask, each bit twice; from version 7 the version, too."""
    code = _with_remainder(mask, 10, 0x537) ^ 0x5412  # level M is 00
    for n in range(15):
        dark = bool(code >> n & 1)
        yield (8, n if n < 6 else n + 1 if n < 8 else side - 15 + n), dark
        yield (side - 1 - n if n < 8 else 7 if n == 8 else 14 - n, 8), dark
    if version > 6:
        code = _with_remainder(version, 12, 0x1F25)
        for n in range(18):
            corner = side - 11 + n % 3, n // 3
            yield corner, bool(code >> n & 1)
            yield corner[::-1], bool(code >> n & 1)


def _with_remainder(value: int, bits: int, polynomial: int) -> int:
    left = value << bits
    while left.bit_length() > bits:
        left ^= polynomial << (left.bit_length() - bits - 1)
    return value << bits | left


def _penalty(grid: Grid) -> int:
    """How hard a mask is to read: long runs, squares, patterns like a finder, an uneven share of dark modules."""
    side, penalty = len(grid), 0
    for lines in (grid, [list(column) for column in zip(*grid, strict=True)]):
        for line in lines:
            text = "".join("01"[dark] for dark in line)
            runs = text.replace("01", "0 1").replace("10", "1 0").split()
            penalty += sum(len(run) - 2 for run in runs if len(run) > 4)
            penalty += 40 * sum(text.startswith(("10111010000", "00001011101"), n) for n in range(side - 10))
    square = product(range(side - 1), repeat=2)
    penalty += 3 * sum(grid[y][x] == grid[y][x + 1] == grid[y + 1][x] == grid[y + 1][x + 1] for x, y in square)
    dark = sum(map(sum, grid))
    return penalty + 10 * (abs(20 * dark - 10 * side * side) // (side * side))
