"""The recipe of the ranker: from turns over shops held back from the encoder, and what answers in them, to weights."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from langgraph.checkpoint.memory import InMemorySaver
from numpy.typing import NDArray

from app.demo import shop_path
from evals.conversations.replay import shop_context
from evals.shops import ShopData, read_folder
from evals.shops.labels import Answered, CitesRule, Label, TellsOf
from evals.shops.questions import PHRASINGS, shop_questions
from evals.training.reader import HELD_BACK
from evals.training.reader_examples import SHOPS, ShopRow, written_for
from evals.training.recipe import (
    Bounds,
    Floats,
    Metrics,
    Release,
    at,
    card_text,
    conditional_logit,
    logistic,
    splits,
    standardised,
    weights_table,
)
from graph.answering.candidate import Candidate
from graph.answering.choice import MODEL_PATH, NAMES, Weighing
from graph.answering.responder import LocalResponder
from graph.build import TurnGraph, build_graph
from graph.caching import CachingReader
from graph.parts import Context, Models
from graph.reader import shared_reader
from graph.rendering.written import MarkerBook
from graph.state import TurnInput
from graph.trained import Logistic
from graph.turn import Citation, Page, User
from ingestion.evidence import Evidence, concerns
from ingestion.statements import plain

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig

SHRINKAGE = 0.03
"""Weight of the squares of the coefficients over standardised features, for each choice."""
PART = 2
"""Each so many-th message is asked."""
SIGNS: Mapping[str, Bounds] = {
    "nearness": (0, None),
    "intent answered best by its kind": (0, None),
    "of the customer's place": (0, None),
    "rule of the customer's place, asked for": (0, None),
    "figure asked for": (0, None),
    "yes or no, without the words": (None, 0),
    "for members": (0, None),
    "review": (None, 0),
}
"""Between what the log odds may lie: what a customer says is no better a source than what the shop says."""
NEARNESS = NAMES.index("nearness")


@dataclass(frozen=True, slots=True)
class Choice:
    """What a turn had to choose from.

    Attributes:
        subject: What is asked for; messages about one are held back together.
        described: Candidates as the ranker sees them, and last that none answers, shape `(candidates + 1, features)`.
        answers: Which of them is right.
    """

    subject: str
    described: Floats
    answers: NDArray[np.bool_]


class RecordingRanker:
    """Ranks by nearness alone, and remembers what it was asked first in each turn."""

    def __init__(self) -> None:
        self._asked: tuple[Weighing, Sequence[Candidate]] | None = None

    def __call__(self, weighing: Weighing, candidates: Sequence[Candidate]) -> list[float]:
        """How likely each answers, against the others."""
        self._asked = self._asked or (weighing, candidates)
        nearness: list[float] = weighing.described(candidates)[:-1, NEARNESS].tolist()
        return nearness

    def taken(self) -> tuple[Weighing, Sequence[Candidate]] | None:
        """What was asked since it was taken last; None if nothing was."""
        asked, self._asked = self._asked, None
        return asked


@dataclass(frozen=True, slots=True)
class _Message:
    """What a customer types, and what makes a candidate right.

    Attributes:
        said: It, behind what was said before it.
        subject: Messages about one are held back together.
        label: What makes an answer right.
        user: Who types it.
    """

    said: Sequence[str]
    subject: str
    label: Label
    user: User = field(default_factory=User)


@dataclass(frozen=True, slots=True)
class _Quotes(Label):
    """Right is what quotes one of these."""

    texts: Sequence[str]

    def is_right(self, turn: Answered) -> bool:
        """Whether one of the texts stands in a quotation."""
        return any(text in plain(citation.quote) for citation in turn.citations for text in self.texts)


@dataclass(frozen=True, slots=True)
class _Told:
    """A candidate, as a turn would answer with it."""

    answer: str
    citations: Sequence[Citation]


def choices_of(folder: Path, messages: Sequence[_Message]) -> Iterator[Choice]:
    """Put messages to the whole graph over a shop.

    Args:
        folder: The files of the shop.
        messages: What is asked.
    """
    with shop_context(folder) as context:
        ranker, graph = RecordingRanker(), build_graph(InMemorySaver())
        models = Models(context.encoder, context.finder, CachingReader(shared_reader()))
        asking = replace(context, responder=LocalResponder(models, ranker=ranker))
        for number, message in enumerate(messages):
            _ask(graph, asking, message, str(number), ranker)
            if (asked := ranker.taken()) is not None:
                yield _choice(message, *asked)


def made_up_messages(shop: str) -> list[_Message]:
    """The messages of a shop below `evals/training/shops`, on the page of the product that their answer is about."""
    data = read_folder(SHOPS / shop / "shop")
    written = [
        _Message(one.said, f"{shop}:{row.evidence}:{row.sentence}", _answered_by(row), _on_page(one.page))
        for one in written_for(shop, data.evidence)
        if (row := one.row) is not None
    ]
    return [*written, *made_messages(shop, data)]


def made_messages(shop: str, data: ShopData) -> list[_Message]:
    """Questions that a shop's own data answer, of which each says what it is about."""
    made = [_Message((one.text,), f"{shop}:{one.subject}", one.label) for one in shop_questions(data)]
    rules = [item for item in data.evidence if item.product_id is None and item.audience != "seller"]
    regional = {item.source_type for item in rules if item.region}
    words = PHRASINGS.whole_shop
    made += [
        _Message((text,), f"{shop}:{kind}", CitesRule(kind, ""))
        for kind in sorted(regional & words.keys())
        for text in words[kind]
    ]
    for item in rules:
        bound = item.region or item.membership or item.category or item.brand
        if bound and not (item.valid_from or item.valid_until):
            page = next((key for key, product in data.products.items() if concerns(item, product)), None)
            user = User(region=item.region, membership=item.membership, page=Page(product_id=page))
            subject, label = f"{shop}:{item.row_id}", TellsOf(item.evidence_id, item.title)
            made += [_Message((text,), subject, label, user) for text in words.get(item.source_type, ())]
    return made


def _on_page(product: str | None) -> User:
    return User(page=Page(product_id=product))


def _answered_by(row: ShopRow) -> _Quotes:
    return _Quotes([plain(row.sentence), *map(plain, row.also)])


def _ask(graph: TurnGraph, context: Context, message: _Message, thread: str, ranker: RecordingRanker) -> None:
    config: RunnableConfig = {"configurable": {"thread_id": thread}}
    for text in message.said:
        ranker.taken()
        given = TurnInput(query=text, user=message.user, turn_id=thread)
        graph.invoke(given, config, context=context)


def _choice(message: _Message, weighing: Weighing, candidates: Sequence[Candidate]) -> Choice:
    evidence = {item.evidence_id: item for item, _ in weighing.question.evidence}
    answers = [message.label.is_right(_told(candidate, evidence)) for candidate in candidates]
    return Choice(message.subject, weighing.described(candidates), np.array([*answers, not any(answers)]))


def _told(candidate: Candidate, evidence: Mapping[str, Evidence]) -> _Told:
    sentences = [sentence for block in candidate.blocks for sentence in block.sentences]
    book = MarkerBook(evidence, generation="")
    for span in (span for sentence in sentences for span in sentence.spans if span.evidence_id in evidence):
        book.marker(span)
    return _Told(" ".join(sentence.text for sentence in sentences), book.citations)


def fit(choices: Sequence[Choice]) -> Logistic:
    """Learn what answers against all else in its turn; no sign is learnt against its meaning (`SIGNS`)."""
    _, _, spread = standardised(np.concatenate([one.described for one in choices]))
    found = conditional_logit(
        [one.described / spread for one in choices],
        [one.answers for one in choices],
        ridge=SHRINKAGE * len(choices),
        bounds=[SIGNS.get(name, (0, None) if name.startswith("sureness") else (None, None)) for name in NAMES],
    )
    return logistic(NAMES, found / spread, 0.0)


def measured(choices: Sequence[Choice]) -> Metrics:
    """Figures on choices held back by what is asked for.

    Of the turns in which a candidate answers (`reachable`, a share of all), `first` is the share whose likeliest
    candidate does, `nearest` the same if the nearest statement alone were told, `answered` the share in which it is
    likelier than that none answers; of all other turns, `refused` is the share in which none is.
    """
    first, nearest, answered, refused = [], [], [], []
    for held, rest in splits([one.subject for one in choices]):
        weights = fit(at(choices, rest))
        for one in at(choices, held):
            *odds, none = weights.log_odds(one.described).tolist()
            if one.answers[-1]:
                refused.append(max(odds) < none)
                continue
            first.append(bool(one.answers[np.argmax(odds)]))
            nearest.append(bool(one.answers[np.argmax(one.described[:-1, NEARNESS])]))
            answered.append(max(odds) >= none)
    shares = {"first": first, "nearest": nearest, "answered": answered, "refused": refused}
    means = {name: float(np.mean(share)) for name, share in shares.items()}
    return {**means, "reachable": len(first) / len(choices), "n": len(choices)}


def train() -> Release:
    """Train on the shops that taught the encoder nothing, and on questions made from the demo shop."""
    shops = {SHOPS / name / "shop": made_up_messages(name) for name in HELD_BACK}
    shops[shop_path()] = made_messages("demo", read_folder(shop_path()))
    choices = [one for folder, messages in shops.items() for one in choices_of(folder, messages[::PART])]
    weights, metrics = fit(choices), measured(choices)
    card = card_text("ranker", shops=" and ".join(HELD_BACK), weights=weights_table(weights), **metrics)
    return Release(MODEL_PATH, weights.to_bytes(), card, {"held back": metrics}, card_name="RANKER_MODEL_CARD.md")
