#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Headers have at most 300 lines, sources at most 600: beyond that a file holds two ideas."""

import pathlib
from typing import Iterator

from source_tree import is_cpp, is_header, main, project_files, text

MOST_LINES_HEADER = 300
MOST_LINES_SOURCE = 600


def check(root: pathlib.Path) -> Iterator[str]:
    for file in project_files(root):
        if not is_cpp(file) and file.suffix != ".py":
            continue
        lines = len(text(root, file).splitlines())
        most = MOST_LINES_HEADER if is_header(file) else MOST_LINES_SOURCE
        if lines > most:
            yield f"{file}:{most + 1}: {lines} lines, at most {most}: split off the second idea"


if __name__ == "__main__":
    main("check_size", check)
