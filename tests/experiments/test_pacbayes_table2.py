"""Table 2: its arithmetic, and what is printed beside it."""

import math

import pytest

from bristlecone.experiments.outcomes import Outcome, Ratio
from bristlecone.experiments.pacbayes_figure2 import sizes
from bristlecone.experiments.pacbayes_table2 import PRINTED, at_most_one, kept_rows, ratios, summary
from bristlecone.experiments.sets import PAPER, SETS


def outcomes(errors, base="dyadic", name="spam"):
    """errors: by method, one a split."""
    return [
        Outcome(
            set=name,
            base=base,
            protocol="paper",
            split=split,
            rows=9,
            method=method,
            error=error,
            leaves=2,
            chosen="",
            seconds=0.0,
        )
        for method, of in errors.items()
        for split, error in enumerate(of)
    ]


def test_ratios_are_to_the_baseline_of_the_same_base_and_set():
    found = [
        *outcomes({"C1": [0.2, 0.4], "vote": [0.1, 0.2]}),
        *outcomes({"C1": [0.1, 0.1], "vote": [0.1, 0.1]}, base="kd"),
    ]
    of = ratios(found)
    assert of["paper", "dyadic", "spam", "vote"] == Ratio(0.5, 0.0)
    assert of["paper", "kd", "spam", "vote"] == Ratio(1.0, 0.0)
    assert set(of) == {("paper", base, "spam", "vote") for base in ("dyadic", "kd")}


@pytest.mark.parametrize(
    ("found", "right"),
    [
        (Ratio(1.0, 0.0), True),
        (Ratio(1.02, 0.02), True),
        (Ratio(1.02, 0.019), False),
        (Ratio(0.9, math.nan), True),
        (Ratio(1.1, math.nan), False),
        (Ratio(math.nan, math.nan), False),
    ],
)
def test_at_or_below_the_baseline(found, right):
    assert at_most_one(found) is right


def test_the_summary_names_the_sets_above():
    found = [
        *outcomes({"C1": [0.2, 0.2], "vote": [0.1, 0.1]}),
        *outcomes({"C1": [0.2, 0.2], "vote": [0.3, 0.3]}, name="letter"),
    ]
    told = summary(found)
    assert "on 1 of 2 sets; not on letter." in told
    assert "| spam, dyadic | 20.00% |  | 1.118 |  | 1.224 | 0.500 ± 0.000 | 0.975 |" in told


def test_what_the_paper_prints():
    for base in PRINTED.values():
        assert tuple(base) == PAPER
        for name, ratios_of in base.items():
            assert ("HS" in ratios_of) == (SETS[name].classes == 2)
    sums = {
        (base, method): sum(of.get(method, 0) for of in held.values())
        for base, held in PRINTED.items()
        for method in ("SN", "vote", "HS")
    }
    assert [round(value, 3) for value in sums.values()] == [7.121, 6.9, 3.204, 7.03, 7.009, 2.982]


def test_rows_kept_to_judge_by():
    assert [kept_rows(n) for n in (150, 3999, 4000, 4601, 20000)] == [50, 1333, 2000, 2000, 2000]


def test_five_sizes_from_half_to_all():
    assert sizes(5620) == [1810, 2262, 2715, 3168, 3620]
