"""Data with planted faults: guessable keys, doubles, leaks, banned words, media that can't be heard."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
import soundfile
from PIL import Image, ImageDraw

from triptych import audit_data
from triptych.audit.data.guessing import check_guessing, guesses, key_places
from triptych.audit.data.problems import as_finding, kind_of
from triptych.audit.data.questions import check_questions
from triptych.audit.data.recordings import census_of, check_recordings, media_uses, picture_print, sound_print
from triptych.audit.tables.rules import DataRules
from triptych.benchmarks.xmodbench.audit import agreement, shift_of
from triptych.records import Finding, Item, Problem, media, text
from triptych.records.findings import KINDS


def choice(number: int, options: Sequence[str], key: int | Sequence[int], **more: object) -> Item:
    target = options[key] if isinstance(key, int) else tuple(options[k] for k in key)
    return Item(
        f"toy/a/{number}",
        "toy/a",
        (text(f"question {number}", "question"),),
        tuple((text(o),) for o in options),
        answer="option" if isinstance(key, int) else "options",
        target=target,
        **more,  # type: ignore[arg-type]
    )


def even(count: int = 400, seed: int = 0) -> list[Item]:
    rng = random.Random(seed)
    return [choice(n, [f"{k}{'x' * rng.randint(1, 9)}" for k in range(4)], rng.randrange(4)) for n in range(count)]


def questions(items: Sequence[Item], **rules: object) -> list[Finding]:
    return list(check_questions("toy", "toy/a", items, "f", DataRules(**rules)))  # type: ignore[arg-type]


def test_even_keys_are_no_finding() -> None:
    assert list(check_guessing("toy", "toy/a", even(), "f", None)) == []
    assert questions(even()) == []


@pytest.mark.parametrize("count", [3, 8, 12, 20])
def test_few_keys_that_fell_together_by_luck_are_no_finding(count: int) -> None:
    """Of 20 sets of three out of six, two or three questions of a few dozen share one more often than not."""
    rng = random.Random(1)
    options = ["a", "bb", "ccc", "dddd", "eeeee", "ffffff"]
    told = 0
    for _ in range(200):
        items = [choice(n, options, tuple(sorted(rng.sample(range(6), 3)))) for n in range(count)]
        told += len(list(check_guessing("toy", "toy/a", items, "f", None)))
    assert told == 0


def test_the_best_place_and_the_longest_option() -> None:
    items = [choice(n, ["a", "b" * (2 + n % 2), "c", "dd"], 1 if n % 4 else 0) for n in range(80)]
    told = {g.name: g for g in guesses(items)}
    assert told["always option 2"].score == 75.0 and told["always option 2"].chance == 25.0
    # "b" is the first of the longest in every row, and the key in three of four
    assert told["always the longest option"].score == 75.0
    found = list(check_guessing("toy", "toy/a", items, "f", {"M": 60.0, "N": 80.0, "O": 20.0}))
    assert found[0].severity == "severe" and found[0].recomputed == 75.0 and found[0].published == 80.0
    assert "no worse than 2 of 3 published models, the best of which is N with 80.00" in found[0].message


def test_the_best_set_of_several_answers() -> None:
    items = [choice(n, ["a", "b", "c", "d"], (0, 1) if n % 5 else (2, 3)) for n in range(100)]
    guess, longest = guesses(items)
    assert (guess.name, guess.score) == ("always options 1, 2", 80.0)
    assert guess.chance == longest.chance == pytest.approx(100 / 6)
    assert longest.score == 80.0  # all are as long, so the first two are taken


def test_the_longest_of_several_answers() -> None:
    items = [choice(n, ["a", "bbb", "c", "dd"], (1, 3) if n % 4 else (0, 1)) for n in range(80)]
    assert {g.name: g.score for g in guesses(items)}["always the 2 longest options"] == 75.0
    pictures = tuple((media("image", f"{n}.png"),) for n in range(3))
    items = [Item(f"{n}", "t", (text("q"),), pictures, ("A", "B", "C"), "options", ("A", "B")) for n in range(9)]
    assert all("longest" not in g.name for g in guesses(items))


def test_letters_are_places_and_media_have_no_length() -> None:
    options = ((media("audio", "a.wav"),), (media("audio", "b.wav"),))
    item = Item("i", "t", (text("q"),), options, ("A", "B"), "letter", "B")
    assert key_places(item) == (1,)
    assert [g.name for g in guesses([item] * 50)] == ["always option B"]
    assert guesses([Item("i", "t", (text("q"),), target="free text")]) == []


@pytest.mark.parametrize(
    ("bad", "kind", "severity"),
    [
        (choice(1, ["a", "b"], 0), "target", "severe"),
        (choice(2, ["a ", "b"], 0), "target", "warning"),
        (choice(3, ["a", "a", "b"], 0), "target", "warning"),
        (choice(4, ["a", "b", "b"], 0), "target", "note"),
        (choice(5, ["a", "", "b"], 0), "malformed", "severe"),
        (choice(6, ["a", "b"], 0), "malformed", "warning"),
    ],
)
def test_single_questions(bad: Item, kind: str, severity: str) -> None:
    number = bad.id[-1]
    changes: dict[str, dict[str, Any]] = {"1": {"target": "z"}, "2": {"target": "a"}, "6": {"target": None}}
    changed = changes.get(number, {})
    found = questions([*even(), msgspec.structs.replace(bad, **changed)])
    assert [(f.kind, f.severity, f.rows) for f in found] == [(kind, severity, (bad.id,))]


def test_doubled_questions_and_doubled_ones_with_other_keys() -> None:
    items = even()
    again = msgspec.structs.replace(items[3], id="toy/a/900")
    other = msgspec.structs.replace(items[5], id="toy/a/901", target=items[5].option_texts()[0])
    other = msgspec.structs.replace(other, target=next(o for o in other.option_texts() if o != items[5].target))
    found = questions([*items, again, other])
    assert [(f.kind, f.severity, f.rows) for f in found] == [
        ("duplicate", "severe", (items[5].id, other.id)),
        ("duplicate", "warning", (items[3].id, again.id)),
    ]
    assert questions([*items, msgspec.structs.replace(items[3], id="x", instance=items[3].id)]) == []


def test_words_balance_and_splits() -> None:
    items = even(100)
    items[7] = msgspec.structs.replace(items[7], parts=(text("what does the VIDEO show?", "question"),))
    items = [msgspec.structs.replace(i, facets={"group": "small" if n < 4 else "big"}) for n, i in enumerate(items)]
    found = questions(items, banned=("video",), balance=("group",))
    assert [(f.kind, f.rows) for f in found] == [("word", ("toy/a/7",)), ("balance", ("small",))]
    clip = media("audio", "one.wav", "content")
    split = [
        msgspec.structs.replace(items[n], parts=(*items[n].parts, clip), facets={"split": s})
        for n, s in enumerate(("train", "test"))
    ]
    (leak,) = questions(split, split_facet="split")
    assert (leak.kind, leak.severity, leak.rows) == ("leak", "severe", ("toy/a/0", "toy/a/1"))


def tone(path: Path, seconds: float = 2.0, gain: float = 0.3, seed: int = 0, rate: int = 8000) -> None:
    rng = np.random.default_rng(seed)
    shape = np.repeat(rng.uniform(0.05, 1.0, 40), int(seconds * rate) // 40)
    wave = gain * shape * np.sin(np.arange(len(shape)) * 0.3)
    soundfile.write(path, np.clip(wave, -1, 1), rate, subtype="PCM_16")


def heard(folder: Path, names: Sequence[str], **rules: float) -> dict[str, Finding]:
    kinds = {".png": "image", ".jpg": "image", ".mp4": "video"}
    items = [Item(f"i{n}", "t", (media(kinds.get(Path(name).suffix, "audio"), name),)) for n, name in enumerate(names)]  # type: ignore[arg-type]
    uses = media_uses(items)
    census = census_of(uses, folder, DataRules(**rules))  # type: ignore[arg-type]
    found = check_recordings("toy", uses, folder, census)
    return {f"{f.kind} {f.columns[0]}": f for f in found}


def test_media_that_can_be_heard_are_no_finding(tmp_path: Path) -> None:
    for seed in range(6):
        tone(tmp_path / f"{seed}.wav", seed=seed)
    assert heard(tmp_path, [f"{seed}.wav" for seed in range(6)] + ["not-there.wav"], longest_seconds=3.0) == {}


def test_silent_clipped_long_short_and_broken_media(tmp_path: Path) -> None:
    tone(tmp_path / "fine.wav", seed=1)
    tone(tmp_path / "silent.wav", gain=0.0)
    tone(tmp_path / "clipped.wav", gain=4.0, seed=2)
    tone(tmp_path / "long.wav", seconds=5.0, seed=3)
    tone(tmp_path / "short.wav", seconds=0.4, seed=4)
    (tmp_path / "broken.wav").write_bytes(b"RIFF, and then nothing")
    names = ["fine.wav", "silent.wav", "clipped.wav", "long.wav", "short.wav", "broken.wav"]
    found = heard(tmp_path, names, longest_seconds=3.0, shortest_seconds=1.0)
    assert set(found) == {"media silent", "media clipped", "media long", "media short", "media unreadable"}
    assert all(f"{kind}" in found[f"media {kind}"].message for kind in ("silent", "clipped", "long", "short"))
    assert found["media unreadable"].rows == ("i5",)


def test_the_same_and_nearly_the_same_media(tmp_path: Path) -> None:
    tone(tmp_path / "a.wav", seed=1)
    (tmp_path / "b.wav").write_bytes((tmp_path / "a.wav").read_bytes())
    tone(tmp_path / "louder.wav", seed=1, gain=0.6)
    rng = np.random.default_rng(0)
    picture = Image.fromarray(rng.integers(0, 255, (60, 80, 3), dtype=np.uint8)).resize((240, 180))
    picture.save(tmp_path / "p.png")
    picture.resize((200, 150)).save(tmp_path / "q.jpg", quality=80)
    Image.fromarray(rng.integers(0, 255, (60, 80, 3), dtype=np.uint8)).resize((240, 180)).save(tmp_path / "r.png")
    found = heard(tmp_path, ["a.wav", "b.wav", "louder.wav", "p.png", "q.jpg", "r.png"])
    same = found["duplicate are the same, byte by byte"]
    assert "a.wav = b.wav" in same.message and same.severity == "warning"
    assert "louder.wav" in found["duplicate are nearly the same (audio)"].message
    assert "p.png = q.jpg" in found["duplicate are nearly the same (image)"].message
    assert "r.png" not in found["duplicate are nearly the same (image)"].message


def test_two_notes_that_die_away_are_two_recordings(tmp_path: Path) -> None:
    """Their loudness falls alike, so their prints are one; what sounds is another note. The same note at another rate
    and level is the same recording."""
    for name, pitch, rate, gain in (("a", 262, 8000, 0.5), ("b", 392, 8000, 0.5), ("c", 262, 16000, 0.2)):
        time = np.arange(2 * rate) / rate
        wave = gain * np.exp(-2 * time) * sum(np.sin(2 * np.pi * pitch * k * time) / k for k in (1, 2, 3))
        soundfile.write(tmp_path / f"{name}.wav", wave, rate, subtype="PCM_16")
    assert heard(tmp_path, ["a.wav", "b.wav"]) == {}
    near = heard(tmp_path, ["a.wav", "b.wav", "c.wav"])["duplicate are nearly the same (audio)"]
    assert "a.wav = c.wav" in near.message and "b.wav" not in near.message


def test_other_words_on_one_card_are_another_picture(tmp_path: Path) -> None:
    for name, word in (("a.png", "harbour"), ("b.png", "lantern"), ("c.png", "thunder")):
        card = Image.new("RGB", (200, 120), "ivory")
        ImageDraw.Draw(card).text((40, 40), word, fill="black", font_size=30)
        card.save(tmp_path / name)
    assert heard(tmp_path, ["a.png", "b.png", "c.png"]) == {}


def test_blank_pictures_and_videos_cut_short(tmp_path: Path) -> None:
    Image.new("RGB", (40, 30), "grey").save(tmp_path / "grey.png")
    for name, seed in (("a.mp4", 1), ("b.mp4", 1), ("c.mp4", 2)):
        film(tmp_path / name, seed, crf=20 if name == "a.mp4" else 26)
    whole = (tmp_path / "c.mp4").read_bytes()
    (tmp_path / "cut.mp4").write_bytes(whole[: len(whole) // 2])
    found = heard(tmp_path, ["grey.png", "a.mp4", "b.mp4", "c.mp4", "cut.mp4"], longest_seconds=9.0)
    assert found["media blank"].rows == ("i0",)
    assert found["media unreadable"].rows == ("i4",)
    assert "a.mp4 = b.mp4" in found["duplicate are nearly the same (video)"].message
    assert "c.mp4" not in found["duplicate are nearly the same (video)"].message


def film(path: Path, seed: int, crf: int) -> None:
    """Two seconds of one noisy picture that wanders, with the file's index at its front."""
    import av

    rng = np.random.default_rng(seed)
    picture = np.asarray(
        Image.fromarray(rng.integers(0, 255, (9, 12, 3), dtype=np.uint8)).resize((160, 120), Image.Resampling.BILINEAR)
    )
    with av.open(str(path), "w", options={"movflags": "faststart"}) as target:
        stream = target.add_stream("libx264", rate=10, options={"crf": str(crf)})
        stream.width, stream.height, stream.pix_fmt, stream.gop_size = 160, 120, "yuv420p", 5
        for number in range(20):
            target.mux(stream.encode(av.VideoFrame.from_ndarray(np.roll(picture, number, axis=1), format="rgb24")))
        target.mux(stream.encode(None))


def test_fingerprints_do_not_depend_on_level_or_size() -> None:
    rng = np.random.default_rng(1)
    wave = rng.normal(size=(6400, 1)) * np.repeat(rng.uniform(0.1, 1, 64), 100)[:, None]
    assert sound_print(wave) == sound_print(wave * 0.1)
    assert sound_print(np.hstack([wave, wave * 0])) != sound_print(np.hstack([wave * 0, wave]))  # sides count
    image = Image.fromarray(rng.integers(0, 255, (9, 8, 3), dtype=np.uint8)).resize((90, 80))
    assert (picture_print(image) ^ picture_print(image.resize((180, 160)))).bit_count() <= 3


def test_problems_of_check_become_findings() -> None:
    found = as_finding(Problem("error", "target-not-an-option", "a.json: x/1, x/2", "no option", "toy/a", 2), "toy")
    assert (found.kind, found.severity, found.file, found.effect) == ("target", "severe", "a.json", "2 rows")
    slugs = ("missing-media", "count", "key-doubled", "id-doubled", "pairing", "never-heard-of")
    assert [kind_of(s) for s in slugs] == ["missing", "count", "target", "duplicate", "pairing", "malformed"]
    assert {kind_of(s) for s in slugs} <= set(KINDS)


def test_a_shift_is_found_from_content_alone() -> None:
    rows = [f"clip {n}" for n in range(60)]
    assert shift_of(rows, rows) is None
    assert shift_of(rows, rows[:40] + rows[41:]) == (40, 1)
    assert shift_of(rows[:40] + rows[41:], rows) == (40, -1)
    shuffled = random.Random(0).sample(rows, 60)
    assert shift_of(rows, shuffled) is None
    assert agreement(rows, rows[:30] + ["x"] * 30) == (30, 60)


@pytest.mark.parametrize("name", ["cmdar", "mcga", "mcif", "mcs_bench", "xmodbench"])
def test_the_mini_sets_hold_nothing_severe(name: str) -> None:
    assert [f.message for f in audit_data(name) if f.severity == "severe"] == []


def test_the_released_cmdar_questions(shared_data: Path) -> None:
    found = {(f.kind, f.columns[0] if f.columns else ""): f for f in audit_data("cmdar", shared_data / "cmdar")}
    assert found["skew", "always the longest option"].recomputed == 66.53
    assert found["skew", "always option 2"].recomputed == 45.8
    assert found["skew", "always the 3 longest options"].recomputed == 48.73
    constant = found["skew", "always options 1, 2, 3"]
    assert (constant.recomputed, constant.published, constant.severity) == (58.91, 51.82, "severe")
    assert any(f.kind == "balance" and "TR" in f.rows for f in found.values())
    assert any(f.kind == "target" and "1280" in f.message for f in found.values())
    assert {"word", "count", "missing"} <= {kind for kind, _ in found}


def test_shifts_and_disjoint_sets_of_the_released_xmodbench_questions(shared_data: Path) -> None:
    found = audit_data("xmodbench/perception/instruments", shared_data / "xmodbench")
    (shift,) = [f for f in found if f.kind == "pairing" and f.severity == "severe"]
    assert shift.columns == ("audio_text",)
    assert shift.rows[0] in ("instruments/audio_text/307", "instruments/audio_text/308")
    found = audit_data("xmodbench/temporal/order", shared_data / "xmodbench")
    swapped = {r for f in found if f.severity == "severe" and "direction differs" in f.message for r in f.rows}
    assert swapped == {"xmodbench/temporal/order/audio_text", "xmodbench/temporal/order/text_audio"}
    found = audit_data("xmodbench/temporal/count", shared_data / "xmodbench")
    (short,) = [
        f
        for f in found
        if f.kind == "skew" and f.rows == ("xmodbench/temporal/count/audio_text",) and f.columns != ("not content",)
    ]
    assert (short.recomputed, short.published, short.severity) == (60.4, 57.36, "severe")
    found = audit_data("xmodbench/spatial/panaroma", shared_data / "xmodbench")
    assert any("different sets" in f.message for f in found if f.severity == "severe")


def test_a_benchmarks_rules_are_read_from_its_folder(tmp_path: Path) -> None:
    rows = [
        {
            "id": n,
            "audio_path": f"{n}.wav",
            "question": f"q{n}",
            "chosens": ["甲", "乙乙", "丙", "丁"],
            "answer": "乙乙",
        }
        | {"category": "时间推理任务"}
        for n in range(60)
    ]
    (tmp_path / "MDAR-main.json").write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    found = audit_data("cmdar/main", tmp_path)
    assert any(f.kind == "skew" and f.recomputed == 100.0 for f in found)
    assert any(f.kind == "count" and f.published == 1500 and f.recomputed == 60 for f in found)
