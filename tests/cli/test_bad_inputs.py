"""What users get wrong: exit code 2 and one clear line that names it, or it works; nothing half-written is left."""

import json
import os
from pathlib import Path

import pytest

from bristlecone.cli import frames
from bristlecone.cli.main import run

PEOPLE_HEAD = "age,job,city,income\n"


def put(name, content):
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())


def rows(*lines, head=PEOPLE_HEAD):
    put("bad.csv", head + "\n".join(lines) + "\n")


class TestFile:
    def test_missing_file(self, bristlecone):
        bristlecone("fit none.csv --target income").refused("none.csv", "no such file")

    def test_directory(self, bristlecone, here):
        (here / "folder").mkdir()
        bristlecone("fit folder --target income").refused("folder", "directory")

    def test_no_permission(self, people, capsys, monkeypatch):
        def refuse(path):
            raise PermissionError(13, "Permission denied", str(path))

        monkeypatch.setattr(Path, "read_bytes", refuse)  # root may read everything
        assert run(["fit", "people.csv", "--target", "income"]) == 2
        out, err = capsys.readouterr()
        assert (out, err) == ("", "bristlecone: people.csv: permission denied\n")

    def test_empty_file(self, bristlecone):
        put("bad.csv", "")
        bristlecone("fit bad.csv --target income").refused("bad.csv", "empty")

    def test_blank_file(self, bristlecone):
        put("bad.csv", "\n\n  \n")
        bristlecone("fit bad.csv --target income").refused("bad.csv", "empty")

    def test_header_only(self, bristlecone):
        put("bad.csv", PEOPLE_HEAD)
        bristlecone("fit bad.csv --target income").refused("bad.csv", "no rows")

    def test_duplicate_column_names(self, bristlecone):
        put("bad.csv", "age,age,income\n1,2,low\n3,4,high\n")
        bristlecone("fit bad.csv --target income").refused("bad.csv", "'age'", "more than once")

    def test_ragged_rows(self, bristlecone):
        rows("23,clerk,Bern,low", "31,clerk,Basel,low,extra", "45,doctor,Bern,high")
        bristlecone("fit bad.csv --target income").refused("bad.csv", "3")

    def test_binary_file_as_csv(self, bristlecone):
        put("bad.csv", bytes(range(256)) * 20)
        bristlecone("fit bad.csv --target income").refused("bad.csv", "not a text file")

    @pytest.mark.parametrize("start", [b"PK\x03\x04", b"%PDF-1.4", b"\x89PNG\r\n"])
    def test_other_formats(self, bristlecone, start):
        put("bad.csv", start + b"\0\1\2" * 100)
        bristlecone("fit bad.csv --target income").refused("bad.csv", "this is a")

    def test_damaged_parquet(self, bristlecone):
        put("bad.parquet", b"PAR1" + b"\0" * 100 + b"PAR1")
        bristlecone("fit bad.parquet --target income").refused("bad.parquet", "damaged Parquet")

    def test_damaged_gzip(self, bristlecone):
        put("bad.csv.gz", b"\x1f\x8b\x08\x00 not gzip")
        bristlecone("fit bad.csv.gz --target income").refused("bad.csv.gz", "gzip")

    def test_wrong_encoding_is_read_with_a_note(self, bristlecone):
        put("bad.csv", (PEOPLE_HEAD + "23,clerk,Zürich,low\n45,doctor,Genève,high\n" * 3).encode("latin-1"))
        outcome = bristlecone("fit bad.csv --target income --holdout 0")
        assert outcome.code == 0 and "not UTF-8" in outcome.out and "Zürich" not in outcome.err

    def test_model_given_as_data(self, bristlecone, model):
        bristlecone("fit tree.json --target income").refused("tree.json", "is a model, not data")

    def test_one_column(self, bristlecone):
        put("bad.csv", "income\nlow\nhigh\nlow\n")
        bristlecone("fit bad.csv --target income").refused("bad.csv", "no column is left")


class TestColumns:
    def test_no_such_target(self, bristlecone, people):
        bristlecone("fit people.csv --target incom").refused("'incom'", "people.csv", "did you mean 'income'?")

    @pytest.mark.parametrize("option", ["drop", "categorical", "numeric", "keep", "weights"])
    def test_no_such_column(self, bristlecone, people, option):
        bristlecone(f"fit people.csv --target income --{option} agee").refused("'agee'", "did you mean 'age'?")

    def test_target_among_dropped_columns(self, bristlecone, people):
        bristlecone("fit people.csv --target income --drop income").refused("'income'", "dropped")
        bristlecone("fit people.csv --target income --drop age,income").refused("'income'", "dropped")

    def test_all_columns_dropped(self, bristlecone, people):
        bristlecone("fit people.csv --target income --drop age,job,city").refused("no column is left")

    def test_dropped_and_used(self, bristlecone, people):
        bristlecone("fit people.csv --target income --drop age --numeric age").refused("'age'", "dropped")

    def test_words_and_numbers(self, bristlecone, people):
        bristlecone("fit people.csv --target income --categorical age --numeric age").refused("'age'")

    def test_text_in_a_numeric_column(self, bristlecone, people):
        bristlecone("fit people.csv --target income --numeric job").refused("'job'", "row 1", "'clerk'")

    def test_infinite_values(self, bristlecone):
        rows("23,clerk,Bern,low", "inf,clerk,Basel,low", "45,doctor,Bern,high")
        bristlecone("fit bad.csv --target income").refused("bad.csv", "'age'", "row 2", "inf")

    def test_infinite_values_in_a_dropped_column_do_no_harm(self, bristlecone):
        rows("23,clerk,Bern,low", "inf,clerk,Basel,low", "45,doctor,Bern,high")
        assert bristlecone("fit bad.csv --target income --drop age,city --holdout 0").code == 0

    def test_missing_cells_refused_on_request(self, bristlecone):
        rows("23,clerk,Bern,low", "31,,Basel,low", "45,doctor,Bern,high")
        bristlecone("fit bad.csv --target income --missing error").refused("bad.csv", "'job'", "row 2", "missing")

    def test_whole_numbers_that_float64_cannot_hold(self, bristlecone):
        put("bad.csv", "id,income\n9007199254740993,low\n9007199254740992,high\n9007199254740995,low\n")
        outcome = bristlecone("fit bad.csv --target income --holdout 0")
        assert outcome.code == 0 and "too long for float64" in outcome.out
        bristlecone("fit bad.csv --target income --numeric id").refused("'id'", "9007199254740993")


class TestTarget:
    def test_constant(self, bristlecone):
        rows("23,clerk,Bern,low", "31,clerk,Basel,low")
        bristlecone("fit bad.csv --target income").refused("'income'", "one value only", "'low'")

    def test_constant_number(self, bristlecone):
        rows("23,clerk,Bern,7", "31,clerk,Basel,7")
        bristlecone("fit bad.csv --target income --task regression").refused("'income'", "one value only", "only, 7:")

    def test_all_missing(self, bristlecone):
        rows("23,clerk,Bern,", "31,clerk,Basel,NA")
        bristlecone("fit bad.csv --target income").refused("'income'", "missing in every row")

    def test_one_row(self, bristlecone):
        rows("23,clerk,Bern,low")
        bristlecone("fit bad.csv --target income").refused("'income'", "one value only")

    def test_regression_of_text(self, bristlecone, people):
        bristlecone("fit people.csv --target income --task regression").refused("'income'", "row 1", "'low'")

    def test_another_text_in_each_row(self, bristlecone, people):
        put("bad.csv", "age,name\n" + "".join(f"{k},person {k}\n" for k in range(9)))
        bristlecone("fit bad.csv --target name").refused("'name'", "differs in each of 9 rows", "--task classification")

    def test_dates(self, bristlecone):
        rows("23,clerk,Bern,2024-01-01", "31,clerk,Basel,2024-01-02")
        bristlecone("fit bad.csv --target income").refused("'income'", "must be numbers")

    def test_infinite(self, bristlecone):
        rows("23,clerk,Bern,1.5", "31,clerk,Basel,-inf", "31,clerk,Basel,2.5")
        bristlecone("fit bad.csv --target income").refused("'income'", "row 2", "inf")

    def test_negative_for_poisson(self, bristlecone):
        rows("23,clerk,Bern,-1.5", "31,clerk,Basel,1.5", "33,clerk,Basel,2.5")
        bristlecone("fit bad.csv --target income --criterion poisson --holdout 0").refused("poisson")


class TestWeights:
    def fit(self, bristlecone, *weights, options=""):
        lines = [f"{20 + k},{'low' if k % 2 else 'high'},{w}" for k, w in enumerate(weights)]
        rows(*lines, head="age,income,w\n")
        return bristlecone(f"fit bad.csv --target income --weights w --holdout 0 {options}")

    def test_negative(self, bristlecone):
        self.fit(bristlecone, 1, 2, -3, 4).refused("'w'", "row 3", "negative (-3)")

    def test_missing(self, bristlecone):
        self.fit(bristlecone, 1, "NaN", 3, 4).refused("'w'", "row 2", "missing")

    def test_infinite(self, bristlecone):
        self.fit(bristlecone, 1, 2, 3, "inf").refused("'w'", "row 4", "inf")

    def test_text(self, bristlecone):
        self.fit(bristlecone, 1, "heavy", 3, 4).refused("'w'", "row 2", "'heavy'")

    def test_all_zero(self, bristlecone):
        self.fit(bristlecone, 0, 0, 0, 0).refused("'w'", "zero in every row")

    def test_zero_for_all_of_one_class(self, bristlecone):
        self.fit(bristlecone, 1, 0, 1, 0).refused("'income'", "one value only", "weight above zero")

    def test_no_rows_left(self, bristlecone):
        rows("20,,1", "30,low,0", "40,high,0", head="age,income,w\n")
        bristlecone("fit bad.csv --target income --weights w").refused("'w'", "zero in every row")

    def test_target_as_weights(self, bristlecone, people):
        bristlecone("fit people.csv --target age --weights age").refused("'age'", "both")

    def test_dropped_weights(self, bristlecone, people):
        bristlecone("fit people.csv --target income --weights age --drop age").refused("'age'", "dropped")

    def test_text_column(self, bristlecone, people):
        bristlecone("fit people.csv --target income --weights city").refused("'city'", "row 1", "'Bern'")


class TestOptions:
    @pytest.mark.parametrize(
        ("words", "told"),
        [
            ("--max-depth -3", "--max-depth"),
            ("--max-depth deep", "'deep'"),
            ("--min-samples-leaf 0", "--min-samples-leaf"),
            ("--min-samples-split 1", "--min-samples-split"),
            ("--max-leaf-nodes 1", "--max-leaf-nodes"),
            ("--criterion ginny", "'ginny'"),
            ("--task guessing", "'guessing'"),
            ("--missing what", "'what'"),
            ("--unseen what", "'what'"),
            ("--holdout 1.5", "--holdout"),
            ("--holdout 1", "--holdout"),
            ("--holdout nan", "--holdout"),
            ("--seed -1", "--seed"),
            ("--runners -1", "--runners"),
            ("--n-jobs 0", "--n-jobs"),
            ("--colour red", "--colour"),
            ("people.csv", "people.csv"),
            ("--depth -1", "--depth"),
        ],
    )
    def test_wrong_values(self, bristlecone, people, words, told):
        bristlecone(f"fit people.csv --target income {words}").refused(told)

    @pytest.mark.parametrize("words", ["fit people.csv", "fit --target income", "predict", "show", "explain a"])
    def test_missing_words(self, bristlecone, people, words):
        bristlecone(words).refused("Missing", "--help")

    def test_unknown_command(self, bristlecone):
        bristlecone("predit a b").refused("'predit'", "'predict'")

    @pytest.mark.parametrize("words", ["--criterion squared_error", "--task regression --criterion gini"])
    def test_criterion_of_the_other_task(self, bristlecone, people, words):
        target = "age" if "regression" in words else "income"
        bristlecone(f"fit people.csv --target {target} {words}").refused("criterion", repr(target))

    def test_two_rows_cannot_both_be_held_out(self, bristlecone):
        rows("23,clerk,Bern,low", "31,clerk,Basel,high")
        assert bristlecone("fit bad.csv --target income").code == 0


class TestOutputs:
    def test_model_into_no_directory(self, bristlecone, people):
        bristlecone("fit people.csv --target income --model none/tree.json").refused("none", "no directory")

    def test_model_onto_a_directory(self, bristlecone, people, here):
        (here / "folder").mkdir()
        bristlecone("fit people.csv --target income --model folder").refused("folder", "is a directory")

    def test_model_without_permission(self, bristlecone, people, monkeypatch):
        monkeypatch.setattr(os, "access", lambda *a: False)
        bristlecone("fit people.csv --target income --model tree.json").refused("tree.json", "no permission")

    def test_model_onto_its_data(self, bristlecone, people):
        bristlecone("fit people.csv --target income --model ./people.csv").refused("people.csv", "same command")

    def test_answers_onto_their_model(self, bristlecone, people, model):
        bristlecone("predict tree.json people.csv -o people.csv").refused("people.csv", "same command")

    def test_answers_in_an_unknown_format(self, bristlecone, people, model):
        bristlecone("predict tree.json people.csv -o out.xlsx").refused("out.xlsx", ".parquet")

    def test_disk_full(self, bristlecone, people, model, monkeypatch):
        def full(frame, path):
            path.write_text("half")
            raise OSError(28, "No space left on device", str(path))

        monkeypatch.setitem(frames.FORMATS, ".csv", full)
        bristlecone("predict tree.json people.csv -o out.csv").refused("'out.csv'", "No space left on device")

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
    def test_devices(self, bristlecone, people, model):
        bristlecone("predict tree.json people.csv -o /dev/full").refused("'/dev/full'", "No space left on device")
        bristlecone("fit people.csv -t income -m /dev/null").refused("'/dev/null'", "regular file")
        assert bristlecone("predict tree.json people.csv -o /dev/null").code == 0


class TestModel:
    def test_missing(self, bristlecone, people):
        bristlecone("show none.json").refused("none.json", "no such file")
        bristlecone("predict none.json people.csv").refused("none.json", "no such file")

    def test_cut_in_half(self, bristlecone, model):
        whole = model.read_bytes()
        for part in (1, 2, 3, 7):
            put("cut.json", whole[: len(whole) * part // 8])
            bristlecone("show cut.json").refused("cut.json")

    def test_empty(self, bristlecone):
        put("cut.json", "")
        bristlecone("show cut.json").refused("cut.json", "empty")

    def test_changed_byte(self, bristlecone, model):
        text = model.read_text()
        put("changed.json", text.replace("clerk", "clark", 1))
        bristlecone("show changed.json").refused("changed.json", "checksum")

    def test_index_out_of_range(self, bristlecone, model):
        from bristlecone.export import write_document

        document = json.loads(model.read_text())
        del document["checksum"]
        document["payload"]["tree"]["nodes"]["children_left"][0] = 10**6
        write_document(document, "range.json")
        bristlecone("show range.json").refused("range.json", "node 0")
        bristlecone("predict range.json people.csv").refused("range.json", "node 0")

    def test_newer_schema(self, bristlecone, model):
        text = model.read_text().replace('"schema_version":1', '"schema_version":999')
        put("newer.json", text)
        bristlecone("show newer.json").refused("newer.json", "newer")

    @pytest.mark.parametrize("content", ["{}", "[]", "null", '{"format": "other"}', "not json", b"\xff\xfe\x00"])
    def test_other_json(self, bristlecone, content):
        put("other.json", content)
        bristlecone("show other.json").refused("other.json")

    def test_data_given_as_model(self, bristlecone, people):
        bristlecone("predict people.csv people.csv").refused("people.csv")
        bristlecone("show people.csv").refused("people.csv")

    def test_directory(self, bristlecone, here):
        (here / "folder").mkdir()
        bristlecone("show folder").refused("folder", "directory")

    @pytest.mark.parametrize("damage", [{"made": None}, {"made": {}}, {"tree": 3}, {"made": {"target": 3}}])
    def test_our_envelope_around_something_else(self, bristlecone, model, damage):
        from bristlecone.export import make_document, write_document

        payload = json.loads(model.read_text())["payload"] | damage
        write_document(make_document("Fit", payload), "odd.json")
        bristlecone("show odd.json").refused("odd.json")

    def test_unknown_kind(self, bristlecone, here):
        from bristlecone.export import make_document, write_document

        write_document(make_document("Forest", {}), "forest.json")
        bristlecone("show forest.json").refused("forest.json", "Forest")


class TestNewRows:
    def test_a_column_is_missing(self, bristlecone, people, model):
        rows("clerk,Bern", head="job,city\n")
        bristlecone("predict tree.json bad.csv -o out.csv").refused("bad.csv", "'age'")
        bristlecone("explain tree.json bad.csv --row 1").refused("bad.csv", "'age'")

    def test_text_where_the_model_has_numbers(self, bristlecone, people, model):
        rows("23,clerk,Bern,low", "old,clerk,Bern,low")
        bristlecone("predict tree.json bad.csv -o out.csv").refused("bad.csv", "'age'", "row 2", "'old'")

    def test_missing_cells_for_a_model_that_refuses_them(self, bristlecone, people):
        put("ages.csv", "age,income\n1,low\n2,low\n3,high\n4,high\n")
        assert bristlecone("fit ages.csv -t income --missing error --holdout 0 -m m.json").code == 0
        put("bad.csv", "age\n1\n\n3\n,\n".replace(",", "NA"))
        bristlecone("predict m.json bad.csv").refused("bad.csv", "'age'", "row 3", "missing")

    def test_levels_that_a_model_refuses(self, bristlecone, people):
        put("jobs.csv", "job,income\nclerk,low\nclerk,low\ndoctor,high\ndoctor,high\n")
        assert bristlecone("fit jobs.csv -t income --unseen error --holdout 0 -m m.json").code == 0
        put("bad.csv", "job\nclerk\nbaker\n")
        bristlecone("predict m.json bad.csv").refused("bad.csv", "'job'", "row 2")
        bristlecone("explain m.json bad.csv --row 2").refused("bad.csv", "'job'", "row 2")

    @pytest.mark.parametrize("row", ["0", "-1", "11", "2.5", "first"])
    def test_row_out_of_range(self, bristlecone, people, model, row):
        bristlecone("explain", "tree.json", "people.csv", "--row", row).refused(row)

    def test_keep_of_no_column(self, bristlecone, people, model):
        bristlecone("predict tree.json people.csv --keep ag").refused("'ag'", "did you mean 'age'?")

    def test_keep_of_a_column_named_like_an_answer(self, bristlecone, people, model):
        put("bad.csv", people.read_text().replace("income", "prediction"))
        bristlecone("predict tree.json bad.csv --keep prediction").refused("prediction", "rename")


def test_ten_thousand_columns_work(bristlecone, here):
    names = [f"c{j}" for j in range(10_000)]
    lines = [",".join(str((i * (j + 1)) % 7) for j in range(10_000)) + f",{'ab'[i * 3 % 7 > 2]}" for i in range(8)]
    put("wide.csv", ",".join([*names, "y"]) + "\n" + "\n".join(lines) + "\n")
    outcome = bristlecone("fit wide.csv --target y --holdout 0 --model wide.json")
    assert outcome.code == 0, outcome.err
    assert "10,000 columns" in outcome.out
    outcome = bristlecone("fit wide.csv --target z")
    outcome.refused("'z'")
    assert len(outcome.err) < 400


def test_a_fault_of_the_program_is_told_in_one_line(bristlecone, people, monkeypatch):
    monkeypatch.setattr("bristlecone.cli.fit.choose_columns", lambda *a: 1 // 0)
    outcome = bristlecone("fit people.csv --target income")
    assert outcome.code == 1
    assert "ZeroDivisionError" in outcome.err and outcome.err.count("\n") == 1 and "BRISTLECONE_DEBUG" in outcome.err


def test_debug_shows_the_traceback(bristlecone, here, monkeypatch):
    monkeypatch.setenv("BRISTLECONE_DEBUG", "1")
    assert "Traceback" in bristlecone("fit none.csv --target income").err


def test_c57_names_cannot_forge_lines(bristlecone, here):
    put("bad.csv", '"new\nline",y\n1,a\nx,b\n')
    bristlecone("fit", "bad.csv", "-t", "y", "--numeric", "new\nline").refused("bad.csv", "row 2")
    bristlecone("fit", "bad.csv", "-t", "no\nsuch").refused("no\\nsuch")


def test_files_named_with_blanks_and_quotes(bristlecone, here):
    name = 'it\'s "my" data ü.csv'
    put(name, "x,y\n1,a\n2,b\n")
    assert bristlecone("fit", name, "-t", "y", "--holdout", "0").code == 0
    bristlecone("fit", name, "-t", "z").refused(name)


def test_why_an_identifier_is_none_is_told(bristlecone, here):
    put("shop.csv", "amount,y\n" + "".join(f"$84.{k},{k % 2}\n" for k in range(10, 70)))
    bristlecone("fit shop.csv -t y").refused(
        "'amount' looks like an identifier", "amounts are read when written as 1000.5"
    )


def test_a_json_array_is_told_from_lines(bristlecone, here):
    put("shop.json", '[{"city": "Bern", "y": 1},\n {"city": "Basel", "y": 2}]')
    bristlecone("fit shop.json -t y").refused("shop.json: is one JSON array")


def test_whole_labels_with_a_point_are_whole(bristlecone, here):
    put("old.csv", "x,y\n" + "".join(f"{k % 7}.5,{'1.0' if k % 7 > 3 else '0'}\n" for k in range(60)))
    put("new.csv", "x\n1.5\n6.5\n")
    assert "→ 1 " in bristlecone("fit old.csv -t y -m m.json").out
    assert bristlecone("predict m.json new.csv").out.splitlines()[0] == "prediction,probability_0,probability_1"
