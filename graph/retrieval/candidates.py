"""Candidates: dense and lexical search, filtered and fused."""

from collections.abc import Callable, Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from graph.language.locale import word_class
from graph.language.places import countries_named
from graph.language.terms import fold, words, words_of
from graph.parts import Encoder, KnowledgeBase, Vectors
from graph.state import WeightedText
from graph.turn import User
from ingestion.evidence import Evidence, Product, concerns

FUSION_CONSTANT = 60
"""The k of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009)."""

CHUNK_MEANING, WORDS, DOCUMENT_MEANING = (part / 6 for part in (3, 2, 1))
"""Weights of the convex combination. Chosen on train rows of the retrieval packs, where it ranks documents better than
words, meaning or reciprocal rank fusion alone."""


def reciprocal_rank_fusion(rankings: Sequence[Sequence[str]]) -> list[str]:
    """Join rankings by the sum of their reciprocal ranks, best first; ties by key."""
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, key in enumerate(ranking):
            scores[key] = scores.get(key, 0.0) + 1 / (FUSION_CONSTANT + rank + 1)
    return sorted(scores, key=lambda key: (-scores[key], key))


def convex_combination(
    chunk_cosines: NDArray[np.float32], lexical_scores: NDArray[np.float32], document_cosines: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Score candidates by all that is known of them, 0 to 1 (Bruch, Gai and Ingber, 2023).

    Unlike ranks, scores keep how much better one candidate is than the next. A document's own cosine tells chunks of
    like wording apart by what the rest of their documents is about.

    Args:
        chunk_cosines: Cosine of each candidate to the question.
        lexical_scores: Share each has of the best BM25 score, 0 where lexical search did not find it.
        document_cosines: Cosine of the document each belongs to.
    """
    combined = (
        CHUNK_MEANING * np.clip(chunk_cosines, 0.0, 1.0)
        + WORDS * lexical_scores
        + DOCUMENT_MEANING * np.clip(document_cosines, 0.0, 1.0)
    )
    return np.asarray(combined, dtype=np.float32)


CODE_LENGTH = 3
POSTAL_CODE_LENGTH = 5
_BEFORE_POSTAL_CODE = word_class("before_postal_code")


def admissible(
    user: User,
    now: datetime,
    regions: Mapping[str, Sequence[str]],
    question: str,
    products: Sequence[Product] = (),
    category_of: Callable[[str], tuple[str, ...]] = lambda _: (),
) -> Callable[[Evidence], bool]:
    """Build the filter of one turn: validity, audience, region, membership, and the group of products a fact is about.

    A place named in the question counts before the user's own region. A question about no product admits every group. A
    help article is about the group that its title names by `category_of` ("Return running shoes"), where it names one.
    """
    today = now.date().isoformat()
    places = places_named(question, regions) or ([user.region] if user.region else [])
    asked = set(words(question))

    def titled_after_others(evidence: Evidence) -> bool:
        path = category_of(evidence.title) if products and evidence.source_type == "help_article" else ()
        return bool(path) and all(product.category[: len(path)] != path for product in products)

    def wanted(evidence: Evidence) -> bool:
        grouped = evidence.category is not None or evidence.brand is not None
        return (
            (evidence.valid_from or "") <= today <= (evidence.valid_until or "9999")
            and (user.role is None or evidence.audience in ("both", user.role))
            and (not places or evidence.region is None or any(belongs(one, evidence.region, regions) for one in places))
            and (not (products and grouped) or any(concerns(evidence, product) for product in products))
            and not titled_after_others(evidence)
            and (evidence.membership in (None, user.membership) or bool(asked & set(words(evidence.membership or ""))))
        )

    return wanted


def holds_for(evidence: Evidence, in_question: Sequence[str], concerned: Sequence[str]) -> bool:
    """Whether what a search of the whole shop finds may be told, by the ids of the products that it has to be about.

    A manual of another product is no evidence: for the products in question, whose own are read whole; nor, where none
    is, for the kind of products that is named.
    """
    return evidence.product_id is None or (not in_question and (not concerned or evidence.product_id in concerned))


def narrowest(
    found: Sequence[tuple[Evidence, float]], user: User, regions: Mapping[str, Sequence[str]], question: str
) -> list[tuple[Evidence, float]]:
    """Drop rules of a wider region where the same kind of rule exists for exactly the place in question."""
    places = {fold(place) for place in places_named(question, regions) or ([user.region] if user.region else [])}
    exact = {_scope(item) for item, _ in found if item.region and fold(item.region) in places}
    return [
        (item, score)
        for item, score in found
        if item.region is None or fold(item.region) in places or _scope(item) not in exact
    ]


def _scope(item: Evidence) -> tuple[str, bool]:
    """Rules of one kind for a product or its group, or for the whole shop."""
    return item.source_type, item.product_id is None and item.category is None and item.brand is None


def places_named(question: str, regions: Mapping[str, Sequence[str]]) -> list[str]:
    """Places found in a question as written: the shop's regions, what belongs to them, postal codes, and places abroad.

    Of a place that the shop does not name, its country counts, unless the shop has rules for parts of it.
    """
    known = dict.fromkeys(name for region, members in regions.items() for name in (region, *members))
    said = words_of(question)
    written = set() if question.isupper() else {question[word.start : word.end] for word in said}
    folded = f" {' '.join(words(question))} "
    named = [name for name in known if not name.isdigit() and _is_named(name, written, folded)]
    codes = (code.text for before, code in pairwise(said) if before.text in _BEFORE_POSTAL_CODE)
    postal = [code for code in codes if code.isdecimal() and len(code) == POSTAL_CODE_LENGTH]
    return [*named, *postal, *_countries(question, known, regions)]


def _countries(question: str, known: Collection[str], regions: Mapping[str, Sequence[str]]) -> list[str]:
    """The countries of the places that a question names and the shop does not; none where it names no regions."""
    folded = set(map(fold, known))
    several = [names for place, names in countries_named(question) if regions and place not in folded]
    named = dict.fromkeys(next((name for name in names if fold(name) in folded), names[0]) for names in several)
    return [one for one in named if not _is_divided(one, regions)]


def abroad(places: Sequence[str], regions: Mapping[str, Sequence[str]]) -> list[str]:
    """Of places that a question names, the countries in none of the shop's regions."""
    return [one for one in places if not (one.isdecimal() or any(belongs(one, region, regions) for region in regions))]


def _is_divided(place: str, regions: Mapping[str, Sequence[str]]) -> bool:
    """Whether a place is in a region of which another is a part, as `US-west` is of `US`."""
    around = [region for region in regions if belongs(place, region, regions)]
    return any(part != one and _is_prefix(fold(one), fold(part)) for one in around for part in regions)


def _is_named(name: str, written: AbstractSet[str], folded: str) -> bool:
    # A short code is a place only when written in capitals: "US" is one, "us" is not.
    return name in written if len(name) <= CODE_LENGTH else f" {' '.join(words(name))} " in folded


def belongs(place: str, region: str, regions: Mapping[str, Sequence[str]]) -> bool:
    """Whether a place is in a region: equal, a prefix, or so named by the shop."""
    return any(_is_prefix(fold(name), fold(place)) for name in (region, *regions.get(region, ())))


def regions_elsewhere(places: Sequence[str], regions: Mapping[str, Sequence[str]]) -> frozenset[str]:
    """Folded names of the shop's regions, and of all in them, in which places are not; none for unknown places."""
    names = {region: {fold(name) for name in (region, *members)} for region, members in regions.items()}
    here = {region for region in regions if any(belongs(place, region, regions) for place in places)}
    near = frozenset().union(*(names[region] for region in here))
    return frozenset().union(*names.values()) - near if here else frozenset()


def _is_prefix(name: str, place: str) -> bool:
    """Whether a name is a place or begins it: `94` begins `94107` and `US` begins `US-west`, `CA` not `California`."""
    if not place.startswith(name):
        return False
    rest = place[len(name) :]
    return not rest or name[-1:].isdigit() or not rest[0].isalnum()


CANDIDATES = 50
"""Read from each ranking."""
CANDIDATES_WITH_HISTORY = 200
"""Read from the lexical ranking of each text, where those of several are added: what comes late in all may lead."""

Scores = NDArray[np.float32]


def find_candidates(
    knowledge: KnowledgeBase,
    encoder: Encoder,
    queries: Sequence[str],
    source_types: AbstractSet[str],
    recalled: Sequence[WeightedText] = (),
) -> tuple[list[str], Scores]:
    """Search the whole shop; several wordings of a question count by the best of them.

    Args:
        knowledge: What is searched.
        encoder: Embeds the question.
        queries: Wordings of one question, at least one; each is searched.
        source_types: Kinds of evidence that are wanted.
        recalled: What was said before; each wording is searched together with it.

    Returns:
        The chunks that may answer, best by reciprocal rank fusion first, and how well each does.
    """
    vectors = _with_history(encoder, queries, recalled)
    dense = [[key for key, _ in knowledge.dense(vector, source_types, CANDIDATES)] for vector in vectors]
    lexical = _lexical(knowledge, queries, source_types, recalled)
    found = reciprocal_rank_fusion([*dense, *map(list, lexical)])
    if not found:
        return [], np.zeros(0, dtype=np.float32)
    return found, convex_combination(
        chunk_cosines=(knowledge.vectors(found) @ vectors.T).max(axis=1),
        lexical_scores=np.max([_shares(found, scores) for scores in lexical], axis=0),
        document_cosines=(knowledge.document_vectors(found) @ vectors.T).max(axis=1),
    )


def _with_history(encoder: Encoder, queries: Sequence[str], recalled: Sequence[WeightedText]) -> Vectors:
    """A vector for each wording: the direction of its own and, as far as it counts, of what was said before."""
    vectors = encoder.encode([*queries, *(one.text for one in recalled)])
    own, before = vectors[: len(queries)], vectors[len(queries) :]
    weights = np.array([one.weight for one in recalled], dtype=np.float32)
    joined = own + weights @ before
    return np.asarray(joined / np.linalg.norm(joined, axis=1, keepdims=True), dtype=np.float32)


def _lexical(
    knowledge: KnowledgeBase, queries: Sequence[str], source_types: AbstractSet[str], recalled: Sequence[WeightedText]
) -> list[dict[str, float]]:
    """For each wording the best chunks by BM25, that of what was said before added by its weight."""
    limit = CANDIDATES_WITH_HISTORY if recalled else CANDIDATES
    before: dict[str, float] = {}
    for one in recalled:
        for key, score in knowledge.lexical(one.text, source_types, limit):
            before[key] = before.get(key, 0.0) + one.weight * score
    rankings = []
    for query in queries:
        own = dict(knowledge.lexical(query, source_types, limit))
        summed = {key: own.get(key, 0.0) + before.get(key, 0.0) for key in own | before}
        rankings.append(dict(sorted(summed.items(), key=lambda pair: (-pair[1], pair[0]))[:CANDIDATES]))
    return rankings


def _shares(found: Sequence[str], scores: Mapping[str, float]) -> Scores:
    best = max(scores.values(), default=1.0)
    return np.array([scores.get(key, 0.0) / best for key in found], dtype=np.float32)
