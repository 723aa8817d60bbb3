"""The rows of a shop's tables and the metadata of its documents, checked."""

import math
import re
from typing import Annotated, Any, ClassVar, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    field_validator,
    model_validator,
)

from ingestion.evidence import Money
from ingestion.readers import values
from ingestion.readers.cleaning import CELL_LIMIT, NAME_LIMIT, customer_prose, too_long
from ingestion.readers.markup import seller_prose
from ingestion.source_types import SOURCE_TYPES

Identifier = Annotated[str, BeforeValidator(values.as_identifier), Field(min_length=1, max_length=NAME_LIMIT)]
Name = Annotated[str, BeforeValidator(values.as_text), Field(min_length=1, max_length=NAME_LIMIT)]
Line = Annotated[str, BeforeValidator(values.as_text), Field(min_length=1, max_length=CELL_LIMIT)]
IsoDate = Annotated[str, BeforeValidator(values.as_iso_date)]
Names = Annotated[tuple[Annotated[str, Field(max_length=NAME_LIMIT)], ...], BeforeValidator(values.as_list)]
Category = Annotated[tuple[Annotated[str, Field(max_length=NAME_LIMIT)], ...], BeforeValidator(values.as_category)]
RowText = Field(min_length=1)
CustomerProse = Annotated[str, BeforeValidator(lambda value: customer_prose(str(value))), RowText]
SellerProse = Annotated[str, BeforeValidator(lambda value: seller_prose(str(value))), RowText]


class LeftOut(list[str]):
    """Told what was left out of a row; given as the context of a validation, which without it refuses the row."""


def _leave_out(value: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:  # noqa: ANN401
    try:
        return handler(value)
    except ValidationError as error:
        if not isinstance(info.context, LeftOut):
            raise
        info.context.append(f"{info.field_name} is left out: {explain(error)}")
        return None


Dispensable = WrapValidator(_leave_out)
"""A column without which the rest of its row holds as before."""


def _short_attributes(attributes: dict[str, str], info: ValidationInfo) -> dict[str, str]:
    """Leave out single attributes that are too long to be shown on a line."""
    long = {name: text for name, text in attributes.items() if len(name) > NAME_LIMIT or len(text) > CELL_LIMIT}
    for name, text in long.items():
        reason = f"the attribute {name[:NAME_LIMIT]!r} {too_long(len(name) + len(text), CELL_LIMIT)}"
        if not isinstance(info.context, LeftOut):
            raise ValueError(reason)  # noqa: TRY004 - what pydantic expects of a wrong value
        info.context.append(f"{reason}; it is left out")
    return {name: text for name, text in attributes.items() if name not in long}


Attributes = Annotated[dict[str, str], BeforeValidator(values.as_attributes), AfterValidator(_short_attributes)]
Beside = Annotated[Line | None, Dispensable]
"""A line that stands beside what a row says."""
Heading = Annotated[Name | None, Dispensable]


class Row(BaseModel):
    """Base of all rows: empty columns count as absent, unknown ones are kept."""

    model_config = ConfigDict(extra="allow", frozen=True)

    beside: ClassVar[tuple[str, ...]] = ()
    """Columns that no evidence shows, kept with it like those the contract does not name."""

    @model_validator(mode="before")
    @classmethod
    def _drop_empty(cls, data: Any) -> Any:  # noqa: ANN401 - any JSON value
        if not isinstance(data, dict):
            return data
        return {name: value for name, value in data.items() if value not in (None, "", [], {})}


def _as_amount(money: Money) -> Money:
    """Check a price."""
    if not 0 <= money.amount < math.inf:
        message = f"{money.amount} is no amount"
        raise ValueError(message)
    return money


PriceColumn = Annotated[Money, BeforeValidator(values.as_price), AfterValidator(_as_amount)]
Stars = Annotated[float, BeforeValidator(values.as_rating), Field(ge=1, le=5)]
ChangeDate = Annotated[IsoDate | None, Dispensable]


class VariantRow(Row):
    """A variant of a product row."""

    id: Identifier = ""
    attributes: Attributes = Field(default_factory=dict)
    price: Annotated[PriceColumn | None, Dispensable] = None
    in_stock: Annotated[Annotated[bool, BeforeValidator(values.as_in_stock)] | None, Dispensable] = None

    @model_validator(mode="before")
    @classmethod
    def _gather_attributes(cls, data: Any) -> Any:  # noqa: ANN401 - any JSON value
        """Take a variant's other columns as its attributes where it has none of that name."""
        if not isinstance(data, dict) or "attributes" in data:
            return data
        own = {"id", "price", "in_stock"}
        others = {name: value for name, value in data.items() if name not in own}
        return {**{name: data[name] for name in own & set(data)}, "attributes": others}


class ProductRow(Row):
    """A row of `products`."""

    id: Identifier
    name: Name
    brand: Name | None = None
    category: Category = ()
    aliases: Names = ()
    url: Beside = None
    image: Beside = None
    price: Annotated[PriceColumn | None, Dispensable] = None
    attributes: Attributes = Field(default_factory=dict)
    features: Annotated[tuple[SellerProse, ...], BeforeValidator(values.as_list)] = ()
    description: SellerProse | None = None
    variants: tuple[VariantRow, ...] = ()
    related: Names = ()
    updated_at: ChangeDate = None


class ReviewRow(Row):
    """A row of `reviews`."""

    beside: ClassVar[tuple[str, ...]] = ("verified",)

    id: Identifier
    product_id: Identifier
    text: CustomerProse
    title: Heading = None
    rating: Annotated[Stars | None, Dispensable] = None
    date: ChangeDate = None
    url: Beside = None
    verified: Any = None


class QuestionRow(Row):
    """A row of `questions`."""

    beside: ClassVar[tuple[str, ...]] = ("votes",)

    id: Identifier
    product_id: Identifier
    question: CustomerProse
    answer: CustomerProse
    date: ChangeDate = None
    url: Beside = None
    votes: Any = None


Audience = Literal["buyer", "seller", "both"]
_AUDIENCES = {"buyers": "buyer", "sellers": "seller", "all": "both"}


def _as_audience(value: Any) -> str:  # noqa: ANN401 - any JSON value
    said = values.as_text(value).lower()
    words = {_AUDIENCES.get(word, word) for word in map(str.strip, re.split(r"[,;/&+]|\band\b", said))}
    if words <= {"buyer", "seller", "both"}:
        return words.pop() if len(words) == 1 else "both"
    return said


AudienceColumn = Annotated[Audience, BeforeValidator(_as_audience)]


class FactRow(Row):
    """A row of `facts`."""

    id: Identifier
    source_type: Name
    text: SellerProse
    product_id: Identifier | None = None
    category: Category = ()
    brand: Name | None = None
    region: Name | None = None
    audience: AudienceColumn = "both"
    membership: Name | None = None
    attributes: Attributes = Field(default_factory=dict)
    valid_from: IsoDate | None = None
    valid_until: IsoDate | None = None
    url: Beside = None
    updated_at: ChangeDate = None
    title: Heading = None

    @field_validator("source_type")
    @classmethod
    def _known_kind(cls, value: str) -> str:
        kind = value.lower().replace(" ", "_").replace("-", "_")
        if kind not in SOURCE_TYPES:
            message = f"{value!r} is no kind of evidence; known are {', '.join(sorted(SOURCE_TYPES))}"
            raise ValueError(message)
        return kind

    @model_validator(mode="after")
    def _valid_interval(self) -> "FactRow":
        if self.valid_from and self.valid_until and self.valid_from > self.valid_until:
            message = f"valid_until ({self.valid_until}) lies before valid_from ({self.valid_from})"
            raise ValueError(message)
        return self


def _as_keywords(value: Any) -> list[str]:  # noqa: ANN401 - any JSON value
    return values.as_list(value.split(",") if isinstance(value, str) else value)


class DocumentMeta(Row):
    """Front matter or sidecar of a document."""

    beside: ClassVar[tuple[str, ...]] = ("lang",)

    id: Identifier | None = None
    kind: Literal["help_article", "manual", "datasheet"] | None = None
    title: Name | None = None
    description: Line | None = None
    keywords: Annotated[tuple[Annotated[str, Field(max_length=CELL_LIMIT)], ...], BeforeValidator(_as_keywords)] = ()
    audience: AudienceColumn = "both"
    product_id: Identifier | None = None
    url: Line | None = None
    updated_at: IsoDate | None = None
    lang: Line | None = None


def kept_columns(row: Row) -> dict[str, Any]:
    """The columns of a row that its evidence does not show: those `beside` and all that no contract names."""
    beside = {name: getattr(row, name) for name in row.beside}
    return (row.__pydantic_extra__ or {}) | {name: value for name, value in beside.items() if value is not None}


_SAID = {
    "missing": "is missing",
    "string_too_short": "is empty",
    "too_short": "is empty",
    "extra_forbidden": "is no name that is known there",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "dict_type": "must be an object of names and values",
    "model_type": "must be an object",
    "dataclass_type": "must be an object",
    "model_attributes_type": "must be an object",
    "float_parsing": "must be a number",
    "float_type": "must be a number",
    "string_type": "must be a text",
    "bool_parsing": "must be true or false",
}
"""Pydantic's names for what is wrong, in words for a shop."""


def explain(error: ValidationError) -> str:
    """Say in one line what is wrong with a row."""
    problems = []
    for problem in error.errors():
        where = ".".join(str(part) for part in problem["loc"])
        said = _SAID.get(problem["type"])
        if problem["type"] in {"string_too_long", "too_long"}:
            limits = problem["ctx"]
            said = too_long(limits.get("actual_length", len(problem["input"])), limits["max_length"])
        what = problem["msg"].removeprefix("Value error, ")
        problems.append(f"{where} {said}".strip() if said else f"{where}: {what}" if where else what)
    return "; ".join(problems)
