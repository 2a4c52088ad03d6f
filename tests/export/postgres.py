"""A PostgreSQL server of its own, in a folder that goes with it: no port, one socket, no data of others."""

import getpass
import glob
import os
import shutil
import subprocess
import tempfile

import pytest

FOLDERS = sorted(glob.glob("/usr/lib/postgresql/*/bin"), reverse=True)
SETTINGS = "-c listen_addresses='' -c fsync=off -c full_page_writes=off -c shared_buffers=16MB -c max_connections=5"


def program(name):
    """Where a program of PostgreSQL is, or None."""
    found = (os.path.join(folder, name) for folder in FOLDERS)
    return shutil.which(name) or next(filter(os.path.exists, found), None)


class Server:
    """A server that runs until `close`; `connect` opens a connection to it."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="postgres-")
        self._as = []
        if os.geteuid() == 0:  # which it refuses to run as
            shutil.chown(self.folder, "postgres")
            self._as = ["runuser", "-u", "postgres", "--"]
        self.user = "postgres" if self._as else getpass.getuser()
        self.data = os.path.join(self.folder, "data")
        self._run(program("initdb"), "-D", self.data, "-E", "UTF8", "--locale=C.UTF-8", "--no-sync", "-A", "trust")
        log = os.path.join(self.folder, "log")
        options = f"{SETTINGS} -k {self.folder}"
        self._run(program("pg_ctl"), "-D", self.data, "-l", log, "-w", "-t", "60", "-o", options, "start")

    def _run(self, *words):
        done = subprocess.run([*self._as, *words], capture_output=True, text=True, cwd="/", timeout=120, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    def connect(self):
        import psycopg

        return psycopg.connect(host=self.folder, user=self.user, dbname="postgres", autocommit=True)

    def close(self):
        self._run(program("pg_ctl"), "-D", self.data, "-m", "immediate", "-w", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)


def server_or_skip():
    """A server; without PostgreSQL or its driver the test is skipped, by name."""
    pytest.importorskip("psycopg")
    if program("initdb") is None or program("pg_ctl") is None:
        pytest.skip("no PostgreSQL server here")
    if os.geteuid() == 0 and shutil.which("runuser") is None:
        pytest.skip("PostgreSQL does not run as root, and there is no runuser")
    return Server()
