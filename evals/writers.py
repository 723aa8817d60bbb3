"""The table of writers: the same questions answered locally, by served models, and by the same models asked plainly.

What is shown is judged by words, not by the verifier that let it through.
"""

import random
import re
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from app.access import LOCAL
from app.assistant import Assistant
from app.llm.options import LlmOptions
from app.settings import Settings
from app.storage.databases import open_database
from app.wiring import TurnParts, Wiring
from evals.benches.observed_model import ObservedModel, followed, needed_model
from evals.conversations.fixtures import Conversation
from evals.conversations.replay import ConversationResult, Indexes, Replayer, ingest_silently
from evals.metrics.answers import Answerable, answer_metrics, judge_answer, judged
from evals.metrics.judges import LexicalJudge
from evals.metrics.texts import without_markers
from evals.report import Metric, markdown_table, mean_metric, page
from evals.row_turns import Reply, evidence_of, load_turns
from graph.draft import Span
from graph.llm.model import LanguageModel, LanguageModelError, Prompt, Request
from graph.parts import Clock
from graph.rendering.written import MarkerBook
from graph.turn import ShownSentence, Style, Turn, Usage, User
from ingestion.evidence import Evidence
from ingestion.spans import sentence_spans

Way = Literal["never", "unsure", "always", "plain"]
"""When a model is asked, as `llm.when` says; `plain` asks it for every answer, and shows what it writes unverified."""
WAYS: Sequence[Way] = get_args(Way)

RULES = (
    "You are a shop's assistant. Answer the customer's question in one to three sentences, from the numbered sources "
    "alone. Put the number of its source in brackets at the end of each sentence, such as [1]. If the sources do not "
    "answer the question, write only: NOT STATED"
)
REFUSAL = "not stated"
MOST_READ = 8
"""Sources of a plain prompt: the best that were retrieved."""
SEED = 0

_MARKER = re.compile(r"\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class Told:
    """What came of a question.

    Attributes:
        way: Who was to answer, as the table names it.
        turn: The turn.
        sources: All that it may rest on.
        dropped: Why drafted sentences were not shown, a reason each.
        first_s: Seconds until something was shown.
        unsupported: Sentences that were shown and that the judge does not find in their sources.
    """

    way: str
    turn: Turn
    sources: Sequence[Evidence]
    dropped: Sequence[str]
    first_s: float
    unsupported: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Writing:
    """All that one way of answering gave.

    Attributes:
        way: As the table names it.
        told: Its turns of conversations.
        passed: Whether each turn of which something is expected holds.
        packs: Precision, recall and the other figures of `eval answers`, by the name of the rows.
    """

    way: str
    told: Sequence[Told]
    passed: Sequence[bool]
    packs: Mapping[str, Mapping[str, Metric]]


class ObservedAssistant(Assistant):
    """An assistant that keeps what came of its questions.

    Args:
        parts: What turns are made from.
        threads: Where conversations are remembered.
        way: How its answers are told of.
        kept: Gets what came of them.
        plain: A model that writes each answer anew from what was retrieved, which is shown as it is; None for none.
    """

    def __init__(
        self, parts: Wiring, threads: sqlite3.Connection, way: str, kept: list[Told], plain: LanguageModel | None
    ) -> None:
        super().__init__(parts, threads)
        self._way, self._kept, self._plain = way, kept, plain

    def ask(
        self,
        text: str,
        thread: str | None = None,
        style: Style = "text",
        user: User | Mapping[str, Any] | None = None,
        experiences: Collection[str] = (),
        owner: str = LOCAL,
    ) -> Turn:
        """As an assistant does."""
        begun = time.perf_counter()
        turn, first = followed(self.stream(text, thread, style, user, experiences, owner))
        first_s = (first or time.perf_counter()) - begun
        self._kept.append(
            self._told(turn, first_s) if self._plain is None else self._plainly(self._plain, turn, first_s)
        )
        return self._kept[-1].turn

    def _told(self, turn: Turn, first_s: float) -> Told:
        (row,) = self.records.audited(turn.turn_id)
        return Told(self._way, turn, row.sources, [", ".join(one.reasons) for one in row.dropped], first_s)

    def _plainly(self, model: LanguageModel, turn: Turn, first_s: float) -> Told:
        best = sorted(turn.retrieved, key=lambda one: -one.score)[:MOST_READ]
        sources = [self.source(one.evidence_id, turn.generation) for one in best]
        if not sources:
            return self._told(turn, first_s)
        own, model_s = plainly(model, turn, sources)
        return Told(self._way, own, sources, (), first_s + model_s)


def plainly(model: LanguageModel, turn: Turn, sources: Sequence[Evidence]) -> tuple[Turn, float]:
    """A turn with the answer of a model that is asked plainly, and the seconds until its first word.

    A model that fails has shown what it wrote until then.
    """
    listed = "\n\n".join(f"[{number}] {one.title}\n{one.text}" for number, one in enumerate(sources, 1))
    prompt = Prompt(RULES, f"Sources:\n\n{listed}\n\n", f"Question: {turn.standalone_query}")
    observed = ObservedModel(model)
    with suppress(LanguageModelError):
        observed.complete(Request(prompt, max_tokens=200))
    (exchange,) = observed.taken()
    own = _as_turn(turn, exchange.text.strip(), sources, exchange.usage)
    return own, (exchange.first or exchange.ended) - exchange.begun


def _as_turn(turn: Turn, text: str, sources: Sequence[Evidence], usage: Usage) -> Turn:
    book = MarkerBook({one.evidence_id: one for one in sources}, turn.generation)
    refused = not text or text.casefold().startswith(REFUSAL)
    sentences = [_sentence(text[start:end], sources, book) for start, end in sentence_spans(text)]
    return turn.model_copy(
        update={
            "outcome": "no_answer" if refused else "clear",
            "answer": " ".join("".join([one.text, *(f" [{key}]" for key in one.citations)]) for one in sentences),
            "sentences": [] if refused else sentences,
            "citations": [] if refused else book.citations,
            "clarification": None,
            "suggestions": [],
            "missing": [],
            "answered_by": "llm",
            "usage": usage,
        }
    )


def _sentence(text: str, sources: Sequence[Evidence], book: MarkerBook) -> ShownSentence:
    numbers = [int(number) for number in _MARKER.findall(text)]
    cited = [sources[number - 1] for number in dict.fromkeys(numbers) if 0 < number <= len(sources)]
    markers = [book.marker(Span(evidence_id=one.evidence_id, start=0, end=len(one.text))) for one in cited]
    return ShownSentence(text=without_markers(text).strip(), citations=markers, support=0.0, factual=True)


def ways(settings: Settings, chosen: Collection[Way] = WAYS) -> dict[str, tuple[Way, LlmOptions]]:
    """Who is to answer: nobody but us, then the endpoint of the settings and that of each variant.

    Args:
        settings: They name the endpoints.
        chosen: Other ways are left out.

    Raises:
        InputError: No endpoint is named.
    """
    endpoints = {one.model: one for one in (settings.llm, *(own.llm for own in settings.variants.values()))}
    for llm in endpoints.values():
        needed_model(llm).close()
    named: dict[str, tuple[Way, LlmOptions]] = {"local": ("never", settings.llm)}
    titles: dict[Way, str] = {
        "unsure": "{}, where we are unsure",
        "always": "{}, in every answer",
        "plain": "{}, plain prompt, unverified",
    }
    for name, llm in endpoints.items():
        named |= {title.format(name): (way, llm) for way, title in titles.items()}
    return {name: one for name, one in named.items() if one[0] in chosen}


def measure(
    fixtures: Mapping[Path, Conversation],
    packs: Mapping[str, Sequence[Answerable]],
    at_once: int,
    tell: Callable[[str], object],
    chosen: Collection[Way] = WAYS,
) -> list[Writing]:
    """Ask all questions in all ways.

    Args:
        fixtures: Conversations by file.
        packs: Rows by name.
        at_once: Conversations that are held, or rows that are asked, at the same time.
        tell: Told who is asked next.
        chosen: The ways.

    Raises:
        InputError: The settings name no endpoint.
        SettingsError: The settings cannot be used.
    """
    settings, judge, found = Settings.load(), LexicalJudge(), []
    for name, (way, llm) in ways(settings, chosen).items():
        tell(name)
        asked = LlmOptions() if way in ("never", "plain") else llm.model_copy(update={"when": way})
        own = settings.under(None).model_copy(update={"llm": asked})
        with closing(needed_model(llm)) as model, ThreadPoolExecutor(at_once) as threads:
            told, passed = _converse(name, own, model if way == "plain" else None, fixtures, threads)
            ask = _row_asker(own, model, plain=way == "plain")
            replies = {pack: threads.map(ask, rows) for pack, rows in packs.items()}
            results = {pack: list(map(partial(judged, judge), rows, replies[pack])) for pack, rows in packs.items()}
        found.append(Writing(name, told, passed, {pack: answer_metrics(rows) for pack, rows in results.items()}))
    return found


def _converse(
    way: str, settings: Settings, plain: LanguageModel | None, fixtures: Mapping[Path, Conversation], threads: Executor
) -> tuple[list[Told], list[bool]]:
    kept: list[Told] = []

    def opened(folder: Path, clock: Clock) -> Assistant:
        return ObservedAssistant(Wiring(folder, scratch, clock), open_database(scratch.threads), way, kept, plain)

    def held(file: Path, conversation: Conversation) -> ConversationResult:
        with Replayer(indexes, opened) as replayer:  # one each, as each shows its own time
            return replayer.run(file, conversation)

    with settings.scratch() as scratch:
        indexes = Indexes(ingest_silently, default=scratch.index)
        results = list(threads.map(held, fixtures, fixtures.values()))
    asked = [turn for result in results for turn in result.turns]
    passed = [not turn.failures for turn in asked if turn.asked.expect.model_fields_set]
    return [_with_judgement(one) for one in kept], passed


def _with_judgement(told: Told) -> Told:
    sentences = judge_answer(told.turn, told.sources, LexicalJudge())
    unsupported = [one.text for one in sentences if one.factual and not (one.grounded or one.computed)]
    return replace(told, unsupported=unsupported)


def _row_asker(settings: Settings, model: LanguageModel, *, plain: bool) -> Callable[[Answerable], Reply]:
    parts = TurnParts(settings, model)
    ask = load_turns(parts.writer(settings.llm, settings.graph))

    def asked(row: Answerable) -> Reply:
        reply = ask(row.asked)
        evidence = evidence_of(row.evidence, row.product)
        if not (plain and evidence):
            return reply
        return Reply(plainly(model, reply.turn, evidence[:MOST_READ])[0])

    return asked


def sample(fixtures: Mapping[Path, Conversation], turns: int) -> dict[Path, Conversation]:
    """Conversations with so many turns or a few more, the same in every run."""
    chosen: dict[Path, Conversation] = {}
    generator = random.Random(SEED)  # noqa: S311 - reproducible, no secret
    for file in generator.sample(sorted(fixtures), len(fixtures)):
        if sum(len(one.turns) for one in chosen.values()) < turns:
            chosen[file] = fixtures[file]
    return chosen


def sample_rows(rows: Sequence[Answerable], count: int) -> list[Answerable]:
    """So many rows, the same in every run."""
    return random.Random(SEED).sample(rows, min(count, len(rows)))  # noqa: S311 - reproducible, no secret


def as_lines(writings: Sequence[Writing]) -> Iterator[dict[str, Any]]:
    """A line for every turn of the conversations, for a person to judge."""
    for told in chain.from_iterable(one.told for one in writings):
        yield {
            "way": told.way,
            "question": told.turn.query,
            "outcome": told.turn.outcome,
            "answered_by": told.turn.answered_by,
            "answer": told.turn.answer,
            "quotes": {str(one.marker): one.quote for one in told.turn.citations},
            "unsupported": list(told.unsupported),
            "dropped": list(told.dropped),
            "degraded": told.turn.degraded,
            "first_s": round(told.first_s, 2),
        }


def as_markdown(writings: Sequence[Writing], at_once: int) -> str:
    """The page."""
    judge, most = LexicalJudge.name, max(len(one.told) for one in writings)
    tables = {
        "conversations": _conversations(writings),
        "refused": _refused(writings),
        "packs": "\n".join(_pack(name, writings) for name in writings[0].packs),
    }
    return page("llm", turns=most, at_once=at_once, judge=judge, **tables)


def _conversations(writings: Sequence[Writing]) -> str:
    columns = (
        "who answers", "turns that hold", "95 % interval", "by the model", "sentences shown", "unsupported",
        "not shown", "prompt tokens p50", "cached", "first sentence p50", "p95",
    )  # fmt: skip
    return markdown_table(columns, map(_conversation_row, writings))


def _conversation_row(one: Writing) -> list[str]:
    held = mean_metric([float(passed) for passed in one.passed])
    shown = [sentence for told in one.told for sentence in told.turn.sentences if sentence.factual]
    asked = [told.turn.usage for told in one.told if told.turn.usage.llm_calls]
    prompt, cached = sum(use.prompt_tokens for use in asked), sum(use.cached_tokens for use in asked)
    times = np.percentile([told.first_s for told in one.told], (50, 95))
    calls = [use.prompt_tokens / use.llm_calls for use in asked]
    return [
        one.way,
        *held.shown,
        str(sum(told.turn.answered_by == "llm" for told in one.told)),
        str(len(shown)),
        str(sum(len(told.unsupported) for told in one.told)),
        str(sum(len(told.dropped) for told in one.told)),
        f"{np.median(calls):.0f}" if calls else "-",
        f"{cached / prompt:.1%}" if prompt else "-",
        *(f"{seconds:.2f} s" for seconds in times),
    ]


def _refused(writings: Sequence[Writing]) -> str:
    counts = {one.way: Counter(chain.from_iterable(told.dropped for told in one.told)) for one in writings}
    rows = [[way, reason, str(count)] for way, own in counts.items() for reason, count in own.most_common()]
    return markdown_table(("who answers", "why a sentence was not shown", "sentences"), rows)


_OF_ROWS = ("precision", "recall", "refusal_rate", "cgr", "ccr")


def _pack(name: str, writings: Sequence[Writing]) -> str:
    rows = [[one.way, *(one.packs[name][figure].shown[0] for figure in _OF_ROWS)] for one in writings]
    n = writings[0].packs[name]["ccov"].n
    return f"## {name} ({n} rows)\n\n{markdown_table(('who answers', *_OF_ROWS), rows)}"
