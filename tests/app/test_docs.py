"""The pages for readers: every command in them is typed, and every table that can be compared is compared.

A page is walked through from top to bottom in a folder of its own: its files are written, its commands run in their
order, and what it says that they print is what they print. What would serve for ever, take minutes, or needs what is
not here is named below with the reason; of our own commands among these, command and options are read all the same, and
of `make` it is asked what it would do.
"""

import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from fnmatch import fnmatch
from pathlib import Path

import pytest
from pydantic import BaseModel
from typer.main import get_command

from app.cli.application import application
from app.settings import OTHER_VARIABLES, PREFIX, Settings, index_path, known_settings
from evals.conversations.replay import Replayer
from tests.app.command_line import Run
from tests.app.llm.obedient import obedient
from tests.llm_server.server import LlmServer

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", "CONTRIBUTING.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
TEXTS = {page: (ROOT / page).read_text(encoding="utf-8") for page in PAGES}

SERVES, MINUTES, PACKS = "serves until it is ended", "takes minutes", "needs a pack, and hours or minutes"
READ = {
    "footnote serve": SERVES,
    "footnote replay tests/conversations": MINUTES,
    "footnote bench": MINUTES,
    "footnote report entropy": MINUTES,
    "footnote report confidence": PACKS,
    "footnote train": "takes minutes, and writes weights",
    "footnote webhook test": "needs a receiver",
    "footnote index rollback": "wants an index with a generation before, or one that is named",
}
"""Our commands of which only the name and the options are read, and why."""

LEFT = {
    ". .venv/bin/activate": "changes the shell that it is typed in",
    "cd /opt/footnote": "a folder of the reader's machine",
    "systemctl": "the service manager of the reader's machine",
    "curl --fail http://127.0.0.1:8501": "asks a page that is served",
    "docker compose": "needs Docker and a GPU",
    "vllm serve": "needs a GPU",
    "vllm-router": "another project's program",
    "python -m pytest": "these tests",
    "ruff format": "rewrites the files under test",
}
"""Commands of others that are not run, and why."""

HELP = ("--help", "--help")
"""Has a command read all its options and do nothing; the first one may be taken for the value of the last of them."""
SHELL = {"mkdir", "echo"}
"""Commands that are run as they stand."""
LANGUAGES = {"csv", "json", "markdown", "toml", "yaml"}
"""Blocks of these are files, where the line above begins with a name."""
SHOWN = {"cron", "ini", "mermaid", "nginx", "yaml"}
"""Blocks of these are to be looked at."""
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"`([\w.-][\w./-]*\.\w+)`")
VARYING = re.compile(r"(?:high|medium|low) \(0\.\d\d\)|\d+\.\d s\b")
"""Confidences, which change with every training, and seconds."""
HOST_PORT, MODEL_URL, MODEL = "8900", "http://127.0.0.1:8000/v1", "Qwen/Qwen3-8B"
"""What pages say of a service and of a model, in whose place the tests have their own."""


def commands(block: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with what is said that it prints."""
    typed = re.split(r"^\$ ", block, flags=re.MULTILINE)
    assert not typed[0], "a console block begins with a command"
    return [(line, printed) for line, _, printed in (one.partition("\n") for one in typed[1:])]


def lines(block: str) -> list[str]:
    """The commands of a shell block."""
    return [line for line in block.replace("\\\n", " ").splitlines() if shlex.split(line, comments=True)]


def all_commands(text: str) -> list[str]:
    """Every command of a page."""
    found: list[str] = []
    for language, block in BLOCK.findall(text):
        if language == "console":
            found += [line for line, _ in commands(block)]
        elif language in ("sh", ""):
            found += lines(block)
    return found


def plain(line: str) -> str:
    """A command without comment, quotes, assignments before it and the folder of its program."""
    words = shlex.split(line, comments=True)
    while words and re.match(r"[A-Z_]+=", words[0]):
        del words[0]
    return " ".join(words).removeprefix(".venv/bin/")


def reason(line: str, named: dict[str, str]) -> str | None:
    """Why a command is not run, if it is not."""
    return next((why for start, why in named.items() if plain(line).startswith(start)), None)


def would_do(line: str) -> None:
    """Ask make what a command would do."""
    command = ["make", "--dry-run", *shlex.split(line, comments=True)[1:]]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)  # noqa: S603 - it does nothing
    assert done.returncode == 0, f"{line}\n{done.stderr.decode()}"


class Reader:
    """Someone who types what a page says, in a folder of their own."""

    def __init__(self, run: Run, patch: pytest.MonkeyPatch) -> None:
        self._run, self._patch = run, patch
        self._background: list[subprocess.Popen[bytes]] = []

    def type(self, line: str) -> str:
        """Type a command; give back what it printed to standard output."""
        words = shlex.split(line, comments=True)
        while words and (words[0] == "export" or re.match(r"[A-Z_]+=", words[0])):
            self._set(words.pop(0))
        if words[:1] == ["make"]:
            would_do(line)
            return ""
        if words and words[0].removeprefix(".venv/bin/") == "footnote":
            return self._footnote(line, words[1:])
        if not words or reason(line, LEFT):
            return ""
        if words[0] == "kill":
            self.close()
        elif words[-1] == "&":
            assert words[0] == "python"
            self._serve(words[1:-1])
        else:
            assert words[0] in SHELL, f"{line}: neither run nor named with the reason"
            subprocess.run(["bash", "-c", line], check=True)  # noqa: S603, S607 - from our own pages
        return ""

    def _footnote(self, line: str, arguments: list[str]) -> str:
        read = reason(line, READ)
        result = self._run(*arguments, *(HELP if read else ()))
        assert result.status == 0, f"{line}\n{result.out}{result.err}"
        return "" if read else result.out

    def _set(self, assignment: str) -> None:
        name, _, value = assignment.partition("=")
        if inner := re.fullmatch(r"\$\(footnote (.*)\)", value):
            self._footnote(f"footnote {inner[1]}", [inner[1], "--help"])
        elif value:
            self._patch.setenv(name, value)

    def _serve(self, arguments: list[str]) -> None:
        command = [sys.executable, *arguments]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._background.append(subprocess.Popen(command, **quiet))  # noqa: S603 - from our own pages
        port = next(int(word) for word in arguments if word.isdigit())
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.1)
        pytest.fail(f"{arguments} did not answer")

    def close(self) -> None:
        """End what runs in the background."""
        while self._background:
            process = self._background.pop()
            process.terminate()
            process.wait()


@pytest.fixture(scope="module")
def demo_index(replayer: Replayer) -> Path:
    """The demo shop's index, which the conversations have made, too."""
    replayer.assistant("demo", Path(__file__))
    return index_path("demo").resolve()


@pytest.fixture
def reader(
    demo_index: Path, index: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Reader]:
    """A reader with the demo shop, an index `my-shop`, and the repository's tests."""
    (tmp_path / ".footnote").mkdir()
    (tmp_path / ".footnote" / "demo").symlink_to(demo_index)
    shutil.copytree(index, tmp_path / ".footnote" / "my-shop")
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    with ExitStack() as stack:
        typing = Reader(run, monkeypatch)
        stack.callback(typing.close)
        yield typing


@pytest.fixture
def endpoint() -> Iterator[str]:
    """The address of a served model."""
    with LlmServer(obedient, model=MODEL) as server:
        server.length = 16_384
        yield server.url


def free_port() -> str:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def write(named: str, block: str) -> None:
    """Write a file of a page; one of settings must be usable."""
    file = Path(named)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(block, encoding="utf-8")
    if file.name == "footnote.toml":
        Settings.load()


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_says_can_be_typed_and_prints_what_it_says(
    page: str, reader: Reader, endpoint: str, shop: Path
) -> None:
    text = TEXTS[page].replace(HOST_PORT, free_port()).replace(MODEL_URL, endpoint).replace("/srv/shop", str(shop))
    for found in BLOCK.finditer(text):
        language, block = found[1], found[2]
        above = NAMED.match(text[: found.start()].rstrip().rpartition("\n\n")[2])
        if language in LANGUAGES and above:
            write(above[1], block)
        elif language == "console":
            for line, printed in commands(block):
                said = VARYING.sub("", reader.type(line))
                assert said.rstrip() == VARYING.sub("", printed).rstrip(), line
        elif language in ("sh", ""):
            for line in lines(block):
                reader.type(line)
        elif language == "python":
            exec(compile(block, page, "exec"), {})  # noqa: S102 - from our own pages
        else:
            assert language in SHOWN, f"a block of {language!r} is neither typed nor written\n{block}"


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_named_in_a_sentence_a_table_or_a_file_exist(page: str, run: Run) -> None:
    prose = BLOCK.sub("", TEXTS[page])
    files = "".join(block for language, block in BLOCK.findall(TEXTS[page]) if language in SHOWN)
    ours = re.findall(r"`(footnote [a-z][^`]*)`", prose) + re.findall(r"\bfootnote (?:ingest|serve)[^>&\n\"]*", files)
    for line in dict.fromkeys(" ".join(one.split()) for one in ours):
        result = run(*shlex.split(line)[1:], *HELP)
        assert result.status == 0, f"{line}\n{result.err}"
    for line in dict.fromkeys(re.findall(r"`(make [^`]*)`", prose)):
        would_do(line)


@pytest.mark.parametrize("named", [READ, LEFT], ids=["read", "left"])
def test_nothing_is_named_as_not_run_that_no_page_says(named: dict[str, str]) -> None:
    said = [plain(line) for text in TEXTS.values() for line in all_commands(text)]
    assert [start for start in named if not any(one.startswith(start) for one in said)] == []


def test_every_command_stands_in_the_table_of_commands() -> None:
    names = vars(get_command(application()))["commands"]
    assert [name for name in names if f"| `footnote {name}" not in TEXTS["docs/start.md"]] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_variable_that_a_page_names_is_a_setting(page: str) -> None:
    known = {PREFIX + name.upper().replace(".", "__") for name in known_settings()} | OTHER_VARIABLES.keys()
    assert set(re.findall(rf"\b{PREFIX}\w+", TEXTS[page])) <= known


def defaults(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, object]]:
    """Every setting with its default."""
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from defaults(kind, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", field.get_default(call_default_factory=True)


def shown(default: object) -> str:
    """A default as the page writes it."""
    if default is None or default in ((), {}, ""):
        return "none"
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    if isinstance(default, frozenset):
        return f"`{', '.join(map(str, sorted(default)))}`"
    return f"`{default:g}`" if isinstance(default, float) else f"`{default}`"


def test_the_page_of_settings_has_each_setting_once_with_its_default() -> None:
    rows = re.findall(r"^\| `([\w.*]+)` \| .+ \| (.+) \|$", TEXTS["docs/settings.md"], re.MULTILINE)
    for name, default in defaults(Settings):
        [told] = [default for pattern, default in rows if fnmatch(name, pattern)] or [f"{name} is missing"]
        assert told.startswith("[") or told == shown(default), name
    known = list(known_settings())
    assert [pattern for pattern, _ in rows if not any(fnmatch(name, pattern) for name in known)] == []


@pytest.mark.parametrize("page", [*PAGES, "SECURITY.md"])
def test_what_a_page_points_to_exists(page: str) -> None:
    text, folder = BLOCK.sub("", (ROOT / page).read_text(encoding="utf-8")), (ROOT / page).parent
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)#?([^)]*)\)", text):
        file = folder / target if target else ROOT / page
        assert file.exists(), target
        if anchor:
            heads = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}, anchor
    for path in re.findall(r"`((?:app|docs|evals|graph|ingestion|notebooks|tests)/[\w./-]+)`", text):
        assert (ROOT / path).exists(), path


def test_the_drawing_of_a_turn_is_the_graph(run: Run) -> None:
    [drawn] = re.findall(r"```mermaid\n(.*?)```", TEXTS["docs/architecture.md"], re.DOTALL)
    assert drawn.split() == run("graph").out.split()


@pytest.mark.parametrize("package", ["app", "graph", "ingestion"])
def test_every_package_has_its_line(package: str) -> None:
    found = {path.parent.name for path in (ROOT / package).glob("*/__init__.py")}
    _, section = TEXTS["docs/architecture.md"].split(f"| `{package}/` |")
    assert [name for name in sorted(found) if f"`{name}/`" not in section.split("\n\n")[0]] == []


def test_the_readme_is_short() -> None:
    assert len(TEXTS["README.md"].splitlines()) <= 200
