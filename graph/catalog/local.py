"""The local catalog: the products that a question names, by the index of their names."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from math import exp

from graph.catalog.alignment import Alignment, Spoken
from graph.catalog.matching import CandidateSearch, Matched, MatcherWeights
from graph.catalog.mentions import Mention, MentionFinder
from graph.catalog.names import NameIndex
from graph.catalog.plausibility import SHORT, content, is_speech, may_be_name
from graph.catalog.units import NameUnit, synonyms_of, units
from graph.language.lexicon import AUXILIARIES, DEFINITE, FUNCTION_WORDS
from graph.language.terms import words_of
from graph.state import CatalogResult
from graph.trained import EVEN
from graph.turn import MatchMethod, ProductMatch
from ingestion.evidence import Product

CatalogPath = tuple[str, ...]
"""A catalog path, or how far it is named; empty for none."""


def _named_paths(products: Iterable[Product]) -> Mapping[tuple[str, ...], set[CatalogPath]]:
    """Words to the paths that they name: all words of an element name it, the last of the last one and its synonyms."""
    named: dict[tuple[str, ...], set[CatalogPath]] = defaultdict(set)
    called: dict[CatalogPath, frozenset[str]] = {}
    for path in {product.category: None for product in products if product.category}:
        for depth, element in enumerate(path, 1):
            words = tuple(unit.text for unit in units(element))
            if words:
                named[words].add(path[:depth])
            if depth == len(path) and len(words) > 1:
                named[words[-1:]].add(path)
            if depth == len(path) and words:
                called[path] = synonyms_of(words[-1])
    own = set(named)
    for path, synonyms in called.items():
        # What is a category of its own is not another one's synonym.
        for word in synonyms:
            if (word,) not in own:
                named[word,].add(path)
    return named


def _members(products: Mapping[str, Product]) -> Mapping[CatalogPath, tuple[str, ...]]:
    """The products of each path, and of each that it lies in."""
    members: dict[CatalogPath, list[str]] = defaultdict(list)
    for key, product in products.items():
        for depth in range(1, len(product.category) + 1):
            members[product.category[:depth]].append(key)
    return {path: tuple(keys) for path, keys in members.items()}


AtHand = Mapping[str, MatchMethod]
"""Products of the open page and of the conversation, by id, and at which of them each was at hand."""
_LINE = 64
"""Names that are looked at for the others of a line."""
_NEAREST = 3
_MOST_TIED = 3
_SAID_OF_IT = 2
"""Words at the end of "is the burner loud": what it is, and what is asked of it."""
_TIE = 0.7
"""From this share of the best candidate's probability on, another one ties with it."""


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
        self._candidates, self._weights = CandidateSearch(self._names), MatcherWeights.load()
        self._paths = _named_paths(products.values())
        self._members = _members(products)

    def mentions(self, text: str, context: Sequence[str] = ()) -> list[Mention]:
        """Where a text names products, sold here or not, in order; `context` are ids at hand, nearest first."""
        return self._finder.find(self._finder.cut(text), context)

    def holds(self, word: str) -> bool:
        """Whether some product's name holds a folded word."""
        return word in self._names

    def line(self, product_id: str) -> list[str]:
        """Ids of the products of a product's kind whose names share what tells its line, itself first."""
        name = next(iter(self._names.of_product(product_id)), None)
        shared = dict.fromkeys(name.distinctive - name.marks if name else (), 1.0)
        near = [surface.product_id for surface in self._names.candidates(shared, _LINE)]
        category = self._products[product_id].category if name else ()
        return list(dict.fromkeys([product_id, *(key for key in near if self._products[key].category == category)]))

    def category(self, text: str) -> tuple[str, ...]:
        """The catalog path that a text names by its words; empty for none."""
        return self._path_of(self._finder.cut(text).units)

    def _path_of(self, cut: Sequence[NameUnit]) -> CatalogPath:
        """The path that units name: the longest and then the deepest; what several paths share that one noun heads."""
        texts = [unit.text for unit in cut]
        for length in range(min(len(texts), 6), 0, -1):
            named = [self._paths.get(tuple(texts[i : i + length]), ()) for i in range(len(texts) - length + 1)]
            deepest = max(map(_shared, named), key=len)
            if deepest:
                return deepest
        return ()

    def find(self, query: str, session: Sequence[str], page: Sequence[str]) -> CatalogResult:
        """Resolve mentions: by whole, partial and mistyped names, the products at hand first; then by search.

        A question that names nothing finds nothing: what it refers to is for the rewriter to say.
        """
        question = self._finder.cut(query)
        at_hand: AtHand = {**dict.fromkeys(session, "session"), **dict.fromkeys(page, "page")}
        matched = self._matched(question)
        mentions = self._finder.find(question, [*page, *session])
        found = self._as_name(question, matched, mentions, at_hand) if matched else None
        if found is None:
            found = self._as_speech(question, mentions, at_hand)
            if matched is not None and found.unknown and not (found.matches or found.tied):
                found = replace(found, nearest=_distinct([*self._ranked(matched)[:1], *found.nearest]))
        found = replace(found, members=self._members.get(found.category, ()))
        named = found.matches or found.tied or found.unknown
        meant = [key for key in found.members if self._is_pointed_at(query, key)] if len(found.members) == 1 else []
        return found if named else replace(found, matches=tuple(map(self._only, meant)))

    def _is_pointed_at(self, query: str, key: str) -> bool:
        """Whether "the camping stove" stands in a question: what the only one of a kind is, and nothing else of it."""
        product = self._products[key]
        told = self._units_of(key).union(*({unit.text for unit in units(part)} for part in product.category))
        said = words_of(query)
        for index, word in enumerate(said):
            phrase = takewhile(lambda one: one.text not in FUNCTION_WORDS, said[index + 1 :])
            named = [unit.text for one in phrase for unit in units(one.text)] if word.text in DEFINITE else []
            known = list(takewhile(told.__contains__, named))
            if any(product.category in self._paths.get((unit,), ()) for unit in known):
                return True
            # Another word for it is often another thing's: "the pack size", "the light grey one".
            asks = said[0].text in AUXILIARIES and len(named) == len(known) + _SAID_OF_IT
            last = named[len(known) : len(known) + 1] if asks else named[-1:]
            if any(product.category in self._paths.get((unit,), ()) for unit in last):
                return True
        return False

    def _only(self, key: str) -> ProductMatch:
        return ProductMatch(id=key, name=self._products[key].name, method="search", score=1.0)

    def named(self, name: str) -> list[str]:
        """Ids of the products with exactly this name, however it is spelled."""
        cut = tuple(unit.text for unit in units(name, self._names))
        return list(dict.fromkeys(surface.product_id for surface in self._names.named(cut)))

    def rank(self, query: str, limit: int) -> list[ProductMatch]:
        """The products that the whole of a text may mean, accepted or not, likeliest first."""
        return self._ranked(self._weights.match(self._candidates.describe(query)))[:limit]

    def _matched(self, question: Spoken) -> Matched | None:
        """What the whole text means if it is a long name from elsewhere; None where it is something else."""
        if not may_be_name(question, self._names):
            return None
        matched = self._weights.match(self._candidates.describe(question.text))
        if not matched.ranked or self._is_kind_alone(question, matched.ranked[0][0]):
            return None
        return None if is_speech(question, self._units_of(matched.ranked[0][0])) else matched

    def _is_kind_alone(self, question: Spoken, key: str) -> bool:
        """Whether all that a text shares with a product's names is what kind of thing it is ("blender price")."""
        said = frozenset(word for word in content(question) if not word.isdecimal())  # a number alone names nothing
        return said & self._units_of(key) <= self._names.kinds and bool(self._path_of(question.units))

    def _as_name(
        self, question: Spoken, matched: Matched, mentions: list[Mention], at_hand: AtHand
    ) -> CatalogResult | None:
        """Take the whole text for a name from elsewhere; None where what it mentions says more."""
        whole = {mention.fits[0].product_id for mention in mentions if mention.known and mention.fits[0].whole}
        words = len(content(question))
        short, strange = words <= SHORT, any(not mention.known for mention in mentions)
        ranked = self._ranked(matched)
        if len(whole) > 1 or (short and strange) or (words < SHORT and whole):
            return None
        if words < SHORT and self._says_otherwise(question, ranked[0].id):
            return None if mentions else self._stranger(question, ranked)
        if matched.accepted:
            return CatalogResult(matches=(_placed(ranked[0], at_hand),))
        if words < SHORT:
            return None
        unknown = [question.text[mention.start : mention.end] for mention in mentions if not mention.known]
        return CatalogResult(
            tied=tuple(_placed(match, at_hand) for match in _tied(ranked)),
            unknown=tuple(unknown),
            nearest=tuple(ranked[:_NEAREST]),
            category=self._path_of(question.units),
        )

    def _as_speech(self, question: Spoken, mentions: list[Mention], at_hand: AtHand) -> CatalogResult:
        """Take a text for a sentence about products that it mentions."""
        known = [self._literal(mention, question.text) for mention in mentions if mention.known]
        free = [unit for unit in question.units if not any(m.start <= unit.start < m.end for m in mentions)]
        odd = [mention for mention in mentions if not mention.known]
        return CatalogResult(
            matches=_distinct(self._match(mention.fits[0], at_hand) for mention in known if len(mention.fits) == 1),
            tied=_distinct(
                self._match(fit, at_hand) for mention in known if len(mention.fits) > 1 for fit in mention.fits
            ),
            unknown=tuple(dict.fromkeys(question.text[mention.start : mention.end] for mention in odd)),
            nearest=_distinct(self._match(fit, at_hand) for mention in odd for fit in mention.fits[:_NEAREST]),
            category=self._path_of(free),
        )

    def _says_otherwise(self, question: Spoken, key: str) -> bool:
        """Whether a text says other words instead of all that it leaves out of a product's name."""
        name = self._names.of_product(key)[0]
        said = {unit for meant in question.meant for unit in meant}
        missing = set(name.units) - said
        other = [word for word in content(question) if word not in self._units_of(key) | said]
        return 0 < len(missing) <= len(other)

    def _stranger(self, question: Spoken, ranked: list[ProductMatch]) -> CatalogResult | None:
        """A text that names a maker of ours and none of its products is not sold here; None where it names none."""
        maker = {unit for surface in self._names.of_product(ranked[0].id) for unit in surface.maker}
        if not any(unit.text in maker for unit in question.units):
            return None
        return CatalogResult(unknown=(question.text.strip(),), nearest=tuple(ranked[:_NEAREST]))

    def _units_of(self, key: str) -> set[str]:
        return {unit for surface in self._names.of_product(key) for unit in surface.units}

    def _ranked(self, matched: Matched) -> list[ProductMatch]:
        """Candidates with the probability that the first is meant, the others' less as they score less."""
        best = matched.ranked[0][1] if matched.ranked else 0.0
        return [
            ProductMatch(
                id=key,
                name=self._products[key].name,
                method="search",
                score=round(matched.probability * exp(score - best), 4),
            )
            for key, score in matched.ranked
        ]

    def _literal(self, mention: Mention, query: str) -> Mention:
        """Of names that differ in a sign alone ("White & Red"), the one that stands in the question as written."""
        said = query.casefold()
        exact = [fit for fit in mention.fits if self._products[fit.surface.product_id].name.casefold() in said]
        return replace(mention, fits=tuple(exact)) if len(exact) == 1 < len(mention.fits) else mention

    def _match(self, found: Alignment, at_hand: AtHand) -> ProductMatch:
        exact = found.surface.brand.issuperset(found.missing) and found.similarity == 1.0 and found.ordered
        method: MatchMethod = at_hand.get(found.product_id) or ("exact" if exact else "fuzzy")
        name = self._products[found.product_id].name
        return ProductMatch(id=found.product_id, name=name, method=method, score=found.score)


def _shared(paths: Iterable[CatalogPath]) -> CatalogPath:
    return tuple(elements[0] for elements in zip(*paths, strict=False) if len(set(elements)) == 1)


def _placed(match: ProductMatch, at_hand: AtHand) -> ProductMatch:
    """A match that says where the product was at hand, if it was."""
    return match.model_copy(update={"method": at_hand[match.id]}) if match.id in at_hand else match


def _tied(ranked: Sequence[ProductMatch]) -> Sequence[ProductMatch]:
    """The first candidates where none is probable enough alone, yet all of about the same score are together."""
    near = [match for match in ranked[:_MOST_TIED] if match.score >= ranked[0].score * _TIE]
    return near if len(near) > 1 and sum(match.score for match in near) >= EVEN else ()


def _distinct(matches: Iterable[ProductMatch]) -> tuple[ProductMatch, ...]:
    """Each product once, where it first stands."""
    first: dict[str, ProductMatch] = {}
    for match in matches:
        first.setdefault(match.id, match)
    return tuple(first.values())
