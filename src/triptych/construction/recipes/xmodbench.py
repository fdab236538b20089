"""XModBench: six directions between text, audio and vision of one thing, over five families and 17 subtasks.

After sections 3.2, 3.3 and F of the paper: triplets, of which what is missing is made; four candidates, of which three
are distractors by the subtask's rule; six directions; a model filter and people. The distractors are the same in all
directions; the target's position is drawn for each direction (`positions = "shared"` follows the released files).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from triptych.construction.engine.context import Context
from triptych.construction.recipe import Recipe
from triptych.construction.recipes import _xmodbench_asking as stages_asking
from triptych.construction.recipes._xmodbench_release import write_release
from triptych.construction.recipes._xmodbench_rows import EXACT, start, subtasks
from triptych.construction.recipes._xmodbench_scenes import DatasetConfig
from triptych.construction.record import Record
from triptych.construction.release.card import About
from triptych.construction.stage import Stage
from triptych.construction.stages.alike_media import one_medium_each
from triptych.construction.stages.composed import COMPOSED, compose
from triptych.construction.stages.material import scene_events, take_media
from triptych.construction.stages.rights import person_rights, rights
from triptych.construction.stages.scene_forms import movement_forms, scene_forms
from triptych.construction.stages.scenes import track_box, turn_scene
from triptych.construction.stages.six import (
    candidates,
    directions,
    fair_directions,
    other_candidates,
    positions,
)
from triptych.construction.stages.triplet_media import bring_forms
from triptych.construction.stages.triplets import draw_text, speak, whole_triplets


class Config(msgspec.Struct, forbid_unknown_fields=True):
    """The recipe's configuration.

    triplets   tables: id, subtask; any of text, audio, image, video (paths); target_text, target_audio, target_image
               and target_video if what is asked for differs (a translation); begin, end (seconds): the span of audio
               and video that is used (target_begin, target_end); transcript (shown below the muted video); wrong (texts
               of wrong answers, separated by |); concept (rows with the same one are never in one question: labels
               that mean the same); group, category, language, licence, consent, author_died, source;
               relation, if the question differs from the subtask's (`has twice as many repetitions as this {context}`).
               A row of panaroma may be a scene: foa or mic (four channels), video (a panorama), azimuth, elevation,
               distance, begin, end
    parts      tables: id, text, and audio, image, video (paths): the parts of composed rows. Such a row has `parts`
               (ids separated by |), `count` (3, or 3+2 for a sum), `compose` (arrangement, order, count, double, sum)
    datasets   data sets in their released layouts, `[[datasets]]`
    common     columns that hold for all rows: { licence = "cc-by-4.0" }
    positions  `independent`: the target's position is drawn for each direction; `shared`: once for each Instance
    caption    whether the model `captioner` names what has no text (marked as made)
    translate  whether the model `translator` writes what a row of `translation` asks for, where `target_text` is empty
    vary       whether the model `maker` writes wrong texts for linguistic rows without `wrong` and `group`
    clear      whether the model `judge` looks at the picture and listens to the recording, each by itself
    also_right whether the model `judge` checks that no distractor is correct as well; those that are get replaced once
    review     whether people edit the texts of rows with wrong texts of their own, look at the forms of each row, and
               then at every Instance with its candidates; candidates that they find correct too are replaced once
    wordings   number of wordings of each question that the model `maker` writes and `judge` checks
    blind      whether the model `blind` answers without the context, asked as a Run with `--condition no_context` asks
    songs      the least and the most rows of a singer; singers with another number are dropped
    lite       Items for each family and direction in `lite.txt` (0: none)
    """

    triplets: tuple[str, ...] = ()
    datasets: tuple[DatasetConfig, ...] = ()
    parts: tuple[str, ...] = ()
    common: dict[str, str] = {}
    year: int = 0
    name: str = "XModBench-like"
    licence: str = "cc-by-4.0"
    url: str = ""
    positions: Literal["independent", "shared"] = "independent"
    caption: bool = False
    translate: bool = False
    vary: bool = False
    clear: bool = False
    also_right: bool = False
    review: bool = False
    wordings: int = 0
    blind: bool = False
    lite: int = 0
    songs: tuple[int, int] = (3, 5)


# Subtasks whose recordings are of instruments, music or voices
TONED = (
    *("instruments", "instruments_comp", "music_genre_classification", "singer_identification"),
    *("emotion_classification", "recognition", "translation"),
)


def stages(config: Config) -> list[Stage]:
    """The steps, in order."""
    made = [
        rights.with_(year=config.year).only(person=[False]),
        person_rights.only(person=[True]),
        bring_forms.only(compose=[None]),
        compose.only(compose=[*sum(COMPOSED.values(), ())]),
        take_media.named("take-scene").with_(needs=["video"]).only(compose=["scene"]),
        scene_events.only(direction_of=["events"]),
        turn_scene.with_(look="panorama", height=320, box_metres=0.6).only(compose=["scene"]),
        scene_forms.only(compose=["scene"]),
        take_media.named("take-street").with_(needs=["audio", "video"]).only(compose=["street"]),
        track_box.with_(unmarked=True).only(compose=["street"]),
        movement_forms.only(compose=["street"]),
    ]
    if config.caption:
        made += [stages_asking.caption_picture, stages_asking.caption_sound]
    if config.translate:
        made.append(stages_asking.translate.only(to_translate=[True]))
    if config.vary:
        made.append(stages_asking.vary.only(varied=[True]))
    made += [
        stages_asking.changed_words.only(subtask=["recognition"], pool=["own"]),
        stages_asking.languages.only(subtask=["translation"]),
    ]
    if config.review:
        texts: dict[str, list[Any]] = {"pool": ["own"], "compose": [None]}
        made += [
            stages_asking.option_texts.only(**texts),
            stages_asking.review_texts.only(**texts),
            stages_asking.edited_options.only(**texts),
        ]
    made += [
        speak,
        draw_text,
    ]
    if config.clear:
        made += [
            stages_asking.clear_vision,
            stages_asking.clear_audio,
            draw_text.named("redraw-text").only(redraw=[True]),
            speak.named("speak-again").only(respeak=[True]),
            stages_asking.clear_vision.named("clear-vision-again").only(retest_vision=[True]),
            stages_asking.clear_audio.named("clear-audio-again").only(retest_audio=[True]),
        ]
    made += [
        whole_triplets,
        one_medium_each.with_(exact=[*EXACT], placed=["arrangements", "3D_movements", "panaroma"], toned=[*TONED]),
    ]
    if config.review:
        made += [stages_asking.fixed_texts, stages_asking.review_forms, stages_asking.edited_forms]
    made.append(candidates)
    judged = [stages_asking.candidate_texts, stages_asking.also_right] if config.also_right else []
    if judged:
        made += [*judged, other_candidates, *(_retested(stage, "again") for stage in judged)]
    if config.review:
        made += [stages_asking.review, other_candidates.named("candidates-after-review")]
        made += [_retested(stage, "after-review") for stage in judged]
        made.append(stages_asking.review.named("review-again").only(replaced=[True]))
    made.append(directions)
    if config.wordings:
        made += [
            stages_asking.word_template.with_(wordings=config.wordings),
            stages_asking.wordings.with_(wordings=config.wordings),
            stages_asking.same_question,
            stages_asking.choose_wording,
        ]
    drawn = positions.with_(how=config.positions)
    made.append(drawn.named("shuffle"))
    if config.blind:
        # The order that the model was shown is the released one: positions are not drawn again.
        return [*made, stages_asking.blind_stage(), fair_directions]
    return [*made, fair_directions, drawn]


def _retested(stage: Stage, name: str) -> Stage:
    """The stage once more, for Instances with other distractors."""
    return stage.named(f"{stage.name}-{name}").only(retest=[True])


def write(config: Config, records: Sequence[Record], out: Path, context: Context) -> None:
    """The question files as released, `media/`, and what goes with them."""
    write_release(records, subtasks(), out, context, config.lite)


def describe_output(config: Config, out: Path) -> About:
    """Describe the output for the card."""
    notes = ["Which forms were made (spoken, drawn, captioned) is in `made` of each record in `provenance.jsonl`."]
    if config.positions == "shared":
        notes.append(
            "The target's position is the same in all directions of an Instance: a constant letter looks consistent."
        )
    if not config.clear:
        notes.append("No model checked that pictures and recordings are clear by themselves.")
    if not config.review:
        notes.append("People did not review the questions.")
    return About(
        config.name,
        "One question in six directions between text, audio and vision; in the format of XModBench.",
        config.licence,
        ("en", "zh"),
        {},
        url=config.url,
        notes=tuple(notes),
    )


RECIPE = Recipe(
    "xmodbench",
    2,
    "Triplets of text, audio and vision become questions in six directions.",
    Config,
    start,
    stages,
    write,
    {
        "captioner": "names what has no text",
        "translator": "translates texts",
        "maker": "writes wrong texts and wordings of questions",
        "judge": "checks clearness, distractors and wordings",
        "blind": "answers without the context",
    },
    describe_output,
    parted_by="subtask",
    examples=[
        {
            "triplets": ["triplets.csv"],
            "caption": True,
            "translate": True,
            "vary": True,
            "clear": True,
            "also_right": True,
            "review": True,
            "wordings": 2,
            "blind": True,
        }
    ],
)
