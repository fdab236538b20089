"""Tests of `benchmarks/mcif/statistics.py`: section 3.1 and appendix 8, computed from the user's copy."""

from __future__ import annotations

import pytest

from tests.benchmarks.test_statistics import REAL, Told, values
from triptych.benchmarks import load_benchmark


@pytest.mark.parametrize("data", ["mini", "released"])
def test_mcif_counts_as_the_authors_script(data: str) -> None:
    """Samples and words as `compute_stats.py` counts them, recounted here from the XML alone."""
    import xml.etree.ElementTree as ET
    from collections import Counter

    from triptych.benchmarks.mcif.statistics import statistics as mcif

    bench = load_benchmark("mcif")
    folder = bench.mini if data == "mini" else REAL / "mcif"
    if not folder.is_dir():
        pytest.skip("the released files are not here")
    expected: Counter[tuple[str, str]] = Counter()
    for path in folder.rglob("*.ref.xml"):
        for task in ET.parse(path).getroot().iter("task"):
            for sample in task.iter("sample"):
                language = task.get("text_lang") or ""
                text_ = (sample.findtext("reference") or "").strip()
                name = f"{task.get('track')} {language} {sample.get('task')}"
                kinds = [sample.get("qa_type"), sample.get("qa_origin")]
                names = [name]
                if all(kinds):
                    names += [f"{name}_{kinds[0]}", f"{name}_{kinds[1]}", f"{name}_{kinds[0]}_{kinds[1]}"]
                for one in names:
                    expected[one, "samples"] += len((sample.findtext("audio_path") or "").split(","))
                    words = len(text_) if language == "zh" else len(text_.split())
                    expected[one, f"{'characters' if language == 'zh' else 'words'} of references"] += words
    found = values(mcif(list(bench.items(folder, None, lambda problem: None)), Told({}), {}))
    if data == "released" and not any(name for name, _ in found if name.startswith("short")):
        pytest.skip("references without sources have no modality")
    assert expected and {key: found.get(key) for key in expected} == dict(expected)
