"""Sounds placed in space: from left to right, and along a path."""

from __future__ import annotations

from triptych.construction.engine.context import Context, Values
from triptych.construction.record import Outcome, dropped, kept
from triptych.construction.stage import stage
from triptych.construction.stages._signals import head_of, keep_sound, mono_of
from triptych.errors import MediaError


@stage(
    "arrange-sounds",
    version=1,
    reads=["sources"],
    writes=["audio", "azimuths"],
    costly=True,
    widest=30.0,
    seconds=10.0,
    begin=0.0,
    rate=48_000,
    lufs=-23.0,
)
def arrange_sounds(values: Values, context: Context) -> Outcome:
    """Place sounds from left to right in one stereo recording, by vector-base amplitude panning.

    `sources` lists recordings of the store, the leftmost first; each is brought to the same loudness, and `seconds`
    from `begin` are used. They are spread evenly from `widest` degrees on the left to as many on the right (30: at the
    loudspeakers). `azimuths` lists the direction of each, positive to the left.
    """
    from triptych.media.loudness import at_loudness
    from triptych.media.spatial.panning import arrangement, spread

    wanted = context.parameters
    rate, monos = wanted["rate"], []
    for value in values["sources"]:
        mono = mono_of(value, context, rate)
        first = round(wanted["begin"] * rate)
        mono = mono[first : first + round(wanted["seconds"] * rate)]
        if not len(mono) or not abs(mono).max() > 1e-4:
            return dropped("silent", f"{value} has no sound in this span")
        monos.append(at_loudness(mono, rate, wanted["lufs"])[0])
    if len(monos) < 2:
        return dropped("too-few-sources", f"{len(monos)}")
    azimuths = spread(len(monos), wanted["widest"])
    made, _ = at_loudness(arrangement(monos, azimuths), rate, wanted["lufs"])
    return kept(audio=keep_sound(made, rate, context), azimuths=list(azimuths))


@stage(
    "move-source",
    version=1,
    reads=["audio", "way"],
    writes=["audio", "azimuths"],
    costly=True,
    output="binaural",
    sofa="",
    sha256="",
    lufs=-23.0,
    rate=48_000,
)
def move_source(values: Values, context: Context) -> Outcome:
    """Let a sound move along a path, with distance gain and Doppler shift.

    `way` is {times, positions}: seconds, and metres from the listener (x to the front, y to the left, z up). `output`:
    stereo, binaural (see `turn-scene`) or foa. `azimuths` lists the direction at every tenth of a second.
    """
    from triptych.media.loudness import at_loudness
    from triptych.media.spatial import moving

    wanted, rate = context.parameters, context.parameters["rate"]
    try:
        way = moving.path(values["way"]["times"], values["way"]["positions"])
        source = moving.heard(mono_of(values["audio"], context, rate), rate, way)
    except (MediaError, KeyError, TypeError) as error:
        return dropped("way-not-possible", str(error).partition("\n")[0])
    if wanted["output"] == "binaural":
        made = moving.to_binaural(source, head_of(context))
    else:
        made = moving.to_foa(source) if wanted["output"] == "foa" else moving.to_speakers(source)
    loud, _ = at_loudness(made, rate, wanted["lufs"])
    directions = [round(float(a), 1) for a in source.azimuth[:: rate // 10]]
    return kept(audio=keep_sound(loud, rate, context), azimuths=directions)
