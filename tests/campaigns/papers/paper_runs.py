# SPDX-License-Identifier: MIT
"""What all experiments of the papers share: running the command line, and lines of results."""
import json
import lzma
import statistics
import subprocess

EXPERT = "expert"
MARGIN = 0.95  # a claim holds that is missed by at most this factor


def run(words, seconds):
    try:
        return subprocess.run([str(word) for word in words], capture_output=True, text=True, errors="replace", check=False,
                              timeout=seconds)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, 124, "", f"no answer in {seconds:.0f} s")


def answer_of(done):
    """What a command said as JSON; nothing if it said something else."""
    try:
        return json.loads(done.stdout)
    except ValueError:
        return {}


def rows(path):
    """The lines of a file, which may be packed by xz."""
    with (lzma.open if path.suffix == ".xz" else open)(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def add_row(path, row):
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")


def micro(seconds):
    return f"{seconds * 1e6:,.1f}" if seconds else "–"


def means_text(values):
    return (f"{statistics.mean(values):.2f} as arithmetic mean, {statistics.geometric_mean(values):.2f} as geometric, "
            f"of {len(values)}")


def verdict(holds):
    return {True: "holds", False: "**does not**", None: "–"}[holds]


def claims_lines(judgements):
    """A table of claims: what is said and claimed, what was measured, and whether it holds."""
    lines = ["| the paper says | claimed | measured | |", "|---|---|---|---|"]
    lines += [f"| {says} | {claimed} | {measured} | {verdict(holds)} |" for says, claimed, measured, holds in judgements]
    return [*lines, ""]
