"""The envelope of a model file: format, schema number, kind, checksum around a payload. docs/model-format.md says more.

document    {"format", "schema_version", "kind", "payload"}: what travels in memory.
file        the same with "checksum", the SHA-256 of the document's canonical JSON, so that any change of content shows.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from bristlecone.export.writing import whole_file

FORMAT = "bristlecone-model"
SCHEMA_VERSION = 1
FIELDS = {"format", "schema_version", "kind", "payload"}


class ModelFileError(ValueError):
    """A file or a document that is not a model this library can read; the message says why."""


def make_document(kind: str, payload: Mapping[str, Any]) -> dict[str, Any]:
    """The document of one model, from what its kind says about itself."""
    return {"format": FORMAT, "schema_version": SCHEMA_VERSION, "kind": kind, "payload": dict(payload)}


def check_document(document: object) -> dict[str, Any]:
    """The document, if its envelope is one of ours. Raises ModelFileError."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ModelFileError(f'this is not a bristlecone model: it does not say "format": "{FORMAT}"')
    version = document.get("schema_version")
    if type(version) is not int or version < 1:
        raise ModelFileError(f"the model's schema_version is {_short(version)}, expected a number from 1")
    if version > SCHEMA_VERSION:
        raise ModelFileError(
            f"the model was written by a newer bristlecone (schema {version}; this one reads up to {SCHEMA_VERSION})"
        )
    check_fields(document, FIELDS, "the model")
    if not isinstance(document["kind"], str) or not isinstance(document["payload"], dict):
        raise ModelFileError("the model's kind must be text and its payload an object")
    return document


def check_fields(held: Mapping[str, Any], expected: set[str], whose: str) -> None:
    """Refuse a lacking field, and an unknown one: skipping what one does not understand changes a model's meaning."""
    for name in sorted(expected - held.keys()):
        raise ModelFileError(f"{whose} lacks the field {name!r}")
    for name in sorted(held.keys() - expected):
        raise ModelFileError(f"{whose} has the unknown field {_short(name)}")


def write_document(document: Mapping[str, Any], path: str | os.PathLike[str]) -> None:
    """Write a document as a model file, whole or not at all.

    Raises ModelFileError for a document that is none or holds what JSON cannot say, OSError naming `path` when the
    place cannot be written.
    """
    checked = check_document(dict(document))
    body = canonical(checked)
    text = canonical(checked | {"checksum": _checksum(body)})
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        error = IsADirectoryError if target.is_dir() else FileExistsError
        raise error(f"{target} is not a regular file, so a model cannot be written there")
    with whole_file(path) as draft:
        draft.write_bytes(text.encode("ascii") + b"\n")


def read_document(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The document in a model file, its schema number and checksum verified.

    Raises ModelFileError naming the file and what is wrong with it, OSError when it cannot be read.
    """
    content = Path(path).read_bytes()
    try:
        return _parse(content)
    except ModelFileError as error:
        raise ModelFileError(f"{os.fspath(path)}: {error}") from None


def _parse(content: bytes) -> dict[str, Any]:
    held = _json(content)
    if not isinstance(held, dict):
        raise ModelFileError("this is not a bristlecone model: the file does not hold a JSON object")
    stated = held.pop("checksum", None)
    document = check_document(held)
    if stated is None:
        raise ModelFileError("the model lacks its checksum")
    if stated != _checksum(canonical(document)):
        raise ModelFileError("the checksum does not fit the content: the file was changed after it was written")
    return document


def _json(content: bytes) -> Any:
    if not content.strip():
        raise ModelFileError("the file is empty")
    try:
        return json.loads(content.decode("utf-8-sig"), parse_constant=_no_constant, object_pairs_hook=_no_repeats)
    except UnicodeDecodeError:
        raise ModelFileError("this is not a bristlecone model: the file is not text in UTF-8") from None
    except json.JSONDecodeError as error:
        if content.lstrip().startswith(b"{") and error.pos >= len(error.doc.rstrip()) - 1:
            raise ModelFileError("the file is cut short: its JSON ends in the middle") from None
        raise ModelFileError(f"the file is not JSON ({error})") from None
    except RecursionError:
        raise ModelFileError("the file's JSON is nested deeper than any model") from None
    except ModelFileError:
        raise
    except ValueError as error:  # an integer of thousands of digits
        raise ModelFileError(f"the file's JSON cannot be read ({error})") from None


def _no_constant(name: str) -> NoReturn:
    raise ModelFileError(f"the file's JSON holds {name}, which JSON does not have")


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    held = dict(pairs)
    if len(held) != len(pairs):
        raise ModelFileError("a field of the model stands twice")
    return held


def canonical(held: Any) -> str:
    """The one JSON text of a value: sorted keys, no spaces, ASCII, floats by their shortest exact decimal.

    Raises ModelFileError for what JSON does not have: NaN, infinities (also 1e400), other types.
    """
    try:
        return json.dumps(held, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    except RecursionError:
        raise ModelFileError("the model is nested deeper than any model") from None
    except (TypeError, ValueError) as error:
        raise ModelFileError(f"the model holds what JSON cannot say: {error}") from None


def _checksum(body: str) -> str:
    return "sha256:" + hashlib.sha256(body.encode("ascii")).hexdigest()


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
