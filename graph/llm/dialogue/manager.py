"""The dialogue manager: one structured call reads the question where the local rewriter is not sure of it."""

from collections.abc import Mapping
from dataclasses import replace

from graph.discourse import Discourse
from graph.language.injection import instructs
from graph.llm.dialogue.acceptance import fault_of, may_be_searched
from graph.llm.dialogue.conversation import LONGEST_QUESTION, DialogueContext
from graph.llm.dialogue.replies import FORMS, MAX_TOKENS, DialogueReply, Refinement, parsed, schema_of
from graph.llm.model import LanguageModel, LanguageModelError, Prompt, Request
from graph.llm.prompts import prompt_text, static_prompt
from graph.parts import Rewrite, Rewriter
from graph.rewriting.scene import NameFinder
from graph.turn import Usage, User
from ingestion.evidence import Product


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
        form = FORMS[self._refinement]
        completion = self._model.complete(
            Request(
                prompt=Prompt(static_prompt(), conversation.quoted, _task(self._refinement)),
                max_tokens=MAX_TOKENS[self._refinement],
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
