"""The cache of results for texts: as many short ones as wanted, few long ones."""

from __future__ import annotations

from triptych.metrics.text.bounded_cache import CACHED_CALLS, LONG, remembered


def test_results_are_those_of_the_function_and_few_long_ones_are_kept() -> None:
    asked: list[str] = []

    @remembered(100)
    def doubled(text: str, more: str = "") -> str:
        asked.append(text)
        return text + text + more

    short, long = [str(number) for number in range(10)], [str(number) * LONG + "x" for number in range(10)]
    for text in (*short, *long) * 2:
        assert doubled(text) == text * 2
    assert len(asked) == 10 + 20, "short ones once; long ones again, since ten of them don't fit"
    asked.clear()
    for text in long[-CACHED_CALLS:]:
        doubled(text)
    assert not asked
