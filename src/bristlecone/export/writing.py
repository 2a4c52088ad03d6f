"""Files that appear whole or not at all."""

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["whole_file"]


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a path to write to; what was written takes the place of `path` only if the block ends well.

    Links are followed, and the permissions of an existing file kept. Raises OSError naming `path`, not the draft that
    nobody asked for, when the place cannot be written.
    """
    goal = Path(os.path.realpath(path))
    draft = goal.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        # O_EXCL and 0o666: no other file is overwritten, and the user's umask decides who may read.
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
        yield draft
        _to_disk(draft)
        if goal.exists():
            shutil.copymode(goal, draft)
        os.replace(draft, goal)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), os.fspath(path)) from None
    finally:
        draft.unlink(missing_ok=True)


def _to_disk(file: Path) -> None:
    with file.open("rb") as written:
        os.fsync(written.fileno())
