#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every source names its licence, and the one that its place asks for.

MIT: engine, samples, the command line and the workers, tests, build files. GPL-3.0-or-later: the
explorer, which links QCustomPlot and QScintilla: views, app/explorer* and their tests.
"""

import pathlib
import re
from typing import Iterator, Tuple

from source_tree import Path, is_cpp, main, project_files, text

EXPLORER = ("views/", "app/explorer", "tests/views/", "tests/app/explorer")
LINE = re.compile(r"SPDX-License-Identifier:\s*(.+?)\s*(?:\*/|-->)?$")
LOOK_AT_LINES = 3


def is_build_file(path: Path) -> bool:
    return path.name == "CMakeLists.txt" or path.suffix == ".cmake"


def is_source(root: pathlib.Path, path: Path) -> bool:
    if is_cpp(path) or is_build_file(path) or path.suffix in (".py", ".sh"):
        return True
    if path.suffix:
        return False
    with open(root / path, "rb") as file:
        return file.read(2) == b"#!"


def allowed(path: Path) -> Tuple[str, ...]:
    if str(path).startswith(EXPLORER):
        # How something is built may be used by all, also where the thing itself may not.
        return ("GPL-3.0-or-later", "MIT") if is_build_file(path) else ("GPL-3.0-or-later",)
    return ("MIT",)


def check(root: pathlib.Path) -> Iterator[str]:
    for file in project_files(root):
        if not is_source(root, file):
            continue
        found = None
        for line in text(root, file).splitlines()[:LOOK_AT_LINES]:
            match = LINE.search(line)
            found = found or (match and match[1])
        if found not in allowed(file):
            yield (f"{file}:1: SPDX-License-Identifier is {found or 'missing'}, "
                   f"should be {' or '.join(allowed(file))}")


if __name__ == "__main__":
    main("check_spdx", check)
