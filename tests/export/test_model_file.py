"""The model file: exact round trips, whole writes, and a clear refusal of everything that is not one."""

import datetime
import json
import os
import stat

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies_tree import SCHEMA, Leaf, Split, build, staircase, trees

from bristlecone.export import (
    ModelFileError,
    document_to_tree,
    make_document,
    payload_to_tree,
    read_document,
    tree_to_document,
    tree_to_payload,
    write_document,
)
from bristlecone.export.document import canonical
from bristlecone.table.schema import ColumnSchema, Kind, Schema
from bristlecone.tree import Tree
from bristlecone.tree.arrays import FIELDS

SMALL = Split(0, 0.1, Leaf((3, 1)), Split(1, 0, Leaf((0, 4)), Leaf((2, 2)), True, ((0, True), (2, False))))
ON_DISK = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=50)


@ON_DISK
@given(tree=trees())
def test_trees_come_back_exactly(tmp_path, tree):
    path = tmp_path / "model.json"
    write_document(tree_to_document(tree), path)
    assert document_to_tree(read_document(path)).equals(tree)


def test_runners_and_infinite_thresholds_come_back(tmp_path):
    runners = (((3, 0.5, (), 0.1), (1, np.nan, (0, 3), 1e-300), (0, np.inf, (), 0.0)), (), ())
    tree = build(Split(0, np.inf, Leaf((1, 0)), Leaf((0, 1))), runners=runners)
    write_document(tree_to_document(tree), tmp_path / "m.json")
    again = document_to_tree(read_document(tmp_path / "m.json"))
    assert again.equals(tree)
    assert again.runners[0][2] == (0, np.inf, (), 0.0)


def test_c55_a_deep_tree_is_saved_and_reloaded(tmp_path):
    tree = staircase(20_000)
    write_document(tree_to_document(tree), tmp_path / "m.json")
    assert document_to_tree(read_document(tmp_path / "m.json")).equals(tree)


DAY = datetime.date(2024, 2, 29)
NOON = datetime.datetime(2024, 2, 29, 12, 0, 0, 123456)


@pytest.mark.parametrize(
    "classes",
    [
        np.array(["no", "yes \u00e9🎄"]),
        np.array([-(2**62), 2**62 + 1]),
        np.array([0, 2**64 - 1], dtype=np.uint64),
        np.array([1, 2], dtype=np.int8),
        np.array([False, True]),
        np.array([0.1, 1e300]),
        np.array([0.1, 2.5], dtype=np.float32),
        np.array(["2024-02-29", "1969-12-31"], dtype="datetime64[D]"),
        np.array([1, 2**62], dtype="datetime64[ns]"),
        np.array([DAY, NOON], dtype=object),
        np.array([NOON.replace(tzinfo=datetime.UTC), "a"], dtype=object),
        np.array(["1", 1], dtype=object),
        np.array([True, 0.5], dtype=object),
        np.array([2**100, "x"], dtype=object),
    ],
    ids=lambda c: str(c.dtype),
)
def test_labels_keep_value_and_type(tmp_path, classes):
    tree = build(Split(0, 0.5, Leaf((1, 0)), Leaf((0, 1))), classes=("a", "b"))
    tree = Tree(**(tree.__getstate__() | {"schema": SCHEMA, "classes": classes}))
    write_document(tree_to_document(tree), tmp_path / "m.json")
    again = document_to_tree(read_document(tmp_path / "m.json")).classes
    assert again.dtype == classes.dtype
    assert again.tolist() == classes.tolist()
    assert [type(label) for label in again.tolist()] == [type(label) for label in classes.tolist()]


@pytest.mark.parametrize("label", [(1, 2), b"x", 1j, datetime.time(1), datetime.timedelta(1), float("inf")])
def test_other_labels_are_refused_by_name(label):
    classes = np.empty(2, dtype=object)
    classes[:] = ["a", label]
    tree = build(Split(0, 0.5, Leaf((1, 0)), Leaf((0, 1))), classes=("a", "b"))
    tree = Tree(**(tree.__getstate__() | {"schema": SCHEMA, "classes": classes}))
    with pytest.raises(TypeError, match=r"the class label .* cannot be saved exactly"):
        tree_to_document(tree)


def test_levels_keep_their_types_and_others_are_refused_by_name(tmp_path):
    levels = ("1", 1, 2.5, "", DAY, NOON)
    schema = Schema((ColumnSchema("c", Kind.CATEGORY, levels), ColumnSchema("d", Kind.DATETIME, unit="us UTC")))
    tree = build(Split(0, 0, Leaf((1, 0)), Leaf((0, 1)), False, ((0, True), (4, False))), schema=schema)
    write_document(tree_to_document(tree), tmp_path / "m.json")
    again = document_to_tree(read_document(tmp_path / "m.json"))
    assert again.schema == schema
    assert [type(level) for level in again.schema.columns[0].levels] == [type(level) for level in levels]
    odd = build(Leaf((1, 0)), schema=Schema((ColumnSchema("c", Kind.CATEGORY, ((1, 2),)),)))
    with pytest.raises(TypeError, match=r"column 'c': the level \(1, 2\)"):
        tree_to_document(odd)


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    path = tmp_path / "no such folder" / "m.json"
    with pytest.raises(FileNotFoundError) as caught:
        write_document(tree_to_document(build(SMALL)), path)
    assert caught.value.filename == str(path)


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "model.json"
    write_document(tree_to_document(build(SMALL)), path)
    return path


def refused(path, message):
    with pytest.raises(ModelFileError, match=message) as caught:
        read_document(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_c59_any_changed_byte_is_refused_or_changes_nothing(saved):
    content = saved.read_bytes()
    expected = read_document(saved)
    for place in range(0, len(content), 3):
        for other in (content[place] ^ 1, content[place] ^ 4):
            saved.write_bytes(content[:place] + bytes([other]) + content[place + 1 :])
            try:
                assert read_document(saved) == expected
            except ModelFileError:
                continue


def test_c59_a_file_cut_anywhere_is_refused(saved):
    content = saved.read_bytes().rstrip()
    for end in range(0, len(content), 7):
        saved.write_bytes(content[:end])
        refused(saved, "cut short|the file is empty|not JSON")
    saved.write_bytes(content[: len(content) // 2])
    refused(saved, "the file is cut short|not JSON")


def test_c59_a_newer_schema_is_refused(saved):
    document = json.loads(saved.read_text())
    saved.write_text(json.dumps(document | {"schema_version": 2}))
    refused(saved, r"written by a newer bristlecone \(schema 2; this one reads up to 1\)")


def test_c59_an_unknown_field_is_refused(saved):
    document = read_document(saved)
    with pytest.raises(ModelFileError, match="the model has the unknown field 'note'"):
        write_document(document | {"note": 1}, saved)
    document["payload"]["note"] = 1
    write_document(document, saved)
    with pytest.raises(ModelFileError, match="the tree has the unknown field 'note'"):
        document_to_tree(read_document(saved))


HEAD = b'{"format":"bristlecone-model",'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"hello", "not JSON"),
        (b"\xff\xfe", "not text in UTF-8"),
        (b"[1, 2]", "does not hold a JSON object"),
        (b"{}", "it does not say"),
        (b'{"format": "other"}', "it does not say"),
        (b'{"format":"bristlecone-model"}', "schema_version is None"),
        (HEAD + b'"schema_version":true}', "schema_version is True"),
        (HEAD + b'"schema_version":"1"}', "schema_version is '1'"),
        (HEAD + b'"schema_version":0}', "schema_version is 0"),
        (HEAD + b'"schema_version":1}', "lacks the field 'kind'"),
        (HEAD + b'"schema_version":1,"kind":"T","payload":{}}', "lacks its checksum"),
        (HEAD + b'"schema_version":1,"kind":1,"payload":{}}', "kind must be text"),
        (b'{"a":1,"a":2}', "stands twice"),
        (b'{"a":NaN}', "holds NaN"),
        (b'{"a":' + b"1" * 5000 + b"}", "cannot be read"),
        (b'{"a":' * 100_000, "nested deeper"),
        (b"[" * 100_000, "nested deeper"),
        (
            b'{"format":"bristlecone-model","schema_version":1,"kind":"T","payload":{"a":1e400},"checksum":1}',
            "cannot say",
        ),
    ],
)
def test_other_content_is_refused(tmp_path, content, message):
    path = tmp_path / "m.json"
    path.write_bytes(content)
    refused(path, message)


def test_places_that_are_no_files(tmp_path):
    document = tree_to_document(build(SMALL))
    with pytest.raises(FileNotFoundError):
        read_document(tmp_path / "absent.json")
    with pytest.raises(IsADirectoryError):
        read_document(tmp_path)
    with pytest.raises(IsADirectoryError):
        write_document(document, tmp_path)
    with pytest.raises(FileNotFoundError):
        write_document(document, tmp_path / "absent" / "m.json")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileExistsError):
        write_document(document, tmp_path / "pipe")


def test_a_failed_write_leaves_the_old_file_and_nothing_else(saved, monkeypatch):
    before = saved.read_bytes()

    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        write_document(tree_to_document(build(Leaf((1, 1)))), saved)
    assert saved.read_bytes() == before
    assert os.listdir(saved.parent) == [saved.name]


def test_writing_follows_links_and_keeps_permissions(saved):
    saved.chmod(0o600)
    link = saved.with_name("link.json")
    link.symlink_to(saved)
    write_document(tree_to_document(build(Leaf((1, 1)))), link)
    assert link.is_symlink()
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    assert document_to_tree(read_document(saved)).n_leaves == 1


def test_what_json_cannot_say_is_not_written(tmp_path):
    for value in (float("nan"), float("inf"), b"x", {1, 2}):
        with pytest.raises(ModelFileError, match="cannot say"):
            write_document(make_document("Other", {"value": value}), tmp_path / "m.json")
    assert os.listdir(tmp_path) == []


def test_another_kind_embeds_a_tree(tmp_path):
    tree = build(SMALL)
    write_document(make_document("Estimator", {"params": {"a": 1}, "tree": tree_to_payload(tree)}), tmp_path / "m.json")
    document = read_document(tmp_path / "m.json")
    assert document["kind"] == "Estimator"
    assert payload_to_tree(document["payload"]["tree"]).equals(tree)
    with pytest.raises(ModelFileError, match="the model is a 'Estimator', not a Tree"):
        document_to_tree(document)


def test_the_file_is_one_canonical_text(saved):
    held = json.loads(saved.read_text())
    assert saved.read_text() == canonical(held) + "\n"
    first = saved.read_bytes()
    write_document(read_document(saved), saved)
    assert saved.read_bytes() == first
    saved.write_text(json.dumps(held, indent=2))
    assert document_to_tree(read_document(saved)).equals(build(SMALL))


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("children_left", [9, -1, 3, -1, -1], "node 0: child index 9 is out of range"),
        ("children_left", [-5, -1, 3, -1, -1], "node 0: child index -5"),
        ("children_left", [], "at least one node"),
        ("children_left", ["1", -1, 3, -1, -1], "children_left holds '1', which is not an integer"),
        ("children_left", [None, -1, 3, -1, -1], "children_left holds 'None', which is not an integer"),
        ("children_left", [1.0, -1, 3, -1, -1], "children_left holds '1.0', which is not an integer"),
        ("children_left", [True, -1, 3, -1, -1], "children_left holds 'True', which is not an integer"),
        ("children_left", [2**70, -1, 3, -1, -1], "children_left holds an integer beyond 64 bits"),
        ("children_left", {"0": 1}, "children_left is not a list"),
        ("children_left", [[1], -1, 3, -1, -1], "is not an integer"),
        ("feature", [2**31, -2, 1, -2, -2], "feature holds 2147483648, beyond 2147483647"),
        ("threshold", ["0.1", -2.0, None, -2.0, -2.0], "threshold holds '0.1', which is not a number"),
        ("threshold", [True, -2.0, None, -2.0, -2.0], "threshold holds 'True', which is not a number"),
        ("threshold", [2**60, -2.0, None, -2.0, -2.0], "is not a number of the format"),
        ("level_ptr", [0, 0, 0, 2, 2, -1], "level_ptr"),
        ("count_ptr", [0, 0, 2, 2, 3, 2**62], "count_ptr must run"),
    ],
)
def test_a_forged_file_with_the_right_checksum_meets_the_constructor(saved, name, value, message):
    document = read_document(saved)
    document["payload"]["nodes"][name] = value
    write_document(document, saved)
    with pytest.raises(ValueError, match=message):
        document_to_tree(read_document(saved))


FORGED = [
    ("schema", None, "schema is not an object"),
    ("schema", {"named": True, "columns": [{"name": "x", "kind": "numeric", "levels": [["a"]]}]}, "level"),
    ("schema", {"named": True, "columns": []}, "feature 0 is out of range"),
    ("nodes", [], "nodes are not an object"),
    ("classes", [1], "classes must be an object"),
    ("classes", {"dtype": "str"}, "classes lacks the field 'values'"),
    ("classes", {"dtype": "str", "values": [1, 2]}, "must be text"),
    ("classes", {"dtype": "<U99999999", "values": ["a", "b"]}, "unknown dtype"),
    ("classes", {"dtype": "int8", "values": [1, 300]}, "out of the range of int8"),
    ("classes", {"dtype": "float32", "values": [1.0, 1e300]}, "out of the range of float32"),
    ("classes", {"dtype": "int64", "values": [1, "2"]}, "a class label of dtype int64 is '2'"),
    ("classes", {"dtype": "datetime64[D]", "values": [1, 1.5]}, "a class label of dtype int64"),
    ("classes", {"dtype": "datetime64[D]", "values": [1, -(2**63)]}, "a class label is missing"),
    ("classes", {"dtype": "object", "values": [["str", 1], ["str", "a"]]}, "not a class label"),
    ("classes", {"dtype": "object", "values": [["date", "x"], ["str", "a"]]}, "not a date"),
    ("classes", {"dtype": "object", "values": [["os.system", "x"], ["str", "a"]]}, "not a class label"),
    ("classes", None, "a classification tree needs its classes"),
    ("runners", {}, "runners must be a list of lists"),
    ("runners", [[1]] * 5, "not a runner-up split"),
    ("runners", [[[0, 0.5, [0.5], 1.0]]] * 5, "an index that is not an integer"),
    ("runners", [[[0, 0.5, [], "x"]]] * 5, "is not a number"),
    ("task", 1, "task must be one of"),
    ("unseen", [], "unseen must be one of"),
]


@pytest.mark.parametrize(("name", "value", "message"), FORGED)
def test_a_forged_field_is_refused(saved, name, value, message):
    payload = read_document(saved)["payload"] | {name: value}
    with pytest.raises(ValueError, match=message):
        payload_to_tree(payload)
    del payload[name]
    with pytest.raises(ModelFileError, match=f"the tree lacks the field '{name}'"):
        payload_to_tree(payload)


def test_one_long_label_does_not_exhaust_memory(saved):
    payload = read_document(saved)["payload"]
    labels = ["x" * 1_000_000, *map(str, range(9_999))]
    with pytest.raises(ModelFileError, match="too long"):
        payload_to_tree(payload | {"classes": {"dtype": "str", "values": labels}})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
PLACES = [("payload", name) for name in ("schema", "classes", "runners", "task", "nodes", "criterion")]
PLACES += [("payload", "nodes", name) for name in FIELDS]


@given(trees(max_splits=3), st.sampled_from(PLACES), JSON)
def test_any_json_in_any_place_is_refused_or_a_tree(tree, place, value):
    document = json.loads(canonical(tree_to_document(tree)))
    at = document
    for name in place[:-1]:
        at = at[name]
    at[place[-1]] = value
    try:
        again = document_to_tree(document)
    except (ValueError, TypeError):
        return
    assert str(again)
