"""Pictures: one format and size, none damaged, blurred or of one colour, and no duplicates."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
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
    from triptych.media.pictures.changes import decode_picture, encode_picture, is_plain_jpeg

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
    from triptych.media.pictures.changes import decode_picture
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
    version=5,
    reads=["image", "task?", "image_vector?"],
    writes=["picture_cluster"],
    kind="whole",
    parameters=DuplicatePictures,
)
def duplicate_pictures(records: Sequence[Values], context: Context[DuplicatePictures]) -> list[Outcome]:
    """Find pictures that are nearly the same, within a task: similar hashes propose pairs, pixels decide.

    The hash is a perceptual hash of 64 bits: the sign of the lowest 8 x 8 frequencies relative to their median. A
    proposed pair counts if 32 x 32 brightness cells correlate by `least_correlation`. A copy that is mirrored,
    turned by a quarter or half, has an even border, or is brighter or darker counts too.
    If `picture-vector` gave vectors, pictures whose vectors have a cosine of at least `least_cosine` count as well:
    crops and retouched copies, which hashes miss. `picture_cluster` is the id of the first picture; with `drop` the
    others are dropped, otherwise a later stage may use the cluster: a question about such a picture is a duplicate only
    if its text is one as well.
    """
    import numpy as np

    wanted = context.parameters
    by_task: dict[str, list[int]] = {}
    for number, values in enumerate(records):
        by_task.setdefault(str(values["task"]), []).append(number)
    first: dict[int, int] = {}
    for numbers in by_task.values():
        shown = [_views(records[number], context) for number in numbers]
        codes = np.array([views.codes[::_TURNED] for views in shown], dtype=np.uint64)
        copies: set[int] = set()
        for index, number in enumerate(numbers):
            if index and (earlier := _earlier_copy(shown, codes, index, copies, wanted)) is not None:
                first[number] = numbers[earlier]
                copies.add(index)
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
    return _hash_of(brightness_cells(image))


def _hash_of(grey: Any) -> int:
    import numpy as np

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


@dataclass(frozen=True)
class _Views:
    """The forms in which a picture is compared with others.

    upright  brightness cells of the picture as it is, and twice without an even border; the same array if it has none
    codes    hashes of each of these, turned by 0 to 3 quarters, then mirrored and turned: `_TURNED` of each
    """

    upright: tuple[Any, ...]
    codes: tuple[int, ...]
    vector: Any
    path: Path

    def cells(self, form: int) -> Any:
        """Return the brightness cells of the form whose hash is `codes[form]`."""
        return _turned(self.upright[form // _TURNED], form % _TURNED)


_TURNED = 8  # ways in which a copy may be turned and mirrored


def _turned(cells: Any, way: int) -> Any:
    import numpy as np

    return np.rot90(np.fliplr(cells) if way >= _TURNED // 2 else cells, way % (_TURNED // 2))


def _views(values: Values, context: Context) -> _Views:
    import numpy as np

    from triptych.media.pictures.changes import decode_picture

    path = context.media.path(values["image"])
    image, _ = decode_picture(path.read_bytes(), path)
    uncut = brightness_cells(image)
    cut = [without_border(image, more) for more in (0, 1)]
    upright = (uncut, *(uncut if each is image else brightness_cells(each) for each in cut))
    codes: list[int] = []
    for number, cells in enumerate(upright):
        again = number and cells is uncut
        codes += codes[:_TURNED] if again else [_hash_of(_turned(cells, way)) for way in range(_TURNED)]
    vector = values["image_vector"]
    if vector is not None:
        vector = np.frombuffer(context.media.path(vector).read_bytes(), dtype="<f4")
    return _Views(upright, tuple(codes), vector, path)


def _earlier_copy(
    shown: Sequence[_Views], codes: Any, index: int, copies: Collection[int], wanted: DuplicatePictures
) -> int | None:
    """Return the first earlier picture, itself no copy, that a picture is nearly the same as; None if there is none."""
    import numpy as np

    near: dict[int, list[tuple[int, int, bool]]] = {}
    for form, code in enumerate(shown[index].codes):
        bits = _bits(codes[:index] ^ np.uint64(code))
        for earlier, which in np.argwhere(bits <= max(wanted.within_bits, _CHANGED_BITS)):
            near.setdefault(int(earlier), []).append(
                (form, int(which), bool(bits[earlier, which] <= wanted.within_bits))
            )
    candidates = set(near) if shown[index].vector is None else set(range(index))
    for earlier in sorted(candidates - set(copies)):
        for form, which, is_close in near.get(earlier, ()):
            one, other = shown[index].cells(form), shown[earlier].upright[which]
            if is_close and _correlation(one.ravel(), other.ravel()) >= wanted.least_correlation:
                return earlier
        if near.get(earlier) and _is_brighter(shown[index].path, shown[earlier].path):
            return earlier
        first, second = shown[index].vector, shown[earlier].vector
        if first is not None and second is not None and float(first @ second) >= wanted.least_cosine:
            return earlier
    return None


def _bits(codes: Any) -> Any:
    """Return the number of bits of each 64-bit number."""
    import numpy as np

    parts = np.ascontiguousarray(codes).view(np.uint16).reshape(*codes.shape, 4)
    return _table()[parts].sum(axis=-1)


@lru_cache(maxsize=1)
def _table() -> Any:
    import numpy as np

    return np.array([number.bit_count() for number in range(1 << 16)], dtype=np.uint8)


_CHANGED_BITS = 12  # of the hashes of a picture and a copy that is so much brighter that parts of it are white
_CHANGED = 0.85  # least share of equal cells of such pictures, once the brightness of one is that of the other
_CHANGED_CORRELATION = 0.8  # of these pictures; copies have 0.87 and more, different words on one colour up to 0.55


def _is_brighter(one: Path, other: Path) -> bool:
    """Return whether of two pictures one is the other made so much brighter that parts of it are white."""
    a, b = (_grey(path).astype("float64") for path in (one, other))
    return max(_with_its_brightness(a, b), _with_its_brightness(b, a)) >= _CHANGED


@lru_cache(maxsize=1024)
def _grey(path: Path) -> Any:
    """Return the brightness of a picture in 8 x 8 parts for each cell, as bytes: 64 KiB."""
    import numpy as np

    from triptych.media.pictures.changes import decode_picture

    image, _ = decode_picture(path.read_bytes(), path)
    return np.asarray(image.convert("L").resize((8 * CELLS, 8 * CELLS)), dtype=np.uint8)


def _with_its_brightness(a: Any, b: Any) -> float:
    """Return the share of cells of two pictures that are equal once the first is made as bright as the second, and cut
    off at white; 0 if what the even parts of both show differs, such as the words on covers of one colour."""
    import numpy as np

    between = (a > _BLACK) & (b > _BLACK) & (b < _WHITE)
    if between.sum() < a.size / 8:
        return 0.0
    made = np.clip(a * float(np.median(b[between] / a[between])), 0, 255)
    one, other = (each.reshape(CELLS, 8, CELLS, 8).mean(axis=(1, 3)) for each in (made, b))
    apart = np.abs(one - other)
    alike = min(one.std(), other.std()) >= _SPREAD and apart.mean() < other.std() / 4
    alike = alike and _correlation(made.ravel(), b.ravel()) >= _CHANGED_CORRELATION
    return float(np.mean(apart <= _NEAR)) if alike else 0.0


_NEAR, _SPREAD = 6, 8  # of 255: by which equal cells may differ; the least spread of the cells of a picture
_BLACK, _WHITE = 6, 246


def without_border(image: Any, more: int = 0) -> Any:
    """Return a picture without an even border around it; the picture itself if it has none, or hardly anything else.

    more: 256ths of its longer side that are taken away besides, which may be half the border's.
    """
    import numpy as np

    small = image.convert("L")
    small.thumbnail((256, 256))
    grey = np.asarray(small, dtype=np.float64)
    edge = float(np.median([grey[0].mean(), grey[-1].mean(), grey[:, 0].mean(), grey[:, -1].mean()]))
    inside = np.abs(grey - edge) > _EVEN
    rows, columns = np.flatnonzero(inside.mean(axis=1) > 0.02), np.flatnonzero(inside.mean(axis=0) > 0.02)
    if not len(rows) or not len(columns):
        return image
    height, width = grey.shape
    edges = int(columns[0]), int(rows[0]), width - 1 - int(columns[-1]), height - 1 - int(rows[-1])
    left, top, right, bottom = (edge + more * (edge > 0) for edge in edges)
    box = left / width, top / height, 1 - right / width, 1 - bottom / height
    if (box[2] - box[0]) * (box[3] - box[1]) < 0.3:
        return image
    return image.crop(
        (
            round(box[0] * image.width),
            round(box[1] * image.height),
            round(box[2] * image.width),
            round(box[3] * image.height),
        )
    )


_EVEN = 12  # by which the brightness of a border may differ, of 255


def _correlation(a: Any, b: Any) -> float:
    import numpy as np

    if a.std() < 1e-9 or b.std() < 1e-9:
        return float(np.array_equal(a, b))
    return float(np.corrcoef(a, b)[0, 1])
