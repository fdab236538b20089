"""How many connections the system lets this process have: known before the first Request, not met in the middle."""

from __future__ import annotations

from pathlib import Path

RESERVE = 24  # files that are opened beside connections: journals, media, the cache, modules, name look-ups
EACH = 2  # connections that one Request under way may take: one that is laid aside meanwhile counts too


def fit(concurrency: int) -> tuple[int, str]:
    """(how many Requests can be under way at once, why that is fewer than was asked for; empty where it isn't).

    The soft limit of open files is raised as far as the hard one allows, where that is needed.
    """
    limit = _limit(_in_use() + RESERVE + EACH * concurrency)
    if limit is None:
        return concurrency, ""
    fits = max(1, (limit - _in_use() - RESERVE) // EACH)
    if fits >= concurrency:
        return concurrency, ""
    why = (
        f"{fits} Requests at once instead of {concurrency}: this process may have {limit} files and connections open "
        "(raise it by `ulimit -n`, or lower --concurrency)"
    )
    return fits, why


def _limit(wanted: int) -> int | None:
    """The limit of open files after raising it for so many; None where there is none."""
    try:
        import resource
    except ImportError:  # a system without such limits
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    endless = resource.RLIM_INFINITY
    if soft == endless or soft >= wanted:
        return None if soft == endless else soft
    raised = wanted if hard == endless else min(hard, wanted)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (raised, hard))
    except (OSError, ValueError):  # some systems refuse what they have promised
        return soft
    return raised


def _in_use() -> int:
    try:
        return sum(1 for _ in Path("/dev/fd").iterdir())
    except OSError:
        return 16
