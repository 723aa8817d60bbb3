"""Kinds of evidence: which an intent reads first, and which are the shop's policies."""

KIND_INTENT = {
    "offer": "offers_and_discounts",
    "delivery": "delivery_sla",
    "stock": "stock_availability",
    "payment": "payment_options",
    "exchange": "product_exchange",
    "return_policy": "return_policy",
    "warranty": "warranty",
    "size_chart": "size_and_fit",
    "authenticity": "authenticity",
    "checkout": "checkout",
}
"""The intent each policy answers."""

POLICIES = frozenset(KIND_INTENT)
"""Kinds in which the shop speaks for itself in short facts."""

FIRST_KINDS: dict[str, tuple[str, ...]] = {
    "authenticity": ("authenticity", "help_article"),
    "checkout": ("checkout", "help_article"),
    "delivery_sla": ("delivery", "help_article"),
    "offers_and_discounts": ("offer", "spec", "variant"),
    "payment_options": ("payment", "help_article"),
    "product_exchange": ("exchange", "help_article"),
    "product_spec": ("spec", "datasheet", "feature", "manual", "description"),
    "return_policy": ("return_policy", "help_article"),
    "size_and_fit": ("size_chart", "spec", "feature"),
    "stock_availability": ("stock", "variant"),
    "variant": ("variant", "spec"),
    "warranty": ("warranty", "help_article"),
    "opinion": ("review",),
    "how_to": ("manual", "help_article", "qa"),
}
"""The kinds of evidence that answer an intent best, best first."""
