"""Tests of `construction/stages/clips.py`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.construction.single_stage import decide_all
from tests.construction.stages.test_recording import SCENES, quiet_room, speech, whole
from triptych.construction.stages.clips import one_sound_each, pairs


@pytest.mark.slow
def test_scenes_of_the_mini_set_remain_and_a_copy_is_found(tmp_path: Path) -> None:
    pytest.importorskip("av", reason="PyAV comes with the extra [local]")
    outcomes = [whole(speech(path), tmp_path) for path in SCENES]
    assert [(p.name, o.reason) for p, o in zip(SCENES, outcomes, strict=True) if o.decision == "dropped"] == []
    prints = [o.fields["sound_print"] for o in outcomes]
    prints.append(whole(np.concatenate([quiet_room(2.3), 0.2 * speech(SCENES[0])]), tmp_path).fields["sound_print"])
    found = decide_all(one_sound_each, [{"sound_print": own} for own in prints])
    assert [(n, o.reason, o.note) for n, o in enumerate(found) if o.reason] == [
        (len(SCENES), "same-recording", "of r0")
    ]


def test_names_of_stories_that_differ_in_case_and_spaces(tmp_path: Path) -> None:
    row = {"begin": 0.0, "end": 9.0, "transcript": "a", "audio_description": "b", "audio": "c"}
    names = ("homework", "Homework ", "ｈｏｍｅｗｏｒｋ")
    rows = [row | {"film": f"{n}.ogg", "clip": str(n), "story": name} for n, name in enumerate(names)]
    outcomes = decide_all(pairs, rows, tmp_path)
    assert [len(each.children) for each in outcomes] == [3, 3, 2]
