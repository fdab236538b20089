"""What the terminal shows of a comparison."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec import structs

from tests.analysis.comparing.columns import column
from tests.analysis.seen import seen
from triptych.analysis.comparing.comparison import compare_runs
from triptych.analysis.comparing.sentences import interval_words
from triptych.records import Score
from triptych.reports.terminal.compared import show_comparison


def printed(shares: dict[str, float], capsys: pytest.CaptureFixture[str]) -> str:
    rng = np.random.default_rng(0)
    runs = [seen(name, column("".join("1" if x < p else "0" for x in rng.random(80)))) for name, p in shares.items()]
    show_comparison(compare_runs(runs, replicates=200))
    return " ".join(capsys.readouterr().out.split())


def test_of_several_runs_every_line_names_its_pair(capsys: pytest.CaptureFixture[str]) -> None:
    told = printed({"A": 0.9, "B": 0.5, "C": 0.2}, capsys)
    assert all(
        f"toy acc, {pair}: smallest detectable difference (80% power):" in told
        for pair in ("A and B", "A and C", "B and C")
    )
    assert "toy acc: smallest detectable difference (80% power): " in printed({"A": 0.9, "B": 0.5}, capsys)


def test_what_rounds_to_nothing_has_no_sign(capsys: pytest.CaptureFixture[str]) -> None:
    found = compare_runs([seen("A", column("1100")), seen("B", column("1010"))], replicates=200)
    (one, *_) = (e for e in found.section.estimates if e.measure == "difference")
    nearly = structs.replace(one, value=-0.01, interval=(-3.0, 0.04), slice={"genre": "x"}, task=found.benchmark)
    show_comparison(structs.replace(found, section=structs.replace(found.section, estimates=(nearly,))))
    assert " 0.0 −3.0 to 0.0 " in " ".join(capsys.readouterr().out.split())
    assert interval_words(nearly) == "95% interval 0.0 to 3.0"


def test_what_is_called_better_stands_above_nought(capsys: pytest.CaptureFixture[str]) -> None:
    from tests.scoring.toy import make_spec

    spec, rng = make_spec(slices=("genre",)), np.random.default_rng(0)

    def rated(share: float) -> list[Score]:
        rights = column("".join("1" if x < share else "0" for x in rng.random(60)))
        return [structs.replace(s, facets={"genre": "x"}) for s in rights]

    runs = [seen("weak", rated(0.3), spec=spec), seen("strong", rated(0.9), spec=spec)]
    show_comparison(compare_runs(runs, replicates=200))
    told = " ".join(capsys.readouterr().out.split())
    assert "strong is" in told and "strong minus weak (negative: weak is better)" in told and "genre x +" in told


def test_the_scope_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    runs = [seen("A", column("10" * 20)), seen("B", column("01" * 20)), seen("trial", column("10110"))]
    show_comparison(compare_runs(runs, replicates=200))
    told = " ".join(capsys.readouterr().out.split())
    assert "compared over the questions that the two share: 5 to 40 questions" in told
