"""The MCS-Bench-like mini set: one list as the released one is, at least two questions of each of the 45 Tasks."""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triptych.benchmarks.mcs_bench.instructions import instruct
from triptych.construction.mini import classical, encode

if TYPE_CHECKING:
    from PIL.Image import Image

CONTENT = Path(__file__).with_name("mcs_bench.toml")
LETTERS = "ABCDE"
SEED = 42


def build(root: Path, _work: Path) -> None:
    """Writes `root/MCS-Bench.json` and `root/images/…`."""
    content = tomllib.loads(CONTENT.read_text(encoding="utf-8"))
    for name, drawn in content["picture"].items():
        encode.write_jpeg(root / f"images/{name}.jpg", draw(drawn), 72)
    (root / "MCS-Bench.json").write_text(
        json.dumps(list(rows(content)), ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
    )


def draw(drawn: Mapping[str, Any]) -> Image:
    """A picture by its kind and what stands on it."""
    told = dict(drawn)
    kind: str = told.pop("kind")
    made: Image = getattr(classical, kind)(**told)
    return made


def rows(content: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The rows, by Task and in the content's order, with both scripts. IDs count through the whole list."""
    told = [(number, item) for number in range(1, 46) for item in content["item"][f"T{number}"]]
    places = key_places([len(item["options"]) for _, item in told if "options" in item])
    rng = random.Random(SEED)
    for id_, (number, item) in enumerate(told, 1):
        question, answer = ask(f"T{number}", item, next(places) if "options" in item else 0, rng)
        yield {
            "ID": id_,
            "Task_ID": number,
            "Image": f"images/{item['picture']}.jpg",
            "Question_Simplified": question,
            "Answer_Simplified": answer,
            "Question_Traditional": traditional(question),
            "Answer_Traditional": traditional(answer),
        }


def key_places(sizes: Sequence[int]) -> Iterator[int]:
    """Where each multiple choice has its right option: every letter as often as any other, give or take one or two."""
    places = [number % 4 for number in range(len(sizes))]
    random.Random(SEED).shuffle(places)
    return (place % size for place, size in zip(places, sizes, strict=True))


def ask(task: str, item: Mapping[str, Any], place: int, rng: random.Random) -> tuple[str, str]:
    """(question, answer). Of a multiple choice the content lists the right option first; here it goes to its place."""
    slots = {name: words for name, words in item.items() if isinstance(words, str)}
    if "options" not in item:
        return instruct(task, slots), item["answer"]
    right, *others = item["options"]
    rng.shuffle(others)
    others.insert(place, right)
    marked = " ".join(f"{letter}、{option}" for letter, option in zip(LETTERS, others, strict=False))
    return instruct(task, {**slots, "options": marked}), LETTERS[place]


def traditional(text: str) -> str:
    """The text in traditional characters, by OpenCC."""
    return str(_converter().convert(text))


@cache
def _converter() -> Any:
    """Made once: it reads its dictionaries for 0.2 s."""
    import opencc  # type: ignore[import-untyped, unused-ignore]

    return opencc.OpenCC("s2t")
