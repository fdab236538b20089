"""Scores and their aggregation, worked out by hand, and against jiwer."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.benchmarks.mcif.editions import edition
from tests.support.encoders import Says, with_encoder
from triptych.benchmarks import load_benchmark
from triptych.benchmarks.mcif.protocols import TranslatedLine, transcript_errors, translation_lines
from triptych.errors import DataError
from triptych.metrics.embedding import TextComparison
from triptych.metrics.text.normalise import english
from triptych.metrics.text.resegmentation import resegment
from triptych.protocols.protocol import Cell, Unit
from triptych.records import Item, Response, ResponseStatus

MCIF = load_benchmark("mcif")


def unit(
    kind: str, target: str, *replies: str, language: str = "en", source: str = "", status: str = "answered"
) -> Unit:
    name: ResponseStatus = status  # type: ignore[assignment]
    facets = {"track": "short", "language": language, "kind": kind}
    items = tuple(
        Item(
            f"i{n}",
            f"mcif/short/{language}/{kind}",
            (),
            target="" if n else target,
            unit="u",
            facets=facets,
            place=n,
            unit_size=len(replies),
            hidden={} if n else {"source": source},
        )
        for n in range(len(replies))
    )
    return Unit(items, tuple(Response(i.id, "", 0, name, text) for i, text in zip(items, replies, strict=True)))


def test_segments_are_normalised_each_on_its_own_and_joined_by_blanks() -> None:
    # "twenty" | "one": apart they are 20 and 1, together they would be 21
    assert transcript_errors(unit("ASR", "Twenty-one birds.", "I mean twenty", "one birds!")) == (4, 2)
    assert transcript_errors(unit("ASR", "Mr. Smith's colour", "mister smith is color")) == (0, 4)
    assert transcript_errors(unit("ASR", "two words", "", "")) == (2, 2)


def test_wer_over_talks_is_jiwers() -> None:
    jiwer = pytest.importorskip("jiwer")
    rng = random.Random(5)
    words = ["the", "swift", "calls,", "at", "9", "o'clock;", "colour", "isn't", "[noise]", "twenty-two", "per", "cent"]
    talks = []
    for _ in range(30):
        target = " ".join(rng.choices(words, k=rng.randint(3, 30)))
        replies = [" ".join(rng.choices(words, k=rng.randint(0, 12))) for _ in range(rng.randint(1, 4))]
        talks.append(unit("ASR", target, *replies))
    errors, length = map(sum, zip(*map(transcript_errors, talks), strict=True))
    expected = jiwer.wer(
        [english(str(t.item.target)).strip() for t in talks],
        [" ".join(english(r.text).strip() for r in t.responses if r) for t in talks],
    )
    assert errors / length == pytest.approx(expected, abs=1e-12)


def test_a_translation_is_cut_into_the_references_lines() -> None:
    talk = unit(
        "TRANS",
        "Ich sah zwei Vögel.\nSie sangen.",
        "Ich sah zwei",
        "Vögel. Sie sangen laut.",
        language="de",
        source="I saw two birds.\nThey sang.",
    )
    assert translation_lines(talk) == [
        TranslatedLine("I saw two birds.", "Ich sah zwei Vögel.", "Ich sah zwei Vögel."),
        TranslatedLine("They sang.", "Sie sangen laut.", "Sie sangen."),
    ]


def test_chinese_is_cut_between_characters_and_loses_its_blanks() -> None:
    talk = unit("TRANS", "我看见两只鸟。\n它们在唱歌。", "我看见 两只", "鸟。它们 唱歌。", language="zh", source="a\nb")
    assert [line.hypothesis for line in translation_lines(talk)] == ["我看见两只鸟。", "它们唱歌。"]


@pytest.mark.parametrize("language", ["de", "zh"])
def test_a_talk_without_a_word_becomes_one_full_stop(language: str) -> None:
    talk = unit("TRANS", "eins\nzwei\ndrei", "", "  ", language=language, source="a\nb\nc")
    assert sorted(line.hypothesis for line in translation_lines(talk)) == ["", "", "."]


def test_lines_that_do_not_match_their_source_are_told() -> None:
    with pytest.raises(DataError, match="numbers of lines"):
        translation_lines(unit("TRANS", "eins\nzwei", "x", language="de", source="a"))


def test_the_cutting_is_the_metrics_own() -> None:
    talk = unit("TRANS", "a b c\nd e", "a b", "x c d", "e f", language="it", source="1\n2")
    assert [line.hypothesis for line in translation_lines(talk)] == resegment("a b\nx c d\ne f", ["a b c", "d e"])


@pytest.mark.parametrize(("kind", "metric"), [("TRANS", "comet"), ("QA", "bertscore"), ("SUM", "bertscore")])
def test_what_needs_an_encoder_is_unavailable_and_says_what_it_needs(kind: str, metric: str) -> None:
    for protocol in MCIF.protocols.values():
        (score,) = protocol.score(unit(kind, "x", "y"))
        assert (score.metric, score.status, score.denominator) == (metric, "unavailable", 0)
        assert "requires" in score.note
        (lost,) = protocol.score(unit(kind, "x", "y", status="failed"))
        assert lost.status == "failed"


def test_a_translation_is_the_sum_of_its_lines_scores() -> None:
    talk = unit(
        "TRANS",
        "Ich sah zwei Vögel.\nSie sangen.",
        "Ich sah zwei Vögel. Sie sangen laut.",
        language="de",
        source="I saw two birds.\nThey sang.",
    )
    compares = MCIF.protocol("official").compares
    assert compares is not None
    first, second = compares(with_encoder(talk))
    assert first == TextComparison("comet", "Ich sah zwei Vögel.", "Ich sah zwei Vögel.", "", "I saw two birds.")
    (score,) = MCIF.protocol("official").score(replace(talk, compared=Says(0, {first: 0.9, second: 0.5})))
    assert (score.status, score.numerator, score.denominator) == ("scored", pytest.approx(1.4), 2)
    lost = unit("TRANS", "a\nb", "", language="de", source="c\nd", status="failed")
    assert not list(compares(lost))
    (score,) = MCIF.protocol("official").score(with_encoder(lost))
    assert (score.status, score.numerator, score.denominator) == ("failed", 0, 2)


@pytest.mark.parametrize("language", ["en", "de", "it", "zh"])
def test_answers_and_summaries_are_compared_in_their_language(language: str) -> None:
    asked = unit("QA", "on Monday", "Monday", language=language)
    compares = MCIF.protocol("official").compares
    assert compares is not None
    assert list(compares(with_encoder(asked))) == [
        TextComparison("bertscore.rescaled", "Monday", "on Monday", language)
    ]
    (score,) = MCIF.protocol("official").score(with_encoder(asked, 0.25))
    assert (score.metric, score.status, score.value) == ("bertscore", "scored", 0.25)
    cut = unit("QA", "on Monday", "Monday", language=language, status="truncated")
    (score,) = MCIF.protocol("standard").score(with_encoder(cut))
    assert (score.status, score.numerator, score.denominator) == ("truncated", 0, 1)


def test_official_reads_cut_replies_and_standard_does_not() -> None:
    cut = unit("ASR", "birds sing at dawn", "birds sing", status="truncated")
    (official,) = MCIF.protocol("official").score(cut)
    (standard,) = MCIF.protocol("standard").score(cut)
    assert (official.status, official.value) == ("scored", 0.5)
    assert (standard.status, standard.numerator, standard.denominator) == ("truncated", 4, 4)


def test_one_lost_segment_loses_the_talk_at_its_worst() -> None:
    talk = unit("ASR", "birds sing loudly", "birds sing", "loudly")
    lost = Unit(talk.items, (talk.responses[0], None))
    (score,) = MCIF.protocol("official").score(lost)
    assert (score.status, score.numerator, score.denominator) == ("missing", 3, 3)


def cell(task: str, **slice_: str) -> Cell:
    kind = task.rpartition("/")[2]
    metric = {"ASR": "wer", "TRANS": "comet"}.get(kind, "bertscore")
    return Cell(f"mcif/{task}", metric, tuple(sorted(slice_.items())))


def figures(cells: dict[Cell, tuple[float, float]]) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    found = list(MCIF.protocol("official").aggregate(list(cells), np.array(list(cells.values()))))
    keys = [(f.task, frozenset(f.slice.items())) for f in found]
    assert len(set(keys)) == len(keys)
    return {key: float(f.value) for key, f in zip(keys, found, strict=True)}


def test_overall_is_the_unweighted_mean_of_the_languages_that_are_there() -> None:
    found = figures(
        {
            cell("short/de/TRANS", prompts="fixed"): (8.0, 10),
            cell("short/it/TRANS", prompts="fixed"): (1.0, 2),
            cell("short/zh/TRANS", prompts="fixed"): (90.0, 100),
            cell("short/zh/TRANS", prompts="mixed"): (0.0, 100),
        }
    )
    overall = {"track": "short", "kind": "TRANS"}
    assert found["mcif", frozenset({**overall, "prompts": "fixed"}.items())] == pytest.approx((80 + 50 + 90) / 3)
    assert found["mcif", frozenset(overall.items())] == pytest.approx((80 + 50 + 45) / 3)
    assert found["mcif/short/zh/TRANS", frozenset()] == pytest.approx(45)
    assert ("mcif", frozenset({"track": "long", "kind": "TRANS"}.items())) not in found


def test_a_mean_that_lacks_languages_says_so() -> None:
    cells = [cell("short/de/TRANS", prompts="fixed"), cell("short/it/TRANS", prompts="fixed"), cell("short/en/ASR")]
    found = list(MCIF.protocol("official").aggregate(cells, np.ones((3, 2))))
    lacking = {f.slice["kind"]: (len(f.cells), f.expected) for f in found if f.task == "mcif" and len(f.slice) == 2}
    assert lacking == {"ASR": (1, 1), "TRANS": (2, 3)}


def test_questions_are_also_split_by_type_and_by_origin() -> None:
    found = figures(
        {
            cell("long/en/QA", prompts="mixed", modality="audio", qa_type="A", qa_origin="General"): (3.0, 10),
            cell("long/en/QA", prompts="mixed", modality="audio", qa_type="V", qa_origin="General"): (1.0, 10),
            cell("long/de/QA", prompts="mixed", modality="audio", qa_type="A", qa_origin="Abstract"): (5.0, 10),
        }
    )
    overall = {"track": "long", "kind": "QA", "prompts": "mixed"}
    assert found["mcif", frozenset({**overall, "qa_type": "A"}.items())] == pytest.approx((30 + 50) / 2)
    assert found["mcif", frozenset({**overall, "qa_origin": "General"}.items())] == pytest.approx(20)
    assert found["mcif/long/en/QA", frozenset({"modality": "audio", "qa_type": "V"}.items())] == pytest.approx(10)


def test_aggregation_broadcasts_over_replicates() -> None:
    cells = [cell("short/de/TRANS"), cell("short/it/TRANS"), cell("short/en/ASR")]
    sums = np.random.default_rng(1).random((50, 3, 2)) + 0.1
    aggregate = MCIF.protocol("official").aggregate
    together = {(f.task, tuple(f.slice.items())): f.value for f in aggregate(cells, sums)}
    for n in range(50):
        for figure in aggregate(cells, sums[n]):
            assert together[figure.task, tuple(figure.slice.items())][n] == pytest.approx(float(figure.value))


def test_a_figure_without_any_score_has_no_value() -> None:
    with np.errstate(invalid="ignore"):
        found = figures({cell("short/de/TRANS"): (0.0, 0.0)})
    assert np.isnan(found["mcif/short/de/TRANS", frozenset()])


def test_layouts_show_figures_that_are_made(tmp_path: Path) -> None:
    """Every column of every table names a figure that the aggregation can make."""
    data = MCIF.mini
    cells = {
        Cell(i.task, spec_metric(i.task), tuple(sorted((k, i.facets[k]) for k in MCIF.spec.slices if k in i.facets)))
        for i in MCIF.items(data)
    }
    made = {
        (f.task, f.metric, frozenset(f.slice.items()))
        for f in MCIF.protocol("official").aggregate(list(cells), np.ones((len(cells), 2)))
    }
    for layout in MCIF.spec.layouts:
        there = [
            [
                (c.task, c.metric, frozenset({**c.slice, **(row.slice if row else {})}.items())) in made
                for c in layout.columns
            ]
            for row in layout.rows or (None,)
        ]
        # What a modality isn't asked stays empty, but no column does in all of them.
        assert all(any(column) for column in zip(*there, strict=True)), layout.id


def spec_metric(task: str) -> str:
    return next(t.metrics[0] for t in MCIF.spec.tasks if MCIF.spec.full_id(t) == task)


def test_edition_scores_end_to_end(tmp_path: Path) -> None:
    import triptych
    from tests.benchmarks.mcif.editions import outputs, write

    data = edition(tmp_path)
    path = write(
        tmp_path, "audio_short_en_fixed_x_output.xml", outputs({"0": "", "1": "I saw to birds", "2": "", "3": ""})
    )
    scored = triptych.score("mcif", predictions=[path], data=data)
    for protocol in ("official", "standard"):
        wer = next(a for a in scored[protocol] if a.task == "mcif/short/en/ASR" and not a.slice)
        assert wer.value == pytest.approx(100 * 3 / 6)  # "to", "They", "sang"
        assert (wer.n, wer.counts) == (1, {"scored": 1})
