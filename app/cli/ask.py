"""`footnote ask`: one question, one answer."""

from typing import Annotated, Literal

import typer

from app.cli.console import IndexOption, JsonOption, QuietOption, err, out, print_json


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("ask", epilog='Example: footnote ask "Is the Heron 2 waterproof?" --index demo --explain')(ask)


def ask(  # noqa: PLR0913 - a command's options
    text: Annotated[str, typer.Argument(help="The question.", show_default=False)],
    *,
    index: IndexOption = None,
    thread: Annotated[str | None, typer.Option(help="Conversation to continue; any name starts one.")] = None,
    style: Annotated[Literal["text", "voice", "plain"], typer.Option(help="How the answer is worded.")] = "text",
    user: Annotated[str | None, typer.Option(help='Who asks, as JSON: {"role": .., "region": .., "page": ..}.')] = None,
    role: Annotated[Literal["buyer", "seller"] | None, typer.Option(help="Short for the role in --user.")] = None,
    beside: Annotated[
        list[str] | None,
        typer.Option("--with", help="What else to ask a served model for: followups, blurb, judge; may be repeated."),
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Also show each decision of the turn.")] = False,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Answer one question, with its sources."""
    from app.assistant import Assistant  # noqa: PLC0415 - heavy
    from app.cli.explain import print_explanation  # noqa: PLC0415
    from app.cli.turn_view import print_answer, print_turn  # noqa: PLC0415
    from app.question import read_user  # noqa: PLC0415
    from graph.turn import User  # noqa: PLC0415

    who = read_user(user)
    if role is not None:
        who = (who or User()).model_copy(update={"role": role})
    with Assistant.open(index) as assistant:
        turn = assistant.ask(text, thread=thread, style=style, user=who, experiences=beside or ())
    if as_json:
        print_json(turn.model_dump(mode="json"))
        return
    if quiet:
        print_answer(out(), turn)
        return
    print_turn(out(), turn)
    if explain:
        print_explanation(out(), turn)
    if thread is None:
        where = f" --index {index}" if index else ""
        err().print(f"Go on with: footnote ask --thread {turn.thread_id}{where} ...", style="dim")
