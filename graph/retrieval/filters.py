"""Who may be told what, where and when: the filters every evidence passes."""

import re
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime

from graph.language.terms import fold, words
from graph.turn import User
from ingestion.evidence import Evidence, Product
from ingestion.grouping import concerns

CODE_LENGTH = 3
POSTAL_CODE = re.compile(r"(?i)\b(?:to|in|at|zip|code|postcode|zipcode)\s+(\d{5})\b")


def admissible(
    user: User,
    now: datetime,
    regions: Mapping[str, Sequence[str]],
    question: str,
    products: Sequence[Product] = (),
) -> Callable[[Evidence], bool]:
    """Build the filter of one turn: validity, audience, region, membership, and the group of products a fact is about.

    A place named in the question counts before the user's own region. A question about no product admits every group.
    """
    today = now.date().isoformat()
    places = places_named(question, regions) or ([user.region] if user.region else [])
    asked = set(words(question))

    def wanted(evidence: Evidence) -> bool:
        return (
            _valid(evidence, today)
            and (user.role is None or evidence.audience in ("both", user.role))
            and _in_region(evidence.region, places, regions)
            and _of_products(evidence, products)
            and (evidence.membership in (None, user.membership) or bool(asked & set(words(evidence.membership or ""))))
        )

    return wanted


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
    """Places found in a question as written: the shop's regions, what belongs to them, and postal codes."""
    known = dict.fromkeys(name for region, members in regions.items() for name in (region, *members))
    tokens = set() if question.isupper() else set(re.findall(r"[\w-]+", question))
    folded = f" {' '.join(words(question))} "
    named = [name for name in known if not name.isdigit() and _is_named(name, tokens, folded)]
    return [*named, *POSTAL_CODE.findall(question)]


def _is_named(name: str, tokens: AbstractSet[str], folded: str) -> bool:
    # A short code is a place only when written in capitals: "US" is one, "us" is not.
    return name in tokens if len(name) <= CODE_LENGTH else f" {' '.join(words(name))} " in folded


def _of_products(evidence: Evidence, products: Sequence[Product]) -> bool:
    if not products or (evidence.category is None and evidence.brand is None):
        return True
    return any(concerns(evidence, product) for product in products)


def _valid(evidence: Evidence, today: str) -> bool:
    return (evidence.valid_from or "") <= today <= (evidence.valid_until or "9999")


def _in_region(region: str | None, places: Sequence[str], regions: Mapping[str, Sequence[str]]) -> bool:
    if region is None or not places:
        return True
    return any(belongs(place, region, regions) for place in places)


def belongs(place: str, region: str, regions: Mapping[str, Sequence[str]]) -> bool:
    """Whether a place is in a region: equal, a prefix, or so named by the shop."""
    return any(_is_prefix(fold(name), fold(place)) for name in (region, *regions.get(region, ())))


def _is_prefix(name: str, place: str) -> bool:
    """Whether a name is a place or begins it: `94` begins `94107` and `US` begins `US-west`, `CA` not `California`."""
    if not place.startswith(name):
        return False
    rest = place[len(name) :]
    return not rest or name[-1:].isdigit() or not rest[0].isalnum()
