"""`footnote password`: the hash of a password for the page."""

import sys

import typer

from app.cli.console import err


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("password", epilog='Example: export FOOTNOTE_SERVE__PASSWORD="$(footnote password)"')(password)


def password() -> None:
    """Print the hash of a password, which FOOTNOTE_SERVE__PASSWORD takes in its place.

    It is asked for, unseen; where nobody can be asked, it is the first line of standard input.
    """
    from app.access.password import hashed  # noqa: PLC0415 - loads bcrypt

    asked = sys.stdin.isatty()
    given = typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True) if asked else _first_line()
    typer.echo(hashed(given))
    err().print(
        "Visitors sign in with the password; the setting FOOTNOTE_SERVE__PASSWORD takes this hash.", style="dim"
    )


def _first_line() -> str:
    return sys.stdin.readline().rstrip("\r\n")
