"""The settings of a catalog search outside of the index: where it is asked, how long, and how to read the answer."""

from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr

from app.backends.address import check_template
from app.backends.options import Expression

QUERY = "{query}"


def _template(text: str) -> str:
    if QUERY not in text or "{" in urlsplit(text).netloc:
        message = f"it needs {QUERY} in its path or its parameters"
        raise ValueError(message)
    check_template(text.replace(QUERY, ""))
    return text


class CatalogSearchOptions(BaseModel):
    """A search of the shop that is asked last, for names that the index does not tell.

    Attributes:
        url: Its address, with the place `{query}`; none for no such search.
        name: What users are told it is.
        headers: Sent with each request; `${NAME}` stands for an environment variable.
        timeout_s: Seconds for everything, retries included.
        retries: How often it is asked again when what went wrong may pass.
        cache_s: Seconds for which an answer is remembered.
        nothing_known: Statuses by which it says that it finds nothing.
        items: The products found, best first, in JMESPath; an object is a list of one.
        id: A product's id, read from each.
        product_name: Its name, which counts where no product of the index has the id.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: Annotated[str, AfterValidator(_template)] | None = None
    name: str = Field(default="the catalog search", pattern=r"\w", max_length=60)
    headers: dict[str, SecretStr] = Field(default_factory=dict)
    timeout_s: float = Field(default=0.5, gt=0, le=10)
    retries: int = Field(default=0, ge=0, le=5)
    cache_s: float = Field(default=0.0, ge=0)
    nothing_known: frozenset[int] = frozenset({204, 404})
    items: Expression = "@"
    id: Expression = "id"
    product_name: Expression = "name"
