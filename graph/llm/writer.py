"""The writer: an answer of a language model, sentence by sentence as each is admitted.

One that broke off goes on with the local one: with what that tells and was not told yet.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain

from graph.answering.absence import PARTIAL, gap
from graph.answering.candidate import paragraph, remark
from graph.draft import Block, Draft, Dropped, Sentence
from graph.language.control_tokens import contained
from graph.language.families import covered_terms
from graph.language.terms import terms
from graph.llm.acceptance import Acceptance, AnswerBlocks, Show
from graph.llm.markers import marker_of
from graph.llm.model import LanguageModel, LanguageModelError, Prompt, Request
from graph.llm.multi_ux import EXPERIENCES, Accompaniment
from graph.llm.prompts import prompt_text
from graph.llm.sentence_stream import SentenceStream
from graph.llm.turn_prompt import answer_grammar, turn_prompt
from graph.options import SensitiveClass
from graph.parts import Question, Reader, Verifier, Written
from graph.rendering.written import attribute_of
from graph.sensitive.gate import SensitiveGate
from graph.turn import Usage
from graph.understanding.parsed_question import analyse


def gaps_in(missing: Sequence[str], shown: Sequence[Sentence], question: Question, *, refused: bool) -> dict[str, str]:
    """The parts that are left open, each with the sentence that says so.

    Args:
        missing: Parts the model says it found nothing for; what is no part of the question, or all of it, is none.
        shown: The factual sentences of the answer.
        question: What is answered.
        refused: Whether something of the answer was not shown, so that a part may have gone with it.
    """
    product = next(iter(question.products or question.context), None)
    names = tuple(one.name for one in question.products or question.context)
    parsed = question.parsed.naming(names)
    told = (analyse(text, names) for text in missing)
    open_ = [part for part in told if part.specific and part.specific < parsed.whole.specific]
    if refused:
        said = frozenset(chain.from_iterable(_terms_told(sentence, question) for sentence in shown))
        asked = parsed.clauses if len(parsed.clauses) > 1 else parsed.parts
        lost = [part for part in asked if part.specific and not part.specific & said]
        open_ += [part for part in lost if not any(part.specific & known.specific for known in open_)]
    return {part.text: gap(part, product, question) for part in open_}


def _terms_told(sentence: Sentence, question: Question) -> Iterator[str]:
    """Terms of a sentence, of what it cites, and of what the attributes it cites are asked for by."""
    sources = question.sources
    yield from terms(sentence.text)
    for span in sentence.spans:
        quote = sources[span.evidence_id].text[span.start : span.end]
        yield from terms(quote)
        name, colon, value = quote.partition(": ")
        yield from covered_terms(name, value) if colon else ()


NOT_BORNE_OUT = "what the language model wrote is not borne out by the evidence"


@dataclass(slots=True)
class CitedWriter:
    """Lets a model write cited answers of at most `max_tokens`, and what is `offered` beside; safe to share."""

    model: LanguageModel
    verifier: Verifier
    reader: Reader
    classes: Mapping[str, SensitiveClass]
    max_tokens: int
    offered: Collection[str] = tuple(EXPERIENCES)
    only_unsure: bool = False

    def write(self, question: Question, sources: Question, experiences: Collection[str], show: Show) -> Written:
        """Write an answer; one to a question for a sensitive claim is shown only once the whole is judged."""
        gate = SensitiveGate(sources, self.classes)
        acceptance = self._acceptance(question, gate)
        prompt = turn_prompt(question, prompt_text("answer"))
        # A card may say again what the answer says.
        asked = [name for name in experiences if name in self.offered]
        beside = Accompaniment(self.model, asked, prompt, self._acceptance(question, gate))
        blocks = AnswerBlocks(acceptance, (lambda _: None) if gate.asked else show)
        stream, usage, failure = self._read(prompt, question, blocks, beside.begin)
        answers, missing = stream.outcome in (None, "clear"), stream.missing
        if failure is None and answers and blocks.refused > blocks.stated:
            repair = replace(prompt, suffix=_repair(acceptance.dropped))
            again, more, failure = self._read(repair, question, blocks)
            usage, missing = usage + more, [*missing, *again.missing]
        draft = _draft(blocks, missing, question) if blocks.stated else None
        if draft is None and answers:
            failure = failure or NOT_BORNE_OUT
        found = beside.finished(_cited_text(blocks.blocks))
        dropped, lacking = tuple(acceptance.dropped), tuple(beside.failures)
        return Written(draft, dropped, usage + beside.usage, failure, found, lacking)

    def _acceptance(self, question: Question, gate: SensitiveGate) -> Acceptance:
        return Acceptance(question, self.verifier, gate, self.reader)

    def _read(
        self, prompt: Prompt, question: Question, blocks: AnswerBlocks, begun: Callable[[], None] | None = None
    ) -> tuple[SentenceStream, Usage, str | None]:
        """Ask, and add what is accepted to the blocks.

        Once the first words are there, what has `begun` is told: the server has read the prompt by then.

        Returns:
            What was read, what it cost, and why the answer broke off; None where it came to its end.
        """
        ids = [item.evidence_id for item, _ in question.evidence]
        request = Request(prompt, self.max_tokens, grammar=answer_grammar(ids))
        stream, usage, failure = SentenceStream(ids), Usage(), None
        try:
            with closing(self.model.stream(request)) as pieces:
                for piece in pieces:
                    if begun is not None:
                        begun()
                        begun = None
                    usage = piece.usage or usage
                    blocks.take(stream.feed(piece.text))
            blocks.take(stream.close())
        except LanguageModelError as error:
            failure, usage = error.reason, error.usage
        blocks.close()
        return stream, usage, failure


def _cited_text(blocks: Sequence[Block]) -> str:
    """What may be shown of an answer with the markers of its sources, as a judge reads it."""
    return "\n".join(
        " ".join(
            [contained(sentence.text), *map(marker_of, dict.fromkeys(span.evidence_id for span in sentence.spans))]
        )
        for block in blocks
        for sentence in block.sentences
    )


def _draft(read: AnswerBlocks, missing: Sequence[str], question: Question) -> Draft:
    blocks = read.blocks
    factual = [fact for block in blocks for fact in block.facts]
    support = sum(sentence.support for sentence in factual) / len(factual)
    refused = bool(read.refused)
    gaps = gaps_in(missing, factual, question, refused=refused)
    named = (attribute_of(question.sources[span.evidence_id], span) for sentence in factual for span in sentence.spans)
    return Draft(
        outcome="clear",
        blocks=[*blocks, *([paragraph(*map(remark, gaps.values()))] if gaps else [])],
        confidence=support * (PARTIAL if gaps or refused else 1.0),
        attributes=list(dict.fromkeys(filter(None, named))),
        missing=list(gaps),
        answered_by="llm",
    )


def _repair(dropped: Sequence[Dropped]) -> str:
    lines = [
        f"- {contained(one.text)}" + (f" (no source says: {contained(', '.join(one.failing))})" if one.failing else "")
        for one in dropped
    ]
    return prompt_text("repair").replace("{failures}", "\n".join(lines))


def continued(begun: Draft, local: Draft) -> Draft:
    """What was shown of a model's answer, as it is, and behind it what the local one adds: blocks of it, whole."""
    if local.outcome != "clear":
        return begun
    said = {term for sentence in begun.sentences for term in terms(sentence.text)}
    cited = [span for sentence in begun.sentences for span in sentence.spans]
    found = [part for part in local.missing if set(terms(part)) <= said]

    def told(sentence: Sentence) -> bool:
        if not sentence.factual:  # Words on a part that was found are no longer true.
            return any(part.casefold() in sentence.text.casefold() for part in found)
        again = any(one.overlaps(other) for one in sentence.spans for other in cited)
        return again or set(terms(sentence.text)) <= said

    return local.model_copy(
        update={
            "blocks": [*begun.blocks, *(block for block in local.blocks if not any(map(told, block.sentences)))],
            "confidence": min(begun.confidence, local.confidence),
            "attributes": list(dict.fromkeys([*begun.attributes, *local.attributes])),
            "missing": [part for part in local.missing if part not in found],
            "answered_by": "llm",
        }
    )
