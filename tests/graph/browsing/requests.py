"""Requests for products, as turns make them."""

from collections.abc import Sequence
from typing import Any

from graph.browsing.request import BrowsingRequest, request_of
from graph.discourse import Discourse
from graph.state import TurnState
from graph.turn import User
from tests.graph.fakes import catalog_of
from tests.graph.shops import Shop


def requested(text: str, *named: str, shop: Shop, category: Sequence[str] = (), **state: Any) -> BrowsingRequest:  # noqa: ANN401 - any part of a state
    """What a message wants of a shop's products; `state` has more of its turn."""
    given = TurnState(
        query=text,
        standalone_query=text,
        searchable=True,
        catalog=catalog_of(*named, category=category),
        discourse=Discourse(),
        user=User(),
    )
    return request_of(TurnState(**(given | state)), shop.products)  # type: ignore[typeddict-item]
