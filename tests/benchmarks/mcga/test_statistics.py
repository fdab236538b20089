"""Tests of `benchmarks/mcga/statistics.py`: figure 5 and section 3.6, computed from the user's copy."""

from __future__ import annotations

from tests.benchmarks.test_statistics import Told, values
from triptych.benchmarks.mcga.statistics import statistics as mcga
from triptych.records import Item, media


def test_mcga_by_hand() -> None:
    def item(task: str, clip: str, genre: str, dynasty: str) -> Item:
        facets = {"genre": genre, "dynasty": dynasty, "split": "test", "modality": "audio"}
        return Item(f"mcga/{task}/{clip}", f"mcga/{task}", (media("audio", clip, "content"),), facets=facets)

    items = [item("asr", "a.wav", "诗", "唐"), item("asr", "b.wav", "词", "宋"), item("su", "a.wav", "诗", "唐")]
    found = values(mcga(items, Told({"a.wav": 1800.0, "b.wav": 5400.0}), {}))
    assert found["clips", "clips"] == 2 and found["clips", "hours"] == 2.0
    assert (found["clips", "longest"], found["clips", "shortest"], found["clips", "average length"]) == (
        5400,
        1800,
        3600,
    )
    assert (found["clips", "genres"], found["clips", "periods"], found["clips", "pairs of period and genre"]) == (
        2,
        2,
        2,
    )
    assert (found["asr", "questions"], found["su", "questions"], found["asr", "test clips of 诗"]) == (2, 1, 1)


def test_cells_of_mcga_count_each_clip_once() -> None:
    def item(task: str, clip: str, dynasty: str, genre: str, split: str) -> Item:
        facets = {"modality": "audio", "dynasty": dynasty, "genre": genre, "split": split}
        return Item(f"{task}{clip}", f"mcga/{task}", (media("audio", clip, "content"),), facets=facets)

    items = [
        item("asr", "1.wav", "唐", "诗", "test"),
        item("sqa", "1.wav", "唐", "诗", "test"),
        item("asr", "2.wav", "唐", "诗", "train"),
        item("asr", "3.wav", "宋", "词", "test"),
    ]
    found = values(mcga(items, Told({}), {}))
    assert (found["唐 诗", "test clips"], found["唐 诗", "train clips"], found["宋 词", "test clips"]) == (1, 1, 1)


def test_readers_of_mcga_are_counted_once_each() -> None:
    def item(clip: str, **reader: str) -> Item:
        facets = {"modality": "audio", "dynasty": "唐", "genre": "诗", "split": "test", **reader}
        return Item(f"mcga/asr/{clip}", "mcga/asr", (media("audio", clip, "content"),), facets=facets)

    woman = {"speaker": "a", "gender": "woman", "age": "young", "major": "中文"}
    items = [item("1.wav", **woman), item("2.wav", **woman), item("3.wav", speaker="b", gender="man"), item("4.wav")]
    found = values(mcga(items, Told({}), {}))
    assert [found["readers", name] for name in ("people", "men", "women", "majors of Chinese")] == [2, 1, 1, 1]
    assert (found["readers", "clips, gender woman"], found["readers", "clips, gender man"]) == (2, 1)
    unknown = values(mcga([item("4.wav")], Told({}), {}))
    assert unknown["readers", "people"] is None, "nothing is 0 because the rows don't name anybody"
