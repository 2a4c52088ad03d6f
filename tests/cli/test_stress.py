"""`stress`: both reports in words, the numbers of the library's own, and one line for what the user got wrong."""

import re
from pathlib import Path

import numpy as np
import pytest

import bristlecone as bc
from bristlecone.table import read_file


@pytest.fixture
def rows(here):
    """A file of two classes, with categories and gaps."""
    rng = np.random.default_rng(0)
    lines = ["age,job,label"]
    for _ in range(200):
        age, job = int(rng.integers(18, 70)), ["clerk", "nurse", ""][rng.integers(3)]
        label = "high" if (age > 40) != (rng.random() < 0.1) else "low"
        lines.append(f"{age},{job},{label}")
    Path("rows.csv").write_text("\n".join(lines) + "\n")
    return here


WORDS = "--rates 0.05,0.2 --adversaries random_label_flip --adversaries greedy_cancel --repeats 2"


def test_both_reports_are_printed(bristlecone, rows):
    out = bristlecone(f"stress rows.csv -t label {WORDS}").out
    assert "which no finite sample can certify" in out.replace("\n", " ")
    assert "random_label_flip  0.05" in out and "greedy_cancel       0.2" in out
    assert "break-even rate" in out and "Whatever was done to the rows" in out
    assert max(map(len, out.splitlines())) < 130


def test_the_numbers_are_the_librarys(bristlecone, rows):
    out = bristlecone(f"stress rows.csv -t label {WORDS}").out
    file = read_file("rows.csv")
    X, y = file.table(drop=["label"]), np.array(file.frame["label"].to_list())
    pruned = bc.PrunedTreeClassifier().fit(X, y)
    assert f"for this tree's {pruned.get_n_leaves()} leaves" in out
    limited = bc.DecisionTreeClassifier(max_leaf_nodes=pruned.get_n_leaves())
    vote = bc.PACBayesTreeClassifier(random_state=0)
    report = bc.noise.tolerance_report(
        {"pruned": bc.PrunedTreeClassifier(), "vote": vote, "whole": bc.DecisionTreeClassifier(), "limited": limited},
        X,
        y,
        rates=[0.05, 0.2],
        adversaries=["random_label_flip", "greedy_cancel"],
        n_repeats=2,
    )
    for part in report.text().split("\n\n")[1:-1]:
        assert part in out
    again = bristlecone(f"stress rows.csv -t label {WORDS} --n-jobs 2").out
    assert again == out
    assert bristlecone(f"stress rows.csv -t label {WORDS} --seed 1").out != out


def test_weights_are_carried_through(bristlecone, rows):
    lines = Path("rows.csv").read_text().splitlines()
    weighed = [f"{line},{k % 3}" for k, line in enumerate(lines[1:])]
    Path("weighed.csv").write_text("\n".join([lines[0] + ",w", *weighed]) + "\n")
    out = bristlecone(f"stress weighed.csv -t label --weights w {WORDS}").out
    file = read_file("weighed.csv")
    X, y = file.table(drop=["label", "w"]), np.array(file.frame["label"].to_list())
    report = bc.noise.tolerance_report(
        {"whole": bc.DecisionTreeClassifier()},
        X,
        y,
        sample_weight=file.frame["w"].to_numpy(),
        rates=[0.05, 0.2],
        adversaries=["random_label_flip", "greedy_cancel"],
        n_repeats=2,
    )
    for part in report.text().split("\n\n")[1:3]:
        assert part in out
    assert "133 rows" in out and "errors are shares of weight" in out and "and no weights" in out
    bristlecone(f"stress weighed.csv -t label --weights job {WORDS}").refused("column 'job'", "is not a number")


def test_the_picture(bristlecone, rows):
    out = bristlecone(f"stress rows.csv -t label {WORDS} --picture both.svg").out
    assert "Picture written to both.svg" in out
    drawn = Path("both.svg").read_text()
    assert drawn.startswith("<?xml") and "</svg>" in drawn


def test_the_page_has_all_of_it(bristlecone, rows):
    out = bristlecone(f"stress rows.csv -t label {WORDS} --bootstraps 5 --error 0.25 --report all.html").out
    assert out.endswith("Page written to all.html\n")
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", Path("all.html").read_text()))
    table = out[out.index("pruned: clean error") : out.index("Whatever was done")]
    rows_of_tables = [line.split() for line in table.splitlines() if "_" in line]
    assert len(rows_of_tables) == 4 * 4 + 4 * 2
    for cells in rows_of_tables:
        assert " ".join(cells) in text
    assert "from some two of 5 models" in text and "from some two of 5 models" in out
    assert "Grown on rows.csv" in text and "0.25" in text


def test_more_than_two_classes(bristlecone, here):
    Path("three.csv").write_text("x,y\n" + "".join(f"{k % 30},{'abc'[k % 30 // 10]}\n" for k in range(120)))
    out = bristlecone("stress three.csv -t y --repeats 1 --rates 0.1").out
    assert "measured where there are two classes" in out and "class_conditional_flip" in out
    bristlecone("stress three.csv -t y --repeats 1 --adversaries insert_worst").refused("two classes; y has 3")


@pytest.mark.parametrize(
    ("words", "fragments"),
    [
        ("-t label --rates 0", ["--rates '0'"]),
        ("-t label --rates ,", ["--rates holds no rate"]),
        ("-t label --adversaries ,", ["--adversaries holds no name"]),
        ("-t label --rates many", ["--rates 'many' is not a number"]),
        ("-t label --rates 0.1,2", ["--rates '2'"]),
        ("-t label --adversaries nobody", ["'nobody' is not one of", "greedy_cancel"]),
        ("-t label --adversaries table_shift", ["second table"]),
        ("-t label --holdout 1", ["--holdout 1"]),
        ("-t label --picture p.gif", ["'p.gif' must end in .png"]),
        ("-t label --report no/p.html", ["no directory 'no'"]),
        ("-t label --picture p.svg --report p.svg", ["--picture and --report both name 'p.svg'"]),
        ("-t label --bootstraps 1", ["--bootstraps"]),
        ("-t label --picture no/p.png", ["no directory 'no'"]),
        ("-t label --adversaries tribes_cancel", ["rows.csv", "two values"]),
        ("-t age", ["stress is for classes", "'age' is a number", "--categorical"]),
        ("-t label --holdout 0.999", ["--holdout 0.999 leaves 1 row", "rows.csv"]),
        ("-t lable", ["did you mean 'label'"]),
        ("-t label --repeats 0", ["--repeats"]),
        ("-t label --drop age --drop job", ["no column is left"]),
    ],
)
def test_what_the_user_got_wrong(bristlecone, rows, words, fragments):
    bristlecone(f"stress rows.csv {words}").refused(*fragments)


def test_text_that_is_no_classes_is_refused_without_a_word_of_other_commands(bristlecone, here):
    Path("names.csv").write_text("x,y\n" + "".join(f"{k % 7},name{k}\n" for k in range(30)))
    done = bristlecone("stress names.csv -t y")
    done.refused("'y' is text that differs in each of 30 rows", "these are no classes")
    assert "--task" not in done.err and "--task" in bristlecone("fit names.csv -t y").err


def test_numbers_can_be_taken_for_classes(bristlecone, here):
    Path("n.csv").write_text("x,y\n" + "".join(f"{k / 2},{k // 4}\n" for k in range(100)))
    bristlecone("stress n.csv -t y --repeats 1 --rates 0.1 --bootstraps 2").refused("'y' is a number")
    out = bristlecone("stress n.csv -t y --categorical y --repeats 1 --rates 0.1 --bootstraps 2").out
    assert "random_label_flip" in out


def test_a_target_of_one_value_or_of_two_rows(bristlecone, here):
    Path("one.csv").write_text("x,y\n1,a\n2,a\n")
    bristlecone("stress one.csv -t y").refused("one value only")
    Path("two.csv").write_text("x,y\n1,a\n2,b\n")
    bristlecone("stress two.csv -t y --repeats 1 --rates 0.1").refused("two.csv", "one class only")
