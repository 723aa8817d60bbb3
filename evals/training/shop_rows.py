"""Shop rows: what customers type, beside the sentence of a shop that answers it, nearly answers it, or does not.

Each folder below `evals/training/shops` is one made-up shop: `shop/` as a shop hands over its files, and `rows.jsonl`,
a row for each sentence that somebody asks for. `evals/training/shops/README.md` says how they were written.
"""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

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


def shop_names() -> list[str]:
    """The names of the shops, in order."""
    return sorted(path.parent.name for path in SHOPS.glob("*/rows.jsonl"))


def read_shop_rows(name: str) -> list[ShopRow]:
    """The rows of a shop.

    Raises:
        ValidationError: A row has not the form of one.
    """
    lines = (SHOPS / name / "rows.jsonl").read_text(encoding="utf-8").splitlines()
    return [ShopRow.model_validate_json(line) for line in lines if line.strip()]
