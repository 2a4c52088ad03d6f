"""The certificate: a bound on an error to come, with all that it speaks of and rests on. SPEC A7.

predictor   whose error is bounded. A bound on one of them says nothing of another.
kind        by which inequality.
unit        what was drawn independently, and is counted: rows, or whole groups of them.
observed    the predictor's mean loss on the certifying units; constant: that of always giving the majority answer.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from numbers import Integral, Real
from types import MappingProxyType
from typing import Any

from bristlecone.certify.bounds import check_delta, check_rows

__all__ = ["PREDICTORS", "Certificate", "least", "rounded_up", "sureness"]

PREDICTORS: Mapping[str, str] = MappingProxyType(
    {
        "vote": "the vote over all prunings",
        "pruned": "the pruned tree",
        "drawn": "the drawn tree",
        "gibbs": "the Gibbs predictor, which draws a pruning for every answer,",
        "classifier": "the classifier",
        "regressor": "the regressor",
    }
)
UNITS = ("row", "group")
_SENTENCES = ("assumes", "notes")
DIGITS = 4  # of a bound in words, rounded up
OFF_BY = "chance of being off by more than"  # how the risk of answers that are numbers is called


@dataclass(frozen=True, slots=True)
class Certificate:
    """With probability at least 1 - delta, what a predictor loses on new data is at most `value`.

    value: in units of `risk`, a phrase: "error" unless said otherwise. n: independent certifying units, rows or groups.
    predictor: "vote", "pruned", "drawn", "gibbs", "classifier" or "regressor". kind: the name of the inequality.
    assumes: what must be true for it, sentences without their full stop. observed, constant: on the certifying units;
    the majority-class error is the latter. shared: among how many certificates a delta was shared of which this is the
    least. notes: sentences of what it does not say. details: numbers and words that it came from (kl, lambda, prior,
    seed).
    Printing it gives the sentence for people; `to_json` and `from_json` keep it. Raises ValueError or TypeError, by
    name, for anything that is no certificate.
    """

    value: float
    delta: float
    n: int
    predictor: str
    kind: str
    assumes: tuple[str, ...]
    observed: float
    constant: float
    risk: str = "error"
    unit: str = "row"
    shared: int = 1
    notes: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        check_delta(self.delta)
        check_rows(self.n, 1)
        for name in ("value", "observed", "constant"):
            number = getattr(self, name)
            if isinstance(number, bool) or not isinstance(number, Real) or not math.isfinite(number) or number < 0:
                raise ValueError(f"{name} must be a finite number of at least 0, got {number!r}")
        if not isinstance(self.predictor, str) or self.predictor not in PREDICTORS:
            raise ValueError(f"predictor must be one of {', '.join(map(repr, PREDICTORS))}, got {self.predictor!r}")
        if self.unit not in UNITS:
            raise ValueError(f"unit must be 'row' or 'group', got {self.unit!r}")
        if isinstance(self.shared, bool) or not isinstance(self.shared, Integral) or self.shared < 1:
            raise ValueError(f"shared must be a whole number of at least 1, got {self.shared!r}")
        _check_words(self)
        for name in _SENTENCES:
            object.__setattr__(self, name, tuple(getattr(self, name)))
        object.__setattr__(self, "details", MappingProxyType(dict(self.details)))

    @property
    def sentence(self) -> str:
        """What it says, and no more."""
        draw = f"the draw of the {self.n:,} certifying {self.unit}s"
        if self.predictor == "drawn":
            draw += " and of the tree"
        return (
            f"With probability at least {sureness(self.delta)} over {draw}, the {self.risk} of "
            f"{PREDICTORS[self.predictor]} on new data from the same distribution is at most {rounded_up(self.value)}."
        )

    def __str__(self) -> str:
        always = "one number" if self.risk.startswith(OFF_BY) else "the majority answer"
        seen = (
            f"On the certifying {self.unit}s it was {self.observed:.{DIGITS}f}; always {always} would have "
            f"{self.constant:.{DIGITS}f}."
        )
        chosen = f" The least of {self.shared} bounds that shared the probability." if self.shared > 1 else ""
        return "\n".join([self.sentence, seen + chosen, *self.notes, f"Assumed: {'; '.join(self.assumes)}."])

    def __reduce__(self) -> tuple[Any, ...]:
        return Certificate.from_dict, (self.to_dict(),)

    def to_dict(self) -> dict[str, Any]:
        """The fields by name, in plain Python values."""
        return {name: getattr(self, name) for name in _NAMES} | {
            **{name: list(getattr(self, name)) for name in _SENTENCES},
            "details": dict(self.details),
        }

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Certificate:
        """The certificate that `to_dict` took apart. Raises ValueError or TypeError for anything else."""
        if not isinstance(given, Mapping):
            raise TypeError(f"a certificate is a mapping of its fields, got {type(given).__name__}")
        for name in given:
            if name not in _NAMES:
                raise ValueError(f"a certificate has no {name!r}")
        lacking = [name for name in _REQUIRED if name not in given]
        if lacking:
            raise ValueError(f"the certificate lacks {lacking[0]!r}")
        return cls(**given)

    def to_json(self) -> str:
        """The certificate as one JSON object; `from_json` reads it back exactly."""
        return json.dumps(self.to_dict(), allow_nan=False)

    @classmethod
    def from_json(cls, text: str | bytes) -> Certificate:
        """The certificate that `to_json` wrote. Raises ValueError or TypeError for anything else."""
        return cls.from_dict(json.loads(text))


_NAMES = tuple(entry.name for entry in fields(Certificate))
_REQUIRED = _NAMES[: _NAMES.index("risk")]


def least(certificates: Iterable[Certificate]) -> Certificate:
    """The least of several certificates for one predictor, failing with at most the sum of their deltas.

    To have K of them to choose from at delta in all, ask for each at delta / K (the union bound, SPEC A7).
    Raises ValueError for none, for certificates of several predictors or risks, and for deltas that sum to 1 or more.
    """
    given = list(certificates)
    if not given:
        raise ValueError("there must be at least one certificate")
    for certificate in given:
        if not isinstance(certificate, Certificate):
            raise TypeError(f"a {type(certificate).__name__} is no Certificate")
    for name in ("predictor", "risk", "unit"):
        found = sorted({getattr(certificate, name) for certificate in given})
        if len(found) > 1:
            raise ValueError(f"certificates of several kinds of {name} have no least one: {', '.join(found)}")
    best = min(given, key=lambda certificate: certificate.value)
    delta = math.fsum(certificate.delta for certificate in given)
    return replace(best, delta=delta, shared=sum(certificate.shared for certificate in given))


def _check_words(certificate: Certificate) -> None:
    for name in ("kind", "risk"):
        if not isinstance(getattr(certificate, name), str):
            raise TypeError(f"{name} must be text, got {getattr(certificate, name)!r}")
    for name in _SENTENCES:
        said = getattr(certificate, name)
        if not isinstance(said, tuple | list) or not all(isinstance(sentence, str) for sentence in said):
            raise TypeError(f"{name} must be sentences, got {said!r}")
    if not isinstance(certificate.details, Mapping):
        raise TypeError(f"details must be a mapping, got {certificate.details!r}")


def rounded_up(value: float, digits: int = DIGITS) -> str:
    """A bound with so many digits after the point: in print it is never smaller than it is."""
    scaled = value * 10**digits
    return f"{math.ceil(scaled * (1 - 1e-12)) / 10**digits:.{digits}f}"


def sureness(delta: float) -> str:
    """1 - delta in percent, as 95% or 98.33%: never more than it is, and never all."""
    return f"{(10_000 - math.ceil(delta * 10_000 * (1 - 1e-12))) / 100:g}%"
