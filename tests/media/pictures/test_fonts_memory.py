"""The memory that fonts take: machines with many large fonts draw as well."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("fontTools", reason="fonttools comes with the extra [build]")
if not Path("/proc/self/status").is_file():
    pytest.skip("only Linux states the peak of a process's memory", allow_module_level=True)

MEASURE = """
import re, sys
from pathlib import Path
from triptych.media.pictures.fonts import read_faces
faces = [face for path in sorted(Path(sys.argv[1]).iterdir()) for face in read_faces(path)]
assert all(face.has_glyph("中") and not face.has_glyph("\\u0530") for face in faces)
print(len(faces), sum(len(face.characters) for face in faces))
print(int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) // 1024)
"""


def large_font(path: Path, name: str) -> None:
    """A font with 60,000 characters, as Noto CJK has them; all share one glyph."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.ttLib.tables._g_l_y_f import Glyph

    made = FontBuilder(1000, isTTF=True)
    made.setupGlyphOrder([".notdef", "box"])
    codes = [*range(0x4E00, 0xA000), *range(0x20000, 0x20000 + 60_000 - 0x5200)]
    made.setupCharacterMap(dict.fromkeys(codes, "box"))
    made.setupGlyf({".notdef": Glyph(), "box": Glyph()})
    made.setupHorizontalMetrics({".notdef": (500, 0), "box": (500, 0)})
    made.setupHorizontalHeader()
    made.setupNameTable({"familyName": name, "fullName": name})
    made.setupOS2()
    made.setupPost()
    made.save(path)


def test_thirty_large_fonts_take_less_than_300_mb(tmp_path: Path) -> None:
    large_font(tmp_path / "0.ttf", "Large 0")
    for n in range(1, 30):
        (tmp_path / f"{n}.ttf").write_bytes((tmp_path / "0.ttf").read_bytes())
    done = subprocess.run([sys.executable, "-c", MEASURE, str(tmp_path)], capture_output=True, text=True, check=True)
    faces, characters, megabytes = map(int, done.stdout.split())
    assert (faces, characters) == (30, 30 * 60_000)
    assert megabytes < 300
