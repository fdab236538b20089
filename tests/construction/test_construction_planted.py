"""What makers, readers and tables really do: each planted fault is caught, or the documentation names its kind."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.construction import planted

pytest.importorskip("opencc", reason="OpenCC comes with the extra [zh]")
pytest.importorskip("datasketch", reason="datasketch comes with the extra [build]")
DOCUMENTED = (Path(__file__).parents[2] / "docs/building-faults.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("fault", planted.TABLE, ids=lambda fault: f"{fault.recipe}: {fault.name}")
def test_a_planted_fault_is_caught_or_named(fault: planted.Planted, tmp_path: Path) -> None:
    assert fault.caught(tmp_path) is not fault.missed
    if fault.missed:
        assert fault.name.split(": ")[-1] in DOCUMENTED


def test_the_table_has_all_recipes_and_no_fault_twice() -> None:
    assert len(planted.TABLE) >= 120 and sum(not each.missed for each in planted.TABLE) >= 110
    assert min(planted.by_recipe().values()) >= 20 and len(planted.by_recipe()) == 5
    assert max(Counter((each.recipe, each.name) for each in planted.TABLE).values()) == 1


def test_what_the_faults_are_made_of_is_sound(tmp_path: Path) -> None:
    sound = [
        planted.su(),
        planted.distractors(),
        planted.several(planted.SITUATIONS),
        planted.opened(),
        planted.s2tt("The bright moon rises over Tian Shan."),
        planted.written("论语", planted.BOOKS),
        planted.sec("欢快。", ("关关雎鸠", "喜悦"), ("在河之洲", "宁静")),
        planted.row_of_table("画中有几只鸟？", "三只鸟。"),
        planted.row_of_table("", "论语", planted.BOOKS),
        planted.asked_of_talk("What do they count?", "Swifts."),
        planted.into("我为你感到骄傲。"),
        planted.drafted("Wir zählen Mauersegler.", "Sie fliegen nachts."),
        planted.varied("He has two blue cars.", "He sold two red cars.", "He has six red cars."),
    ]
    assert [outcome.decision for outcome in sound] == ["kept"] * len(sound)
    assert planted.row(wrong="He has two blue cars.|He sold two red cars.|He has six red cars.") is None
    assert not planted.read_aloud(planted.voice())(tmp_path)
    assert not planted.brought(image=planted.png(planted.np.mgrid[:90, :90, :3].sum(axis=0)))(tmp_path)
    t = planted.np.arange(planted.RATE) / planted.RATE
    tone = 0.2 * planted.np.sin(2 * planted.np.pi * 300 * t).reshape(-1, 1).astype("float32")
    assert not planted.brought(audio=planted.encode_wav(tone, planted.RATE))(tmp_path)
