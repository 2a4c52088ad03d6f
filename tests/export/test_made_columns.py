"""Trees over predicates of a user's own: no program elsewhere can ask them, so what would run there is refused."""

import numpy as np
import pytest

import bristlecone as bc


def questions(table):
    x, z = table.columns
    return np.column_stack([x > 0.3, z > 0.3, (x > 0.5) & (z > 0.2)])


@pytest.fixture(scope="module")
def tree():
    X = np.random.default_rng(0).random((100, 2))
    y = (X[:, 0] > 0.5) & (X[:, 1] > 0.2)
    return bc.grow.top_down(X, y, splits=bc.grow.Predicates(["a", "b", "both"], questions))


@pytest.mark.parametrize("export", ["sql", "python", "c", "javascript", "pmml", "onnx"])
def test_what_runs_elsewhere_is_refused(tree, export):
    with pytest.raises(
        ValueError, match=r"cannot ask Predicates\('a', 'b', 'both'\): these are no columns of the rows"
    ):
        getattr(bc.export, export)(tree)


@pytest.mark.parametrize("export", ["rules", "text", "dot"])
def test_what_people_read_names_them(tree, export):
    assert "both" in getattr(bc.export, export)(tree)
