"""The page from the command line: after `fit`, and about a saved model."""

import copy
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from report.conftest import Reader, loans, tree_in

import bristlecone as bc
from bristlecone.export import make_document, read_document, write_document


@pytest.fixture
def rows(here):
    """A file of rows of every kind of column."""
    X, y = loans(600)
    X.assign(repaid=y, branch=np.arange(600) % 40, odd=np.where(np.arange(600) % 9, 1, 2)).to_csv("loans.csv")
    return ["--drop", "branch", "--drop", "odd", "--drop", "0"]


FIT = ("fit", "loans.csv", "--target", "repaid", "--drop", "branch", "--drop", "odd")


def read(path):
    return Path(path).read_text(encoding="utf-8")


def test_fit_writes_the_page_about_the_rows_it_held_out(bristlecone, rows):
    done = bristlecone(*FIT, "--model", "m.json", "--report", "m.html")
    assert done.code == 0 and done.out.endswith("Model written to m.json\nPage written to m.html\n")
    text = Reader(read("m.html")).text
    shown = re.search(r"([\d.]+% wrong) \([\d.]+% if always 'yes'\) on the held-out rows", done.out)[1]
    assert f"{shown} (" in text and "on 120 rows that had no part in growing or choosing it" in text
    sentence = re.search(r"Certified +(.*?)\n  ", done.out)[1]
    assert sentence in text and "over the draw of the 120 certifying rows" in text
    assert text.count("The certificate") == 2 and "Assumed: the certifying rows are independent draws" in text
    size = re.search(r"Size +(.*?)\nError", done.out, re.DOTALL)[1]
    assert re.sub(r"\s+", " ", size[3:]) in text
    assert "loans.csv" in text and "480 rows to grow on, 120 held out" in text


def test_the_rows_are_called_by_their_place_in_the_file(bristlecone, rows):
    assert bristlecone(*FIT, "--model", "m.json", "--report", "m.html").code == 0
    stops = tree_in(read("m.html"))["stops"]
    X, _ = loans(600)
    held_out = np.array(stops["names"]) - 1
    assert len(held_out) == 120 and (np.diff(held_out) > 0).all()
    assert bc.load("m.json").apply(X.iloc[held_out]).tolist() == stops["nodes"]


@pytest.mark.parametrize(
    ("words", "why", "certified"),
    [
        ("--group branch", "rows with the same 'branch' belong together", "over the draw of the 8 certifying groups"),
        ("--time branch", "the rows are in the order of 'branch'", "rows to come are like the last ones"),
        ("--weights odd", "the rows have weights", ""),
        ("--holdout 0", "no rows apart from growth were given", ""),
        ("--certify none --group branch", "rows with the same 'branch' belong together", ""),
    ],
)
def test_rows_that_are_no_independent_draws_bear_no_limits(bristlecone, rows, words, why, certified):
    given = [*FIT[:4], "--drop", "odd" if "branch" in words else "branch"]
    assert bristlecone(*given, *words.split(), "--report", "m.html").code == 0
    text = Reader(read("m.html")).text
    assert "There are no limits on the error of a leaf" in text
    assert certified in text and (f"There is none, for {why}" in text) == (not certified)
    assert "holdout" in words or f"There are no limits on the error of a leaf, for {why}" in text


@pytest.mark.parametrize("vote", ["", "--vote"])
def test_a_page_has_the_certificate_of_the_rows_that_weighed_and_no_limits_from_them(bristlecone, rows, vote):
    words = [*FIT, "--certify", "pac-bayes", *vote.split(), "--model", "m.json", "--report", "m.html"]
    done = bristlecone(*words)
    assert done.code == 0, done.err
    page = read("m.html")
    text = Reader(page).text
    told = re.sub(r"\s+", " ", re.search(r"Certified +(.*?)\n\n", done.out, re.DOTALL)[1])
    assert "the vote over all prunings" in told if vote else "the pruned tree" in told
    for sentence in re.split(r"(?<=\.) (?=[A-Z])", told):
        assert sentence in text
    assert (
        "on 300 rows that had a part in choosing it" in text and "had no part in growing" not in text.split("The c")[0]
    )
    assert "no limits on the error of a leaf, for the rows shown had a part in choosing the tree" in text
    assert '<th scope="col" class="number"><button type="button">at most' not in page
    assert bristlecone("report m.json loans.csv --rows growing -o again.html").code == 0
    again = Reader(read("again.html")).text
    assert told.split(" On the")[0] in again and "by the rows held out (--certify pac-bayes)" in again


def test_the_very_rows_of_a_model_are_no_new_ones(bristlecone, rows):
    assert bristlecone(*FIT, "--model", "m.json").code == 0
    for words in (
        "report m.json loans.csv --rows new -o p.html",
        "audit m.json loans.csv --target repaid",
        "compare m.json m.json --data loans.csv --rows new",
        "compare loans.csv loans.csv --model m.json --rows new",
    ):
        bristlecone(words).refused("loans.csv holds the very rows that the model was made from")
    X, y = loans(600)
    X.assign(repaid=y, branch=0, odd=0)[::-1].to_csv("mixed.csv")
    for words in (
        "report m.json mixed.csv --rows new -o p.html",
        "audit m.json mixed.csv --target repaid",
        "compare m.json m.json --data mixed.csv --rows new",
        "compare mixed.csv mixed.csv --model m.json --rows new",
    ):
        bristlecone(words).refused("mixed.csv holds the very rows that the model was made from")
    X, y = loans(100)
    X.assign(repaid=y).to_csv("some.csv", index=False)
    bc.save(bc.DecisionTreeClassifier().fit(X, y), "whole.json")
    for words in (
        "report whole.json some.csv --target repaid --rows new -o p.html",
        "audit whole.json some.csv --target repaid",
        "compare whole.json whole.json --data some.csv --target repaid --rows new",
        "compare some.csv some.csv --model whole.json --target repaid --rows new",
    ):
        bristlecone(words).refused("some.csv", "these are the rows that grew the tree")
    assert not Path("p.html").exists()


def test_a_certified_vote_that_was_saved_has_a_page(bristlecone, here):
    X, y = loans(500)
    model = bc.PACBayesTreeClassifier(mode="certified").fit(X[:400], y[:400])
    bc.save(model, "vote.json")
    X[400:].assign(repaid=y[400:]).to_csv("new.csv", index=False)
    assert bristlecone("report vote.json new.csv --target repaid --rows new -o p.html").code == 0
    text = Reader(read("p.html")).text
    assert model.certificate_.sentence in text and "weighed by the 200 rows that certify" in text
    assert "over the draw of these 100 rows" in text and "By 200 other rows, its certificate says at most" in text
    assert bristlecone("audit vote.json new.csv --target repaid").code == 0


def test_a_tree_that_was_made_by_asking_has_a_page(bristlecone, here):
    Path("asked_for_a_page.py").write_text(
        "def rule(rows):\n    return ['yes' if row[0] > 0.4 else 'no' for row in rows]\n"
    )
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.random((200, 2)), columns=["a", "b"])
    frame.assign(truth=np.where(frame["a"] > 0.5, "yes", "no")).to_csv("rows.csv", index=False)
    done = bristlecone("distill asked_for_a_page:rule --like rows.csv --drop truth --points 100 --model m.json")
    assert done.code == 0, done.err
    assert bristlecone("report m.json rows.csv --target truth -o p.html").code == 0
    text = Reader(read("p.html")).text
    assert re.search(r"Grown by [\d,]+ answers of another model; of rows put aside it answers 1?\d\d.*% alike", text)
    document = read_document("m.json")
    for name, value in (("fidelity", {"share": 2.0}), ("fidelity", None), ("queries", "many")):
        payload = copy.deepcopy(document["payload"])
        payload["made"][name] = value
        write_document(make_document("Fit", payload), "bad.json")
        bristlecone("report bad.json rows.csv --target truth -o p.html").refused("it does not say how it was made")


def test_an_audit_says_what_the_model_says_of_its_size(bristlecone, rows):
    assert bristlecone(*FIT, "--model", "m.json", "--report", "m.html").code == 0
    X, y = loans(200, seed=5)
    X.assign(repaid=y).to_csv("new.csv")
    assert bristlecone("audit m.json new.csv --target repaid -o a.html").code == 0
    size = re.search(r"Why this size \d[\d,]* \w+, depth \d+ (.*?)\. The tree", Reader(read("m.html")).text)[1]
    assert size in Reader(read("a.html")).text


def test_a_model_that_does_not_say_how_it_was_made_is_refused(bristlecone, rows):
    assert bristlecone(*FIT, "--model", "m.json").code == 0
    document = read_document("m.json")
    for path in (("rows", "grown"), ("rows", "held_out"), ("rows",), ("options",), ("grown_leaves",)):
        payload = copy.deepcopy(document["payload"])
        held = payload["made"]
        for name in path[:-1]:
            held = held[name]
        for value in (None, "7", -1):
            held[path[-1]] = value
            write_document(make_document("Fit", payload), "bad.json")
            for words in ("report bad.json loans.csv --rows growing -o p.html", "show bad.json"):
                bristlecone(words).refused("bad.json", "it does not say how it was made")
        del held[path[-1]]
        write_document(make_document("Fit", payload), "bad.json")
        done = bristlecone("report bad.json loans.csv --rows growing -o p.html")
        assert done.code == 0 or len(path) == 2, done.err  # only the target is needed; half a count is none
    payload["made"] = {"target": "repaid"}
    write_document(make_document("Fit", payload), "bare.json")
    assert bristlecone("report bare.json loans.csv --rows growing -o p.html").code == 0
    assert "How it was chosen is not known here" in Reader(read("p.html")).text


@pytest.mark.parametrize(
    "words", ["--vote", "--prune none", "--prune pessimistic", "--prune min", "--target income", "--max-depth 1"]
)
def test_every_way_to_a_tree_has_a_page_and_its_model_one_too(bristlecone, rows, words):
    given = [*FIT, *words.split(), "--model", "m.json", "--report", "m.html"]
    assert bristlecone(*given).code == 0
    assert bristlecone("report m.json loans.csv --rows growing -o again.html").code == 0
    first, again = (Reader(read(name)).text for name in ("m.html", "again.html"))
    size = re.search(r"Why this size \d[\d,]* \w+, depth \d+ (.*?)\. The tree", first)[1]
    assert size in again and "There are no limits" in again
    assert ("vote" in words) == ("All prunings of the tree vote" in first)


def test_a_vote_that_was_saved_is_shown_with_its_weights(bristlecone, rows):
    X, y = loans(600)
    bc.save(bc.PACBayesTreeClassifier().fit(X, y), "vote.json")
    assert bristlecone("report vote.json loans.csv --target repaid -o vote.html").code == 0
    assert "All prunings of the tree vote" in read("vote.html")


def test_new_rows_have_limits_and_rows_without_a_target_are_left_out(bristlecone, rows):
    assert bristlecone(*FIT, "--model", "m.json").code == 0
    X, y = loans(200, seed=5)
    frame = X.assign(repaid=y)
    frame.loc[:9, "repaid"] = None
    frame.to_csv("new.csv")
    assert bristlecone("report m.json new.csv --rows new -o new.html").code == 0
    text = read("new.html")
    assert "over the draw of these 190 rows" in text and "Measured on" in text
    assert tree_in(text)["stops"]["first"] == 11
    assert bristlecone("report m.json new.csv -o new.html").code == 0
    assert "it was not said that these rows had no part" in Reader(read("new.html")).text


def test_a_model_is_replaced_only_by_a_whole_page(bristlecone, rows):
    assert bristlecone(*FIT, "--model", "m.json", "--report", "m.html").code == 0
    bristlecone(*FIT, "--model", "m.json", "--report", "m.json").refused("--model and --report both name 'm.json'")
    bristlecone(*FIT, "--report", "no/m.html").refused("cannot write 'no/m.html'", "no directory")
    bristlecone(*FIT, "--report", "loans.csv").refused("cannot write 'loans.csv': it is read by the same command")
    bristlecone(*FIT, "--report", "/dev/null").refused("a page needs a regular file")
    bristlecone("report m.json loans.csv -o m.json").refused("it is read by the same command")
    bristlecone("report m.json loans.csv").refused("--output")
    bristlecone("report m.json loans.csv -o p.html --target repayed").refused("did you mean 'repaid'")
    bristlecone("report m.json loans.csv -o p.html --target income").refused("'income' is a column that the tree reads")
    bristlecone("report m.json loans.csv -o p.html --target branch").refused("no label, such as '0', is one of")


def test_a_tree_by_itself_must_be_told_its_target(bristlecone, rows):
    X, y = loans(300)
    bc.save(bc.DecisionTreeClassifier(max_depth=2).fit(X, y).tree_, "t.json")
    bristlecone("report t.json loans.csv -o p.html").refused("does not say which column it predicts", "--target")
    assert bristlecone("report t.json loans.csv -o p.html --target repaid").code == 0
    Path("empty.csv").write_text(Path("loans.csv").read_text().replace(",yes,", ",,").replace(",no,", ",,"))
    bristlecone("report t.json empty.csv -o p.html --target repaid").refused("'repaid' is missing in every row")


def test_without_jinja_the_command_says_what_to_install(bristlecone, rows, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "jinja2", None)
    bristlecone(*FIT, "--report", "m.html").refused("a page needs jinja2: pip install 'bristlecone[report]'")
    with pytest.raises(ImportError, match="a page needs jinja2"):
        bc.report.page(bc.DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1]))
