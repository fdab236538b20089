"""BERTScore, the [CLS] cosine and their encoder on two small real BERTs; the oracle is bert-score itself."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.encoders import SMALL, small_model
from triptych.metrics.embedding import TextComparison
from triptych.models.encoders.bertscore import bertscore
from triptych.models.encoders.compared import Compared
from triptych.models.encoders.encoder import TextEncoder
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


@pytest.mark.parametrize("name", ["minilm-l6", "m3e-small"])
def test_on_a_cpu_no_vector_depends_on_the_other_texts(name: str) -> None:
    """Shards have the values of the whole Run, to the last digit."""
    used = encoder(name)
    texts = [used.tokens(text) for text in HARD]
    parts = [vectors for text in texts[::-1] for vectors in used.vectors([text])][::-1]
    assert [one.tobytes() for one in used.vectors(texts)] == [one.tobytes() for one in parts]


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
    assert "the model doesn't have this layer" in compared.missing_reason("bertscore", "zh")
