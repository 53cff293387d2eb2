#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No file names a developer's machine or the host of a package registry.

Both make a file that works in one place only. Registries are whatever apt and pip are set up for.
"""

import pathlib
import re
from typing import Iterator

from source_tree import Path, main, project_files

# Put together here, so that this file passes its own check.
HOSTS = [".".join(parts) for parts in (
    ("deb", "debian", "org"), ("security", "debian", "org"), ("snapshot", "debian", "org"),
    ("pypi", "org"), ("files", "pythonhosted", "org"), ("registry", "npmjs", "org"),
    ("pypi", "nvidia", "com"), ("developer", "download", "nvidia", "com"),
    ("proxy", "golang", "org"), ("crates", "io"))]
FOLDERS = ["/" + name + "/" for name in ("work", "root", "Users")] + ["/" + r"home/\w+/"]

RULES = [
    (re.compile("|".join(re.escape(host) for host in HOSTS)),
     "host of a package registry: leave it to the user's apt and pip"),
    (re.compile(r"((?<![\w./}$)-])|(?<=-[IL]))(" + "|".join(FOLDERS) + ")"),
     "absolute path of somebody's machine: name it from the project's root"),
]
# Texts of others, kept to the letter.
VERBATIM = ("LICENSES/",)


def check_file(root: pathlib.Path, path: Path) -> Iterator[str]:
    content = (root / path).read_bytes()
    if b"\0" in content:
        return
    for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), 1):
        for pattern, reason in RULES:
            match = pattern.search(line)
            if match:
                yield f"{path}:{number}: {match[0]}: {reason}"


def check(root: pathlib.Path) -> Iterator[str]:
    for file in project_files(root):
        if not str(file).startswith(VERBATIM):
            yield from check_file(root, file)


if __name__ == "__main__":
    main("check_words", check)
