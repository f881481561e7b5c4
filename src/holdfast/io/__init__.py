"""Selections from and to files: CSV, TSV, JSON, Parquet.

Three layouts of a table of choices:

- "masks": one column a feature, one line a run, cells 0/1 or true/false; a column named ``run``
  holds run names.
- "pairs": the columns ``run`` and ``feature``, one line a choice; a blank feature is a run that
  chose nothing.
- "lists": no header, one line a run, its features as cells; an empty line is a run that chose
  nothing.

A file is read whole or refused with the line at fault; there is never half a result.
"""

from holdfast.io.read import read_selections
from holdfast.io.write import write_selections

__all__ = ["read_selections", "write_selections"]
