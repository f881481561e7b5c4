"""The command line: data to stdout, talk to stderr.

Exit code 0 where an answer was given, 1 where the input cannot be used, 2 where the command itself
is wrong.
"""

from holdfast.cli.app import app, main

__all__ = ["app", "main"]
