#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""All C++ is as clang-format 14 (Debian bookworm's) writes it; `--fix` rewrites what is not.

One pinned version, because two versions of the formatter disagree about the same file.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
from typing import List

from source_tree import is_cpp, project_files

VERSION = 14
FILES_A_CALL = 100


def formatter() -> str:
    for name in (f"clang-format-{VERSION}", "clang-format"):
        path = shutil.which(name)
        if not path:
            continue
        version = subprocess.run([path, "--version"], capture_output=True, text=True, check=True)
        if re.search(rf"version {VERSION}\.", version.stdout):
            return path
    sys.exit(f"check_format: clang-format {VERSION} is not here; "
             f"install the package clang-format-{VERSION}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("--fix", action="store_true", help="rewrite the files")
    parser.add_argument("files", nargs="*", help="default: all of the project")
    arguments = parser.parse_args()
    files: List[str] = arguments.files or [
        str(file) for file in project_files(arguments.root) if is_cpp(file)]
    mode = ["-i"] if arguments.fix else ["--dry-run", "--Werror"]
    program, status = formatter(), 0
    for start in range(0, len(files), FILES_A_CALL):
        call = [program, "--style=file", *mode, *files[start:start + FILES_A_CALL]]
        status |= subprocess.run(call, cwd=arguments.root, check=False).returncode
    if status:
        print("check_format: to mend all: python3 tests/checks/check_format.py --fix")
    sys.exit(1 if status else 0)


if __name__ == "__main__":
    main()
