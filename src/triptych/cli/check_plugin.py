"""`triptych check-plugin`: does a package that extends Triptych follow the contracts?"""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from triptych.cli.options import Json

HELP = "Check the benchmarks, models, metrics, Conditions, stages and recipes of an installed package."


def command(
    package: Annotated[str, typer.Argument(help="name of the package, as pip lists it")],
    model: Annotated[
        str, typer.Option(help="the NAME of ADAPTER/NAME, for adapters that accept only certain names")
    ] = "",
    json: Json = False,
) -> int:
    """See HELP."""
    from triptych.api.plug_ins import check_plug_ins
    from triptych.cli.arguments import print_json, say

    checks = check_plug_ins(package, model=model)
    if json:
        print_json({"package": package, "plug_ins": [asdict(check) for check in checks]})
    else:
        for check in checks:
            state = f"{len(check.faults)} faults" if len(check.faults) > 1 else "1 fault" if check.faults else "ok"
            print(f"{check.kind}: {check.name} ({check.module}): {state}")
            for line in check.faults:
                print(f"  {line}")
            for line in check.notes:
                print(f"  note: {line}")
        if any(check.faults for check in checks):
            say("what to do: docs/adding/ has a complete example of each kind")
    return 1 if any(check.faults for check in checks) else 0
