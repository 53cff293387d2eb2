#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every shell script passes shellcheck."""

import pathlib
import subprocess
from typing import Iterator

from source_tree import Path, main, project_files


def is_shell(root: pathlib.Path, path: Path) -> bool:
    if path.suffix:
        return path.suffix == ".sh"
    with open(root / path, "rb") as file:
        first = file.readline()
    return first.startswith(b"#!") and first.split(b"/")[-1].split()[-1] in (b"sh", b"bash")


def check(root: pathlib.Path) -> Iterator[str]:
    scripts = [str(file) for file in project_files(root) if is_shell(root, file)]
    try:
        result = subprocess.run(["shellcheck", "--external-sources", "--format=gcc", *scripts],
                                cwd=root, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        yield "shellcheck is not here; install the package shellcheck"
        return
    yield from (result.stdout + result.stderr).splitlines()


if __name__ == "__main__":
    main("check_shell", check)
