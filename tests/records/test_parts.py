"""Tests of `records/parts.py`: one piece of content."""

from __future__ import annotations

import msgspec
import pytest

from triptych.records.parts import MEDIA_KINDS, Kind, Part, media, text


@pytest.mark.parametrize("kind", MEDIA_KINDS)
def test_a_media_part_refers_to_a_file(kind: Kind) -> None:
    part = media(kind, "音频/第 1 段.wav", "content")
    assert (part.kind, part.path, part.role, part.text) == (kind, "音频/第 1 段.wav", "content", "")
    assert part.is_media and part.content_name == "音频/第 1 段.wav"


def test_a_text_part_has_its_words_and_is_no_media() -> None:
    part = text("What is said?\n\u2028第二行", "question")
    assert (part.kind, part.text, part.role) == ("text", "What is said?\n\u2028第二行", "question")
    assert not part.is_media and part.content_name == ""
    assert not text("").is_media


def test_a_changed_file_is_other_content_than_the_file() -> None:
    plain = media("audio", "a.wav")
    noisy = msgspec.structs.replace(plain, transform="noise:seed=0|mp3:kbps=16")
    assert noisy.content_name == "a.wav|noise:seed=0|mp3:kbps=16"
    assert len({plain.content_name, noisy.content_name, media("audio", "b.wav").content_name}) == 3


@pytest.mark.parametrize("line", ['{"kind": "picture"}', '{"kind": "text", "role": "answer"}', '{"kind":"text","x":1}'])
def test_another_kind_role_or_field_is_refused(line: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(line, type=Part)
