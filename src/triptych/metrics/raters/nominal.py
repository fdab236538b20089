"""Agreement of raters on labels without an order: observed agreement, kappa (Cohen, Fleiss), Gwet's AC1, nominal alpha.

Each function returns None, not 0 or 1, if its value is undefined: nothing was rated twice, or only one label was given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

Labels = Sequence[Hashable | None]


def observed_agreement(units: Sequence[Labels]) -> float | None:
    """Return the observed agreement: the mean over units of the share of pairs of raters who gave the same label.

    Args:
        units: For each unit the labels of all raters; None for a missing one. Units with fewer than two labels are
            ignored.

    Returns:
        A fraction from 0 to 1; higher is better. With two raters it is the share of units with equal labels. None if no
        unit has two labels.

    References:
        Fleiss (1971), Measuring nominal scale agreement among many raters: the mean of his P_i.

    Example:
        >>> observed_agreement([["yes", "yes"], ["yes", "no"], ["no", None]])
        0.5
    """
    shares = [_equal_pairs(labels) / (len(labels) * (len(labels) - 1)) for labels in _paired(units)]
    return sum(shares) / len(shares) if shares else None


def cohen_kappa(first: Labels, second: Labels) -> float | None:
    """Return Cohen's kappa of two raters: (o - e) / (1 - e).

    o is the share of equal labels, and e the share that is expected if each rater gives labels at their own rates,
    independently of the unit.

    Args:
        first: Labels of the first rater; None for a missing one.
        second: Labels of the second rater, in the same order. Units that one of them did not rate are ignored.

    Returns:
        At most 1; 0 is the agreement of chance. None if no unit has both labels, or if both raters gave one and the
        same label to all.

    Raises:
        ValueError: The lengths differ.

    References:
        Cohen (1960), A coefficient of agreement for nominal scales.

    Example:
        >>> cohen_kappa(["a", "a", "b", "b"], ["a", "b", "b", "b"])
        0.5
    """
    pairs = [(x, y) for x, y in zip(first, second, strict=True) if x is not None and y is not None]
    n = len(pairs)
    one, other = Counter(x for x, _ in pairs), Counter(y for _, y in pairs)
    by_chance = sum(count * other[label] for label, count in one.items())
    if not n or by_chance == n * n:
        return None
    equal = sum(x == y for x, y in pairs)
    return (equal * n - by_chance) / (n * n - by_chance)


def fleiss_kappa(units: Sequence[Labels]) -> float | None:
    """Return Fleiss' kappa of several raters, who may be others for each unit: (o - e) / (1 - e).

    o is the observed agreement, and e = sum(p_k^2), the agreement that is expected if everybody gives label k at the
    rate p_k, the mean over units of its share. Units may have different numbers of labels; with equal numbers this is
    Fleiss' definition.

    Args:
        units: For each unit the labels of all raters; None for a missing one. A unit with one label counts for the
            rates only.

    Returns:
        At most 1; 0 is the agreement of chance. None if no unit has two labels, or if all labels are the same.

    References:
        Fleiss (1971), Measuring nominal scale agreement among many raters. For missing labels: Gwet (2014), Handbook of
        inter-rater reliability, 4th edition, chapter 2.

    Example:
        >>> fleiss_kappa([["a", "a"], ["b", "b"]])
        1.0
        >>> round(fleiss_kappa([["a", "a", "b"], ["b", "b", "b"]]), 3)
        0.25
    """
    observed, rates = observed_agreement(units), _rates(units)
    if observed is None or len(rates) < 2:
        return None
    expected = sum(rate * rate for rate in rates.values())
    return (observed - expected) / (1 - expected)


def gwet_ac1(units: Sequence[Labels], labels: int | None = None) -> float | None:
    """Return Gwet's AC1 of two or more raters: (o - e) / (1 - e).

    o is the observed agreement, and e = sum(p_k (1 - p_k)) / (q - 1) for q labels at the rates p_k, the means over
    units of their shares. Unlike kappa, it stays high if nearly all units have the same label and raters agree on them.

    Args:
        units: For each unit the labels of all raters; None for a missing one. A unit with one label counts for the
            rates only.
        labels: Number q of labels that raters could give; the number of labels that were given, if not stated.

    Returns:
        At most 1; 0 is the agreement of chance. None if no unit has two labels, or if there is only one label.

    Raises:
        ValueError: More labels were given than `labels`.

    References:
        Gwet (2008), Computing inter-rater reliability and its variance in the presence of high agreement.

    Example:
        >>> gwet_ac1([["a", "a"], ["b", "b"]])
        1.0
        >>> round(gwet_ac1([["a", "a"], ["a", "a"], ["a", "b"]]), 3)
        0.538
    """
    observed, rates = observed_agreement(units), _rates(units)
    number = len(rates) if labels is None else labels
    if number < len(rates):
        raise ValueError(f"{len(rates)} different labels were given, but only {number} are possible")
    if observed is None or number < 2:
        return None
    expected = sum(rate * (1 - rate) for rate in rates.values()) / (number - 1)
    return (observed - expected) / (1 - expected)


def nominal_alpha(units: Sequence[Labels]) -> float | None:
    """Return Krippendorff's alpha for labels: 1 - Do / De, the observed and the expected share of different labels.

    Args:
        units: For each unit the labels of all raters; None for a missing one. Units with fewer than two labels are
            ignored.

    Returns:
        At most 1; 1 is perfect agreement, 0 the agreement of chance. None if no unit has two labels, or if all labels
        are the same.

    References:
        Krippendorff (2011), Computing Krippendorff's Alpha-Reliability.

    Example:
        >>> nominal_alpha([["a", "a"], ["b", "b"], ["a", None]])
        1.0
        >>> nominal_alpha([["a", "b"], ["b", "a"]])
        -0.5
    """
    paired = _paired(units)
    totals = Counter(label for labels in paired for label in labels)
    n = sum(totals.values())
    if len(totals) < 2:
        return None
    observed = (
        sum((len(ratings) * (len(ratings) - 1) - _equal_pairs(ratings)) / (len(ratings) - 1) for ratings in paired) / n
    )
    expected = (n * n - sum(count * count for count in totals.values())) / (n * (n - 1))
    return 1 - observed / expected


def _rates(units: Sequence[Labels]) -> dict[Hashable, float]:
    """Return label -> mean over all units with a label of its share among the unit's labels."""
    rated = [labels for unit in units if (labels := [label for label in unit if label is not None])]
    rates: dict[Hashable, float] = {}
    for labels in rated:
        for label, count in Counter(labels).items():
            rates[label] = rates.get(label, 0.0) + count / len(labels) / len(rated)
    return rates


def _paired(units: Sequence[Labels]) -> list[list[Hashable]]:
    return [labels for unit in units if len(labels := [label for label in unit if label is not None]) > 1]


def _equal_pairs(labels: Sequence[Hashable]) -> int:
    """The number of ordered pairs of raters with equal labels."""
    return sum(count * (count - 1) for count in Counter(labels).values())
