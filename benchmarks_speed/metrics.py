"""Metrics against straightforward implementations of the same, on the same texts, in one process."""

from __future__ import annotations

import json
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks_speed import table
from triptych.benchmarks import load_benchmark
from triptych.errors import WeightsError
from triptych.metrics.edit_distance import normalised_edit_distance
from triptych.metrics.error_rate import ocr_rates
from triptych.metrics.text.resegmentation import resegment

# Characters of an answer by kind of Task (the paper's Table 5)
LENGTHS = {"OCR": 120, "translation": 468, "punctuation": 377, "entities": 52, "open": 250, "picture": 2}
ENCODER, LAYER, PAIRS = "m3e-small", 4, 240


def measure() -> list[dict[str, Any]]:
    """Print one row a metric: CPU seconds of ours, of the plain way, and their ratio; say what is left out and why."""
    rows: list[dict[str, Any]] = []
    for compare in (edit_distance, ocr, segments, bertscore):
        try:
            rows.append(compare())
        except (ImportError, WeightsError) as missing:
            print(f"{compare.__name__}: left out: {str(missing).splitlines()[0]}")
    shown = [
        [r["what"], f"{r['ours']:.3f}", r["against"], f"{r['plain']:.2f}", table.ratio(r["plain"], r["ours"])]
        for r in rows
    ]
    table.show("metrics, CPU seconds", ["", "Triptych", "against", "s", "ratio"], shown)
    for row in rows:
        if row["difference"] > 1e-5:
            print(f"{row['what']}: the two differ by {row['difference']:.2g}")
    return [*rows, whole()]


def edit_distance() -> dict[str, Any]:
    """NED of pages of 300 characters."""
    from nltk import edit_distance as plain

    pairs = _pages(40, 300)
    return _row(
        "edit distance, 40 pages of 300 characters",
        "nltk",
        pairs,
        lambda one: normalised_edit_distance(*one),
        lambda one: plain(*one) / max(map(len, one)),
    )


def ocr() -> dict[str, Any]:
    """CR and AR, which count each kind of operation."""
    pairs = _pages(40, 300)
    return _row(
        "CR and AR, 40 pages of 300 characters",
        "plain dynamic programming",
        pairs,
        lambda one: ocr_rates(*one)[1],
        lambda one: _plain_accurate_rate(*one),
    )


def segments() -> dict[str, Any]:
    """A talk of 3,000 words in lines of 20, heard with one word in five wrong."""
    draw = random.Random(0)
    words = [f"w{draw.randrange(800)}" for _ in range(3_000)]
    lines = [" ".join(words[start : start + 20]) for start in range(0, len(words), 20)]
    heard = " ".join(word if draw.random() > 0.2 else f"w{draw.randrange(800)}" for word in words)
    return _row(
        "re-segmentation, a talk of 3,000 words",
        "plain dynamic programming",
        [(heard, lines)],
        lambda one: float(_wrong(resegment(*one), lines)),
        lambda one: float(_wrong(_plain_segments(*one), lines)),
    )


def bertscore() -> dict[str, Any]:
    """BERTScore of answers of like lengths as the benchmark's, a third of them said twice, on the same model."""
    from bert_score import BERTScorer

    from triptych.models.encoders.bertscore import bertscore as ours
    from triptych.models.encoders.encoder import TextEncoder
    from triptych.models.weights.resolver import Resolver

    folder = Resolver().resolve(ENCODER)
    draw = random.Random(0)
    pairs = [_page(draw, draw.choice((5, 20, 60, 250))) for _ in range(PAIRS * 2 // 3)]
    pairs += draw.choices(pairs, k=PAIRS - len(pairs))
    candidates, references = [reply for _, reply in pairs], [page for page, _ in pairs]
    encoder = TextEncoder(folder, LAYER)
    plain = BERTScorer(model_type=str(folder), num_layers=LAYER)
    plain.score(candidates[:2], references[:2])
    ours(encoder, candidates[:2], references[:2])
    clock = time.process_time if encoder.device == "cpu" else time.perf_counter  # a GPU's work is no CPU time
    mine, matches = _timed(lambda: ours(encoder, candidates, references), clock)
    theirs, scores = _timed(lambda: plain.score(candidates, references), clock)
    difference = max(abs(m.f1 - f.item()) for m, f in zip(matches, scores[2], strict=True))
    what = f"BERTScore, {PAIRS} pairs of up to 250 characters ({encoder.device})"
    return {"what": what, "against": "bert-score", "ours": mine, "plain": theirs, "difference": difference}


def whole() -> dict[str, Any]:
    """6,500 replies to MCS-Bench, from reading the file to intervals, under all protocols."""
    import triptych

    with tempfile.TemporaryDirectory(prefix="triptych-speed-") as name:
        path = Path(name) / "replies.json"
        path.write_text(json.dumps(_replies(), ensure_ascii=False), encoding="utf-8")
        began = time.process_time()
        wall, scores = _timed(lambda: triptych.score("mcs_bench", predictions=[path]), time.perf_counter)
        cpu = time.process_time() - began
    table.facts(
        "scoring 6,500 MCS-Bench replies, MCQ to OCR (wanted: 10 s)",
        [("protocols", ", ".join(scores)), ("seconds", f"{wall:.1f}"), ("CPU seconds", f"{cpu:.1f}")],
    )
    return {"what": "6,500 replies", "wall": wall, "cpu": cpu}


def _row(
    what: str, against: str, work: Sequence[Any], ours: Callable[[Any], float], plain: Callable[[Any], float]
) -> dict[str, Any]:
    mine, found = _timed(lambda: [ours(one) for one in work])
    theirs, expected = _timed(lambda: [plain(one) for one in work])
    difference = max(abs(a - b) for a, b in zip(found, expected, strict=True))
    return {"what": what, "against": against, "ours": mine, "plain": theirs, "difference": difference}


def _timed(what: Callable[[], Any], clock: Callable[[], float] = time.process_time) -> tuple[float, Any]:
    start = clock()
    found = what()
    return clock() - start, found


def _page(draw: random.Random, length: int) -> tuple[str, str]:
    """A page of common characters, and a reading of it with one in ten lost or mistaken."""
    page = "".join(chr(draw.randrange(0x4E00, 0x4E00 + 900)) for _ in range(length))
    read = "".join(draw.choice((c, c, c, c, c, c, c, c, c, "", chr(ord(c) + 1))) for c in page)
    return page, read


def _pages(count: int, length: int) -> list[tuple[str, str]]:
    draw = random.Random(1)
    return [_page(draw, length) for _ in range(count)]


def _replies() -> list[dict[str, Any]]:
    """As many rows of each Task as the paper counts, with replies nine tenths right."""
    draw, mcs = random.Random(0), load_benchmark("mcs_bench")
    pool = "".join(str(item.target) for item in mcs.items(mcs.mini)) * 2
    rows = []
    for task in mcs.spec.tasks:
        for _ in range(task.count or 0):
            start = draw.randrange(len(pool) // 2)
            answer = pool[start : start + LENGTHS.get(task.facets["kind"], 0)] or draw.choice("ABCD")
            reply = "".join(c for c in answer if draw.random() > 0.1) + "。"
            row = {"ID": len(rows), "Task_ID": int(task.id[1:]), "Image": "a.jpg", "Response": reply}
            rows.append({**row, "Question_Simplified": "问？A、一 B、二 C、三 D、四", "Answer_Simplified": answer})
    return rows


def _plain_accurate_rate(reference: str, hypothesis: str) -> float:
    """The whole table of distances, then a walk back through it."""
    n, m = len(reference), len(hypothesis)
    cost = [[max(i, j) if not i or not j else 0 for j in range(m + 1)] for i in range(n + 1)]
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            same = cost[i - 1][j - 1] + (reference[i - 1] != hypothesis[j - 1])
            cost[i][j] = min(same, cost[i - 1][j] + 1, cost[i][j - 1] + 1)
    i, j, errors = n, m, 0
    while i or j:
        if i and j and reference[i - 1] == hypothesis[j - 1] and cost[i][j] == cost[i - 1][j - 1]:
            i, j = i - 1, j - 1
            continue
        errors += 1
        if i and j and cost[i][j] == cost[i - 1][j - 1] + 1:
            i, j = i - 1, j - 1
        elif i and cost[i][j] == cost[i - 1][j] + 1:
            i -= 1
        else:
            j -= 1
    return (n - errors) / n


def _plain_segments(heard: str, lines: Sequence[str]) -> list[str]:
    """One table over all words; each cell remembers where its line began."""
    words = heard.split()
    previous, begins = list(range(len(words) + 1)), []
    for line in lines:
        start = list(range(len(words) + 1))
        for word in line.split():
            row, came = [previous[0] + 1], [start[0]]
            for j, other in enumerate(words, 1):
                options = (
                    (previous[j - 1] + (word != other), start[j - 1]),
                    (previous[j] + 1, start[j]),
                    (row[j - 1] + 1, came[j - 1]),
                )
                cost, place = min(options)
                row.append(cost)
                came.append(place)
            previous, start = row, came
        begins.append(start)
    cuts = [len(words)]
    for start in reversed(begins):
        cuts.append(start[cuts[-1]])
    cuts.reverse()
    return [" ".join(words[a:b]) for a, b in pairwise(cuts)]


def _wrong(cut: Sequence[str], lines: Sequence[str]) -> int:
    """Word errors of all lines together: two ways of cutting that are equally good have the same."""
    from triptych.metrics.error_rate import word_errors

    return sum(word_errors(line, one)[0] for line, one in zip(lines, cut, strict=True))
