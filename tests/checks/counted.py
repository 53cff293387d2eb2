# SPDX-License-Identifier: MIT
"""How many members something of our C++ has: what a number in prose can be checked against."""

import re
from typing import List, Optional

OPENERS, CLOSERS = "({[<", ")}]>"


def bare(source: str) -> str:
    """The code without comments, and with nothing in its strings."""
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"',
                  lambda found: '""' if found[0].startswith('"') else " ", source, flags=re.S)


def parts(body: str, separator: str) -> List[str]:
    """Split where nothing is open, and without what is empty."""
    depth, pieces = 0, [""]
    for letter in body:
        depth += (letter in OPENERS) - (letter in CLOSERS)
        if letter == separator and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += letter
    return [piece for piece in (piece.strip() for piece in pieces) if piece]


def braces(source: str, start: int) -> str:
    """What stands in the braces that open at `start`."""
    depth = 0
    for place in range(start, len(source)):
        depth += (source[place] == "{") - (source[place] == "}")
        if depth == 0:
            return source[start + 1:place]
    return source[start + 1:]


def count(source: str, name: str) -> Optional[int]:
    """Members of an enum, alternatives of a variant, elements of an array, data members of a plain
    struct, or the value of a constant; None: there is no such thing."""
    code = bare(source)
    word = re.escape(name)
    constant = re.search(rf"\b{word}\s*(?:=|\{{)\s*([\d']+)\s*\}}?;", code)
    if constant:
        return int(constant[1].replace("'", ""))
    variant = re.search(rf"\busing\s+{word}\s*=\s*std::variant<(.*?)>;", code, re.S)
    if variant:
        return len(parts(variant[1], ","))
    struct = re.search(rf"\bstruct\s+{word}\s*(?=\{{)", code)
    if struct:
        members = parts(braces(code, struct.end()), ";")
        return sum(len(parts(member, ",")) for member in members)
    listed = re.search(rf"\benum\s+(?:class\s+)?{word}\b[^;{{]*(?=\{{)", code) or re.search(
        rf"\b{word}\s*(?:\[\w*\]\s*)?=?\s*(?=\{{)", code)
    if listed:
        body = braces(code, listed.end()).strip()
        if body.startswith("{") and len(parts(body, ",")) == 1:  # std::array's second pair
            body = braces(body, 0)
        return len(parts(body, ","))
    return None
