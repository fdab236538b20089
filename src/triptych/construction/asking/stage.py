"""Stages that ask models: Requests go through the run loop, and replies are read again from journals each time.

People can fill a role (`human/NAME` in place of a model). The stage then writes tasks, and uses what people return as
replies.

The entry of a reply in its journal is (record, digest of the Request, attempt). If a prompt changes, only the records
that see it are asked again; if it changes back, the old replies are found. If a parser changes, no model is asked,
since replies and the values parsed from them are kept separately.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from triptych.construction.asking.prompt import Prompt, Wording
from triptych.construction.asking.questions import Ask, Result
from triptych.construction.asking.reading import PartlyUsable, Unreadable, read_reply, schema_of
from triptych.construction.engine.context import Context, Values
from triptych.construction.engine.identity import digest
from triptych.construction.engine.media import VALUE
from triptych.construction.parameters import Parameters, as_parameters
from triptych.construction.people.forms import DECLINED, form_of, reply_of
from triptych.construction.people.stage import DISAGREEMENT, Task
from triptych.construction.record import Maker, Outcome, dropped, failed, pending
from triptych.construction.stage import Stage
from triptych.construction.text_checks.options.choices import comparable_text
from triptych.errors import SpecError, TriptychError
from triptych.media.payload import KIND_OF, MediaReader
from triptych.models.adapter import Adapter
from triptych.records import Message, Part, Request, Response, media, text
from triptych.running.attempts import ATTEMPTS, Planned, ask_twice, entries
from triptych.running.budget import remaining_budget
from triptych.running.loop import RunOptions, RunOutcome
from triptych.store.folder import Entry
from triptych.store.journals.replies import ReplyJournal

REPAIRS = 3  # attempts in all, if a maker gets the reason why a reply can't be used
_SAID_ALONE = frozenset({"unreadable-reply", "faulty-part"})  # reasons whose details are sentences of their own
_QUOTED = 4_000  # characters of a reply that its maker is shown again
_READ = frozenset({"answered"})
# Version of the fields that the engine adds to outcomes; if it changes, journals are read again, and no model is asked
_FORM = 2
AGAIN = "Your last reply could not be used: {fault}. Reply again, with nothing but what was asked for."


class Repaired(Parameters, frozen=True):
    """Parameters of a stage whose maker is asked again with the reason why a reply can't be used."""

    attempts: Annotated[int, Meta(ge=1, description="times that a maker is asked, the first included")] = REPAIRS


def ask(
    name: str,
    asking: Ask,
    *,
    version: int,
    reads: Sequence[str],
    writes: Sequence[str] = (),
    about: str = "",
    parameters: Parameters | type[Parameters] | None = None,
    **defaults: Any,
) -> Stage:
    """Return a stage that asks models. Raises SpecError if its prompt shows a field that the stage doesn't declare."""
    values = as_parameters(name, parameters, defaults, Repaired if asking.repaired else Parameters)
    if asking.repaired and not isinstance(values, Repaired):
        raise SpecError(f"stage {name!r}: its parameters lack `attempts`", expected="a Struct derived from Repaired")
    made = Stage(name, version, tuple(reads), tuple(writes), asking.decide, "ask", values, about=about, asks=asking)
    _check_slots(made, asking)
    return made


def _check_slots(stage: Stage, asking: Ask) -> None:
    declared = {*stage.required, *stage.optional, *stage.parameters}
    slots = frozenset[str]() if asking.writes else asking.prompt.slots
    if wrong := sorted((slots | {*asking.shows, *asking.hides, *filter(None, [asking.per])}) - declared):
        what = f"stage {stage.name!r} shows {wrong[0]!r}, which it doesn't read"
        raise SpecError(what, expected=", ".join(sorted(declared)))


def reworded(stage: Stage, wording: Wording) -> Stage:
    """Return the stage with another prompt. Raises SpecError if it shows a field that the stage doesn't read, or if the
    stage sends no prompt of its own.
    """
    assert stage.asks is not None
    if stage.asks.writes:
        raise SpecError(
            f"stage {stage.name!r} sends the benchmark's prompt, which can't be reworded",
            got=wording.content,
            fix=f"leave out [prompts.{stage.name}]",
        )
    asking = replace(stage.asks, prompt=Prompt(stage.asks.prompt.name, wording.content.strip(), wording.system.strip()))
    _check_slots(stage, asking)
    return replace(stage, asks=asking)


MIN_EXAMPLE = 12  # letters or ideographs of a text that is not by chance that of the prompt


def repeated_example(prompt: Prompt, reply: Any) -> str:
    """Return a text of a reply that the prompt has word for word, such as its example; empty if there is none.

    Values that the prompt shows of a record aren't part of it.
    """
    template = comparable_text(f"{prompt.system}\n{prompt.content}")
    return next((each for each in _texts(msgspec.to_builtins(reply)) if _is_part_of(each, template)), "")


def _is_part_of(text: str, template: str) -> bool:
    bare = comparable_text(text)
    return len(bare) >= MIN_EXAMPLE and bare in template


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)


@dataclass(frozen=True)
class Model:
    """A model in a role, ready to be asked. `price`: (input, output) in US dollars per million tokens, before all price
    files; it does not belong to the identity."""

    role: str
    adapter: Adapter
    settings: Mapping[str, Any] = field(default_factory=dict)
    price: tuple[float, float] | None = None

    @property
    def name(self) -> str:
        """The name in the configuration, `openai/NAME`."""
        return self.adapter.name

    @property
    def identity(self) -> str:
        """All settings of the model that can change a reply."""
        return digest(self.adapter.name, self.adapter.revision, dict(self.adapter.settings), dict(self.settings))

    @property
    def journal(self) -> str:
        """The name of its journal of replies."""
        return re.sub(r"[^\w.-]+", "-", self.adapter.name)[:80] + "-" + self.identity[:8]


@dataclass(frozen=True)
class Group:
    """The people in a role, `human/NAME`: the result of one of them is the reply."""

    role: str
    name: str

    @property
    def identity(self) -> str:
        """The value for keys and for the build's manifest."""
        return digest(self.name)


@dataclass(frozen=True)
class Unavailable:
    """A model in a role that can't be loaded (a package is missing, say): an error once a stage has records for it."""

    role: str
    name: str
    error: TriptychError
    identity: str = ""
    price: tuple[float, float] | None = None


class Budget(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The limits of a stage, over all sessions and all models that it asks; None: no limit."""

    usd: float | None = None
    tokens: int | None = None


Roles = Mapping[str, Model | Group | Unavailable]
Returned = Mapping[tuple[str, str], Sequence[Result]]


def identity(asking: Ask, models: Roles) -> list[Any]:
    """Return what a stage's keys contain of the models that it asks, in addition to the prompt's text."""
    roles = [[role, _model(models, role).identity] for role in asking.roles]
    return [_FORM, asking.prompt.identity, dict(asking.settings), roles]


@dataclass(frozen=True)
class Sitting:
    """The Requests of one stage: the records that need replies, and the journals that keep these."""

    stage: Stage
    asking: Ask
    models: Roles
    path: Path
    context: Context
    returned: Returned = field(default_factory=dict)
    _conditions: dict[str, str] = field(default_factory=dict)

    def ask(self, records: Sequence[Values], options: RunOptions) -> RunOutcome | None:
        """Send the Requests that no journal has, twice if a reply can't be read; return the outcome if ended early."""
        named = [_model(self.models, role) for role in self.asking.roles]
        models_by_journal = {model.journal: model for model in named if isinstance(model, Model)}
        for journal, model in models_by_journal.items():
            media = MediaReader(self.context.media.root)
            requests = partial(self._requests, records, model)
            others = (self._journal(other) for name, other in models_by_journal.items() if name != journal)
            left = remaining_budget(replace(options, price=model.price or options.price), others)
            for outcome in ask_twice(requests, model.adapter, self._journal(model), media, left, self._attempts):
                if outcome.interrupted or outcome.stopped:
                    return outcome
        return None

    @property
    def _attempts(self) -> int:
        """The number of attempts: two, or the stage's parameter if replies are repaired."""
        return max(1, int(self.stage.parameters["attempts"])) if self.asking.repaired else ATTEMPTS

    @contextmanager
    def reader(self) -> Iterator[Callable[[Values], Outcome]]:
        """Give a function that decides about a record from the replies in the journals as they are now."""
        named = {role: _model(self.models, role) for role in self.asking.roles}
        with ExitStack() as stack:
            latest = {
                role: stack.enter_context(closing(self._journal(model).on_disk()))
                for role, model in named.items()
                if isinstance(model, Model)
            }
            yield lambda values: self._outcome(values, latest)

    def tasks(self, values: Values) -> list[Task]:
        """Return the Tasks for people about a record, one for each role that people fill."""
        groups = [role for role in self.asking.roles if isinstance(_model(self.models, role), Group)]
        return [self._task(values, role) for role in groups]

    def results(self, values: Values) -> list[Result]:
        """Return the results of people about a record so far."""
        return [result for task in self.tasks(values) for result in self.returned.get((task.id, task.shown), ())]

    def _task(self, values: Values, role: str) -> Task:
        hidden = self.asking.hides
        shows = {name: value for name, value in values.items() if value is not None and name not in hidden}
        guide = "\n\n".join(part.text or "" for m in self.messages(values) for part in m.parts if part.kind == "text")
        shown = digest(role, self._condition(values))[:16]
        return Task(self.asking.subject(values), shown, self.stage.name, form_of(self.asking.reply), shows, guide)

    def _results_in(self, values: Values, role: str) -> list[Result]:
        """Return people's results in this role: one that settles what they disagree about, or all that differ."""
        task = self._task(values, role)
        replies = self.returned.get((task.id, task.shown), ())
        if settled := [result for result in replies if result.settles]:
            return settled[-1:]
        return list({digest(result.values): result for result in reversed(replies)}.values())[::-1]

    def _outcome(self, values: Values, latest: Mapping[str, Mapping[Entry, Response]]) -> Outcome:
        subject = self.asking.subject(values)
        replies: dict[str, Any] = {}
        makers: dict[str, Maker] = {}
        fault, reason = "", "unreadable-reply"
        for role in self.asking.roles:
            model = _model(self.models, role)
            if isinstance(model, Group):
                results_of_role = self._results_in(values, role)
                if not results_of_role:
                    return pending("waits-for-people", role)
                if len(results_of_role) > 1:
                    return pending(DISAGREEMENT, f"{role}: {', '.join(each.person for each in results_of_role)}")
                result = results_of_role[0]
                if why := result.values.get(DECLINED):
                    return dropped("declined", f"{result.person}: {why}")
                replies[role] = reply_of(result, self.asking.reply)
                makers[role] = Maker("person", result.person, prompt=self.asking.prompt.identity)
                continue
            condition = self._condition(values)
            last, text = None, ""
            best: tuple[PartlyUsable, str] | None = None
            attempts = entries(subject, condition, attempts=self._attempts)
            for entry in attempts:
                response = latest[role].get(entry)
                if response is None:
                    break
                last = response
                text = f"{model.journal}.jsonl#{'/'.join(map(str, entry))}"
                try:
                    replies[role] = self._read(response, values, role)
                except Unreadable as error:
                    fault, reason = str(error), error.reason
                    if isinstance(error, PartlyUsable) and (best is None or len(error.faults) <= len(best[0].faults)):
                        best = error, text
                    continue
                makers[role] = Maker("model", model.adapter.name, text, self.asking.prompt.identity)
                break
            if role in replies:
                continue
            if last is None:
                return pending("not-asked", f"{role}: no reply yet")
            if last.status == "failed" or (last.status == "skipped" and self.asking.needed and best is None):
                why = last.error.message if last.error else last.status
                return failed("no-reply", f"{role}: {why}") if last.status == "failed" else dropped("no-reply", why)
            if last.status != "skipped" and attempts[-1] not in latest[role]:
                return pending("not-asked", f"{role}: another attempt is to come ({fault})")
            replies[role] = best[0].value if best else None
            if best:
                makers[role] = Maker("model", model.adapter.name, best[1], self.asking.prompt.identity)
        if self.asking.needed and len(self.asking.roles) == 1 and replies[self.asking.roles[0]] is None:
            return dropped(reason, fault)
        outcome = self.asking.decide(replies, values, self.context)
        return _with_model(outcome, makers)

    def _read(self, response: Response, values: Values, role: str) -> Any:
        """Return the value of a reply. Raises Unreadable with the reason why it can't be used."""
        if response.status not in _READ:
            raise Unreadable(f"the model's reply was {response.status}")
        read = read_reply(response.text, self.asking.reply)
        if self.asking.repaired and len(self.asking.roles) == 1:
            outcome = self.asking.decide({role: read}, values, self.context)
            if outcome.decision == "dropped":
                raise Unreadable(outcome.note or outcome.reason.replace("-", " "), outcome.reason)
            if again := repeated_example(self.asking.prompt, read):
                raise Unreadable(f"{again[:40]!r} is from the prompt: write about this record", "example-repeated")
            if self.asking.parts and (faults := self.asking.parts(read, values)):
                raise PartlyUsable(read, faults)
        return read

    def _requests(
        self, records: Sequence[Values], model: Model, attempt: int, latest: Mapping[Entry, Response]
    ) -> Planned:
        """Return the Requests of an attempt; after the first, those whose last reply can't be used."""
        settings = dict(self.asking.settings) | dict(model.settings)
        if self.asking.reply is not None:
            settings["json_schema"] = schema_of(self.asking.reply)
        seen: set[tuple[str, str]] = set()
        plan: list[Entry] = []
        about: list[tuple[Values, str | None]] = []
        for values in records:
            subject, condition = self.asking.subject(values), self._condition(values)
            if (subject, condition) in seen:
                continue
            seen.add((subject, condition))
            fault = self._fault(latest.get((subject, condition, attempt - 1)), values, model.role) if attempt else None
            if not attempt or fault is not None:
                plan.append((subject, condition, attempt))
                about.append((values, fault))

        def request(number: int) -> Request:
            (subject, condition, _), (values, fault) = plan[number], about[number]
            messages = self.messages(values)
            if fault is not None:
                last = latest.get((subject, condition, attempt - 1))
                if self.asking.repaired and last is not None and last.text.strip():
                    messages = (*messages, Message("assistant", (text(last.text[:_QUOTED]),)))
                messages = (*messages, Message("user", (text(AGAIN.format(fault=fault)),)))
            return Request(subject, messages, settings, condition, attempt)

        return Planned(plan, request)

    def _fault(self, response: Response | None, values: Values, role: str) -> str | None:
        """Return what is wrong with a reply that came back; None if there is nothing to ask again."""
        if response is None or response.status in ("failed", "skipped"):
            return None
        try:
            self._read(response, values, role)
        except Unreadable as error:
            return _for_maker(error)
        return None

    def _condition(self, values: Values) -> str:
        """Return a digest of everything that is sent: the text, the media by hash, the decoding, the schema."""
        if (condition := self._conditions.get(values.id)) is None:  # each record's is needed for every role
            schema = schema_of(self.asking.reply) if self.asking.reply is not None else None
            condition = digest(self.messages(values), dict(self.asking.settings), schema)[:16]
            self._conditions[values.id] = condition
        return condition

    def messages(self, values: Values) -> tuple[Message, ...]:
        """Return the messages of a record's Request."""
        if self.asking.writes:
            return self.asking.writes(values, self.context)
        parts = tuple(_part(self.context, values[name]) for name in self.asking.shows if values[name] is not None)
        return self.asking.prompt.messages({**self.stage.parameters, **values}, parts)

    def _journal(self, model: Model) -> ReplyJournal:
        return ReplyJournal(self.path / "replies", model.journal)


def _model(models: Roles, role: str) -> Model | Group:
    model = models.get(role)
    if isinstance(model, Unavailable):
        raise model.error
    if model is None:
        raise SpecError(
            f"no model is named for the role {role!r}",
            expected=f"a table [models.{role}]",
            fix=f'add [models.{role}] with model = "ADAPTER/NAME", or "human/NAME" for people, to the configuration',
        )
    return model


def _part(context: Context, value: str) -> Part:
    context.media.path(value)
    match = VALUE.fullmatch(value)
    kind = KIND_OF.get(f".{match[3]}") if match else None
    if kind is None:
        raise SpecError("this kind of file can't be sent to a model", got=value, expected=", ".join(KIND_OF))
    return media(kind, value)


def _for_maker(error: Unreadable) -> str:
    """Return a fault in words: what is wrong, then where; the note of a dropped record alone may be just a text."""
    kind, details = error.reason.replace("-", " "), str(error)
    return details if error.reason in _SAID_ALONE or details == kind else f"{kind}: {details}"


def _with_model(outcome: Outcome, makers: Mapping[str, Maker]) -> Outcome:
    """The outcome, with the model named, also for every field that its stage wrote and ascribed to nobody."""
    if not makers:
        return outcome
    maker = next(iter(makers.values()))
    if len(makers) > 1:
        names = " + ".join(dict.fromkeys(m.name for m in makers.values()))
        kind: Literal["model", "person"] = "model" if any(m.kind == "model" for m in makers.values()) else "person"
        maker = Maker(kind, names, " ".join(m.at for m in makers.values() if m.at), maker.prompt)
    fields = dict.fromkeys(outcome.fields, maker) | outcome.makers
    children = tuple(
        child if child.makers else msgspec.structs.replace(child, makers=dict.fromkeys(child.fields, maker))
        for child in outcome.children
    )
    return msgspec.structs.replace(outcome, makers=fields, children=children, by=maker)
