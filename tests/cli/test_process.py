"""The console script as the system sees it: exit codes, signals, pipes, missing packages."""

import os
import signal
import subprocess
import sys
import time

import pytest

from bristlecone.cli import main


def start(*words, prelude="", **options):
    code = f"import sys\n{prelude}\nfrom bristlecone.cli.main import run\nsys.exit(run())"
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,
    )


def finish(process, timeout=60):
    out, err = process.communicate(timeout=timeout)
    return process.returncode, out.decode(), err.decode()


def test_version_and_help(here):
    code, out, err = finish(start("--version"))
    assert (code, err) == (0, "") and out.startswith("bristlecone ")
    code, out, err = finish(start())
    assert (code, err) == (0, "") and "fit" in out and "explain" in out


@pytest.mark.parametrize("command", ["fit", "predict", "show", "explain"])
def test_every_command_has_help(bristlecone, command):
    outcome = bristlecone(f"{command} --help")
    assert outcome.code == 0 and outcome.err == "" and "--help" in outcome.out


@pytest.mark.parametrize("package", ["typer", "polars"])
def test_a_missing_package_is_named_with_the_cure(here, people, package):
    code, out, err = finish(start("fit", "people.csv", "-t", "income", prelude=f"sys.modules[{package!r}] = None"))
    assert (code, out) == (2, "")
    assert err.startswith("bristlecone: ") and "bristlecone[cli]" in err and err.count("\n") == 1


def test_faults_of_the_user_exit_with_2(here):
    code, out, err = finish(start("fit", "none.csv", "--target", "y"))
    assert (code, out) == (2, "") and err == "bristlecone: none.csv: no such file\n"


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_leaves_early_is_no_error(here, people, model, unbuffered):
    rows = people.read_text().splitlines()
    (here / "long.csv").write_text("\n".join([rows[0], *rows[1:] * 5000]) + "\n")
    process = start("predict", "tree.json", "long.csv", env=os.environ | {"PYTHONUNBUFFERED": unbuffered})
    process.stdout.read(10)
    process.stdout.close()
    with process.stderr:
        err = process.stderr.read().decode()
    assert process.wait(60) == 141 and "Broken" not in err and "Traceback" not in err and "Exception" not in err


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_slow_reader_gets_every_row(here, people, model, unbuffered):
    rows = people.read_text().splitlines()
    (here / "long.csv").write_text("\n".join([rows[0], *rows[1:] * 5000]) + "\n")
    process = start("predict", "tree.json", "long.csv", env=os.environ | {"PYTHONUNBUFFERED": unbuffered})
    code, out, _ = finish(process)
    assert code == 0 and out.count("\n") == 50_001


@pytest.mark.skipif(not os.path.exists("/dev/stdin"), reason="needs /dev/stdin")
def test_rows_may_come_through_a_pipe(here, people):
    with people.open("rb") as rows:
        process = start("fit", "/dev/stdin", "-t", "income", stdin=rows)
        assert finish(process)[0] == 0
    process = start("fit", "/dev/stdin", "-t", "income", stdin=subprocess.PIPE)
    out, err = process.communicate(people.read_bytes(), timeout=60)
    assert (process.returncode, err) == (0, b"") and b"10 rows, 4 columns" in out
    codes = b"x,y\n" + b"".join(b"%d,%02d\n" % (k % 20, k % 20 > 9) for k in range(60))  # a file would be read again
    process = start("fit", "/dev/stdin", "-t", "y", stdin=subprocess.PIPE)
    assert process.communicate(codes, timeout=60)[1] == b"" and process.returncode == 0


SLOW = """
import time, bristlecone.cli.fit as f
def slow(*a):
    print("growing", file=sys.stderr, flush=True)
    time.sleep(60)
f.grow_to_size = slow
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_stopped_command_leaves_nothing(here, people, number, code):
    process = start("fit", "people.csv", "-t", "income", "-m", "m.json", prelude=SLOW)
    assert process.stderr.readline() == b"growing\n"
    process.send_signal(number)
    started = time.monotonic()
    out, err = process.communicate(timeout=30)
    assert process.returncode == code and time.monotonic() - started < 10
    assert out == b"" and b"Traceback" not in err
    if number == signal.SIGINT:
        assert err == b"bristlecone: stopped by Ctrl-C; nothing half-written is left behind\n"
    assert os.listdir() == ["people.csv"]


def test_a_narrow_encoding_does_not_break_the_drawing(here, people):
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    code, out, err = finish(start("fit", "people.csv", "-t", "income", env=environment))
    assert (code, err) == (0, "") and "age <" in out


def test_errors_become_sentences():
    assert main._sentence(OSError(28, "No space left on device", "a.csv")) == "no space left on device 'a.csv'"
    assert main._sentence(OSError(28, "No space left on device")) == "no space left on device"
    assert main._sentence(ValueError()) == "ValueError"


def test_out_of_memory_is_told(bristlecone, people, monkeypatch):
    def greedy(*a):
        raise MemoryError

    monkeypatch.setattr("bristlecone.cli.fit.choose_columns", greedy)
    outcome = bristlecone("fit people.csv -t income")
    assert (outcome.code, outcome.err) == (1, "bristlecone: out of memory\n")


def test_ctrl_c_in_process(bristlecone, people, monkeypatch):
    def stop(*a):
        raise KeyboardInterrupt

    monkeypatch.setattr("bristlecone.cli.fit.grow_to_size", stop)
    assert bristlecone("fit people.csv -t income -m m.json").code == 130


STOPPED = """
import importlib.abc

class Stop(importlib.abc.MetaPathFinder):
    def find_spec(self, name, *_):
        if name == "typer":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Stop())
"""


def test_ctrl_c_while_packages_are_imported_says_so(here):
    code, out, err = finish(start("fit", "none.csv", "-t", "y", prelude=STOPPED))
    assert (code, out) == (130, "")
    assert err.startswith("bristlecone: stopped by Ctrl-C") and err.count("\n") == 1


def test_what_is_no_file_is_told(bristlecone):
    bristlecone("fit http://example.org/rows.csv -t y").refused("files are read from this machine; download it first")
    bristlecone("fit - -t y").refused("no such file (standard input is /dev/stdin)")


@pytest.mark.parametrize(
    ("path", "said"), [("s3://shop/rows.csv", "download it first"), ("c:/data/rows.csv", "no such file")]
)
def test_addresses_are_told_from_drives(bristlecone, path, said):
    bristlecone(f"fit {path} -t y").refused(said)
