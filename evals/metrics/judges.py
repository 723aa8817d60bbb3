"""Judges of answers: by words, and by a served model.

The lexical one stands in for the entailment model of the Cite Before You Speak paper (section 3) where no LLM is asked.
It shares no code and no threshold with the verifier of turns, and reads the whole evidence instead of the cited span;
it cannot know what a word means, so its figures tell changes, not truth.
"""

import re
from collections.abc import Callable, Sequence
from typing import Protocol

from app.errors import AppError
from app.settings import Settings
from evals.written_conversations import needed_model
from graph.language.control_tokens import contained
from graph.llm.model import LanguageModel, LanguageModelError, Prompt, Request
from graph.llm.prompts import prompt_text, static_prompt
from ingestion.lexical_index import FUNCTION_WORDS
from ingestion.stems import stem

LEAST_COVERED = 0.75
"""Share of a sentence's content words that must stand in the evidence."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")
_NEGATION = re.compile(r"(?i)\b(not|no|never|cannot|without|none|neither|nor)\b|n['’]t\b|:\s*false\b")
_CLAUSE = re.compile(r"(?<!\d)[.,](?!\d)|[;!?\n]|\bbut\b")
_ATTRIBUTION = frozenset(
    map(
        stem,
        """seller sellers customer customers reviewer reviewers review reviews says say said writes describes
        lists according manual specification description covers shop yes""".split(),
    )
)
"""Words with which an answer says who speaks; they claim nothing of the product."""


class Judge(Protocol):
    """Says whether a text is supported by evidence."""

    @property
    def name(self) -> str:
        """What a report calls it."""
        ...

    def supports(self, sentence: str, evidence: Sequence[str], known: str = "") -> bool:
        """Whether all the evidence together supports a sentence.

        Args:
            sentence: Without markers.
            evidence: The texts it must follow from.
            known: What needs no support, such as the product's name.
        """
        ...


class LexicalJudge:
    """Asks of a sentence that its figures stand in the evidence, most of its words do, and its negation is theirs."""

    name = (
        f"lexical overlap: every figure and {LEAST_COVERED:.0%} of the content words stand in the evidence, "
        "which negates what the sentence negates"
    )

    def supports(self, sentence: str, evidence: Sequence[str], known: str = "") -> bool:
        """Whether all the evidence together supports a sentence."""
        text = "\n".join(evidence)
        if not text or _figures(sentence) - _figures(f"{text} {known}"):
            return False
        said = _content(sentence) - _ATTRIBUTION - _content(known)
        if said and len(said & _content(text)) < LEAST_COVERED * len(said):
            return False
        there = _clauses(text)
        return all(_negated_alike(clause, there) for clause in _clauses(sentence) if _content(clause) & said)


def _figures(text: str) -> set[str]:
    return {_THOUSANDS.sub("", figure).replace(",", ".").removesuffix(".0") for figure in _FIGURE.findall(text)}


def _content(text: str) -> set[str]:
    words = (word.casefold().replace("’", "'") for word in _WORD.findall(text))
    return {stem(word) for word in words if word not in FUNCTION_WORDS and not _NEGATION.search(word)}


def _clauses(text: str) -> list[str]:
    return [clause for clause in _CLAUSE.split(text) if clause.strip()]


def _negated_alike(clause: str, there: Sequence[str]) -> bool:
    """Whether one of the clauses that share most words with this one is negated just when this one is."""
    said = _content(clause)
    shared = [len(said & _content(other)) for other in there]
    nearest = [other for other, count in zip(there, shared, strict=True) if count == max(shared)]
    return any(_negates(other) == _negates(clause) for other in nearest)


def _negates(text: str) -> bool:
    return bool(_NEGATION.search(text))


_GRAMMAR = 'root ::= "yes" | "no"'
_MAX_TOKENS = 8


class JudgeFailedError(AppError):
    """A served judge gave no verdict."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"The served model could not judge a sentence: {reason}. "
            "Check the endpoint with `footnote vllm --check`, or judge with --judge local."
        )


class ServedJudge:
    """Asks a model whether evidence supports a sentence; a grammar leaves it yes or no.

    Sentences that are judged by the same evidence share their prompt but for its end.

    Args:
        model: The served model.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """What a report calls it."""
        return f"the served model {self._model.name}, asked sentence by sentence"

    def supports(self, sentence: str, evidence: Sequence[str], known: str = "") -> bool:
        """Whether all the evidence together supports a sentence.

        Raises:
            JudgeFailedError: The model gave no verdict.
        """
        if not evidence:
            return False
        sources = "\n\n".join(map(contained, [*evidence, *([f"It is about: {known}"] if known else [])]))
        suffix = prompt_text("judge_sentence").replace("{sentence}", contained(sentence))
        prompt = Prompt(static_prompt(), f"<evidence>\n{sources}\n</evidence>\n\n", suffix)
        try:
            verdict = self._model.complete(Request(prompt, _MAX_TOKENS, grammar=_GRAMMAR)).text
        except LanguageModelError as error:
            raise JudgeFailedError(error.reason) from error
        word = verdict.strip().casefold().rstrip(".!")
        if word not in {"yes", "no"}:
            reason = "it answered neither yes nor no"
            raise JudgeFailedError(reason)
        return word == "yes"


def served_judge(settings: Callable[[], Settings] = Settings.load) -> ServedJudge:
    """The judge that the settings name.

    Raises:
        NoModelError: They name no endpoint.
        SettingsError: They cannot be used.
    """
    return ServedJudge(needed_model(settings().llm))
