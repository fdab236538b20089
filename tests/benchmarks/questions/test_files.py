"""Files and folders of questions: XLSX, embedded media, the layouts of `datasets`, hostile ones."""

from __future__ import annotations

import io
import json
import math
import struct
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.questions.test_released_columns import files, items, opened
from tests.support.mock_hub import Hub
from tests.support.wire import Wire
from triptych.benchmarks import own_questions
from triptych.benchmarks._questions.xlsx import read_sheet
from triptych.errors import DataError, SpecError
from triptych.records import Item

FIXTURE = Path(__file__).parents[2] / "fixtures/questions/openpyxl.xlsx"


def wav(tone: int = 440) -> bytes:
    frames = b"".join(struct.pack("<h", int(8000 * math.sin(tone * n / 100))) for n in range(160))
    head = struct.pack(
        "<4sI4s4sIHHIIHH4sI",
        b"RIFF",
        36 + len(frames),
        b"WAVE",
        b"fmt ",
        16,
        1,
        1,
        8000,
        16000,
        2,
        16,
        b"data",
        len(frames),
    )
    return head + frames


def png(colour: int = 0) -> bytes:
    from PIL import Image

    out = io.BytesIO()
    Image.new("L", (2, 2), colour).save(out, "PNG")
    return out.getvalue()


def folder_items(folder: Path, data: Path | None = None, **stated: str) -> list[Item]:
    bench = own_questions(str(folder), stated)
    assert bench is not None
    return list(bench.items(data or bench.home or folder))


def workbook(path: Path, sheets: Mapping[str, str], more: Mapping[str, str] | None = None) -> Path:
    """An XLSX file of raw sheet XML."""
    relations = "".join(f'<Relationship Id="r{n}" Target="s{n}.xml"/>' for n in range(len(sheets)))
    titles = "".join(f'<sheet name="{title}" r:id="r{n}"/>' for n, title in enumerate(sheets))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", f'<workbook xmlns:r="r"><sheets>{titles}</sheets></workbook>')
        archive.writestr("xl/_rels/workbook.xml.rels", f"<Relationships>{relations}</Relationships>")
        for n, content in enumerate(sheets.values()):
            archive.writestr(f"xl/s{n}.xml", content)
        for name, content in (more or {}).items():
            archive.writestr(name, content)
    return path


def sheet(rows: Sequence[Sequence[str | float | None]]) -> str:
    def cell(one: str | float | None) -> str:
        if isinstance(one, str):
            return f'<c t="inlineStr"><is><t>{one}</t></is></c>'
        return "<c/>" if one is None else f"<c><v>{one}</v></c>"

    cells = [f"<row>{''.join(map(cell, row))}</row>" for row in rows]
    return f"<worksheet><sheetData>{''.join(cells)}</sheetData></worksheet>"


def test_a_workbook_that_openpyxl_wrote() -> None:
    one, two, three = items(FIXTURE)
    assert one.parts[-1].text == "Which animal <barks> & bites?" and one.target == "B"
    assert two.option_texts() == ("鼓", "笛子", "琴") and two.target == "C"
    assert three.option_texts() == ("2", "3.5", "4") and three.id == "own-openpyxl/3"


def test_several_sheets_are_refused_and_one_is_named(tmp_path: Path) -> None:
    first, second = [["question", "answer"], ["Who?", "x"]], [["question", "answer"], ["How many?", 3.0]]
    file = workbook(tmp_path / "q.xlsx", {"Old": sheet(first), "New": sheet(second), "Empty": sheet([])})
    with pytest.raises(DataError, match="--map sheet=Old or --map sheet=New"):
        items(file)
    (one,) = items(file, sheet="New")
    assert one.target == "3" and one.task == "own-q/number"
    with pytest.raises(DataError, match="did you mean 'New'"):
        items(file, sheet="Neww")


def test_broken_cells_of_a_workbook_are_all_named(tmp_path: Path) -> None:
    head = '<row r="1"><c t="inlineStr"><is><t>question</t></is></c><c t="inlineStr"><is><t>answer</t></is></c></row>'
    rows = '<row r="4"><c r="A4"><f>1+1</f></c><c r="B4"><v>2</v></c></row>'
    rows += '<row r="5"><c r="A5" t="e"><v>#N/A</v></c></row>'
    rows += '<row r="6"><c r="A6"><v>1</v></c><c r="D6"><v>1</v></c></row>'
    rows += '<row r="7"><c r="A7"><v>1</v></c><c r="B7"><v>1</v></c></row>'
    file = workbook(tmp_path / "q.xlsx", {"Q": f"<worksheet><sheetData>{head}{rows}</sheetData></worksheet>"})
    with pytest.raises(DataError) as told:
        items(file)
    for row, words in ((4, "formula without a stored value"), (5, "#N/A"), (6, "beyond the header")):
        assert any(f"row {row}" in line and words in line for line in str(told.value).splitlines()), (row, words)


def test_hostile_workbooks_are_refused(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><worksheet><sheetData/></worksheet>'
    with pytest.raises(DataError, match="document type"):
        read_sheet(workbook(tmp_path / "dtd.xlsx", {"Q": bomb}))
    far = '<worksheet><sheetData><row><c r="XFE1"><v>1</v></c></row></sheetData></worksheet>'
    with pytest.raises(DataError, match="columns"):
        read_sheet(workbook(tmp_path / "far.xlsx", {"Q": far}))
    wide = "".join(f'<row r="{n}"><c r="XFD{n}"><v>1</v></c></row>' for n in range(1, 140))
    with pytest.raises(DataError, match="cells"):
        read_sheet(workbook(tmp_path / "wide.xlsx", {"Q": f"<worksheet><sheetData>{wide}</sheetData></worksheet>"}))
    deep = "<worksheet>" + "<a>" * 100 + "</a>" * 100 + "</worksheet>"
    with pytest.raises(DataError, match="nested"):
        read_sheet(workbook(tmp_path / "deep.xlsx", {"Q": deep}))
    out = workbook(tmp_path / "out.xlsx", {"Q": "x"}, {})
    with pytest.raises(DataError):
        read_sheet(out)
    (tmp_path / "none.xlsx").write_bytes(b"PK\x03\x04 not a workbook")
    with pytest.raises(DataError, match="save it as CSV"):
        read_sheet(tmp_path / "none.xlsx")
    for text in ("<c t='s'><v>7</v></c>", "<c><v>many</v></c>", "<c r='é1'><v>1</v></c>"):
        content = f"<worksheet><sheetData><row>{text}</row></sheetData></worksheet>"
        with pytest.raises(DataError):
            read_sheet(workbook(tmp_path / "odd.xlsx", {"Q": content}))


def test_a_workbook_that_unpacks_to_gigabytes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triptych.benchmarks._questions.xlsx.MAX_PART", 1 << 20)
    file = workbook(tmp_path / "big.xlsx", {"Q": "<worksheet>" + " " * (3 << 20) + "</worksheet>"})
    assert file.stat().st_size < 50_000
    with pytest.raises(DataError, match="bytes unpacked"):
        read_sheet(file)


def embedded(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    import polars as pl

    path.parent.mkdir(parents=True, exist_ok=True)
    pl.DataFrame(rows).write_parquet(path)
    return path


def test_embedded_media_become_files_named_by_content(tmp_path: Path) -> None:
    rows = [
        {
            "index": n,
            "question": "What is heard?",
            "options": ["a bell", "a dog"],
            "answer": "a dog",
            "audio": {"bytes": wav(tone), "path": "../../evil.wav"},
            "image": {"bytes": png(tone), "path": None},
        }
        for n, tone in enumerate((40, 80, 40))
    ]
    file = embedded(tmp_path / "omni.parquet", rows)
    one, two, three = items(file)
    assert [kind for kind, _ in files(one)] == ["audio", "image"] and files(one) == files(three) != files(two)
    sound = tmp_path / files(one)[0][1]
    assert sound.read_bytes() == wav(40) and sound.parent == tmp_path / "omni.media"
    assert len(list((tmp_path / "omni.media").iterdir())) == 4 and not (tmp_path.parent / "evil.wav").exists()
    other = tmp_path / "elsewhere"
    other.mkdir()
    assert files(next(iter(opened(file).items(other)))) == files(one) and (other / "omni.media").is_dir()


def test_embedded_media_never_leave_the_folder(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/q.media").symlink_to(tmp_path)
    row = {"question": "Who?", "answer": "x", "audio": {"bytes": wav(), "path": "a.wav"}}
    with pytest.raises(DataError, match="leads out"):
        items(embedded(tmp_path / "data/q.parquet", [row]))
    assert not list(tmp_path.glob("*.wav"))


def test_a_parquet_file_that_unpacks_to_gigabytes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = embedded(tmp_path / "q.parquet", [{"question": "x" * 2_000_000, "answer": "y"}] * 40)
    assert file.stat().st_size < 200_000
    monkeypatch.setattr("triptych.benchmarks._questions.rows.MAX_BYTES", 10_000_000)
    with pytest.raises(DataError, match="too large"):
        items(file)
    monkeypatch.setattr("triptych.store.files.limits.MAX_UNPACKED", 1_000_000)
    with pytest.raises(DataError, match="too large"):
        items(file)


def test_a_damaged_parquet_file_is_refused(tmp_path: Path) -> None:
    file = embedded(tmp_path / "q.parquet", [{"question": "Who?", "answer": "x"}] * 9)
    content = file.read_bytes()
    refused = 0
    for at in range(0, len(content), 23):
        file.write_bytes(content[:at] + bytes([content[at] ^ 255]) + content[at + 1 :])
        try:
            items(file)
        except (DataError, SpecError) as error:
            assert "q.parquet" in str(error)
            refused += 1
    assert refused > len(content) // 23 // 2


def test_audiofolder_with_metadata(tmp_path: Path) -> None:
    for split in ("train", "test"):
        (tmp_path / split).mkdir()
        rows = [{"file_name": "a.wav", "transcription": f"{split} words"}]
        (tmp_path / split / "metadata.jsonl").write_text("".join(json.dumps(row) for row in rows))
        (tmp_path / split / "a.wav").write_bytes(wav())
    with pytest.raises(SpecError, match="--map 'ask="):
        folder_items(tmp_path)
    (one,) = folder_items(tmp_path, ask="Write down what is said.")
    assert one.target == "test words" and files(one) == [("audio", "test/a.wav")]
    assert one.parts[-1].text == "Write down what is said."
    (two,) = folder_items(tmp_path, ask="Write down what is said.", split="train")
    assert two.target == "train words" and files(two) == [("audio", "train/a.wav")]


def test_imagefolder_by_labels(tmp_path: Path) -> None:
    for label in ("cat", "dog"):
        (tmp_path / label).mkdir()
        (tmp_path / label / "1.png").write_bytes(png())
    one, two = folder_items(tmp_path, ask="Which animal is this?")
    assert (one.option_texts(), one.target, two.target) == (("cat", "dog"), "A", "B")
    assert files(two) == [("image", "dog/1.png")]
    assert own_questions(str(tmp_path), {"ask": "x"}) is not None


def test_shards_configurations_and_splits(tmp_path: Path) -> None:
    row = {"question": "Who?", "options": ["x", "y"], "answer": "A"}
    for n in range(2):
        embedded(tmp_path / f"en/data/test-0000{n}-of-00002.parquet", [{**row, "id": f"t{n}"}])
    embedded(tmp_path / "en/data/train-00000-of-00001.parquet", [{**row, "id": "r"}])
    assert [item.id.partition("/")[2] for item in folder_items(tmp_path)] == ["t0", "t1"]
    bench = own_questions(str(tmp_path), {})
    assert bench is not None and any("test (also there: train" in line for line in bench.mapping_lines(tmp_path))
    embedded(tmp_path / "de/data/test-00000-of-00001.parquet", [{**row, "id": "d"}])
    with pytest.raises(SpecError, match="--map config=de or --map config=en"):
        folder_items(tmp_path)
    assert [item.id for item in folder_items(tmp_path, config="de")] == [f"{own_name(tmp_path)}/d"]
    (tmp_path / "de/other.jsonl").write_text(json.dumps({**row, "id": "o"}))
    with pytest.raises(SpecError, match="several files"):
        folder_items(tmp_path)
    assert [item.id.partition("/")[2] for item in folder_items(tmp_path, file="other.jsonl")] == ["o"]


def own_name(folder: Path) -> str:
    bench = own_questions(str(folder), {"config": "de"})
    assert bench is not None
    return bench.name


def test_what_datasets_itself_writes_is_read(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    sound = tmp_path / "a.wav"
    sound.write_bytes(wav())
    features = datasets.Features(
        {
            "question": datasets.Value("string"),
            "answer": datasets.ClassLabel(names=["bell", "dog"]),
            "image": datasets.Image(decode=False),  # Audio is stored likewise, but encoding it needs torch
            "audio": {"bytes": datasets.Value("binary"), "path": datasets.Value("string")},
            "choices": datasets.Sequence(datasets.Value("string")),
        }
    )
    row = {
        "question": "What?",
        "answer": 1,
        "audio": {"bytes": wav(), "path": "a.wav"},
        "image": {"bytes": png(), "path": "p.png"},
        "choices": ["bell", "dog"],
    }
    made = datasets.Dataset.from_list([row, {**row, "answer": 0}], features=features)
    made.to_parquet(str(tmp_path / "one/data/test-00000-of-00001.parquet"))
    datasets.DatasetDict({"test": made, "train": made}).save_to_disk(str(tmp_path / "two"))
    for place in ("one", "two"):
        found = folder_items(tmp_path / place)
        assert [item.target for item in found] == ["B", "A"], place
        assert [kind for kind, _ in files(found[0])] == ["audio", "image"]


def test_a_folder_without_questions_says_what_is_expected(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(DataError, match=r"benchmark\.toml, a table"):
        folder_items(tmp_path)
    with pytest.raises(SpecError, match="not a data set of the Hub"):
        own_questions("hf/only-one")


def test_doubled_keys_of_a_row_are_a_fault(tmp_path: Path) -> None:
    file = tmp_path / "q.jsonl"
    file.write_text('{"question": "Who?", "answer": "x", "answer": "y"}\n{"question": "Who?", "answer": "x"}\n')
    with pytest.raises(DataError, match="twice"):
        items(file)


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hub]:
    """A data set with embedded sounds, on a Hub of this machine."""
    pytest.importorskip("huggingface_hub")
    row = {"question": "What is heard?", "options": ["bell", "dog"], "answer": "B"}
    made = embedded(tmp_path / "made/q.parquet", [{**row, "audio": {"bytes": wav(), "path": "a.wav"}}])
    served = Hub("lab/sounds", {"README.md": b"# Sounds", "data/test-00000-of-00001.parquet": made.read_bytes()})
    with Wire(served) as wire:
        monkeypatch.setenv("HF_ENDPOINT", wire.url)
        for name in ("HF_TOKEN", "HF_HUB_OFFLINE"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.chdir(tmp_path)
        yield served


def test_a_data_set_of_the_hub_is_fetched_once(hub: Hub, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bench = own_questions("hf/lab/sounds")
    assert bench is not None and bench.home == Path("data/hf/lab--sounds") and bench.name == "own-lab-sounds"
    (one,) = bench.items(bench.home)
    assert one.target == "B" and (bench.home / files(one)[0][1]).read_bytes() == wav()
    assert "lab/sounds at " in capsys.readouterr().err
    import os

    os.environ["HF_ENDPOINT"] = "http://127.0.0.1:9"  # restored by the fixture: nothing answers there
    assert own_questions("hf/lab/sounds") is not None
    with pytest.raises(DataError):
        own_questions("hf/lab/others")
