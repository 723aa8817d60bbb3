"""All settings in one tree: `FOOTNOTE_*` environment variables, then `footnote.toml`, then the defaults."""

import base64
import binascii
import difflib
import hashlib
import json
import os
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    HttpUrl,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)
from pydantic_settings import SettingsError as UnreadableSettingError

from app.access import ServeOptions, is_local
from app.backends.options import BackendList, CatalogSearchOptions
from app.errors import SettingsError
from app.llm.options import LlmOptions, Stage
from app.variants import Variants, completed
from graph.options import GraphOptions
from ingestion.chunking import LEAST_CHUNK_TOKENS
from ingestion.limits import ReadingLimits

PREFIX = "FOOTNOTE_"
HOME = Path(".footnote")
"""Where indexes and databases lie unless settings say otherwise."""

OTHER_VARIABLES = {
    "FOOTNOTE_CONFIG": "path of the settings file, instead of footnote.toml in the working directory",
    "FOOTNOTE_BENCH": "folder of the benchmark packs, for evaluations",
}
"""Environment variables with our prefix that are no settings."""


class IngestionSettings(BaseModel):
    """How a shop's files are read and its documents cut; a change counts from the next ingest on.

    Attributes:
        chunk_tokens: Most tokens of a chunk's text; none for as many as the embedding model's window has room for.
        limits: How much of a file is read.
        loaders: LangChain document loaders as `module:Class`, by the suffix of the files that they read.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    chunk_tokens: int | None = Field(default=None, ge=LEAST_CHUNK_TOKENS)
    limits: ReadingLimits = Field(default_factory=ReadingLimits)
    loaders: dict[Annotated[str, Field(pattern=r"^\.[a-z0-9]+$")], Annotated[str, Field(pattern=r"^[\w.]+:\w+$")]] = {}


WEBHOOK_KEY = "whsec_"
WEBHOOK_KEY_BYTES = range(24, 65)
"""How a key is marked, and how long it is (Standard Webhooks, signature scheme)."""


def _webhook_address(url: HttpUrl) -> HttpUrl:
    if url.scheme != "https" and not is_local((url.host or "").strip("[]")):
        message = "it must begin with https://, as others could read it on the way; http:// is for this machine alone"
        raise ValueError(message)
    if url.username or url.password:
        message = "a name or password in it would be logged; the signature tells a receiver who sends"
        raise ValueError(message)
    return url


def _webhook_secret(secret: SecretStr) -> SecretStr:
    text = secret.get_secret_value()
    try:
        key = base64.b64decode(text.removeprefix(WEBHOOK_KEY), validate=True)
    except binascii.Error:
        key = b""
    if not text.startswith(WEBHOOK_KEY) or len(key) not in WEBHOOK_KEY_BYTES:
        message = f"it must be {WEBHOOK_KEY} and, in base64, 24 to 64 random bytes"
        raise ValueError(message)
    return secret


class WebhookSettings(BaseModel):
    """The shop's own system, which is told of tickets and of answers that are likely hallucinations.

    Attributes:
        url: Where it listens: https, or http on this machine; none for nobody who is told.
        secret: What messages are signed with: `whsec_` and, in base64, 24 to 64 random bytes.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: Annotated[HttpUrl, AfterValidator(_webhook_address)] | None = None
    secret: Annotated[SecretStr, AfterValidator(_webhook_secret)] | None = None

    @model_validator(mode="after")
    def _signed(self) -> "WebhookSettings":
        if self.url is not None and self.secret is None:
            message = "url is set and secret is not; choose what messages are signed with, FOOTNOTE_WEBHOOKS__SECRET"
            raise ValueError(message)
        return self


class Settings(BaseSettings):
    """The settings tree.

    Attributes:
        index: The index that is read and written when a command names none: a name or a path.
        records: SQLite file of turns, cited sources, gaps, tickets and feedback.
        threads: SQLite file of what conversations remember.
        retention_days: For how long conversations are kept, in days; 0 for good.
        team: Who takes over when a customer wants a person.
        encoder: What finds the statements that answer, in place of the encoder that ships: folder, installed package or
            hub name of a SentenceTransformer. An index is made with one, and read with the same.
        reader: What decides whether they do, in place of the reader that ships: the same of a CrossEncoder, as
            `footnote train reader` writes it.
        turn_s: Seconds for a turn, what a served model may take on top; one that needs more ends in an apology.
        ingestion: How files are read and documents cut.
        graph: Thresholds and budgets of a turn.
        backends: Services of the shop that know what holds now.
        catalog_search: A search of the shop for names that the index does not tell.
        llm: A served language model.
        serve: Where the page listens, and what is asked of those who come.
        webhooks: The shop's own system, which is told of tickets and likely hallucinations.
        variants: Named sets of settings that are tried beside these, each on a share of the conversations.
    """

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_ignore_empty=True,  # a compose file passes an empty variable where the shop set none
        env_nested_delimiter="__",
        extra="forbid",
        frozen=True,
        nested_model_default_partial_update=True,
    )

    index: str = str(HOME / "index")
    records: Path = HOME / "records.sqlite"
    threads: Path = HOME / "threads.sqlite"
    retention_days: int = Field(default=365, ge=0)
    team: str = Field(default="customer care", min_length=1)
    encoder: str | None = Field(default=None, min_length=1)
    reader: str | None = Field(default=None, min_length=1)
    turn_s: float = Field(default=10.0, gt=0, le=600)
    ingestion: IngestionSettings = Field(default_factory=IngestionSettings)
    graph: GraphOptions = Field(default_factory=GraphOptions)
    backends: BackendList = ()
    catalog_search: CatalogSearchOptions = Field(default_factory=CatalogSearchOptions)
    llm: LlmOptions = Field(default_factory=LlmOptions)
    serve: ServeOptions = Field(default_factory=ServeOptions)
    webhooks: WebhookSettings = Field(default_factory=WebhookSettings)
    variants: Variants = {}

    @field_validator("variants", mode="before")
    @classmethod
    def _complete(cls, given: object, info: ValidationInfo) -> object:
        """What a variant does not say is as it is here."""
        return completed(given, info.data)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the signature is pydantic's
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the signature is pydantic's
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments win over the environment, the environment over the file."""
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, toml_file=settings_file())

    @classmethod
    def load(cls) -> "Settings":
        """Read all sources.

        Raises:
            SettingsError: An unknown name, a value of the wrong kind, or a file that is missing or no TOML.
        """
        for variable in os.environ:
            name = variable.removeprefix(PREFIX).lower().replace("__", ".")
            if variable.startswith(PREFIX) and variable not in OTHER_VARIABLES:
                _refuse_unknown(name, known=name.partition(".")[0] in cls.model_fields)
        if "FOOTNOTE_CONFIG" in os.environ and not settings_file().exists():
            msg = f"FOOTNOTE_CONFIG names {settings_file()}, which does not exist."
            raise SettingsError(msg)
        try:
            return cls()
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(map(str, first["loc"]))
            _refuse_unknown(name, known=first["type"] != "extra_forbidden")
            # The items of a list have no variables of their own.
            variable = _variable(".".join(takewhile(str.isidentifier, map(str, first["loc"]))))
            msg = f"The setting {name} ({variable}) has a value that cannot be used: {first['msg']}."
            raise SettingsError(msg) from error
        except UnreadableSettingError as error:
            msg = f"{error}: it must be JSON."
            raise SettingsError(msg) from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
            msg = f"{settings_file()} cannot be read as TOML: {error}."
            raise SettingsError(msg) from error

    @contextmanager
    def scratch(self, **changes: object) -> Iterator["Settings"]:
        """These alone, with some changes, threads and records in a folder of its own, which is gone at the end."""
        with TemporaryDirectory(prefix="footnote-") as folder:
            own = {name: Path(folder) / f"{name}.sqlite" for name in ("records", "threads")}
            yield self.under(None).model_copy(update=own | changes)

    def under(self, variant: str | None) -> "Settings":
        """What a variant answers with, as settings without variants; these where there is no such variant."""
        own = self.variants.get(variant or "", self)
        return self.model_copy(update={"graph": own.graph, "llm": own.llm, "variants": {}})

    @property
    def turn_limit_s(self) -> float:
        """Seconds after which nobody waits for a turn: its own, and those of each stage that may ask a served model."""
        options = (self.llm, *(variant.llm for variant in self.variants.values()))
        asked = sum(any(llm.serves(stage) for llm in options) for stage in get_args(Stage))
        return self.turn_s + asked * (self.llm.connect_s + self.llm.total_s)

    @property
    def config_hash(self) -> str:
        """Names everything here that can change an answer; where files and the model lie cannot, the rest is secret."""
        answers = self.model_dump(
            exclude={
                "index": True,
                "records": True,
                "threads": True,
                "retention_days": True,
                "serve": True,
                "webhooks": True,
                "variants": True,
                "backends": {"__all__": {"headers"}},
                "catalog_search": {"headers"},
                "llm": {"base_url", "api_key"},
            }
        )
        answers["llm"]["served"] = self.llm.base_url is not None
        return hashlib.sha256(json.dumps(answers, sort_keys=True, default=sorted).encode()).hexdigest()[:12]


def settings_file() -> Path:
    """The settings file in use, which need not exist."""
    return Path(os.environ.get("FOOTNOTE_CONFIG") or "footnote.toml")


def index_path(name: str) -> Path:
    """The folder of an index: a bare name lies in `.footnote`, anything else is a path."""
    return HOME / name if Path(name).name == name and name not in (".", "..") else Path(name)


def known_settings(model: type[BaseModel] = Settings, prefix: str = "") -> Iterator[str]:
    """Every setting as a dotted name."""
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from known_settings(kind, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}"


def _refuse_unknown(name: str, *, known: bool) -> None:
    """Raise an error that tells what may have been meant, unless a dotted name is one of a setting."""
    if known:
        return
    names = list(known_settings())
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]} ({_variable(near[0])})?" if near else f" Known are: {', '.join(names)}."
    msg = f"Unknown setting {name} ({_variable(name)}).{hint}"
    raise SettingsError(msg)


def _variable(name: str) -> str:
    return PREFIX + name.upper().replace(".", "__")
