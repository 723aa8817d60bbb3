"""The conversation as the dialogue manager shows it to a model: quoted within one message, never as messages."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from graph.discourse import Discourse
from graph.language.control_tokens import escaped
from graph.language.injection import instructs
from graph.turn import User
from ingestion.evidence import Product

TURNS = 6
"""Latest turns that are shown."""
LONGEST_QUESTION = 300
LONGEST_ANSWER = 400
LONGEST_TITLE = 120
"""Code points of each text that are shown."""
MOST_PRODUCTS = 8
_MARKER = re.compile(r"\s?\[\d+\]")


@dataclass(frozen=True, slots=True)
class ContextLine:
    """Something that is shown: what it is, and its text."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class DialogueContext:
    """A question and what a model may know to read it.

    Attributes:
        query: The question.
        lines: Open page, earlier turns and products at hand, in this order; none of them instructs.
    """

    query: str
    lines: tuple[ContextLine, ...]

    @classmethod
    def of(cls, query: str, discourse: Discourse, user: User, catalog: Mapping[str, Product]) -> "DialogueContext":
        """What a thread and the open page offer; what tells the assistant how to behave is left out."""
        lines = (*_page(user, catalog), *_said(discourse), *_at_hand(discourse, user, catalog))
        return cls(query, tuple(line for line in lines if line.text.strip() and not instructs(line.text)))

    @property
    def texts(self) -> tuple[str, ...]:
        """All that is shown, the question first."""
        return (self.query, *(line.text for line in self.lines))

    @property
    def quoted(self) -> str:
        """The part of a prompt that holds it."""
        lines = "\n".join(f"{line.kind}: {quoted(line.text)}" for line in self.lines) or "nothing was said before"
        question = f"customer: {quoted(self.query)}"
        return f"<conversation>\n{lines}\n</conversation>\n\n<question>\n{question}\n</question>\n\n"


def quoted(text: str) -> str:
    """A text in quotation marks on one line, which nothing in it can end; chat templates find none of their marks."""
    return escaped(json.dumps(" ".join(text.split()), ensure_ascii=False))


def _page(user: User, catalog: Mapping[str, Product]) -> Iterator[ContextLine]:
    product = catalog.get(user.page.product_id or "")
    for title in ([product.name] if product else []) + user.page.titles:
        yield ContextLine("open page", _cut(title, LONGEST_TITLE))


def _said(discourse: Discourse) -> Iterator[ContextLine]:
    for turn in discourse.turns[-TURNS:]:
        if instructs(turn.query):
            continue  # An answer to an order only makes sense with it.
        yield ContextLine("customer", _cut(turn.query, LONGEST_QUESTION))
        yield ContextLine("shop", _cut(_MARKER.sub("", turn.answer), LONGEST_ANSWER))


def _at_hand(discourse: Discourse, user: User, catalog: Mapping[str, Product]) -> Iterator[ContextLine]:
    """Products that "it" and "the second one" may mean, spoken of or on show."""
    for kind, ids in (("spoken of", discourse.focus), ("on show", discourse.listed or user.page.products)):
        for key in ids[:MOST_PRODUCTS]:
            if key in catalog:
                yield ContextLine(kind, _cut(catalog[key].name, LONGEST_TITLE))


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
