"""An answer that broke off goes on with the local one: with what that tells and was not told yet."""

from collections.abc import Iterator

from graph.draft import Block, Draft, Sentence
from graph.language.terms import terms


def continued(begun: Draft, local: Draft) -> Draft:
    """What was shown of a model's answer, and behind it what a local answer adds.

    Args:
        begun: The verified beginning; it stays as it is.
        local: A verified answer to the same question.
    """
    if local.outcome != "clear":
        return begun
    told = _Told(begun)
    missing = [part for part in local.missing if not told.says(part)]
    lost = [part for part in local.missing if part not in missing]
    more = [kept for block in local.blocks for kept in told.left(block, lost)]
    return local.model_copy(
        update={
            "blocks": [*begun.blocks, *more],
            "confidence": min(begun.confidence, local.confidence),
            "attributes": list(dict.fromkeys([*begun.attributes, *local.attributes])),
            "listed": local.listed or begun.listed,
            "missing": missing,
            "answered_by": "llm",
        }
    )


class _Told:
    """What a draft tells."""

    def __init__(self, draft: Draft) -> None:
        sentences = [sentence for block in draft.blocks for sentence in block.sentences]
        self._spans = [span for sentence in sentences for span in sentence.spans]
        self._terms = {term for sentence in sentences for term in terms(sentence.text)}

    def says(self, text: str) -> bool:
        """Whether nothing in a text is new."""
        return set(terms(text)) <= self._terms

    def left(self, block: Block, lost: list[str]) -> Iterator[Block]:
        """What of a block is new; a table or procedure is whole or nothing."""
        fresh = [one for one in block.sentences if one.factual and not self._repeats(one)]
        if block.kind in ("table", "steps"):
            if fresh:
                yield block
            return
        stated = any(one.factual for one in block.sentences)
        kept = [one for one in block.sentences if not (one.factual and one not in fresh) and not _names(one, lost)]
        if kept and (fresh or not stated):
            yield block.model_copy(update={"sentences": kept if fresh == _factual(block) else fresh or kept})

    def _repeats(self, sentence: Sentence) -> bool:
        overlaps = any(
            one.evidence_id == told.evidence_id and one.start < told.end and told.start < one.end
            for one in sentence.spans
            for told in self._spans
        )
        return overlaps or self.says(sentence.text)


def _factual(block: Block) -> list[Sentence]:
    return [one for one in block.sentences if one.factual]


def _names(sentence: Sentence, parts: list[str]) -> bool:
    """Whether a sentence that states nothing speaks of one of these parts."""
    return not sentence.factual and any(part.casefold() in sentence.text.casefold() for part in parts)
