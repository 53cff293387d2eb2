#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rejects an include, or a CMake dependency, that the table of rooms does not allow.

Targets alone would not do: every room sees the whole tree as its include path, and a header-only
use of another room links without a word.
"""

import pathlib
import posixpath
import re
from typing import Dict, Iterator, Optional, Set

from source_tree import Path, is_cpp, main, project_files, text

# Room → rooms that it stands on. It may include their headers, and those of what they stand on;
# what is not listed is forbidden. A room is a folder below engine/, a room inside a room has a row
# of its own, and the longest row that fits counts. The one file that knows every search,
# search/algorithms, is a room by itself, and so are search/parameters and search/trace, which need
# no schedule.
STANDS_ON = {
    "base": "",
    "file": "base",
    "job": "file",
    "record": "job",
    "pipeline": "base",
    "machine": "base",
    "array": "pipeline",
    "schedule/words": "base",
    "report": "pipeline schedule/words",
    "schedule": "report",
    "schedule/bounds": "schedule",
    "schedule/rules": "machine schedule/bounds",
    "schedule/directives": "schedule/rules",
    "schedule/text": "schedule/directives",
    "schedule/edits": "schedule/directives",
    "cost/load": "schedule/directives",
    "cost/time": "cost/load",
    "cost": "cost/time",
    "cost/roofline": "cost",
    "footprint": "cost/load schedule/edits",
    "block": "cost schedule/edits",
    "chart": "cost/roofline",
    "learn": "cost",
    "search/parameters": "base",
    "search/trace": "base",
    "search": "schedule machine search/parameters search/trace",
    "search/kernels": "cost schedule/edits schedule/text search",
    "search/auto": "search/kernels",
    "search/autogpu": "search/kernels",
    "search/tuning": "search/kernels",
    "search/mullapudi": "search/kernels",
    "search/dp_fusion": "search/kernels",
    "search/beam": "learn search/kernels",
    "search/algorithms": "search/auto search/autogpu search/mullapudi search/dp_fusion "
                         "search/beam",
    # Only the plugin searches; see is_plugin().
    "halide": "file schedule/words",
    "halide/import": "halide job schedule/text",
    "halide/compile": "halide/import",
    "halide/lowered": "halide",
    "halide/verify": "array halide/compile halide/lowered",
    "halide/worker": "halide/verify",
    "bench": "array job machine report",
    "bench/device": "bench",
    "host": "bench cost/roofline record",
    "open": "host schedule/directives",
    "measure": "open",
    "document": "measure search/kernels",
    "tune": "document learn search/algorithms search/tuning",
}


def closed(table: Dict[str, str]) -> Dict[str, Set[str]]:
    """Room → all rooms that it stands on, directly or not; rows are in order, from the ground up."""
    result: Dict[str, Set[str]] = {}
    for room, below in table.items():
        result[room] = set(below.split())
        for other in below.split():
            result[room] |= result[other]  # a KeyError here is a row out of order, or a cycle
    return result


MAY_INCLUDE = closed(STANDS_ON)

# The rooms of the views, from the ground up; a panel is any other folder.
VIEWS = {"settings": set(), "text": {"settings"}, "flows": {"settings", "text"},
         "tables": {"flows", "settings", "text"},
         "workspace": {"flows", "settings", "tables", "text"}}
WITHOUT_WIDGETS = set(VIEWS)

# The includer of third-party headers, by the start of its path; nobody else may.
ONLY_FOR = [
    ("Halide", re.compile(r"^Halide(Buffer|Runtime\w*)?\.h$|^halide_\w+\.h$"),
     ("engine/halide/", "samples/", "tests/engine/halide/", "tests/engine/learn/plugin_network",
      "tests/samples/", "tests/data/",
      "tests/campaigns/exported_times/exported_autoscheduler", "tests/campaigns/planted/")),
    ("spdlog", re.compile(r"^(spdlog|fmt)/"), ("engine/record/log_file.cpp",)),
    ("Graphviz", re.compile(r"^(graphviz/|gvc\.h$|cgraph\.h$)"),
     ("app/layout_worker",)),
    ("QCustomPlot", re.compile(r"^qcustomplot\.h$"), ("views/",)),
    ("libpng", re.compile(r"^png\w*\.h$|^libpng\w*/"),
     ("engine/array/", "tests/engine/array/")),
    ("zlib", re.compile(r"^zlib\.h$|^zconf\.h$"),
     ("engine/array/", "engine/job/frame", "engine/document/journal", "tests/engine/array/",
      "tests/campaigns/frames/frame_damage")),
    ("CUDA", re.compile(r"^(cuda\w*\.h|cupti\w*\.h|nvml\.h|nvrtc\.h|nvperf\w*\.h|cuda/.*)$"),
     ("engine/bench/", "tests/engine/bench/", "tests/engine/machine/tst_occupancy",
      "tests/campaigns/times/kernel_times")),
]

QT = re.compile(r"^Q[A-Z]\w*$|^Qt\w+/|^q\w+\.h$|^Qsci/|^qcustomplot\.h$")
WIDGETS = re.compile(
    r"^(QtWidgets/.*|Qsci/.*|qcustomplot\.h|QApplication|QAction|QGraphics\w+|QMainWindow|QMenu\w*|"
    r"Q\w*Dialog\w*|Q\w*Widget\w*|Q(Abstract|Combo|Spin|Check|Group|Tool|Message)\w*(Box|Button|Area|"
    r"Bar|Spin)|QTableView|QTreeView|QListView|QLabel|QStyle\w*|QLineEdit|Q\w*TextEdit|QPushButton|"
    r"QSplitter|Q\w+Layout|QAbstractItemView|QHeaderView|QStyledItemDelegate|QAbstractItemDelegate|"
    r"QItemDelegate|QCompleter|QShortcut)$")
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')


def room_of(path: str) -> Optional[str]:
    """The engine room that a path from the project's root lies in."""
    parts = path.split("/")
    if parts[0] != "engine" or len(parts) < 3:
        return None
    stem = parts[-1].split(".")[0]
    for room in ("/".join(parts[1:-1] + [stem]), "/".join(parts[1:-1])):
        if room in MAY_INCLUDE:
            return room
    return "/".join(parts[1:-1])


def is_plugin(path: Path) -> bool:
    return str(path).startswith("engine/halide/plugin")


def engine_rule(path: Path, included: str) -> Optional[str]:
    room, target = room_of(str(path)), room_of(included)
    if room is None:
        return None
    if not included.startswith("engine/"):
        return f"engine/{room} may include the engine alone"
    if room not in MAY_INCLUDE:
        return f"engine/{room} has no row in the table of rooms"
    allowed: Set[str] = MAY_INCLUDE[room] | {room}
    if is_plugin(path):
        allowed |= {room for room in MAY_INCLUDE if room.startswith(("cost", "search"))}
    if target not in allowed:
        return f"engine/{room} may include only {', '.join(sorted(allowed))}"
    return None


def panel_rule(panel: str, included: str) -> Optional[str]:
    """settings ← text ← flows ← tables ← theme ← forms, kernels, plot ← each panel ← window.

    The workspace stands beside the panels and knows what has no widgets alone.
    """
    below = VIEWS.get(panel)
    if below is None:
        below = set(VIEWS) - {"workspace"} | ({"theme"} if panel != "theme" else set())
        if panel not in ("theme", "forms", "kernels", "plot"):
            below |= {"forms", "kernels", "plot"}
    if panel == "window" or included.split("/")[1] in below | {panel}:
        return None
    return f"views/{panel} may include only {', '.join(sorted(below | {panel}))} of the views"


def project_rule(path: Path, included: str) -> Optional[str]:
    """What the file at `path` may include of our own tree."""
    top, target = path.parts[0], included.split("/")[0]
    if target == "tests" and top != "tests":
        return "product code never includes test code"
    if top == "engine":
        return engine_rule(path, included)
    if top == "samples" and target != "samples":
        return "a sample stands alone"
    if included.startswith("engine/halide/") and not str(path).startswith(
            ("tests/engine/halide/", "tests/campaigns/planted/")):
        if str(path) != "app/halide_worker.cpp":
            return "engine/halide is reached through its worker, never by include"
    if top == "views":
        if target not in ("views", "engine"):
            return "views depend on the engine alone"
        return panel_rule(path.parts[1], included) if target == "views" else None
    if top == "tests" and target in ("views", "app") and path.parts[1] == "engine":
        return "a test of the engine runs without views and app"
    return None


def third_party_rule(path: Path, included: str) -> Optional[str]:
    for name, pattern, owners in ONLY_FOR:
        if pattern.match(included) and not str(path).startswith(owners):
            return f"{name} is included only below {', '.join(owners)}"
    if QT.match(included):
        if path.parts[0] in ("engine", "samples") or str(path).startswith("tests/engine/"):
            return "no Qt in the engine, the samples and their tests"
        if path.parts[0] == "app" and not str(path).startswith("app/explorer"):
            return "only the explorer uses Qt"
    if path.parts[0] == "views" and path.parts[1] in WITHOUT_WIDGETS and WIDGETS.match(included):
        return f"views/{path.parts[1]} holds no widgets"
    return None


def check_file(root: pathlib.Path, path: Path, ours: Set[str]) -> Iterator[str]:
    for number, line in enumerate(text(root, path).splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quoted, included = match[1] == '"', match[2]
        where = f'{path}:{number}: {line.strip()}: '
        # Relative to the includer, when there is such a file.
        beside = posixpath.normpath(str(path.parent / included))
        if quoted and included not in ours and beside in ours:
            included = beside
        if ".." in included.split("/"):
            yield where + "leads out of the project, or to a file that is not there"
            continue
        # Written so that angle brackets do not get around the table.
        top = included.split("/")[0]
        is_project = top in ("engine", "views", "app", "samples", "tests") and "/" in included
        reason = project_rule(path, included) if is_project else third_party_rule(path, included)
        if reason:
            yield where + reason


DEPENDS = re.compile(r"tessera_room\(\s*(\w+)(.*?)\)", re.S)
# The target that others link for a room of searches holds the file that knows them all.
ROOM_OF_TARGET = {room.replace("/", "_"): room for room in MAY_INCLUDE}
ROOM_OF_TARGET["search"] = "search/algorithms"


def check_cmake(root: pathlib.Path, path: Path) -> Iterator[str]:
    """The DEPENDS of each room's target, against the same table."""
    source = re.sub(r"#.*", "", text(root, path))
    for target, body in DEPENDS.findall(source):
        listed = re.search(r"\bDEPENDS\b((?:\s+[a-z_]+)+)", body)
        room = ROOM_OF_TARGET.get(target)
        if room is None:
            continue
        for name in (listed[1].split() if listed else []):
            if ROOM_OF_TARGET.get(name) not in MAY_INCLUDE[room]:
                yield f"{path}:1: room {target} may not depend on {name}"


def check(root: pathlib.Path) -> Iterator[str]:
    files = project_files(root)
    ours = {str(file) for file in files}
    for file in files:
        if is_cpp(file):
            yield from check_file(root, file, ours)
        elif file.name == "CMakeLists.txt" and file.parts[0] == "engine":
            yield from check_cmake(root, file)


if __name__ == "__main__":
    main("check_includes", check)
