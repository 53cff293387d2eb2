#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures what Tessera makes of the samples beside schedules by hand and Halide's autoschedulers.

  measure_samples.py measure CLI FOLDER [SAMPLE…] [--budget 60s] [--gpus 0,1] [--jobs N]
                             [--workers N] [--others] [--report RESULTS.md]
  measure_samples.py collect FOLDER > RESULTS.jsonl
  measure_samples.py report FOLDER|RESULTS.jsonl [--published COMPARED.jsonl…] > samples/RESULTS.md

`measure` asks the GPU what it is and measures its ceilings, tunes each SAMPLE (a NAME.hlpipe; unset:
the seventeen that lie beside CLI, with --others all), goes on tuning from the schedule by hand,
prepares a comparison of both results with all others while the GPU goes on, and measures that in
turns of its candidates. It needs a GPU and leaves
what FOLDER has already, so it may be ended and started again; --report writes the table whenever a
sample is done. `collect` keeps the numbers of FOLDER, a line a sample; `report` needs nothing but
these. With --published, its first table is that of the published applications, of the campaign ../published.
"""
import argparse
import datetime
import json
import math
import os
import pathlib
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "published"))
import published_table  # noqa: E402
from whole_files import write  # noqa: E402

# The samples of published applications, whose experts' schedules are the bar; others stand apart.
SEVENTEEN = ["blur", "unsharp", "harris", "hist", "bilateral_grid", "camera_pipe", "interpolate",
             "local_laplacian", "lens_blur", "nl_means", "max_filter", "stencil_chain", "iir_blur",
             "bgu", "depthwise_separable_conv", "conv_layer", "mat_mul"]
# What the published schedules take, in microseconds (samples/measure/LOG.md has them beside ours).
EXPERTS = {"blur": 10.3, "unsharp": 49.5, "harris": 27.8, "hist": 171.1, "bilateral_grid": 69.6,
           "camera_pipe": 121.1, "interpolate": 125.9, "local_laplacian": 362.1, "lens_blur": 160.8,
           "nl_means": 2967, "max_filter": 5871, "stencil_chain": 428.7, "iir_blur": 690.7,
           "bgu": 150.5, "depthwise_separable_conv": 20.1, "conv_layer": 305.0, "mat_mul": 190.8}
# Halide's autoschedulers by their word, and the heads of their columns.
PEER_HEADS = {"li2018": "Li2018", "mullapudi2016": "Mullapudi2016", "mullapudi2016-4096": "the same, 4096 blocks",
              "anderson2021": "Anderson2021", "anderson2021-default": "the same, defaults"}
PEERS = list(PEER_HEADS)
PUBLISHED = ["expert", *PEERS]
OURS = ["auto", "refined", "tuned", "from_hand"]
CANDIDATES = ["manual", "auto", "refined", *PEERS]


def next_step(folder):
    """What is to be done of a sample: tune, prepare, compare or None. Times without a floor are of a
    program or a machine that knew no ceilings; where the bundles are there still, they are taken
    again."""
    is_prepared = (folder / "bundles" / "comparison.json").exists()
    if (folder / "comparison.json").exists():
        comparison = json.loads((folder / "comparison.json").read_text(encoding="utf-8"))
        has_floor = "seconds" in (comparison.get("floor") or {})
        return "compare" if is_prepared and not has_floor else None
    if is_prepared:
        return "compare"
    if not (folder / "tune.json").exists():
        return "tune"
    return "prepare" if (folder / "from_hand.tune.json").exists() else "tune_from_hand"


class Lanes:
    """One thread a GPU, and some that prepare. A comparison that is ready goes before a tuning, so
    that what is done is kept when time is up."""

    def __init__(self, options):
        self.options = options
        self.changed = threading.Condition()
        self.queues = {"tune": [], "tune_from_hand": [], "prepare": [], "compare": []}
        self.machine = options.machine
        self.failed = 0
        for sample in options.samples:
            folder = options.folder / pathlib.Path(sample).stem
            folder.mkdir(parents=True, exist_ok=True)
            if step := next_step(folder):
                self.queues[step].append((sample, folder))
        self.unfinished = sum(map(len, self.queues.values()))

    def run(self):
        if self.unfinished > 0:
            for gpu in self.options.gpus:
                self.describe(gpu)
        self.say(f"{self.unfinished} of {len(self.options.samples)} samples to do: " + ", ".join(
            f"{len(queue)} to {step}" for step, queue in self.queues.items()))
        lanes = [threading.Thread(target=self.work,
                                  args=(["compare", "tune_from_hand", "tune"], gpu))
                 for gpu in self.options.gpus]
        lanes += [threading.Thread(target=self.work, args=(["prepare"], None))
                  for _ in range(self.options.jobs)]
        for lane in lanes:
            lane.start()
        for lane in lanes:
            lane.join()
        self.say(f"done, {self.failed} of them failed")
        return self.failed

    def say(self, text):
        print(f"{datetime.datetime.now():%H:%M:%S} {text}", flush=True)

    def describe(self, gpu):
        """Which machine the GPU is, and its ceilings: without these there is no floor."""
        probed = self.options.folder / "machine.json"
        ran = self.call(["machine", "probe", "-o", str(probed)], self.options.seconds, gpu)
        if ran.returncode != 0:
            self.say(f"GPU {gpu} does not say what it is: {last_words(ran)}")
        elif not self.machine:
            self.machine = self.shipped_machine(probed) or str(probed)
        ran = self.call(["machine", "ceilings", "--json"], self.options.seconds, gpu)
        if ran.returncode != 0:
            self.say(f"GPU {gpu} has no measured ceilings: {last_words(ran)}")
            return
        write(self.options.folder / f"ceilings-{gpu}.json", ran.stdout)
        ceilings = json.loads(ran.stdout)
        self.say(f"GPU {gpu}: {ceilings['machine']}, driver {ceilings['driver']}, ceilings of "
                 f"{ceilings['date']}; scheduled for {self.machine}")

    def shipped_machine(self, probed):
        """Its name, where one is of this GPU."""
        title = json.loads(probed.read_text(encoding="utf-8"))["title"]
        listed = self.call(["machine", "list", "--gpu", title, "--json"], self.options.seconds)
        machines = json.loads(listed.stdout)["machines"] if listed.returncode == 0 else []
        return machines[0]["name"] if machines else None

    def take(self, steps):
        """The first of the first step that has any; None: all is done."""
        with self.changed:
            while self.unfinished > 0:
                for step in steps:
                    if self.queues[step]:
                        return step, self.queues[step].pop(0)
                self.changed.wait()
        return None

    def work(self, steps, gpu):
        while taken := self.take(steps):
            step, (sample, folder) = taken
            self.say(f"{folder.name}: {step}")
            ran = getattr(self, step)(sample, folder, gpu)
            with self.changed:
                after = next_step(folder) if ran.returncode == 0 else None
                # A comparison that still knows no floor is as good as it gets.
                if after and after != step:
                    self.queues[after].append((sample, folder))
                else:
                    self.unfinished -= 1
                if ran.returncode != 0:
                    self.failed += 1
                    self.say(f"{folder.name}: {step} failed: {last_words(ran)}")
                if step == "compare" and self.options.report:
                    write(self.options.report, report_text(self.options.folder))
                self.changed.notify_all()

    def call(self, arguments, seconds, gpu=None):
        environment = dict(os.environ)
        if gpu is not None:
            environment["CUDA_VISIBLE_DEVICES"] = gpu
        try:
            return subprocess.run([self.options.cli, *arguments], capture_output=True, text=True,
                                  timeout=seconds, check=False, env=environment)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess([], 124, "", f"not done within {seconds} s")

    def machine_words(self):
        return ["--machine", self.machine] if self.machine else []

    def tune(self, sample, folder, gpu):
        for store in folder.glob("tune.sqlite*"):  # of a run that was killed: the budget is for all
            store.unlink()
        ran = self.tuned(sample, folder, gpu, self.options.budget, "tuned.json")
        if ran.returncode == 0:
            write(folder / "tune.json", ran.stdout)
        return ran

    def tune_from_hand(self, sample, folder, gpu):
        """Goes on with what the tuning knows, and the schedule by hand beside. Where that is beyond
        what we can say, the comparison does without."""
        ran = self.tuned(sample, folder, gpu, self.options.hand_budget, "from_hand.json",
                         "--freeze", "manual")
        done = ran.stdout if ran.returncode == 0 else json.dumps({"failed": last_words(ran)})
        write(folder / "from_hand.tune.json", done)
        return subprocess.CompletedProcess([], 0)

    def tuned(self, sample, folder, gpu, budget, output, *words):
        ran = self.call(["tune", sample, "--budget", budget, "--workers",
                         str(self.options.workers), *self.machine_words(), *words, "--store",
                         str(folder / "tune.sqlite"), "-o", str(folder / output), "--json"],
                        self.options.seconds, gpu)
        if ran.returncode == 0:
            tuned = json.loads(ran.stdout)
            self.say(f"{folder.name}: {output} takes {micro(tuned['best_seconds'])} us, "
                     f"{tuned['measured']} measured")
        return ran

    def prepare(self, sample, folder, _):
        tuned = [folder / f"{name}.json" for name in ("tuned", "from_hand")]
        candidates = CANDIDATES + [str(file) for file in tuned if file.exists()]
        return self.call(["compare", sample, "--with", ",".join(candidates), *self.machine_words(),
                          "--prepare", str(folder / "bundles"),
                          "--peer-timeout", str(self.options.peer_seconds)], self.options.seconds)

    def compare(self, _, folder, gpu):
        ran = self.call(["compare", str(folder / "bundles"), "--rounds", str(self.options.rounds),
                         "--json"], self.options.seconds, gpu)
        if ran.returncode == 0:
            write(folder / "comparison.json", ran.stdout)
            self.say(f"{folder.name}: " + ", ".join(
                f"{one['name']} {micro(one['seconds'])}"
                for one in json.loads(ran.stdout)["contenders"]))
        return ran


def last_words(ran):
    return (ran.stderr or ran.stdout).strip()[-500:] or str(ran.returncode)


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
        self.ceilings = floor.get("ceilings") if self.floor else None
        self.expert = EXPERTS[self.name] * 1e-6 if self.name in EXPERTS else None

    def seconds(self, name):
        if name == "expert":  # known from another day
            return self.expert
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


def peer_words(samples):
    if "anderson2021-default" not in peers_of(samples):
        return " with their plugins' defaults"
    return ("; Mullapudi2016 is told of at least 128 blocks, as in its paper, and Anderson2021 makes 80 samples as in its "
            "paper, of which the best by its own model counts")


def peers_of(samples):
    return [peer for peer in PEERS if any(peer in sample.contenders for sample in samples)]


def table(samples):
    peers = peers_of(samples)
    columns = ["manual", *peers, *OURS]
    heads = ["sample", "expert", "by hand", *(PEER_HEADS[peer] for peer in peers), "auto", "refined", "tuned", "from hand",
             "best of others / tuned", "/ from hand", "floor", "ours / floor", "tried"]
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    for sample in samples:
        cells = [sample.name, micro(sample.expert) if sample.expert else "–",
                 *(sample.cell(name) for name in columns),
                 times(sample.ratio(["manual", *PEERS], "tuned")),
                 times(sample.ratio(["manual", *PEERS], "from_hand")),
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


def goal_line(name, samples, ours):
    ratios = [ratio for sample in samples if (ratio := sample.ratio(["manual", *PEERS], ours))]
    return [f"geometric mean {name} vs best: {geometric_mean(ratios):.2f}", ""] if ratios else []


def floor_words(samples):
    """What the floors rest on, and of whom they are missing."""
    ceilings = sorted({sample.ceilings for sample in samples if sample.ceilings})
    without = [sample.name for sample in samples if not sample.floor]
    words = f"Floors by ceilings {'; '.join(ceilings)}." if ceilings else ""
    if without:
        names = ", ".join(without) if len(without) < len(samples) else "any"
        words += (f" No floor of {names}: no ceilings of the GPU were known when they "
                  "were compared (`tessera-cli machine ceilings`).")
    return words.strip()


def program_words(samples):
    """Whose times they are: of one program, but for the samples that are named."""
    by_program = {}
    for sample in samples:
        if measurement := sample.measurement():
            by_program.setdefault(measurement["program"], []).append(sample.name)
    programs = sorted(by_program, key=lambda program: -len(by_program[program]))
    others = [f"{', '.join(by_program[program])}: {program}" for program in programs[1:]]
    return programs[0] + (f" ({'; '.join(others)})" if others else "")


def published_lines(paths):
    runs = [published_table.rows_of(path) for path in paths]
    first = next((one["measurement"] for run in runs for row in run for one in row["contenders"] if one.get("measurement")), None)
    where = f"{first['machine']}, driver {first['driver'] or 'not told'}, {first['date'][:10]}. " if first else ""
    return ["## Halide's own applications, with the schedules of their authors", "",
            f"{where}Microseconds. *Stock Halide* is the generator's own program with its own benchmark, the best of its runs; all else "
            "is measured in turns, medians, and its outputs are compared with the reference. What a run left out is from the one "
            "before it on the same kind of GPU, the same day. Made by `tests/campaigns/published/campaign`.", "",
            *published_table.lines(runs), "", "## Our own versions of them, and others", ""]


def report_text(path, published=()):
    samples = [Sample(record) for record in records(path)]
    ours = [sample for name in SEVENTEEN for sample in samples if sample.name == name]
    others = [sample for sample in samples if sample.name not in SEVENTEEN]
    lines = ["<!-- SPDX-License-Identifier: MIT -->", "# What the samples take", ""]
    lines += published_lines(published) if published else []
    measurement = next(filter(None, (sample.measurement() for sample in samples)), None)
    if measurement:
        lines += [f"{measurement['machine']}, driver {measurement['driver'] or 'not told'}, "
                  f"{measurement['date'][:10]}, tessera-gpu {program_words(samples)}. "
                  "Microseconds of a run, runs one after the other, medians. All candidates of a "
                  "sample are measured in turns in one process, and each output is compared with "
                  "the reference first.", "",
                  "- *expert*: the published application's own schedule, measured on an H200 with "
                  "Halide 21.0.0, on another day.",
                  "- *by hand*: our own schedule, which stands in for the expert's on the same GPU.",
                  f"- *Li2018*, *Mullapudi2016*, *Anderson2021*: Halide's autoschedulers{peer_words(samples)}.",
                  "- *auto*: one search, without a compiler.",
                  "- *refined*: the best of 16 that were compiled, by the registers that ptxas gives.",
                  "- *tuned*: the best that `tune` found from an empty store; *from hand*: what it "
                  "found when it went on with the schedule by hand beside.",
                  "- *floor*: what the GPU needs at least for the bytes that have to move and the "
                  "operations of the algorithm.",
                  "- *tried*: the candidates that tuning measured.", ""]
    lines += ["Made by `tests/campaigns/results/measure_samples.py`, which anyone with a GPU can run.",
              "", *table(ours), ""]
    missing = [name for name in SEVENTEEN if name not in {sample.name for sample in ours}]
    if missing:
        lines += [f"Not measured: {', '.join(missing)}.", ""]
    if words := floor_words(samples):
        lines += [words, ""]
    lines += goal_line("tune", ours, "tuned") + goal_line("tune from hand", ours, "from_hand")
    lines += ["How many times as long as ours the others take, geometric means:", "",
              mean_line("by hand / auto", ours, ["manual"], "auto"),
              mean_line("by hand / tuned", ours, ["manual"], "tuned"),
              mean_line("best of Halide's three / auto", ours, PEERS, "auto"),
              mean_line("best of Halide's three / tuned", ours, PEERS, "tuned"),
              mean_line("Anderson2021 / auto", ours, ["anderson2021"], "auto"),
              mean_line("expert / auto", ours, ["expert"], "auto"),
              mean_line("expert / tuned", ours, ["expert"], "tuned"),
              mean_line("best of the expert and Halide's three / auto", ours, PUBLISHED, "auto"),
              mean_line("best of the expert and Halide's three / tuned", ours, PUBLISHED, "tuned"),
              ""]
    tunes = [sample.tune for sample in ours if sample.tune]
    if tunes:
        rates = sorted(60 * tune["measured"] / tune["seconds"] for tune in tunes)
        busy = sorted(tune["gpu_busy"] for tune in tunes)
        compilers = sorted(tune["compilers_busy"] for tune in tunes)
        middle = len(tunes) // 2
        seconds = sorted(tune["seconds"] for tune in tunes)
        lines += [f"Tuning took {seconds[0]:.0f} to {seconds[-1]:.0f} s a sample and "
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
    return "\n".join(lines).rstrip() + "\n"


def samples_beside(cli, with_others):
    """Those that are installed or built with the program, the seventeen first."""
    folder = pathlib.Path(cli).resolve().parent.parent / "share" / "tessera" / "samples"
    ours = [folder / f"{name}.hlpipe" for name in SEVENTEEN]
    others = sorted(set(folder.glob("*.hlpipe")) - set(ours)) if with_others else []
    return [str(sample) for sample in ours if sample.exists()] + [str(one) for one in others]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    measure = verbs.add_parser("measure")
    measure.add_argument("cli")
    measure.add_argument("folder", type=pathlib.Path)
    measure.add_argument("samples", nargs="*")
    measure.add_argument("--others", action="store_true", help="also those beside the seventeen")
    measure.add_argument("--report", type=pathlib.Path, metavar="RESULTS.md")
    measure.add_argument("--budget", default="60s")
    measure.add_argument("--hand-budget", default="30s", help="of going on from the one by hand")
    measure.add_argument("--machine", help="to schedule for; unset: the GPU's")
    measure.add_argument("--gpus", default="0", type=lambda text: text.split(","))
    measure.add_argument("--jobs", type=int, default=2, help="comparisons prepared at once")
    measure.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 2) - 2))
    measure.add_argument("--rounds", type=int, default=21)
    measure.add_argument("--seconds", type=int, default=600, help="of each call, at most")
    measure.add_argument("--peer-seconds", type=int, default=120)
    for verb in ("collect", "report"):
        verbs.add_parser(verb).add_argument("path", type=pathlib.Path)
    verbs.choices["report"].add_argument("--published", type=pathlib.Path, nargs="+", default=[], metavar="COMPARED.jsonl")
    options = parser.parse_args()
    if options.verb == "collect":
        for record in records(options.path):
            print(json.dumps(record))
    if options.verb == "report":
        print(report_text(options.path, options.published), end="")
    if options.verb != "measure":
        sys.exit(0)
    options.samples = options.samples or samples_beside(options.cli, options.others)
    if not options.samples:
        parser.error(f"no samples lie beside {options.cli}: name them")
    sys.exit(1 if Lanes(options).run() else 0)


if __name__ == "__main__":
    main()
