"""Tests of `api/contracts/stages.py`; `tests/api/test_plug_ins.py` has the rest."""

from __future__ import annotations

from dataclasses import replace
from importlib.metadata import EntryPoint
from types import SimpleNamespace

from triptych.api.contracts.stages import check, parameter_faults
from triptych.construction.parameters import Parameters
from triptych.construction.record import Outcome, kept
from triptych.construction.stage import Stage

POINT = EntryPoint("lab", "lab_stages", "triptych.stages")
LENGTH = Stage("lab-length", 1, ("question",), ("characters",), lambda values, context: kept(), about="All texts.")


class Loose(Parameters, frozen=False):  # type: ignore[misc]
    """Parameters that can be changed."""


def test_faults_of_fields_and_parameters() -> None:
    def found(stage: Stage) -> list[str]:
        return list(check(POINT, SimpleNamespace(one=stage), ""))  # type: ignore[arg-type]

    assert found(LENGTH) == []
    assert list(check(POINT, SimpleNamespace(), "")) == ["the module has no Stage at its top level"]  # type: ignore[arg-type]
    assert found(replace(LENGTH, name="options"))[0].startswith("options: Triptych has a stage with this name")
    assert found(replace(LENGTH, run=3))[0] == "lab-length: run is not a function"  # type: ignore[arg-type]
    assert found(replace(LENGTH, run=lambda values, context: None)) == [  # type: ignore[arg-type,return-value]
        "lab-length: the function returns None; expected an Outcome: kept(…), dropped(…)"
    ]
    assert "no record would ever reach its key" in found(replace(LENGTH, reads=(), writes=()))[0]
    assert found(replace(LENGTH, about=""))[0].startswith("note: lab-length: it has no docstring")
    assert found(replace(LENGTH, parameters=3))  # type: ignore[arg-type]
    twice = check(POINT, SimpleNamespace(one=LENGTH, two=LENGTH), "")  # type: ignore[arg-type]
    assert next(twice) == "two stages are named 'lab-length'"
    assert found(replace(LENGTH, reads=("question", "question"))) == ["lab-length: reads has 'question' twice"]
    assert list(parameter_faults(replace(LENGTH, parameters=3))) == [  # type: ignore[arg-type]
        "lab-length: parameters is int; expected a subclass of Parameters"
    ]
    assert "declare it as (Parameters, frozen=True)" in next(parameter_faults(replace(LENGTH, parameters=Loose())))
    assert isinstance(LENGTH.run(None, None), Outcome)
