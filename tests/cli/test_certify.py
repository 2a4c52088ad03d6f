"""What `fit --certify` prints and keeps, and what `certify` says by fresh rows."""

import json

import numpy as np
import pytest

import bristlecone as bc
from bristlecone.certify import Certificate, holdout_bound
from bristlecone.certify.split import split_rows

HEAD = "x,z,who,day,y\n"


def rows(n, seed=0, first=0, only=None):
    rng = np.random.default_rng(seed)
    lines = []
    for k in range(n):
        x, z = rng.random(2)
        label = "yes" if (x > 0.5) ^ (rng.random() < 0.1) else "no"
        lines.append(f"{x:.6f},{z:.6f},p{(first + k) // 5},{first + k},{only or label}")
    return HEAD + "\n".join(lines) + "\n"


@pytest.fixture
def data(here):
    (here / "old.csv").write_text(rows(400))
    (here / "new.csv").write_text(rows(300, seed=1, first=400))
    return here


def kept(here):
    return Certificate.from_dict(json.loads((here / "m.json").read_text())["payload"]["made"]["certificate"])


DROP = "--drop who --drop day"


def test_fit_certifies_by_the_rows_it_held_out(bristlecone, data):
    out = bristlecone(f"fit old.csv -t y -m m.json {DROP}").out
    found = kept(data)
    errors = round(found.observed * 80)
    assert (found.n, found.kind, found.predictor) == (80, "Clopper-Pearson", "classifier")
    assert found.value == holdout_bound(errors, 80, 0.05)
    joined = " ".join(out.split())
    assert found.sentence in joined
    assert "Certified With probability at least 95% over the draw of the 80 certifying rows" in joined
    assert found.sentence in " ".join(bristlecone("show m.json").out.split())


def test_certify_by_fresh_rows(bristlecone, data):
    assert bristlecone(f"fit old.csv -t y -m m.json {DROP} --certify none").code == 0
    assert "certificate" not in bristlecone("show m.json").out
    done = bristlecone("certify m.json new.csv --delta 0.1")
    assert done.out.startswith(
        "With probability at least 90% over the draw of the 300 certifying rows, the error of the"
    )
    assert "this holds if these rows had no part in making the model" in done.err
    found = Certificate.from_json(bristlecone("certify m.json new.csv --delta 0.1 --json").out)
    assert found.value == holdout_bound(round(found.observed * 300), 300, 0.1)
    tampered = Certificate.from_json(bristlecone("certify m.json new.csv --json --corrupted 0.1").out)
    assert tampered.value == holdout_bound(round(found.observed * 300), 300, 0.05, corrupted=0.1)
    groups = Certificate.from_json(bristlecone("certify m.json new.csv --json --group who").out)
    assert (groups.n, groups.unit) == (60, "group")


def test_the_very_rows_that_made_it_certify_nothing(bristlecone, data):
    assert bristlecone(f"fit old.csv -t y -m m.json {DROP}").code == 0
    bristlecone("certify m.json old.csv").refused("old.csv", "the very rows that the model was made from")


def test_rows_without_a_target_are_left_out(bristlecone, data):
    assert bristlecone(f"fit old.csv -t y -m m.json {DROP}").code == 0
    text = rows(20, seed=3)
    (data / "some.csv").write_text(text + "0.5,0.5,p1,2,\n")
    done = bristlecone("certify m.json some.csv --json")
    assert json.loads(done.out)["n"] == 20
    assert "; 1 row without a target left out" in done.err
    (data / "none.csv").write_text(HEAD + "0.5,0.5,p1,2,\n" * 3)
    bristlecone("certify m.json none.csv").refused("'y' is missing in every row")
    (data / "few.csv").write_text(rows(7))
    bristlecone("certify m.json few.csv").refused("few.csv", "7 certifying row(s): a certificate needs at least 8")
    bristlecone("certify m.json some.csv --target nope").refused("nope")
    bristlecone("certify m.json some.csv --radius 2").refused("--radius is for numbers")
    bristlecone("certify m.json some.csv --delta 0").refused("delta")
    bristlecone("certify m.json absent.csv").refused("absent.csv")
    bristlecone("certify some.csv some.csv").refused("some.csv")


def test_pac_bayes_chooses_and_certifies(bristlecone, data):
    out = " ".join(bristlecone(f"fit old.csv -t y -m m.json {DROP} --certify pac-bayes").out.split())
    found = kept(data)
    assert (found.n, found.predictor) == (200, "pruned")
    assert found.sentence in out
    assert "the pruning whose own bound is least" in out
    bristlecone(f"fit old.csv -t y -m m.json {DROP} --certify pac-bayes --vote --holdout 0.4")
    assert (kept(data).n, kept(data).predictor) == (160, "vote")
    assert bristlecone("predict m.json new.csv").code == 0


def test_groups_and_time_are_said(bristlecone, data):
    for how in ("holdout", "pac-bayes"):
        out = " ".join(bristlecone(f"fit old.csv -t y -m m.json --drop day --group who --certify {how}").out.split())
        assert kept(data).unit == "group"
        assert "every group counts alike" in out
        out = " ".join(bristlecone(f"fit old.csv -t y -m m.json --drop who --time day --certify {how}").out.split())
        assert "rows to come are like the last ones" in out


@pytest.mark.parametrize("how", ["holdout", "pac-bayes"])
def test_rows_that_made_the_model_are_known_in_any_order(bristlecone, here, how):
    rng = np.random.default_rng(0)

    def lines(n):
        columns = rng.random(n), rng.integers(0, 3, n), rng.normal(0, 0.1, n)
        return [f"{a:.4f},{'xyz'[k]},{'yes' if a + e > 0.5 else 'no'}" for a, k, e in zip(*columns, strict=True)]

    def write(name, rows):
        (here / name).write_text("\n".join(["a,k,y", *rows]) + "\n")

    old = lines(400)
    write("old.csv", old)
    write("turned.csv", old[::-1])
    assert bristlecone(f"fit old.csv -t y -m m.json --certify {how}").code == 0
    bristlecone("certify m.json turned.csv").refused("turned.csv holds the very rows that the model was made from")
    split = split_rows(400, 0.5 if how == "pac-bayes" else 0.2, 0)
    write("grown.csv", [old[k] for k in split.growing[::-1]])
    write("held.csv", [old[k] for k in split.held_out[::-1]])
    bristlecone("certify m.json grown.csv").refused("holds the very rows")
    if how == "pac-bayes":
        bristlecone("certify m.json held.csv").refused("holds the very rows")
    else:
        assert bristlecone("certify m.json held.csv").code == 0
    write("fresh.csv", lines(400))
    assert bristlecone("certify m.json fresh.csv").code == 0


def test_rows_of_few_values_are_no_known_ones(bristlecone, here):
    for seed in range(6):
        cells = np.random.default_rng(seed).integers(0, 3, (300 if seed == 0 else 25, 2))
        rows = "".join(f"{a},{b},{'yes' if a > b else 'no'}\n" for a, b in cells)
        (here / f"{seed}.csv").write_text("a,b,y\n" + rows)
    assert bristlecone("fit 0.csv -t y -m m.json").code == 0
    for seed in range(1, 6):
        assert bristlecone(f"certify m.json {seed}.csv").code == 0


def test_show_tells_the_certificate_of_an_estimator(bristlecone, here):
    X = np.random.default_rng(0).random((200, 2))
    y = (X[:, 0] > 0.5).astype(int)
    for model in (bc.PACBayesTreeClassifier(mode="certified"), bc.PrunedTreeClassifier(rule="bound")):
        bc.save(model.fit(X, y), here / "m.json")
        out = " ".join(bristlecone("show m.json").out.split())
        assert model.certificate_.sentence in out


def test_rows_of_classes_that_the_model_does_not_know(bristlecone, here):
    (here / "old.csv").write_text("x,y\n" + "".join(f"{k},{'yes' if k > 50 else 'no'}\n" for k in range(100)))
    (here / "new.csv").write_text("x,y\n" + "".join(f"{k}.5,{'maybe' if k > 20 else 'no'}\n" for k in range(40)))
    assert bristlecone("fit old.csv -t y --keep x -m m.json").code == 0
    out = bristlecone("certify m.json new.csv").out
    assert "No certifying row is of class 'yes'" in out
    assert "Certifying rows of class 'maybe', which it does not know: 19; all answered wrongly." in out
    bristlecone("certify m.json new.csv -t x").refused("'x' is a column that the tree reads")


def test_numbers_are_certified_within_a_radius(bristlecone, here):
    rng = np.random.default_rng(0)
    x = rng.random(300)
    noise = rng.normal(0, 1, 300)

    def text(part):
        return "x,y\n" + "".join(f"{a:.5f},{10 * a + b:.5f}\n" for a, b in zip(x[part], noise[part], strict=True))

    (here / "old.csv").write_text(text(slice(0, 200)))
    (here / "new.csv").write_text(text(slice(200, 300)))
    out = " ".join(bristlecone("fit old.csv -t y -m m.json").out.split())
    found = kept(here)
    assert found.predictor == "regressor"
    assert f"the chance of being off by more than {found.details['radius']:g} of the regressor" in out
    again = Certificate.from_json(bristlecone("certify m.json new.csv --json").out)
    assert again.details["radius"] == found.details["radius"]
    wider = Certificate.from_json(bristlecone("certify m.json new.csv --json --radius 100").out)
    assert wider.observed == 0.0
    fixed = " ".join(bristlecone("fit old.csv -t y --radius 2.5").out.split())
    assert "the chance of being off by more than 2.5 of the regressor" in fixed
    out = " ".join(bristlecone("fit old.csv -t y -m w.json --certify pac-bayes --radius 2").out.split())
    assert "the chance of being off by more than 2 of the pruned tree" in out
    assert "the least bound" in bristlecone("show w.json --path").out
    again = Certificate.from_json(bristlecone("certify w.json new.csv --json").out)
    assert again.details["radius"] == 2.0
    bristlecone("fit old.csv -t y --certify pac-bayes").refused("--radius says how far off an answer may be")
    bristlecone("fit old.csv -t y --certify none --radius 2").refused("--certify none asks for none")
    bristlecone("fit old.csv -t y --radius inf").refused("--radius inf must be finite")
    bristlecone("fit old.csv -t y --task classification --radius 2").refused(
        "--radius is for numbers; 'y' holds classes"
    )
    assert bristlecone("fit old.csv -t y -m n.json --certify none").code == 0
    bristlecone("certify n.json new.csv").refused("--radius says how far off an answer may be")


@pytest.mark.parametrize("how", ["holdout", "pac-bayes"])
def test_tampering_is_paid_for(bristlecone, data, how):
    found = []
    for share in (0.0, 0.05):
        words = f"fit old.csv -t y -m m.json {DROP} --certify {how} --corrupted {share}"
        assert bristlecone(words).code == 0
        found.append(kept(data))
    clean, bought = found
    assert bought.value > clean.value
    assert f"at most {int(0.05 * bought.n)} of them were tampered with (a share of 0.05)" in bought.assumes


def test_why_there_is_none(bristlecone, data, people):
    out = " ".join(bristlecone("fit people.csv -t income").out.split())
    assert "Certified none: 2 rows held out, and a certificate needs at least 8; a larger --holdout holds out" in out
    out = " ".join(bristlecone(f"fit old.csv -t y {DROP} --certify none").out.split())
    assert "Certified nothing (--certify none)" in out
    text = rows(100).replace("\n", ",2\n").replace("y,2", "y,w")
    (data / "heavy.csv").write_text(text)
    out = " ".join(bristlecone(f"fit heavy.csv -t y --weights w {DROP}").out.split())
    assert "none: the rows have weights, and a certificate counts independent rows" in out
    assert "none: 0 rows held out" in " ".join(bristlecone(f"fit old.csv -t y {DROP} --holdout 0").out.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--certify sure", "--certify"),
        ("--delta 0", "--delta 0 must lie between 0 and 1"),
        ("--delta 1", "--delta 1 must lie between 0 and 1"),
        ("--delta nan", "--delta"),
        ("--certify none --corrupted 0.1", "--corrupted is what a certificate allows for; --certify none"),
        ("--corrupted 2", "--corrupted"),
        ("--certify pac-bayes --prune min", "--certify pac-bayes chooses"),
        ("--certify pac-bayes --folds 5", "--folds goes with cross-validation"),
        ("--certify pac-bayes --holdout 0", "--holdout 0 holds none out"),
        ("--certify pac-bayes --weights z", "counts independent rows; --weights cannot be given"),
        ("--certify pac-bayes --holdout 0.01", "4 certifying row(s): a certificate needs at least 8"),
    ],
)
def test_words_that_do_not_go_together(bristlecone, data, words, said):
    bristlecone(f"fit old.csv -t y {DROP} {words}").refused(said)


def test_a_damaged_certificate_in_a_model(bristlecone, data):
    from bristlecone.export.document import make_document, read_document, write_document

    assert bristlecone(f"fit old.csv -t y -m m.json {DROP}").code == 0
    document = read_document(data / "m.json")
    payload = json.loads(json.dumps(document["payload"]))
    payload["made"]["certificate"]["value"] = -3
    write_document(make_document(document["kind"], payload), data / "m.json")
    bristlecone("show m.json").refused("its certificate is damaged", "m.json")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("vote", {"x": 1}),
        ("vote", {"strengths": {"lambda": "much"}, "risk": None, "n_folds": 2, "leaves": 3.0}),
        ("vote", {"strengths": {"lambda": 1.0}, "risk": None, "n_folds": -2, "leaves": 3.0}),
        ("vote", 7),
        ("options", {"prune": "zzz"}),
        ("options", {"prune": ["min"]}),
    ],
)
def test_a_model_that_says_wrongly_how_it_was_made(bristlecone, data, name, value):
    from bristlecone.export.document import make_document, read_document, write_document

    assert bristlecone(f"fit old.csv -t y -m m.json --vote {DROP}").code == 0
    document = read_document(data / "m.json")
    payload = json.loads(json.dumps(document["payload"]))
    payload["made"][name] = value
    write_document(make_document(document["kind"], payload), data / "m.json")
    for words in ("show m.json", "report m.json new.csv -o p.html"):
        bristlecone(words).refused("m.json", f"it does not say how it was made: '{name}' is")


def test_the_target_is_no_group(bristlecone, here):
    (here / "old.csv").write_text("x,y\n" + "".join(f"{k % 9}.5,{'yes' if k % 9 > 4 else 'no'}\n" for k in range(100)))
    assert bristlecone("fit old.csv -t y -m m.json").code == 0
    (here / "new.csv").write_text("x,y\n" + "".join(f"{k % 9}.5,{'yes' if k % 9 > 4 else 'no'}\n" for k in range(50)))
    bristlecone("certify m.json new.csv --group y").refused("'y' cannot be both the target and the group")
    bristlecone("certify m.json new.csv --group x").refused("'x' is a column that the tree reads, so it cannot be the")


def test_copies_of_rows_are_told(bristlecone, here):
    rng = np.random.default_rng(0)
    one = [f"{a:.6f},{b:.6f},{'yes' if c < 0.5 else 'no'}" for a, b, c in rng.random((100, 3))]
    (here / "copies.csv").write_text("\n".join(["a,b,y", *one * 5]) + "\n")
    out = " ".join(bristlecone("fit copies.csv -t y").out.split())
    assert "400 of 500 rows are copies of others, in all columns and the target" in out
    (here / "once.csv").write_text("\n".join(["a,b,y", *one]) + "\n")
    assert "copies of others" not in bristlecone("fit once.csv -t y").out
    few = [f"{a},{b},{'yes' if a > b else 'no'}" for a, b in rng.integers(0, 3, (500, 2))]
    (here / "few.csv").write_text("\n".join(["a,b,y", *few]) + "\n")
    assert "copies of others" not in " ".join(bristlecone("fit few.csv -t y").out.split())


def test_a_page_where_all_held_out_rows_are_of_an_unknown_class(bristlecone, here):
    lines = "".join(f"{k},{k % 7}.5,{'c' if k >= 60 else 'ab'[k % 2]}\n" for k in range(75))
    (here / "rows.csv").write_text("day,x,y\n" + lines)
    assert bristlecone("fit rows.csv -t y --time day --report page.html").code == 0
    assert (here / "page.html").exists()


def test_a_fault_of_a_weighing_row_names_the_file_once_and_its_own_row(bristlecone, here):
    rng = np.random.default_rng(0)
    lines = [f"{'ab'[k % 2]},{x:.3f},{['no', 'yes'][k % 2]}" for k, x in enumerate(rng.random(120))]
    held_out = split_rows(120, 0.5, 0).held_out
    row = int(held_out[3])
    lines[row] = "rare," + lines[row].split(",", 1)[1]
    (here / "rows.csv").write_text("\n".join(["c,x,y", *lines]) + "\n")
    outcome = bristlecone("fit rows.csv -t y --unseen error --certify pac-bayes --categorical c")
    outcome.refused(f"row {row + 1}", "'rare'")
    assert outcome.err.count("rows.csv") == 1
    (here / "tiny.csv").write_text("\n".join(["c,x,y", *lines[:12]]) + "\n")
    outcome = bristlecone("fit tiny.csv -t y --certify pac-bayes")
    outcome.refused("certifying row(s): a certificate needs at least 8")
    assert outcome.err.count("tiny.csv") == 1
