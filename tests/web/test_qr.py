"""QR codes: read by OpenCV's decoder at every length, and the published example of the format bits."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET

import pytest

from triptych.errors import DataError
from triptych.web.qr import qr_modules, qr_svg

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123456789/:.-_?=&"


def read(text: str) -> str:
    """What OpenCV reads from the code of a text."""
    cv2 = pytest.importorskip("cv2", reason="OpenCV is not installed (pip install opencv-python-headless)")
    np = pytest.importorskip("numpy")
    dark = np.pad(np.array(qr_modules(text)), 4)
    picture = np.kron(255 * (~dark).astype(np.uint8), np.ones((8, 8), np.uint8))
    found, _, _ = cv2.QRCodeDetector().detectAndDecode(picture)
    return str(found)


LENGTHS = [1, 14, 15, 26, 27, 42, 43, 62, 63, 84, 85, 106, 107, 122, 123, 152, 153, 180, 181, 213]


@pytest.mark.parametrize("length", LENGTHS)
def test_a_decoder_reads_the_text_at_the_ends_of_each_version(length: int) -> None:
    draw = random.Random(length)
    text = "".join(draw.choice(LETTERS) for _ in range(length))
    assert read(text) == text


def test_a_link_with_chinese_letters_is_read() -> None:
    assert read("https://诗.example.org/enter/床前明月光") == "https://诗.example.org/enter/床前明月光"


def test_a_text_that_is_too_long_is_refused() -> None:
    with pytest.raises(DataError, match="too long"):
        qr_modules("x" * 214)


def test_the_picture_has_a_square_for_each_dark_module_and_a_name() -> None:
    text = "https://example.org/enter/abc"
    root = ET.fromstring(qr_svg(text, 'Wang "Li" & Co'))
    assert root.attrib["aria-label"] == 'Wang "Li" & Co'
    side = len(qr_modules(text)) + 8
    assert root.attrib["viewBox"] == f"0 0 {side} {side}"
    assert root[1].attrib["d"].count("M") == sum(map(sum, qr_modules(text)))
