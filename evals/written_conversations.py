"""Conversations that are only written down, and how their last question is read: by rules or by a served model."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, reduce
from operator import add
from typing import TYPE_CHECKING

from app.errors import InputError
from app.llm.options import LlmOptions
from app.settings import Settings
from evals.report import ModelUse
from evals.rows import Message, Request, said_in
from evals.spoken_catalog import SpokenCatalog, read_catalog
from graph.catalog import LocalCatalog
from graph.discourse import REMEMBERED_TURNS, Discourse, PastTurn
from graph.llm.dialogue import DialogueManager, Refinement
from graph.parts import Rewrite, Rewriter
from graph.retrieval.caching import CachingEncoder
from graph.retrieval.history import exchanges_of
from graph.rewriting import RuleRewriter
from graph.rewriting.flags import FlagReader, Flags
from graph.rewriting.scene import NameFinder
from graph.rewriting.topics import is_browsing
from graph.turn import Page, Usage, User
from ingestion.encoder import shared_encoder

if TYPE_CHECKING:
    from graph.llm.model import LanguageModel


Around = Callable[[Rewriter, NameFinder], Rewriter]
"""From the rewriter that ships, and what finds names for it, to the one that is asked."""

_FEWEST_LISTED = 2


def _alone(rewriter: Rewriter, _: NameFinder) -> Rewriter:
    return rewriter


def rewritten(history: Sequence[Message], query: str, context: Sequence[str] = (), around: Around = _alone) -> Rewrite:
    """Rewrite the last question of a conversation.

    No shop stands behind it: its products are those that it names, if any. The earlier questions are rewritten first,
    one after the other, as they were when it was held.

    Args:
        history: What was said before, oldest first; whoever is not `user` answers.
        query: The last question.
        context: Titles of the open page, the page's own first, then those of its sections.
        around: What is put around the rewriter for the last question.
    """
    turns = [(said.question, " ".join(said.answers)) for said in exchanges_of(said_in(history)) if said.question]
    spoken = read_catalog(history, query, context)
    page = Page(titles=list(context)) if spoken is None else Page(product_id=spoken.page)
    catalog, user, discourse = spoken or SpokenCatalog({}), User(page=page), Discourse()
    names = LocalCatalog(catalog.products)
    earlier = RuleRewriter(names, _Answered())
    for said, answer in turns:
        result = earlier.rewrite(said, discourse, user, catalog.products)
        discourse = _remembered(discourse, said, answer, result, catalog)
    last = around(RuleRewriter(names, _flags()), names)
    result = last.rewrite(query, discourse, user, catalog.products)
    if result.standalone_query == query:
        return result
    return replace(result, standalone_query=catalog.as_said(result.standalone_query))


class _Answered:
    """The flags of an earlier message: it was looked up, and its flags no longer matter."""

    def read(self, _: str) -> Flags:
        return Flags(searchable=True, live_agent=False)


@lru_cache(maxsize=1)
def _flags() -> FlagReader:
    return FlagReader(CachingEncoder(shared_encoder()))


def _remembered(before: Discourse, said: str, answer: str, result: Rewrite, catalog: SpokenCatalog) -> Discourse:
    """What a shop's thread remembers of a turn whose answer may show products."""
    shown = catalog.named_in(answer)
    browsed = is_browsing(said) and bool(shown)
    asked = list(dict.fromkeys([*result.products, *catalog.named_in(result.standalone_query)]))
    products = asked if asked or browsed else shown[:1]
    listed = shown if len(shown) >= _FEWEST_LISTED else before.listed
    turn = PastTurn(
        query=said,
        standalone_query=result.standalone_query,
        answer=answer,
        products=products,
        outcome="non_decision" if browsed else "clear",
    )
    return Discourse(
        turns=[*before.turns, turn][-REMEMBERED_TURNS:],
        focus=products or (shown if len(shown) == 1 else before.focus),
        listed=listed,
        mentioned=list(dict.fromkeys([*products, *shown, *before.mentioned])),
    )


ReadQuestion = Callable[[Sequence[Message], str, Sequence[str]], Rewrite]
"""From the history, the question and the titles of the open page to how the question is read."""


class NoModelError(InputError):
    """A served model is asked for and the settings name none."""

    def __init__(self) -> None:
        super().__init__(
            "This evaluation asks a served model and the settings name none. Set FOOTNOTE_LLM__BASE_URL to the address "
            "of an OpenAI-compatible endpoint, such as http://localhost:8000/v1, and FOOTNOTE_LLM__MODEL to its model."
        )


@dataclass(frozen=True, slots=True)
class ModelReadings:
    """Reads the last question of each conversation by asking a model, and keeps what came of it.

    Attributes:
        model: What is asked, in every row.
        refinement: Which texts it gives to search with.
        readings: What came of each question, in the order in which they were asked.
    """

    model: "LanguageModel"
    refinement: Refinement
    readings: list[Rewrite] = field(default_factory=list)

    def __call__(self, history: Sequence[Message], query: str, context: Sequence[str] = ()) -> Rewrite:
        """The question as the model reads it; where that is refused, as the local rewriter does."""
        self.readings.append(rewritten(history, query, context, self._around))
        return self.readings[-1]

    def use(self, rows: int) -> ModelUse:
        """What the latest readings cost, one a row; those that warmed up came before."""
        latest = self.readings[-rows:]
        usage = reduce(add, (reading.usage for reading in latest), Usage())
        fell_back = Counter(reading.degraded for reading in latest if reading.degraded)
        return ModelUse(
            model=self.model.name,
            refinement=self.refinement,
            calls=usage.llm_calls,
            prompt_tokens=usage.prompt_tokens,
            cached_tokens=usage.cached_tokens,
            completion_tokens=usage.completion_tokens,
            fell_back=fell_back.total(),
            reasons=dict(fell_back.most_common()),
        )

    def _around(self, local: Rewriter, names: NameFinder) -> Rewriter:
        return DialogueManager(local, self.model, names, self.refinement, always=True)


def question_reader(request: Request) -> ReadQuestion:
    """What reads the questions of an evaluation: the rewriter that ships, or the served model of the settings.

    Raises:
        NoModelError: A served model is to read them and the settings name none.
    """
    return rewritten if request.rewriter == "local" else model_readings()


def use_of(reader: ReadQuestion, rows: int) -> ModelUse | None:
    """What a reader cost in the latest rows, where it asked a model."""
    return reader.use(rows) if isinstance(reader, ModelReadings) else None


def model_readings(refinement: Refinement | None = None) -> ModelReadings:
    """Readings by the endpoint of the settings.

    Args:
        refinement: Which texts it gives to search with; as the settings say if None.

    Raises:
        NoModelError: The settings name no endpoint.
    """
    options = Settings.load().llm
    return ModelReadings(needed_model(options), refinement or options.refinement)


def needed_model(options: LlmOptions) -> "LanguageModel":
    """The model of an endpoint.

    Raises:
        NoModelError: None is named.
    """
    from app.llm import served_model  # noqa: PLC0415 - heavy

    model = served_model(options)
    if model is None:
        raise NoModelError
    return model
