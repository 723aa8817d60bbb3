"""Multi-UX inference: what a page shows of a turn beside the answer, asked for on the prompt of the answer.

After "Cite Before You Speak", section 5: what a new experience asks for is appended to a prompt that the server has
read already, so that it changes no other experience and costs no second reading.
"""

from collections.abc import Callable, Collection
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from graph.language.terms import terms
from graph.llm.acceptance import Acceptance
from graph.llm.markers import DraftedSegment
from graph.llm.model import Completion, LanguageModel, LanguageModelError, Prompt, Request
from graph.llm.prompts import prompt_text
from graph.turn import Blurb, Judgement, SideOutputs, Usage
from ingestion.spans import sentence_spans


@dataclass(frozen=True, slots=True)
class Experience:
    """One thing that a page can show beside the answer.

    Attributes:
        name: What it is asked for by, and the name of its suffix file.
        max_tokens: Most tokens of the reply.
        read: What may be shown of a reply, decided as an answer's sentences are, and of which model it is; empty where
            nothing may.
        grammar: EBNF that the reply follows; None where it has a form.
        form: What the reply holds as JSON.
        after_answer: Whether it reads the answer; the others run beside it.
    """

    name: str
    max_tokens: int
    read: Callable[[str, Acceptance, str], SideOutputs]
    grammar: str | None = None
    form: type[BaseModel] | None = None
    after_answer: bool = False

    def request(self, prompt: Prompt, answer: str) -> Request:
        """The answer's prompt under other instructions; the answer itself, with its sources, once it is written."""
        told = replace(prompt, suffix=prompt_text(self.name).replace("{answer}", answer))
        return Request(told, self.max_tokens, self.grammar, self.form.model_json_schema() if self.form else None)


_MOST_SENTENCES = 2
_BLURB_GRAMMAR = r"""root ::= sentence (" " sentence)?
sentence ::= [A-Z0-9] [^\n\[\]<>.]{8,200} "."
"""


def _card_text(text: str, acceptance: Acceptance, _: str) -> SideOutputs:
    """A card's sentences, each where some evidence bears it out, which is kept beside it."""
    flat = " ".join(text.split())
    spoken = [flat[start:end] for start, end in sentence_spans(flat)][:_MOST_SENTENCES]
    shown = [one for said in spoken if (one := acceptance.accepted((DraftedSegment(said),)))]
    if not shown:
        return SideOutputs()
    ids = dict.fromkeys(span.evidence_id for sentence in shown for span in sentence.spans)
    return SideOutputs(blurb=Blurb(text=" ".join(one.text.strip() for one in shown), evidence_ids=list(ids)))


_MOST_QUESTIONS = 3
_LONGEST = 120
_QUESTIONS_GRAMMAR = r"""root ::= question ("\n" question){0,2}
question ::= [A-Z] [^\n\[\]<>?]{8,110} "?"
"""


def _questions(text: str, acceptance: Acceptance, _: str) -> SideOutputs:
    """The first few questions, none that speaks of what neither evidence nor question holds."""
    question = acceptance.question
    known = {term for item, _ in question.evidence for term in terms(f"{item.title} {item.text}")}
    known.update(terms(question.standalone_query))
    lines = dict.fromkeys(line.strip("-*• ").strip() for line in text.splitlines())
    asked = [
        line
        for line in lines
        if line.endswith("?") and len(line) <= _LONGEST and terms(line) and set(terms(line)) <= known
        and line.casefold() != question.standalone_query.casefold()
    ]  # fmt: skip
    return SideOutputs(followups=asked[:_MOST_QUESTIONS])


class _Grades(BaseModel):
    model_config = ConfigDict(extra="forbid")

    relevancy: int = Field(ge=1, le=5)
    grounded: int = Field(ge=1, le=5)
    helped: bool


def _judgement(text: str, _: Acceptance, model: str) -> SideOutputs:
    """How well the answer answers and rests on its sources, with the model's name; none where the reply tells none."""
    try:
        grades = _Grades.model_validate_json(text)
    except ValidationError:
        return SideOutputs()
    return SideOutputs(judgement=Judgement(judge=model, **grades.model_dump()))


EXPERIENCES = {
    one.name: one
    for one in (
        Experience("followups", 120, _questions, grammar=_QUESTIONS_GRAMMAR),
        Experience("blurb", 120, _card_text, grammar=_BLURB_GRAMMAR),
        Experience("judge", 60, _judgement, form=_Grades, after_answer=True),
    )
}
"""All that can be asked for beside the cited answer, by name."""


class Accompaniment:
    """The experiences of one turn, on the answer's prompt; they begin once the server has read that."""

    def __init__(self, model: LanguageModel, names: Collection[str], prompt: Prompt, acceptance: Acceptance) -> None:
        self._model, self._prompt, self._acceptance = model, prompt, acceptance
        self._asked = [EXPERIENCES[name] for name in EXPERIENCES if name in names]
        self._pool = ThreadPoolExecutor(max_workers=max(len(self._asked), 1))
        self._running: list[tuple[Experience, Future[Completion]]] = []
        self.usage = Usage()
        self.failures: list[str] = []

    def begin(self, answer: str = "") -> None:
        """Ask for what does not need the answer; where there is one, for what reads it."""
        for experience in self._asked:
            if experience.after_answer is bool(answer):
                request = experience.request(self._prompt, answer)
                self._running.append((experience, self._pool.submit(self._model.complete, request)))

    def finished(self, answer: str) -> SideOutputs:
        """Ask for what reads the answer, if there is one, and wait for all."""
        if answer:
            self.begin(answer)
        found = SideOutputs()
        for experience, future in self._running:
            try:
                completion = future.result()
            except LanguageModelError as error:
                self.usage += error.usage
                self.failures.append(f"{experience.name}: {error.reason}")
                continue
            self.usage += completion.usage
            shown = experience.read(completion.text, self._acceptance, self._model.name)
            found = found.model_copy(update={name: getattr(shown, name) for name in shown.model_fields_set})
        self._pool.shutdown()
        return found
