"""The experiments on product spaces: small runs have the shape and the known figures of the whole ones."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest

from bristlecone.experiments import product_figure2a, product_figure2b
from bristlecone.experiments.experiment import Asked
from bristlecone.experiments.product_bounds import examples
from bristlecone.experiments.product_figure2 import Task, exponent, recover, recovered_at_half
from bristlecone.experiments.product_greedy import against_optimum, against_purity
from bristlecone.experiments.resumed import finish, resumed


def test_the_tasks_of_figure_2a():
    tasks = list(product_figure2a.tasks(range(10)))
    assert len(tasks) == len(set(tasks)) == 2 * 3 * 5 * 10 and {task.n for task in tasks} == {20}
    assert {(task.shape, task.measure) for task in tasks} == {("balanced", 4), ("chain", 16)}


def test_the_tasks_of_figure_2b():
    tasks = list(product_figure2b.tasks(range(10)))
    assert len(tasks) == len(set(tasks)) == 2 * 3 * 5 * 10 and {task.epsilon for task in tasks} == {0.15}
    assert {(task.shape, task.measure) for task in tasks} == {("balanced", 3), ("chain", 8)}


def test_a_run_of_figure_2a():
    one = recover(Task("chain", 16, 20, 0.5, 0.4, 0))
    assert (one.size, one.exact, one.exact_half) == (2, 1, 2)
    assert one.certified and one.leaves == 16 and one.seconds > one.seconds_in_target > 0
    assert recovered_at_half([one]) == (1, 1)


def test_a_chain_has_the_leaves_that_its_variables_allow_and_samples_grow_with_them():
    runs = [recover(Task("chain", 8, n, 0.5, 0.4, 0)) for n in (3, 5, 7)]
    assert [run.leaves for run in runs] == [4, 6, 8] and {run.size for run in runs} == {2}
    assert 0 < exponent(runs, lambda run: run.n) < 2
    assert math.isnan(exponent(runs, lambda run: run.epsilon))


@dataclass(frozen=True)
class Row:
    name: str
    value: float


def asked(out, said):
    return Asked(out=out, sets=(), splits=1, protocols=(), quick=False, download=None, say=said.append)


def test_an_experiment_that_was_interrupted_goes_on(tmp_path):
    said, done = [], []

    def work(stop=99):
        for k in range(4):
            if k == stop:
                raise KeyboardInterrupt
            yield (k, 0.1), lambda k=k: done.append(k) or Row(f"row {k}", k / 3)

    with pytest.raises(KeyboardInterrupt):
        list(resumed(asked(tmp_path, said), "x", Row, work(stop=2)))
    part = tmp_path / "x.part.jsonl"
    part.write_text(part.read_text() + '\n["cut o')
    rows = list(resumed(asked(tmp_path, said), "x", Row, work()))
    assert rows == [Row(f"row {k}", k / 3) for k in range(4)] and done == [0, 1, 2, 3]
    assert said == [f"2 rows are taken from '{part}'"]
    finish(asked(tmp_path, said), "x")
    assert list(tmp_path.iterdir()) == []


def test_rows_of_another_version_are_measured_again(tmp_path, monkeypatch):
    work = [((0,), lambda: Row("now", 1.0))]
    (tmp_path / "x.part.jsonl").write_text('["0.0.0-other", [0], {"name": "then", "value": 0.0}]\n')
    assert list(resumed(asked(tmp_path, []), "x", Row, work)) == [Row("now", 1.0)]


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
