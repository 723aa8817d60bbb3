"""Gaps: the parts of a question that a model's answer leaves open, by its own word or by what was not shown of it."""

from collections.abc import Iterator, Sequence
from itertools import chain

from graph.answering.absence import gap
from graph.answering.parsed_clause import ParsedClause, analyse
from graph.answering.parts import together
from graph.draft import Sentence
from graph.intents.clauses import coordinates, split_clauses
from graph.language.families import covered_terms
from graph.language.terms import terms
from graph.parts import Question


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
    asked = analyse(question.standalone_query, names).specific
    told = (analyse(text, names) for text in missing)
    open_ = [part for part in told if part.specific and part.specific < asked]
    if refused:
        said = frozenset(chain.from_iterable(_terms_told(sentence, question) for sentence in shown))
        lost = [part for part in _parts(question, names) if part.specific and not part.specific & said]
        open_ += [part for part in lost if not any(part.specific & known.specific for known in open_)]
    return {part.text: gap(part, product, question) for part in open_}


def _parts(question: Question, names: tuple[str, ...]) -> list[ParsedClause]:
    """What a question asks for together; nothing where it asks for one thing."""
    clauses = [clause.text for clause in split_clauses(question.standalone_query)]
    parts = coordinates(together(clauses[0], names)) if len(clauses) == 1 else clauses
    return [analyse(part, names, question.standalone_query) for part in parts]


def _terms_told(sentence: Sentence, question: Question) -> Iterator[str]:
    """Terms of a sentence, of what it cites, and of what the attributes it cites are asked for by."""
    texts = {item.evidence_id: item.text for item, _ in question.evidence}
    yield from terms(sentence.text)
    for span in sentence.spans:
        quote = texts[span.evidence_id][span.start : span.end]
        yield from terms(quote)
        name, colon, value = quote.partition(": ")
        yield from covered_terms(name, value) if colon else ()
