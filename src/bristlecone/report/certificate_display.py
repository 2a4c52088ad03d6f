"""CertificateDisplay: what certificates bound, beside what was observed and what the majority answer would lose."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from bristlecone.certify import Certificate
from bristlecone.certify.certificate import rounded_up, sureness
from bristlecone.tree.axes import new_axes

__all__ = ["CertificateDisplay"]

BOUND = "#0072b2"
OBSERVED = "#56b4e9"
MAJORITY = "#d55e00"
HEIGHT = 0.6  # of a bar, where certificates are 1 apart


class CertificateDisplay:
    """A bar for each certificate: filled to the observed loss, outlined to the bound; a line where the majority is.

    certificates: a Certificate, or several by name. All must be of one risk. `plot` sets `ax_`, `figure_` and `bars_`,
    by name: a mapping with "observed", "bound" and "majority".
    """

    ax_: Any
    figure_: Any
    bars_: dict[str, dict[str, Any]]

    def __init__(self, *, certificates: Certificate | Mapping[str, Certificate]) -> None:
        self.certificates = certificates

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        kinds: Sequence[str] = ("vote", "pruned", "gibbs"),
        delta: float | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the certificates of a PACBayesTreeClassifier that was fitted with mode="certified", or the one of a
        tree.

        kinds: as in its `certificate`; an estimator with rule="bound" has one, which is drawn as it is. delta: the
        chance that any of them fails (None: the estimator's own): each is asked for at its part, so that all of them
        may be looked at. options: of `plot`. Errors: TypeError for another estimator, ValueError for no kinds, those of
        `certificate`, ImportError without matplotlib.
        """
        if not hasattr(type(estimator), "certificate"):
            only = getattr(estimator, "certificate_", None)
            if isinstance(only, Certificate) and delta is None:
                return cls(certificates=only).plot(ax=ax, **options)
            raise TypeError(
                f"a {type(estimator).__name__} has no certificates{'' if only is None else ' at another delta'}: give "
                "a PACBayesTreeClassifier with mode='certified', or a pruned tree with rule='bound'"
            )
        if not kinds:
            raise ValueError("kinds must name at least one certificate")
        total = estimator.delta if delta is None else delta
        found = {kind: estimator.certificate(kind, total / len(kinds)) for kind in kinds}
        return cls(certificates=found).plot(ax=ax, **options)

    def plot(self, ax: Any = None, *, bar_kw: Mapping[str, Any] | None = None) -> Self:
        """Draw on the given axes, or on new ones.

        bar_kw: for matplotlib's `barh`. Errors: ValueError for no certificates, and for certificates of several risks;
        TypeError for what is none; ImportError without matplotlib.
        """
        given = self._by_name()
        risks = sorted({certificate.risk for certificate in given.values()})
        if len(risks) != 1:
            raise ValueError(
                f"certificates of one risk can be drawn beside each other, got {', '.join(risks) or 'none'}"
            )
        self.ax_ = new_axes(1, type(self).__name__)[0] if ax is None else ax
        self.figure_, self.bars_ = self.ax_.figure, {}
        if ax is None:
            self.figure_.set_size_inches(8, 1.6 + 0.6 * len(given))
        for place, (name, certificate) in enumerate(given.items()):
            self.bars_[name] = self._bars(place, certificate, {"height": HEIGHT, **(bar_kw or {})}, first=not place)
        names = [f"{name}: at most {rounded_up(found.value)}\n{found.kind}" for name, found in given.items()]
        # A dollar sign in a name is no formula.
        self.ax_.set_yticks(np.arange(len(given)), names, parse_math=False)
        self.ax_.set_ylim(len(given) - 0.4, -0.6)
        self.ax_.set_xlim(left=0.0)
        self.ax_.set_title(_surely(given), loc="left")
        self.ax_.set_xlabel(risks[0])
        self.ax_.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
        return self

    def _by_name(self) -> dict[str, Certificate]:
        given = self.certificates
        named = {given.predictor: given} if isinstance(given, Certificate) else dict(given)
        for certificate in named.values():
            if not isinstance(certificate, Certificate):
                raise TypeError(f"a {type(certificate).__name__} is no Certificate")
        return named

    def _bars(self, place: int, certificate: Certificate, options: Mapping[str, Any], *, first: bool) -> dict[str, Any]:
        """The three marks of one certificate; the first one's stand in the legend."""
        words = {name: name if first else "_nolegend_" for name in ("bound", "observed", "majority")}
        (bound,) = self.ax_.barh(
            place, certificate.value, facecolor="none", edgecolor=BOUND, linewidth=1.5, label=words["bound"], **options
        )
        (observed,) = self.ax_.barh(place, certificate.observed, color=OBSERVED, label=words["observed"], **options)
        half = options["height"] / 2
        (majority,) = self.ax_.plot(
            [certificate.constant] * 2,
            [place - half, place + half],
            color=MAJORITY,
            linewidth=2,
            label=words["majority"],
        )
        return {"observed": observed, "bound": bound, "majority": majority}


def _surely(given: Mapping[str, Certificate]) -> str:
    """How surely all the bounds hold together, rounded down; the union bound."""
    missed = math.fsum(certificate.delta for certificate in given.values())
    held = "The bound holds" if len(given) == 1 else f"All {len(given)} bounds hold"
    return f"{held} with probability at least {sureness(min(missed, 1.0))}"
