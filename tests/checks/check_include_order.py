#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Our own includes stand sorted: the same room, then other rooms, then tests; `--fix` rewrites.

The room of a test is that of the source it tests. Lines without a blank line between them are one
group, so the own header, alone in the first, stays where it is.
"""

import pathlib
import re
from typing import Iterator, List, Tuple

from source_tree import Path, is_cpp, main, project_files, text

OURS = re.compile(r'#include "((?:app|engine|samples|tests|views)/[^"]+)"(.*)$')


def order(room: str, line: str) -> Tuple[bool, bool, str]:
    included = OURS.match(line)[1]
    folder = included.rsplit("/", 1)[0]
    return included.startswith("tests/"), folder != room, included


def in_order(path: Path, lines: List[str]) -> List[str]:
    """The lines of the file at `path`, each group of includes sorted."""
    room = re.sub(r"^tests/(?=(app|engine|views)\b)", "", str(path.parent))
    result: List[str] = []
    group: List[str] = []
    for line in lines + [""]:
        if OURS.match(line):
            group.append(line)
            continue
        result += sorted(group, key=lambda line: order(room, line)) + [line]
        group = []
    return result[:-1]


def check(root: pathlib.Path) -> Iterator[str]:
    for path in filter(is_cpp, project_files(root)):
        lines = text(root, path).split("\n")
        for number, (line, wanted) in enumerate(zip(lines, in_order(path, lines)), 1):
            if line != wanted:
                yield f"{path}:{number}: {line}: {wanted} comes first"
                break


def fix(root: pathlib.Path) -> None:
    for path in filter(is_cpp, project_files(root)):
        lines = text(root, path).split("\n")
        if in_order(path, lines) != lines:
            (root / path).write_text("\n".join(in_order(path, lines)), encoding="utf-8")


if __name__ == "__main__":
    main("check_include_order", check, fix)
