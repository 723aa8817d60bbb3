"""The cited answer of a language model: asked once, repaired once, shown only as far as it is borne out."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from graph.answering.candidate import paragraph, remark
from graph.answering.matching import attribute_lines
from graph.draft import Block, Draft, Sentence
from graph.language.control_tokens import contained
from graph.llm.acceptance import Acceptance
from graph.llm.accompaniment import Accompaniment
from graph.llm.answer_blocks import AnswerBlocks
from graph.llm.evidence_markers import marker_of
from graph.llm.experiences import EXPERIENCES, ExperienceContext
from graph.llm.gaps import gaps_in
from graph.llm.grammar import answer_grammar
from graph.llm.model import LanguageModel, Prompt, Request
from graph.llm.prompts import prompt_text
from graph.llm.reading import Reading, Show, read_answer
from graph.llm.turn_prompt import turn_prompt
from graph.options.sensitive import SensitiveClass
from graph.parts import Dropped, Question, Reader, Verifier, Written
from graph.sensitive.gate import SensitiveGate

NOT_BORNE_OUT = "what the language model wrote is not borne out by the evidence"
PARTIAL = 0.8
"""Share of its confidence that an answer keeps to which a part is missing."""


class CitedWriter:
    """Lets a model write cited answers; safe to share.

    Args:
        model: The served model.
        verifier: Judges sentences by their own citations.
        reader: Tells whether what is cited says yes or no.
        classes: Classes of sensitive claims.
        max_tokens: Most tokens of an answer.
        offered: What the model may be asked for beside it, by name.
    """

    def __init__(
        self,
        model: LanguageModel,
        verifier: Verifier,
        reader: Reader,
        classes: Mapping[str, SensitiveClass],
        max_tokens: int,
        offered: Collection[str] = tuple(EXPERIENCES),
    ) -> None:
        self._model, self._verifier, self._reader = model, verifier, reader
        self._classes, self._max_tokens, self._offered = classes, max_tokens, offered

    @property
    def offered(self) -> Collection[str]:
        """What can be asked for beside an answer, by name."""
        return self._offered

    def write(self, question: Question, sources: Question, experiences: Collection[str], show: Show) -> Written:
        """Write an answer; one to a question for a sensitive claim is shown only once the whole is judged."""
        gate = SensitiveGate(sources, self._classes)
        acceptance = self._acceptance(question, gate)
        prompt = turn_prompt(question, prompt_text("answer"))
        # A card may say again what the answer says.
        matter = ExperienceContext(prompt, "", self._acceptance(question, gate), self._model.name)
        beside = Accompaniment(self._model, [name for name in experiences if name in self._offered])
        blocks, told = AnswerBlocks(acceptance), _silent if gate.asked else show
        reading = self._asked(prompt, question, blocks, told, lambda: beside.begin(matter))
        usage, failure = reading.usage, reading.failure
        if failure is None and reading.outcome == "clear" and blocks.refused > blocks.stated:
            repair = replace(prompt, suffix=_repair(acceptance.dropped))
            again = self._asked(repair, question, blocks, told, _unasked)
            usage, failure = usage + again.usage, again.failure
        draft = _draft(reading, question) if blocks.stated else None
        if draft is None and reading.outcome == "clear":
            failure = failure or NOT_BORNE_OUT
        found = beside.finished(replace(matter, answer=_cited_text(blocks.blocks)))
        dropped, lacking = tuple(acceptance.dropped), tuple(beside.failures)
        return Written(draft, dropped, usage + beside.usage, failure, found, lacking)

    def _acceptance(self, question: Question, gate: SensitiveGate) -> Acceptance:
        return Acceptance(question, self._verifier, gate, self._reader)

    def _asked(
        self, prompt: Prompt, question: Question, blocks: AnswerBlocks, show: Show, begun: Callable[[], None]
    ) -> Reading:
        ids = [item.evidence_id for item, _ in question.evidence]
        request = Request(prompt, self._max_tokens, grammar=answer_grammar(ids))
        return read_answer(self._model, request, ids, blocks, show, begun)


def _cited_text(blocks: Sequence[Block]) -> str:
    """What may be shown of an answer with the markers of its sources, as a judge reads it."""
    sentences = [sentence for block in blocks for sentence in block.sentences]
    return "\n".join(" ".join([contained(sentence.text), *_markers(sentence)]) for sentence in sentences)


def _markers(sentence: Sentence) -> list[str]:
    return list(dict.fromkeys(marker_of(span.evidence_id) for span in sentence.spans))


def _draft(reading: Reading, question: Question) -> Draft:
    blocks = list(reading.blocks.blocks)
    factual = [sentence for block in blocks for sentence in block.sentences if sentence.factual]
    support = sum(sentence.support for sentence in factual) / len(factual)
    refused = bool(reading.blocks.refused)
    gaps = gaps_in(reading.missing, factual, question, refused=refused)
    return Draft(
        outcome="clear",
        blocks=[*blocks, *([paragraph(*map(remark, gaps.values()))] if gaps else [])],
        confidence=support * (PARTIAL if gaps or refused else 1.0),
        attributes=_attributes(factual, question),
        listed=[product.id for product in question.products] if len(question.products) > 1 else [],
        missing=list(gaps),
        answered_by="llm",
    )


def _attributes(factual: Sequence[Sentence], question: Question) -> list[str]:
    """Names of the attributes that are cited, which a follow-up question may ask of another product."""
    cited = {(span.evidence_id, span.start) for sentence in factual for span in sentence.spans}
    found = [
        name
        for item, _ in question.evidence
        if item.source_type in ("spec", "datasheet")
        for name, _, start, _ in attribute_lines(item)
        if (item.evidence_id, start) in cited
    ]
    return list(dict.fromkeys(found))


def _repair(dropped: Sequence[Dropped]) -> str:
    lines = [
        f"- {contained(one.text)}" + (f" (no source says: {contained(', '.join(one.failing))})" if one.failing else "")
        for one in dropped
    ]
    return prompt_text("repair").replace("{failures}", "\n".join(lines))


def _silent(_: Sequence[Block]) -> None:
    """Show nothing before its time."""


def _unasked() -> None:
    """Nothing else is asked for beside the answer."""
