# SPDX-License-Identifier: MIT
"""The files that the checks look at, and how a check reports what it found."""

import argparse
import pathlib
import subprocess
import sys
from typing import Callable, Iterable, List, Optional

Path = pathlib.PurePosixPath

# Where there is no git (an unpacked source package), everything but these is the project.
NOT_OURS = {".git", ".venv", ".cache", "build"}


def project_files(root: pathlib.Path) -> List[Path]:
    """Relative paths: tracked, plus new ones that git does not ignore."""
    command = ["git", "-c", "safe.directory=*", "-C", str(root), "ls-files", "-z",
               "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    if listed.returncode == 0:
        names = [name for name in listed.stdout.decode().split("\0") if name]
    else:
        names = [str(file.relative_to(root)) for file in root.rglob("*")
                 if not NOT_OURS.intersection(file.relative_to(root).parts)]
    return sorted(Path(name) for name in set(names) if (root / name).is_file())


def is_header(path: Path) -> bool:
    return path.suffix in (".h", ".hpp")


def is_cpp(path: Path) -> bool:
    return is_header(path) or path.suffix in (".cpp", ".cc", ".cu")


def text(root: pathlib.Path, path: Path) -> str:
    return (root / path).read_text(encoding="utf-8", errors="replace")


def main(name: str, check: Callable[[pathlib.Path], Iterable[str]],
         fix: Optional[Callable[[pathlib.Path], None]] = None) -> None:
    """Runs one check over `--root`; prints each finding as FILE:LINE: message.

    With a `fix`, `--fix` rewrites the files first.
    """
    parser = argparse.ArgumentParser(prog=name)
    parser.add_argument("--root", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parents[2])
    if fix:
        parser.add_argument("--fix", action="store_true", help="rewrite the files")
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    if fix and arguments.fix:
        fix(root)
    findings = list(check(root))
    for finding in findings:
        print(finding)
    print(f"{name}: {len(findings)} finding{'' if len(findings) == 1 else 's'}")
    sys.exit(1 if findings else 0)
