"""Influences: against the twin, of tables and of trees, in three conventions; variance, OSSS, monotonicity."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from query.boolean_functions import SETTINGS, as_array, dist_of, functions
from reference import boolean as twin

import bristlecone as bc
from bristlecone import _core
from bristlecone.query import (
    ProductDistribution,
    average_depth,
    build_top_down,
    convert,
    delta_star,
    influence,
    monotonicity,
    optimal_tree,
    osss_ratio,
    targets,
    total_influence,
    variance,
)
from bristlecone.query.functions import known

LABELS = [[0, 1], [-1, 1], [False, True], ["no", "yes"], [2.5, 7.0]]


def tree_of(table, p):
    """The function as a tree, by greed to error 0."""
    return build_top_down(as_array(table), dist_of(p), 0.0).tree


@SETTINGS
@given(functions(most=5))
def test_influences_of_tables_and_trees_are_those_of_the_twin(function):
    table, p = function
    expected = [float(twin.influence(table, p, {}, i)) for i in range(len(p))]
    np.testing.assert_allclose(influence(as_array(table), dist_of(p)), expected, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(influence(tree_of(table, p), dist_of(p)), expected, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("n", [6, 7, 9, 12])
@pytest.mark.parametrize("seed", range(3))
def test_larger_tables_agree_with_plain_sums(n, seed):
    rng = np.random.default_rng(seed)
    table, p = rng.integers(0, 2, 1 << n, dtype=np.uint8), rng.uniform(0.02, 0.98, n)
    places = np.arange(1 << n)
    bits = places[:, None] >> np.arange(n) & 1
    weight = np.where(bits, p, 1 - p).prod(axis=1)
    expected = [2 * p[i] * (1 - p[i]) * (weight * (table != table[places ^ 1 << i])).sum() for i in range(n)]
    found, zeros, ones = _core.table_influences(table, p)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    np.testing.assert_allclose([zeros, ones], [(weight * (table == b)).sum() for b in (0, 1)], rtol=1e-12)


@SETTINGS
@given(functions(most=4), st.integers(0, 3), st.booleans())
def test_a_restricted_tree_answers_as_the_tree_does_there(function, known, value):
    table, p = function
    n = len(p)
    known %= n
    tree = tree_of(table, p)
    variable = np.where(tree.feature >= 0, tree.feature, -1).astype(np.int32)
    answer = tree.classes[tree.label].astype(np.uint8)
    left, right, variable, answer = _core.restrict_tree(
        tree.children_left, tree.children_right, variable, answer, np.empty(0, np.uint8), known, value
    )
    assert known not in variable
    for place in twin.places(n, {known: int(value)}):
        node = 0
        while left[node] >= 0:
            node = right[node] if twin.bit(place, variable[node]) else left[node]
        assert answer[node] == table[place]
    leaves = left[left >= 0], right[left >= 0]
    assert not any(left[a] == left[b] == -1 and answer[a] == answer[b] for a, b in zip(*leaves, strict=True))


def test_av_c1_influences_of_majority_and_conjunction():
    majority = targets.majority(3)
    conjunction = targets.monotone_dnf([[0, 1, 2]], 3)
    for p, maj, conj in (
        (0.5, Fraction(1, 4), Fraction(1, 8)),
        (0.3, Fraction(441, 2500), Fraction(189, 5000)),
        (0.1, Fraction(81, 2500), Fraction(9, 5000)),
    ):
        dist = ProductDistribution([p] * 3)
        for target, expected in ((majority, maj), (conjunction, conj)):
            for given_as in (target, target.table, target.tree):
                np.testing.assert_allclose(influence(given_as, dist), [float(expected)] * 3, rtol=1e-13)


@pytest.mark.parametrize("labels", LABELS)
def test_labels_may_be_of_any_two_kinds(labels):
    table = np.array([0, 1, 1, 0, 1, 1, 1, 0])
    dist = ProductDistribution([0.3, 0.6, 0.2])
    of_codes = influence(table, dist)
    spoken = np.array(labels)[table]
    weights = 1 << np.arange(3)
    np.testing.assert_array_equal(influence(spoken, dist), of_codes)
    np.testing.assert_array_equal(influence(lambda X: spoken[X.astype(int) @ weights], dist), of_codes)
    tree = build_top_down(spoken, dist, 0).tree
    assert tree.classes.tolist() == sorted(labels)
    np.testing.assert_allclose(influence(tree, dist), of_codes, rtol=1e-12)


def test_conventions_are_convertible():
    dist = ProductDistribution([0.5, 0.3, 0.9])
    majority = targets.majority(3)
    plain = influence(majority, dist)
    np.testing.assert_allclose(influence(majority, dist, convention="osss"), 2 * plain)
    flip = influence(majority, dist, convention="flip")
    np.testing.assert_allclose(flip, plain / (2 * dist.p * (1 - dist.p)))
    np.testing.assert_allclose(convert(flip, dist, of="flip", to="osss"), 2 * plain)
    with pytest.raises(ValueError, match=r"influences must be \(3,\)"):
        convert([0.5], dist, to="flip")
    with pytest.raises(ValueError, match="convention must be one of"):
        influence(majority, dist, convention="printed")


def test_av_c2_flip_influence_and_average_depth_of_majority_of_five():
    dist = ProductDistribution([0.5] * 5)
    majority = targets.majority(5)
    np.testing.assert_allclose(influence(majority, dist, convention="flip"), [3 / 8] * 5)
    assert average_depth(majority.tree, dist) == 33 / 8


def test_av_d2_in_the_units_of_osss():
    dist = ProductDistribution([0.7, 0.7])
    conjunction = targets.monotone_dnf([[0, 1]], 2)
    np.testing.assert_allclose(influence(conjunction, dist, convention="osss"), [0.588] * 2, rtol=1e-12)
    assert 2 * variance(conjunction, dist) == pytest.approx(0.9996, rel=1e-12)
    assert average_depth(conjunction.tree, dist) == pytest.approx(1.7)
    assert osss_ratio(conjunction, conjunction.tree, dist) == pytest.approx(1.0, rel=1e-12)


def check_lemmas(table, dist):
    """SPEC C3: Lemmas 4.1 and 4.2, Efron-Stein, C.1 (OSSS) and C.2, in the consistent convention."""
    spread, influences = variance(table, dist), influence(table, dist)
    error, total = build_top_down(table, dist, 1.0).error, influences.sum()
    tree = build_top_down(table, dist, 0.0).tree
    slack = 1 + 1e-12
    assert error <= spread * slack <= total * slack**2
    assert total <= tree.max_depth * spread * slack
    depth = average_depth(tree, dist)
    assert total <= depth / 2 * slack
    assert (influences <= min(2 * error, spread) * slack + 1e-300).all()
    if spread > 0:
        assert osss_ratio(table, tree, dist) >= 1 - 1e-12
    star = delta_star(tree, dist).value
    assert depth <= star * slack <= tree.max_depth * slack**2


@pytest.mark.parametrize("p", [0.5, 0.3, 0.05])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_lemmas_hold_on_all_functions_of_few_variables(n, p):
    dist = ProductDistribution([p, 0.5, 1 - p, 0.3][:n])
    for code in range(2**2**n):
        check_lemmas(np.array([code >> k & 1 for k in range(2**n)], dtype=np.uint8), dist)


def least_depths(bits, p):
    """Least depth and least average depth of a tree for each of many functions, by subcubes: (n_functions,) each."""
    n = len(p)
    zero = np.zeros(len(bits))
    found = {}
    for cube in itertools.product((0, 1, None), repeat=n):
        free = [i for i in range(n) if cube[i] is None]
        inside = [x for x in range(1 << n) if all(c is None or x >> i & 1 == c for i, c in enumerate(cube))]
        ways = [[found[(*cube[:i], b, *cube[i + 1 :])] for b in (0, 1)] for i in free]
        depth, average = zero, zero
        if free:
            constant = (bits[:, inside] == bits[:, inside[:1]]).all(axis=1)
            depth = np.min([1 + np.maximum(low[0], high[0]) for low, high in ways], axis=0)
            mixed = [1 + (1 - p[i]) * low[1] + p[i] * high[1] for i, (low, high) in zip(free, ways, strict=True)]
            depth, average = np.where(constant, 0, depth), np.where(constant, 0, np.min(mixed, axis=0))
        found[cube] = depth, average
    return found[(None,) * n]


@pytest.mark.parametrize("p", [0.5, 0.1])
def test_lemmas_hold_on_all_functions_of_four_variables(p):
    p = np.array([p, 0.5, 1 - p, p])
    bits = (np.arange(1 << 16)[:, None] >> np.arange(16) & 1).astype(np.uint8)
    looked = [_core.table_influences(table, p) for table in bits]
    influences = np.array([found for found, _, _ in looked])
    zeros, ones = np.array([mass for _, *mass in looked]).T
    error, spread, total = np.minimum(zeros, ones), 2 * zeros * ones, influences.sum(axis=1)
    depth, average = least_depths(bits, p)
    slack = 1 + 1e-12
    assert (error <= spread * slack).all() and (spread <= total * slack).all()  # Lemma 4.1 by Efron-Stein
    assert (total <= depth * spread * slack).all() and (total <= average / 2 * slack).all()  # Lemma 4.2
    assert (influences <= np.minimum(2 * error, spread)[:, None] * slack).all()  # C.2
    assert (spread <= average * influences.max(axis=1) * slack).all()  # C.1, OSSS


@pytest.mark.parametrize("p", [0.5, 0.1])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_lemma_4_3_on_all_functions_of_few_variables(n, p):
    """Inf(f) = Inf_i(f) + (1 - p_i) Inf(f where x_i = 0) + p_i Inf(f where x_i = 1), whatever is split."""
    p = np.array([p, 0.5, 1 - p, 0.3][:n])
    bits = all_tables(n)
    influences = np.array([_core.table_influences(table, p)[0] for table in bits])
    for i in range(n):
        rest = np.delete(p, i)
        smaller = np.array([_core.table_influences(table, rest)[0].sum() for table in all_tables(n - 1)])
        halves = bits.reshape(len(bits), -1, 2, 1 << i)
        low, high = (smaller[halves[:, :, b].reshape(len(bits), -1) @ (1 << np.arange(1 << n - 1))] for b in (0, 1))
        split = influences[:, i] + (1 - p[i]) * low + p[i] * high
        np.testing.assert_allclose(influences.sum(axis=1), split, rtol=1e-13, atol=1e-15)


def all_tables(n):
    """The truth tables of all functions of n variables, (2^2^n, 2^n): bit k of the place is answer k."""
    return (np.arange(1 << (1 << n))[:, None] >> np.arange(1 << n) & 1).astype(np.uint8)


@pytest.mark.parametrize("n", [5, 8, 12])
def test_lemma_4_3_on_random_tables(n):
    rng = np.random.default_rng(n)
    for _ in range(5):
        p = rng.uniform(0.02, 0.98, n)
        check_lemma_4_3(known((rng.random(1 << n) < rng.uniform(0.02, 0.5)).astype(int), ProductDistribution(p)), p)


@pytest.mark.parametrize("seed", range(5))
def test_lemma_4_3_on_trees_of_many_variables(seed):
    p = np.random.default_rng(seed).uniform(0.02, 0.98, 40)
    check_lemma_4_3(known(targets.random_tree(120, 40, seed).tree, ProductDistribution(p)), p)


def check_lemma_4_3(target, p):
    whole = target.function
    for i, chance in enumerate(p):
        low, high = whole.restricted(i)
        split = whole.influences[i] + (1 - chance) * low.influences.sum() + chance * high.influences.sum()
        assert whole.influences.sum() == pytest.approx(split, rel=1e-12)


@pytest.mark.parametrize("n", [5, 8, 10, 12])
def test_lemmas_hold_on_random_functions(n):
    rng = np.random.default_rng(n)
    for _ in range(3):
        dist = ProductDistribution(rng.uniform(0.03, 0.97, n))
        check_lemmas((rng.random(1 << n) < rng.uniform(0.02, 0.5)).astype(np.uint8), dist)


def test_av_c3_average_depth_of_paths():
    for n, expected in ((2, 3 / 2), (3, 7 / 4), (5, 31 / 16), (10, 1023 / 512)):
        assert average_depth(targets.chain(n + 1, n).tree, ProductDistribution([0.5] * n)) == expected


@SETTINGS
@given(functions(most=4))
def test_delta_star_is_the_largest_average_depth_of_a_subcube(function):
    table, p = function
    tree = tree_of(table, p)

    def nested(v):
        if tree.children_left[v] < 0:
            return 0
        return int(tree.feature[v]), nested(tree.children_left[v]), nested(tree.children_right[v])

    found = delta_star(tree, dist_of(p))
    assert found.exact
    assert found.value == pytest.approx(float(twin.delta_star(nested(0), p)), rel=1e-12)
    assert average_depth(tree, dist_of(p)) == pytest.approx(float(twin.average_depth(nested(0), p, {})), rel=1e-12)


def test_delta_star_of_large_trees_is_a_bound_that_says_so():
    dist = ProductDistribution([0.2] * 40)
    path = delta_star(targets.chain(41, 40).tree, dist)
    assert path.exact and path.value >= average_depth(targets.chain(41, 40).tree, dist)
    tree = targets.random_tree(60, 40, 0).tree
    bound = delta_star(tree, dist)
    assert not bound.exact
    assert average_depth(tree, dist) <= bound.value <= tree.max_depth


def test_monotonicity():
    dist = ProductDistribution([0.5] * 6)
    for target, monotone, unate in (
        (targets.tribes(2, 3), True, True),
        (targets.parity([0, 1], 6), False, False),
        (targets.junta([1, 0], [3], 6), False, True),
    ):
        for given_as in (target.table, target.tree):
            found = monotonicity(given_as, dist)
            assert (found.monotone, found.unate) == (monotone, unate)
    assert monotonicity(targets.junta([1, 0], [3], 6), dist).falls.tolist() == [False] * 3 + [True] + [False] * 2


def test_estimates_come_near_and_are_repeatable():
    target = targets.random_tree(12, 30, 3)
    dist = ProductDistribution([0.4] * 30)
    exact = influence(target.tree, dist)
    found = influence(target, dist, n_samples=20_000, random_state=0)
    np.testing.assert_array_equal(found, influence(target, dist, n_samples=20_000, random_state=0))
    np.testing.assert_allclose(found, exact, atol=5 * np.sqrt(0.25 / 20_000))
    np.testing.assert_allclose(
        influence(target.tree, dist, n_samples=20_000, random_state=1), exact, atol=5 * np.sqrt(0.25 / 20_000)
    )


def test_trees_of_thousands_of_variables_need_no_table():
    dist = ProductDistribution([0.5] * 2000)
    target = targets.chain(2001, 2000)
    found = influence(target.tree, dist)
    # node i is reached with 2^-i, and its leaf disagrees with the rest, which alternates, with about 2/3
    np.testing.assert_allclose(found[:5], [2.0**-i / 2 * 2 / 3 for i in range(5)], rtol=1e-12)
    assert total_influence(target.tree, dist) == pytest.approx(2 / 3)


def test_thresholds_that_decide_nothing_are_passed_by():
    tree = bc.grow.cart(np.array([[-1.0, 0], [0.5, 0], [0.5, 1], [2, 1]]), [0, 0, 1, 1])
    moved = bc.grow.cart(np.array([[-1.0], [1.0], [3.0]]), [0, 1, 0])  # splits at 0 and at 2
    assert influence(moved, ProductDistribution([0.4])).tolist() == [0.0]
    assert influence(tree, ProductDistribution([0.4, 0.25])).sum() > 0


def test_smallest_trees_make_osss_sharper():
    dist = ProductDistribution([0.3] * 5)
    table = targets.majority(5).table
    best = optimal_tree(table, dist)
    assert osss_ratio(table, best.tree, dist) >= 1
    with pytest.raises(ValueError, match="constant"):
        osss_ratio(np.zeros(32), best.tree, dist)


@pytest.mark.parametrize(
    ("f", "error", "message"),
    [
        (np.zeros(7), ValueError, r"truth table of shape \(8,\)"),
        (np.array([0, 1, 2, 0, 1, 2, 0, 1]), ValueError, "more than two labels"),
        (np.array([0, 1, np.nan, 0, 1, 0, 0, 1]), ValueError, "entry 2"),
        (np.array(["a", None] * 4, dtype=object), ValueError, "entry 1"),
        (np.array(["a", 1] * 4, dtype=object), TypeError, "cannot be put in order"),
        (targets.chain(3, 4).tree, ValueError, "reads 4 columns, dist has 3"),
        (bc.grow.cart([[0.0, 0, 0], [1, 0, 0]], [0.5, 1.5], criterion="squared_error"), TypeError, "regression"),
        (bc.grow.cart([[0, 0, 0], [1, 0, 0], [1, 1, 0]], [0, 1, 2]), ValueError, "more than two labels"),
    ],
)
def test_what_is_no_boolean_function_is_refused(f, error, message):
    with pytest.raises(error, match=message):
        influence(f, ProductDistribution([0.5] * 3))


def test_callables_of_many_variables_are_not_enumerated():
    dist = ProductDistribution([0.5] * 21)
    with pytest.raises(ValueError, match=r"2\^21 questions"):
        influence(targets.majority(21), dist)
    with pytest.raises(ValueError, match="n_samples must be a whole number of at least 1"):
        influence(targets.majority(21), dist, n_samples=0)
    with pytest.raises(ValueError, match="truth table of 27 variables"):
        influence(np.zeros(2), ProductDistribution([0.5] * 27))


@pytest.mark.parametrize("bad", ["children", "answer", "variable", "table", "chance", "size"])
def test_the_core_checks_what_it_is_given(bad):
    left, right = np.array([1, -1, -1], np.int32), np.array([2, -1, -1], np.int32)
    variable, answer, p = np.array([0, -1, -1], np.int32), np.array([0, 0, 1], np.uint8), np.array([0.5])
    if bad == "children":
        right[0] = 9
    if bad == "answer":
        answer[1] = 2
    if bad == "variable":
        variable[0] = 1
    if bad == "chance":
        p[0] = 1.0
    with pytest.raises(ValueError):
        if bad == "table":
            _core.table_influences(np.zeros(3, np.uint8), p)
        elif bad == "size":
            _core.optimal_tree(np.zeros(1 << 13, np.uint8), np.full(13, 0.5), 0.0)
        else:
            _core.tree_influences(left, right, variable, answer, p)


def test_conversions_of_what_is_none():
    dist = ProductDistribution([0.5, 5e-324])
    assert influence([0, 0, 1, 1], dist).tolist() == [0.0, 5e-324 * 2]
    assert convert([0.1, 0.2], dist, of="osss", to="rerandomised").tolist() == [0.05, 0.1]
    with pytest.raises(TypeError, match="influences must be numbers"):
        convert("abc", dist, to="osss")
    with pytest.raises(ValueError, match=r"convention must be one of .*, got \['osss'\]"):
        convert([0.1, 0.2], dist, to=["osss"])


@pytest.mark.parametrize("f", [None, "abc", 3])
def test_what_is_no_function_at_all(f):
    with pytest.raises(TypeError, match="f must be a truth table, a callable, a model with predict, an Oracle or a"):
        influence(f, ProductDistribution([0.5]))
