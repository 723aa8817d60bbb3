"""Settings of live backends and of an outside catalog, and the addresses they may have."""

import re
from collections.abc import Collection
from typing import Annotated
from urllib.parse import quote, urlsplit

import jmespath
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, model_validator

from graph.intents import DECISION_INTENTS
from graph.turn import User
from ingestion.evidence import Product
from ingestion.source_types import SOURCE_TYPES

PLACEHOLDERS = ("product_id", "product_name", "region", "membership", "role")
_PLACEHOLDER = re.compile(r"\{(\w+)(\??)\}")


def check_template(template: str) -> str:
    """Refuse a template that cannot become an address.

    Raises:
        ValueError: It is no http address, names something unknown, or lets a value choose the server.
    """
    for name, _ in _PLACEHOLDER.findall(template):
        if name not in PLACEHOLDERS:
            message = f"{{{name}}} is not known; known are {', '.join(f'{{{known}}}' for known in PLACEHOLDERS)}"
            raise ValueError(message)
    if re.search(r"[{}\s]", _PLACEHOLDER.sub("", template)):
        message = "a brace is left open, or a space stands in it"
        raise ValueError(message)
    parts = urlsplit(template)
    if parts.scheme not in ("http", "https") or not parts.hostname or "{" in parts.netloc:
        message = "it must begin with http:// or https:// and a server's name without placeholders"
        raise ValueError(message)
    if parts.username or parts.password:
        message = "a name or password in it would be logged; put it into headers, from an environment variable"
        raise ValueError(message)
    return template


def is_about_products(template: str) -> bool:
    """Whether an address is that of one product."""
    return any(name.startswith("product_") for name, _ in _PLACEHOLDER.findall(template))


def address_of(template: str, product: Product | None, user: User) -> str | None:
    """Fill a template, each value percent-encoded.

    Returns:
        The address; None where something is not known that it needs. `{region?}` may stay empty, `{region}` may not.
    """
    known = {
        "product_id": product.id if product else None,
        "product_name": product.name if product else None,
        "region": user.region,
        "membership": user.membership,
        "role": user.role,
    }
    # Dots alone are steps of a path, not a value.
    usable = {name: value for name, value in known.items() if value and value.strip(". ")}
    if any(name not in usable for name, optional in _PLACEHOLDER.findall(template) if not optional):
        return None
    return _PLACEHOLDER.sub(lambda found: quote(usable.get(found[1], ""), safe=""), template)


PLACE = re.compile(r"\{([^{}]+)\}")
"""A place in a text template that holds a JMESPath expression."""


def _compiled(expression: str) -> str:
    # A wrong expression is told when settings are read, not in a customer's turn.
    jmespath.compile(expression)
    return expression


def _template(text: str) -> str:
    for expression in PLACE.findall(text):
        _compiled(expression)
    if not PLACE.search(text) or re.search(r"[{}]", PLACE.sub("", text)):
        message = "it needs places such as {quantity}, each brace closed"
        raise ValueError(message)
    return text


def _one_of(known: Collection[str], what: str) -> AfterValidator:
    def check(name: str) -> str:
        if name not in known:
            message = f"{name!r} is no {what}; known are {', '.join(known)}"
            raise ValueError(message)
        return name

    return AfterValidator(check)


Expression = Annotated[str, Field(min_length=1), AfterValidator(_compiled)]
"""A JMESPath expression (jmespath.org)."""


class FactMapping(BaseModel):
    """Where a JSON answer holds facts; but for `text_template`, values are JMESPath expressions read from each fact.

    Attributes:
        items: The list of facts, read from the whole answer; an object is a list of one.
        id: Tells a fact from the others of its answer; by default its number.
        text: What is quoted.
        text_template: The same, composed: `{quantity} in stock at {store.name}`; `{product_name}` and `{product_id}`
            are those of the product it was asked about, unless the fact has its own.
        product_id: The product a fact is about, where the backend is not asked about one.
        attributes: Name to expression, told below the text where the text does not say them.
        title: And the further columns of a fact, which mean what they mean in a shop's `facts` file.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    items: Expression = "@"
    id: Expression | None = None
    text: Expression | None = None
    text_template: Annotated[str, AfterValidator(_template)] | None = None
    product_id: Expression | None = None
    attributes: dict[str, Expression] = Field(default_factory=dict)
    title: Expression | None = None
    url: Expression | None = None
    region: Expression | None = None
    audience: Expression | None = None
    membership: Expression | None = None
    updated_at: Expression | None = None
    valid_from: Expression | None = None
    valid_until: Expression | None = None

    @model_validator(mode="after")
    def _one_text(self) -> "FactMapping":
        if (self.text is None) == (self.text_template is None):
            message = "either text or text_template must say what is quoted, and not both"
            raise ValueError(message)
        return self


class ServiceOptions(BaseModel):
    """A service of the shop, and what a request to it may take.

    Attributes:
        name: What users are told it is: `the stock service`.
        headers: Sent with each request; `${NAME}` stands for an environment variable.
        timeout_s: Seconds for everything, retries included.
        retries: How often it is asked again when what went wrong may pass.
        cache_s: Seconds for which an answer is remembered.
        nothing_known: Statuses by which it says that it knows nothing of the matter.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=r"\w", max_length=60)
    headers: dict[str, SecretStr] = Field(default_factory=dict)
    timeout_s: float = Field(default=2.0, gt=0, le=30)
    retries: int = Field(default=1, ge=0, le=5)
    cache_s: float = Field(default=0.0, ge=0)
    nothing_known: frozenset[int] = frozenset({204, 404})


class BackendOptions(ServiceOptions):
    """One live backend.

    Attributes:
        intents: The intents it serves.
        source_type: The kind of its facts; of the products it is asked about, the index no longer tells this kind.
        url: Its address, with places such as `{product_id}`.
        facts: How to read its answers.
    """

    intents: frozenset[Annotated[str, _one_of(DECISION_INTENTS, "intent")]] = Field(min_length=1)
    source_type: Annotated[str, _one_of(sorted(SOURCE_TYPES), "kind of evidence")]
    url: Annotated[str, AfterValidator(check_template)]
    facts: FactMapping

    @property
    def slug(self) -> str:
        """Its name inside evidence ids: `stock-service`."""
        parts = re.findall(r"[^\W_]+", self.name.casefold())
        return "-".join(parts[1:] if parts[0] == "the" and len(parts) > 1 else parts)


def _distinct(backends: tuple[BackendOptions, ...]) -> tuple[BackendOptions, ...]:
    slugs = [backend.slug for backend in backends]
    for slug in slugs:
        if slugs.count(slug) > 1:
            message = f"two backends are called {slug!r}"
            raise ValueError(message)
    return backends


BackendList = Annotated[tuple[BackendOptions, ...], AfterValidator(_distinct)]
"""All backends, each with a name of its own."""


QUERY = "{query}"


def _search_template(text: str) -> str:
    if QUERY not in text or "{" in urlsplit(text).netloc:
        message = f"it needs {QUERY} in its path or its parameters"
        raise ValueError(message)
    check_template(text.replace(QUERY, ""))
    return text


class CatalogSearchOptions(ServiceOptions):
    """A search of the shop that is asked last, for names that the index does not tell.

    Attributes:
        url: Its address, with the place `{query}`; none for no such search.
        items: The products found, best first, in JMESPath; an object is a list of one.
        id: A product's id, read from each.
        product_name: Its name, which counts where no product of the index has the id.
    """

    url: Annotated[str, AfterValidator(_search_template)] | None = None
    name: str = Field(default="the catalog search", pattern=r"\w", max_length=60)
    timeout_s: float = Field(default=0.5, gt=0, le=10)
    retries: int = Field(default=0, ge=0, le=5)
    items: Expression = "@"
    id: Expression = "id"
    product_name: Expression = "name"
