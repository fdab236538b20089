"""The media of a Run have one hash: other recordings make another one, another order doesn't."""

from __future__ import annotations

import itertools

from triptych.records import Item, Part
from triptych.scoring.notes.media import SentMedia


def media_hash(*items: Item) -> str:
    sent = SentMedia()
    for one in items:
        sent.add([one])
    return sent.hash


def asked(*parts: Part, options: tuple[tuple[Part, ...], ...] = ()) -> Item:
    return Item("q", "toy/a", parts, options)


def file(path: str, content: str) -> Part:
    return Part("audio", path=path, sha256=content * 64)


def test_there_is_no_hash_without_media_that_were_read() -> None:
    assert media_hash() == ""
    assert media_hash(asked(Part("text", text="只有文字"), Part("audio", path="never-read.wav"))) == ""


def test_the_order_and_the_number_of_questions_make_no_difference() -> None:
    items = [asked(file(f"{name}.wav", digit)) for name, digit in (("a", "1"), ("b", "2"), ("c", "3"))]
    hashes = {media_hash(*order) for order in itertools.permutations(items)}
    assert len(hashes) == 1 and media_hash(*items, *items) in hashes
    assert media_hash(asked(*(one.parts[0] for one in items))) in hashes, "three questions or one about all three"
    many = [asked(file(f"录音/{number}.wav", f"{number % 10}")) for number in range(500)]
    assert media_hash(*many) == media_hash(*many[::-1])
    (only,) = hashes
    assert len(only) == 8 and int(only, 16) >= 0


def test_another_content_another_name_and_another_file_more_are_other_media() -> None:
    base = (file("a.wav", "1"), file("b.wav", "2"))
    others = [
        (file("a.wav", "1"), file("b.wav", "3")),
        (file("a.wav", "2"), file("b.wav", "1")),
        (file("a.wav", "1"), file("录音/b.wav", "2")),
        (*base, file("c.wav", "2")),
        base[:1],
    ]
    assert len({media_hash(asked(*parts)) for parts in (base, *others)}) == 6


def test_media_of_options_count_as_those_of_the_question() -> None:
    stem, option = file("a.wav", "1"), file("b.wav", "2")
    assert media_hash(asked(stem, options=((Part("text", text="A"), option), ()))) == media_hash(asked(stem, option))
    assert media_hash(asked(stem, options=((option,),))) != media_hash(asked(stem))


def test_a_file_name_that_is_not_valid_unicode_has_a_hash() -> None:
    """Linux allows any bytes in a name; Python has them as surrogates."""
    assert len(media_hash(asked(file("\udcff.wav", "1")))) == 8
