"""The certificate: its words, its file, the least of several."""

import json
import math
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bristlecone.certify import Certificate, least
from bristlecone.certify.certificate import rounded_up, sureness


def certificate(**changes):
    given = {
        "value": 0.153109,
        "delta": 0.05,
        "n": 1000,
        "predictor": "pruned",
        "kind": "kl",
        "assumes": ("the certifying rows are independent draws", "they had no part in growing the tree"),
        "observed": 0.1,
        "constant": 0.239,
    }
    return Certificate(**(given | changes))


def test_what_it_says():
    assert str(certificate()) == (
        "With probability at least 95% over the draw of the 1,000 certifying rows, the error of the pruned tree on new "
        "data from the same distribution is at most 0.1532.\n"
        "On the certifying rows it was 0.1000; always the majority answer would have 0.2390.\n"
        "Assumed: the certifying rows are independent draws; they had no part in growing the tree."
    )


def test_other_words():
    said = certificate(predictor="drawn", unit="group", delta=0.05 / 3, risk="mean loss", shared=3)
    assert said.sentence == (
        "With probability at least 98.33% over the draw of the 1,000 certifying groups and of the tree, the mean loss "
        "of the drawn tree on new data from the same distribution is at most 0.1532."
    )
    assert "The least of 3 bounds that shared the probability." in str(said)


@settings(deadline=None)
@given(st.floats(0, 1))
def test_a_bound_in_words_is_never_below_itself(value):
    said = float(certificate(value=value).sentence.rsplit(" ", 1)[1].rstrip("."))
    assert value * (1 - 1e-11) <= said <= value + 1.0001e-4


@settings(deadline=None)
@given(st.floats(1e-9, 0.999))
def test_a_probability_in_words_is_never_above_itself(delta):
    said = float(certificate(delta=delta).sentence.split("at least ")[1].split("%")[0])
    assert said / 100 <= 1 - delta + 1e-9


@given(st.floats(0, 1e6), st.integers(0, 6))
def test_a_rounded_bound_is_the_next_decimal(value, digits):
    said = rounded_up(value, digits)
    assert len(said.partition(".")[2]) == digits
    assert value * (1 - 1e-11) <= float(said) <= (value + 10**-digits) * (1 + 1e-11)


@pytest.mark.parametrize(("delta", "said"), [(0.05, "95%"), (0.05 / 3, "98.33%"), (1e-11, "99.99%"), (1.0, "0%")])
def test_nothing_is_said_to_be_sure(delta, said):
    assert sureness(delta) == said


def test_json_both_ways():
    whole = certificate(details={"kl": 5.0, "lambda": 0.38, "seed": 3}, risk="mean loss")
    read = Certificate.from_json(whole.to_json())
    assert read == whole
    assert read.details["seed"] == 3
    assert pickle.loads(pickle.dumps(whole)) == whole
    assert json.loads(whole.to_json())["assumes"] == list(whole.assumes)
    with pytest.raises(TypeError):
        whole.details["kl"] = 0.0


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"value": math.nan}, "value must be a finite number of at least 0, got nan"),
        ({"value": -0.1}, "value must be a finite number of at least 0, got -0.1"),
        ({"value": "0.1"}, "value must be a finite number of at least 0, got '0.1'"),
        ({"observed": math.inf}, "observed must be a finite number of at least 0, got inf"),
        ({"delta": 1.0}, "delta must be a number between 0 and 1, got 1.0"),
        ({"n": 0}, "n must be at least 1, got 0"),
        ({"predictor": "forest"}, "predictor must be one of 'vote', 'pruned', 'drawn', 'gibbs', 'classifier'"),
        ({"predictor": ["vote"]}, "predictor must be one of"),
        ({"unit": "cell"}, "unit must be 'row' or 'group', got 'cell'"),
        ({"shared": 0}, "shared must be a whole number of at least 1, got 0"),
        ({"kind": 3}, "kind must be text, got 3"),
        ({"assumes": "nothing"}, "assumes must be sentences, got 'nothing'"),
        ({"assumes": (1,)}, "assumes must be sentences, got (1,)"),
        ({"assumes": None}, "assumes must be sentences, got None"),
        ({"details": [1]}, "details must be a mapping, got [1]"),
        ({"more": 1}, "a certificate has no 'more'"),
    ],
)
def test_what_is_no_certificate_is_refused_from_a_file_too(changes, said):
    with pytest.raises((ValueError, TypeError)) as refused:
        Certificate.from_dict(certificate().to_dict() | changes)
    assert said in str(refused.value)


@pytest.mark.parametrize("text", ["[]", "3", '{"value": 0.1}', "{", "null"])
def test_a_file_that_holds_something_else(text):
    with pytest.raises((ValueError, TypeError)):
        Certificate.from_json(text)


def test_the_least_of_several_fails_no_oftener_than_all_together():
    several = [certificate(value=v, delta=0.05 / 3, kind=k) for v, k in ((0.3, "a"), (0.2, "b"), (0.25, "c"))]
    best = least(several)
    assert (best.value, best.kind, best.shared) == (0.2, "b", 3)
    assert best.delta == pytest.approx(0.05, rel=1e-15)
    assert least([least(several[:2]), several[2]]).shared == 3


def test_the_least_of_what_cannot_be_compared():
    with pytest.raises(ValueError, match="at least one certificate"):
        least([])
    with pytest.raises(ValueError, match="kinds of predictor have no least one: pruned, vote"):
        least([certificate(), certificate(predictor="vote")])
    with pytest.raises(ValueError, match="delta must be a number between 0 and 1"):
        least([certificate(delta=0.6), certificate(delta=0.6)])
