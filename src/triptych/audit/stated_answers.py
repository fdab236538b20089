"""Questions whose text states the reference answer: `(correct answer: C)`, `答案：C`, an option marked as correct."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from triptych.audit.data.guessing import key_places
from triptych.audit.tables.repeats import tail
from triptych.records import Finding, Item, finding

MAX_ODDS = 1e-4  # probability by chance under which the finding is severe
WARNING_ODDS = 0.05
_FEW = 10  # questions that state an answer, from which the frequencies of the letters count
_SHOWN = 8  # Items named
_MAX_LENGTH = 100  # characters of another question's reference answer that is looked for
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

# "answer" in the languages of the benchmarks and of others, after which an answer may follow
_ANSWER = (
    r"answers?|ans|keys?|solution|solución|soluzione|lösung|antwort|réponse|reponse|respuesta|risposta|resposta|"
    r"antwoord|svar|odpowiedź|odpověď|ответ|відповідь|cevap|yanıt|jawaban|đáp án|उत्तर|الإجابة|الجواب|"
    r"(?:correct|right|true) (?:option|choice|letter)|opción correcta|opzione corretta|option correcte|richtige option"
)
_ANSWER_CJK = r"答案|正解|解答|答え|回答|정답|답안|正确选项|正確選項"
_CORRECT = r"(?:[)）\]】]|\s+(?:correcte?|correcta|corretta|correta|richtig|juste)(?![^\W_]))?"
_IS = r"(?:\s*(?:is|are|ist|est|es|è|é|是|为|為|は|은|는|[:：=\-–—→]))?"
_OPENING = r"[\s(\[（【「“\"'*_]*"
_STATED = re.compile(
    rf"(?:(?<![^\W_])(?:{_ANSWER})(?![^\W_])|{_ANSWER_CJK}){_CORRECT}[^\S\n]*{_IS}{_OPENING}", re.IGNORECASE
)
_IS_CORRECT = re.compile(
    r"(?<![^\W_])([A-Z])[)）.]?\s*(?:is (?:the )?(?:correct|right)|ist richtig|est correcte?|es (?:la )?correcta|"
    r"è corretta|(?:项|是)?正确|是正解|が正解|이 정답)"
)
_BRACKETED = re.compile(r"[(（\[【]\s*([A-Z])\s*[)）\]】]")
_MARKED = re.compile(
    r"[✓✔☑✅]|√(?![ ]?[\d({（])|"
    r"[(\[（【]\s*(?:correct|right|true|answer|key|正确|正確|答案|正解|정답|richtig|correct[oae]|corretta|juste)"
    r"(?: answer)?\s*[)\]）】]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Stated:
    """The questions of a Task that state an answer. `right`: ids of those that state their reference answer; `n`: how
    many state any, of which `expected` are right by chance; `odds`: the probability of as many right ones by chance."""

    right: tuple[str, ...]
    n: int
    expected: float
    odds: float
    example: str


def check_stated_answers(benchmark: str, task: str, items: Sequence[Item], file: str) -> Iterator[Finding]:
    """Yield a finding on the questions whose text states their own reference answer, if chance doesn't explain it."""
    stated = stated_answers(items)
    if stated is None or stated.odds >= WARNING_ODDS:
        return
    right, n = len(stated.right), stated.n
    yield finding(
        "leak",
        "severe" if stated.odds < MAX_ODDS else "warning",
        benchmark,
        f"{right:,} of {len(items):,} questions state their reference answer in their own text, such as "
        f"{stated.example!r}; {n:,} state an answer, of which about {stated.expected:.0f} would be correct by chance",
        file=file,
        rows=stated.right[:_SHOWN],
        columns=[task],
        effect=f"{right:,} question{'s' * (right != 1)} can be answered from the text alone",
        about="states its reference answer",
    )


def stated_answers(items: Sequence[Item]) -> Stated | None:
    """Return the questions of a Task that state an answer; None if none does."""
    right, wrong, rates, pairs, example = [], 0, list[float](), list[tuple[int, int]](), ""
    targets = Counter(target for item in items if not item.options for target in _targets(item))
    n_open = sum(not item.options for item in items)
    for item in items:
        if not item.options:
            stated = _open_statements(item, targets)
            answered = next((target for target in stated if target in _targets(item)), None)
            others = sum(targets[target] for target in stated) - sum(target in stated for target in _targets(item))
            if answered is not None:
                right.append(item.id)
                example = example or stated[answered]
            if stated:
                rates.append(min(1.0, others / max(1, n_open - 1)))
                wrong += answered is None
            continue
        places = key_places(item)
        chosen = _stated_option(item) if places else None
        if chosen is None:
            continue
        index, text = chosen
        pairs.append((index, places[0]))
        rates.append(len(places) / len(item.options))
        if index in places:
            right.append(item.id)
            example = example or text
        else:
            wrong += 1
    n = len(right) + wrong
    if not n:
        return None
    rate = max(sum(rates) / n, _by_frequency(pairs))
    return Stated(tuple(right), n, n * rate, tail(len(right), n, rate), example)


def _by_frequency(pairs: Sequence[tuple[int, int]]) -> float:
    """Return the share of equal pairs if stated and correct positions were matched at random: an example in each
    question states a letter, which is often correct if that letter often is. 0 for few questions that state several."""
    stated, correct = Counter(one for one, _ in pairs), Counter(two for _, two in pairs)
    if not pairs or (len(pairs) < _FEW and len(stated) > 1):
        return 0.0
    return sum(stated[position] * correct[position] for position in stated) / len(pairs) ** 2


def _stated_option(item: Item) -> tuple[int, str] | None:
    """Return the position of the option that the question states as the answer, with the words; None if it doesn't, or
    states several. The last statement counts."""
    texts = [text.strip() for text in item.option_texts()]
    marked = [index for index, text in enumerate(texts) if _MARKED.search(text)]
    if len(marked) == 1:
        return marked[0], texts[marked[0]][-60:]
    labels = item.labels if len(item.labels) == len(texts) else tuple(_LETTERS[: len(texts)])
    stem = _stem(item)
    statement: tuple[int, str] | None = None
    for match in _STATED.finditer(stem):
        index = _option_at(stem, match.end(), labels, texts)
        if index is not None:
            statement = index, stem[match.start() : match.end() + 20].strip()
    for match in _IS_CORRECT.finditer(stem):
        if match[1] in labels:
            statement = labels.index(match[1]), match[0]
    if statement is None:
        bracketed = {match[1] for match in _BRACKETED.finditer(stem) if match[1] in labels}
        if len(bracketed) == 1:
            (label,) = bracketed
            statement = labels.index(label), f"({label})"
    return statement


def _option_at(stem: str, position: int, labels: Sequence[str], texts: Sequence[str]) -> int | None:
    """Return the option whose label or text is at a position of the stem."""
    rest = stem[position : position + max(map(len, (*labels, *texts)), default=0) + 1]
    named = [index for index, text in enumerate(texts) if len(text) > 1 and _begins(rest, text)]
    if named:
        return max(named, key=lambda index: len(texts[index]))
    lettered = [index for index, label in enumerate(labels) if _begins(rest, label)]
    return lettered[0] if len(lettered) == 1 else None


def _begins(rest: str, text: str) -> bool:
    """Return whether a text begins with another one, as whole words."""
    end = len(text)
    at_word_end = end == len(rest) or not (rest[end : end + 1].isalnum() and rest[end : end + 1].isascii())
    return rest[:end].casefold() == text.casefold() and at_word_end


def _targets(item: Item) -> frozenset[str]:
    return frozenset(plain for target in item.targets if (plain := target.strip().lower()))


def _open_statements(item: Item, targets: Container[str]) -> dict[str, str]:
    """Return the reference answers, of this question or another open one, that the question states, and the words.

    Few-shot examples state the answers of other questions, too: `Answer: yes`.
    """
    stem, statements = _stem(item), dict[str, str]()
    longest = max([_MAX_LENGTH, *map(len, _targets(item))])
    for match in _STATED.finditer(stem):
        if stem[match.start() : match.end()].strip()[-1:] not in set(":：="):
            continue
        rest = stem[match.end() : match.end() + longest + 1]
        for target in {*_targets(item), *_beginnings(rest, targets)}:
            if _begins(rest, target):
                statements.setdefault(target, stem[match.start() : match.end() + 20].strip())
    return statements


def _beginnings(rest: str, targets: Container[str]) -> Iterator[str]:
    """Yield the targets with which a text begins, as far as they are short."""
    for end in range(1, min(len(rest), _MAX_LENGTH) + 1):
        if (text := rest[:end].lower()) in targets:
            yield text


def _stem(item: Item) -> str:
    return "\n".join(part.text for part in item.parts if not part.is_media)
