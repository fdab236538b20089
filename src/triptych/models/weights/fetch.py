"""`python -m triptych.models.weights.fetch NAME…`: download the missing files of these sets of weights."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from triptych.errors import TriptychError
from triptych.models.weights.resolver import Resolver


def fetch(names: Sequence[str]) -> int:
    """Download each set. Returns 0, or 2 if one is unavailable (the reason is printed to standard error)."""
    resolver = Resolver()
    try:
        for name in names:
            sys.stderr.write(f"{name}: {resolver.resolve(name, fetch=True)}\n")
    except TriptychError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(fetch(sys.argv[1:]))
