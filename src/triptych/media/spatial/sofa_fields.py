"""The fields of a SOFA file, checked before they are read; run as a process of its own by `sofa.read_sofa`.

HDF5 can refer to other files (external links, external storage, virtual data sets) and declare arrays of any size, and
the library may hang or crash over damaged data.

    python -m triptych.media.spatial.sofa_fields FILE

writes the arrays to standard output in NumPy's format, or the error as JSON to standard error, with the exit code 2.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from triptych.errors import MediaError, TriptychError
from triptych.media.opening import open_ordinary
from triptych.media.spatial.angles import unit_vectors
from triptych.records.packages import need

CONVENTION = "SimpleFreeFieldHRIR"
MAX_BYTES = 512 * 1024 * 1024
MAX_VALUES = 32_000_000  # of all impulse responses: 11,950 directions of 2 ears with 1,339 taps; 128 MB as float32
MAX_TAPS = 65_536
_GREATEST = 1e6  # of any value: responses, positions, delays and rates are far smaller
_RATES = (8_000.0, 384_000.0)


def fields_of(path: Path) -> dict[str, Any]:
    """Return the arrays `responses`, `delays` (seconds), `positions` (Cartesian) and `rate`, with the left ear first.

    Raises MediaError as `sofa.read_sofa` does, and SpecError if h5py isn't installed.
    """
    with _opened(path) as file:
        _attribute(file, "SOFAConventions", (CONVENTION,), path)
        _attribute(file, "DataType", ("FIR",), path)
        responses = _field(file, "Data.IR", path, shape=(None, 2, None))
        count, _, taps = responses.shape
        if not 1 <= taps <= MAX_TAPS or not count:
            _refuse_field("Data.IR", path, f"1 to {MAX_TAPS} taps of at least one direction", responses.shape)
        rate = _rate(file, path)
        delays = _field(file, "Data.Delay", path, shape=(None, 2)) / rate
        if len(delays) not in (1, count) or delays.min() < 0 or delays.max() > 1:
            _refuse_field("Data.Delay", path, f"1 or {count} rows of samples, up to a second", delays.shape)
        positions = _positions(file, "SourcePosition", path)
        if len(positions) != count:
            _refuse_field("SourcePosition", path, f"{count} rows, as Data.IR has", len(positions))
        order = _ears(file, path)
        import numpy as np

        delays = np.broadcast_to(delays, (count, 2))
        made = np.ascontiguousarray(responses[:, order], dtype=np.float32)
        delays_in_order = np.array(delays[:, order])
        return {"responses": made, "delays": delays_in_order, "positions": positions, "rate": np.array(rate)}


def _rate(file: Any, path: Path) -> int:
    rates = _field(file, "Data.SamplingRate", path, max_values=1_000_000).reshape(-1)
    if not rates.size or rates.min() != rates.max() or not _RATES[0] <= rates[0] <= _RATES[1]:
        _refuse_field("Data.SamplingRate", path, f"one rate of {_RATES[0]:g} to {_RATES[1]:g} Hz", rates[:4].tolist())
    return round(float(rates[0]))


def _positions(file: Any, name: str, path: Path) -> Any:
    """Cartesian positions in metres or of length 1, from spherical or Cartesian ones."""
    values = _field(file, name, path, shape=(None, 3))
    kind = _text(file[name].attrs.get("Type", "spherical"))
    if kind == "cartesian":
        return values
    if kind != "spherical":
        _refuse_field(f"{name}:Type", path, "spherical or cartesian", kind)
    units = _text(file[name].attrs.get("Units", "degree, degree, metre"))
    if not units.startswith("degree"):
        _refuse_field(f"{name}:Units", path, "degree, degree, metre", units)
    return unit_vectors(values[:, 0], values[:, 1])


def _ears(file: Any, path: Path) -> list[int]:
    """The order of the receivers that puts the left ear first; the left ear has the greater y."""
    values = _field(file, "ReceiverPosition", path, max_values=100)
    if values.ndim not in (2, 3) or values.shape[:2] != (2, 3):
        _refuse_field("ReceiverPosition", path, "two receivers", values.shape)
    y = values.reshape(2, 3, -1)[:, 1, 0]
    if _text(file["ReceiverPosition"].attrs.get("Type", "cartesian")) == "spherical":
        y = unit_vectors(*values.reshape(2, 3, -1)[:, :2, 0].T)[:, 1]
    return [0, 1] if y[0] >= y[1] else [1, 0]


def _field(
    file: Any, name: str, path: Path, *, shape: tuple[int | None, ...] | None = None, max_values: int = MAX_VALUES
) -> Any:
    """A field as finite numbers, after its link, storage, type and shape were checked."""
    import h5py
    import numpy as np

    if not isinstance(file.get(name, getlink=True), h5py.HardLink) or not isinstance(file[name], h5py.Dataset):
        _refuse_field(name, path, "a data set in the file itself", "missing or a link")
    data = file[name]
    if data.is_virtual or data.external:
        _refuse_field(name, path, "values in the file itself", "values in another file")
    if data.dtype.kind not in "fiu" or data.size > max_values or data.shape is None:
        _refuse_field(name, path, f"at most {max_values:,} numbers", f"{data.shape} of {data.dtype}")
    fits = shape is None or (
        len(shape) == len(data.shape) and all(a in (None, b) for a, b in zip(shape, data.shape, strict=True))
    )
    if not fits:
        _refuse_field(name, path, f"shape {tuple('any' if n is None else n for n in shape or ())}", data.shape)
    values = np.asarray(data[()], dtype=np.float64)
    if not np.isfinite(values).all() or np.abs(values).max(initial=0.0) > _GREATEST:
        _refuse_field(name, path, f"numbers up to {_GREATEST:g}", "greater or infinite values, or NaN")
    return values


def _attribute(file: Any, name: str, allowed: tuple[str, ...], path: Path) -> None:
    value = _text(file.attrs.get(name, ""))
    if value not in allowed:
        _refuse_field(name, path, " or ".join(allowed), repr(value[:100]))


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return str(value.item() if hasattr(value, "item") and getattr(value, "size", 0) == 1 else value)


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    h5py = need("h5py", "reading SOFA files", "build")
    try:
        with open_ordinary(path) as stream:
            if stream.seek(0, 2) > MAX_BYTES:
                raise MediaError("the SOFA file is too large", where=path, expected=f"<= {MAX_BYTES:,} bytes")
            stream.seek(0)
            with h5py.File(stream, "r") as file:
                yield file
    except TriptychError:
        raise
    except Exception as error:  # noqa: BLE001 (h5py raises whatever the damage leads to)
        problem = f"{type(error).__name__}: {error}"[:300]
        raise MediaError(f"the SOFA file can't be read ({problem})", where=path) from None


def _refuse_field(name: str, path: Path, expected: str, got: object) -> None:
    raise MediaError(f"the SOFA file's {name} can't be used", where=path, expected=expected, got=got)


def main() -> int:
    """Read the file that the command line names."""
    import numpy as np

    try:
        fields = fields_of(Path(sys.argv[1]))
    except MediaError as error:
        json.dump({"problem": error.problem, "expected": error.expected, "got": error.got}, sys.stderr)
        return 2
    np.savez(sys.stdout.buffer, **fields)
    return 0


if __name__ == "__main__":
    sys.exit(main())
