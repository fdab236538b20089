"""One rotation for sound and picture: a scene whose events all move to the left by the same angle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from triptych.media.scenes.panorama import rotated
from triptych.media.spatial.ambisonics import rotate
from triptych.media.spatial.angles import wrapped


@dataclass(frozen=True)
class Turn:
    """A rotation by `yaw` degrees about the vertical axis, positive to the left. `Turn(-y)` undoes `Turn(y)`.

    Example:
        >>> Turn(90.0).azimuth(-30.0)
        60.0
    """

    yaw: float

    def turn_sound(self, foa: Any) -> Any:
        """Return first-order ambisonics (ACN, SN3D), turned."""
        return rotate(foa, self.yaw)

    def panorama(self, picture: Any) -> Any:
        """Return an equirectangular panorama, turned."""
        return rotated(picture, self.yaw)

    def azimuth(self, azimuth: Any) -> Any:
        """Return the azimuth that an event at `azimuth` has in the turned scene, from -180 to 180 (exclusive)."""
        return wrapped(azimuth + self.yaw)
