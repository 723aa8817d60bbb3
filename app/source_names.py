"""Names of the contract's terms as a customer reads them."""

SOURCE_NAMES = {
    "spec": "Specification",
    "datasheet": "Data sheet",
    "description": "Seller's description",
    "feature": "Seller's highlights",
    "variant": "Variants",
    "review": "Customer review",
    "qa": "Customer question",
    "offer": "Offer",
    "delivery": "Delivery",
    "stock": "Availability",
    "payment": "Payment",
    "exchange": "Exchange",
    "return_policy": "Returns",
    "warranty": "Warranty",
    "size_chart": "Size chart",
    "authenticity": "Authenticity",
    "checkout": "Checkout",
    "help_article": "Help article",
    "manual": "Manual",
}


def source_name(source_type: str) -> str:
    """What a kind of evidence is called; a kind of the shop's own by its own name."""
    return SOURCE_NAMES.get(source_type, plain_name(source_type))


def plain_name(term: str) -> str:
    """A snake_case term as words."""
    return term.replace("_", " ").capitalize()
