"""Of the two released generations of `natures`, a row is known by its clip, its letter and its classes."""

from __future__ import annotations

from msgspec import structs

from triptych.benchmarks.xmodbench.natures import in_use
from triptych.benchmarks.xmodbench.rows import Content, Row

DATA = "/home/x/AudioBench/benchmark/Data/landscape_audiobench/test_processed/"
# the first question of the released file: a clip of splashing water, option B
CLIPS = ("raining/vDisiLXqCB0#592#602", "splashing_water/3eMsOo3Nbfg#92#102")
CLIPS += ("underwater_bubbling/Fb7ybBHo2oY#183#193", "fire_crackling/00wUFSUwR-g#373#383")
FILES = {"Audio": ".wav", "Image": ".jpg", "Video": ".mp4"}


def content(modality: str, clip: str) -> Content:
    if modality == "Text":
        return Content("Text", clip.partition("/")[0].replace("_", " ").capitalize())
    return Content(modality, DATA + clip + FILES[modality])


def row(stem: str, options: str) -> Row:
    by_letter = {letter: content(options, clip) for letter, clip in zip("ABCD", CLIPS, strict=True)}
    return Row("Which one?", content(stem, CLIPS[1]), by_letter, "B")


def test_the_released_question_is_recognised_in_all_six_directions() -> None:
    for stem, options in (
        ("Audio", "Image"),
        ("Audio", "Text"),
        ("Image", "Audio"),
        ("Image", "Text"),
        ("Text", "Audio"),
        ("Text", "Image"),
    ):
        assert in_use(0, row(stem, options)), (stem, options)


def test_at_another_position_it_is_another_question() -> None:
    assert not any(in_use(index, row("Audio", "Image")) for index in (1, 2, 499))
    assert not in_use(500, row("Audio", "Image")) and not in_use(10**6, row("Audio", "Image")), "500 are released"


def test_another_clip_letter_or_class_is_of_the_other_generation() -> None:
    good = row("Audio", "Text")
    swapped = {**good.options, "A": good.options["C"], "C": good.options["A"]}
    other_clip = content("Audio", "splashing_water/aaaaaaaaaaa#1#11")
    for changed in (
        structs.replace(good, conditions=other_clip),
        structs.replace(good, correct_answer="C"),
        structs.replace(good, options=swapped),
    ):
        assert not in_use(0, changed)
