"""Tests of `construction/datasets/vggsound.py`: clips of VGG-Sound, and those with boxes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.construction.datasets.folders import VGG, laid, only, read
from triptych.errors import DataError


def test_vggsound(tmp_path: Path) -> None:
    first, second = read("vggsound", laid(tmp_path, **VGG))
    assert first.id == "---g-f_I2yQ_000001" and first.sources == ("youtube:---g-f_I2yQ",)
    assert first.fields["label"] == "people marching" and first.fields["split"] == "test"
    assert first.fields["video_file"] == "video/---g-f_I2yQ_000001.mp4"
    assert first.fields["audio_file"] == "audio/---g-f_I2yQ_000001.wav"
    assert (first.fields["begin"], first.fields["end"], first.fields["source_begin"]) == (0, 10, 1)
    assert second.fields["video_file"] is None and second.fields["label"] == "waterfall burbling"


def test_vggsound_source_has_boxes_and_its_clips_alone(tmp_path: Path) -> None:
    boxes = [{"file": "---g-f_I2yQ_000001", "class": "people marching", "bbox": [[0.1, 0.2, 0.5, 0.6]]}]
    fields = only("vggsound", laid(tmp_path, **VGG, **{"vggss.json": json.dumps(boxes)}))
    assert fields["boxes"] == [[0.1, 0.2, 0.5, 0.6]]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"vggsound.csv": "a,b\n"}, "number of cells"),
        ({"vggsound.csv": "a,x,label,test\n"}, "not a number"),
        ({"vggsound.csv": "a,1,l,test\na,1,l,test\n"}, "listed twice"),
        ({"vggsound.csv": "a,1,l,test\n", "vggss.json": "{}"}, "malformed"),
        ({"vggsound.csv": b"\xff\xfe\x00"}, "UTF-8"),
        ({"vggsound.csv": 'a,1,"l,test\n'}, "malformed"),
    ],
)
def test_a_malformed_list_is_an_error_that_says_where(files: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=message):
        read("vggsound", laid(tmp_path, **files))
