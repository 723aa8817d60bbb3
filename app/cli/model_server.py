"""A model served beside the page: started, waited for, and ended with it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from app.cli.console import err
from app.cli.vllm import recommended_context
from app.llm.recommended_models import required_model
from app.llm.server_process import ServerPlan, running_server, server_port
from app.settings import HOME, Settings
from app.storage.databases import make_private_file, make_private_folder

LOG = HOME / "vllm.log"


@contextmanager
def model_server(model: str, settings: Settings) -> Iterator[Mapping[str, str]]:
    """Serve a model as long as the page runs.

    Yields:
        The environment variables with which the page uses it.

    Raises:
        NoModelError: None is named.
        MissingVllmError: There is nothing to serve it with.
        ServerFailedError: The server did not come up.
    """
    plan = ServerPlan(model=required_model(model), context=recommended_context(settings), port=server_port())
    key = settings.llm.api_key.get_secret_value() if settings.llm.api_key else None
    console = err()

    def tell(line: str) -> None:
        console.print(line, style="dim", soft_wrap=True)

    make_private_folder(LOG.parent)
    make_private_file(LOG)
    console.print(
        f"vLLM is starting with {plan.model}, which takes minutes the first time; its log: {LOG}", soft_wrap=True
    )
    with running_server(plan, LOG, tell, key) as variables:
        console.print(f"{plan.model} is served at {plan.base_url}", soft_wrap=True)
        yield variables
