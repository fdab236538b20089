"""BERTScore, the [CLS] cosine and their encoder on two small real BERTs; the oracle is bert-score itself."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.encoders import SMALL, small_model
from triptych.errors import WeightsError
from triptych.metrics.embedding import TextComparison
from triptych.models.encoders import bertscore as module
from triptych.models.encoders.bertscore import bertscore
from triptych.models.encoders.cls import cls_cosine
from triptych.models.encoders.compared import Compared
from triptych.models.encoders.encoder import BATCH_TOKENS, TextEncoder
from triptych.models.encoders.settings import EncoderSettings

pytestmark = pytest.mark.weights

# One token, repeated, padded with blanks, mixed scripts, full-width, unknown characters, marks, far too long
HARD = [
    "a",
    "the cat",
    " the cat ",
    "The cat sat on the mat.",
    "明月幾時有，把酒问青天",
    "ＡＢＣ１２３ 全角",
    "ABC123 全角",
    "[SEP] x",
    "x" * 300,
    "long text " * 400,
    "明月" * 600,
    "🙂 \u0301 ",
    "、。！",
    "唐诗 Tang poetry 300首",
    "12.5 % of 3",
]


@cache
def encoder(name: str) -> TextEncoder:
    return TextEncoder(small_model(name), SMALL[name], "cpu")


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    torch = pytest.importorskip("torch", reason="the extra `embed` is not installed")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def oracle(name: str, candidates: list[str], references: list[str], **more: Any) -> np.ndarray[Any, Any]:
    bert_score = pytest.importorskip("bert_score", reason="the oracle is not installed")
    layers = SMALL[name]
    found = bert_score.score(
        candidates, references, model_type=str(small_model(name)), num_layers=layers, device="cpu", **more
    )
    return np.stack([part.numpy() for part in found], axis=-1)


def ours(name: str, candidates: list[str], references: list[str], **more: Any) -> np.ndarray[Any, Any]:
    found = bertscore(encoder(name), candidates, references, **more)
    return np.array([[m.precision, m.recall, m.f1] for m in found])


@pytest.mark.parametrize("name", SMALL)
def test_precision_recall_and_f1_are_bert_scores(name: str) -> None:
    draw = random.Random(3)
    short = [text for text in HARD if len(text) < 100]
    # more than one batch of 64, with duplicates; the two long ones in the second
    candidates = [*draw.choices(short, k=64), *HARD]
    references = [*draw.choices(short, k=64), *reversed(HARD)]
    theirs = oracle(name, candidates, references)
    assert ours(name, candidates, references) == pytest.approx(theirs, abs=1e-5)


@pytest.mark.parametrize("name", SMALL)
def test_alone_and_in_a_batch(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    candidates, references = HARD[:8], HARD[1:9]
    theirs = oracle(name, candidates, references, batch_size=1)
    assert ours(name, candidates, references, batch_size=1) == pytest.approx(theirs, abs=1e-5)
    monkeypatch.setattr(module, "CHUNK_TOKENS", 20)  # memory: the same in many small groups
    assert ours(name, candidates, references, batch_size=1) == pytest.approx(theirs, abs=1e-5)


@pytest.mark.parametrize("name", SMALL)
def test_rescaled(name: str, tmp_path: Path) -> None:
    rows = "".join(f"{layer},0.{layer}1,0.{layer}2,0.{layer}3\n" for layer in range(7))
    (tmp_path / "b.tsv").write_text("LAYER,P,R,F\n" + rows)
    baseline = [float(f"0.{SMALL[name]}{n}") for n in (1, 2, 3)]
    theirs = oracle(
        name, HARD[:6], HARD[1:7], rescale_with_baseline=True, lang="en", baseline_path=str(tmp_path / "b.tsv")
    )
    assert ours(name, HARD[:6], HARD[1:7], baseline=baseline) == pytest.approx(theirs, abs=1e-5)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize(("mine", "theirs"), [("", "cat"), ("cat", ""), ("", ""), (" \n", "cat"), ("\u200b", "cat")])
def test_an_empty_side_is_0_before_rescaling(name: str, mine: str, theirs: str) -> None:
    assert not ours(name, [mine], [theirs]).any()
    assert ours(name, [mine, "cat"], [theirs, "cat"])[1] == pytest.approx([1, 1, 1], abs=1e-6)
    assert ours(name, [mine], [theirs], baseline=[0.5, 0.5, 0.8])[0] == pytest.approx([-1, -1, -4])


def test_empty_is_what_bert_score_gives_where_it_can_be_made_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """bert-score asks the tokenizer for something that transformers 5 has no more: given back, it says 0 too."""
    transformers = pytest.importorskip("transformers")
    tokenizer = transformers.BertTokenizer
    marks = encoder("minilm-l6").tokens("")
    monkeypatch.setattr(tokenizer, "build_inputs_with_special_tokens", lambda self, ids: list(marks), raising=False)
    theirs = oracle("minilm-l6", ["", "cat", "", "dog"], ["cat", "", "", "cat"])
    assert ours("minilm-l6", ["", "cat", "", "dog"], ["cat", "", "", "cat"]) == pytest.approx(theirs, abs=1e-5)
    assert not theirs[:3].any()


def test_equal_texts_are_encoded_once_longest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    used = encoder("m3e-small")
    monkeypatch.setattr(TextEncoder, "_run", _counting(TextEncoder._run, seen))
    bertscore(used, ["明月"] * 50 + ["月"], ["月"] * 51)
    assert seen == [4, 3]


@pytest.mark.parametrize("name", ["minilm-l6", "m3e-small"])
def test_on_a_cpu_no_vector_depends_on_the_other_texts(name: str) -> None:
    """Shards have the values of the whole Run, to the last digit."""
    used = encoder(name)
    texts = [used.tokens(text) for text in HARD]
    parts = [vectors for text in texts[::-1] for vectors in used.vectors([text])][::-1]
    assert [one.tobytes() for one in used.vectors(texts)] == [one.tobytes() for one in parts]


def test_a_batch_that_does_not_fit_is_halved_and_a_text_that_does_not_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    used = encoder("m3e-small")
    monkeypatch.setitem(BATCH_TOKENS, "cpu", 4_096)  # in batches, as on a GPU
    texts = [used.tokens(text) for text in HARD]
    whole, run, room = used.vectors(texts), TextEncoder._run, 600

    def tight(self: TextEncoder, batch: list[tuple[int, ...]]) -> Any:
        if len(batch) * max(map(len, batch)) > room:
            raise MemoryError("as a GPU would say")
        return run(self, batch)

    monkeypatch.setattr(TextEncoder, "_run", tight)
    for one, other in zip(used.vectors(texts), whole, strict=True):
        assert one == pytest.approx(other, abs=1e-5)
    room = 100
    with pytest.raises(WeightsError, match="doesn't fit into memory"):
        used.vectors(texts)


def _counting(run: Any, seen: list[int]) -> Any:
    def counted(self: TextEncoder, batch: list[tuple[int, ...]]) -> Any:
        seen.extend(map(len, batch))
        return run(self, batch)

    return counted


def test_the_cosine_is_that_of_whole_texts_by_hand() -> None:
    """By transformers alone: each text on its own, in blocks of 512 tokens, means of first vectors."""
    torch = pytest.importorskip("torch")
    from transformers import AutoModel, AutoTokenizer

    folder = small_model("m3e-small")
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()

    @cache
    def vector(text: str) -> Any:
        ids = tokenizer.encode(text)
        with torch.no_grad():
            firsts = [model(torch.tensor([ids[i : i + 512]]))[0][0, 0] for i in range(0, len(ids), 512)]
        return torch.stack(firsts).mean(dim=0)

    texts = ["", "月", "明月幾時有", "明月" * 255, "明月" * 255 + "月", "ＡＢＣ tang 12"]
    pairs = [(a, b) for a in texts for b in texts[::2]]
    found = cls_cosine(TextEncoder(folder, device="cpu"), *map(list, zip(*pairs, strict=True)))
    expected = [torch.cosine_similarity(vector(a), vector(b), dim=0).item() for a, b in pairs]
    assert found == pytest.approx(expected, abs=1e-5)


def test_a_layer_that_is_not_there_and_a_damaged_folder_are_told(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="1 to 4"):
        TextEncoder(small_model("m3e-small"), 8, "cpu")
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    (tmp_path / "model.safetensors").write_bytes(b"no tensors")
    with pytest.raises(WeightsError, match="can't be loaded"):
        TextEncoder(tmp_path, device="cpu")


def test_the_table_computes_all_at_once_and_signs_it() -> None:
    folder = small_model("m3e-small")
    settings = EncoderSettings(None, {"bertscore.zh": f"{folder}@3", "cls_cosine": str(folder)}, "cpu")
    compared = Compared(settings)
    raw, again = TextComparison("bertscore", "明月", "月", "zh"), TextComparison("bertscore", "明月", "月", "zh")
    cosine = TextComparison("cls_cosine", "明月", "月")
    compared.fill([raw, again, cosine])
    assert compared.value(raw) == pytest.approx(ours("m3e-small", ["明月"], ["月"])[0, 2], abs=1e-6)
    assert 0 < (compared.value(cosine) or 0) < 1
    told = compared.signature_text([("bertscore", "zh"), ("cls_cosine", "")])
    for word in ("bertscore-", "-L3-raw-sha256.", "cls_cosine-", "transformers-", "torch-"):
        assert word in told
    assert compared.value(TextComparison("bertscore", "x", "y", "zh")) is None


def test_a_model_that_cannot_be_used_after_all_is_lacking() -> None:
    compared = Compared(EncoderSettings(None, {"bertscore.zh": f"{small_model('m3e-small')}@8"}, "cpu"))
    one = TextComparison("bertscore", "明月", "月", "zh")
    compared.fill([one])
    assert compared.value(one) is None
    assert "the model doesn't have this layer" in compared.lacking("bertscore", "zh")
