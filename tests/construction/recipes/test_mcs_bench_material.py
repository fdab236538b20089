"""Tests of `construction/recipes/_mcs_bench_material.py`: the table of pictures, data sets and collected pages."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.construction.datasets.folders import laid
from triptych.construction.engine.context import Context
from triptych.construction.engine.media import MediaStore
from triptych.construction.parameters import Parameters
from triptych.construction.recipe import Start
from triptych.construction.recipes._mcs_bench_material import SourceConfig, TaskConfig, converted, page_text, start
from triptych.errors import DataError, SpecError

FIXED = {name: {"family": "f"} for name in ("T1", "T2", "T3", "T28", "T30")}


def begun(base: Path, datasets: tuple[SourceConfig, ...] = (), seed: int = 0, **tasks: TaskConfig) -> list[Start]:
    pictures = "rows.jsonl" if (base / "rows.jsonl").exists() else ""
    config = SimpleNamespace(pictures=pictures, datasets=datasets, tasks=tasks)
    return list(start(config, base, Context(Parameters(), MediaStore(base / "b"), seed, base), FIXED))


def table(base: Path, *rows: dict[str, Any]) -> Path:
    given = {"id": "r", "image": "山水.png", "task": "T2", "question": " 谁画的？ ", "answer": "王希孟 "}
    lines = [json.dumps({**given, **row}, ensure_ascii=False) for row in rows]
    return laid(base, **{"rows.jsonl": "\n".join(lines) + "\n", "山水.png": b"picture"})


def test_a_row_has_the_hash_of_its_picture_and_its_other_columns_as_metadata(tmp_path: Path) -> None:
    (one,) = begun(table(tmp_path, {"朝代": "宋", "wrong": "甲| 乙", "author_died": "1119", "licence": "cc0-1.0"}))
    fields = one.record.fields
    assert fields["image_sha256"] == hashlib.sha256(b"picture").hexdigest() and fields["family"] == "f"
    assert fields["metadata"] == {"朝代": "宋"} and fields["author_died"] == 1119
    assert (fields["question"], fields["answer"], fields["wrong"]) == ("谁画的？", "王希孟", ["甲", "乙"])
    assert one.record.sources == ("picture:山水.png",) and one.makers["answer"].at == "row=1"
    assert one.unusable is None and "pages" not in fields


def test_a_task_of_a_model_needs_no_answer_and_has_its_examples(tmp_path: Path) -> None:
    how = TaskConfig("model", examples=("例一", "例二"))
    (one,) = begun(table(tmp_path, {"answer": "", "text": "子曰"}), T2=how)
    assert "answer" not in one.record.fields and one.record.fields["examples"] == "例一\n例二"
    assert one.record.fields["true_text"] == "子曰" and one.record.fields["metadata"] == {"资料": "无"}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"answer": " "}], "T2 is made by people, and the row has no answer"),
        ([{"task": "T99"}], "unknown task"),
        ([{"id": "", "image": "山水.png"}], "no 'id'"),
        ([{"task": "T99"}, {}, {"answer": ""}], "2 faults in the raw material"),
    ],
)
def test_every_row_that_cannot_be_used_is_named_at_once(
    tmp_path: Path, rows: list[dict[str, Any]], message: str
) -> None:
    with pytest.raises(DataError, match=message) as error:
        begun(table(tmp_path, *rows))
    assert "row 1" in str(error.value)


def test_a_missing_picture_or_page_fails_alone(tmp_path: Path) -> None:
    laid(tmp_path, **{"宋.html": "<p>此画作于宋代。</p>"})
    table(
        tmp_path, {"id": "a", "image": "gone.png"}, {"id": "b"}, {"id": "c", "task": "T30", "pages": "宋.html|no.txt"}
    )
    first, second, third = begun(tmp_path, T30=TaskConfig("pages"))
    assert first.unusable is not None and "gone.png" in first.unusable.note
    assert second.unusable is None and third.unusable is not None and "no.txt" in third.unusable.note


def test_collected_pages_are_read_with_their_names_as_sources(tmp_path: Path) -> None:
    laid(tmp_path, **{"宋.html": "<p>此画作于宋代。</p>", "b.txt": "第二页\n\n第二页\n"})
    table(tmp_path, {"task": "T30", "pages": "宋.html | b.txt"})
    (one,) = begun(tmp_path, T30=TaskConfig("pages"))
    assert one.record.fields["pages"] == [
        {"file": "宋.html", "text": "此画作于宋代。"},
        {"file": "b.txt", "text": "第二页"},
    ]
    assert one.record.sources[1:] == ("page:宋.html", "page:b.txt")
    with pytest.raises(DataError, match="the row has no collected pages"):
        begun(table(tmp_path, {"task": "T30", "pages": " | "}), T30=TaskConfig("pages"))


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>一<p>二<br>三<form>x</form>", "一\n二\n三"),
        ("<h1>画</h1><div>甲&amp;乙&nbsp;丙</div>", "画\n甲&乙\xa0丙"),
        ("<nav>首页</nav><header>站</header><p>文</p><footer>版权</footer>", "文"),
        ("<p>文<script>if (a < b) { x('<p>'); }</script>字</p>", "文字"),
        ("<p>同</p><p>同</p>", "同"),
        ("<ul><li>一</li>\n<li>二</li></ul><table><tr><td>三</td></tr></table>", "一\n二\n三"),
        ("<svg/><p>文</p></nav>", "文"),
        ("", ""),
        ("<p>没有结尾", "没有结尾"),
    ],
)
def test_a_page_is_its_paragraphs_without_what_surrounds_them(html: str, text: str) -> None:
    assert page_text(html, html=True) == text.replace("\xa0", " ") or page_text(html, html=True) == text


def test_text_files_are_not_read_as_html() -> None:
    assert page_text("甲 < 乙\n\u3000\u3000丙\t丁\n\n", html=False) == "甲 < 乙\n丙 丁"


@pytest.mark.parametrize(
    ("name", "task", "answer"),
    [
        ("hisdoc1b", "T1", "子曰學而時習之不亦說乎"),
        ("m5hisdoc", "T1", "子曰：「學而時習之，\n不亦說乎？」"),
        ("hisdoc1b", "T3", "子曰：「學而時習之，不亦說乎？」"),
        ("m5hisdoc", "T3", None),  # its text has no punctuation of its own
        ("hust_obc", "T28", "子曰：「學而時習之，\n不亦說乎？」"),
        ("hisdoc1b", "T2", None),
    ],
)
def test_a_text_answers_the_tasks_that_ask_for_it(name: str, task: str, answer: str | None) -> None:
    answers = converted(name, task, "子曰：「學而時習之，\n不亦說乎？」")
    assert answers.get("answer", "").replace("\n", "") == (answer or "").replace("\n", "")
    assert (answer is None) is (answers == {})


def characters(base: Path, count: int) -> tuple[SourceConfig, ...]:
    files: dict[str, Any] = {f"H/deciphered/{n:04}/X_{n:04}_{k}.png": b"%d" % k for n in range(count) for k in range(3)}
    labels = {f"{n:04}": chr(0x4E00 + n) for n in range(count)}
    laid(base, **files, **{"H/deciphered/ID_to_chinese.json": json.dumps(labels)})
    return (SourceConfig("hust_obc", "H", ("T28",), most=count),)


def test_entries_are_drawn_over_all_labels_and_the_same_with_the_same_seed(tmp_path: Path) -> None:
    dataset = characters(tmp_path, 4)
    drawn = begun(tmp_path, dataset, T28=TaskConfig("converted"))
    assert sorted(one.record.fields["answer"] for one in drawn) == [chr(0x4E00 + n) for n in range(4)]
    assert [one.record.id for one in drawn] == [
        one.record.id for one in begun(tmp_path, dataset, T28=TaskConfig("converted"))
    ]
    others = {tuple(one.record.id for one in begun(tmp_path, dataset, n, T28=TaskConfig("model"))) for n in range(5)}
    assert len(others) > 1
    assert drawn[0].record.id.startswith("hust_obc-T28-") and drawn[0].record.sources[1].startswith("hust_obc:")
    assert "对应的现代汉字" not in drawn[0].record.fields["metadata"], "the answer isn't shown to makers"


def test_material_and_tasks_that_do_not_exist_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="no raw material is named"):
        begun(tmp_path)
    characters(tmp_path, 1)
    with pytest.raises(SpecError, match="no such task") as error:
        begun(tmp_path, (SourceConfig("hust_obc", "H", ("T46",)),))
    assert "T46" in str(error.value)
    with pytest.raises(DataError, match="hust_obc has no entry for T1"):
        begun(tmp_path, (SourceConfig("hust_obc", "H", ("T1",)),))


@pytest.mark.parametrize(
    ("stated", "year"), [("-43", -43), ("１１１９", 1119), ("①", None), ("--5", None), ("c. 1119", None)]
)
def test_only_a_number_is_a_year_of_death(tmp_path: Path, stated: str, year: int | None) -> None:
    (one,) = begun(table(tmp_path, {"author_died": stated}))
    assert one.record.fields.get("author_died") == year
