"""`footnote ask`, `footnote chat` and `footnote evidence`: a question, a conversation, a source that is cited."""

import uuid
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from app.cli.console import IndexOption, JsonOption, QuietOption, complain, err, out, print_json
from app.errors import AppError, UnknownSourceError

if TYPE_CHECKING:
    from app.assistant import Assistant
    from app.settings import Settings
    from graph.turn import Turn
    from ingestion.evidence import Evidence

ThreadOption = Annotated[str | None, typer.Option(help="Conversation to continue; any name starts one.")]

EVIDENCE_FIELDS = ("evidence_id", "source_type", "text", "title", "section", "page", "url", "updated_at", "product_id")
CHAT_HELP = "/sources N shows a source in full, /explain the last turn's decisions, /new starts over, /quit leaves."


def ask(  # noqa: PLR0913 - a command's options
    text: Annotated[str, typer.Argument(help="The question.", show_default=False)],
    *,
    index: IndexOption = None,
    thread: ThreadOption = None,
    style: Annotated[Literal["text", "voice", "plain"], typer.Option(help="How the answer is worded.")] = "text",
    user: Annotated[str | None, typer.Option(help='Who asks, as JSON: {"role": .., "region": .., "page": ..}.')] = None,
    role: Annotated[Literal["buyer", "seller"] | None, typer.Option(help="Short for the role in --user.")] = None,
    beside: Annotated[
        list[str] | None,
        typer.Option("--with", help="What else to ask a served model for; an unknown name lists them. Repeatable."),
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Also show each decision of the turn.")] = False,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Answer one question, with its sources."""
    from app.assistant import Assistant  # noqa: PLC0415 - heavy
    from app.cli.turn_view import print_answer, print_explanation, print_turn  # noqa: PLC0415
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


def chat(*, index: IndexOption = None, thread: ThreadOption = None) -> None:
    """Talk to the shop in the terminal."""
    from app.assistant import Assistant  # noqa: PLC0415 - heavy

    with Assistant.open(index) as assistant:
        err().print(CHAT_HELP, style="dim")
        _Chat(assistant, thread or uuid.uuid4().hex).run()


class _Chat:
    """One conversation, until the user leaves."""

    def __init__(self, assistant: "Assistant", thread: str) -> None:
        self._assistant, self._thread = assistant, thread
        self._last: Turn | None = None

    def run(self) -> None:
        while True:
            try:
                line = out().input("\n> ").strip()
            except (EOFError, KeyboardInterrupt):
                return
            if line in {"/quit", "/exit"}:
                return
            if line:
                self._take(line)

    def _take(self, line: str) -> None:
        command, _, rest = line.partition(" ")
        if command == "/new":
            self._thread, self._last = uuid.uuid4().hex, None
            err().print("A new conversation.", style="dim")
        elif command in {"/sources", "/source"}:
            self._show_source(rest)
        elif command == "/explain":
            self._explain()
        elif command.startswith("/"):
            err().print(CHAT_HELP, style="dim")
        else:
            self._answer(line)

    def _answer(self, line: str) -> None:
        from app.cli.turn_view import print_turn  # noqa: PLC0415 - heavy

        try:
            self._last = self._assistant.ask(self._chosen(line), thread=self._thread)
        except AppError as error:
            complain(str(error))
            return
        print_turn(out(), self._last)

    def _chosen(self, line: str) -> str:
        """The option of a question back that a bare number picks, or the line itself."""
        asked = self._last.clarification if self._last else None
        if asked and line.isdecimal() and 1 <= int(line) <= len(asked.options):
            return asked.options[int(line) - 1]
        return line

    def _show_source(self, number: str) -> None:
        citations = self._last.citations if self._last else []
        found = [citation for citation in citations if str(citation.marker) == number.strip()]
        if not found:
            complain(f"the last answer has no source {number or '(give its number)'}")
            return
        source = self._assistant.source(found[0].evidence_id, found[0].generation)
        out().print(source.title, style="bold")
        out().print(source.text, soft_wrap=True)

    def _explain(self) -> None:
        from app.cli.turn_view import print_explanation  # noqa: PLC0415 - heavy

        if self._last is None:
            complain("nothing has been asked yet")
        else:
            print_explanation(out(), self._last)


def evidence(
    evidence_id: Annotated[str, typer.Argument(metavar="ID", help="An evidence id of a citation.", show_default=False)],
    *,
    index: IndexOption = None,
    generation: Annotated[
        str | None, typer.Option(help="The generation it was cited from; the present one by default.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show one source in full; sources of recorded answers also when their generation is gone."""
    from app.settings import Settings, index_path  # noqa: PLC0415 - heavy

    settings = Settings.load()
    found, name = find_source(evidence_id, generation, index_path(index or settings.index), settings)
    if as_json:
        print_json({field: getattr(found, field) for field in EVIDENCE_FIELDS} | {"generation": name})
    else:
        _print_evidence(found, name)


def _print_evidence(found: "Evidence", generation: str) -> None:
    console = out()
    console.print(found.title, style="bold")
    for name in ("evidence_id", "source_type", "section", "page", "url", "updated_at", "product_id"):
        if (value := getattr(found, name)) is not None:
            console.print(f"{name}: {value}", style="dim", soft_wrap=True)
    console.print(f"generation: {generation}\n", style="dim", soft_wrap=True)
    console.print(found.text, soft_wrap=True)


def find_source(evidence_id: str, generation: str | None, index: Path, settings: "Settings") -> "tuple[Evidence, str]":
    """Find an evidence and the generation it was read from.

    Args:
        evidence_id: As it stands in a citation.
        generation: The citation's generation; None for the one that answers now.
        index: The index folder.
        settings: Say where the records lie.

    Raises:
        UnknownSourceError: Neither the index nor a recorded answer knows it.
        MissingIndexError: There is no index, and no recorded answer cites it.
        MissingGenerationError: The generation is gone, and no recorded answer cites it.
        CorruptIndexError: The index is damaged.
    """
    from ingestion.errors import MissingGenerationError, MissingIndexError, UnknownEvidenceError  # noqa: PLC0415
    from ingestion.knowledge import open_knowledge  # noqa: PLC0415 - heavy, as the line above

    try:
        with closing(open_knowledge(index, generation)) as knowledge:
            return knowledge.evidence([evidence_id])[0], knowledge.generation
    except (MissingIndexError, MissingGenerationError, UnknownEvidenceError) as error:
        recorded = _recorded(evidence_id, generation, settings)
        if recorded is not None:
            return recorded
        if isinstance(error, UnknownEvidenceError):
            raise UnknownSourceError(evidence_id, generation) from error
        raise


def _recorded(evidence_id: str, generation: str | None, settings: "Settings") -> "tuple[Evidence, str] | None":
    from app.storage.records import Records, SystemClock  # noqa: PLC0415 - heavy

    if not settings.records.exists():
        return None
    with closing(Records(settings.records, SystemClock(), settings.team, settings.turn_limit_s)) as records:
        name = generation or records.latest_generation(evidence_id)
        source = records.source(evidence_id, name) if name else None
        return (source, name) if source and name else None
