"""The dialogue manager: a model's standalone question and flags, taken only as far as they hold.

The ways to refine a query are those of Fuchs and Ekimov, "Optimizing Retrieval-Augmented Generation for E-Commerce
How-To Assistance" (section 4.4 and Table 7). A schema asks for nothing that its way does not search with.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, create_model
from rapidfuzz.distance import OSA

from graph.discourse import Discourse
from graph.language.injection import instructs
from graph.language.lexicon import AUXILIARIES, FUNCTION_WORDS, QUESTION_WORDS
from graph.language.terms import fold, terms
from graph.language.words import words_of
from graph.llm.conversation import LONGEST_QUESTION, DialogueContext
from graph.llm.model import LanguageModel, LanguageModelError, Prompt, Request, schema_of
from graph.llm.prompts import prompt_text, static_prompt
from graph.parts import Rewrite, Rewriter
from graph.rewriting.message import REQUESTS, content_words, fragment_of, lead_of
from graph.rewriting.scene import NameFinder
from graph.turn import Usage, User
from ingestion.evidence import Product

Refinement = Literal["simplify", "details", "keywords", "simulated", "intent+simulated"]
REFINEMENTS: tuple[Refinement, ...] = get_args(Refinement)

LONGEST_QUERY = 400
"""Code points of a standalone query, at most."""

_Sentence = Annotated[str, Field(min_length=1, max_length=240)]
_Passage = Annotated[str, Field(min_length=1, max_length=600)]
_Keyword = Annotated[str, Field(min_length=1, max_length=40)]


class DialogueReply(BaseModel):
    """What every way asks for: the question as it stands alone, and both flags."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, str_strip_whitespace=True)

    standalone_query: str = Field(min_length=1, max_length=LONGEST_QUERY)
    searchable: bool
    live_agent: bool

    @property
    def refined(self) -> tuple[str, ...]:
        """What is searched beside the question: what the way itself asks for."""
        own = (getattr(self, name) for name in type(self).model_fields if name not in DialogueReply.model_fields)
        return tuple(text if isinstance(text, str) else " ".join(text) for text in own)


_FIELDS: Mapping[Refinement, tuple[Mapping[str, object], int]] = {
    "simplify": ({"simplified_query": _Sentence}, 220),
    "details": ({"detailed_query": _Passage}, 300),
    "keywords": ({"keywords": Annotated[list[_Keyword], Field(min_length=1, max_length=10)]}, 280),
    # An answer as a document would word it (HyDE, Gao et al., 2023); it is searched with, never shown.
    "simulated": ({"simulated_response": _Passage}, 300),
    "intent+simulated": ({"intent": _Sentence, "simulated_response": _Passage}, 380),
}
"""What each way asks for, and the tokens it may take: every field at its longest, in English, and no more."""


@cache
def form_of(refinement: Refinement) -> tuple[type[DialogueReply], int]:
    """The form of a reply, and the tokens it may take."""
    fields, tokens = _FIELDS[refinement]
    given: dict[str, Any] = {name: (kind, ...) for name, kind in fields.items()}
    return create_model("RefinedReply", __base__=DialogueReply, **given), tokens


def parsed(text: str, form: type[DialogueReply]) -> DialogueReply:
    """A reply as it was written, perhaps with words or a fence around it.

    Raises:
        ValueError: It does not follow the schema.
    """
    return form.model_validate_json(text[text.find("{") : text.rfind("}") + 1])


MOST_NEW_WORDS = 3
"""Content words that neither question nor conversation holds: enough to phrase a question, too few to answer it."""
RESPELT, LEAST_RESPELT = 0.8, 4
"""Similarity from which on a word is another spelling, and how long it is at least: "battry"."""
_PIECE = re.compile(r"\w+")
_SENTENCE_START = re.compile(r"(?:\A|[.?!…:]\s)\W{0,9}\Z")
_REACH = 12
"""So far before a word the end of the sentence before it is looked for."""
_STAND_IN = re.compile(r"\b(?:this|that|these|those)\s+(\w+)|\b(\w+)\s+ones?\b", re.IGNORECASE)
"""Phrases that a name stands in for: "this phone", "the second one"."""


def fault_of(text: str, conversation: DialogueContext, names: NameFinder) -> str | None:
    """Why a rewrite cannot be used, as what it does; None for one that can."""
    return next((fault for fault, is_at_fault in _FAULTS if is_at_fault(text, conversation, names)), None)


def may_be_searched(text: str, conversation: DialogueContext, names: NameFinder) -> bool:
    """Whether a text may be searched beside the question: it orders nothing and is about no other product."""
    return not instructs(text) and not _names_other_product(text, conversation, names)


def _instructs(text: str, _: DialogueContext, __: NameFinder) -> bool:
    return instructs(text)


def _drops_content(text: str, conversation: DialogueContext, _: NameFinder) -> bool:
    """Whether content words of the question are gone that no name stands in for; ending and spelling may differ."""
    kept = _stems(content_words(text))
    asked = _stems(content_words(conversation.query) - _stand_ins(conversation.query))
    return any(not any(_is_respelt(term, other) for other in kept) for term in asked - kept)


def _is_respelt(term: str, other: str) -> bool:
    return term.isalpha() and len(term) >= LEAST_RESPELT and OSA.normalized_similarity(term, other) >= RESPELT


def _stand_ins(query: str) -> set[str]:
    return {fold(word) for match in _STAND_IN.finditer(query) for word in match.groups() if word}


def _names_other_product(text: str, conversation: DialogueContext, names: NameFinder) -> bool:
    """Whether it names a product of the shop by a word that the conversation does not hold."""
    held = _pieces(conversation.texts)
    mentioned = (text[mention.start : mention.end] for mention in names.mentions(text) if mention.known)
    return any(not _pieces([name]) - FUNCTION_WORDS <= held for name in mentioned)


def _invents_name(text: str, conversation: DialogueContext, _: NameFinder) -> bool:
    """Whether a number, a code or a capitalised word within a sentence is in nothing that was shown."""
    held = _pieces(conversation.texts) | FUNCTION_WORDS
    stems = _stems(conversation.texts)
    for match in _PIECE.finditer(text):
        word = match.group()
        near, start = max(match.start() - _REACH, 0), match.start()
        named = any(char.isupper() for char in word) and not _SENTENCE_START.search(text, near, start)
        strange = fold(word) not in held and (not word.isalpha() or stems.isdisjoint(terms(word)))
        if strange and (named or any(char.isdigit() for char in word)):
            return True
    return False


def _answers(text: str, conversation: DialogueContext, _: NameFinder) -> bool:
    """Whether a statement stands where something was asked."""
    query = conversation.query
    if _asks(query):
        return not _asks(text)
    return fragment_of(query) is not None and not _asks(text) and fragment_of(text) is None


def _asks(text: str) -> bool:
    first = next((word.text.split("'")[0] for word in words_of(text[lead_of(text) :])), "")
    return text.rstrip().endswith("?") or first in AUXILIARIES | QUESTION_WORDS | REQUESTS


def _adds_much(text: str, conversation: DialogueContext, _: NameFinder) -> bool:
    return len(set(terms(text)) - _stems(conversation.texts)) > MOST_NEW_WORDS


def _stems(texts: Iterable[str]) -> set[str]:
    return {term for text in texts for term in terms(text)}


def _pieces(texts: Iterable[str]) -> set[str]:
    return {fold(piece) for text in texts for piece in _PIECE.findall(text)}


_FAULTS: tuple[tuple[str, Callable[[str, DialogueContext, NameFinder], bool]], ...] = (
    ("gives orders", _instructs),
    ("leaves out words of the question", _drops_content),
    ("names a product that nobody named", _names_other_product),
    ("names what nobody named", _invents_name),
    ("answers instead of asking", _answers),
    ("adds what nobody said", _adds_much),
)
"""What a rewrite must not do, with what finds it."""


class DialogueManager:
    """Rewrites locally, and asks a model where that is not sure.

    One call gives the standalone query, both flags, and texts to search with beside it (Fuchs and Ekimov, "Optimizing
    Retrieval-Augmented Generation for E-Commerce How-To Assistance", sections 3 and 4.4). Whatever fails or is refused,
    the local rewrite stands.

    Args:
        local: The rewriter that is asked first.
        model: The model that is asked next.
        names: Finds product names.
        refinement: Which texts are searched beside the question.
        always: Whether the model is asked even where the local rewriter is sure.
    """

    def __init__(
        self,
        local: Rewriter,
        model: LanguageModel,
        names: NameFinder,
        refinement: Refinement = "intent+simulated",
        *,
        always: bool = False,
    ) -> None:
        self._local, self._model, self._names, self._always = local, model, names, always
        self._refinement = refinement

    def rewrite(self, query: str, discourse: Discourse, user: User, catalog: Mapping[str, Product]) -> Rewrite:
        """Resolve what the question leaves unsaid from the thread and the open page."""
        local = self._local.rewrite(query, discourse, user, catalog)
        if (local.sure and not self._always) or not query.strip():
            return local
        # What orders the assistant about is not shown to a model, and what is that long leans on nothing.
        if len(query) > LONGEST_QUESTION or instructs(query):
            return local
        conversation = DialogueContext.of(query, discourse, user, catalog)
        try:
            reply, usage = self._asked(conversation)
        except LanguageModelError as error:
            return replace(local, usage=error.usage, degraded=_degraded(error.reason))
        needed = [catalog[key].name for key in local.products if key in catalog]
        return replace(self._joined(local, reply, conversation, needed), usage=usage)

    def _asked(self, conversation: DialogueContext) -> tuple[DialogueReply, Usage]:
        form, max_tokens = form_of(self._refinement)
        completion = self._model.complete(
            Request(
                prompt=Prompt(static_prompt(), conversation.quoted, _task(self._refinement)),
                max_tokens=max_tokens,
                schema=schema_of(form),
            )
        )
        try:
            return parsed(completion.text, form), completion.usage
        except ValueError as error:
            reason = "the reply does not follow its schema"
            raise LanguageModelError(reason, completion.usage) from error

    def _joined(
        self, local: Rewrite, reply: DialogueReply, conversation: DialogueContext, needed: list[str]
    ) -> Rewrite:
        """The local rewrite with what of the reply can be used."""
        texts = [text for text in reply.refined if may_be_searched(text, conversation, self._names)]
        read = replace(
            local,
            searchable=reply.searchable,
            live_agent=local.live_agent or reply.live_agent,
            refined=tuple(texts) if reply.searchable else (),
        )
        text = " ".join(reply.standalone_query.split())
        if text == local.standalone_query:
            return read
        fault = fault_of(text, conversation, self._names)
        if fault is None and any(name.casefold() not in text.casefold() for name in needed):
            fault = "leaves out the product in question"
        if fault is not None:
            return replace(read, degraded=_degraded(f"the model's question {fault}"))
        return replace(read, standalone_query=text, rewritten_by="none" if text == conversation.query else "llm")


def _task(refinement: Refinement) -> str:
    parts = (prompt_text("dialogue"), prompt_text(f"dialogue/{refinement}"))
    return '<task name="dialogue">\n' + "\n\n".join(parts) + "\n</task>"


def _degraded(reason: str) -> str:
    return f"rewrite: {reason}"
