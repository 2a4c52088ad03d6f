"""Typed columns from arrays, frames and files. Floor 1 of the house: imports nothing above it."""

from bristlecone.table.cells import is_missing, whole_numbers
from bristlecone.table.columns import Column, Table
from bristlecone.table.errors import CellError, FileError
from bristlecone.table.files import FileRows, read_file
from bristlecone.table.frames import as_table, frame_of
from bristlecone.table.guess import ColumnGuess, Doubt, guess_columns
from bristlecone.table.predicates import MadeSchema, Predicates
from bristlecone.table.schema import MISSING_CODE, UNSEEN_CODE, ColumnSchema, Kind, Schema

__all__ = [
    "MISSING_CODE",
    "UNSEEN_CODE",
    "CellError",
    "Column",
    "ColumnGuess",
    "ColumnSchema",
    "Doubt",
    "FileError",
    "FileRows",
    "Kind",
    "MadeSchema",
    "Predicates",
    "Schema",
    "Table",
    "as_table",
    "frame_of",
    "guess_columns",
    "is_missing",
    "read_file",
    "whole_numbers",
]
