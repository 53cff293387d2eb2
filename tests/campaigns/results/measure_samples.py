#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures what Tessera makes of the samples beside schedules by hand and Halide's autoschedulers.

  measure_samples.py measure CLI FOLDER SAMPLE… [--budget 60s] [--gpus 0,1] [--jobs N] [--workers N]
  measure_samples.py collect FOLDER > RESULTS.jsonl
  measure_samples.py report FOLDER|RESULTS.jsonl > samples/RESULTS.md

`measure` tunes each SAMPLE (a NAME.hlpipe), prepares a comparison of the result with all others while
the GPU goes on, and measures that in turns of its candidates. It needs a GPU and leaves what FOLDER
has already, so it may be ended and started again. `collect` keeps the numbers
of FOLDER, a line a sample; `report` needs nothing but these.
"""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import threading

# The samples of published applications, whose experts' schedules are the bar; others stand apart.
SEVENTEEN = ["blur", "unsharp", "harris", "hist", "bilateral_grid", "camera_pipe", "interpolate",
             "local_laplacian", "lens_blur", "nl_means", "max_filter", "stencil_chain", "iir_blur",
             "bgu", "depthwise_separable_conv", "conv_layer", "mat_mul"]
PEERS = ["li2018", "mullapudi2016", "anderson2021"]
OURS = ["auto", "refined", "tuned"]
CANDIDATES = ["manual", "auto", "refined", *PEERS]


class Lanes:
    """One thread a GPU, and some that prepare. A comparison that is ready goes before a tuning, so
    that what is done is kept when time is up."""

    def __init__(self, options):
        self.options = options
        self.changed = threading.Condition()
        self.to_tune, self.to_prepare, self.to_compare = [], [], []
        self.unfinished = 0
        self.failed = 0
        for sample in options.samples:
            folder = options.folder / pathlib.Path(sample).stem
            folder.mkdir(parents=True, exist_ok=True)
            if (folder / "comparison.json").exists():
                continue
            self.unfinished += 1
            is_prepared = (folder / "bundles" / "comparison.json").exists()
            is_tuned = (folder / "tune.json").exists()
            (self.to_compare if is_prepared else self.to_prepare if is_tuned
             else self.to_tune).append((sample, folder))

    def run(self):
        lanes = [threading.Thread(target=self.measure, args=(gpu,)) for gpu in self.options.gpus]
        lanes += [threading.Thread(target=self.prepare) for _ in range(self.options.jobs)]
        for lane in lanes:
            lane.start()
        for lane in lanes:
            lane.join()
        return self.failed

    def take(self, *queues):
        """The first of the first queue that has any; None: all is done."""
        with self.changed:
            while self.unfinished > 0:
                for queue in queues:
                    if queue:
                        return queue, queue.pop(0)
                self.changed.wait()
        return None

    def put(self, queue, work):
        with self.changed:
            if queue is None:
                self.unfinished -= 1
            else:
                queue.append(work)
            self.changed.notify_all()

    def fail(self, folder, what, ran):
        print(f"{folder.name}: {what}: {(ran.stderr or ran.stdout).strip()[-500:] or ran.returncode}", flush=True)
        with self.changed:
            self.failed += 1
        self.put(None, None)

    def call(self, arguments, seconds, gpu=None):
        environment = dict(os.environ)
        if gpu is not None:
            environment["CUDA_VISIBLE_DEVICES"] = gpu
        try:
            return subprocess.run([self.options.cli, *arguments], capture_output=True, text=True,
                                  timeout=seconds, check=False, env=environment)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess([], 124, "", f"not done within {seconds} s")

    def measure(self, gpu):
        while taken := self.take(self.to_compare, self.to_tune):
            queue, (sample, folder) = taken
            (self.compare if queue is self.to_compare else self.tune)(sample, folder, gpu)

    def tune(self, sample, folder, gpu):
        ran = self.call(["tune", sample, "--budget", self.options.budget, "--workers",
                         str(self.options.workers), "--machine", self.options.machine, "--store",
                         str(folder / "tune.sqlite"), "-o", str(folder / "tuned.json"), "--json"],
                        self.options.seconds, gpu)
        if ran.returncode != 0:
            return self.fail(folder, "not tuned", ran)
        (folder / "tune.json").write_text(ran.stdout, encoding="utf-8")
        tuned = json.loads(ran.stdout)
        print(f"{folder.name}: tuned to {micro(tuned['best_seconds'])} us, "
              f"{tuned['measured']} measured", flush=True)
        self.put(self.to_prepare, (sample, folder))
        return None

    def prepare(self):
        while taken := self.take(self.to_prepare):
            sample, folder = taken[1]
            candidates = list(CANDIDATES)
            if (folder / "tuned.json").exists():
                candidates.append(str(folder / "tuned.json"))
            ran = self.call(["compare", sample, "--with", ",".join(candidates), "--machine",
                             self.options.machine, "--prepare", str(folder / "bundles"),
                             "--peer-timeout", str(self.options.peer_seconds)],
                            self.options.seconds)
            if ran.returncode != 0:
                self.fail(folder, "not prepared", ran)
            else:
                self.put(self.to_compare, (sample, folder))

    def compare(self, _, folder, gpu):
        ran = self.call(["compare", str(folder / "bundles"), "--rounds", str(self.options.rounds),
                         "--json"], self.options.seconds, gpu)
        if ran.returncode != 0:
            self.fail(folder, "not compared", ran)
            return
        (folder / "comparison.json").write_text(ran.stdout, encoding="utf-8")
        print(f"{folder.name}: " + ", ".join(
            f"{one['name']} {micro(one['seconds'])}"
            for one in json.loads(ran.stdout)["contenders"]), flush=True)
        self.put(None, None)


def micro(seconds):
    return "-" if seconds is None else f"{seconds * 1e6:.1f}"


def geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def records(path):
    """What was measured of each sample: lines of `collect`, or the folders themselves."""
    if path.is_file():
        with open(path, encoding="utf-8") as lines:
            yield from map(json.loads, lines)
        return
    for index in sorted(path.glob("*/comparison.json")):
        tune = index.parent / "tune.json"
        yield {"sample": index.parent.name,
               "tune": json.loads(tune.read_text(encoding="utf-8")) if tune.exists() else {},
               "comparison": json.loads(index.read_text(encoding="utf-8"))}


class Sample:
    """What was measured of one."""

    def __init__(self, record):
        self.name = record["sample"]
        self.tune = record["tune"]
        self.contenders = {one["name"]: one for one in record["comparison"]["contenders"]}
        floor = record["comparison"].get("floor") or {}
        self.floor = floor.get("seconds")  # known where the GPU's ceilings are

    def seconds(self, name):
        contender = self.contenders.get(name)
        return contender["seconds"] if contender else None

    def best(self, names):
        times = [self.seconds(name) for name in names if self.seconds(name)]
        return min(times) if times else None

    def ratio(self, names, ours):
        """How many times as long as ours the best of them takes; None: one of both has no time."""
        others, own = self.best(names), self.seconds(ours)
        return others / own if others and own else None

    def over_floor(self):
        """How many times the floor our fastest takes."""
        fastest = self.best(OURS)
        return fastest / self.floor if fastest and self.floor else None

    def cell(self, name):
        contender = self.contenders.get(name)
        if not contender:
            return "–"
        return micro(contender["seconds"]) if contender["seconds"] else contender["state"]

    def measurement(self):
        return next((one["measurement"] for one in self.contenders.values()
                     if one["seconds"]), None)


def times(ratio):
    return f"{ratio:.2f}" if ratio else "–"


def table(samples):
    columns = ["manual", *PEERS, *OURS]
    lines = ["| sample | by hand | Li2018 | Mullapudi2016 | Anderson2021 | auto | refined | tuned | "
             "best of others / tuned | floor | ours / floor | tried |",
             "|---|" + "---|" * 11]
    for sample in samples:
        cells = [sample.name, *(sample.cell(name) for name in columns),
                 times(sample.ratio(["manual", *PEERS], "tuned")),
                 micro(sample.floor) if sample.floor else "–", times(sample.over_floor()),
                 str(sample.tune.get("measured", "–"))]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def mean_line(text, samples, names, ours):
    ratios = [ratio for sample in samples if (ratio := sample.ratio(names, ours))]
    if not ratios:
        return f"- {text}: no sample has both"
    return (f"- {text}: {geometric_mean(ratios):.2f} ({len(ratios)} samples, "
            f"{min(ratios):.2f} to {max(ratios):.2f})")


def report(path):
    samples = [Sample(record) for record in records(path)]
    ours = [sample for name in SEVENTEEN for sample in samples if sample.name == name]
    others = [sample for sample in samples if sample.name not in SEVENTEEN]
    lines = ["<!-- SPDX-License-Identifier: GPL-3.0-or-later -->", "# What the samples take", ""]
    measurement = next(filter(None, (sample.measurement() for sample in samples)), None)
    programs = sorted({m["program"] for sample in samples if (m := sample.measurement())})
    if measurement:
        lines += [f"{measurement['machine']}, driver {measurement['driver'] or 'not told'}, "
                  f"{measurement['date'][:10]}, tessera-gpu {', '.join(programs)}. "
                  "Microseconds of a run, runs one after the other, medians; all candidates of a "
                  "sample in turns in one process, each output compared with the reference first. "
                  "`auto` is one search without a compiler, `refined` its best 16 ranked by ptxas's "
                  "registers, `tuned` the best that `tune` found from an empty store. "
                  "The *floor* is what the GPU needs at least for the bytes that have to move and "
                  "the operations of the algorithm. *Tried* are the candidates that tuning "
                  "measured.", ""]
    lines += ["Made by `tests/campaigns/results/measure_samples.py`, which anyone with a GPU can run.",
              "", *table(ours), ""]
    tuned = [ratio for sample in ours if (ratio := sample.ratio(["manual", *PEERS], "tuned"))]
    if tuned:
        lines += [f"geometric mean tune vs best: {geometric_mean(tuned):.2f}", ""]
    lines += ["How many times as long as ours the others take, geometric means:", "",
              mean_line("by hand / auto", ours, ["manual"], "auto"),
              mean_line("by hand / tuned", ours, ["manual"], "tuned"),
              mean_line("best of Halide's three / auto", ours, PEERS, "auto"),
              mean_line("best of Halide's three / tuned", ours, PEERS, "tuned"),
              mean_line("Anderson2021 / auto", ours, ["anderson2021"], "auto"), ""]
    tunes = [sample.tune for sample in ours if sample.tune]
    if tunes:
        rates = sorted(60 * tune["measured"] / tune["seconds"] for tune in tunes)
        busy = sorted(tune["gpu_busy"] for tune in tunes)
        compilers = sorted(tune["compilers_busy"] for tune in tunes)
        middle = len(tunes) // 2
        lines += [f"Tuning took {max(tune['seconds'] for tune in tunes):.0f} s a sample at most and "
                  f"measured {rates[middle]:.0f} candidates a minute in the median "
                  f"({rates[0]:.0f} to {rates[-1]:.0f}); the GPU's worker was busy "
                  f"{100 * busy[middle]:.0f} % of the time, compilers "
                  f"{100 * compilers[middle]:.0f} %.", ""]
    why = [f"- {sample.name}, {name}: {one['why']}" for sample in samples
           for name, one in sample.contenders.items() if not one["seconds"] and one["why"]]
    if why:
        lines += ["## Why there is no time", "", *(line.replace("\n", " ") for line in why), ""]
    if others:
        lines += ["## Other samples", "", *table(others), ""]
    print("\n".join(lines).rstrip())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    measure = verbs.add_parser("measure")
    measure.add_argument("cli")
    measure.add_argument("folder", type=pathlib.Path)
    measure.add_argument("samples", nargs="+")
    measure.add_argument("--budget", default="60s")
    measure.add_argument("--machine", default="h200")
    measure.add_argument("--gpus", default="0", type=lambda text: text.split(","))
    measure.add_argument("--jobs", type=int, default=2, help="comparisons prepared at once")
    measure.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 2) - 2))
    measure.add_argument("--rounds", type=int, default=21)
    measure.add_argument("--seconds", type=int, default=600, help="of each call, at most")
    measure.add_argument("--peer-seconds", type=int, default=120)
    for verb in ("collect", "report"):
        verbs.add_parser(verb).add_argument("path", type=pathlib.Path)
    options = parser.parse_args()
    if options.verb == "collect":
        for record in records(options.path):
            print(json.dumps(record))
    if options.verb == "report":
        report(options.path)
    if options.verb != "measure":
        sys.exit(0)
    sys.exit(1 if Lanes(options).run() else 0)


if __name__ == "__main__":
    main()
