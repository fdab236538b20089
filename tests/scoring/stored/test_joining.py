"""Scores of shards that compare texts with an encoder: joined, they are those of the whole Run, and nothing is encoded
twice.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec import structs

from triptych import api
from triptych.benchmarks import load_benchmark
from triptych.metrics.embedding import TextComparison
from triptych.models.encoders.settings import EncoderSettings
from triptych.records import Item, Response
from triptych.scoring.stored.joining import joined_scores
from triptych.store.folder import RunFolder
from triptych.store.journals import lines

SHARDS = 2


class Letters:
    """An encoder that counts letters: the share of those that both texts have."""

    signature_text = "letters@1"

    def compare(self, comparisons: Sequence[TextComparison]) -> list[float]:
        pairs = [(set(one.candidate), set(one.reference)) for one in comparisons]
        return [len(ours & theirs) / max(1, len(ours | theirs)) for ours, theirs in pairs]


def reply(item: Item) -> Response:
    """A part of the reference answer, so that comparisons have different values."""
    target = item.targets[0] if item.targets else ""
    spent = 1 / (3 + len(target))  # fractions, whose sum depends on the order unless it is exact
    return Response(item.id, "", 0, "answered", target[: 1 + len(target) // 2], seconds=spent, cost_usd=spent / 7)


@pytest.fixture
def runs(tmp_path: Path) -> tuple[RunFolder, list[RunFolder]]:
    """MCS-Bench as one Run, and as shards."""
    bench = load_benchmark("mcs_bench")
    plan = {"tasks": ("mcs_bench/T6", "mcs_bench/T8", "mcs_bench/T5"), "prompt": bench.spec.prompt}
    items = [item for item in bench.items(bench.mini) if item.task in plan["tasks"]]
    whole = api.plan("mcs_bench", "baseline/reference").manifest
    manifest = structs.replace(whole, planned=len(items), tasks=tuple(plan["tasks"]))

    def write(name: str, own: Sequence[Item], shard: str) -> RunFolder:
        told = structs.replace(manifest, shard=shard, planned=len(own), planned_whole=len(items) if shard else None)
        folder = RunFolder.create(tmp_path / name, told)
        with folder.writer() as writer:
            for item in own:
                writer.add_item(item)
                writer.add_response(reply(item))
        return folder

    shards = [write(f"shard-{k}", items[k - 1 :: SHARDS], f"{k}/{SHARDS}") for k in range(1, SHARDS + 1)]
    return write("whole", items, ""), shards


def merged_as_whole(
    runs: tuple[RunFolder, list[RunFolder]], monkeypatch: pytest.MonkeyPatch, settings: EncoderSettings | None
) -> None:
    """Score all, merge the shards without any encoder, and compare all that scoring writes."""
    whole, shards = runs
    for folder in (whole, *shards):
        api.score(folder.path, encoders=settings)
    monkeypatch.setattr("triptych.models.encoders.compared.find_engine", None)
    monkeypatch.setattr("triptych.scoring.apply.scores_of", None)
    monkeypatch.setattr(lines, "BLOCK", 300)  # a few lines at a time
    merged = api.merge([folder.path for folder in shards], whole.path.with_name("merged"))
    assert "|encoders:" in (merged.path / "summary.json").read_text()
    names = [
        str(path.relative_to(whole.path)) for path in whole.path.rglob("*") if path.parent.name in ("scores", "tables")
    ]
    assert len(names) > 5
    for name in names:
        assert (merged.path / name).read_bytes() == (whole.path / name).read_bytes(), name
    found = [json.loads((folder.path / "summary.json").read_text()) for folder in (whole, merged)]
    assert found[0]["protocols"] == found[1]["protocols"] and found[0]["counts"] == found[1]["counts"]


def test_encoded_shards_are_joined(runs: tuple[RunFolder, list[RunFolder]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triptych.models.encoders.compared.find_engine", lambda *kind: Letters())
    merged_as_whole(runs, monkeypatch, None)


@pytest.mark.slow
def test_shards_encoded_by_a_small_bert_are_joined(
    runs: tuple[RunFolder, list[RunFolder]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    torch = pytest.importorskip("torch", reason="the extra `embed` is not installed")
    transformers = pytest.importorskip("transformers", reason="the extra `embed` is not installed")
    torch.manual_seed(0)
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *map(chr, range(0x4E00, 0x9FA6, 3))]
    (tmp_path / "vocab.txt").write_text("\n".join(words), "utf-8")
    place = tmp_path / "encoders" / "tiny"
    transformers.BertTokenizer(str(tmp_path / "vocab.txt")).save_pretrained(place)
    sizes = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    transformers.BertModel(transformers.BertConfig(vocab_size=len(words), **sizes)).save_pretrained(place)
    merged_as_whole(runs, monkeypatch, EncoderSettings(place.parent, {"cls_cosine": "tiny"}, "cpu"))


def test_scores_of_overlapping_or_differently_encoded_shards_are_not_joined(
    runs: tuple[RunFolder, list[RunFolder]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("triptych.models.encoders.compared.find_engine", lambda *kind: Letters())
    whole, shards = runs
    for folder in shards:
        api.score(folder.path)
    assert set(joined_scores(shards, whole)) == {"official", "paper", "standard"}
    assert not joined_scores([*shards, shards[0]], whole), "a Unit is in two of them"
    monkeypatch.setattr(Letters, "signature_text", "letters@2")
    api.score(shards[1].path)
    assert "official" not in joined_scores(shards, whole)
    (shards[0].path / "scores" / "standard.jsonl").write_bytes(b"nonsense\n")
    assert "standard" not in joined_scores(shards, whole)
