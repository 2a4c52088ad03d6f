"""`fit` from a file to a summary, a tree and a model."""

import json
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import bristlecone as bc
from bristlecone.cli import page
from bristlecone.cli.models import load_model


def put(name, text, encoding="utf-8"):
    Path(name).write_text(text, encoding=encoding)


def measured(name="data.csv", n=200, seed=0):
    """A file whose target depends on two columns, with missing cells and a column of names."""
    rng = np.random.default_rng(seed)
    size, kind = rng.normal(50, 10, n).round(2), rng.choice(["ash", "oak", "elm"], n)
    sick = (size > 55) ^ (kind == "oak")
    cells = ["" if rng.random() < 0.1 else f"{value}" for value in size]
    lines = [
        f"{k},tree {k},{c},{j},{'yes' if s else 'no'}"
        for k, (c, j, s) in enumerate(zip(cells, kind, sick, strict=True))
    ]
    put(name, "number,name,size,kind,sick\n" + "\n".join(lines) + "\n")


def said(out, label):
    """The paragraphs of the summary with this label, each as one line."""
    found, here = [], False
    for line in out.split("\n\n")[0].splitlines():
        if line[:11].strip():
            here = line[:11].strip() == label
            found += [""] if here else []
        if here:
            found[-1] = (found[-1] + " " + line[11:].strip()).strip()
    return found


def test_the_summary_says_what_an_analyst_asks(bristlecone, here):
    measured()
    outcome = bristlecone("fit data.csv --target sick")
    assert outcome.code == 0 and outcome.err == ""
    out = outcome.out
    assert said(out, "Data") == ["data.csv: 200 rows, 5 columns"]
    assert said(out, "Target")[0].startswith("'sick', classification (guessed: text with 2 different values; --task")
    assert said(out, "Columns") == ["2 columns to ask about: 1 numeric, 1 category"]
    assert said(out, "Missing")[0].startswith("20 cells in 1 column") or "cells in 1 column: 'size'" in out
    assert said(out, "Rows") == ["160 to grow on, 40 held out (20.0%, seed 0)"]
    assert "leaves, depth" in said(out, "Tree")[0] and "criterion gini" in said(out, "Tree")[0]
    assert "on the growing rows" in said(out, "Error")[0] and "on the held-out rows" in said(out, "Error")[0]
    assert "all rows" in out and "kind is oak" in out


def test_missing_cells_are_those_of_the_rows_used(bristlecone, here):
    put("m.csv", "a,b,c,y\n" + "1,?,NA,u\n2,?,NA,v\n3,x,7,u\n4,z,8,v\n?,x,9,\n" * 4)
    out = bristlecone("fit m.csv -t y --holdout 0").out
    assert said(out, "Missing") == ["16 cells in 2 columns: 'b' 8, 'c' 8; rows left out are not counted"]
    assert said(out, "Note") == [
        "4 rows without a target left out",
        "read as missing: '?' in 'a', 'b'",
        "column 'c': read as missing: 8 x 'NA'",
    ]


def test_a_column_of_very_many_names_is_told(bristlecone, here):
    put("tails.csv", "tail,y\n" + "".join(f"N{k % 250},{k % 3 / 2}\n" for k in range(1000)))
    out = bristlecone("fit tails.csv -t y --max-depth 2").out
    assert any(n.startswith("'tail' has 250 different names: ") and "--drop tail " in n for n in said(out, "Note"))
    assert not said(bristlecone("fit tails.csv -t y --max-depth 2 --keep tail").out, "Note")


def test_identifiers_are_left_out_and_kept_on_request(bristlecone, here):
    measured()
    notes = said(bristlecone("fit data.csv --target sick").out, "Note")
    assert any("'number' looks like an identifier (it numbers the rows)" in note for note in notes)
    assert any("'name' looks like" in note and "such as 'tree 0'" in note and "--keep name" in note for note in notes)
    kept = bristlecone("fit data.csv --target sick --keep name,number").out
    assert said(kept, "Columns") == ["4 columns to ask about: 2 numeric, 2 category"]
    assert not any("left out" in note for note in said(kept, "Note"))


def test_ranks_are_asked_about(bristlecone, here):
    order = np.random.default_rng(1).permutation(30)
    put("ranks.csv", "rank,y\n" + "".join(f"{k},{'ab'[int(k > 10)]}\n" for k in order))
    out = bristlecone("fit ranks.csv -t y").out
    assert "rank <" in out and "--drop rank leaves it out" in " ".join(said(out, "Note"))


def test_codes_are_doubted_and_settled(bristlecone, here):
    put("zip.csv", "zip,y\n" + "".join(f"{(k % 7) * 1000 + 8000},{'ab'[k % 7 % 2]}\n" for k in range(80)))
    doubted = bristlecone("fit zip.csv -t y").out
    assert "'zip' looks like codes" in doubted and "--categorical zip" in doubted and "zip <" in doubted
    settled = bristlecone("fit zip.csv -t y --categorical zip").out
    assert "looks like codes" not in settled and "zip is " in settled
    assert "looks like codes" not in bristlecone("fit zip.csv -t y --numeric zip").out


@pytest.mark.parametrize(
    ("values", "task"),
    [
        (["yes", "no"], "classification"),
        (["true", "false"], "classification"),
        (["0", "1"], "classification"),
        (["1", "2", "3"], "classification"),
        (["1.0", "2.0"], "classification"),
        (["0.5", "1.5", "2.5"], "regression"),
        ([str(k) for k in range(25)], "regression"),
    ],
)
def test_the_task_is_guessed_and_said(bristlecone, here, values, task):
    put("y.csv", "x,y\n" + "".join(f"{k * 0.5},{values[k % len(values)]}\n" for k in range(50)))
    target = said(bristlecone("fit y.csv -t y").out, "Target")[0]
    assert f"'y', {task} (guessed: " in target


def test_the_guess_can_be_overruled(bristlecone, here):
    put("y.csv", "x,y\n" + "".join(f"{k * 0.5},{k % 3}\n" for k in range(50)))
    out = bristlecone("fit y.csv -t y --task regression").out
    assert "'y', regression: 0 to 2, mean 0.98" in said(out, "Target")[0] and "RMSE" in out and "R²" in out
    assert re.search(r"RMSE [0-9.]+, R² [0-9.]+ \(0\.8[0-9]* if always [0-9.]+\) on the growing rows", out)
    out = bristlecone("fit y.csv -t x --task classification").out
    assert "'x', classification: 50 classes" in said(out, "Target")[0]


def test_the_model_is_the_tree_that_was_measured(bristlecone, here):
    measured()
    out = bristlecone("fit data.csv --target sick --model m.json").out
    assert out.endswith("Model written to m.json\n")
    model = load_model(Path("m.json"))
    assert model.target == "sick" and model.tree.n_node_samples[0] == 160
    made = json.loads(Path("m.json").read_text())["payload"]["made"]
    assert made["rows"] == {"grown": 160, "held_out": 40}
    assert made["options"]["data"] == "data.csv" and made["options"]["task"] == "classification"
    assert page.share(made["errors"]["held_out"]["tree"]) + " wrong" in out


def test_the_same_rows_give_the_same_model(bristlecone, here):
    measured()
    for name, words in (("a", ""), ("b", "--n-jobs 2"), ("c", "--seed 1")):
        assert bristlecone(f"fit data.csv --target sick --model {name}.json {words}").code == 0
    trees = {name: load_model(Path(f"{name}.json")).tree for name in "abc"}
    assert trees["a"].equals(trees["b"]) and not trees["a"].equals(trees["c"])


def test_no_rows_held_out(bristlecone, here):
    measured()
    out = bristlecone("fit data.csv --target sick --holdout 0 --model m.json").out
    assert "200 rows to grow on, none held out" in out and "not measured on other rows" in out
    assert load_model(Path("m.json")).tree.n_node_samples[0] == 200


def test_rows_without_a_target_are_left_out_and_counted(bristlecone, here):
    put("y.csv", "x,y\n" + "".join(f"{k % 9},{['a', 'b', ''][k % 3]}\n" for k in range(30)))
    out = bristlecone("fit y.csv -t y --holdout 0").out
    assert "10 rows without a target left out" in out and "20 rows to grow on" in out


def test_weights_equal_repeated_rows(bristlecone, here):
    put("w.csv", "x,y,w\n1,a,2\n2,b,1\n3,a,0\n4,b,3\n2.5,a,1\n")
    put("r.csv", "x,y\n1,a\n1,a\n2,b\n4,b\n4,b\n4,b\n2.5,a\n")
    weighted = bristlecone("fit w.csv -t y --weights w --holdout 0 --model w.json").out
    assert "1 row of weight zero left out" in weighted and "weighted" in weighted
    bristlecone("fit r.csv -t y --holdout 0 --model r.json")
    by_weight, by_rows = load_model(Path("w.json")).tree, load_model(Path("r.json")).tree
    assert np.array_equal(by_weight.threshold, by_rows.threshold)
    assert np.array_equal(by_weight.weighted_n_node_samples, by_rows.weighted_n_node_samples)


def test_limits_and_choices_reach_the_tree(bristlecone, here):
    measured()
    words = "--max-depth 2 --criterion entropy --unseen heavier --runners 2 --min-samples-leaf 5 --min-samples-split 20"
    assert bristlecone(f"fit data.csv -t sick --model m.json {words}").code == 0
    tree = load_model(Path("m.json")).tree
    assert tree.max_depth <= 2 and tree.criterion == "entropy" and tree.unseen == "heavier"
    assert len(tree.runners[0]) >= 1 and tree.n_node_samples.min() >= 5
    assert bristlecone("fit data.csv -t sick --model m.json --max-leaf-nodes 3").code == 0
    assert load_model(Path("m.json")).tree.n_leaves == 3


def test_a_big_tree_is_folded_with_a_note(bristlecone, here):
    rng = np.random.default_rng(3)
    put(
        "noise.csv",
        "x,y\n" + "".join(f"{v},{w}\n" for v, w in zip(rng.random(400), rng.choice(["a", "b"], 400), strict=True)),
    )
    out = bristlecone("fit noise.csv -t y --prune none").out
    assert "folded" in out and len(out.splitlines()) < 70
    assert "folded" not in bristlecone("fit noise.csv -t y --prune none --depth 400").out


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "feather", "jsonl", "csv.gz"])
def test_formats_give_the_same_tree(bristlecone, here, ending):
    measured()
    frame = pl.read_csv("data.csv")
    path = f"again.{ending}"
    match ending:
        case "csv":
            frame.write_csv(path, separator=";")
        case "tsv":
            frame.write_csv(path, separator="\t")
        case "parquet":
            frame.write_parquet(path)
        case "feather":
            frame.write_ipc(path)
        case "jsonl":
            frame.write_ndjson(path)
        case "csv.gz":
            import gzip

            Path(path).write_bytes(gzip.compress(Path("data.csv").read_bytes()))
    assert bristlecone("fit data.csv -t sick -m a.json").code == 0
    assert bristlecone("fit", path, "-t", "sick", "-m", "b.json").code == 0
    assert load_model(Path("a.json")).tree.equals(load_model(Path("b.json")).tree)


def test_nan_in_a_parquet_target_is_missing(bristlecone, here):
    y = [float("nan") if k % 10 == 0 else k * 0.5 for k in range(50)]
    pl.DataFrame({"x": [float(k % 7) for k in range(50)], "y": y}).write_parquet("y.parquet")
    out = bristlecone("fit y.parquet -t y --holdout 0").out
    assert "5 rows without a target left out" in out and "RMSE" in out and "nan" not in out


def test_spreadsheet_csv(bristlecone, here):
    """Semicolons, decimal commas, a byte order mark, quotes, an index column, a blank column at the end."""
    lines = [f'{k};"{k % 9},5";"Ort ""{k % 2}""; Nord";{"ja" if k % 9 > 4 else "nein"};' for k in range(30)]
    put("sheet.csv", '"";"Größe";Ort;krank;\r\n' + "\r\n".join(lines) + "\r\n", "utf-8-sig")
    outcome = bristlecone("fit sheet.csv -t krank --holdout 0")
    assert outcome.code == 0, outcome.err
    assert "├─ Größe < 5" in outcome.out and "3 leaves" not in outcome.out


def test_c57_odd_names_stay_on_their_lines(bristlecone, here):
    put("odd.csv", '"a\nb","<i>x</i>",y\n' + "".join(f"{k % 9}.5,{k % 2},{'pq'[k % 9 > 3]}\n" for k in range(30)))
    out = bristlecone("fit odd.csv -t y --holdout 0").out
    assert "a\\nb" in out and "\nb" not in out.replace("\nbristlecone", "")


def test_library_reads_what_the_command_line_wrote(bristlecone, here):
    """Kind "Tree" inside: the document's tree is the library's own."""
    measured()
    bristlecone("fit data.csv -t sick -m m.json")
    payload = bc.export.read_document("m.json")["payload"]
    assert bc.export.payload_to_tree(payload["tree"]).equals(load_model(Path("m.json")).tree)


def test_command_line_reads_what_the_library_wrote(bristlecone, here):
    X, y = np.arange(10.0).reshape(-1, 1), np.arange(10) > 4
    classifier = bc.DecisionTreeClassifier().fit(X, y)
    bc.save(classifier, "estimator.json")
    bc.save(classifier.tree_, "tree.json")
    for name in ("estimator.json", "tree.json"):
        assert "x0 < 4.5" in bristlecone(f"show {name}").out


def test_a_number_that_counts_the_rows_is_asked_about_where_nothing_else_is_left(bristlecone, here):
    put("x.csv", "x,y\n" + "".join(f"{x},{'ab'[x > 25]}\n" for x in range(60)))
    out = bristlecone("fit x.csv --target y --certify none").out
    note = "'x' looks like an identifier (it numbers the rows) but was read as numbers; --drop x leaves it out"
    assert note in said(out, "Note")[0] and "x < " in out
    put("n.csv", "name,y\n" + "".join(f"n{x},{'ab'[x > 25]}\n" for x in range(60)))
    bristlecone("fit n.csv --target y").refused("no column is left to ask about", "'name' looks like an identifier")


def test_text_of_which_most_cells_stand_alone_is_left_out(bristlecone, here):
    rng = np.random.default_rng(0)
    x, few = rng.random(240), rng.integers(0, 60, 240)
    rows = [f"{x[i]:.3f},{x[i] if i % 4 else 0.5:.6f}%,s{few[i]},{'ab'[int(x[i] > 0.4)]}" for i in range(240)]
    put("t.csv", "x,share,street,y\n" + "\n".join(rows) + "\n")
    out = bristlecone("fit t.csv --target y --certify none").out
    assert (
        "'share' looks like an identifier (180 of 240 cells hold a value of their own, such as" in said(out, "Note")[0]
    )
    assert said(out, "Columns") == ["2 columns to ask about: 1 numeric, 1 category"] and "x < 0.4" in out


def test_c26_labels_with_leading_zeros_stay_words(bristlecone, here):
    """01 and 1 are two labels; a later file in which they look like numbers is compared by what they spell."""
    codes = [code for code in ("01", "1", "10") for _ in range(20)]
    put("both.csv", "x,y\n" + "".join(f"{k % 20},{code}\n" for k, code in enumerate(codes)))
    told = said(bristlecone("fit both.csv -t y --certify none").out, "Target")
    assert "text with 3 different values" in told[0]

    put("codes.csv", "x,y\n" + "".join(f"{k % 40},{'01' if k % 40 < 25 else '02'}\n" for k in range(80)))
    bristlecone("fit codes.csv -t y --certify none --model codes.json")
    header, first = bristlecone("predict codes.json codes.csv").out.splitlines()[:2]
    assert header == "prediction,probability_01,probability_02" and first.startswith("01,")
    put("later.csv", "x,y\n" + "".join(f"{k + 0.25},{1 + (k > 24)}\n" for k in range(40)))
    assert "it was 0.0000;" in bristlecone("certify codes.json later.csv").out
    put("plain.csv", "x,y\n" + "".join(f"{k},{1 + (k > 24)}\n" for k in range(40)))
    put("padded.csv", "x,y\n" + "".join(f"{k + 0.25},{'01' if k < 25 else '02'}\n" for k in range(40)))
    bristlecone("fit plain.csv -t y --certify none --keep x --model plain.json")
    assert "it was 0.0000;" in bristlecone("certify plain.json padded.csv").out


def test_many_numbers_with_leading_zeros_are_numbers(bristlecone, here):
    put("padded.csv", "x,y\n" + "".join(f"{k},{k:06}\n" for k in range(60)))
    assert "regression" in bristlecone("fit padded.csv -t y --certify none --keep x").out


def test_a_closing_line_of_totals_says_nothing_of_the_kinds_of_columns(bristlecone, here):
    rows = "".join(f"{20 + k},{k % 7 * 1000},{'ab'[k > 30]}\n" for k in range(60))
    put("totals.csv", "age,income,y\n" + rows + "Total,180000,\n")
    out = bristlecone("fit totals.csv -t y --certify none").out
    assert said(out, "Columns") == ["2 columns to ask about: 2 numeric"] and "age < 50" in out
    assert "1 row without a target left out" in out
    put("none.csv", "age,y\nx,\ny,\n")
    bristlecone("fit none.csv -t y").refused("target 'y' is missing in every row")


def test_a_target_with_nan_is_missing_there_for_every_command(bristlecone, here):
    rng = np.random.default_rng(0)
    for name, extra in (("old", {}), ("new", {"long": pl.Series(range(80), dtype=pl.Int128)})):
        a = rng.random(80)
        y = np.where(np.arange(80) % 5 == 0, np.nan, (a > 0.5) * 1.0)
        pl.DataFrame({"a": a, "y": y} | extra).write_parquet(f"{name}.parquet")
    assert "16 rows without a target left out" in bristlecone("fit old.parquet -t y --model m.json").out
    assert "on 64 rows with a known 'y'" in bristlecone("predict m.json new.parquet -o answers.csv").err
    assert "the 64 certifying rows" in bristlecone("certify m.json new.parquet").out
    assert "on 64 rows" in bristlecone("audit m.json new.parquet -t y").out
    assert bristlecone("report m.json new.parquet -o page.html").code == 0


def test_whole_numbers_of_any_length_and_numbers_as_text_in_json_lines(bristlecone, here):
    rows = [{"a": k / 80, "long": 10**21 + k % 3, "t": str(k % 7), "y": "pq"[k > 30]} for k in range(80)]
    put("long.jsonl", "\n".join(map(json.dumps, rows)))
    notes = " ".join(said(bristlecone("fit long.jsonl -t y").out, "Note"))
    assert "column 'long': whole numbers too long for float64, read as text" in notes
    assert "column 't': numbers, written as text, were read as names; --numeric takes them as numbers" in notes
    assert bristlecone("fit long.jsonl -t y --numeric t").code == 0
    put("marked.jsonl", "\ufeff" + "\n".join(map(json.dumps, rows)))
    assert bristlecone("fit marked.jsonl -t y").code == 0
    put("nan.jsonl", "\n".join(json.dumps(row | {"a": float("nan") if k == 40 else 1}) for k, row in enumerate(rows)))
    bristlecone("fit nan.jsonl -t y").refused("nan.jsonl: damaged JSON lines: line 41: ")
