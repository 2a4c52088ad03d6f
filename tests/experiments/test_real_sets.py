"""Table 2 on two real sets, the paper's baseline and its vote."""

import pytest

from bristlecone.experiments.outcomes import ratio
from bristlecone.experiments.pacbayes_table2 import EXPERIMENT, outcomes
from bristlecone.experiments.study import loaded


@pytest.mark.slow
@pytest.mark.parametrize("name", ["spam", "digits"])
def test_the_vote_stands_at_the_baseline_or_below(name, tmp_path):
    lines = []
    asked = EXPERIMENT.asked(out=tmp_path, say=lines.append, sets=[name], splits=10, protocol="paper")
    data = next(loaded(asked), None)
    if data is None:
        pytest.skip(lines[0])
    found = list(outcomes(data, asked))
    assert {one.rows for one in found} == {len(data.y) - 2000}
    for base in ("dyadic", "kd"):
        errors = {
            method: [one.error for one in found if (one.base, one.method) == (base, method)]
            for method in ("C1", "vote")
        }
        of = ratio(errors["vote"], errors["C1"])
        assert of.value <= 1.0 + 3 * of.error and of.value > 0.9
