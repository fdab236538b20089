"""Reading which option a reply chooses: milliseconds a reply, by kind and length of the reply.

python benchmarks_speed/reading.py [OTHER/src]     (another checkout: its times, the ratio, and whether choices differ)
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

OWN = Path(__file__).resolve().parents[1] / "src"
OPTIONS = {"A": "a dog barking", "B": "rain on a roof", "C": "a violin", "D": "a train"}
SHORT = ("B", "(c)", "A. a dog barking", "The answer is D.", "答案是C", "Rain on a roof", "**B**")
ENGLISH = (
    "Let me listen to the recording again and weigh each option against what is heard. ",
    "The speaker mentions a river, then a mountain, and the wind grows louder toward the end of the clip. ",
    "Option A describes a dog barking, but the sound at 0:12 is sharper than a bark would be. ",
    "However, (C) could also fit, since the strings enter only after the first phrase. ",
    "Wait, the picture shows two people rather than three, so that contradicts option D.\n\n",
)
CHINESE = (
    "让我再仔细听一遍录音，并逐一比较各个选项。",
    "说话人提到了一条河，然后是一座山，最后风声越来越大。",
    "选项A说的是狗叫声，但第十二秒的声音比狗叫更尖锐。",
    "不过，C也可能符合，因为弦乐在前奏之后才出现。\n\n",
)
ENDS = ("\n\nAnswer: B", "\nThe answer is C.", "\\boxed{D}", "\n**A**", "\n因此，正确答案是C。", "")
# What is in a reply, its characters, and how many replies are read
KINDS = {
    "a letter or an option": (SHORT, 1, 3000),
    "2,000 characters of English": (ENGLISH, 2000, 150),
    "2,000 characters of Chinese": (CHINESE, 2000, 150),
    "20,000 characters of English": (ENGLISH, 20_000, 15),
    "20,000 characters of Chinese": (CHINESE, 20_000, 15),
}


def replies(kind: str) -> list[str]:
    """The replies of one kind, the same ones each time."""
    sentences, length, number = KINDS[kind]
    draw = random.Random(0)
    found = []
    for _ in range(number):
        text = ""
        while len(text) < length:
            text += draw.choice(sentences)
        found.append(text if sentences is SHORT else text + draw.choice(ENDS))
    return found


def read_all() -> dict[str, tuple[float, list[str | None]]]:
    """CPU milliseconds a reply, the least of three rounds, and the choices, by kind."""
    from triptych.metrics.choice import read_letter

    labels, texts = list(OPTIONS), list(OPTIONS.values())
    read_letter("x B.\n" * 300, labels, texts)  # compiles the patterns
    found = {}
    for kind in KINDS:
        made, least = replies(kind), float("inf")
        for _ in range(3):
            begun = time.process_time()
            choices = [read_letter(reply, labels, texts) for reply in made]
            least = min(least, time.process_time() - begun)
        found[kind] = (1000 * least / len(made), choices)
    return found


def read_with(source: Path) -> dict[str, tuple[float, list[str | None]]]:
    """What `read_all` gives with the package of another folder."""
    environment = {**os.environ, "PYTHONPATH": str(source)}
    done = subprocess.run(
        [sys.executable, __file__, "--json"], env=environment, capture_output=True, text=True, check=True
    )
    return dict(json.loads(done.stdout))


def main() -> None:
    """Print a row for each kind."""
    if sys.argv[1:] == ["--json"]:
        print(json.dumps(read_all()))
        return
    own = read_with(OWN)
    other = read_with(Path(sys.argv[1]).resolve()) if sys.argv[1:] else None
    for kind, (cost, choices) in own.items():
        line = f"{kind}: {cost:.3f} ms a reply"
        if other is not None:
            same = "the same choices" if choices == other[kind][1] else "OTHER CHOICES"
            line += f"; {other[kind][0]:.3f} ms there, {other[kind][0] / cost:.1f} times as long; {same}"
        print(line)


if __name__ == "__main__":
    main()
