#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A function fits a screen: at most 60 lines in the engine, 80 in the views and the programs.

A constructor in the views has at most 60 lines too: one that has more builds several things, and
each of them wants a function of its own. What is counted are the lines from the `{` of the body to
its `}`; a lambda inside a function counts with the function. The text is read as clang-format
writes it: no preprocessor, and a macro that opens a brace looks like a function.
"""

import argparse
import pathlib
import re
import sys
from typing import Iterator, List, NamedTuple, Optional, Tuple

from source_tree import Path, is_cpp, project_files, text

# Below which folder a function, and a constructor, may have how many lines.
MOST_LINES = {"engine": (60, 60), "views": (80, 60), "app": (80, 80)}

# Folders (or files) whose functions are still too long. It only ever shrinks.
NOT_YET: Tuple[str, ...] = ("engine/schedule/", "engine/cost/", "engine/search/", "views/")


class Function(NamedTuple):
    name: str
    line: int  # of the `{`, from 1
    lines: int  # from the `{` to the `}`, both counted
    is_constructor: bool


# Comments, raw strings, strings, characters (not the ' of 1'000), and preprocessor lines.
NOT_CODE = re.compile(
    r'//(?:\\\n|[^\n])*|/\*.*?\*/|R"(?P<end>[^\s()\\]{0,16})\(.*?\)(?P=end)"|"(?:\\.|[^"\\\n])*"|'
    r"(?<![0-9A-Za-z_])(?:u8|[uUL])?'(?:\\.|[^'\\\n])+'|^[ \t]*#(?:\\\n|[^\n])*",
    re.DOTALL | re.MULTILINE)


def code_of(source: str) -> str:
    """The source with everything that is not code blanked; every line stays where it is."""
    def blank(match: "re.Match[str]") -> str:
        found = match.group()
        kept = '""' if '"' in (found[0], found[-1]) and not found.startswith(("/", "#")) else " "
        return kept + "\n" * found.count("\n")
    return NOT_CODE.sub(blank, source)


IS_SCOPE = re.compile(r"^(inline\s+)?namespace\b|^extern\s*\"\"$")
IS_CLASS = re.compile(r"^(?:typedef\s+)?(class|struct|union|enum)\b")
ENDS_PARAMETERS = re.compile(
    r"\)\s*((const|noexcept|override|final|mutable|try|volatile|&&?)\s*(\([^()]*\))?\s*)*"
    r"(->.*|requires\b.*)?$", re.DOTALL)
# An initialiser, of which the last may end with a `}`.
ENDS_INITIALISERS = re.compile(r"\)[^()]*:(?!:).*[)}]\s*$", re.DOTALL)
TEMPLATE = re.compile(r"^template\s*<")
LAMBDA = re.compile(r"\[[^\[\]]*\]\s*(\(.*\))?\s*(mutable\b)?\s*(noexcept\b)?\s*(->[^;]*)?$",
                    re.DOTALL)
NAME = re.compile(r"(operator\s*(?:\(\s*\)|[^\s\w(]+|[\w:\s<>*&]+)|[~\w:]+(?:<[^()]*>::[~\w]+)?)"
                  r"\s*\($")
ACCESS_LABEL = re.compile(r"^(public|private|protected|Q_SIGNALS|signals)(\s+Q?_?\w+)?\s*:(?!:)")


def without_template(head: str) -> str:
    """Takes `template <...>`, attributes and access labels off the front of a declaration."""
    while True:
        head = head.strip()
        before = head
        head = ACCESS_LABEL.sub("", head)
        head = re.sub(r"^\[\[[^\]]*\]\]", "", head)
        if TEMPLATE.match(head):
            depth, at = 0, head.index("<")
            for at in range(head.index("<"), len(head)):
                depth += {"<": 1, ">": -1}.get(head[at], 0)
                if depth == 0:
                    break
            head = head[at + 1:]
        if head == before:
            return head


def first_parenthesis(head: str) -> int:
    """Where the parameters open: the first `(` outside of `<...>`, or that of `operator()`."""
    operator = re.search(r"\boperator\s*(\(\s*\)|[^\w\s(]+)\s*\(", head)
    if operator:
        return operator.end() - 1
    depth = 0
    for at, character in enumerate(head):
        if character == "<":
            depth += 1
        elif character == ">" and head[at - 1] != "-":
            depth -= 1
        elif character == "(" and depth <= 0:
            return at
    return -1


def is_assigned(head: str) -> bool:
    """Whether an `=` stands outside of all brackets: then this is a value and not a function."""
    depth = 0
    for at, character in enumerate(head):
        depth += {"(": 1, "<": 1, "[": 1, ")": -1, ">": -1, "]": -1}.get(character, 0)
        if character == "=" and depth <= 0 and "operator" not in head[max(0, at - 10):at]:
            return True
    return False


def function_name(head: str) -> Optional[str]:
    """The name of the function whose body opens after this text, or nothing if none does."""
    if LAMBDA.search(head):
        return "a lambda"
    at = first_parenthesis(head)
    if at < 0 or is_assigned(head):
        return None
    named = NAME.search(head[:at + 1])
    if not named:
        return None
    if not ENDS_PARAMETERS.search(head) and not ENDS_INITIALISERS.search(head):
        return None
    return named.group(1)


def is_constructor(name: str, scope: str) -> bool:
    parts = name.split("::")
    owner = parts[-2] if len(parts) > 1 else scope
    return parts[-1] == re.sub(r"<.*", "", owner)


def is_class(head: str) -> bool:
    return bool(IS_CLASS.match(head)) and not ENDS_PARAMETERS.search(head)


def class_name(head: str) -> str:
    named = re.match(r"(?:typedef\s+)?(?:enum\s+)?(?:class|struct|union)\s+"
                     r"(?:alignas\([^)]*\)\s*)?(\w+)", head)
    return named.group(1) if named else ""


def closing(code: str, at: int) -> int:
    """Where the brace that opens at `at` is closed; the end where it never is."""
    depth = 0
    for end in range(at, len(code)):
        depth += {"{": 1, "}": -1}.get(code[end], 0)
        if depth == 0:
            return end
    return len(code) - 1


def functions(source: str) -> Iterator[Function]:
    code = code_of(source)
    scopes: List[str] = []  # the class of each open brace, empty for a namespace or a value
    earlier = ""  # what the declaration had before `start`, its values in braces left out
    start, at = 0, 0  # where the rest of the declaration begins, and where it is read
    while at < len(code):
        character = code[at]
        if character == "{":
            head = without_template(earlier + code[start:at])
            earlier, start = "", at + 1
            if IS_SCOPE.match(head) or is_class(head):
                scopes.append(class_name(head))
            elif not function_name(head) and (is_assigned(head) or not head.strip(", ")):
                scopes.append("")  # a table: what stands in it may be lambdas
            else:
                name, end = function_name(head), closing(code, at)
                if name:
                    line, lines = code.count("\n", 0, at) + 1, code.count("\n", at, end) + 1
                    owner = scopes[-1] if scopes else ""
                    yield Function(name, line, lines, is_constructor(name, owner))
                if not name or head.count("(") > head.count(")"):
                    earlier = head + "{}"  # an initialiser, and the function is yet to come
                start, at = end + 1, end
        elif character in "};":
            if character == "}" and scopes:
                scopes.pop()
            earlier, start = "", at + 1
        at += 1


def check_file(root: pathlib.Path, file: Path) -> Iterator[str]:
    most, most_constructor = MOST_LINES[file.parts[0]]
    for function in functions(text(root, file)):
        limit = most_constructor if function.is_constructor else most
        if function.lines > limit:
            what = "constructor " if function.is_constructor else ""
            yield (f"{file}:{function.line}: {what}{function.name} has {function.lines} lines, at most "
                   f"{limit}: give a step of it a name of its own")


def check(root: pathlib.Path, only: Tuple[str, ...] = ()) -> Iterator[str]:
    """All of the project but NOT_YET; or what is named, whether it stands in NOT_YET or not."""
    for file in project_files(root):
        if not is_cpp(file) or file.parts[0] not in MOST_LINES:
            continue
        wanted = str(file).startswith(only) if only else not str(file).startswith(NOT_YET)
        if wanted:
            yield from check_file(root, file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("only", nargs="*", help="folders or files to check, also those not yet right")
    arguments = parser.parse_args()
    found = list(check(arguments.root.resolve(), tuple(arguments.only)))
    for finding in found:
        print(finding)
    print(f"check_functions: {len(found)} finding{'' if len(found) == 1 else 's'}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
