"""The input of a stage: the declared values of one record, and the context shared by all records of the stage."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol

from triptych.construction.engine.hashes import FileHashes
from triptych.construction.engine.media import MediaStore
from triptych.construction.parameters import Parameters
from triptych.errors import SpecError

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    P = TypeVar("P", bound=Parameters, default=Any, covariant=True)
else:
    from typing import TypeVar

    P = TypeVar("P", covariant=True)


class Declares(Protocol):
    """The attributes of a stage that `Values` needs: its name and the fields that it reads."""

    @property
    def name(self) -> str: ...

    @property
    def required(self) -> tuple[str, ...]: ...

    @property
    def optional(self) -> tuple[str, ...]: ...


class Values(Mapping[str, Any]):
    """The declared fields of one record. A missing optional field is None; any other name is an error."""

    __slots__ = ("_stage", "_values", "id")

    def __init__(self, stage: Declares, id: str, fields: Mapping[str, Any]) -> None:
        self.id: str = id
        self._stage = stage
        self._values = {name: fields.get(name) for name in stage.optional}
        self._values.update((name, fields[name]) for name in stage.required if name in fields)

    def __getitem__(self, name: str) -> Any:
        if name not in self._values:
            parameter_names = ", ".join((*self._stage.required, *self._stage.optional)) or "nothing"
            what = "isn't there" if name in self._stage.required else "isn't declared"
            raise SpecError(
                f"stage {self._stage.name!r} reads {name!r}, which {what}",
                where=self.id,
                expected=f"one of: {parameter_names}",
            )
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


@dataclass(frozen=True)
class Context(Generic[P]):
    """The resources of a stage besides its values: parameters, media store, seed, folder of the raw material.

    `Context[Clips]` is that of a stage with the parameters `Clips`. `hashes` caches the hashes of the raw material;
    None for no cache.
    """

    parameters: P
    media: MediaStore
    seed: int = 0
    base: Path = Path()
    hashes: FileHashes | None = None

    def material(self, name: str) -> Path:
        """Return a file of the raw material. A stage that reads it must also read its SHA-256, so that its key has it.

        Raises MediaError if the name leads out of the folder or the file doesn't exist.
        """
        from triptych.media.paths import resolve_inside

        return resolve_inside(self.base, name)

    def sha256(self, name: object) -> str:
        """Return the SHA-256 of a file of the raw material. Raises MediaError as `material`, or if it can't be read.

        A file is not read again if its inode, size and times haven't changed since it was last hashed.
        """
        hashes = self.hashes or FileHashes(self.media.root, keep=False)
        return hashes.hash_file(self.material(str(name)))

    def random(self, *what: object) -> random.Random:
        """Return a generator seeded by `what` (such as a record's id), so that draws don't depend on other records."""
        return random.Random("\x1f".join(map(str, (self.seed, *what))))
