"""The door: what a person typed is made askable, or refused with a reason, before anything else runs."""

import json
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from app.errors import InputError, InvalidUserError
from graph.llm.multi_ux import EXPERIENCES
from graph.turn import User
from ingestion.readers.cleaning import NAME_LIMIT, clean, too_long

LONGEST_THREAD = 200
"""Characters of a conversation's name."""
MOST_ENTRIES = 1_000
"""Products of a page, things owned, preferences: most of each."""


def clean_question(text: str, limit: int) -> str:
    """Drop control characters and fold white space and long runs of one character.

    Args:
        text: What the user typed.
        limit: Most characters that are accepted.

    Raises:
        InputError: Nothing readable is left, or it is too long.
    """
    cleaned = _line(text)
    if len(cleaned) > limit:
        msg = f"The question {too_long(len(cleaned), limit)}. Please ask it in fewer words."
        raise InputError(msg)
    if all(_invisible(character) for character in cleaned):
        msg = "The question is empty. Please type one, such as: What is your return policy?"
        raise InputError(msg)
    return cleaned


def _line(text: str) -> str:
    """A text on one line, without what no terminal, database or page takes well."""
    return " ".join(clean(text).split())


def _invisible(character: str) -> bool:
    """Spaces, joiners, direction marks and lone accents: nothing that could be a question by itself."""
    category = unicodedata.category(character)
    return category == "Cf" or category[0] in "ZM"


def known_experiences(names: Collection[str]) -> list[str]:
    """The experiences that are asked for, each once.

    Raises:
        InputError: One of them does not exist.
    """
    for name in names:
        if name not in EXPERIENCES:
            msg = f"There is no {name!r} to ask for beside the answer. There are: {', '.join(EXPERIENCES)}."
            raise InputError(msg)
    return list(dict.fromkeys(names))


def read_user(user: User | Mapping[str, Any] | str | None) -> User | None:
    """The user from an object, a mapping or its JSON.

    Raises:
        InvalidUserError: It is no JSON object, or has unknown, wrong or too long fields.
    """
    if user is None:
        return None
    try:
        given = user.model_dump() if isinstance(user, User) else json.loads(user) if isinstance(user, str) else user
        return User.model_validate(_folded(given))
    except RecursionError as error:
        reason = "it is nested too deeply"
        raise InvalidUserError(reason) from error
    except json.JSONDecodeError as error:
        reason = f"it is no JSON ({error})"
        raise InvalidUserError(reason) from error
    except ValidationError as error:
        first = error.errors()[0]
        reason = f"{'.'.join(map(str, first['loc'])) or 'the whole'}: {first['msg']}"
        raise InvalidUserError(reason) from error


def known_thread(thread: str | None) -> str | None:
    """The name of the conversation that is gone on with; None for a new one.

    Raises:
        InputError: It is too long, or has characters that no name has.
    """
    if not thread:
        return None
    if len(thread) > LONGEST_THREAD or _line(thread) != thread:
        msg = (
            f"That is no name of a conversation: it may have {LONGEST_THREAD} characters, none of them a control "
            "character and no white space but single spaces between words."
        )
        raise InputError(msg)
    return thread


def _folded(given: Any, name: str = "the whole") -> Any:  # noqa: ANN401 - any JSON value
    """A description of the user with every text on one line, within the limits on names and lists.

    Raises:
        InvalidUserError: It is longer than those.
    """
    if isinstance(given, str):
        text = _line(given)
        if len(text) > NAME_LIMIT:
            reason = f"{name} {too_long(len(text), NAME_LIMIT)}"
            raise InvalidUserError(reason)
        return text
    if isinstance(given, (Mapping, Sequence)) and len(given) > MOST_ENTRIES:
        reason = f"{name} has {len(given):,} entries; at most {MOST_ENTRIES:,} are read"
        raise InvalidUserError(reason)
    if isinstance(given, Mapping):
        return {_folded(key, "a field's name"): _folded(value, str(key)[:NAME_LIMIT]) for key, value in given.items()}
    if isinstance(given, (list, tuple)):
        return [_folded(value, name) for value in given]
    return given
