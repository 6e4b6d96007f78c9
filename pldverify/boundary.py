"""What is read from outside: strict pydantic models, and exact numbers in strings."""

from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from pldverify.errors import InvalidInput

Exact = Annotated[
    str,
    StringConstraints(pattern=r"^(inf|-?[0-9]+(\.[0-9]+)?(e-?[0-9]{1,5})?|-?[0-9]+/0*[1-9][0-9]*)$"),
]
"""A number as :func:`pldverify.numbers.json.text` writes it: a decimal, a fraction, or ``inf``. It may be
long, and its exponent has no more digits than a number at the door may have."""
Expression = Annotated[str, StringConstraints(min_length=1, max_length=10_000)]
"""A number or a composition as users write it; read, and refused, where it is used."""


class Closed(BaseModel):
    """A part of a file of ours: a key that is not named is an error, and no type is converted."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Open(BaseModel):
    """A part of what others may have added to: keys that are not named are left alone."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


Model = TypeVar("Model", bound=BaseModel)


def read(model: type[Model], file: Path, name: str, schema: str) -> Model:
    """A file of JSON that has a schema of ours; ``name`` is what an error calls it. Raises InvalidInput."""
    try:
        return model.model_validate_json(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{name} must be a file that can be read, got {file}: {error}") from None
    except ValidationError as error:
        fault = wrong(error, "the whole")
        raise InvalidInput(f"{name} must be of the schema {schema}, got {file}: {fault}") from None


def wrong(error: ValidationError, whole: str) -> str:
    """Where the first fault is, in ``whole`` or a part of it, and what pydantic says of it."""
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc'])) or whole}: {first['msg']}"
