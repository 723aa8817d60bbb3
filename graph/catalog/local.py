"""Catalog search over names in memory: page and session first, then the whole catalog."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from graph.catalog.alignment import Alignment, Spoken
from graph.catalog.categories import CategoryFinder
from graph.catalog.mentions import Mention, MentionFinder
from graph.catalog.names import NameIndex
from graph.catalog.ranking import ACCEPTED, NameRanking
from graph.catalog.strangers import Strangers
from graph.parts import CatalogResult
from graph.turn import MatchMethod, ProductMatch
from ingestion.evidence import Product

_NEAREST = 3
_NEAREST_SCORE = 0.5


class LocalCatalog:
    """The products that a question names, by exact, partial and mistyped names, then by search.

    Built once for a knowledge base; a question takes about a millisecond.

    Args:
        products: The catalog by id.
    """

    def __init__(self, products: Mapping[str, Product]) -> None:
        self._products = products
        self._names = NameIndex(products)
        self._finder = MentionFinder(self._names)
        self._strangers = Strangers(self._names)
        self._ranking = NameRanking(self._names)
        self._categories = CategoryFinder(products.values())

    def mentions(self, text: str, context: Sequence[str] = ()) -> list[Mention]:
        """Where a text names products, sold here or not, in order; `context` are ids at hand, nearest first."""
        question = self._finder.cut(text)
        found = self._finder.find(text, context)
        free = [unit for unit in question.units if not any(m.start <= unit.start < m.end for m in found)]
        strange = [Mention(s.start, s.end, (), known=False) for s in self._strangers.find(question, free)]
        return sorted([*found, *strange], key=lambda mention: mention.start)

    def category(self, text: str) -> tuple[str, ...]:
        """The catalog path that a text names by its words; empty for none."""
        return self._categories.find(self._finder.cut(text).units)

    def find(self, query: str, session: Sequence[str], page: Sequence[str]) -> CatalogResult:
        """Resolve mentions: by whole, partial and mistyped names, the products at hand first; then by search.

        A question that names nothing finds nothing: what it refers to is for the rewriter to say.
        """
        question = self._finder.cut(query)
        mentions = self._finder.find(query, [*page, *session])
        if not any(_is_decided(mention) for mention in mentions) and self._ranking.is_name(question):
            return self._search(question)
        at_hand = _AtHand(self._products, session, page)
        known = [self._literal(mention, query) for mention in mentions if mention.known]
        named = CatalogResult(
            matches=_distinct(at_hand.match(mention.fits[0]) for mention in known if len(mention.fits) == 1),
            tied=_distinct(at_hand.match(fit) for mention in known if len(mention.fits) > 1 for fit in mention.fits),
        )
        return self._with_unknown(named, question, mentions, at_hand)

    def rank(self, query: str, limit: int) -> list[ProductMatch]:
        """The products whose names are likest to the whole of a text, accepted or not, best first."""
        return [self._match(key, score) for key, score in self._ranking.rank(self._finder.cut(query), limit)]

    def _literal(self, mention: Mention, query: str) -> Mention:
        """Of names that differ in a sign alone ("White & Red"), the one that stands in the question as written."""
        said = query.casefold()
        exact = [fit for fit in mention.fits if self._products[fit.surface.product_id].name.casefold() in said]
        return replace(mention, fits=tuple(exact)) if len(exact) == 1 < len(mention.fits) else mention

    def _with_unknown(
        self, named: CatalogResult, question: Spoken, mentions: list[Mention], at_hand: "_AtHand"
    ) -> CatalogResult:
        """Add the names that are not sold here, and the category that the other words name."""
        free = [unit for unit in question.units if not any(m.start <= unit.start < m.end for m in mentions)]
        odd = [mention for mention in mentions if not mention.known]
        strangers = self._strangers.find(question, free)
        spans = [*((m.start, m.end) for m in odd), *((s.start, s.end) for s in strangers)]
        near = [at_hand.match(fit) for mention in odd for fit in mention.fits[:_NEAREST]]
        near += [self._match(key, _NEAREST_SCORE) for stranger in strangers for key in stranger.nearest[:_NEAREST]]
        return CatalogResult(
            matches=named.matches,
            tied=named.tied,
            unknown=tuple(dict.fromkeys(question.text[start:end] for start, end in spans)),
            nearest=_distinct(near),
            category=self._categories.find(free),
        )

    def _search(self, question: Spoken) -> CatalogResult:
        """Take the whole question for a name, and the likest product for what it means."""
        ranked = [self._match(key, score) for key, score in self._ranking.rank(question, _NEAREST)]
        if ranked and ranked[0].score >= ACCEPTED:
            return CatalogResult(matches=tuple(ranked[:1]))
        return CatalogResult(nearest=tuple(ranked), category=self._categories.find(question.units))

    def _match(self, key: str, score: float) -> ProductMatch:
        return ProductMatch(id=key, name=self._products[key].name, method="search", score=round(score, 4))


class _AtHand:
    """Turns what was found into matches that say where the product was at hand."""

    def __init__(self, products: Mapping[str, Product], session: Sequence[str], page: Sequence[str]) -> None:
        self._products = products
        self._session = frozenset(session)
        self._page = frozenset(page)

    def match(self, found: Alignment) -> ProductMatch:
        key = found.product_id
        return ProductMatch(id=key, name=self._products[key].name, method=self._method(found), score=found.score)

    def _method(self, found: Alignment) -> MatchMethod:
        if found.product_id in self._page:
            return "page"
        if found.product_id in self._session:
            return "session"
        exact = found.surface.brand.issuperset(found.missing) and found.similarity == 1.0 and found.ordered
        return "exact" if exact else "fuzzy"


def _is_decided(mention: Mention) -> bool:
    """Whether a name is given whole, or is not sold here: searching could only blur that."""
    return not mention.known or mention.fits[0].whole


def _distinct(matches: Iterable[ProductMatch]) -> tuple[ProductMatch, ...]:
    """Each product once, where it first stands."""
    first: dict[str, ProductMatch] = {}
    for match in matches:
        first.setdefault(match.id, match)
    return tuple(first.values())
