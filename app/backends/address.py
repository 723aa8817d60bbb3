"""The address of a request: a template from settings, filled with who asks and about what."""

import re
from urllib.parse import quote, urlsplit

from graph.turn import User
from ingestion.evidence import Product

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
