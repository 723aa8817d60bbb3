from collections.abc import Callable, Sequence

import pytest

from graph.catalog import LocalCatalog
from graph.discourse import Discourse, PastTurn, Pending
from graph.parts import Rewrite
from graph.rewriting import RuleRewriter
from graph.turn import Page, User
from ingestion.evidence import Money, Product, Variant

Ask = Callable[..., Rewrite]


def _product(name: str, category: str, price: float, **attributes: str) -> Product:
    return Product(
        id=name.lower().replace(" ", "-"),
        name=name,
        brand=name.split(maxsplit=1)[0],
        category=(category,),
        price=Money(price, "USD"),
        attributes=attributes,
    )


STRIDER = Product(
    id="strider-5",
    name="Strider 5",
    category=("Shoes",),
    variants=tuple(
        Variant(id=f"strider-5-{colour}-{width}", attributes={"Colour": colour, "Width": width})
        for colour in ("Slate", "Moss")
        for width in ("Standard", "Wide (2E)")
    ),
)

PRODUCTS = {"strider-5": STRIDER} | {
    product.id: product
    for product in (
        _product("iPhone 13", "Phones", 599, Display="6.1 inch OLED", Battery="3,240 mAh", Weight="174 g"),
        _product("iPhone 14", "Phones", 699, Display="6.1 inch OLED", Battery="3,279 mAh", Weight="172 g"),
        _product("Aurora X2", "Phones", 499, Display="6.1 inch OLED", Battery="4,500 mAh", Weight="180 g"),
        _product("Aurora X2 Pro", "Phones", 799, Display="6.7 inch OLED", Battery="5,000 mAh", Weight="205 g"),
        _product("Aurora X3", "Phones", 699, Display="6.3 inch OLED", Battery="4,800 mAh", Weight="190 g"),
        _product("Nova Plus", "Phones", 399, Battery="5,100 mAh"),
        _product("Nova Mini", "Phones", 299, Battery="3,000 mAh"),
        _product("LG 242 L Frost Free 2 Star", "Refrigerators", 410, Capacity="242 L", Colour="Steel"),
        _product("Samsung 256 L Convertible", "Refrigerators", 520, Capacity="256 L", Colour="Black"),
        _product("Whirlpool 200 L Compact", "Refrigerators", 350, Capacity="200 L", Colour="Red"),
        _product("Kestrel 2", "Tents", 249, Weight="1.9 kg", Doors="2"),
        _product("Heron 2", "Tents", 189, Weight="2400 g", Doors="1"),
    )
}


@pytest.fixture(scope="session")
def rewriter() -> RuleRewriter:
    return RuleRewriter(LocalCatalog(PRODUCTS))


@pytest.fixture
def ask(rewriter: RuleRewriter) -> Ask:
    """Ask a question in a scene: an open page, earlier questions, products spoken of or shown."""

    def rewrite(  # noqa: PLR0913 - a scene has as many parts
        query: str,
        *,
        page: str | None = None,
        browsed: Sequence[str] = (),
        before: Sequence[str] = (),
        focus: Sequence[str] = (),
        listed: Sequence[str] = (),
        mentioned: Sequence[str] = (),
        attributes: Sequence[str] = (),
        pending: Pending | None = None,
        owned: Sequence[str] = (),
    ) -> Rewrite:
        turns = [
            PastTurn(
                query=text,
                standalone_query=text,
                answer="",
                products=list(focus),
                outcome="clear",
                attributes=list(attributes),
            )
            for text in before
        ]
        discourse = Discourse(
            turns=turns,
            focus=list(focus),
            listed=list(listed),
            mentioned=[*focus, *mentioned],
            pending=pending,
        )
        user = User(page=Page(product_id=page, products=list(browsed)), owned=list(owned))
        return rewriter.rewrite(query, discourse, user, PRODUCTS)

    return rewrite
