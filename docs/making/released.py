"""Count and audit the released results of the authors of XModBench and MCIF: run once over their repositories.

    python docs/making/released.py xmodbench REPOSITORY         -> claims/xmodbench_{released.csv,found.json}
    python docs/making/released.py mcif REPOSITORY REFERENCE    -> claims/mcif_found.json

The figures of the documentation about these results are recomputed from the files in docs/making/claims, since the
results themselves are not in this repository.

XModBench: a row of the table has folder, system, task, rows, answered, correct, the most frequent reply and its
frequency, and how many rows the file itself counts (with empty replies, stored as null). The other file has the audit's
findings that need the replies themselves, how many files of each system lack the field `original_response`, the
people's sessions, and the scores of the authors' script for audio with vision to text.

MCIF: the audit's findings on the outputs, compared with public transcripts. REFERENCE has the talks of the short track
(`MCIFrecon.short.en.ref.xml`); those of the long track are the same, under the ids with the most similar output.
"""

from __future__ import annotations

import csv
import json
import re
import shutil
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from rapidfuzz.distance import Levenshtein

from triptych import audit_run, load_benchmark
from triptych.errors import DataError
from triptych.records.findings import Finding

CLAIMS = Path(__file__).parent / "claims"
TABLE = CLAIMS / "xmodbench_released.csv"
KINDS = ("lost", "mislabelled", "copy", "mismatch")
FOLDERS = ("results", "results_mini_benchmark")
HEADING = ["folder", "system", "task", "rows", "answered", "correct", "most_frequent", "times", "counted"]


def main(benchmark: str, repository: Path, *more: str) -> None:
    """Write the files of one benchmark."""
    if benchmark == "mcif":
        write("mcif_found.json", mcif(repository / "baselines/outputs", Path(more[0])))
        return
    write("xmodbench_found.json", found(repository))
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADING)
        for folder in FOLDERS:
            for system in sorted((repository / "benchmark" / folder).glob("*/")):
                writer.writerows([folder, system.name, *row] for row in counted(system))


def write(name: str, found: Any) -> None:
    """Write JSON into the folder of claims."""
    (CLAIMS / name).write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def mcif(outputs: Path, reference: Path) -> dict[str, Any]:
    """The findings in each system's English outputs, and how many systems there are."""
    systems = sorted(path for path in outputs.glob("*/*") if path.is_dir())
    found = {}
    with tempfile.TemporaryDirectory() as place:
        references = Path(place)
        shutil.copy(reference, references)
        like = outputs / "mllm/ola/audio_long_en_fixed_ola_output.xml"
        long_references(reference, like, references / "MCIFrecon.long.en.ref.xml")
        for system in systems:
            with suppress(DataError):  # a system that reads texts or sees slides alone has nothing to recognise
                findings = audit_run([system], benchmark="mcif", data=references)
                found[system.name] = [plain(f) for f in findings if f.kind in ("mismatch", "cut")]
    return {"systems": len(systems), "findings": found}


def long_references(short: Path, output: Path, to: Path) -> None:
    """The talks of the short track as references of the long one."""
    said = {sample.get("id"): _words(sample.text or "") for sample in ElementTree.parse(output).iter("sample")}
    root = ElementTree.Element("testset", name="MCIF1.0-recon")
    task = ElementTree.SubElement(root, "task", track="long", text_lang="en")
    for sample in ElementTree.parse(short).iter("sample"):
        talk = sample.findtext("reference", "")
        name = min(said, key=lambda name: Levenshtein.distance(_words(talk), said[name]))
        own = ElementTree.SubElement(task, "sample", id=str(name), iid=sample.get("iid", ""), task="ASR")
        ElementTree.SubElement(own, "audio_path")
        ElementTree.SubElement(own, "reference").text = talk
    ElementTree.ElementTree(root).write(to, encoding="utf-8", xml_declaration=True)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def plain(finding: Finding) -> dict[str, Any]:
    """Return the fields of a finding that the documentation's marks use."""
    return {
        name: getattr(finding, name)
        for name in ("kind", "severity", "rows", "columns", "message", "published", "recomputed")
    }


def found(repository: Path) -> dict[str, Any]:
    """Return what a table of counts doesn't contain."""
    results = repository / "benchmark"
    people = load_benchmark("xmodbench").outputs([repository / "user_results"], {})
    answers = [(item, people.responses[name]) for name, item in people.items.items() if name in people.responses]
    return {
        "findings": {
            folder: [plain(f) for f in audit_run([results / folder], benchmark="xmodbench") if f.kind in KINDS]
            for folder in FOLDERS
        },
        "unlike": {  # files without `original_response`, of all files
            system.name: [sum(b"original_response" not in p.read_bytes() for p in files), len(files)]
            for system in sorted((results / "results").glob("gemini*/"))
            for files in [list(system.glob("*.json"))]
        },
        "people": {
            "sessions": len(list((repository / "user_results").glob("*.json"))),
            "answers": len(answers),
            "right": sum(reply.text.strip().upper() == item.target for item, reply in answers),
        },
        "avt": json.loads((results / "all_model_result_avt.json").read_text(encoding="utf-8")),
    }


def counted(system: Path) -> Iterator[list[Any]]:
    """A row for each Task of one system, as our reader understands its files."""
    outputs = load_benchmark("xmodbench").outputs([system], {})
    by_task: dict[str, list[tuple[Any, Any]]] = defaultdict(list)
    for name, item in outputs.items.items():
        by_task[item.task].append((item, outputs.responses.get(name)))
    for task, rows in sorted(by_task.items()):
        answered = [(item, reply) for item, reply in rows if reply is not None and reply.status == "answered"]
        correct = sum(reply.text.strip().upper() == item.target for item, reply in answered)
        common = Counter(reply.text[:12] for _, reply in answered).most_common(1)
        reply, times = common[0] if common else ("", 0)
        told = (outputs.stored.get(task) or {}).get("all_count")
        counted = told if isinstance(told, int) and len(answered) <= told <= len(rows) else len(answered)
        yield [task.removeprefix("xmodbench/"), len(rows), len(answered), correct, reply, times, counted]


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), *sys.argv[3:])
