"""Tests of `portal/survey/checks.py`: questions that don't count."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sqlalchemy", reason="SQLAlchemy comes with the extra [portal]")

from triptych.media.sound.coding import decode_sound
from triptych.portal.survey.checks import COLOURS, TONES, check_tasks, drawn_checks, tones


@pytest.mark.parametrize("number", TONES)
def test_as_many_tones_are_heard_as_the_answer_says(number: int) -> None:
    sound = decode_sound(tones(number), Path("tones.wav"))
    loud = np.abs(sound.samples[:, 0]).reshape(-1, 80).max(axis=1) > 0.05  # 5 ms each
    assert int(np.count_nonzero(np.diff(loud.astype(int)) == 1)) == number
    assert abs(np.fft.rfft(sound.samples[:, 0])).argmax() / sound.seconds == pytest.approx(880, abs=1)
    assert sound.seconds == pytest.approx(0.35 + 0.6 * number)


def test_checks_of_a_survey_with_and_without_sound() -> None:
    kept: dict[str, bytes] = {}
    tasks = check_tasks(True, lambda data, sha: kept.update({sha: data}))
    assert len(tasks) == len(COLOURS) + len(TONES) == len({task.key for task in tasks})
    assert len(kept) == len(TONES) and all(hashlib.sha256(data).hexdigest() == sha for sha, data in kept.items())
    assert len(check_tasks(False, lambda *_: pytest.fail("a survey without sound keeps none"))) == len(COLOURS)


def test_checks_are_drawn_alternately_of_each_kind() -> None:
    keys = [f"check/{kind}/{number}" for kind in ("colour", "tones") for number in range(4)]
    drawn = drawn_checks(keys, 4, random.Random(1))
    assert [key.split("/")[1] for key in drawn[::2]] == [drawn[0].split("/")[1]] * 2
    assert [key.split("/")[1] for key in drawn[1::2]] == [drawn[1].split("/")[1]] * 2 != [drawn[0].split("/")[1]] * 2
    assert sorted(drawn_checks(keys, 99, random.Random(1))) == sorted(keys)
    assert drawn_checks([], 3, random.Random(1)) == drawn_checks(keys, 0, random.Random(1)) == []
