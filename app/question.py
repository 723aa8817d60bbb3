"""The door: what a person typed is made askable, or refused with a reason, before anything else runs."""

import json
import unicodedata
from collections.abc import Collection, Mapping
from typing import Any

from pydantic import ValidationError

from app.errors import InvalidQuestionError, InvalidUserError, UnknownExperienceError
from graph.llm.experiences import EXPERIENCES
from graph.turn import User


def clean_question(text: str, limit: int) -> str:
    """Drop control characters and outer white space.

    Args:
        text: What the user typed.
        limit: Most characters that are accepted.

    Raises:
        InvalidQuestionError: Nothing readable is left, or it is too long.
    """
    cleaned = "".join(" " if character.isspace() else character for character in text if not _unusable(character))
    cleaned = cleaned.strip()
    if len(cleaned) > limit:
        msg = f"The question has {len(cleaned):,} characters; at most {limit:,} are read. Please ask it in fewer words."
        raise InvalidQuestionError(msg)
    if all(_invisible(character) for character in cleaned):
        msg = "The question is empty. Please type one, such as: What is your return policy?"
        raise InvalidQuestionError(msg)
    return cleaned


def _unusable(character: str) -> bool:
    """Control characters and lone surrogates, which no terminal, database or page takes well."""
    return unicodedata.category(character) in {"Cc", "Cs"} and not character.isspace()


def _invisible(character: str) -> bool:
    """Spaces, joiners, direction marks and lone accents: nothing that could be a question by itself."""
    category = unicodedata.category(character)
    return category == "Cf" or category[0] in "ZM"


def known_experiences(names: Collection[str]) -> list[str]:
    """The experiences that are asked for, each once.

    Raises:
        UnknownExperienceError: One of them does not exist.
    """
    for name in names:
        if name not in EXPERIENCES:
            raise UnknownExperienceError(name, list(EXPERIENCES))
    return list(dict.fromkeys(names))


def read_user(user: User | Mapping[str, Any] | str | None) -> User | None:
    """The user from an object, a mapping or its JSON.

    Raises:
        InvalidUserError: It is no JSON object, or has unknown or wrong fields.
    """
    if user is None or isinstance(user, User):
        return user
    try:
        return User.model_validate(json.loads(user) if isinstance(user, str) else user)
    except json.JSONDecodeError as error:
        reason = f"it is no JSON ({error})"
        raise InvalidUserError(reason) from error
    except ValidationError as error:
        first = error.errors()[0]
        reason = f"{'.'.join(map(str, first['loc'])) or 'the whole'}: {first['msg']}"
        raise InvalidUserError(reason) from error
