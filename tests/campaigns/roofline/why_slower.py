#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Why one schedule of a sample is slower than another: what the hardware counted, side by side.

  why_slower.py gather CLI FOLDER SAMPLE… [--with NAME=SCHEDULE] [--machine M] [--seconds N]
  why_slower.py report FOLDER > WHY.md

`gather` needs a GPU: it measures and counts each SAMPLE (a NAME.hlpipe) as `auto` finds it and as it
was scheduled by hand, predicts both, and leaves what FOLDER has already. --with adds a schedule: a
word that `bench --schedule` knows, or a file, in whose name {sample} stands for the sample's.
`report` needs nothing but FOLDER.
"""
import argparse
import datetime
import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from whole_files import write  # noqa: E402

MOST_STALLS = 3
SAME = 1.1  # a factor below is no difference

# What is counted of a kernel: our key, a column's title, the unit that it is shown in.
COUNTS = [("dram_bytes", "DRAM MB", 1e6), ("l2_bytes", "L2 MB", 1e6), ("l1_bytes", "L1 MB", 1e6),
          ("shared_bytes", "shared MB", 1e6), ("fp32_operations", "FP32 M", 1e6),
          ("integer_instructions", "int M", 1e6)]


# --- gathering

class Gathering:
    def __init__(self, options):
        self.options = options
        self.failed = 0

    def run(self):
        self.options.folder.mkdir(parents=True, exist_ok=True)
        for sample in self.options.samples:
            for name, word in self.schedules(pathlib.Path(sample).stem).items():
                self.gather(sample, name, word)
        return self.failed

    def schedules(self, sample):
        words = {"auto": None, "manual": "manual"}
        words.update((name, word.replace("{sample}", sample))
                     for name, word in (one.split("=", 1) for one in self.options.added))
        return words

    def gather(self, sample, name, word):
        """The bench last: once it is there, the rest is."""
        stem = self.options.folder / f"{pathlib.Path(sample).stem}.{name}"
        bench = stem.with_name(stem.name + ".bench.json")
        if bench.exists():
            return
        word = word or self.found(sample, stem)
        machine = ["--machine", self.options.machine]
        explained = word and self.call("explain", sample, "--schedule", word, *machine, "--json")
        measured = explained and self.call(
            "bench", sample, "--schedule", word, "--counters", "--no-single", "--no-cold",
            "--no-graph", "--no-allocating", "--json")
        if not measured:
            self.failed += 1
            return
        write(stem.with_name(stem.name + ".explain.json"), explained)
        write(bench, measured)
        print(f"{datetime.datetime.now():%H:%M:%S} {stem.name}: "
              f"{json.loads(measured)['back_to_back']['median'] * 1e6:.1f} us", flush=True)

    def found(self, sample, stem):
        schedule = str(stem.with_name(stem.name + ".json"))
        done = self.call("schedule", sample, "--machine", self.options.machine, "-o", schedule)
        return schedule if done is not None else None

    def call(self, *words):
        try:
            ran = subprocess.run([self.options.cli, *words], capture_output=True, text=True,
                                 timeout=self.options.seconds, check=False)
        except subprocess.TimeoutExpired:
            ran = subprocess.CompletedProcess([], 124, "", f"not done in {self.options.seconds} s")
        if ran.returncode == 0:
            return ran.stdout
        print(f"{' '.join(words[:4])}: {(ran.stderr or ran.stdout).strip()[-400:]}", flush=True)
        return None


# --- reading

def kernel_of(stage):
    """How the kernel of a stage is named: without what counts kernels, `k3_`."""
    func, update = re.fullmatch(r"(.*?)(?:\.update\((\d+)\))?", stage).groups()
    return re.sub(r"[^A-Za-z0-9_]", "_", func) + f"_s{int(update) + 1 if update else 0}"


class Kernel:
    """A kernel in one run: what was measured, counted and predicted of it. None: not known."""

    def __init__(self, measured, counted, predicted):
        self.name = measured["name"]
        spread = measured["seconds"]
        self.seconds = spread["median"] * measured["launches"] if spread else None
        self.registers, self.local_bytes = measured["registers"], measured["local_bytes"]
        predicted = predicted or {}
        milliseconds = predicted.get("predicted_ms")
        self.predicted = None if milliseconds is None else milliseconds * 1e-3
        self.limiter = predicted.get("limiter")
        counted = counted or {}
        self.counts = {key: counted.get(key) for key, _, _ in COUNTS}
        self.counts["dram_bytes"] = total([counted.get("dram_read_bytes"),
                                           counted.get("dram_write_bytes")])
        self.occupancy = counted.get("occupancy")
        self.stalls = [(one["reason"], one["share"])
                       for one in counted.get("stalls", [])[:MOST_STALLS]]


def total(values):
    values = list(values)
    return None if not values or None in values else sum(values)


class Run:
    """A schedule of a sample."""

    def __init__(self, name, bench, explain):
        self.name = name
        self.seconds = bench["back_to_back"]["median"]
        self.predicted = explain["predicted_ms"] * 1e-3
        counters = bench.get("counters") or {}
        self.refused = counters.get("refused", "")
        counted = {one["name"]: one for one in counters.get("kernels", [])}
        predicted = {kernel_of(one["kernel"]): one for one in explain["kernels"]}
        self.kernels = [Kernel(one, counted.get(one["name"]),
                               predicted.get(re.sub(r"^k\d+_", "", one["name"])))
                        for one in bench["kernels"]]
        self.gpu = f"{bench['machine']}, driver {bench['driver']}, {bench['date'][:10]}, " \
                   f"tessera-gpu {bench['program']}"

    def count(self, key):
        return total(kernel.counts[key] for kernel in self.kernels)

    def occupancy(self):
        """As the time of the kernels weighs it."""
        known = [(kernel.occupancy, kernel.seconds) for kernel in self.kernels]
        if not known or any(None in one for one in known):
            return None
        seconds = sum(one[1] for one in known)
        return sum(part * weight for part, weight in known) / seconds if seconds else None


def samples_in(folder):
    """By sample, the runs by name; `manual` last."""
    samples = {}
    for path in sorted(folder.glob("*.bench.json")):
        sample, name = path.name.removesuffix(".bench.json").rsplit(".", 1)
        explain = path.with_name(f"{sample}.{name}.explain.json")
        samples.setdefault(sample, {})[name] = Run(
            name, json.loads(path.read_text(encoding="utf-8")),
            json.loads(explain.read_text(encoding="utf-8")))
    return {sample: dict(sorted(runs.items(), key=lambda one: (one[0] == "manual", one[0])))
            for sample, runs in samples.items()}


# --- saying

def number(value, unit=1.0, digits=1):
    return "–" if value is None else f"{value / unit:.{digits}f}"


def percent(value):
    return "–" if value is None else f"{100 * value:.0f} %"


def table(runs):
    titles = ["schedule", "kernel", "measured us", "predicted us", "limiter",
              *(title for _, title, _ in COUNTS), "occupancy", "registers", "local B",
              "warps wait for"]
    lines = ["| " + " | ".join(titles) + " |", "|" + "---|" * len(titles)]
    for run in runs:
        rows = [[kernel.name, number(kernel.seconds, 1e-6), number(kernel.predicted, 1e-6),
                 kernel.limiter or "–",
                 *(number(kernel.counts[key], unit, 2) for key, _, unit in COUNTS),
                 percent(kernel.occupancy), str(kernel.registers), str(kernel.local_bytes),
                 ", ".join(f"{reason} {percent(share)}" for reason, share in kernel.stalls) or "–"]
                for kernel in sorted(run.kernels, key=lambda one: -(one.seconds or 0))]
        rows.append(["**all**", number(run.seconds, 1e-6), number(run.predicted, 1e-6), "",
                     *(number(run.count(key), unit, 2) for key, _, unit in COUNTS),
                     percent(run.occupancy()), "", "", ""])
        lines += [f"| {run.name} | {' | '.join(row)} |" for row in rows]
    return lines


def factor(ours, theirs):
    return ours / theirs if ours and theirs else None


def differences(ours, theirs):
    """What ours does more of, the most first; and what less."""
    factors = [(title.removesuffix(" MB").removesuffix(" M"), factor(ours.count(key),
                                                                   theirs.count(key)))
               for key, title, _ in COUNTS]
    factors.append(("kernels", factor(len(ours.kernels), len(theirs.kernels))))
    known = [one for one in factors if one[1]]
    more = sorted((one for one in known if one[1] >= SAME), key=lambda one: -one[1])
    less = sorted((one for one in known if one[1] <= 1 / SAME), key=lambda one: one[1])
    return more, less


def verdict(ours, theirs):
    """Whether the model knew: else no search that follows it finds the other."""
    predicted = factor(ours.predicted, theirs.predicted)
    if ours.seconds <= theirs.seconds:
        return f"{ours.name} is not slower."
    errors = (f"It predicts {ours.name} at {ours.predicted / ours.seconds:.2f} of what it takes, "
              f"{theirs.name} at {theirs.predicted / theirs.seconds:.2f}.")
    if predicted and predicted > 1:
        return (f"The model knows it: {predicted:.2f} times by its account, so the search did not "
                f"come by what {theirs.name} does. {errors}")
    return f"The model is wrong: it takes {ours.name} for the faster one. {errors}"


def words(ours, theirs):
    lines = [f"{ours.name} takes {ours.seconds * 1e6:.1f} us, {theirs.name} "
             f"{theirs.seconds * 1e6:.1f}: {ours.seconds / theirs.seconds:.2f} times.",
             verdict(ours, theirs)]
    more, less = differences(ours, theirs)
    if more:
        lines.append("More: " + ", ".join(f"{title} {times:.2f} times" for title, times in more) + ".")
    if less:
        lines.append("Less: " + ", ".join(f"{title} {times:.2f} times" for title, times in less) + ".")
    if ours.occupancy() is not None and theirs.occupancy() is not None:
        lines.append(f"Occupancy {percent(ours.occupancy())} against {percent(theirs.occupancy())}.")
    return lines


def report_text(folder):
    samples = samples_in(folder)
    gpus = sorted({run.gpu for runs in samples.values() for run in runs.values()})
    refused = sorted({run.refused for runs in samples.values() for run in runs.values()} - {""})
    lines = ["# Why a schedule is slower", "", *(f"{gpu}." for gpu in gpus), ""]
    lines += [f"Nothing was counted: {reason}" for reason in refused] + [""] * bool(refused)
    for sample, runs in samples.items():
        lines += [f"## {sample}", ""]
        theirs = runs.get("manual")
        for name, ours in runs.items():
            if theirs and ours is not theirs:
                lines += [f"- {' '.join(words(ours, theirs))}"]
        lines += ["", *table(runs.values()), ""]
    return "\n".join(lines).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    gather = verbs.add_parser("gather")
    gather.add_argument("cli")
    gather.add_argument("folder", type=pathlib.Path)
    gather.add_argument("samples", nargs="+")
    gather.add_argument("--with", dest="added", action="append", default=[], metavar="NAME=SCHEDULE")
    gather.add_argument("--machine", default="h200")
    gather.add_argument("--seconds", type=int, default=300, help="of each call, at most")
    verbs.add_parser("report").add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    if options.verb == "gather":
        sys.exit(1 if Gathering(options).run() else 0)
    print(report_text(options.folder), end="")


if __name__ == "__main__":
    main()
