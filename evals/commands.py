"""The commands that evaluation adds to the command line: replay, eval and bench."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli.console import JsonOption, QuietOption, complain, err, out, print_json

IndexOption = Annotated[
    str | None,
    typer.Option(
        "--index", help="Name or folder of the index to ask; wins over what a fixture says.", show_default=False
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("replay", epilog="Example: footnote replay tests/conversations --index demo")(replay)


def replay(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH...", help="Fixtures (*.conversation.yaml), or folders of them.")
    ],
    *,
    index: IndexOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Hold the conversations of fixtures and check what they expect.

    A conversation that fails shows turn, key, what was expected and what came instead. Exit status: 0 when all
    expectations hold, 1 when one fails, 2 for a fixture that cannot be understood.
    """
    from evals.errors import MalformedFixturesError  # noqa: PLC0415 - heavy, with all below
    from evals.fixtures import load_fixtures  # noqa: PLC0415
    from evals.replay import replaying  # noqa: PLC0415
    from evals.replay_output import print_conversation, print_summary, status, to_json  # noqa: PLC0415

    try:
        fixtures = load_fixtures(paths)
    except MalformedFixturesError as malformed:
        for error in malformed.errors:
            complain(str(error))
        raise typer.Exit(2) from malformed
    console = err() if as_json else out()
    results = []
    with replaying(index) as replayer:
        for file, conversation in fixtures.items():
            results.append(replayer.run(file, conversation))
            if not as_json:
                print_conversation(console, results[-1], quiet=quiet)
    if as_json:
        print_json(to_json(results))
    else:
        print_summary(console, results)
    raise typer.Exit(int(any(status(result) == "failed" for result in results)))
