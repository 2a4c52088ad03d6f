"""Parameter values survive JSON exactly."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bristlecone.estimators.saved_values import decode, encode

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(scalars | st.tuples(scalars, scalars), inner, max_size=3)
    ),
    max_leaves=8,
)


def through_json(value):
    return decode(json.loads(json.dumps(encode(value), allow_nan=False)))


@given(values)
def test_plain_values_come_back_equal_and_of_the_same_types(value):
    back = through_json(value)
    assert back == value
    assert repr(back) == repr(value)


@pytest.mark.parametrize(
    "array",
    [
        np.array([[0.0, 1.5], [0.1, 0.0]]),
        np.array([[0, 1], [2, 0]], dtype=np.int32),
        np.array([True, False]),
        np.array(["age", "sex"]),
        np.array(["age", 3, None], dtype=object),
        np.array(0.5, dtype=np.float32),
        np.array([np.nan, np.inf]),
    ],
)
def test_arrays_come_back_with_their_dtype(array):
    back = through_json(array)
    assert back.dtype == array.dtype
    np.testing.assert_array_equal(back, array)


def test_numpy_scalars_become_plain_and_sets_stay_sets():
    assert through_json({"b", 2, (1, "a")}) == {"b", 2, (1, "a")}
    assert through_json({np.int64(3): np.float32(0.5)}) == {3: 0.5}


@pytest.mark.parametrize("value", [print, object(), b"x", 1j, np.array([1j]), [lambda: None]])
def test_what_cannot_be_written_is_refused(value):
    with pytest.raises(TypeError, match="cannot be written"):
        encode(value)


@pytest.mark.parametrize(
    "value", [{}, {"dict": [[1]]}, {"set": 1}, {"array": [1], "dtype": "c16"}, {"array": [1], "dtype": "?!"}]
)
def test_what_was_not_written_by_encode_is_refused(value):
    with pytest.raises(ValueError, match="not a saved"):
        decode(value)
