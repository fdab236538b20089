"""Distractors in six directions: which come first by the subtask's rule, and how they were made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.construction.single_stage import decide, decide_all
from triptych.construction.recipes.xmodbench import subtasks
from triptych.construction.stages.six import candidates
from triptych.construction.stages.triplet_media import bring_forms


def row(name: str, *, category: str, group: str = "", subtask: str = "s", pool: str = "subtask", **more: Any) -> Any:
    """A record whose forms all carry its name."""
    media = {"text": name, "audio": f"media/{name}.wav", "vision": f"media/{name}.jpg", "made": []}
    own = {"subtask": subtask, "pool": pool, "category": category, "group": group or None}
    return {**media, **own, **more}


def chosen(rows: list[Any], seed: int = 0) -> set[str]:
    """The texts of the first record's distractors."""
    first = decide_all(candidates, rows, seed=seed)[0]
    return {form["text"] for form in first.fields["candidates"][1:]}


@pytest.mark.parametrize("subtask", ["emotion_classification", "music_genre_classification"])
def test_close_feelings_and_genres_come_first(subtask: str) -> None:
    for category, close in subtasks()[subtask]["close"].items():
        rows = [
            row(name, category=name, close=close if name == category else None)
            for name in sorted(subtasks()[subtask]["close"], key=lambda name: name != category)
        ]
        for seed in range(3):
            assert chosen(rows, seed) == set(close)


def test_stories_of_one_kind_come_first_and_none_of_the_same_story() -> None:
    rows = [row("tale", category="tale", group="fairy"), row("again", category="tale", group="fairy")]
    rows += [row(f"fairy{n}", category=f"f{n}", group="fairy") for n in range(2)]
    rows += [row(f"crime{n}", category=f"c{n}", group="crime") for n in range(9)]
    for seed in range(5):
        assert {"fairy0", "fairy1"} < chosen(rows, seed) and "again" not in chosen(rows, seed)


def test_a_mismatched_vehicle_or_movement_comes_first() -> None:
    rows = [row("car left", category="left", group="car"), row("car right", category="right", group="car")]
    rows += [row("car away", category="away", group="car"), row("bus closer", category="closer", group="bus")]
    rows += [row(f"tram {n}", category=f"stays{n}", group="tram") for n in range(6)]
    assert {"car right", "car away"} < chosen(rows)


def test_a_cluster_keeps_to_itself() -> None:
    rows = [
        row(f"{group}{n}", category=f"{group}{n}", group=group, pool="group")
        for group in ("Animal sounds", "Urban sounds")
        for n in range(5)
    ]
    for n, outcome in enumerate(decide_all(candidates, rows)):
        assert {form["text"][:6] for form in outcome.fields["candidates"]} == {rows[n]["group"][:6]}


def test_no_synthetic_voice_is_among_recordings() -> None:
    rows = [row(f"r{n}", category=f"r{n}") for n in range(4)]
    rows += [row(f"m{n}", category=f"m{n}", made=["audio"]) for n in range(8)]
    assert chosen(rows) == {"r1", "r2", "r3"}


def test_of_a_film_its_frame_at_the_loudest_part_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("av", reason="PyAV comes with the extra [local]")
    import numpy as np
    from PIL import Image

    from triptych.media.scenes.films import Form, write_film

    shown = [np.full((90, 160, 3), (20, 40, 230) if 30 <= n < 50 else (230, 40, 20), np.uint8) for n in range(60)]
    for picture in shown:
        picture[:8, :8] = 255  # a picture of one even colour is refused
    heard = np.full((6 * 16_000, 1), 0.001, np.float32)
    heard[3 * 16_000 : 5 * 16_000, 0] = 0.5 * np.sin(np.arange(2 * 16_000) * 0.2)
    monkeypatch.chdir(tmp_path)
    write_film(tmp_path / "f.mp4", shown, Form(160, 90, 10, 16_000, 1), [heard])
    fields = {"given": {"own": {"text": "x", "video": {"file": "f.mp4"}}}, "vision_kind": "image", "loudest": 2.0}
    outcome = decide(bring_forms, fields, tmp_path)
    red, _, blue = np.asarray(Image.open(tmp_path / outcome.fields["vision"])).mean(axis=(0, 1))
    assert blue > red + 100


def test_a_first_choice_that_rules_out_all_others_is_taken_back() -> None:
    # With `sea`, neither `ocean` (its concept) nor `fire` (its picture) is left, and there would be two in all.
    rows = [row("rain", category="rain"), row("sea", category="sea", concept="water")]
    rows += [row("ocean", category="ocean", concept="water"), row("fire", category="fire")]
    rows[1]["vision"] = rows[3]["vision"]
    rows.append(row("wind", category="wind"))
    for seed in range(20):
        assert chosen(rows, seed) == {"ocean", "fire", "wind"}


def translated(stem: str, target: str, number: int) -> Any:
    """A row that asks for the translation of its text."""
    form = {"text": target, "audio": f"media/t{number}.wav", "vision": f"media/t{number}.jpg", "made": []}
    return row(stem + str(number), category="", text=stem, target=form)


def test_two_translations_of_one_text_are_never_in_one_question() -> None:
    rows = [translated("He is very tired.", "他很累。", 1), translated("He is very tired.", "他非常疲倦。", 2)]
    rows += [translated(f"He has {n} cats.", f"他有{n}只猫。", n) for n in range(3, 9)]
    for seed in range(5):
        assert "他非常疲倦。" not in chosen(rows, seed)


def test_a_row_with_too_few_distractors_says_why_others_can_not_be_used() -> None:
    rows = [row("dog", category="dog"), row("animal", category="an animal"), row("again", category="Dogs")]
    outcome = decide_all(candidates, [*rows, row("car", category="car")])[0]
    assert outcome.reason == "too-few-distractors"
    assert outcome.note == "1 of 3: r1 has a label that is right here too; r2 has the same label"
    own = row("flower", category="", pool="own", wrong=[row(name, category="") for name in ("flour", "rose")])
    own["wrong"][0]["audio"] = own["audio"]
    assert decide_all(candidates, [own])[0].note == "1 of 3: 'flour' sounds like the right one (one file)"


def test_what_describes_a_label_in_its_text_is_not_a_label() -> None:
    names = ["Ariana Grande", "Bad Bunny", "David Tao", "Eason Chan"]
    assert len(chosen([row(f"{name}, US, pop", category=name) for name in names])) == 3
