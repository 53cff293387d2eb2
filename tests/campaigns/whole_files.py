# SPDX-License-Identifier: MIT
"""Results of runs that may be ended at any moment, and go on by the files that are there."""
import os


def write(path, text):
    """All of it or nothing."""
    partial = path.with_name(path.name + ".part")
    partial.write_text(text, encoding="utf-8")
    os.replace(partial, path)
