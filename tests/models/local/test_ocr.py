"""OCR on small rendered pictures (Noto Sans CJK), and the reading order by hand-made boxes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.errors import MediaError
from triptych.models.local.ocr import Ocr, TextLine, decode, in_reading_order

PICTURES = Path(__file__).with_name("pictures")


@pytest.fixture(scope="module")
def ocr() -> Ocr:
    pytest.importorskip("rapidocr", reason="the extra `local` is not installed")
    return Ocr()


@pytest.mark.parametrize(
    ("picture", "text"),
    [
        ("english_rows", "The quick brown fox\njumps over the lazy dog"),
        ("chinese_rows", "今天下午我要去医院\n请问火车站在哪里？"),
        ("chinese_columns", "床前明月光\n疑是地上霜\n举头望明月\n低头思故乡"),
        ("two_by_two", "north east\nsouth west"),
    ],
)
def test_text_comes_out_in_reading_order(ocr: Ocr, picture: str, text: str) -> None:
    assert ocr.read((PICTURES / f"{picture}.png").read_bytes()) == text


def test_a_picture_without_text_is_empty(ocr: Ocr) -> None:
    import numpy as np

    assert ocr.read_pixels(np.full((120, 160, 3), (200, 30, 30), dtype=np.uint8)) == ""


@pytest.mark.parametrize("data", [b"", b"not a picture", b"\x89PNG\r\n\x1a\n broken"])
def test_what_is_no_picture_is_refused(data: bytes) -> None:
    with pytest.raises(MediaError, match="can't be decoded"):
        decode(data)


def test_transparent_pictures_stand_on_white() -> None:
    import io

    from PIL import Image

    Image.new("RGBA", (4, 4), (0, 0, 0, 0)).save(out := io.BytesIO(), "PNG")
    assert (decode(out.getvalue()) == 255).all()


def test_columns_go_from_right_to_left_and_rows_from_top_to_bottom() -> None:
    columns = [TextLine("三四", 10, 0, 30, 90), TextLine("一二", 50, 5, 70, 95), TextLine("五", 52, 100, 70, 120)]
    assert in_reading_order(columns) == ["一二 五", "三四"]
    rows = [TextLine("below", 0, 50, 90, 70), TextLine("right", 100, 2, 190, 22), TextLine("left", 0, 0, 90, 20)]
    assert in_reading_order(rows) == ["left right", "below"]


def test_one_column_among_rows_does_not_turn_the_page() -> None:
    lines = [
        TextLine("a headline over all", 0, 0, 300, 20),
        TextLine("边注", 280, 30, 300, 90),
        TextLine("and the text", 0, 30, 200, 50),
    ]
    assert in_reading_order(lines)[0] == "a headline over all"


boxes = st.builds(
    lambda text, x, y, w, h: TextLine(text, x, y, x + w, y + h),
    st.text("ab字", min_size=1, max_size=4),
    *[st.floats(0, 500)] * 2,
    *[st.floats(1, 200)] * 2,
)


@given(st.lists(boxes, max_size=8))
def test_nothing_is_lost_and_the_order_found_is_no_matter(lines: list[TextLine]) -> None:
    read = in_reading_order(lines)
    assert sorted(" ".join(read).split()) == sorted(line.text for line in lines)
    assert in_reading_order(lines[::-1]) == read
