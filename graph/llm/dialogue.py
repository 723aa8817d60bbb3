"""The dialogue manager: a model's standalone question and flags, taken only as far as they hold.

After Fuchs and Ekimov, "Optimizing Retrieval-Augmented Generation for E-Commerce How-To Assistance": one call gives the
question, both flags (section 3) and what is searched beside it, an intent and a simulated response (section 4.4). The
conversation is quoted within one message, never shown as messages.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from pydantic import BaseModel, ConfigDict, Field
from rapidfuzz.distance import OSA

from graph.catalog import LocalCatalog
from graph.discourse import Discourse
from graph.language.control_tokens import escaped
from graph.language.injection import instructs
from graph.language.lexicon import AUXILIARIES, QUESTION_WORDS
from graph.language.terms import fold, words_of
from graph.llm.model import LanguageModel, LanguageModelError, Prompt, Request
from graph.llm.prompts import prompt_text, static_prompt
from graph.parts import Rewrite, Rewriter
from graph.rewriting.message import REQUESTS, content_words, fragment_of, lead_of
from graph.turn import Usage, User
from graph.verification.claim import Claim, read
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
class DialogueContext:
    """A question and what a model may know to read it: open page, earlier turns, products at hand; none instructs.

    Attributes:
        query: The question.
        lines: What each of these is, and its text.
    """

    query: str
    lines: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, query: str, discourse: Discourse, user: User, catalog: Mapping[str, Product]) -> "DialogueContext":
        """What a thread and the open page offer; what tells the assistant how to behave is left out."""
        page = catalog.get(user.page.product_id or "")
        found = [("open page", title, LONGEST_TITLE) for title in ([page.name] if page else []) + user.page.titles]
        for turn in discourse.turns[-TURNS:]:
            if not instructs(turn.query):  # An answer to an order only makes sense with it.
                found.append(("customer", turn.query, LONGEST_QUESTION))
                found.append(("shop", _MARKER.sub("", turn.answer), LONGEST_ANSWER))
        # What "it" and "the second one" may mean, spoken of or on show.
        for kind, ids in (("spoken of", discourse.focus), ("on show", discourse.listed or user.page.products)):
            found += [(kind, catalog[key].name, LONGEST_TITLE) for key in ids[:MOST_PRODUCTS] if key in catalog]
        lines = ((kind, text if len(text) <= most else f"{text[: most - 1]}…") for kind, text, most in found)
        return cls(query, tuple((kind, text) for kind, text in lines if text.strip() and not instructs(text)))

    @property
    def texts(self) -> tuple[str, ...]:
        """All that is shown, the question first."""
        return (self.query, *(text for _, text in self.lines))

    @property
    def quoted(self) -> str:
        """The part of a prompt that holds it."""
        lines = "\n".join(f"{kind}: {quoted(text)}" for kind, text in self.lines) or "nothing was said before"
        question = f"customer: {quoted(self.query)}"
        return f"<conversation>\n{lines}\n</conversation>\n\n<question>\n{question}\n</question>"


def quoted(text: str) -> str:
    """A text in quotation marks on one line, which nothing in it can end; chat templates find none of their marks."""
    return escaped(json.dumps(" ".join(text.split()), ensure_ascii=False))


MOST_TOKENS = 380
"""Tokens of a reply: every field at its longest, in English, and no more."""


class DialogueReply(BaseModel):
    """What a model is asked for: the question as it stands alone, both flags, and what to search with beside it.

    Attributes:
        intent: What the customer wants, in a sentence.
        simulated_response: An answer as a document would word it (HyDE, Gao et al., 2023); never shown. Either may be
            empty, as those of a small model are, which would make up little of use.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, str_strip_whitespace=True)

    standalone_query: str = Field(min_length=1, max_length=400)
    searchable: bool
    live_agent: bool
    intent: str = Field(max_length=240)
    simulated_response: str = Field(max_length=600)


MOST_NEW_WORDS = 3
"""Content words that neither question nor conversation holds: enough to phrase a question, too few to answer it."""
RESPELT, LEAST_RESPELT = 0.8, 4
"""Similarity from which on a word is another spelling, and how long it is at least: "battry"."""
_PIECE = re.compile(r"\w+")
_STAND_IN = re.compile(r"\b(?:this|that|these|those)\s+(\w+)|\b(\w+)\s+ones?\b", re.IGNORECASE)
"""Phrases that a name stands in for: "this phone", "the second one"."""


def fault_of(text: str, conversation: DialogueContext, names: LocalCatalog) -> str | None:
    """Why a rewrite cannot be used, as what it does; None for one that can."""
    said, held = read(text), read("\n".join(conversation.texts))
    faults = {
        "gives orders": instructs(text),
        "leaves out words of the question": _drops_content(text, conversation.query),
        "names a product that nobody named": _names_other_product(text, conversation, names),
        "names what nobody named": _invents_name(said, held),
        "answers instead of asking": _answers(text, conversation.query),
        "adds what nobody said": len(said.content - held.content) > MOST_NEW_WORDS,
    }
    return next((fault for fault, is_at_fault in faults.items() if is_at_fault), None)


def _drops_content(text: str, query: str) -> bool:
    """Whether content words of the question are gone that no name stands in for; ending and spelling may differ."""
    kept = read(" ".join(content_words(text))).content
    stand_ins = {fold(word) for match in _STAND_IN.finditer(query) for word in match.groups() if word}
    asked = read(" ".join(content_words(query) - stand_ins)).content
    respelt = {term for term in asked - kept if term.isalpha() and len(term) >= LEAST_RESPELT}
    near = {term for term in respelt if any(OSA.normalized_similarity(term, other) >= RESPELT for other in kept)}
    return bool(asked - kept - near)


def _names_other_product(text: str, conversation: DialogueContext, names: LocalCatalog) -> bool:
    """Whether it names a product of the shop by a word that the conversation does not hold."""
    held = read("\n".join(conversation.texts)).vocabulary
    mentioned = (read(text[mention.start : mention.end]) for mention in names.mentions(text) if mention.known)
    return any(not {token.bare for token in name.telling} <= held for name in mentioned)


def _invents_name(said: Claim, held: Claim) -> bool:
    """Whether a number, a code or a capitalised word within a sentence is in nothing that was shown."""
    named = [token for name in said.names for token in name if token.telling and not token.is_number]
    strange = any(token.bare not in held.vocabulary and token.stem not in held.content for token in named)
    return strange or not _codes(said.text) <= _codes(held.text)


def _answers(text: str, query: str) -> bool:
    """Whether a statement stands where something was asked."""
    if _asks(query):
        return not _asks(text)
    return fragment_of(query) is not None and not _asks(text) and fragment_of(text) is None


def _asks(text: str) -> bool:
    first = next((word.text.split("'")[0] for word in words_of(text[lead_of(text) :])), "")
    return text.rstrip().endswith("?") or first in AUXILIARIES | QUESTION_WORDS | REQUESTS


def _codes(text: str) -> set[str]:
    return {fold(piece) for piece in _PIECE.findall(text) if any(map(str.isdigit, piece))}


def dialogue_prompt(conversation: DialogueContext) -> Prompt:
    """What a model is asked of a conversation; the task stands before it, as it is the same for all."""
    task = f'<task name="dialogue">\n{prompt_text("dialogue")}\n</task>\n\n'
    return Prompt(static_prompt(), task, conversation.quoted)


class DialogueManager:
    """Rewrites locally, and asks a model where that is not sure, or `always`.

    Whatever fails or is refused, the local rewrite stands.
    """

    def __init__(self, local: Rewriter, model: LanguageModel, names: LocalCatalog, *, always: bool = False) -> None:
        self._local, self._model, self._names, self._always = local, model, names, always

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
            return replace(local, usage=error.usage, degraded=f"rewrite: {error.reason}")
        needed = [catalog[key].name for key in local.products if key in catalog]
        return replace(self._joined(local, reply, conversation, needed), usage=usage)

    def _asked(self, conversation: DialogueContext) -> tuple[DialogueReply, Usage]:
        """The reply, perhaps with words or a fence around it, and what it cost."""
        request = Request(dialogue_prompt(conversation), MOST_TOKENS, schema=DialogueReply.model_json_schema())
        completion = self._model.complete(request)
        text = completion.text
        try:
            return DialogueReply.model_validate_json(text[text.find("{") : text.rfind("}") + 1]), completion.usage
        except ValueError as error:
            reason = "the reply does not follow its schema"
            raise LanguageModelError(reason, completion.usage) from error

    def _joined(
        self, local: Rewrite, reply: DialogueReply, conversation: DialogueContext, needed: list[str]
    ) -> Rewrite:
        """The local rewrite with what of the reply can be used."""
        # What orders something or is about another product is not searched.
        texts = [
            text
            for text in (reply.intent, reply.simulated_response)
            if text and not instructs(text) and not _names_other_product(text, conversation, self._names)
        ]
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
            return replace(read, degraded=f"rewrite: the model's question {fault}")
        return replace(read, standalone_query=text, rewritten_by="none" if text == conversation.query else "llm")
