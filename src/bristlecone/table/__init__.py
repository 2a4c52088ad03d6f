"""Typed columns from arrays, frames and files. Floor 1 of the house: imports nothing above it."""

from bristlecone.table.columns import Column, Table
from bristlecone.table.frames import as_table
from bristlecone.table.schema import MISSING_CODE, UNSEEN_CODE, ColumnSchema, Kind, Schema

__all__ = ["MISSING_CODE", "UNSEEN_CODE", "Column", "ColumnSchema", "Kind", "Schema", "Table", "as_table"]
