"""Questions about a shop, labelled by its own data: what its evidence answers, and what nothing in it answers.

Asked are attributes that a product has (by their names, in a customer's words, and with yes or no, of the true value
and of another product's), attributes that only other products of its department have and whose words stand nowhere in
what is said about this one, rules by their kind, opinions, variants, and help articles by their titles. Some names are
misspelt.
"""

import random
import tomllib
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel

from app import demo
from evals.conversations.replay import Replayer
from evals.metrics.texts import contains
from evals.shops import ShopData
from evals.shops.labels import CitesRule, HoldsValue, Label, Nothing, TellsOf, TellsReviews, TellsSteps, TellsVariant
from graph.answering.steps import procedures
from graph.language.sentences import NO, YES, lower_name
from graph.language.terms import terms
from graph.turn import Turn
from ingestion.evidence import GLOSSARY, Evidence, Product

ATTRIBUTES, SPOKEN, YES_NO, ABSENT, RULES, VARIANTS = 5, 5, 3, 4, 4, 2
"""How many questions of each kind a product gets at most."""
TITLE_PHRASINGS = 2
"""How many ways a rule of the whole shop or an article is asked about."""
MISSPELT = 0.15
"""Share of questions about a product in which its name is misspelt."""
LEAST_REVIEWS = 3
"""Reviews of a product from which on its customers' opinions are asked for."""
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
"""When the demo shop is asked: its rules hold then."""
LONGEST = 40
"""Letters of the longest value that a customer would put in a question."""


class Phrasings(BaseModel):
    """How customers word what is asked, `phrasings.toml`, which says of each part what it asks for."""

    attribute: list[str]
    yes_no: list[str]
    matters: list[str]
    articles: list[str]
    procedures: list[str]
    opinions: list[str]
    variants: list[str]
    choices: list[str]
    spoken: dict[str, list[str]]
    rules: dict[str, list[str]]
    whole_shop: dict[str, list[str]]


PHRASINGS = Phrasings.model_validate(tomllib.loads(Path(__file__).with_name("phrasings.toml").read_text("utf-8")))


@dataclass(frozen=True, slots=True)
class ShopQuestion:
    """A question and what makes an answer to it right.

    Attributes:
        text: The question.
        kind: `attribute`, `spoken`, `yes_no`, `absent`, `rule`, `opinion`, `variant`, `matter`, `article` or
            `procedure`.
        subject: Id of the product, rule or article it is about; questions about one belong to one split.
        label: What makes an answer right.
    """

    text: str
    kind: str
    subject: str
    label: Label


def shop_questions(shop: ShopData, seed: int = 5) -> list[ShopQuestion]:
    """Make questions about each product, and about the rules and articles of the whole shop.

    Args:
        shop: What the shop hands over.
        seed: Other seeds make other questions.

    Returns:
        Each text once; the same for the same shop and seed.
    """
    own: dict[str, list[Evidence]] = {product: [] for product in shop.products}
    for item in shop.evidence:
        own.setdefault(item.product_id or "", []).append(item)
    shared = _terms_of(own.get("", []))
    made = list(_of_shop(own.get("", []), seed))
    for product in shop.products.values():
        choice = _choice(seed, product.id)
        made += _attributes(product, choice)
        made += _spoken(product, choice)
        made += _yes_or_no(product, shop.products, choice)
        made += _absent(product, shop.products, shared | _terms_of(own[product.id]), choice)
        made += _rules(product, own[product.id], choice)
        made += _opinions(product, own[product.id], choice)
        made += _variants(product, choice)
    return list({question.text: question for question in made}.values())


def answers_to(questions: Iterable[ShopQuestion], replayer: Replayer) -> Iterator[Turn]:
    """Ask questions about the demo shop of its index, each in a thread of its own."""
    assistant = replayer.assistant(demo.NAME, Path())
    replayer.clock.set(NOW)
    for question in questions:
        yield assistant.ask(question.text, thread=uuid.uuid4().hex)


def misspelt(text: str, choice: random.Random) -> str:
    """Swap, drop or double one letter."""
    places = [place for place, character in enumerate(text[:-1]) if character.isalpha() and text[place + 1].isalpha()]
    if not places:
        return text
    place = choice.choice(places)
    before, pair, after = text[:place], text[place : place + 2], text[place + 2 :]
    return before + choice.choice([pair[::-1], pair[0], pair[0] * 2 + pair[1]]) + after


def _attributes(product: Product, choice: random.Random) -> Iterator[ShopQuestion]:
    for name in _some(sorted(product.attributes), ATTRIBUTES, choice):
        label = HoldsValue(product.id, name, product.attributes[name])
        yield _asked("attribute", PHRASINGS.attribute, product, choice, label, attribute=lower_name(name))


def _spoken(product: Product, choice: random.Random) -> Iterator[ShopQuestion]:
    values = product.attributes | ({"Price": str(product.price)} if product.price else {})
    for name in _some([name for name in PHRASINGS.spoken if name in values], SPOKEN, choice):
        value = values[name].lower()
        label = HoldsValue(product.id, name, values[name], polar=value in YES if value in YES | NO else None)
        yield _asked("spoken", PHRASINGS.spoken[name], product, choice, label)


def _yes_or_no(product: Product, products: Mapping[str, Product], choice: random.Random) -> Iterator[ShopQuestion]:
    others = {name: _other_values(product, name, products) for name in sorted(product.attributes)}
    for name in _some([name for name in others if others[name]], YES_NO, choice):
        true = choice.choice((True, False))
        own = product.attributes[name]
        told = own if true else choice.choice(others[name])
        label = HoldsValue(product.id, name, own, polar=true)
        yield _asked("yes_no", PHRASINGS.yes_no, product, choice, label, attribute=lower_name(name), value=told)


def _other_values(product: Product, name: str, products: Mapping[str, Product]) -> list[str]:
    """Other products' values of an attribute; none where a value says yes or no, or is too long to be asked."""
    own = product.attributes[name]
    values = {other.attributes[name] for other in products.values() if name in other.attributes}
    if len(own) > LONGEST or own.lower() in YES | NO:
        return []
    return sorted(
        value
        for value in values
        if len(value) <= LONGEST
        and value.lower() not in YES | NO
        and not contains(own, value)
        and not contains(value, own)
    )


def _absent(
    product: Product, products: Mapping[str, Product], said: frozenset[str], choice: random.Random
) -> Iterator[ShopQuestion]:
    alike = [other for other in products.values() if other.category[:1] == product.category[:1]]
    names = sorted({name for other in alike for name in other.attributes})
    unsaid = [name for name in names if terms(name) and said.isdisjoint(terms(name))]
    for name in _some(unsaid, ABSENT, choice):
        spoken = [one for one in PHRASINGS.spoken.get(name, ()) if said.isdisjoint(terms(one.format(product="")))]
        phrasings = (*PHRASINGS.attribute, *spoken)
        yield _asked("absent", phrasings, product, choice, Nothing(), attribute=lower_name(name))


def _rules(product: Product, own: Sequence[Evidence], choice: random.Random) -> Iterator[ShopQuestion]:
    held = {item.source_type for item in own if _always_holds(item)}
    for kind in _some([kind for kind in PHRASINGS.rules if kind in held], RULES, choice):
        yield _asked("rule", PHRASINGS.rules[kind], product, choice, CitesRule(kind, product.id))


def _opinions(product: Product, own: Sequence[Evidence], choice: random.Random) -> Iterator[ShopQuestion]:
    if len({item.row_id for item in own if item.source_type == "review"}) >= LEAST_REVIEWS:
        yield _asked("opinion", PHRASINGS.opinions, product, choice, TellsReviews(product.id))


def _variants(product: Product, choice: random.Random) -> Iterator[ShopQuestion]:
    told = {one.id: tuple(one.attributes.values()) for one in product.variants if one.attributes}
    for key in _some(sorted(told) if len(told) > 1 else [], VARIANTS, choice):
        values = tuple(choice.sample(told[key], choice.randint(1, len(told[key]))))
        label = TellsVariant(product.id, values)
        yield _asked("variant", PHRASINGS.variants, product, choice, label, variant=", ".join(values))
    names = {name for one in product.variants for name in one.attributes}
    for name in _some(sorted(names) if len(told) > 1 else [], 1, choice):
        label = TellsVariant(product.id, ())
        yield _asked("variant", PHRASINGS.choices, product, choice, label, option=lower_name(name))


def _of_shop(shared: Sequence[Evidence], seed: int) -> Iterator[ShopQuestion]:
    """About the rules of the whole shop and its articles, by their titles."""
    told = {item.row_id: item for item in reversed(shared) if _of_no_group(item)}
    for row_id, item in told.items():
        article = item.source_type == "help_article"
        if not article and not (item.source_type in PHRASINGS.rules and _always_holds(item)):
            continue
        choice = _choice(seed, row_id)
        phrasings = PHRASINGS.articles if article else PHRASINGS.matters
        label = TellsOf(item.evidence_id.partition("#")[0], item.title)
        title = item.title[:1].lower() + item.title[1:]
        for phrasing in _some(phrasings, TITLE_PHRASINGS, choice):
            yield ShopQuestion(phrasing.format(title=title), "article" if article else "matter", row_id, label)
        if article and any(procedures([part]) for part in shared if part.row_id == row_id):
            asked = choice.choice(PHRASINGS.procedures).format(title=title)
            yield ShopQuestion(asked, "procedure", row_id, TellsSteps(label.evidence_id))


def _of_no_group(item: Evidence) -> bool:
    """Whether it is about the shop itself; a word of its own is explained by more than its entry in the glossary."""
    return not (item.category or item.brand) and item.section != GLOSSARY


def _always_holds(item: Evidence) -> bool:
    """Whether a rule holds for everyone, everywhere and at any time."""
    return not (item.region or item.membership or item.valid_from or item.valid_until) and item.audience != "seller"


def _asked(
    kind: str, phrasings: Sequence[str], product: Product, choice: random.Random, label: Label, **words: str
) -> ShopQuestion:
    name = misspelt(product.name, choice) if choice.random() < MISSPELT else product.name
    return ShopQuestion(choice.choice(phrasings).format(product=name, **words), kind, product.id, label)


def _some(found: Sequence[str], most: int, choice: random.Random) -> list[str]:
    return choice.sample(found, min(most, len(found)))


def _choice(seed: int, subject: str) -> random.Random:
    return random.Random(f"{seed}{subject}")  # noqa: S311 - reproducible, no secret


def _terms_of(evidence: Sequence[Evidence]) -> frozenset[str]:
    return frozenset(term for item in evidence for term in terms(f"{item.title} {item.section or ''} {item.text}"))
