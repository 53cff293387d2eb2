#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Markdown stays short, and what it says of the tree stays true.

A README is a page, a paragraph a thought, a decision a sentence or two. Links, names of files and
marked numbers are compared with the tree: `nine<!-- count: engine/document/document.h Operation -->
operations` holds as long as `Operation` in that file has nine members (`counted.py` knows which).
"""

import pathlib
import posixpath
import re
from typing import Dict, Iterator, List, NamedTuple, Set, Tuple

from counted import count
from source_tree import Path, main, project_files, text

MOST_WORDS = {"README": 600, "paragraph": 100, "cell": 40, "decision": 40}
MOST_DECISIONS = 10
# Written by a program, or kept to the letter.
GENERATED = re.compile(r"^(LICENSES/|packaging/THIRD_PARTY_NOTICES\.md|samples/RESULTS\.md|"
                       r"tests/campaigns/[\w/]*results/)")
TOP = ("engine", "views", "app", "samples", "resources", "packaging", "tests")
# Headers of others, which our texts name.
FOREIGN = re.compile(r"^(Halide\w*|nvml|cuda\w*|cupti\w*)\.h$")

COMMENT = re.compile(r"<!--.*?-->", re.S)
LINK = re.compile(r"\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)")
QUOTED = re.compile(r"`([^`\s]+)`")
MARK = re.compile(r"([\w,]+)\s*<!--\s*count:\s*(\S+)\s+(\w+)\s*-->")
NUMBERS = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
           "fifteen sixteen seventeen eighteen nineteen twenty").split()


class Block(NamedTuple):
    """A paragraph, an item of a list, a row of a table or a heading, with the line it begins in."""
    kind: str
    line: int
    words: str


def words(passage: str) -> int:
    """Words as a reader counts them: of a link its text alone, and no marks of tables."""
    shown = re.sub(r"\]\([^)]*\)", "]", COMMENT.sub("", passage))
    return sum(1 for word in shown.split() if re.search(r"\w", word))


def without_fences(source: str) -> List[str]:
    """The lines, those of fenced and indented code and of comments blank."""
    lines, fence, after_blank, in_list = [], False, True, False
    blanked = COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), source)
    for line in blanked.splitlines():
        is_fence = line.lstrip().startswith("```")
        indented = line.startswith("    ") and after_blank and not in_list
        lines.append("" if is_fence or fence or indented else line)
        fence ^= is_fence
        after_blank = not line.strip() or indented
        if line.strip() and not line.startswith(" "):
            in_list = bool(re.match(r"([-*]|\d+\.)\s", line))
    return lines


def blocks(source: str) -> List[Block]:
    found: List[Block] = []
    is_open = False
    for number, line in enumerate(without_fences(source), 1):
        stripped = line.strip()
        if not stripped:
            is_open = False
        elif stripped.startswith("#"):
            found.append(Block("heading", number, stripped.lstrip("# ")))
            is_open = False
        elif stripped.startswith("|"):
            found.append(Block("row", number, stripped))
            is_open = False
        elif re.match(r"([-*]|\d+\.)\s", stripped):
            found.append(Block("item", number, stripped))
            is_open = True
        elif is_open:
            found[-1] = found[-1]._replace(words=found[-1].words + " " + stripped)
        else:
            found.append(Block("paragraph", number, stripped))
            is_open = True
    return found


def too_long(what: str, passage: str, where: str, advice: str) -> Iterator[str]:
    if words(passage) > MOST_WORDS[what]:
        yield f"{where}: a {what} of {words(passage)} words, at most {MOST_WORDS[what]}: {advice}"


def check_lengths(path: Path, source: str) -> Iterator[str]:
    is_readme = path.name == "README.md"
    if is_readme:
        yield from too_long("README", source, f"{path}:1",
                            "figures and history go to a LOG.md, details to a page of their own")
    heading, decisions = "", 0
    for block in blocks(source):
        where = f"{path}:{block.line}"
        if block.kind == "heading":
            heading, decisions = block.words.lower(), 0
        elif block.kind == "row":
            for cell in re.split(r"(?<!\\)\|", block.words.strip("|")):
                yield from too_long("cell", cell, where, "say it below the table")
        else:
            yield from too_long("paragraph", block.words, where, "one thought each")
        if not is_readme or heading != "decisions" or block.kind not in ("row", "item"):
            continue
        if re.match(r"\|[\s|:-]+$|\|\s*choice\b", block.words):
            continue
        yield from too_long("decision", block.words, where,
                            "choice, reason, what would change our mind")
        decisions += 1
        if decisions == MOST_DECISIONS + 1:
            yield f"{where}: more than {MOST_DECISIONS} decisions: the page is for the main ones"


def check_links(path: Path, source: str, ours: Set[str]) -> Iterator[str]:
    for number, line in enumerate(without_fences(source), 1):
        for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            file = target.split("#")[0]
            if not file or re.match(r"[a-z]+:", target):
                continue
            if posixpath.normpath(str(path.parent / file)) not in ours:
                yield f"{path}:{number}: {target}: no such file: mend the link"


def check_names(path: Path, source: str, ours: Set[str], tails: Set[str]) -> Iterator[str]:
    """Of files in back quotes: from the root where they begin so, else any file of that name."""
    for number, line in enumerate(without_fences(source), 1):
        for name in QUOTED.findall(line):
            if re.search(r"[^\w./-]", name) or FOREIGN.match(name):
                continue
            known = {name.rstrip("/"), *(name + suffix for suffix in (".h", ".cpp", ".py"))}
            is_path = name.startswith(tuple(top + "/" for top in TOP))
            if is_path and not known & ours:
                yield f"{path}:{number}: `{name}`: no such file or folder: it moved, or is gone"
            elif not is_path and re.search(r"\w\.(h|cpp)$", name) and name not in tails:
                yield f"{path}:{number}: `{name}`: no file of that name: it moved, or is gone"


def check_counts(root: pathlib.Path, path: Path, source: str, ours: Set[str]) -> Iterator[str]:
    for found in MARK.finditer(source):
        said, file, name = found.groups()
        where = f"{path}:{source.count(chr(10), 0, found.start()) + 1}"
        number = said.lower().replace(",", "")
        value = NUMBERS.index(number) if number in NUMBERS else -1
        value = int(number) if number.isdigit() else value
        counted = count(text(root, Path(file)), name) if file in ours else None
        if counted is None:
            yield f"{where}: nothing to count: {name} in {file}: name an enum, a variant or an array"
        elif value != counted:
            yield f"{where}: says {said}, but {name} in {file} has {counted}: mend the number"


def tree_of(files: List[Path]) -> Tuple[Set[str], Set[str]]:
    """Files and folders from the root; and all ends of their paths."""
    ours = {"."} | {str(file) for file in files}
    ours |= {str(folder) for file in files for folder in file.parents}
    return ours, {"/".join(file.parts[start:]) for file in files
                  for start in range(len(file.parts))}


def check(root: pathlib.Path) -> Iterator[str]:
    files = project_files(root)
    ours, tails = tree_of(files)
    sources: Dict[Path, str] = {file: text(root, file) for file in files if file.suffix == ".md"}
    for path, source in sources.items():
        if GENERATED.match(str(path)):
            continue
        yield from check_lengths(path, source)
        yield from check_links(path, source, ours)
        if not path.name.endswith("LOG.md"):  # a log speaks of the tree of its day
            yield from check_names(path, source, ours, tails)
        yield from check_counts(root, path, source, ours)


if __name__ == "__main__":
    main("check_prose", check)
