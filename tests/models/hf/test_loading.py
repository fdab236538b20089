"""What a person reads when a model can't be loaded; neither torch nor transformers is needed."""

from __future__ import annotations

from triptych.errors import SpecError, WeightsError
from triptych.models.hf.loading import _explained


def test_a_torchvision_of_another_torch_is_named() -> None:
    """transformers names only the class that it couldn't import; the cause is two exceptions away."""
    error = ModuleNotFoundError("Could not import module 'AutoProcessor'. Are this object's requirements defined?")
    error.__cause__ = RuntimeError("operator torchvision::nms does not exist")
    told = _explained("some/model", error)
    assert isinstance(told, SpecError) and "torchvision was built for another torch" in str(told)


def test_what_is_missing_decides_what_to_do() -> None:
    assert isinstance(_explained("some/model", OSError("not cached")), WeightsError)
    assert "install it" in str(_explained("some/model", ImportError("it requires mistral-common")))
    assert "RuntimeError: shapes" in str(_explained("some/model", RuntimeError("shapes differ")))
