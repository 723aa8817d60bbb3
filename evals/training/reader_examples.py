"""What the encoder and the reader learn from: a question or a statement beside a passage, and what is known of both.

Each folder below `evals/training/shops` is one made-up shop: `shop/` as a shop hands over its files; `rows.jsonl`, a
row for each sentence that somebody asks for; `wishes.jsonl`, one for each that speaks for or against a product. Its
`README.md` says how they were written.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from evals.rows import Candidate, RankingRow, Row
from evals.shops import read_folder
from evals.training.recipe import pack_rows
from ingestion.evidence import Evidence
from ingestion.spans import sentence_spans
from ingestion.statements import as_read, plain

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


SHOPS = Path(__file__).parent / "shops"

Text = Annotated[str, Field(min_length=1)]
Answer = Literal["yes", "no", "depends"]
Fault = Literal[
    "changed_number",
    "lost_condition",
    "other_product",
    "other_region",
    "other_attribute",
    "added",
    "negated",
    "one_as_all",
]
"""The one thing in which a claim goes beyond its source."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class YesNoQuestion(_Part):
    """A yes-or-no question, and what the sentence says to it."""

    q: Text
    a: Answer


class FollowUp(_Part):
    """A message that leans on the customer's messages before it."""

    before: Annotated[tuple[Text, ...], Field(min_length=1)]
    q: Text


class UnsupportedClaim(_Part):
    """A statement close to the sentence that it does not bear out."""

    claim: Text
    kind: Fault


class ShopRow(_Part):
    """One sentence of a shop and what people say around it.

    Attributes:
        evidence: `source_type:row_id` of the row or document in which it stands.
        sentence: A sentence, list item, step or `Name: value` line, as it stands there.
        also: Other sentences of the shop without which the answer is not whole.
        questions: Messages that it answers.
        yes_no: Yes-or-no questions that it decides, or of which it says on what they depend.
        followup: A message that leans on earlier ones and is answered by it.
        near_misses: Messages that sound close and that it does not answer.
        supported: Statements in other words that it bears out, together with `also`.
        unsupported: Statements that it does not bear out.
    """

    evidence: Text
    sentence: Text
    also: tuple[Text, ...] = ()
    questions: Annotated[tuple[Text, ...], Field(min_length=1)]
    yes_no: tuple[YesNoQuestion, ...] = ()
    followup: FollowUp | None = None
    near_misses: Annotated[tuple[Text, ...], Field(min_length=1)]
    supported: Annotated[tuple[Text, ...], Field(min_length=1)]
    unsupported: Annotated[tuple[UnsupportedClaim, ...], Field(min_length=1)]


class WishRow(_Part):
    """One sentence about a product of a shop, and what people who look for goods type around it.

    Attributes:
        evidence: `source_type:row_id` of the row or document in which it stands.
        sentence: As it stands there.
        yes_no: Wishes for which it speaks (`yes`) or speaks against its product (`no`).
        near_misses: Wishes that sound close and for which it does neither.
    """

    evidence: Text
    sentence: Text
    yes_no: Annotated[tuple[YesNoQuestion, ...], Field(min_length=1)]
    near_misses: Annotated[tuple[Text, ...], Field(min_length=1)]


def shop_names() -> list[str]:
    """The names of the shops, in order."""
    return sorted(path.parent.name for path in SHOPS.glob("*/rows.jsonl"))


def read_shop_rows(name: str) -> list[ShopRow]:
    """The rows of a shop below `evals/training/shops`."""
    return rows_of(SHOPS / name)


def rows_of(folder: Path) -> list[ShopRow]:
    """The rows of a shop.

    Raises:
        ValidationError: A row has not the form of one.
    """
    return [ShopRow.model_validate_json(line) for line in _lines(folder / "rows.jsonl")]


def wishes_of(folder: Path) -> list[WishRow]:
    """The wishes of a shop.

    Raises:
        ValidationError: A row has not the form of one.
    """
    return [WishRow.model_validate_json(line) for line in _lines(folder / "wishes.jsonl")]


@dataclass(frozen=True, slots=True)
class AskedMessage:
    """What a customer types.

    Attributes:
        said: It, behind what was said before it.
        page: The product whose page is open.
        row: The sentence that answers it; None where that is for the local answer to say.
        says: What that sentence says to a yes-or-no question.
        made: Whether it was made from the shop's own data, so that the local answer to it can be taught.
    """

    said: Sequence[str]
    page: str | None = None
    row: ShopRow | None = None
    says: Answer | None = None
    made: bool = False


def written_for(shop: str, evidence: Iterable[Evidence]) -> Iterator[AskedMessage]:
    """What customers type who were made up with a shop, on the page of the product that their row is about.

    Args:
        shop: Its folder below `evals/training/shops`.
        evidence: All that it says.
    """
    pages = {f"{one.source_type}:{one.row_id}": one.product_id for one in evidence}
    for row in read_shop_rows(shop):
        page = pages.get(row.evidence)
        yield from (AskedMessage((text,), page, row) for text in row.questions)
        yield from (AskedMessage((one.q,), page, row, one.a) for one in row.yes_no)
        yield from (AskedMessage((text,), page) for text in row.near_misses)
        if row.followup is not None:
            yield AskedMessage((*row.followup.before, row.followup.q), page, row)


def _lines(file: Path) -> list[str]:
    return [line for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


READING, RANKING, ANSWERS, INFERENCE = "reading-shops", "ranking-epqa-dev", "answers-hetpqa", "support-nli"
Said = Literal["yes", "no", "depends", "neither"]
RELATIONS: Mapping[str, Said] = {"entailment": "yes", "contradiction": "no", "neutral": "neither"}
"""What evidence says to a statement; yes-or-no questions alone are too few to learn it from."""
HELPS = {2: 1.0, 1: 0.4, 0: 0.0}
"""How far a candidate answers that fully answers, helps, or does neither."""
CHUNK_SHARE = 0.2
"""Of the questions, those beside whole chunks; the others stand beside sentences."""
LONGEST = 420
"""Characters of a chunk that fits the reader's window."""

_YES_NO = re.compile(r"(?i)^(?:is|are|was|do|does|did|can|could|will|would|should|has|have|am|may|so|ok)\b")
_POLAR = re.compile(r"(?i)(yes|no)\b")


@dataclass(frozen=True, slots=True)
class ReaderExample:
    """A pair and what is known of it; None is unknown, and teaches nothing.

    Attributes:
        first: A question or a statement.
        second: A passage behind what names it.
        answers: How far the passage answers the question, 0 to 1.
        said: What it says to a yes-or-no question.
        supported: Whether it bears the statement out.
    """

    first: str
    second: str
    answers: float | None = None
    said: Said | None = None
    supported: bool | None = None


@dataclass(frozen=True, slots=True)
class ShopQuestion:
    """A message and the sentence that answers it.

    Attributes:
        text: The message; of a follow-up behind the one before it.
        sentence: The sentence behind what names it.
        chunk: The same of the chunk in which it stands.
        said: What it says to a yes-or-no question; None where the message is none.
        also: Other sentences that belong to the answer.
    """

    text: str
    sentence: str
    chunk: str
    said: Said | None = None
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShopLessons:
    """What one shop teaches.

    Attributes:
        questions: Messages with what answers them.
        near_misses: Messages with a sentence that sounds close and does not answer.
        claims: Statements beside what they are about.
        chunks: Every sentence of the shop with its chunk, both behind what names them.
    """

    questions: Sequence[ShopQuestion]
    near_misses: Sequence[tuple[str, str]]
    claims: Sequence[ReaderExample]
    chunks: Mapping[str, str]


def made_up_shop(name: str) -> ShopLessons:
    """What a shop below `evals/training/shops` teaches."""
    evidence = read_folder(SHOPS / name / "shop").evidence
    rows = [(row, standing(row, evidence)) for row in read_shop_rows(name)]
    wishes = [(row, standing(row, evidence)) for row in wishes_of(SHOPS / name)]
    shown = [(row, as_read(item, row.sentence), as_read(item, item.text)) for row, item in rows]
    wished = [(row, as_read(item, row.sentence), as_read(item, item.text)) for row, item in wishes]
    return ShopLessons(
        questions=[
            *(question for row, *texts in shown for question in _questions(row, *texts)),
            *(ShopQuestion(one.q, sentence, chunk, one.a) for row, sentence, chunk in wished for one in row.yes_no),
        ],
        near_misses=[
            *((text, sentence) for row, sentence, _ in shown for text in row.near_misses),
            *((text, sentence) for row, sentence, _ in wished for text in row.near_misses),
        ],
        claims=[claim for row, sentence, _ in shown for claim in _claims(row, sentence)],
        chunks=_chunks(evidence),
    )


class WrittenMessages(Row):
    """Messages of the pack `reading-shops` that a sentence of a shop answers, and one that it nearly does."""

    shop: str
    evidence_id: str
    sentence: str
    questions: list[str]
    near_miss: str


class AnsweredQuestion(Row):
    """A question of the pack `answers-hetpqa`, the evidence that answers it, and what people answered."""

    question: str
    evidence: list[Candidate] = Field(min_length=1)
    answers: list[str]


class Inference(Row):
    """A statement of the pack `support-nli`, and how evidence bears on it."""

    claim: str
    evidence: list[str]
    label: bool
    nli_label: Literal["entailment", "contradiction", "neutral"]


def written_messages(folder: Path, shops: Mapping[str, Path]) -> list[ShopLessons]:
    """What the pack `reading-shops` teaches.

    Args:
        folder: The pack.
        shops: The files of each of its shops.
    """
    rows = pack_rows(folder / "data.jsonl", WrittenMessages, "train")
    found = []
    for shop, files in shops.items():
        evidence = read_folder(files).evidence
        by_id = {item.evidence_id: item for item in evidence}
        own = [(row, by_id[row.evidence_id]) for row in rows if row.shop == shop]
        questions = [
            ShopQuestion(text, as_read(item, row.sentence), as_read(item, item.text))
            for row, item in own
            for text in row.questions
        ]
        misses = [(row.near_miss, as_read(item, row.sentence)) for row, item in own]
        found.append(ShopLessons(questions, misses, [], _chunks(evidence)))
    return found


def shop_examples(lessons: ShopLessons, negatives: Sequence[Sequence[str]], random: Random) -> Iterator[ReaderExample]:
    """The pairs of a shop; `negatives` are sentences that do not answer, for each of its questions."""
    for question, others in zip(lessons.questions, negatives, strict=True):
        whole = random.random() < CHUNK_SHARE and len(question.chunk) < LONGEST
        yield ReaderExample(question.text, question.chunk if whole else question.sentence, 1.0, question.said)
        bare = question.sentence.split(": ", 1)[-1]
        for other in others:
            text = lessons.chunks.get(other, other) if whole else other
            if bare not in text and len(text) < LONGEST:
                yield _unanswered(question.text, text, yes_no=question.said is not None)
    yield from (_unanswered(text, sentence) for text, sentence in lessons.near_misses)
    yield from lessons.claims


def pack_examples(bench: Path) -> Iterator[ReaderExample]:
    """Pairs of the train rows of the other packs; evidence that does not fit the reader's window is left out.

    Raises:
        InputError: They are missing or malformed.
    """
    for ranking in pack_rows(bench / RANKING / "data.jsonl", RankingRow, "train"):
        for one in ranking.candidates:
            yield ReaderExample(ranking.query, one.text, answers=HELPS[ranking.relevance[one.id]])
    for row in pack_rows(bench / ANSWERS / "data.jsonl", AnsweredQuestion, "train"):
        if (said := _polarity(row.answers)) is not None:
            yield ReaderExample(row.question, row.evidence[0].text, 1.0, said)
    for inferred in pack_rows(bench / INFERENCE / "data.jsonl", Inference, "train"):
        evidence = " ".join(inferred.evidence)
        if len(evidence) < LONGEST:
            said = RELATIONS[inferred.nli_label]
            yield ReaderExample(inferred.claim, evidence, said=said, supported=inferred.label)


def standing(row: ShopRow | WishRow, evidence: Iterable[Evidence]) -> Evidence:
    """The chunk in which a row's sentence stands."""
    own = (item for item in evidence if f"{item.source_type}:{item.row_id}" == row.evidence)
    return next(item for item in own if plain(row.sentence) in plain(item.text))


def _questions(row: ShopRow, sentence: str, chunk: str) -> Iterator[ShopQuestion]:
    yield from (ShopQuestion(text, sentence, chunk, None, row.also) for text in row.questions)
    yield from (ShopQuestion(asked.q, sentence, chunk, asked.a, row.also) for asked in row.yes_no)
    if row.followup is not None:
        yield ShopQuestion(f"{row.followup.before[-1]} {row.followup.q}", sentence, chunk, None, row.also)


def _claims(row: ShopRow, sentence: str) -> Iterator[ReaderExample]:
    whole = " ".join([sentence, *map(plain, row.also)])
    yield from (ReaderExample(claim, whole, supported=True) for claim in row.supported)
    yield from (ReaderExample(one.claim, whole, supported=False) for one in row.unsupported)


def _chunks(evidence: Iterable[Evidence]) -> dict[str, str]:
    return {
        as_read(item, item.text[start:end]): as_read(item, item.text)
        for item in evidence
        for start, end in sentence_spans(item.text)
    }


def _unanswered(question: str, text: str, *, yes_no: bool = False) -> ReaderExample:
    asked = yes_no or _YES_NO.match(question)
    return ReaderExample(question, text, answers=0.0, said="neither" if asked else None)


def _polarity(answers: Sequence[str]) -> Said | None:
    """What answers begin with, where they agree."""
    said: set[Said] = {"yes" if found[1].lower() == "yes" else "no" for one in answers if (found := _POLAR.match(one))}
    return said.pop() if len(said) == 1 else None


DRAWN, NEAREST = 1, 12
"""Drawn for each question from so many nearest ones."""
SAME = 0.8
"""Cosine to the right sentence from which on another is taken to say the same."""
NEARER = 0.1
"""What is so much nearer to the question than the right sentence may well answer too."""
LOOKED_AT = 40


def hard_negatives(lessons: ShopLessons, encoder: "SentenceTransformer", random: Random) -> list[list[str]]:
    """For each question of a shop, a few sentences that sound close.

    Args:
        lessons: The shop.
        encoder: Tells what is near; the better it is taught, the harder they are.
        random: Draws among the nearest.
    """
    sentences = list(dict.fromkeys([*lessons.chunks, *(one.sentence for one in lessons.questions)]))
    place = {sentence: at for at, sentence in enumerate(sentences)}
    vectors = encoder.encode(sentences, normalize_embeddings=True)
    asked = encoder.encode([one.text for one in lessons.questions], normalize_embeddings=True)
    found = []
    for question, scores in zip(lessons.questions, asked @ vectors.T, strict=True):
        right = place[question.sentence]
        like = vectors @ vectors[right]
        near = [
            sentences[at]
            for at in np.argsort(-scores, kind="stable")[:LOOKED_AT].tolist()
            if at != right and like[at] < SAME and scores[at] < scores[right] + NEARER
        ]
        others = _not_answering(question, near)[:NEAREST]
        found.append(random.sample(others, min(DRAWN, len(others))))
    return found


def _not_answering(question: ShopQuestion, sentences: Sequence[str]) -> list[str]:
    """Those that are neither part of the answer nor the same words elsewhere."""
    bare = question.sentence.split(": ", 1)[-1]
    return [
        one for one in sentences if one.split(": ", 1)[-1] != bare and not any(also in one for also in question.also)
    ]
