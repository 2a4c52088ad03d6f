"""The public names, and that they cost nothing until they are used."""

import importlib
import importlib.metadata
import subprocess
import sys

import pytest

import bristlecone

HEAVY = (
    "numpy",
    "scipy",
    "sklearn",
    "pandas",
    "polars",
    "pyarrow",
    "narwhals",
    "typer",
    "rich",
    "matplotlib",
    "joblib",
    "jinja2",
)


def fresh_python(code):
    """What a new interpreter prints, without this process's modules."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_the_names_are_these():
    assert bristlecone.__all__ == [
        "CertificateDisplay",
        "DecisionTreeClassifier",
        "DecisionTreeRegressor",
        "HelmboldSchapireClassifier",
        "PACBayesTreeClassifier",
        "PrunedTreeClassifier",
        "PrunedTreeRegressor",
        "PruningPathDisplay",
        "TreeDisplay",
        "audit",
        "certify",
        "compare",
        "estimators",
        "export",
        "from_sklearn",
        "grow",
        "load",
        "noise",
        "query",
        "report",
        "save",
        "stability",
        "subtrees",
        "table",
        "to_sklearn",
        "tree",
    ]
    assert set(bristlecone.__all__) <= set(dir(bristlecone))


@pytest.mark.parametrize("name", bristlecone.__all__)
def test_each_name_is_there(name):
    assert getattr(bristlecone, name) is not None


@pytest.mark.parametrize(
    "room",
    ["table", "tree", "grow", "subtrees", "export", "certify", "query", "estimators", "noise", "stability", "report"],
)
def test_each_room_lists_names_that_it_has(room):
    module = importlib.import_module(f"bristlecone.{room}")
    assert len(set(module.__all__)) == len(module.__all__)
    for name in module.__all__:
        assert getattr(module, name) is not None


def test_a_name_that_is_not_there():
    with pytest.raises(AttributeError, match="'bristlecone' has no attribute 'DecisionTreeClasifier'"):
        bristlecone.DecisionTreeClasifier  # noqa: B018


def test_the_version_is_the_installed_one():
    assert bristlecone.__version__ == importlib.metadata.version("bristlecone")


def test_importing_loads_nothing_heavy():
    loaded = fresh_python(f"import sys, bristlecone; print([name for name in {HEAVY} if name in sys.modules])")
    assert loaded == "[]"


@pytest.mark.parametrize("room", ["table", "tree", "grow", "subtrees", "certify", "export"])
def test_only_estimators_load_scikit_learn_and_no_room_loads_a_frame_library(room):
    code = (
        f"import sys, bristlecone; bristlecone.{room}; "
        "print([name for name in ('sklearn', 'pandas', 'polars', 'pyarrow', 'typer') if name in sys.modules])"
    )
    assert fresh_python(code) == "[]"


def test_an_estimator_loads_no_library_that_scikit_learn_does_not():
    libraries = ("pandas", "polars", "pyarrow", "typer", "rich", "skops")
    listed = f"print([name for name in {libraries} if name in sys.modules])"
    fitted = "import bristlecone as bc; bc.DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1])"
    assert fresh_python(f"import sys; {fitted}; {listed}") == fresh_python(f"import sys, sklearn.base; {listed}")


def test_star_import_brings_the_public_names():
    assert fresh_python(
        "from bristlecone import *; print(DecisionTreeClassifier.__name__, save.__name__, grow.__name__)"
    ) == ("DecisionTreeClassifier save bristlecone.grow")
