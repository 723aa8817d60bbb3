"""The page's process: which port it gets, and that a taken one is refused."""

import socket
from collections.abc import Iterator

import pytest

from app.child_server import InputError, free_port
from app.cli.serve import PORTS


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that another program uses."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


def test_a_taken_port_is_refused_by_name(taken: int) -> None:
    with pytest.raises(InputError, match=str(taken)):
        free_port([taken])


def test_without_a_wish_the_first_free_port_is_taken() -> None:
    assert free_port(PORTS) in PORTS


@pytest.mark.parametrize("host", ["192.0.2.1", "no such host"])
def test_an_address_that_is_not_this_machines_is_refused_by_name(host: str) -> None:
    with pytest.raises(InputError, match=host):
        free_port(PORTS, host)
