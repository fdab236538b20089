"""A benchmark of classical texts with many works, built from a table: CPU seconds and peak memory, and how both grow.

python benchmarks_speed/works.py CONFIGURATION FOLDER     (what `measure` runs)
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

SMALL, LARGE = 2_000, 20_000
LIMIT_SECONDS, LIMIT_MB = 600, 600
MAKERS = ("maker", "validator_a", "validator_b", "validator_c")
WORDS = """
the river moon and of autumn wind over a mountain where old friends drink in silence while clouds from north
cover their road to home this year again we hear wild geese cry above reeds as snow falls on gates that nobody
opens now spring light returns with rain upon green willows by bridge long after guests have gone away
"""


def measure(folder: Path) -> list[dict[str, Any]]:
    """Build from 2,000 and from 20,000 works, with replies from tables, and once more without changes."""
    from benchmarks_speed import measure as cost
    from benchmarks_speed import table

    found: list[dict[str, Any]] = []
    for works in (SMALL, LARGE):
        place = folder / str(works)
        config = material(place, works)
        for what in ("first", "again"):
            with tempfile.TemporaryDirectory(prefix="triptych-works-") as scratch:
                command = [sys.executable, __file__, str(config), str(place / "build")]
                done = cost.run(command, Path(scratch), limit=3600)
            last = (done.output.strip().splitlines() or ["0"])[-1]
            if done.code:
                print(done.output[-800:], file=sys.stderr)
            row = {"works": works, "build": what, "items": last, "code": done.code}
            found.append(row | {"cpu": done.cpu, "wall": done.wall, "rss": done.rss})
    rows = [[f"{r['works']:,}", r["build"], str(r["items"]), f"{r['cpu']:.0f}", f"{r['rss']:.0f}"] for r in found]
    head = f"build of many works (limits for {LARGE:,}: {LIMIT_SECONDS} CPU s, {LIMIT_MB} MB)"
    table.show(head, ["works", "build", "items", "CPU s", "peak MB"], rows)
    for small, large in zip(found[:2], found[2:], strict=True):
        cpu, rss = large["cpu"] / small["cpu"], large["rss"] / small["rss"]
        print(f"{small['build']}: {LARGE // SMALL} times the works take {cpu:.1f} times the CPU, {rss:.1f} the memory")
    return found


def material(folder: Path, works: int) -> Path:
    """Write works and the replies about them; return the configuration."""
    folder.mkdir(parents=True, exist_ok=True)
    draw = random.Random(0)
    characters = _characters()
    genres, dynasties = ("诗", "词", "曲", "赋", "文"), ("唐", "宋", "元", "明", "清")
    with (folder / "works.csv").open("w", encoding="utf-8") as table:
        table.write("id,title,author,genre,dynasty,text,author_died\n")
        for n in range(works):
            verses = ["，".join("".join(draw.choices(characters, k=7)) for _ in range(2)) + "。" for _ in range(4)]
            title, author = ("".join(draw.choices(characters, k=k)) for k in (4, 3))
            row = (f"w{n:05}", title, author, draw.choice(genres), draw.choice(dynasties), "".join(verses), "1100")
            table.write(",".join(row) + "\n")
    with (folder / "maker.jsonl").open("w", encoding="utf-8") as table:
        for n in range(works):
            for task, reply in _replies(n, draw, characters):
                line = {"id": f"w{n:05}/000/{task}", "text": json.dumps(reply, ensure_ascii=False)}
                table.write(json.dumps(line, ensure_ascii=False) + "\n")
    with (folder / "valid.jsonl").open("w", encoding="utf-8") as table:
        for n in range(works):
            for task in ("s2tt", "su", "sr"):
                table.write(json.dumps({"id": f"w{n:05}/000/{task}", "text": '{"valid": true, "reason": ""}'}) + "\n")
    lines = ['works = "works.csv"', "year = 2026", "record = false", "review = false", "allow_same_family = true"]
    for role in MAKERS:
        name = "maker" if role == "maker" else "valid"
        lines += [f"[models.{role}]", f'model = "replay/{role}"', f'settings = {{ path = "{name}.jsonl" }}']
    config = folder / "works.toml"
    config.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return config


def _characters() -> list[str]:
    """Return the characters that are the same in both scripts: those of GB 2312's first level that Big5 has too."""
    found = []
    for row in range(0xB0, 0xD8):
        for cell in range(0xA1, 0xFF):
            character = bytes((row, cell)).decode("gb2312", "ignore")
            if character and character.encode("big5", "ignore"):
                found.append(character)
    return found


def _replies(number: int, draw: random.Random, characters: list[str]) -> list[tuple[str, dict[str, Any]]]:
    words = draw.choices(WORDS.split(), k=48)
    chosen = []
    for task in ("su", "sr"):
        options = ["".join(draw.choices(characters, k=6)) for _ in range(4)]
        question = "".join(draw.choices(characters, k=9)) + f"第{number}题？"
        chosen.append((task, {"question": question, "right": options[0], "wrong": options[1:]}))
    return [("s2tt", {"translation": " ".join(words).capitalize() + "."}), *chosen]


def main(config: Path, to: Path) -> None:
    """Build, and print the number of Items."""
    from triptych.construction.build import build

    built = build("mcga", config, to)
    for count in built.counts:
        print(count.stage, count.came, count.went, count.reasons)
    print(built.written)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
