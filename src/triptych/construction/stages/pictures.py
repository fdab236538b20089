"""Pictures: one format and size, none damaged, blurred or of one colour, and no duplicates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Meta, field

from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters
from triptych.construction.record import Outcome, dropped, kept, revised
from triptych.construction.stage import named_weights, stage
from triptych.construction.stages._media_fields import Quality, Sha256, Weights
from triptych.errors import MediaError

CELLS = 32


class Picture(Parameters, frozen=True):
    """Parameters of `picture`."""

    most_pixels: Annotated[int, Meta(ge=1, description="greatest number of pixels of a picture")] = 1_003_500
    most_pixels_of: Annotated[dict[str, int], Meta(description="greatest number of pixels for single tasks")] = field(
        default_factory=lambda: {"T15": 1_365_984}
    )
    least_side: Annotated[int, Meta(ge=1, description="a picture with a shorter side is dropped, in pixels")] = 32
    least_side_of: Annotated[dict[str, int], Meta(description="shortest side for single tasks, in pixels")] = field(
        default_factory=dict
    )
    least_sharpness: Annotated[
        float,
        Meta(
            ge=0,
            description="lowest sharpness that is kept: variance of the Laplacian (20: unreadable; 0: not checked)",
        ),
    ] = 20.0
    quality: Quality = 92


@stage(
    "picture",
    version=7,
    reads=["image_file", "image_sha256", "task?"],
    writes=["image", "pixels", "sharpness"],
    costly=True,
    parameters=Picture,
)
def picture(values: Values, context: Context[Picture]) -> Outcome:
    """Convert a picture to a JPEG of limited size, upright by its EXIF rotation, without metadata.

    A JPEG that is already like this stays unchanged, since encoding it again would lose detail.
    The aspect ratio is kept. A picture that can't be decoded, has a side under `least_side` pixels (`least_side_of` for
    a task), has one even colour (also with the noise of a sensor), or is less sharp than `least_sharpness` is dropped,
    and so is a file with several pictures (an animation, pages). Sharpness is the variance of the Laplacian of the
    brightness (0 to 255), with the picture scaled to 512 pixels at its longer side. Photographs and scans have
    hundreds; at 20 text is unreadable. 0 checks nothing.
    """
    from PIL import Image

    from triptych.media.levels import is_blank
    from triptych.media.opening import count_pictures
    from triptych.media.picture_changes import decode_picture, encode_picture, is_plain_jpeg

    wanted, path = context.parameters, context.material(values["image_file"])
    data = path.read_bytes()
    try:
        image, _ = decode_picture(data, path)
        number = count_pictures(data, path)
    except MediaError as error:
        return dropped("unreadable-picture", error.problem)
    if number > 1:
        return dropped("several-pictures", f"the file holds {number} pictures; give each as a file of its own")
    if min(image.size) < wanted.least_side_of.get(str(values["task"] or ""), wanted.least_side):
        return dropped("picture-too-small", f"{image.width} x {image.height}")
    sharpness = _sharpness(image)
    if is_blank(image):
        return dropped("blank-picture")
    if sharpness < wanted.least_sharpness:
        return dropped("blurred-picture", f"sharpness {sharpness:.1f}")
    max_pixels = wanted.most_pixels_of.get(str(values["task"] or ""), wanted.most_pixels)
    scale = min(1.0, (max_pixels / (image.width * image.height)) ** 0.5)
    if scale < 1:
        size = (max(1, int(image.width * scale)), max(1, int(image.height * scale)))
        image = image.resize(size, Image.Resampling.LANCZOS)
    image.info.clear()  # otherwise Pillow would write a comment into the new file
    stays = scale == 1 and is_plain_jpeg(data)
    stored = context.media.put(data if stays else encode_picture(image, "JPEG", wanted.quality), "jpg")
    fields = {"image": stored, "pixels": image.width * image.height, "sharpness": round(sharpness, 1)}
    return kept(fields) if stays else revised("standardised", fields)


class PictureVector(Parameters, frozen=True):
    """Parameters of `picture-vector`."""

    weights: Weights = ""
    sha256: Sha256 = ""
    side: Annotated[int, Meta(ge=1, description="width and height of the encoder's input, in pixels")] = 224
    mean: Annotated[
        tuple[float, float, float], Meta(description="mean of the encoder's input by channel, on a scale of 0 to 1")
    ] = (0.481, 0.458, 0.408)
    deviation: Annotated[
        tuple[float, float, float], Meta(description="standard deviation of the encoder's input by channel")
    ] = (0.269, 0.261, 0.276)


@stage(
    "picture-vector",
    version=1,
    reads=["image"],
    writes=["image_vector"],
    costly=True,
    parameters=PictureVector,
)
def picture_vector(values: Values, context: Context[PictureVector]) -> Outcome:
    """Compute a vector of each picture by an encoder in an ONNX file, for `duplicate-pictures`.

    `weights` names the file, relative to the configuration, and `sha256` its hash. The encoder takes (1, 3, `side`,
    `side`), normalised by `mean` and `deviation` (CLIP's by default), and returns a vector, or tokens of which the
    first is used.
    """
    from triptych.media.picture_changes import decode_picture
    from triptych.models.local import onnx_file

    wanted, path = context.parameters, context.media.path(values["image"])
    model = onnx_file.onnx_file(named_weights(context, "picture-vector"), wanted.sha256)
    image, _ = decode_picture(path.read_bytes(), path)
    vector = onnx_file.picture_vector(model, image, wanted.side, wanted.mean, wanted.deviation)
    return kept(image_vector=context.media.put(vector.tobytes(), "f32"))


class DuplicatePictures(Parameters, frozen=True):
    """Parameters of `duplicate-pictures`."""

    within_bits: Annotated[
        int, Meta(ge=0, le=64, description="pictures whose hashes differ in at most this many of 64 bits are compared")
    ] = 4
    least_correlation: Annotated[
        float,
        Meta(
            ge=-1,
            le=1,
            description="least correlation of 32 x 32 brightness cells of two pictures that are nearly the same",
        ),
    ] = 0.98
    least_cosine: Annotated[
        float, Meta(ge=-1, le=1, description="least cosine of the vectors of two pictures that are nearly the same")
    ] = 0.96
    drop: Annotated[bool, Meta(description="whether all but the first of a cluster are dropped")] = False


@stage(
    "duplicate-pictures",
    version=3,
    reads=["image", "task?", "image_vector?"],
    writes=["picture_cluster"],
    kind="whole",
    parameters=DuplicatePictures,
)
def duplicate_pictures(records: Sequence[Values], context: Context[DuplicatePictures]) -> list[Outcome]:
    """Find pictures that are nearly the same, within a task: similar hashes propose pairs, pixels decide.

    The hash is a perceptual hash of 64 bits: the sign of the lowest 8 x 8 frequencies relative to their median. A
    proposed pair counts if 32 x 32 brightness cells correlate by `least_correlation`. A mirrored copy counts too.
    If `picture-vector` gave vectors, pictures whose vectors have a cosine of at least `least_cosine` count as well:
    crops and retouched copies, which hashes miss. `picture_cluster` is the id of the first picture; with `drop` the
    others are dropped, otherwise a later stage may use the cluster: a question about such a picture is a duplicate only
    if its text is one as well.
    """
    looked = [_looked_at(values, context) for values in records]
    first: dict[int, int] = {}
    for number in range(len(records)):
        for earlier in range(number):
            if earlier in first or records[earlier]["task"] != records[number]["task"]:
                continue
            if _same(looked[number], looked[earlier], context.parameters):
                first[number] = earlier
                break
    outcomes = []
    for number, values in enumerate(records):
        cluster = records[first.get(number, number)].id
        if number in first and context.parameters.drop:
            outcomes.append(dropped("duplicate-picture", f"of {cluster}"))
        else:
            outcomes.append(kept(picture_cluster=f"{values['task'] or ''}:{cluster}"))
    return outcomes


def brightness_cells(image: Any) -> Any:
    """Return the brightness of a picture in `CELLS` x `CELLS` cells, by which nearly equal pictures are found."""
    import numpy as np

    return np.asarray(image.convert("L").resize((CELLS, CELLS)), dtype=np.float64)


def perceptual_hash(image: Any) -> int:
    """Return 64 bits: which of the lowest 8 x 8 frequencies of a 32 x 32 thumbnail are above their median."""
    import numpy as np

    grey = brightness_cells(image)
    n = np.arange(CELLS)
    cosine = np.cos(np.pi * (2 * n[None, :] + 1) * n[:, None] / (2 * CELLS))
    low = (cosine @ grey @ cosine.T)[:8, :8]
    return int("".join("1" if bit else "0" for bit in (low > np.median(low)).ravel()), 2)


def _sharpness(image: Any) -> float:
    import numpy as np

    small = image.convert("L")
    small.thumbnail((512, 512))
    g = np.asarray(small, dtype=np.float64)
    if min(g.shape) < 3:
        return 0.0
    laplacian = g[:-2, 1:-1] + g[2:, 1:-1] + g[1:-1, :-2] + g[1:-1, 2:] - 4 * g[1:-1, 1:-1]
    return float(laplacian.var())


_Looked = tuple[int, Any, Any, tuple[int, Any]]  # hash, cells, vector; hash and cells of the mirrored picture


def _same(a: _Looked, b: _Looked, wanted: DuplicatePictures) -> bool:
    """Return whether two pictures are nearly the same, by hash and pixels or by their vectors."""
    for code, cells in ((a[0], a[1]), a[3]):
        near = (code ^ b[0]).bit_count() <= wanted.within_bits
        if near and _correlation(cells, b[1]) >= wanted.least_correlation:
            return True
    return a[2] is not None and b[2] is not None and float(a[2] @ b[2]) >= wanted.least_cosine


def _looked_at(values: Values, context: Context) -> _Looked:
    """Return a picture's hash, its brightness cells, its vector if there is one, and the first two mirrored."""
    import numpy as np
    from PIL import ImageOps

    from triptych.media.picture_changes import decode_picture

    path = context.media.path(values["image"])
    image, _ = decode_picture(path.read_bytes(), path)
    flipped = ImageOps.mirror(image)
    cells, mirrored = (brightness_cells(each).ravel() for each in (image, flipped))
    picture_vector = values["image_vector"]
    vector = (
        np.frombuffer(context.media.path(picture_vector).read_bytes(), dtype="<f4")
        if picture_vector is not None
        else None
    )
    return perceptual_hash(image), cells, vector, (perceptual_hash(flipped), mirrored)


def _correlation(a: Any, b: Any) -> float:
    import numpy as np

    if a.std() < 1e-9 or b.std() < 1e-9:
        return float(np.array_equal(a, b))
    return float(np.corrcoef(a, b)[0, 1])
