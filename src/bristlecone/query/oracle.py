"""A black box that can be asked: any function of batches of points, with its answers counted and checked.

query     one answer asked for; repeats count, unless a cache answers them.
kind      one of the distinct answers, numbered in the order in which they were met.
budget    the most queries, or seconds, that may be spent; what would pass it is not asked.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.query.checks import check_whole, first_missing

__all__ = ["BudgetSpentError", "Oracle", "check_budgets"]

Answers = npt.NDArray[Any]
Kinds = npt.NDArray[np.int64]

FIRST_RECHECK = 1024  # queries before some are asked again for the first time; from then on whenever they have doubled
MANY_KINDS = 8  # up to so many kinds answers are compared with each, beyond they are sorted


class BudgetSpentError(RuntimeError):
    """The next questions would pass the oracle's budget. needed: how many queries they are."""

    def __init__(self, reason: str, needed: int) -> None:
        super().__init__(reason)
        self.reason, self.needed = reason, needed


class Oracle:
    """A function that answers batches of points, with its queries counted.

    f: a callable on (m, n) arrays (or frames) that returns m labels, or an object with `predict`. most_kinds: how many
    distinct answers there may be. cache: remember the answers to rows of arrays and never ask one twice. log: keep all
    questions and answers in `log`. batch_size: most points in one call. max_queries, max_seconds: budgets.
    recheck: so many of the first questions are asked again now and then, to see whether answers change (not with a
    cache); they count as queries.

    f: what is called. n_queries: answers asked for. n_distinct: distinct rows among them, known with a cache only.
    seconds: time spent in f. n_changed: repeated questions that were answered differently. Raises ValueError naming
    what f did when it raises, returns another number of answers, a missing answer, or too many kinds; BudgetSpentError
    before a budget is passed.
    """

    def __init__(
        self,
        f: Any,
        *,
        most_kinds: int | None = 2,
        cache: bool = False,
        log: bool = False,
        batch_size: int = 1 << 16,
        max_queries: int | None = None,
        max_seconds: float | None = None,
        recheck: int = 32,
    ) -> None:
        self.f = _function(f)
        check_whole(1, batch_size=batch_size)
        check_whole(0, recheck=recheck)
        check_whole(1, optional=True, most_kinds=most_kinds)
        self.set_budget(max_queries, max_seconds)
        self.most_kinds, self.batch_size = most_kinds, int(batch_size)
        self.n_queries = self.n_changed = self.n_rechecked = 0
        self.seconds = 0.0
        self.log: list[tuple[Any, Answers]] | None = [] if log else None
        self._cache: dict[bytes, int] | None = {} if cache else None
        self._kinds: list[Any] = []
        self._recheck, self._next_recheck = int(recheck), FIRST_RECHECK
        self._kept: tuple[Any, Kinds] | None = None

    def set_budget(self, max_queries: int | None = None, max_seconds: float | None = None) -> None:
        """Set the budgets, from now on; None is no limit. Raises TypeError or ValueError for what is no budget."""
        check_budgets(max_queries, max_seconds)
        self.max_queries, self.max_seconds = max_queries, max_seconds
        self._started = time.monotonic()

    @contextmanager
    def narrowed(self, max_queries: int | None = None, max_seconds: float | None = None) -> Iterator[None]:
        """Within it, at most so many more queries and seconds; the oracle's own budgets hold too, and are left as
        they were. Raises TypeError or ValueError for what is no budget.
        """
        check_budgets(max_queries, max_seconds)
        own = self.max_queries, self.max_seconds, self._started
        if max_queries is not None and max_queries < self.queries_left:
            self.max_queries = self.n_queries + int(max_queries)
        if max_seconds is not None and max_seconds < self.seconds_left:
            self.max_seconds, self._started = max_seconds, time.monotonic()
        try:
            yield
        finally:
            self.max_queries, self.max_seconds, self._started = own

    @property
    def n_distinct(self) -> int | None:
        """Distinct rows asked about; None without a cache."""
        return None if self._cache is None else len(self._cache)

    @property
    def queries_left(self) -> float:
        """How many queries the budget still allows; infinity without one."""
        return np.inf if self.max_queries is None else max(0, int(self.max_queries) - self.n_queries)

    @property
    def seconds_left(self) -> float:
        """How many seconds the budget still allows; infinity without one."""
        if self.max_seconds is None:
            return np.inf
        return max(0.0, float(self.max_seconds) - (time.monotonic() - self._started))

    def __call__(self, X: Any) -> Answers:
        """The labels of the points X, (m,)."""
        kinds = self.kinds(X)
        return _labels(self._kinds)[kinds]

    def kinds(self, X: Any) -> Kinds:
        """The kinds of the answers to the points X, (m,), numbered as they were met."""
        if self._cache is not None:
            if not isinstance(X, np.ndarray) or X.dtype.hasobject or X.ndim != 2:
                raise TypeError(f"cache=True remembers rows of arrays (m, n) of numbers, got {_told(X)}")
            return self._from_cache(np.ascontiguousarray(X))
        first = _own(X[: self._recheck])
        found = self._ask(X)
        self._look_again(first, found)
        return found

    def classes(self) -> tuple[Answers, npt.NDArray[np.int64]]:
        """The kinds met so far, sorted, and the place of each kind among them."""
        try:
            ordered = sorted(self._kinds)
        except TypeError:
            ordered = list(self._kinds)
        return _labels(ordered), np.array([ordered.index(kind) for kind in self._kinds], dtype=np.int64)

    def final_check(self) -> None:
        """Ask some of the first questions again if that was never done and the budget allows."""
        if self.n_rechecked == 0:
            self._check_kept()

    def _from_cache(self, X: Answers) -> Kinds:
        assert self._cache is not None
        told = X + X.dtype.type(0) if X.dtype.kind == "f" else X  # -0.0 equals 0.0
        kind = X.dtype.str.encode()  # equal bytes of another type are other numbers
        keys = [kind + row.tobytes() for row in told]
        fresh = {key: row for row, key in enumerate(keys) if key not in self._cache}
        if fresh:
            self._cache.update(zip(fresh, self._ask(X[list(fresh.values())]).tolist(), strict=True))
        return np.array([self._cache[key] for key in keys], dtype=np.int64)

    def _ask(self, X: Any) -> Kinds:
        m = len(X)
        if m <= self.batch_size:
            return self._ask_batch(X)
        return np.concatenate([self._ask_batch(X[a : a + self.batch_size]) for a in range(0, m, self.batch_size)])

    def _ask_batch(self, X: Any) -> Kinds:
        m = len(X)
        if m == 0:
            return np.empty(0, dtype=np.int64)
        self._check_budget(m)
        started = time.perf_counter()
        try:
            answers = self.f(X)
        except Exception as error:
            raise ValueError(f"the oracle raised {type(error).__name__} on {m} points: {error}") from error
        finally:
            self.seconds += time.perf_counter() - started
        answers = _checked(answers, m)
        self.n_queries += m
        if self.log is not None:
            self.log.append((X, answers))
        return self._numbered(answers)

    def _check_budget(self, m: int) -> None:
        if m > self.queries_left:
            raise BudgetSpentError(
                f"max_queries={self.max_queries} is spent ({self.n_queries} asked, {m} more wanted)", m
            )
        if self.seconds_left <= 0:
            raise BudgetSpentError(f"max_seconds={self.max_seconds} are over", m)

    def _numbered(self, answers: Answers) -> Kinds:
        if len(self._kinds) == 2:
            second = np.asarray(answers == self._kinds[1])
            if np.all(second | np.asarray(answers == self._kinds[0])):
                return second.astype(np.int64)
        found = self._places(answers)
        unknown = found < 0
        if unknown.any():
            self._meet(answers[unknown])
            found = self._places(answers)
        return found

    def _places(self, answers: Answers) -> Kinds:
        found = np.full(len(answers), -1, dtype=np.int64)
        if len(self._kinds) <= MANY_KINDS or answers.dtype.hasobject:
            for place, kind in enumerate(self._kinds):
                found[np.asarray(answers == kind)] = place
            return found
        kinds = _labels(self._kinds)
        order = np.argsort(kinds)
        near = order[np.searchsorted(kinds[order], answers).clip(max=len(kinds) - 1)]
        return np.where(kinds[near] == answers, near, -1)

    def _meet(self, answers: Answers) -> None:
        try:
            self._kinds += dict.fromkeys(answers.tolist()) if answers.dtype.hasobject else np.unique(answers).tolist()
        except TypeError:
            raise ValueError(f"the oracle answers with what is no label: {answers.tolist()[0]!r}") from None
        if self.most_kinds is not None and len(self._kinds) > self.most_kinds:
            shown = ", ".join(map(repr, self._kinds[: min(self.most_kinds + 1, 5)]))
            raise ValueError(f"the oracle answers with more than {self.most_kinds} labels: {shown}")

    def _look_again(self, first: Any, found: Kinds) -> None:
        if self._kept is None and len(found):
            self._kept = first, found[: self._recheck]
        if self.n_queries >= self._next_recheck:
            self._check_kept()

    def _check_kept(self) -> None:
        """Ask the kept questions again, if the budget allows: answers that were paid for are not lost to a check."""
        if self._kept is None or self.queries_left < len(self._kept[1]) or self.seconds_left <= 0:
            return
        self._next_recheck = 2 * self.n_queries
        questions, before = self._kept
        self.n_rechecked += len(before)
        self.n_changed += int((self._ask(_own(questions)) != before).sum())


def check_budgets(max_queries: Any, max_seconds: Any) -> None:
    """Raise TypeError or ValueError naming what is no budget; None is none."""
    for name, value, kinds in (
        ("max_queries", max_queries, int | np.integer),
        ("max_seconds", max_seconds, int | float | np.number),
    ):
        if value is not None and (isinstance(value, bool) or not isinstance(value, kinds)):
            raise TypeError(f"{name} must be a {'whole ' * (name == 'max_queries')}number, got {value!r}")
        if value is not None and not value >= 0:
            raise ValueError(f"{name} must not be negative, got {value!r}")


def _function(f: Any) -> Callable[[Any], Any]:
    predict = getattr(f, "predict", None)
    if callable(predict) and isinstance(f, type):
        raise TypeError(f"an oracle needs a callable or an object with predict, got the class {f.__name__} itself")
    asked: Any = predict if callable(predict) else f
    if not callable(asked):
        raise TypeError(f"an oracle needs a callable or an object with predict, got {type(f).__name__}")
    return asked  # type: ignore[no-any-return]


def _told(X: Any) -> str:
    return f"an array (shape {X.shape}) of {X.dtype}" if isinstance(X, np.ndarray) else f"a {type(X).__name__}"


def _own(X: Any) -> Any:
    """An array that is kept apart: f may write into the one that it is given."""
    return X.copy() if isinstance(X, np.ndarray) else X


def _labels(kinds: list[Any]) -> Answers:
    """Labels as an array, of objects where numpy would turn numbers beside text into text."""
    array = np.asarray(kinds)
    if array.tolist() != kinds:
        array = np.empty(len(kinds), dtype=object)
        array[:] = kinds
    return array


def _checked(answers: Any, m: int) -> Answers:
    array = np.asarray(answers)
    if array.shape == (m, 1):
        array = array[:, 0]
    if array.shape != (m,):
        raise ValueError(f"the oracle was asked about {m} points and returned answers of shape {array.shape}")
    missing = first_missing(array)
    if missing is not None:
        raise ValueError(f"the oracle's answer to point {missing} of a batch is missing (NaN or None)")
    return array
