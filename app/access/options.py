"""The settings of the served page: where it listens, and what is asked of those who come."""

from ipaddress import ip_address
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, SecretStr

LOCALHOST = "127.0.0.1"


def _none_if_blank(value: object) -> object:
    # A compose file passes an empty variable where the shop set none.
    return None if isinstance(value, str) and not value.strip() else value


class ServeOptions(BaseModel):
    """How the page is served.

    Attributes:
        host: The address it listens on; beyond this machine only with a password.
        password: What visitors sign in with: its bcrypt hash, as `footnote password` prints it, or the plain text.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    host: str = LOCALHOST
    password: Annotated[SecretStr | None, BeforeValidator(_none_if_blank)] = None


def is_local(host: str | None) -> bool:
    """Whether only this machine reaches an address; None stands for all addresses."""
    if host is None or host == "localhost":
        return host is not None
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
