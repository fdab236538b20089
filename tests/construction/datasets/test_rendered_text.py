"""RenderedText, on a small shard as it is released: pairs of JSON and PNG in a tar file."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import pytest
from PIL import Image

from tests.construction.datasets.folders import read
from triptych.construction.build import build
from triptych.errors import DataError
from triptych.models import speech


def shard(path: Path, *texts: list[str]) -> None:
    """A tar file with a picture and its annotation for each list of lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w") as tar:
        for number, lines in enumerate(texts):
            picture = io.BytesIO()
            drawn = Image.new("RGB", (64, 64), (250, 250, 40 * number))
            drawn.paste((0, 0, 0), (8, 8, 40, 40))
            drawn.save(picture, "PNG")
            boxes = [[[1.0, 2.0], [60.0, 2.0], [60.0, 20.0], [1.0, 20.0]] for _ in lines]
            own = {"ocr_annotation": {"text": lines, "bounding_boxes": boxes, "char": ["x"]}, "width": 64, "height": 64}
            for end, data in (("json", json.dumps(own).encode()), ("png", picture.getvalue())):
                member = tarfile.TarInfo(f"{path.stem}{number:05}.{end}")
                member.size = len(data)
                tar.addfile(member, io.BytesIO(data))


def unpacked(path: Path) -> None:
    with tarfile.open(path) as tar:
        tar.extractall(path.with_suffix(""), filter="data")


def test_the_pictures_of_unpacked_shards_have_their_lines(tmp_path: Path) -> None:
    shard(tmp_path / "000000.tar", ["He who", "writes."], ["Joe."])
    shard(tmp_path / "remaining/010000.tar", ["More"])
    with pytest.raises(DataError, match="no unpacked shards") as error:
        read("rendered_text", tmp_path)
    assert "tar -xf" in str(error.value)
    unpacked(tmp_path / "000000.tar")
    unpacked(tmp_path / "remaining/010000.tar")
    first, second, last = read("rendered_text", tmp_path)
    assert first.id == "000000/00000000000" and first.fields["text"] == "He who writes."
    assert first.fields["lines"] == ["He who", "writes."] and len(first.fields["boxes"]) == 2
    assert second.fields["image_file"] == "000000/00000000001.png" and last.id.startswith("remaining/010000/")
    (tmp_path / "000000/00000000001.png").unlink()
    assert read("rendered_text", tmp_path)[1].fields["image_file"] is None


@pytest.mark.parametrize(
    "content", ["[]", '{"ocr_annotation": {"text": "Joe."}}', '{"ocr_annotation": {"text": [" "]}}']
)
def test_malformed_annotations_are_refused_with_their_file(tmp_path: Path, content: str) -> None:
    with pytest.raises(DataError, match="no shards"):
        read("rendered_text", tmp_path)
    (tmp_path / "a.json").write_text(content)
    with pytest.raises(DataError) as error:
        read("rendered_text", tmp_path)
    assert "a.json" in str(error.value)


def test_its_pictures_become_triplets_of_recognition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.construction.recipes.test_xmodbench import said

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(speech.Speaker, "speak", lambda self, text, voice: said(text + voice))
    shard(tmp_path / "data/000000.tar", ["One"], ["Two"], ["Three"], ["Four"])
    unpacked(tmp_path / "data/000000.tar")
    own = {"name": "rendered_text", "folder": "data", "subtask": "recognition", "group": "words"}
    allowed = {"stages": {"rights": {"licences": ["licenseref-renderedtext"]}}}
    built = build("xmodbench", {"datasets": [own], **allowed}, tmp_path / "b", only=["candidates"])
    assert built.counts[-1].decisions == {"kept": 4}
