"""Logs in the forms that other harnesses write, with questions and replies of our own.

The forms were taken from real logs and from the harnesses' code; what each was compared with is in
`tests/interchange/logs/README.md`.
"""

from __future__ import annotations

import csv
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

LETTERS = "ABCD"
Reply = Callable[[int], str]


def key(number: int) -> str:
    """The reference answer of a question."""
    return LETTERS[number * 7 % 4]


def right_until(limit: int) -> Reply:
    """Replies that are correct up to a question, and another letter after it."""
    return lambda number: key(number) if number < limit else LETTERS[(LETTERS.index(key(number)) + 1) % 4]


def lines(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def document(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")


def evalscope(root: Path, n: int = 20, right: int = 15, model: str = "m", **report: Any) -> Path:
    """An evaluation by EvalScope: reviews, predictions and a report of the data set `toy` with the subset `default`."""
    reply = right_until(right)
    reviews, predictions = [], []
    for number in range(n):
        score = {
            "value": {"acc": float(number < right)},
            "extracted_prediction": reply(number),
            "main_score_name": None,
            "prediction": f"ANSWER: {reply(number)}",
            "explanation": None,
            "metadata": {},
        }
        reviews.append(
            {
                "index": number,
                "input": f"**User**: \nq{number}",
                "target": key(number),
                "sample_score": {"score": score, "sample_id": number, "group_id": number, "sample_metadata": {}},
            }
        )
        message = {"content": f"I think so. ANSWER: {reply(number)}", "role": "assistant"}
        predictions.append(
            {
                "index": number,
                "model": model,
                "model_output": {
                    "model": report.get("served", model),
                    "error": None,
                    "time": None,
                    "choices": [{"message": message, "stop_reason": "stop"}],
                    "usage": {"input_tokens": 9, "output_tokens": 4},
                },
            }
        )
    lines(root / "reviews" / model / "toy_default.jsonl", reviews)
    lines(root / "predictions" / model / "toy_default.jsonl", predictions)
    score = report.get("score", round(right / n, 4))
    subset = {"name": "default", "score": score, "num": report.get("num", n)}
    category = {"name": ["default"], "num": n, "score": score, "macro_score": score, "subsets": [subset]}
    metric = {"name": "mean_acc", "num": n, "score": score, "macro_score": score, "categories": [category]}
    document(
        root / "reports" / model / "toy.json",
        {"name": f"{model}@toy", "dataset_name": "toy", "model_name": model, "score": score, "metrics": [metric]},
    )
    return root


HEAD = ("index", "question", "A", "B", "C", "D", "answer", "category", "prediction", "hit", "log")


def vlmevalkit(path: Path, n: int = 20, right: int = 15, drawn: int = 0, overall: float | None = None) -> Path:
    """Scored rows of VLMEvalKit as XLSX, TSV or JSON (by the ending), and the accuracy next to them."""
    reply = right_until(right)
    rows = [
        [
            number,
            f"q{number} <b>",
            "cat",
            "dog",
            "bird",
            "fish",
            key(number),
            "c",
            reply(number),
            int(number < right),
            "Failed to predict, thus randomly generate one. " if number >= n - drawn else reply(number),
        ]
        for number in range(n)
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".xlsx":
        workbook(path, [list(HEAD), *rows])
    elif path.suffix == ".json":
        document(path, [dict(zip(HEAD, row, strict=True)) for row in rows])
    else:
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, delimiter="\t").writerows([HEAD, *rows])
    stem = path.stem.removesuffix("_openai_result")
    value = right / n if overall is None else overall
    path.with_name(f"{stem}_acc.csv").write_text(f'"split","Overall","c"\n"none","{value}","{value}"\n', "utf-8")
    return path


def workbook(path: Path, rows: Sequence[Sequence[object]]) -> None:
    """An XLSX workbook with one sheet, texts as shared strings."""
    texts = list(dict.fromkeys(str(value) for row in rows for value in row if isinstance(value, str)))
    cells = []
    for number, row in enumerate(rows, 1):
        inside = "".join(
            f'<c r="{chr(65 + place)}{number}" t="s"><v>{texts.index(value)}</v></c>'
            if isinstance(value, str)
            else f'<c r="{chr(65 + place)}{number}"><v>{value}</v></c>'
            for place, value in enumerate(row)
        )
        cells.append(f'<row r="{number}">{inside}</row>')
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    shared = "".join(f"<si><t>{escape(text)}</t></si>" for text in texts)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("[Content_Types].xml", "<Types/>")
        book.writestr("xl/workbook.xml", f"<workbook {space}/>")
        book.writestr("xl/sharedStrings.xml", f"<sst {space}>{shared}</sst>")
        book.writestr(
            "xl/worksheets/sheet1.xml", f"<worksheet {space}><sheetData>{''.join(cells)}</sheetData></worksheet>"
        )


def helm(folder: Path, n: int = 20, right: int = 15, stated: float | None = None) -> Path:
    """A run of HELM with one multiple-choice scenario; a perturbed copy of the first instance is in it, too."""
    reply, states, stats = right_until(right), [], []
    for number in range(n):
        mapping = dict(zip(LETTERS, ("cat", "dog", "bird", "fish"), strict=True))
        references = [
            {"output": {"text": text}, "tags": ["correct"] * (letter == key(number))}
            for letter, text in mapping.items()
        ]
        instance = {"input": {"text": f"q{number}"}, "references": references, "split": "test", "id": f"id{number}"}
        state = {
            "instance": instance,
            "train_trial_index": 0,
            "output_mapping": mapping,
            "request": {"model": "org/m"},
            "result": {"success": True, "completions": [{"text": f" {reply(number)}"}], "cached": True},
        }
        states.append(state)
        name = {"name": "exact_match", "split": "test"}
        own = {"name": name, "count": 1, "sum": float(number < right), "mean": float(number < right)}
        stats.append({"instance_id": f"id{number}", "train_trial_index": 0, "stats": [own]})
    changed = json.loads(json.dumps(states[0]))
    changed["instance"]["perturbation"] = {"name": "robustness"}
    value = right / n if stated is None else stated
    adapter = {"method": "multiple_choice_joint", "model": "org/m", "temperature": 0.0}
    document(folder / "scenario_state.json", {"adapter_spec": adapter, "request_states": [*states, changed]})
    document(folder / "per_instance_stats.json", stats)
    document(folder / "run_spec.json", {"name": "toy:subject=x,model=org_m", "adapter_spec": adapter})
    figure = {"name": {"name": "exact_match", "split": "test"}, "count": 1, "sum": value, "mean": value}
    count = {"name": {"name": "num_instances", "split": "test"}, "count": 1, "sum": float(n), "mean": float(n)}
    document(folder / "stats.json", [figure, count])
    return folder


def opencompass(root: Path, n: int = 20, right: int = 15, stated: float | None = None) -> Path:
    """An output folder of OpenCompass with the predictions and details of one data set."""
    reply = right_until(right)
    asked = {
        str(i): {
            "origin_prompt": [{"role": "HUMAN", "prompt": f"q{i}"}],
            "prediction": f"So it is {reply(i)}",
            "gold": key(i),
        }
        for i in range(n)
    }
    details = {
        str(i): {
            "prompt": f"q{i}",
            "origin_prediction": f"So it is {reply(i)}",
            "predictions": reply(i),
            "references": key(i),
            "correct": [i < right],
        }
        for i in range(n)
    }
    document(root / "predictions" / "m" / "toy.json", asked)
    figure = 100 * right / n if stated is None else stated
    document(root / "results" / "m" / "toy.json", {"accuracy": figure, "details": details})
    return root


def lmms_mmau(folder: Path, replies: Sequence[str], drawn: str = "A", **results: Any) -> Path:
    """lmms-eval's log of its task `mmau_test_mini`: options in the prompt, what was parsed next to the score.

    `drawn`: the letter that is scored where a reply is no single letter.
    """
    rows, hits = [], 0.0
    options = ("cat", "dog", "bird", "fish")
    for number, reply in enumerate(replies):
        letter = reply if reply in tuple(LETTERS) else drawn
        score = float(letter == key(number))
        hits += score
        rows.append(
            {
                "doc_id": number,
                "target": options[LETTERS.index(key(number))],
                "filtered_resps": reply,
                "input": "Which?\n" + "\n".join(f"{a}. {text}" for a, text in zip(LETTERS, options, strict=True)),
                "doc_hash": "0",
                "accuracy": {"overall": score, "task": "sound"},
                "submission": {"id": number, "model_prediction": options[LETTERS.index(letter)]},
            }
        )
    lines(folder / "20260101_000000_samples_mmau_test_mini.jsonl", rows)
    n = len(replies)
    document(
        folder / "20260101_000000_results.json",
        {
            "results": {"mmau_test_mini": {"alias": "mmau", "accuracy,none": round(100 * hits / n, 5)}},
            "n-samples": {"mmau_test_mini": {"original": n, "effective": n}},
            "configs": {
                "mmau_test_mini": {
                    "metric_list": [{"metric": "accuracy", "aggregation": "<function mmau_aggregate_results at 0x7f>"}]
                }
            },
            "model_name": "m",
        }
        | results,
    )
    return folder


def lm_eval(folder: Path, scores: Sequence[float], stderr: float | str, value: float | None = None) -> Path:
    """lm-eval's log of a task with `acc` and its standard error."""
    rows = [
        {
            "doc_id": number,
            "doc": {},
            "target": "x",
            "arguments": {"gen_args_0": {"arg_0": f"q{number}"}},
            "resps": [["x" if score else "y"]],
            "filtered_resps": ["x" if score else "y"],
            "filter": "none",
            "metrics": ["acc"],
            "doc_hash": "0",
            "prompt_hash": "0",
            "target_hash": "0",
            "acc": score,
        }
        for number, score in enumerate(scores)
    ]
    lines(folder / "samples_toy_2026-01-01T00-00-00.000000.jsonl", rows)
    mean = sum(scores) / len(scores) if value is None else value
    document(
        folder / "results_2026-01-01T00-00-00.000000.json",
        {
            "results": {"toy": {"alias": "toy", "acc,none": mean, "acc_stderr,none": stderr}},
            "n-samples": {"toy": {"original": len(scores), "effective": len(scores)}},
            "configs": {"toy": {"metric_list": [{"metric": "acc", "aggregation": "mean"}]}},
            "model_name": "m",
        },
    )
    return folder
