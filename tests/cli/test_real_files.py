"""Files as people have them, from a CSV to answers that are the same bit for bit, each step in a process of its own."""

import csv
import dataclasses
import gzip
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bristlecone as bc

pytestmark = pytest.mark.slow

FILES = {
    "letter": "uci/letter_recognition.csv.gz",
    "bank_marketing": "classics/bank_marketing_full.csv.gz",
    "mushroom": "classics/mushroom.csv.gz",
}
TASKS = [
    ("letter", "lettr", "classification"),
    ("bank_marketing", "y", "classification"),
    ("bank_marketing", "euribor3m", "regression"),
    ("mushroom", "label", "classification"),
]
LIMITS = [{}, {"min_samples_leaf": 20}, {"max_depth": 5}]

# Reads the model and the rows as a program would, saves the model again, and answers with both.
RELOAD = """
import sys
import numpy as np
import bristlecone as bc
from bristlecone.table import read_file
model, data, answers = sys.argv[1:]
tree = bc.load(model)
table = read_file(data, schema=tree.schema).table()
bc.save(tree, "again.json")
again = bc.load("again.json")
assert again.equals(tree)
found = {"predicted": tree.predict(table), "predicted_again": again.predict(table)}
if tree.classes is not None:
    found |= {"shares": tree.predict_proba(table), "shares_again": again.predict_proba(table)}
np.savez(answers, **found)
"""


@pytest.fixture
def rows_of(here):
    """Writes train.csv and heldout.csv, a fifth of the rows; skips by name where the data set is not there."""

    def write(name):
        folder = os.environ.get("BRISTLECONE_DATA")
        if not folder:
            pytest.skip(f"{name}: BRISTLECONE_DATA names no folder")
        source = Path(folder) / FILES[name]
        if not source.is_file():
            pytest.skip(f"{name}: {source} is not there")
        header, *lines = gzip.decompress(source.read_bytes()).decode().splitlines()
        order = np.random.RandomState(0).permutation(len(lines))
        for part, chosen in zip(("train", "heldout"), np.split(order, [len(lines) * 4 // 5]), strict=True):
            Path(f"{part}.csv").write_text("\n".join([header, *(lines[i] for i in chosen)]) + "\n")

    return write


def run(*words):
    """One command in a process of its own, its standard output and error."""
    done = subprocess.run([sys.executable, *map(str, words)], capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def command(*words):
    return run("-c", "import sys; from bristlecone.cli.main import run; sys.exit(run())", *words)


@pytest.mark.parametrize("limits", LIMITS, ids=lambda limits: "-".join(limits) or "unlimited")
@pytest.mark.parametrize(("name", "target", "task"), TASKS, ids=lambda word: word)
def test_fit_predict_and_reload_agree_bit_for_bit(rows_of, name, target, task, limits):
    rows_of(name)
    words = [word for limit, value in limits.items() for word in (f"--{limit.replace('_', '-')}", value)]
    told, _ = command("fit", "train.csv", "--target", target, "--holdout", 0, "--model", "m.json", *words)
    assert f"{target!r}, {task} (guessed" in told and told.endswith("Model written to m.json\n")
    _, said = command("predict", "m.json", "heldout.csv", "-o", "out.csv")
    run("-c", RELOAD, "m.json", "heldout.csv", "answers.npz")

    with open("out.csv", newline="", encoding="utf-8") as file:
        header, *answers = csv.reader(file)
    found = np.load("answers.npz")
    assert f"{len(answers):,} rows answered" in said and len(answers) == len(found["predicted"])
    if task == "classification":
        shares = np.array([[float(cell) for cell in cells[1:]] for cells in answers])
        assert header == ["prediction", *(f"probability_{value}" for value in bc.load("m.json").classes)]
        assert [cells[0] for cells in answers] == found["predicted"].tolist() == found["predicted_again"].tolist()
        assert shares.tobytes() == found["shares"].tobytes() == found["shares_again"].tobytes()
    else:
        values = np.array([float(cell) for (cell,) in answers])
        assert values.tobytes() == found["predicted"].tobytes() == found["predicted_again"].tobytes()


@pytest.mark.parametrize("limits", LIMITS, ids=lambda limits: "-".join(limits) or "unlimited")
@pytest.mark.parametrize(("name", "target", "task"), TASKS, ids=lambda word: word)
def test_an_estimator_on_the_frame_grows_the_tree_of_the_command(bristlecone, rows_of, name, target, task, limits):
    rows_of(name)
    frame = pd.read_csv("train.csv", na_values="?", keep_default_na=False)
    grower = bc.DecisionTreeClassifier if task == "classification" else bc.DecisionTreeRegressor
    pruner = bc.PrunedTreeClassifier if task == "classification" else bc.PrunedTreeRegressor
    words = [str(word) for limit, value in limits.items() for word in (f"--{limit.replace('_', '-')}", value)]
    asked = {"none": grower(**limits), "one-se": pruner(base=grower(**limits), cv=3)}
    for prune, estimator in asked.items():
        size = ["--prune", prune, *(["--folds", "3"] if prune == "one-se" else [])]
        done = bristlecone("fit", "train.csv", "-t", target, "--holdout", "0", "-m", "m.json", *size, *words)
        assert done.code == 0
        fitted = estimator.fit(frame.drop(columns=target), frame[target])
        tree, grown = bc.load("m.json"), fitted.tree_
        if task == "classification":  # text is an array of objects in a frame
            assert grown.classes.tolist() == tree.classes.tolist()
            grown = dataclasses.replace(grown, classes=tree.classes)
        assert grown.equals(tree), prune
