"""A comparison with a baseline as JUnit XML, which CI systems show as tests."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import quoteattr

from triptych.analysis.comparing.comparison import Comparison
from triptych.analysis.comparing.sentences import p_words
from triptych.records import Estimate
from triptych.records.harmless import visible
from triptych.reports.tables.words import DASH, range_words


def junit(comparisons: Sequence[Comparison]) -> str:
    """Return a document with a test suite for each benchmark and a test case for each Run and headline figure.

    A case fails if the Run is significantly worse than the baseline, and is skipped if the two can't be compared.
    """
    suites = [_suite(one) for one in comparisons]
    total, failed, skipped = (sum(counts) for counts in zip(*(counts for counts, _ in suites), strict=True))
    head = f'<testsuites name="triptych compare" tests="{total}" failures="{failed}" skipped="{skipped}">'
    return (
        "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *(text for _, text in suites), "</testsuites>"])
        + "\n"
    )


def _suite(comparison: Comparison) -> tuple[tuple[int, int, int], str]:
    worse = {id(one) for one in comparison.worse}
    cases = [_case(comparison, one, worse=id(one) in worse) for one in comparison.headlines]
    cases += [_skipped_case(comparison, label, why) for label, why in comparison.excluded.items()]
    if not cases:
        cases = [_skipped_case(comparison, " and ".join(run.label for run in comparison.runs), comparison.sentences[0])]
    skipped = sum("<skipped" in case for case in cases)
    name = f"{comparison.benchmark}, protocol {comparison.protocol}"
    head = f'<testsuite name={_quoted(name)} tests="{len(cases)}" failures="{len(worse)}" skipped="{skipped}">'
    return (len(cases), len(worse), skipped), "\n".join([head, *cases, "</testsuite>"])


def _case(comparison: Comparison, one: Estimate, *, worse: bool) -> str:
    run, baseline = one.runs
    start = f"<testcase classname={_quoted(f'{comparison.benchmark}.{run}')} name={_quoted(one.label)}"
    if one.value is None:
        return f"{start}><skipped message={_quoted(one.reason)}/></testcase>"
    spread = range_words(one.interval, 1) if one.interval else DASH
    text = f"{one.value:+.1f} {one.unit} against {baseline} (95% interval {spread}, {p_words(one)}, n {one.n:,})"
    if not worse:
        return f"{start}><system-out>{_text(text)}</system-out></testcase>"
    return f'{start}><failure type="worse" message={_quoted("significantly worse: " + text)}/></testcase>'


def _skipped_case(comparison: Comparison, label: str, why: str) -> str:
    start = f'<testcase classname={_quoted(f"{comparison.benchmark}.{label}")} name="comparison"'
    return f"{start}><skipped message={_quoted(why)}/></testcase>"


def _quoted(text: str) -> str:
    return quoteattr(visible(text))


def _text(text: str) -> str:
    return visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
