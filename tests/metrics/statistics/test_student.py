"""Student's t distribution, against scipy."""

import pytest

from triptych.metrics.statistics.student import t_quantile, two_sided_p

stats = pytest.importorskip("scipy.stats", reason="scipy is the oracle")

FREEDOM = (1, 1.5, 2, 3, 4.7, 10, 29, 99, 100, 341, 1e4, 1e7)


@pytest.mark.parametrize("df", FREEDOM)
def test_quantiles_and_tails_equal_scipys(df: float) -> None:
    for p in (0.0001, 0.025, 0.3, 0.5, 0.9, 0.975, 0.9995):
        assert t_quantile(p, df) == pytest.approx(stats.t.ppf(p, df), rel=1e-8, abs=1e-12)
    for t in (-40.0, -2.0, 0.0, 0.3, 1.96, 8.0):
        assert two_sided_p(t, df) == pytest.approx(2 * stats.t.sf(abs(t), df), rel=1e-8, abs=1e-300)


def test_many_degrees_of_freedom_give_the_normal_distribution() -> None:
    assert t_quantile(0.975, float("inf")) == pytest.approx(1.959963984540054, abs=1e-15)
