"""Product distributions: masses, samples in the kind of the table, re-randomised coordinates, paths."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from bristlecone.query import ProductDistribution
from bristlecone.table import as_table

FRAME = pd.DataFrame(
    {
        "age": [20.0, 30.5, np.nan, 20.0],
        "colour": ["red", "blue", "red", None],
        "size": pd.Categorical(["s", "l", "s", "s"]),
        "seen": pd.to_datetime(["2020-01-01", "2021-06-30", None, "2020-01-01"]),
        "count": [1, 2, 3, 4],
    },
    index=[5, 5, 9, 1],  # labels that repeat, and are not places
)


def test_boolean_samples_have_their_chances():
    dist = ProductDistribution([0.1, 0.5, 0.95])
    X = dist.sample(20_000, 0)
    assert X.shape == (20_000, 3) and X.dtype == np.uint8 and set(np.unique(X)) == {0, 1}
    np.testing.assert_allclose(X.mean(axis=0), dist.p, atol=5 * np.sqrt(0.25 / 20_000))
    np.testing.assert_array_equal(X, dist.sample(20_000, 0))
    assert dist.boolean and dist.n == 3 and dist.coordinates[2].masses.tolist() == [1 - 0.95, 0.95]


@pytest.mark.parametrize("make", [lambda f: f, pl.from_pandas, lambda f: pa.Table.from_pandas(f, preserve_index=False)])
def test_samples_of_a_frame_are_frames_of_the_same_types(make):
    given = make(FRAME)
    dist = ProductDistribution.from_table(given)
    drawn = dist.sample(200, 1)
    assert type(drawn) is type(given) and len(drawn) == 200
    types = getattr(given, "dtypes", None)
    if types is not None:
        assert list(drawn.dtypes) == list(types)
    table = as_table(drawn)
    assert table.schema.names == tuple(FRAME.columns)
    for name, column in zip(table.schema.names, dist.coordinates, strict=True):
        assert set(map(str, table.values(name))) <= {str(v) for v in as_table(given).values(name)}, column


def test_marginals_are_those_of_the_rows_and_missing_is_a_value():
    dist = ProductDistribution.from_table(FRAME)
    masses = [dict(zip(map(str, c.values.tolist()), c.masses.tolist(), strict=True)) for c in dist.coordinates]
    assert masses[0] == {"20.0": 0.5, "30.5": 0.25, "nan": 0.25}
    assert masses[1] == {"-1": 0.25, "0": 0.5, "1": 0.25} or masses[1] == {"-1": 0.25, "1": 0.5, "0": 0.25}
    drawn = dist.sample(4000, 0)
    assert abs(drawn["age"].isna().mean() - 0.25) < 0.05
    pair = (drawn["age"] == 20.0) & (drawn["count"] == 1)  # never together but in product
    assert abs(pair.mean() - 0.125) < 0.03
    assert dist.row_places.shape == (4, 5)
    back = dist.table(dist.row_places)
    np.testing.assert_array_equal(back.columns[0], as_table(FRAME).columns[0])


def test_arrays_come_as_arrays():
    X = np.array([[1, 2], [3, 4], [5, 6]])
    drawn = ProductDistribution.from_table(X).sample(50, 0)
    assert drawn.dtype == X.dtype and set(drawn[:, 0]) <= {1, 3, 5}
    assert ProductDistribution.from_table([[1.5, 2], [3, 4]]).sample(3, 0).shape == (3, 2)
    of_table = ProductDistribution.from_table(as_table(X)).sample(10, 0)
    assert of_table.shape == (10, 2)


def test_masses_by_hand():
    dist = ProductDistribution.from_masses({"dose": {5: 0.2, 10: 0.8}, "arm": {"a": 0.5, "b": 0.5}})
    X = dist.sample(5000, 0)
    assert X.dtype == object and set(X[:, 1]) == {"a", "b"}
    assert abs((X[:, 0] == 10).mean() - 0.8) < 0.03
    assert ProductDistribution.from_masses({"dose": {5: 0.2, 10: 0.8}}).sample(3, 0).dtype == np.float64
    assert "2 coordinates" in repr(dist) and "3 Boolean" in repr(ProductDistribution([0.5] * 3))
    with pytest.raises(AttributeError, match="general coordinates"):
        dist.p  # noqa: B018


def test_one_coordinate_is_drawn_afresh_and_the_others_stay():
    dist = ProductDistribution([0.5, 0.2, 0.9])
    X = dist.sample(8000, 0)
    Y = dist.redraw(X, 1, 1)
    np.testing.assert_array_equal(X[:, [0, 2]], Y[:, [0, 2]])
    assert abs((X[:, 1] != Y[:, 1]).mean() - 2 * 0.2 * 0.8) < 0.02
    general = ProductDistribution.from_masses({"dose": {5: 0.2, 10: 0.8}, "arm": {"a": 0.5, "b": 0.5}})
    Z = general.redraw(general.sample(100, 0), 1, 0)
    assert set(Z[:, 1]) == {"a", "b"}


def test_paths_have_exact_probabilities():
    dist = ProductDistribution([0.5, 0.2, 0.9])
    assert dist.probability({}) == 1
    assert dist.probability({0: 1, 1: 0}) == 0.5 * 0.8
    assert dist.probability({2: [0, 1]}) == pytest.approx(1)
    general = ProductDistribution.from_masses({"dose": {5: 0.25, 10: 0.75}, "arm": {"a": 0.5, "b": 0.5}})
    assert general.probability({0: 5, 1: ["a"]}) == 0.125
    assert general.probability({0: 7}) == 0
    assert general.probability({0: range(11)}) == general.probability({0: np.array([5, 10])}) == 1
    holes = ProductDistribution.from_masses({"x": {1: 0.25, float("nan"): 0.75}, "g": {"a": 0.5, None: 0.5}})
    assert holes.probability({0: float("nan"), 1: [None]}) == 0.375
    assert holes.probability({0: [1, None], 1: "a"}) == 0.5
    with pytest.raises(TypeError, match="path must map coordinates to values, got None"):
        dist.probability(None)
    with pytest.raises(ValueError, match=r"path must be one of the coordinates 0\.\.2, got 9"):
        dist.probability({9: 1})


@pytest.mark.parametrize("p", [0.0, 1.0, -0.5, 2, np.nan, np.inf])
def test_chances_are_strictly_between_0_and_1(p):
    with pytest.raises(ValueError, match=r"p\[1\] is"):
        ProductDistribution([0.5, p])


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: ProductDistribution([]), ValueError, "n >= 1"),
        (lambda: ProductDistribution([[0.5]]), ValueError, r"shape \(1, 1\)"),
        (lambda: ProductDistribution("half"), TypeError, "'half'"),
        (lambda: ProductDistribution.from_masses({}), ValueError, "masses must map"),
        (lambda: ProductDistribution.from_masses({"a": {}}), ValueError, "'a' must map"),
        (lambda: ProductDistribution.from_masses({"a": {1: 0.0, 2: 1.0}}), ValueError, "value 1 has the mass 0"),
        (lambda: ProductDistribution.from_masses({"a": {1: 0.5, 2: 0.6}}), ValueError, "sum to 1.1"),
        (lambda: ProductDistribution.from_masses({"a": {"x": "y"}}), TypeError, "'a': its masses must be numbers"),
        (
            lambda: ProductDistribution.from_masses({"a": {2**53 + 1: 0.5, 2: 0.5}}),
            ValueError,
            "9007199254740993 is no",
        ),
        (lambda: ProductDistribution.from_masses({"a": {10**400: 0.5, 2: 0.5}}), ValueError, "is no float64"),
        (lambda: ProductDistribution.from_masses({"a": {None: 0.5, np.nan: 0.5}}), ValueError, "missing value stands"),
        (lambda: ProductDistribution.from_table(FRAME.iloc[:0]), ValueError, "no rows"),
        (lambda: ProductDistribution.from_table(np.array([[1.0, np.inf]])), ValueError, "x1"),
        (lambda: ProductDistribution([0.5]).sample(-1), ValueError, "m must be"),
        (lambda: ProductDistribution([0.5]).redraw(np.zeros((2, 2)), 0), ValueError, r"\(m, 1\)"),
        (lambda: ProductDistribution([0.5]).redraw(np.zeros((2, 1)), 1), ValueError, "0..0"),
        (lambda: ProductDistribution([0.5]).redraw(np.zeros((2, 1)), "x"), ValueError, "got 'x'"),
        (lambda: ProductDistribution([0.5]).sample(2, "x"), TypeError, "random_state='x'"),
    ],
)
def test_impossible_distributions(make, error, message):
    with pytest.raises(error, match=message):
        make()
