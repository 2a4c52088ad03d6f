"""Learning by asking: what is guaranteed, what is counted, when it stops, and what it needs."""

from __future__ import annotations

import math
import time
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from query.boolean_functions import SETTINGS, error_of

from bristlecone import _core
from bristlecone.query import (
    Oracle,
    ProductDistribution,
    Progress,
    build_top_down,
    influence,
    learn_tree,
    plan,
    show_progress,
    targets,
)
from bristlecone.query.bare import BareTree
from bristlecone.query.distributions import bits
from bristlecone.query.pools import Pool
from bristlecone.query.sizes import MODES, Schedule, error_points, label_points, pool_points, score_points


def test_av_c4_sample_sizes():
    for found, expected in (
        (score_points(1, 0.1, 0.1, 20), 35413.2427595),
        (score_points(15, 0.1, 0.1, 20), 571134.752721),
        (score_points(15, 0.1, 0.05, 20), 1142269.50544),
        (label_points(2, 1, 0.1, 0.1), 82706.7926573),
        (label_points(16, 15, 0.1, 0.1), 276244.852562),
        (error_points(1, 0.1, 0.1), 16240.5562087),
        (error_points(15, 0.1, 0.1), 33572.0774958),
        (score_points(7, 0.1, 0.15, 7), 51995.1104645),
        (pool_points(1, 0.1, 0.05, 20), 70826.485519),
        (pool_points(3, 0.1, 0.05, 20), 312208.213107),
        (pool_points(15, 0.1, 0.05, 20), 2642949.3037),
    ):
        assert found == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize("mode", MODES)
def test_schedules_ask_for_what_the_specification_says(mode):
    schedule = Schedule(mode, 20, 0.1, 0.1, root=mode != "as_printed")
    assert schedule.scores(3) == math.ceil((pool_points if mode == "pool" else score_points)(3, 0.1, 0.05, 20))
    printed = mode == "as_printed"
    assert schedule.labels(3) == math.ceil(label_points(4, 3 if printed else 4, 0.05 if printed else 0.1, 0.1))
    assert schedule.errors(3) == math.ceil(error_points(3 if printed else 4, 0.05 if printed else 0.1, 0.1))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("target", [targets.chain(5, 4), targets.balanced(2, 4), targets.parity([0, 2], 4)])
def test_a_certified_tree_errs_at_most_epsilon(mode, target):
    dist = ProductDistribution([0.5, 0.4, 0.3, 0.6])
    found = learn_tree(target, dist, 0.2, 0.1, mode=mode, random_state=0)
    assert found.certified and found.stopped == "reached"
    assert error_of(found.tree, target.table, dist) <= 0.2
    assert abs(found.error_estimate - error_of(found.tree, target.table, dist)) < 0.05
    assert found.size == len(found.history) + 1
    assert "at most 0.2" in found.guarantee
    again = learn_tree(target, dist, 0.2, 0.1, mode=mode, random_state=0)
    assert again.tree.equals(found.tree) and again.n_queries == found.n_queries


def test_every_answer_is_counted():
    asked = []

    def counted(X):
        asked.append(len(X))
        return X[:, 0] & X[:, 1]

    found = learn_tree(counted, ProductDistribution([0.5, 0.5, 0.2]), 0.2, 0.1, random_state=1)
    assert found.n_queries == sum(asked) == sum(queries for _, queries in found.by_kind.values())
    assert found.n_samples == sum(points for points, _ in found.by_kind.values())
    points, queries = found.by_kind["score"]
    assert queries / points == pytest.approx(1 + 0.5 + 0.5 + 2 * 0.2 * 0.8, rel=0.02)
    assert found.by_kind["check"][1] == found.oracle.n_rechecked > 0 and found.n_changed == 0


def test_constants_need_one_leaf_and_the_root_test():
    for mode in MODES:
        found = learn_tree(lambda X: np.full(len(X), 7), ProductDistribution([0.5] * 3), 0.2, mode=mode, random_state=0)
        assert found.size == 1 and found.certified and found.error_estimate == 0
        assert found.tree.predict([[0.0, 1, 0]]).tolist() == [7]
    asked = learn_tree(lambda X: np.full(len(X), 7), ProductDistribution([0.5] * 3), 0.2, random_state=0)
    assert asked.by_kind["score"] == (0, 0)  # the root test came first


def test_epsilon_one_is_answered_by_a_leaf():
    found = learn_tree(targets.parity([0, 1], 2), ProductDistribution([0.5] * 2), 1.0, random_state=0)
    assert found.size == 1 and found.certified


def test_one_variable():
    found = learn_tree(lambda X: X[:, 0], ProductDistribution([0.3]), 0.2, random_state=0)
    assert found.size == 2 and found.certified and found.error_estimate == 0


def test_labels_are_the_functions_own():
    found = learn_tree(
        lambda X: np.where(X[:, 1] == 1, "yes", "no"), ProductDistribution([0.5, 0.5]), 0.2, random_state=0
    )
    assert found.tree.classes.tolist() == ["no", "yes"]
    assert found.tree.predict([[0.0, 0], [0, 1]]).tolist() == ["no", "yes"]


def test_trees_tables_and_oracles_are_asked_as_well():
    target, dist = targets.chain(4, 3), ProductDistribution([0.5] * 3)
    sizes = {learn_tree(f, dist, 0.2, random_state=0).size for f in (target, target.tree, target.table, Oracle(target))}
    assert len(sizes) == 1


def test_a_spent_budget_ends_with_the_tree_so_far_and_what_it_lacked():
    target, dist = targets.balanced(3, 8), ProductDistribution([0.5] * 8)
    whole = learn_tree(target, dist, 0.2, 0.1, random_state=0)
    for share in (0.001, 0.1, 0.6):
        most = int(share * whole.n_queries)
        found = learn_tree(target, dist, 0.2, 0.1, random_state=0, max_queries=most)
        assert found.n_queries <= most and not found.certified and found.needed > 0
        assert "max_queries" in found.stopped and found.guarantee.startswith("Nothing is guaranteed")
        assert 1 <= found.size < whole.size
    assert learn_tree(target, dist, 0.2, 0.1, random_state=0, max_queries=whole.n_queries).certified
    slow = learn_tree(target, dist, 0.01, 0.1, random_state=0, max_seconds=0.2)
    assert not slow.certified and "max_seconds" in slow.stopped
    with pytest.raises(ValueError, match="nothing was learned: max_queries=0"):
        learn_tree(target, dist, 0.2, max_queries=0)


def test_the_budgets_of_an_oracle_hold_beside_those_of_the_run():
    target, dist = targets.balanced(3, 8), ProductDistribution([0.5] * 8)
    for own, budgets in (
        ({"max_queries": 500}, {"max_seconds": 100}),
        ({"max_queries": 500}, {"max_queries": 10**9}),
        ({"max_queries": 10**9, "max_seconds": 1000}, {"max_queries": 500}),
    ):
        oracle = Oracle(target, **own)
        found = learn_tree(oracle, dist, 0.2, 0.1, random_state=0, **budgets)
        assert 0 < oracle.n_queries == found.n_queries <= 500 and "max_queries=500" in found.stopped
        assert (oracle.max_queries, oracle.max_seconds) == (own["max_queries"], own.get("max_seconds"))
    with pytest.raises(ValueError, match="nothing was learned: max_seconds=0 are over"):
        learn_tree(Oracle(target, max_seconds=0), dist, 0.2, max_queries=1000)


def test_an_oracle_that_changes_its_mind_is_reported():
    rng = np.random.default_rng(0)
    found = learn_tree(
        lambda X: X[:, 0] ^ (rng.random(len(X)) < 0.1), ProductDistribution([0.5] * 3), 0.4, random_state=0
    )
    assert found.n_changed > 0 and found.stopped == "reached" and found.error_estimate < 0.3
    assert not found.certified  # what it is certified under is known to be wrong
    assert found.guarantee.startswith("Nothing is guaranteed: the tree passed the test, but the answers to equal")
    steady = learn_tree(targets.parity([0], 3), ProductDistribution([0.5] * 3), 0.4, random_state=0)
    assert steady.certified and "provided that equal questions get equal answers" in steady.guarantee


def test_an_oracle_may_write_into_its_questions():
    def tidy(X):
        return X[:, 0] & X[:, 1]

    def untidy(X):
        found = X[:, 0] & X[:, 1]
        X[:] = 7
        return found

    dist = ProductDistribution([0.5, 0.5, 0.2])
    runs = [learn_tree(f, dist, 0.2, 0.1, random_state=1) for f in (tidy, untidy)]
    assert runs[0].tree.equals(runs[1].tree) and runs[1].n_changed == 0
    found = [influence(f, dist, n_samples=3000, random_state=0).tolist() for f in (tidy, untidy)]
    assert found[0] == found[1]
    assert build_top_down(untidy, dist, 0).error == 0


@pytest.mark.parametrize(
    ("f", "message"),
    [
        (lambda X: np.arange(len(X)) % 3, "more than 2 labels"),
        (lambda X: np.full(len(X), np.nan), "missing"),
        (lambda X: X[:-1, 0], "returned answers of shape"),
        (lambda X: 1 / 0, "raised ZeroDivisionError"),
    ],
)
def test_what_an_oracle_does_wrong_ends_the_run(f, message):
    with pytest.raises(ValueError, match=message):
        learn_tree(f, ProductDistribution([0.5] * 3), 0.3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"epsilon": 0}, "epsilon must be above 0"),
        ({"epsilon": 2}, "epsilon must be a number from 0 to 1"),
        ({"epsilon": 0.1, "delta": 0}, "delta must be a chance"),
        ({"epsilon": 0.1, "delta": 1}, "delta must be a chance"),
        ({"epsilon": 0.1, "mode": "fast"}, "mode must be one of 'pool', 'fresh', 'as_printed'"),
        ({"epsilon": 0.1, "max_queries": -1}, "max_queries must not be negative"),
    ],
)
def test_parameters(arguments, message):
    with pytest.raises(ValueError, match=message):
        learn_tree(targets.chain(3, 3), ProductDistribution([0.5] * 3), **arguments)


def test_progress_tells_the_sizes_that_the_theory_asks_for():
    told = []
    found = learn_tree(
        targets.chain(4, 4), ProductDistribution([0.5] * 4), 0.2, 0.1, random_state=0, progress=told.append
    )
    schedule = Schedule("pool", 4, 0.2, 0.1, root=True)
    assert {(t.split, t.wanted) for t in told if t.kind == "score"} == {
        (j, schedule.scores(j)) for j in range(1, found.size)
    }
    assert all(0 < t.done <= t.wanted for t in told)


def test_a_bar_is_drawn_on_a_terminal_only(capsys, monkeypatch):
    step = Progress(3, "error", 50, 100)
    show_progress(step)
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    show_progress(step)
    show_progress(Progress(3, "error", 100, 100))
    drawn = capsys.readouterr().err
    assert "split 3: error 50 of 100 points" in drawn and drawn.endswith("\n") and "████████████············" in drawn


def test_the_plan_is_what_a_run_asks_for():
    target, dist = targets.chain(6, 6), ProductDistribution([0.5, 0.4, 0.3, 0.3, 0.3, 0.3])
    for mode in MODES:
        found = learn_tree(target, dist, 0.15, 0.1, mode=mode, random_state=0)
        planned = plan(target, dist, 0.15, 0.1, mode=mode, n_splits=8)
        at = next(s for s in planned.splits if s.split == len(found.history))
        assert at.n_samples == found.n_samples
        assert at.n_queries == pytest.approx(found.n_queries, rel=0.02)
        assert at.seconds == pytest.approx(at.n_queries / planned.queries_per_second)
    assert len(str(planned).splitlines()) == len(planned.splits) + 1
    with pytest.raises(ValueError, match="n_splits"):
        plan(target, dist, 0.1, n_splits=-1)


@SETTINGS
@given(st.integers(0, 10_000))
def test_counts_follow_splits_as_if_all_points_were_counted_again(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 12))
    bare = BareTree(n)
    pool = Pool(bare, 3, keeps=True)
    points, marks = np.empty((0, n), np.uint8), np.empty((0, 3), np.uint8)
    for _ in range(4):
        X, M = rng.integers(0, 2, (40, n), dtype=np.uint8), rng.integers(0, 2, (40, 3), dtype=np.uint8)
        points, marks = np.vstack([points, X]), np.vstack([marks, M])
        pool.add(X, M)
        leaf = int(rng.choice([v for v in range(len(bare)) if bare.left[v] < 0]))
        free = sorted(set(range(n)) - set(bare.path(leaf)))
        if free:
            bare.split(leaf, int(rng.choice(free)))
            pool.follow(leaf)
        leaf_of = _core.leaves_reached(*bare.arrays(), points)
        for v in range(len(bare)):
            if bare.left[v] < 0:
                assert pool.counts[v].tolist() == marks[leaf_of == v].sum(axis=0).tolist()


def test_equal_points_are_merged(monkeypatch):
    monkeypatch.setattr("bristlecone.query.pools.MERGED", 64)
    monkeypatch.setattr("bristlecone.query.pools.FEWEST_REPEATED", 1)
    rng = np.random.default_rng(0)
    bare = BareTree(4)
    pool = Pool(bare, 2, keeps=True)
    marked = 0
    for _ in range(20):
        X = rng.integers(0, 2, (100, 4), dtype=np.uint8)
        pool.add(X, X[:, :2])
        marked += int(X[:, :2].any(axis=1).sum())
    before = pool.counts[0].copy()
    parts = pool._parts[0]
    assert sum(len(part.packed) for part in parts) < 400 < 1000 < marked
    assert sum(int(part.times.sum()) or len(part.packed) for part in parts) == marked
    left, right = bare.split(0, 0)
    pool.follow(0)
    assert (pool.counts[left] + pool.counts[right]).tolist() == before.tolist()
    assert pool.counts[left][0] == 0


def test_points_that_do_not_repeat_are_kept_as_they_are(monkeypatch):
    monkeypatch.setattr("bristlecone.query.pools.MERGED", 64)
    rng = np.random.default_rng(0)
    bare = BareTree(70)
    pool = Pool(bare, 70, keeps=True)
    X = rng.integers(0, 2, (640, 70), dtype=np.uint8)
    for k in range(0, 640, 32):
        pool.add(X[k : k + 32], X[k : k + 32])
    assert all(len(part.times) == 0 for part in pool._parts[0])
    assert sum(part.packed.nbytes for part in pool._parts[0]) == 640 * 2 * 9


def test_bits_have_their_chances_down_to_small_ones():
    rng = np.random.default_rng(0)
    p = np.array([0.5, 1e-5, 1 - 1e-5, 0.3, 2.0**-16])
    found = bits(p, 400_000, rng).mean(axis=0)
    np.testing.assert_allclose(found, p, atol=6 * np.sqrt(p * (1 - p) / 400_000).max())
    assert 0 < found[1] < 1e-4 and 1 - 1e-4 < found[2] < 1


def test_estimated_scores_are_unbiased():
    """Lemma 5.2: at a leaf of a tree, over points of the whole distribution."""
    target, dist = targets.chain(5, 4), ProductDistribution([0.5, 0.4, 0.3, 0.6])
    exact = influence(target, dist)
    estimates = [influence(target, dist, n_samples=500, random_state=seed) for seed in range(200)]
    spread = np.std(estimates, axis=0) / np.sqrt(200)
    assert (np.abs(np.mean(estimates, axis=0) - exact) < 4 * spread + 1e-12).all()


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_no_more_than_delta_of_many_runs_err_above_epsilon(mode):
    delta, worst = 0.1, 0
    dist = ProductDistribution([0.5, 0.3, 0.4, 0.6])
    for seed in range(200):
        target = targets.random_tree(5, 4, seed)
        found = learn_tree(target, dist, 0.3, delta, mode=mode, random_state=seed)
        assert found.certified
        worst += error_of(found.tree, target.table, dist) > 0.3
    assert worst <= delta * 200


@pytest.mark.parametrize("error", [0.15, 0.45])
def test_lemmas_5_3_and_5_4_simulated(error):
    """A tree whose best labels err at most eps / 2 passes the test, one that errs more than eps does not."""
    epsilon, delta, rng = 0.3, 0.1, np.random.default_rng(0)
    m_label, m_error = label_points(2, 1, epsilon, delta), error_points(1, epsilon, delta)
    passed = 0
    for _ in range(300):
        # two leaves of equal mass; in each the minority has the share `error`
        ones = rng.binomial(rng.multinomial(math.ceil(m_label), [0.5, 0.5]), error)
        label = ones > m_label / 4
        wrong = rng.binomial(math.ceil(m_error), np.mean(np.where(label, 1 - error, error)))
        passed += wrong / math.ceil(m_error) <= 0.75 * epsilon
    assert passed == (300 if error <= epsilon / 2 else 0)


@pytest.mark.slow
@pytest.mark.parametrize(("leaves", "p"), [(16, 0.5), (16, 0.3), (8, 0.1)])
def test_recovered_sizes_are_at_most_the_exact_ones_at_half_epsilon(leaves, p):
    n = 20 if leaves == 16 else 7
    target, dist = targets.chain(leaves, n), ProductDistribution([p] * n)
    for epsilon in (0.30, 0.20):
        exact = build_top_down(target.tree, dist, epsilon / 2).size
        sizes = [learn_tree(target, dist, epsilon, 0.1, random_state=seed).size for seed in range(5)]
        assert np.mean(sizes) <= exact


def test_fresh_mode_keeps_no_points_and_pools_are_chunked():
    target, dist = targets.chain(6, 12), ProductDistribution([0.3] * 12)
    seen = []

    def watched(X):
        seen.append(X.nbytes)
        return target(X)

    for mode in ("fresh", "pool"):
        learn_tree(watched, dist, 0.2, 0.1, mode=mode, random_state=0)
    assert max(seen) <= 1 << 22


@pytest.mark.slow
@pytest.mark.parametrize("target", [targets.chain(16, 20), targets.balanced(4, 20)], ids=["chain", "balanced"])
def test_no_more_time_is_spent_outside_the_oracle_than_in_it(target):
    inside = [0.0]

    def timed(X):
        started = time.process_time()
        answers = target(X)
        inside[0] += time.process_time() - started
        return answers

    ratios = []
    for seed in range(3):
        inside[0], started = 0.0, time.process_time()
        learn_tree(timed, ProductDistribution([0.5] * 20), 0.1, 0.1, random_state=seed)
        ratios.append((time.process_time() - started) / inside[0] - 1)
    assert min(ratios) <= 1


@pytest.mark.parametrize(("mode", "bytes_per_point"), [("pool", 6), ("fresh", 0)])
def test_memory_is_that_of_a_chunk_and_of_the_bits_that_are_kept(mode, bytes_per_point):
    target, dist = targets.chain(16, 20), ProductDistribution([0.5] * 20)
    peaks, points = [], []
    for epsilon in (0.3, 0.1):
        tracemalloc.start()
        found = learn_tree(target, dist, epsilon, 0.1, mode=mode, random_state=0)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        points.append(found.by_kind["score"][0] * bytes_per_point + found.by_kind["label"][0] * 4)
    assert peaks[0] < 8 << 20
    assert peaks[1] - peaks[0] < points[1] - points[0] + (1 << 21)


def test_answers_that_change_are_the_reason_that_is_given():
    rng = np.random.default_rng(0)
    dist = ProductDistribution([0.5] * 3)
    found = learn_tree(lambda X: rng.integers(0, 2, len(X)), dist, 0.3, 0.3, random_state=0, max_queries=200_000)
    assert not found.certified and found.n_changed > 0
    said = f"{found.n_changed} of {found.oracle.n_rechecked} repeated questions were answered differently"
    assert said in found.guarantee and "constant" not in found.guarantee
    steady = learn_tree(targets.parity([0], 3), dist, 0.3, random_state=0)
    assert "repeated" not in steady.guarantee


@pytest.mark.parametrize(
    ("given", "fault", "said"),
    [
        ({"max_queries": "a"}, TypeError, "max_queries must be a whole number, got 'a'"),
        ({"max_queries": 1.5}, TypeError, "max_queries must be a whole number, got 1.5"),
        ({"max_queries": True}, TypeError, "max_queries must be a whole number, got True"),
        ({"max_seconds": "a"}, TypeError, "max_seconds must be a number, got 'a'"),
        ({"max_seconds": float("nan")}, ValueError, "max_seconds must not be negative, got nan"),
        ({"progress": 5}, TypeError, "progress must be something to call with a Progress, got int"),
    ],
)
def test_budgets_and_progress_are_checked_before_any_question(given, fault, said):
    asked = []
    with pytest.raises(fault, match=said):
        learn_tree(lambda X: asked.append(X) or X[:, 0], ProductDistribution([0.5] * 2), 0.3, **given)
    assert asked == []


def test_a_function_of_other_variables_is_named_before_it_is_asked():
    target, dist = targets.chain(8, 7), ProductDistribution([0.5] * 9)
    for learn in (lambda f: learn_tree(f, dist, 0.3), lambda f: plan(f, dist, 0.3), lambda f: influence(f, dist)):
        for f in (target, target.tree):
            with pytest.raises(ValueError, match="f reads 7 columns, dist has 9 coordinates"):
                learn(f)


def test_plan_asks_no_more_than_an_oracle_allows():
    dist, target = ProductDistribution([0.5] * 7), targets.chain(8, 7)
    oracle = Oracle(target, max_queries=100)
    assert plan(oracle, dist, 0.3, n_splits=2).queries_per_second > 0 and oracle.n_queries == 100
    for spent in (oracle, Oracle(target, max_seconds=0)):
        with pytest.raises(ValueError, match="the oracle's budget is spent"):
            plan(spent, dist, 0.3)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("root", [None, True, False])
def test_plan_knows_check_root(mode, root):
    dist, target = ProductDistribution([0.5] * 7), targets.chain(8, 7)
    found = learn_tree(target, dist, 0.2, 0.1, mode=mode, check_root=root, random_state=0)
    planned = plan(target, dist, 0.2, 0.1, mode=mode, check_root=root, n_splits=len(found.history))
    assert planned.splits[-1].n_samples == found.n_samples
    asked = found.n_queries - found.by_kind["check"][1]
    assert planned.splits[-1].n_queries == pytest.approx(asked, rel=0.05)


@pytest.mark.parametrize("learn", [learn_tree, plan])
def test_check_root_is_yes_no_or_none(learn):
    with pytest.raises(ValueError, match="check_root must be None, True or False, got 'yes'"):
        learn(targets.chain(8, 7), ProductDistribution([0.5] * 7), 0.3, check_root="yes")
