"""Labels of sounds that mean the same, and those of public data sets that don't."""

from __future__ import annotations

from collections import defaultdict

import pytest

from triptych.construction.text_checks.options.synonyms import label_meaning, overlapping

# Classes of ESC-50 (Piczak 2015), of UrbanSound8K (Salamon 2014), and of VGGSound (Chen 2020) about animals and people
ESC_50 = (
    "dog rooster pig cow frog cat hen insects sheep crow rain sea_waves crackling_fire crickets chirping_birds "
    "water_drops wind pouring_water toilet_flush thunderstorm crying_baby sneezing clapping breathing coughing "
    "footsteps laughing brushing_teeth snoring drinking_sipping door_wood_knock mouse_click keyboard_typing "
    "door_wood_creaks can_opening washing_machine vacuum_cleaner clock_alarm clock_tick glass_breaking helicopter "
    "chainsaw siren car_horn engine train church_bells airplane fireworks hand_saw"
)
URBAN_SOUND = (
    "air_conditioner car_horn children_playing dog_bark drilling engine_idling gun_shot jackhammer siren street_music"
)
VGG_SOUND = (
    "dog growling;dog howling;dog baying;dog whimpering;dog barking;fox barking;sea lion barking;chinchilla barking;"
    "cat purring;cat growling;cat hissing;cat meowing;bull bellowing;cattle mooing;cattle, bovinae cowbell;"
    "people clapping;people cheering;people booing;people crowd;people whistling;people whispering;people screaming;"
    "children shouting;people shuffling;people sobbing;baby crying;baby laughter;people giggling;train horning;"
    "train whistling;train wheels squealing;female singing;male singing;child singing;female speech, woman speaking;"
    "male speech, man speaking;child speech, kid speaking;playing bass drum;playing snare drum;playing drum kit;"
    "playing double bass;playing bass guitar;playing violin, fiddle;playing cello;playing timpani;crow cawing;"
    "chicken crowing;pheasant crowing;car engine idling;car engine starting;car engine knocking;airplane flyby;"
    "airplane;thunder;wind noise;wind chime;wind rustling leaves;sea waves;ocean burbling;raining;hail;stream burbling"
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("people clapping", "audience applause"),
        ("a dog barking", "dog bow-wow"),
        ("barking dog", "the bark of a dog"),
        ("a cat meowing", "cat caterwauling"),
        ("laughter", "people giggling"),
        ("male speech, man speaking", "a man talking"),
        ("baby cry, infant cry", "a crying baby"),
        ("playing timpani", "tympani"),
        ("playing violin, fiddle", "a violin"),
        ("cattle mooing", "cow lowing"),
        ("church_bells", "church bell ringing"),
        ("vehicle honking", "car_horn"),
        ("wind noise", "wind blowing"),
        ("crackling_fire", "a campfire"),
        ("rain", "raindrops"),
        ("Walk, footsteps", "walking"),
        ("clock ticking", "tick-tock"),
        ("train horn", "train horning"),
    ],
)
def test_two_labels_of_one_sound_mean_the_same(one: str, other: str) -> None:
    assert label_meaning(one) == label_meaning(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("train horn", "train whistle"),
        ("a fox barking", "a dog barking"),
        ("bell → whistle", "whistle → bell"),
        ("bell, whistle, bell", "bell, bell, whistle"),
        ("a bus moving from left to right", "a bus moving from right to left"),
        ("3 knocks", "4 knocks"),
        ("a man walking", "a woman walking"),
        ("chicken crowing", "chicken clucking"),
    ],
)
def test_different_labels_stay_different(one: str, other: str) -> None:
    assert label_meaning(one) != label_meaning(other)


@pytest.mark.parametrize(
    "classes", [ESC_50.split(), URBAN_SOUND.split(), VGG_SOUND.split(";")], ids=["esc-50", "urban-sound", "vgg-sound"]
)
def test_no_two_classes_of_a_data_set_are_taken_for_one(classes: list[str]) -> None:
    by_meaning: dict[str, list[str]] = defaultdict(list)
    for label in classes:
        by_meaning[label_meaning(label)].append(label)
    assert [labels for labels in by_meaning.values() if len(labels) > 1] == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("an animal sound", "a dog barking"),
        ("pet", "cat meowing"),
        ("musical instrument", "playing violin, fiddle"),
        ("string instrument", "cello"),
        ("music", "playing guitar"),
        ("lawn-mower", "lawnmower"),
        ("voilin", "violin"),
        ("speech", "a man speaking"),
        ("rock", "punk rock"),
        ("dog barking", "dog barking loudly"),
        ("aircraft", "airplane"),
        ("aircraft", "helicopter"),
        ("rooster", "cock-a-doodle-doo"),
        ("crowing", "chicken crowing"),
        ("狗叫、犬吠", "狗叫"),
        ("狗叫，犬吠", "狗叫"),
    ],
)
def test_a_label_overlaps_one_that_is_more_general_or_spelt_otherwise(one: str, other: str) -> None:
    assert overlapping(one, other) and overlapping(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("dog barking", "cat meowing"),
        ("violin and tuba", "violin"),
        ("violin", "viola"),
        ("playing acoustic guitar", "playing electric guitar"),
        ("walking", "talking"),
        ("man speaking", "woman speaking"),
        ("a high steady tone", "a low steady tone"),
        ("3 knocks", "4 knocks"),
        ("airplane", "helicopter"),  # classes of ESC-50, as the next two
        ("rooster", "crow"),
        ("hen", "crow"),
        ("rooster crowing", "crow cawing"),
    ],
)
def test_labels_of_different_things_do_not_overlap(one: str, other: str) -> None:
    assert not overlapping(one, other)


def test_few_classes_of_a_data_set_overlap() -> None:
    classes = [label for label in VGG_SOUND.split(";") if label != "people crowd"]
    pairs = [(a, b) for n, a in enumerate(classes) for b in classes[n + 1 :] if overlapping(a, b)]
    assert len(pairs) < len(classes) / 4
