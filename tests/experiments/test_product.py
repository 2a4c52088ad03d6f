"""The experiments on product spaces: small runs have the shape and the known figures of the whole ones."""

from __future__ import annotations

import math

import pytest

from bristlecone.experiments.product_bounds import examples
from bristlecone.experiments.product_figure2 import exponent, figure2a, figure2b
from bristlecone.experiments.product_greedy import against_optimum, against_purity


def test_a_corner_of_figure_2a():
    runs = list(figure2a(seeds=[0], epsilons=[0.40]))
    assert {(run.target, run.p) for run in runs} == {
        (name, p) for name in ("balanced, depth 4", "chain, 16 leaves") for p in (0.5, 0.3, 0.1)
    }
    for run in runs:
        assert run.certified and run.n == 20 and run.leaves == 16
        assert run.exact <= run.exact_half
    chain = next(run for run in runs if run.target.startswith("chain") and run.p == 0.5)
    assert (chain.size, chain.exact, chain.exact_half) == (2, 1, 2)


def test_a_corner_of_figure_2b_and_its_exponent():
    runs = list(figure2b(seeds=[0], variables=[3, 4]))
    assert len(runs) == 2 * 2 * 3
    assert {run.leaves for run in runs if run.n == 3 and run.target.startswith("chain")} == {4}
    grown = [run for run in runs if run.size == 2 and run.p == 0.5]
    if len({run.n for run in grown}) == 2:
        assert exponent(grown, lambda run: run.n) > 0


def test_bounds_of_the_appendix():
    rows = list(examples())
    full = next(
        row for row in rows if row.example == "E.1" and row.leaves == 8 and row.p == 0.5 and row.epsilon == 0.15
    )
    assert full.printed == pytest.approx(210779808511, rel=1e-11) and full.proved == full.printed
    path = next(row for row in rows if row.example == "E.2" and row.leaves == 6 and row.p == 0.5 and row.epsilon == 0.1)
    assert path.printed == pytest.approx(8055823704.94, rel=1e-11) and path.delta_star == path.average_depth
    assert all(row.greedy <= row.proved for row in rows)


def test_greed_is_never_smaller_than_the_optimum():
    rows = list(against_optimum(variables=[4, 6], seeds=[0, 1]))
    assert len(rows) == 2 * 2 * 2 * 3 * 2
    assert all(row.size >= row.optimum and row.error <= row.epsilon + 1e-12 for row in rows)


def test_purity_is_stuck_at_a_parity_and_influence_is_not():
    rows = {(row.function, row.n, row.p, row.way): row for row in against_purity(seeds=[0])}
    for way in ("gini", "entropy"):
        assert rows["parity", 6, 0.5, way].size == 1 and rows["parity", 6, 0.5, way].error == 0.5
        assert rows["majority", 7, 0.5, way].error <= 0.05 and not math.isnan(rows["majority", 7, 0.5, way].size)
    assert rows["parity", 6, 0.5, "influence"].size == 8 == rows["parity", 6, 0.5, "influence"].optimum
