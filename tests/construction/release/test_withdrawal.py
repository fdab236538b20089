"""A withdrawn source is nowhere, nothing else moves, and the release says what changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.construction.people.test_reviews import say
from tests.construction.recipes import test_mcga as material
from tests.construction.single_stage import decide_all
from triptych.construction.build import build, withdraw
from triptych.construction.engine.folder import BuildFolder
from triptych.construction.report.statistics import records_of
from triptych.construction.stages.splits import split_records
from triptych.errors import DataError

config_of_mcga = material.config
SENTENCES = [
    "山高月小水落石出",
    "清风徐来水波不兴",
    "大江东去浪淘尽兮",
    "孤帆远影碧空尽矣",
    "白云千载空悠悠兮",
    "明月几时有把酒问",
    "落霞与孤鹜齐飞兮",
    "春江潮水连海平矣",
]


def texts_of(config: Path, number: int) -> None:
    rows = ["id,title,author,author_died,genre,dynasty,text"]
    rows += [
        f"w{n:02},题{n},人{n},800,诗,唐,{SENTENCES[n % 8]}，{SENTENCES[(n * 3 + 1) % 8]}{chr(0x4E00 + 97 * n)}。"
        for n in range(number)
    ]
    (config.parent / "works.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    own = 'tasks = ["asr", "sqa", "su"]\nrecord = false\nvalidate = false\n'
    config.write_text(
        own + config.read_text(encoding="utf-8") + "[stages.near-duplicates]\nleast = 1.0\nedits = 0.0\n",
        encoding="utf-8",
    )


def splits(to: Path) -> dict[str, str]:
    rows = [json.loads(x) for p in (to / "out").glob("MCGA_*") for x in p.read_text(encoding="utf-8").splitlines()]
    return {row["id"]: row["split"] for row in rows}


def journals(folder: Path, stage: str) -> list[str]:
    """The files with the replies to a stage's questions."""
    return sorted(str(path.relative_to(folder)) for path in folder.glob(f"stages/??-{stage}/replies/*.jsonl"))


def holding(folder: Path, word: str) -> list[str]:
    """The files of a build that hold a word in their names or bytes."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return sorted(str(p.relative_to(folder)) for p in files if word.encode() in p.read_bytes() or word in p.name)


@pytest.fixture
def reviewed(config_of_mcga: Path, tmp_path: Path) -> Path:
    texts_of(config_of_mcga, 40)
    to = tmp_path / "b"
    build("mcga", config_of_mcga, to)
    assert say(to, "review", "R1", lambda task: {"verdict": "approve"})
    assert build("mcga", config_of_mcga, to).complete
    return to


def test_a_withdrawal_moves_nothing_and_finished_reviews_stay(reviewed: Path, config_of_mcga: Path) -> None:
    before = splits(reviewed)
    (reviewed / "media").mkdir(exist_ok=True)
    (reviewed / "media/.x.wav.1.tmp").write_bytes(b"a copy that a killed build left")
    built = withdraw("mcga", config_of_mcga, reviewed, ["work:w03"])
    after = splits(reviewed)
    assert built.complete and "w03-000" in before and "w03-000" not in after
    assert {id: name for id, name in before.items() if id in after} == after
    assert not list(reviewed.rglob("*.tmp"))
    named = [name for name in holding(reviewed, "w03") if name != "withdrawn.json"]
    assert not named
    changes = json.loads((reviewed / "out/changes.json").read_text())
    assert (
        changes["version"] == 2 and changes["changes"][0]["withdrawn"] >= 2 and not changes["changes"][0].get("moved")
    )
    assert "This is version 2" in (reviewed / "out/README.md").read_text(encoding="utf-8")


def test_the_same_again_is_the_same_version(reviewed: Path, config_of_mcga: Path) -> None:
    before = {path: path.read_bytes() for path in (reviewed / "out").rglob("*") if path.is_file()}
    assert build("mcga", config_of_mcga, reviewed).complete
    assert before == {path: path.read_bytes() for path in (reviewed / "out").rglob("*") if path.is_file()}
    assert json.loads((reviewed / "release.json").read_text())["version"] == 1


def test_works_that_are_added_move_nothing(reviewed: Path, config_of_mcga: Path) -> None:
    before = splits(reviewed)
    table = config_of_mcga.parent / "works.csv"
    new = [f"x{n},新{n},人,800,诗,唐,{SENTENCES[-n]}，{SENTENCES[n]}{chr(0x5E00 + 31 * n)}。" for n in range(1, 5)]
    table.write_text(table.read_text(encoding="utf-8") + "\n".join(new) + "\n", encoding="utf-8")
    build("mcga", config_of_mcga, reviewed)
    after = splits(reviewed)
    assert {id: after[id] for id in before if id in after} == {id: before[id] for id in before if id in after}
    assert len(after) > len(before) - 3


def test_a_speaker_who_withdraws_leaves_no_original(config_of_mcga: Path, tmp_path: Path) -> None:
    to = tmp_path / "b"
    own = 'tasks = ["asr"]\nreview = false\ndouble_asr = false\n'
    config_of_mcga.write_text(own + config_of_mcga.read_text(encoding="utf-8"), encoding="utf-8")
    build("mcga", config_of_mcga, to)
    material.record_everything(to)
    assert build("mcga", config_of_mcga, to).complete and len(list((to / "results").glob("*.wav"))) == 8
    withdraw("mcga", config_of_mcga, to, ["speaker:P1"])
    assert len(list((to / "results").glob("*.wav"))) == 4
    assert '"P1"' not in (to / "results/record.jsonl").read_text()
    assert [name for name in holding(to, "P1") if name != "withdrawn.json"] == []
    assert [name for name in holding(to, "/asr/man") if name != "withdrawn.json"] == []


@pytest.mark.parametrize("readers", ["one", "both"])
def test_what_others_wrote_about_a_text_stays_when_its_reader_withdraws(
    config_of_mcga: Path, tmp_path: Path, readers: str
) -> None:
    to = tmp_path / "b"
    own = f'readers = "{readers}"\ndouble_asr = false\n'
    config_of_mcga.write_text(
        f"{own}{config_of_mcga.read_text(encoding='utf-8')}[stages.split]\nshares = {{ test = 1.0 }}\n",
        encoding="utf-8",
    )
    build("mcga", config_of_mcga, to)
    material.record_everything(to)
    if readers == "one":
        returned = (to / "results/record.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
        (to / "results/record.jsonl").write_text("".join(line for line in returned if '"P1"' in line), encoding="utf-8")
    build("mcga", config_of_mcga, to)
    assert say(to, "inspect", "R1", lambda task: {"score": 5})
    build("mcga", config_of_mcga, to)
    written = {name: (to / name).read_bytes() for stage in ("s2tt", "su", "sr") for name in journals(to, stage)}
    asked = len(material.Model.asked)
    withdraw("mcga", config_of_mcga, to, ["speaker:P1"])
    assert written and {name: (to / name).read_bytes() for name in written} == written
    # The records of each stage are those that the stage before let through; of one reader, none is finished.
    assert bool(list(records_of(BuildFolder(to)))) == (readers == "both")
    scores = to / "results/inspect.jsonl"
    scored = [json.loads(line)["id"] for line in scores.read_text().splitlines()] if scores.exists() else []
    assert all(id.endswith("/woman") for id in scored) and bool(scored) == (
        readers == "both"
    )  # nor does the score of their recordings stay
    assert [name for name in holding(to, '"P1"') if name != "withdrawn.json"] == []
    again = build("mcga", config_of_mcga, to)
    assert len(material.Model.asked) == asked and "record" in [each.stage for each in again.counts if each.reasons]


def test_a_withdrawal_moves_nothing_while_other_recordings_wait(config_of_mcga: Path, tmp_path: Path) -> None:
    to = tmp_path / "b"
    texts_of(config_of_mcga, 24)
    own = config_of_mcga.read_text(encoding="utf-8").replace('"asr", "sqa", "su"', '"asr"')
    own = own.replace("record = false\n", "double_asr = false\nreview = false\n")
    config_of_mcga.write_text(own, encoding="utf-8")
    build("mcga", config_of_mcga, to)
    material.record_everything(to)
    results = to / "results/record.jsonl"
    lines = results.read_text(encoding="utf-8").splitlines(keepends=True)
    results.write_text("".join(lines[:-4]), encoding="utf-8")  # two works are still to be read
    build("mcga", config_of_mcga, to)
    assert build("mcga", config_of_mcga, to).waiting
    before = splits(to)
    withdraw("mcga", config_of_mcga, to, ["work:w03"])
    after = splits(to)
    assert len(before) > 20 and before.keys() - after.keys() and set(before.values()) == {"train", "val", "test"}
    assert {id: name for id, name in before.items() if id in after} == after
    results.write_text(results.read_text(encoding="utf-8") + "".join(lines[-4:]), encoding="utf-8")
    build("mcga", config_of_mcga, to)
    complete = splits(to)
    assert len(complete) == len(after) + 2 and {id: complete[id] for id in after} == after


def test_a_reviewer_who_withdraws_is_named_nowhere_and_their_records_wait(reviewed: Path, config_of_mcga: Path) -> None:
    with pytest.raises(DataError, match="under this name"):
        withdraw("mcga", config_of_mcga, reviewed, ["person:R2"])
    assert holding(reviewed, '"R1"')
    built = withdraw("mcga", config_of_mcga, reviewed, ["person:R1"])
    assert built.waiting and holding(reviewed, "R1") == []
    assert say(reviewed, "review", "R3", lambda task: {"verdict": "approve"})
    assert build("mcga", config_of_mcga, reviewed).complete


def test_groups_keep_the_split_of_most_of_their_members() -> None:
    records = [{"keep_together": [f"work:{n // 2}"]} for n in range(20)]
    earlier = {"r0": "test", "r4": "test", "r5": "test", "r7": "train"}
    found = [o.fields["split"] for o in decide_all(split_records, records, earlier=earlier)]
    assert found[0] == found[1] == found[4] == found[5] == "test" and found[6] == found[7] == "train"
