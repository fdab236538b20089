"""Tesseract: its table of words, its alternatives, and, where it is installed, real rows and columns of Chinese."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.errors import SpecError
from triptych.models.local import tesseract
from triptych.models.local.ocr_engines import make_reader
from triptych.models.registry import load_adapter

PICTURES = Path(__file__).with_name("pictures")
HEAD = "level\tpage\tblock\tpar\tline\tword\tleft\ttop\twidth\theight\tconf\ttext"


def row(line: int, confidence: float, text: str, level: int = 5) -> str:
    return f"{level}\t1\t1\t1\t{line}\t1\t0\t0\t9\t9\t{confidence}\t{text}"


def test_words_become_lines_without_spaces_inside_chinese() -> None:
    table = "\n".join(
        [
            HEAD,
            row(1, -1, "", level=4),
            row(1, 90, "床"),
            row(1, 80, "前明"),
            row(1, 50, "moon"),
            row(1, 50, "light"),
            row(2, 20, " "),
            row(3, 60, '"x\ty"'),
        ]
    )
    said, sure = tesseract.as_text(table)
    assert said == '床前明 moon light\n"x\ty"'
    assert sure == pytest.approx((90 + 2 * 80 + 4 * 50 + 5 * 50 + 5 * 60) / 17)
    assert tesseract.as_text(HEAD) == ("", 0.0) == tesseract.as_text("")


def test_without_the_program_the_installation_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SpecError, match="apt install tesseract-ocr"):
        load_adapter("local/tesseract")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "languages", "text"),
    [
        ("chinese_columns", "", "床前明月光\n疑是地上霜"),
        ("chinese_columns", "chi_tra_vert", "床前明月光\n疑是地上霜"),
        ("chinese_rows", "", "今天下午我要去"),
        ("english_rows", "", "The quick brown fox"),
    ],
)
def test_real_columns_and_rows_are_read(name: str, languages: str, text: str) -> None:
    if not tesseract.installed() or not {"chi_tra_vert", "chi_sim", "eng"} <= tesseract._installed_languages():
        pytest.skip(f"Tesseract is not installed with its Chinese data: {tesseract.FIX}")
    assert make_reader("tesseract", languages, 1).read((PICTURES / f"{name}.png").read_bytes()).startswith(text)
