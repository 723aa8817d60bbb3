"""Who may be told what, where and when: the filters every evidence passes."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from graph.language.terms import fold, words
from graph.turn import User
from ingestion.evidence import Evidence, Product
from ingestion.grouping import concerns

REGION_EXACT = 0.2
REGION_FITS = 0.1


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


def regional_rank(user: User, regions: Mapping[str, Sequence[str]], question: str) -> Callable[[Evidence], float]:
    """How much a statement gains or loses by its region when a place is known: the narrowest region that fits, first."""
    places = places_named(question, regions) or ([user.region] if user.region else [])

    def rank(evidence: Evidence) -> float:
        if not places or evidence.region is None:
            return 0.0
        return REGION_EXACT if any(fold(place) == fold(evidence.region) for place in places) else REGION_FITS

    return rank


def places_named(question: str, regions: Mapping[str, Sequence[str]]) -> list[str]:
    """Names of the shop's regions, and of places that belong to them, found in the question as written."""
    known = [name for region, members in regions.items() for name in (region, *members)]
    # Two capitals are a country's code only when written so: "US" is a place, "us" is not.
    tokens = set(question.replace("?", " ").replace(",", " ").replace(".", " ").split())
    folded = f" {' '.join(words(question))} "
    return [
        name
        for name in dict.fromkeys(known)
        if (name in tokens if len(name) <= 3 or name.isdigit() else f" {' '.join(words(name))} " in folded)  # noqa: PLR2004
    ]


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
    """Whether a place is in a region: equal, a prefix either way of naming it, or so named by the shop."""
    place_key, region_key = fold(place), fold(region)
    if place_key == region_key or place_key.startswith(region_key):
        return True
    return any(place_key.startswith(fold(member)) for member in regions.get(region, ()))
