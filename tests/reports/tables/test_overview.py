"""Any benchmark has an overview."""

from __future__ import annotations

from tests.reports.samples import figure, run
from tests.scoring.toy import make_spec, toy_benchmark
from triptych.benchmarks import known_benchmarks, load_benchmark
from triptych.reports.tables.fill import fill, is_empty
from triptych.reports.tables.overview import overview, stated_direction


def test_the_benchmarks_own_figures_with_the_total_last() -> None:
    layout = overview(make_spec(), run(50))
    assert [c.heading for c in layout.columns] == ["speech", "music", "sound", "audio text", "text audio", "Total"]


def test_headings_of_the_layouts_are_used() -> None:
    figures = [figure(1, {"genre": "诗"}), figure(1)]
    assert overview(toy_benchmark().spec, figures).columns[-1].heading == "Avg"


def test_every_tasks_main_metric_where_the_benchmark_has_no_figure_of_its_own() -> None:
    figures = [figure(1, task="toy/a"), figure(2, task="toy/b"), figure(3, task="toy/b", metric="f1")]
    layout = overview(toy_benchmark().spec, figures)
    assert [(c.heading, c.task) for c in layout.columns] == [("a accuracy", "toy/a"), ("b accuracy", "toy/b")]


def test_no_figures_make_an_empty_table() -> None:
    for benchmark in known_benchmarks().values():
        assert is_empty(fill(overview(benchmark.spec, []), {"m": []}))


def test_what_no_task_has_is_called_by_its_own_name() -> None:
    figures = [figure(1, task="toy/a"), figure(90, task="toy", metric="cmc")]
    assert [c.heading for c in overview(toy_benchmark().spec, figures).columns] == [
        "a accuracy",
        "cross-modal consistency",
    ]


def test_columns_stand_as_in_the_layout_whichever_run_has_them_first() -> None:
    """A Run of three directions doesn't move the families behind them."""
    benchmark = known_benchmarks()["xmodbench"]
    wide = [figure(1, {"direction": name}, task="xmodbench") for name in ("vision_text", "audio_text")]
    full = [
        figure(1, slice_, task="xmodbench")
        for slice_ in ({"direction": "text_audio"}, {"family": "temporal"}, {"family": "perception"}, {})
    ]
    for figures in (wide + full, full + wide):
        headings = [c.heading for c in overview(benchmark.spec, figures).columns]
        assert headings == ["Perc.", "Temp.", "A to T", "T to A", "V to T", "Avg."]


def test_a_direction_alone_is_shown_beside_a_total_of_its_own() -> None:
    """Results of audio with vision to text alone: their accuracy stands there, where only the gain has a total."""
    benchmark = known_benchmarks()["xmodbench"]
    direction = {"direction": "audiovision_text"}
    figures = [figure(28.6, direction, task="xmodbench"), figure(None, task="xmodbench", metric="gain")]
    assert [c.heading for c in overview(benchmark.spec, figures).columns] == ["A+V to T"]


def test_figures_without_a_total_are_shown_as_they_are() -> None:
    """A log of GSM8K by two filters: their scores have no total, and both stand there."""
    filters = [{"filter": name, "log_task": "gsm8k"} for name in ("strict-match", "flexible-extract")]
    figures = [figure(n, slice_, task="imported/log", metric="score.stored") for n, slice_ in enumerate(filters)]
    finer = figure(1, {**filters[0], "scorer": "x"}, task="imported/log", metric="score.stored")
    columns = overview(load_benchmark("imported").spec, [*figures, finer]).columns
    assert [c.heading for c in columns] == ["strict-match gsm8k", "flexible-extract gsm8k"]


def test_a_total_of_its_own_metric_stands_before_parts_by_a_tasks_metric() -> None:
    """MCS-Bench's total is a mean over domains, whose readings have figures by the metrics of Tasks as well."""
    benchmark = known_benchmarks()["mcs_bench"]
    domains = [figure(50.0, {"domain": name}, task="mcs_bench", metric="mcs") for name in ("ACT", "CAL")]
    parts = [figure(9.0, {"domain": "ACT"}, task="mcs_bench", metric="cr")]
    figures = [*parts, *domains, figure(50.0, task="mcs_bench", metric="mcs")]
    assert {c.metric for c in overview(benchmark.spec, figures).columns} == {"mcs"}


def test_a_mean_over_several_metrics_has_the_direction_that_the_layouts_state() -> None:
    spec = load_benchmark("mcs_bench").spec
    assert stated_direction("score", spec) == "higher"
    assert stated_direction("no figure of it", spec) == ""
    (column,) = overview(spec, [figure(50.0, task="mcs_bench", metric="score")]).columns[-1:]
    assert column.better == "higher"
