"""Texts that sound alike: spoken, two options with `flour` and `flower`, or with 他 and 她, are one recording."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec

from triptych.construction.text_checks.shortened import reads_shortened

# Words that are pronounced the same in British and in American English
_GROUPS = """
ad add; aisle isle; allowed aloud; altar alter; ate eight; bail bale; bare bear; be bee; beach beech;
beat beet; berry bury; billed build; blew blue; board bored; boarder border; brake break; bread bred;
bridal bridle; buy by bye; canon cannon; capital capitol; ceiling sealing; cell sell; cellar seller;
cent scent sent; cereal serial; chews choose; chord cord; cite sight site; coarse course;
complement compliment; council counsel; creak creek; crews cruise; currant current; dear deer; desert dessert;
dew due; die dye; doe dough; fair fare; feat feet; fir fur; flea flee; flew flu flue; flour flower;
for four fore; forth fourth; foul fowl; gait gate; great grate; groan grown; guessed guest; hail hale;
hair hare; hall haul; heal heel; hear here; heard herd; higher hire; him hymn; hoarse horse; hole whole;
holy wholly; hour our; idle idol; in inn; key quay; knead need; knew new; knight night; knot not; know no;
knows nose; leak leek; lessen lesson; loan lone; made maid; mail male; main mane; maize maze; meat meet;
medal meddle; missed mist; morning mourning; naval navel; none nun; oar or ore; one won; pail pale; pain pane;
pair pear pare; passed past; patience patients; pause paws; peace piece; peak peek; peal peel; pedal peddle;
pier peer; plain plane; pray prey; principal principle; profit prophet; rain reign rein; raise rays; rap wrap;
right rite write; ring wring; road rode rowed; role roll; root route; rose rows; sail sale; sea see; seam seem;
sew so sow; shear sheer; shoe shoo; sleigh slay; soar sore; sole soul; some sum; son sun; stair stare;
stake steak; stationary stationery; steal steel; storey story; straight strait; suite sweet; tail tale;
tea tee; team teem; their there they're; threw through; throne thrown; tide tied; to too two; toe tow;
vain vein vane; vale veil; waist waste; wait weight; war wore; ware wear where; warn worn; wave waive;
way weigh; we wee; weak week; weather whether; which witch; whine wine; who's whose; wood would; yoke yolk;
your you're
"""
_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)?|[0-9]+|[\u3400-\u9fff]+|[²³¹⁰⁴-⁹₀-₉√∑∞≈≠≤≥±×÷=+*/^%‰°<>$€£¥\u0370-\u03ff]")


@lru_cache(maxsize=1)
def _words() -> dict[str, str]:
    groups = (" ".join(group.split()) for group in _GROUPS.split(";"))
    return {word: group.split()[0] for group in groups for word in group.split()}


@reads_shortened
def spoken_form(text: str) -> str:
    """Return a text as it sounds: English homophones as one word, Chinese as syllables with their tones.

    Punctuation and case aren't heard. Chinese needs pypinyin, of the extra `build`; without it, characters stay.

    Example:
        >>> spoken_form("The flour is new.") == spoken_form("the flower is new")
        True
        >>> spoken_form("The flour is new.") == spoken_form("The floor is new.")
        False
    """
    parts = []
    for word in _WORD.findall(text.casefold().replace("’", "'")):
        if word[0] >= "\u3400":
            parts += _syllables(word)
        else:
            parts.append(_words().get(word, word))
    return " ".join(parts)


def _syllables(characters: str) -> list[str]:
    if not find_spec("pypinyin"):
        return list(characters)
    import pypinyin

    return list(pypinyin.lazy_pinyin(characters, style=pypinyin.Style.TONE3))


@reads_shortened
def sounding_apart(text: str, others: Sequence[str]) -> list[str]:
    """Return those of the others that sound otherwise than the text, and than each other."""
    by_sound = {spoken_form(text): text}
    for other in others:
        by_sound.setdefault(spoken_form(other), other)
    return list(by_sound.values())[1:]


@reads_shortened
def sounds_alike_fault(text: str, others: Sequence[str], wanted: int) -> tuple[str, str] | None:
    """Return a reason and a note if the others are enough, but fewer than `wanted` of them sound differently.

    Others that are written alike, too, are left to other checks.
    """
    apart = sounding_apart(text, others)
    if len(apart) >= wanted or len(others) < wanted:
        return None
    for other in others:
        twin = next((each for each in (text, *apart) if spoken_form(each) == spoken_form(other)), other)
        if twin.casefold() != other.casefold():
            return "option-sounds-alike", f"{twin!r} and {other!r} sound the same: spoken, they are one recording"
    return None
