"""Sound: the contents of recordings and films, and recordings in one form: trimmed, 16 kHz, mono, equal loudness."""

from __future__ import annotations

from typing import Any

from triptych.construction.engine.context import Context, Values
from triptych.construction.record import Outcome, dropped, kept, revised
from triptych.construction.stage import stage


@stage(
    "probe",
    version=1,
    reads=["film", "film_sha256"],
    writes=["seconds", "streams"],
    needs=("audio",),
    least_seconds=0.0,
    most_seconds=0.0,
    least_pixels=0,
)
def probe(values: Values, context: Context) -> Outcome:
    """Read the length and streams of a recording or film, and drop it if it lacks what is needed.

    `needs` lists `audio` and `video`. `least_seconds` and `most_seconds` limit the length, `least_pixels` the shorter
    side of the picture (0: no limit). `streams` has format, codecs, rate, channels, width, height and frames per
    second. A file that can't be decoded is dropped as `unreadable-media`.
    """
    from triptych.media.lengths import probed

    found = probed(context.material(values["film"]))
    wanted, seconds = context.parameters, found.pop("seconds")
    if lacking := [kind for kind in wanted["needs"] if f"{kind}_codec" not in found]:
        return dropped(f"no-{lacking[0]}")
    if seconds is None or seconds <= 0:
        return dropped("length-unknown")
    if seconds < wanted["least_seconds"]:
        return dropped("too-short", f"{seconds:.1f} s")
    if wanted["most_seconds"] and seconds > wanted["most_seconds"]:
        return dropped("too-long", f"{seconds:.1f} s")
    if min(found.get("width", 0), found.get("height", 0)) < wanted["least_pixels"]:
        return dropped("picture-too-small", f"{found.get('width', 0)} x {found.get('height', 0)}")
    return kept(seconds=round(seconds, 3), streams=found)


@stage(
    "standard-sound",
    version=2,
    reads=["audio"],
    writes=["audio", "seconds", "lufs", "trimmed"],
    costly=True,
    trim=True,
    below_db=40.0,
    margin=0.2,
    lufs=-23.0,
    rate=16_000,
    least_seconds=0.5,
)
def standard_sound(values: Values, context: Context) -> Outcome:
    """Convert a recording to 16 kHz mono and one loudness, without silence at its ends.

    With `trim`, frames at both ends that are `below_db` quieter than the loudest one are removed, except for `margin`
    seconds. `lufs`: the integrated loudness after EBU R 128; the gain is reduced if a sample would exceed -1 dB of full
    scale. `trimmed` has the seconds removed at the beginning and at the end, to map times to the original, which is
    kept in the store.
    """
    from triptych.media.loudness import at_loudness, sounding
    from triptych.media.sound import decode_sound

    wanted, path = context.parameters, context.media.path(values["audio"])
    mono = decode_sound(path.read_bytes(), path).mono(wanted["rate"])
    begin, end = 0, len(mono)
    if wanted["trim"]:
        begin, end = sounding(mono, wanted["rate"], below_db=wanted["below_db"], margin_s=wanted["margin"])
    if end - begin < wanted["least_seconds"] * wanted["rate"]:
        return dropped("silent" if end == begin else "too-short", f"{(end - begin) / wanted['rate']:.2f} s of sound")
    samples, _ = at_loudness(mono[begin:end], wanted["rate"], wanted["lufs"])
    return revised("standardised", _kept_sound(samples, (begin, len(mono) - end), context))


def _kept_sound(samples: Any, trimmed: tuple[int, int], context: Context) -> dict[str, Any]:
    from triptych.media.loudness import loudness
    from triptych.media.sound import encode_wav

    rate, lufs = context.parameters["rate"], loudness(samples, context.parameters["rate"])
    return {
        "audio": context.media.put(encode_wav(samples.reshape(-1, 1), rate), "wav"),
        "seconds": round(len(samples) / rate, 3),
        "lufs": round(lufs, 1) if lufs > float("-inf") else None,
        "trimmed": [round(count / rate, 3) for count in trimmed],
    }
