# SPDX-License-Identifier: MIT
"""Hierarchical rooflines: the bytes that each schedule moves through each memory, and its operations, as counted.

`tessera-cli bench --counters` counts the hardware's bytes and operations, kernel by kernel, and places a run beside the
measured roofs of the GPU. Nothing is counted twice; a claim compares two schedules of one sample. Where nothing was counted,
what `tessera-cli explain` predicts stands in its place, with the times that were measured, and the report says so.
"""
import statistics

from paper_runs import MARGIN, add_row, answer_of, claims_lines, micro, run

# A count without the ways of timing that a roofline does not need.
BENCH = ("--counters", "--json", "--no-single", "--no-cold", "--no-graph", "--no-allocating", "--no-kernels", "--batches", 7)


def counted(cli, bundle, seconds):
    """What the hardware counted of a bundle, and why it did not."""
    done = run([cli, "bench", bundle, *BENCH, "--roofline", bundle / "roofline.csv", "--timeout", f"{seconds:.0f}"], seconds + 60)
    answer = answer_of(done)
    refused = answer.get("counters", {}).get("refused", "")
    runs = [one for one in answer.get("roofline", {}).get("pipelines", []) if one["numbers"] == "measured"]
    if not runs or refused:
        return None, refused or answer.get("error", {}).get("message", "") or done.stderr.strip()[-300:]
    return {"run": runs[0], "ceilings": answer["roofline"]["ceilings"], "machine": answer["machine"],
            "kernels": answer["counters"]["kernels"]}, ""


def predicted(cli, opened, schedule, folder, seconds):
    """What our model says of a schedule of a pipeline that is `opened` by these words, and why it says nothing."""
    done = run([cli, "explain", *opened, "--schedule", schedule, "--roofline", folder / "roofline.csv", "--json"], seconds)
    answer = answer_of(done)
    runs = answer.get("roofline", {}).get("pipelines", [])
    if not runs:
        return None, answer.get("error", {}).get("message", "") or done.stderr.strip()[-300:]
    return {"run": runs[0], "ceilings": answer["roofline"]["ceilings"], "machine": answer["machine"]}, ""


def found_schedule(cli, sample, word, folder, seconds):
    """The schedule of a word of `compare`, as `explain` takes it: by hand, by one of our searches, by one of Halide's."""
    if word == "manual":
        return word
    algorithm, _, parameters = word.partition(":")
    if algorithm.startswith(("auto", "mullapudi", "polymage", "dp-")) and algorithm != "mullapudi2016":
        given = [part for one in parameters.split(";") if one for part in ("--param", one)]
        run([cli, "schedule", sample, "--algorithm", algorithm, *given, "-o", folder / "found.json"], seconds)
        return folder / "found.json"
    run([cli, "peers", sample, "--only", word, "-o", folder], seconds)
    return folder / f"{word}.schedule.h"


def count_all(experiment, options, path, known, bundle_of):
    """Counts each sample and schedule of an experiment that was compared. Returns how often that failed."""
    failed = 0
    for sample in experiment["samples"]:
        for word in experiment["with"]:
            bundle = bundle_of(experiment, sample, word)
            if (sample, word) in known or not bundle:
                continue
            counts, why = counted(options.cli, bundle, options.seconds)
            if counts is None:
                failed += 1
                print(f"{sample}, {word}: not counted: {why}", flush=True)
                continue
            add_row(path, {"counted": experiment["id"], "sample": sample, "word": word, **counts})
            print(f"{sample}, {word}: counted", flush=True)
    return failed


class Counts:
    """What was counted, by sample and word. `best_of` gives names to the faster of several."""

    def __init__(self, experiment, results, how="counted"):
        self.experiment = experiment
        self.found = {(row["sample"], row["word"]): row for row in results if row.get(how) == experiment["id"]}

    def run(self, sample, word):
        words = self.experiment.get("best_of", {}).get(word)
        if words:
            runs = [self.run(sample, one) for one in words]
            return min(runs, key=lambda one: one["ms"]) if all(runs) else None
        row = self.found.get((sample, word))
        return counted_whole(row) if row else None

    def ceilings(self):
        return next((row["ceilings"] for row in self.found.values()), None)

    def value(self, sample, word, quantity):
        run_of = self.run(sample, word)
        return quantity_of(run_of, quantity) if run_of else None


def floats(run_of):
    """None of the papers' pipelines has half floats: what is counted of them are constants, which the compiler moves into
    registers by HFMA2."""
    return run_of["operations"]["fp64"] + run_of["operations"]["fp32"]


def bytes_at(run_of, level):
    """Bytes through a level of the memory: the first-level cache and shared memory are one."""
    names = ("l1", "shared") if level == "l1" else (level,)
    parts = [run_of["bytes"][name] for name in names]
    return sum(parts) if None not in parts else None


def counted_whole(row):
    """The run of a counted row. A kernel that the program has and never launches has no counters, and until e52a632e `bench` had
    no sum for the whole then: here it is that of the kernels which ran."""
    run_of, kernels = row["run"], row.get("kernels")
    if not kernels or run_of["bytes"]["dram"] is not None:
        return run_of
    parts = {"dram": ("dram_read_bytes", "dram_write_bytes"), "l2": ("l2_bytes",)}
    moved = {level: sum(kernel[name] for kernel in kernels for name in names) for level, names in parts.items()}
    roofs = dict(run_of["roofs_ms"], **{level: 1e3 * moved[level] / row["ceilings"][f"{level}_bytes_per_second"] for level in moved})
    binding = max(roofs, key=roofs.get)
    return dict(run_of, bytes=dict(run_of["bytes"], **moved), roofs_ms=roofs, binding=binding,
                reached=roofs[binding] / run_of["ms"])


def quantity_of(run_of, quantity):
    """bytes/LEVEL, intensity/LEVEL (float operations a byte), performance (float operations a second), operations, or
    reached/LEVEL (the part of that roof's bandwidth that is used)."""
    what, _, level = quantity.partition("/")
    seconds = run_of["ms"] / 1e3
    if what == "operations":
        return floats(run_of)
    if what == "performance":
        return floats(run_of) / seconds
    moved = bytes_at(run_of, level)
    if not moved:
        return None
    if what == "bytes":
        return moved
    if what == "intensity":
        return floats(run_of) / moved
    return run_of["roofs_ms"]["l1_shared" if level == "l1" else level] / run_of["ms"]


def judged(claim, counts):
    """A claim is of one number that is to be `least` or `most`: of one schedule, or of one over another. It holds where it
    does for all samples that have the number, or for `count` of them."""
    values = []
    for sample in claim["samples"]:
        found = [counts.value(sample, word, claim["quantity"]) for word in claim["of"]]
        if all(found):
            values.append(found[0] / found[1] if len(found) == 2 else found[0])
    if not values:
        return "not measured", None
    text = ", ".join(f"{value:.2f}" for value in values)
    least, most = MARGIN * claim.get("least", 0), claim.get("most", float("inf")) / MARGIN
    holds = sum(least <= value <= most for value in values)
    if len(claim["samples"]) > 1:
        text += f": {holds} of {len(values)}"
    return text, holds >= min(claim.get("count", len(values)), len(values))


def claimed_text(claim):
    bounds = [f"{word} {claim[key]}" for key, word in (("least", "at least"), ("most", "at most")) if key in claim]
    return " and ".join(bounds) + (f", of {claim['count']}" if "count" in claim else "")


def cell(value, scale=1.0, digits=2):
    return f"{value / scale:,.{digits}f}" if value is not None else "–"


def roofs_line(ceilings):
    return (f"Roofs ({ceilings['source']}): DRAM {ceilings['dram_bytes_per_second'] / 1e12:.2f} TB/s, L2 "
            f"{ceilings['l2_bytes_per_second'] / 1e12:.2f}, L1 {ceilings['l1_bytes_per_second'] / 1e12:.1f}, shared memory "
            f"{ceilings['shared_bytes_per_second'] / 1e12:.1f}; {ceilings['fp32_per_second'] / 1e12:.1f} TFLOP/s.")


def roofs_table(counts):
    lines = ["| application | schedule | time, µs | GFLOP/s | FLOP per byte of DRAM | of L2 | of L1 and shared | DRAM, MB | "
             "binds | reached |", "|---|---|---|---|---|---|---|---|---|---|"]
    for sample in counts.experiment["samples"]:
        for word in counts.experiment["with"]:
            one = counts.run(sample, word)
            if one:
                cells = [sample, word, micro(one["ms"] / 1e3), cell(quantity_of(one, "performance"), 1e9, 0)]
                cells += [cell(quantity_of(one, f"intensity/{level}")) for level in ("dram", "l2", "l1")]
                cells += [cell(bytes_at(one, "dram"), 1e6, 1), one["binding"], f"{100 * one['reached']:.0f} %"]
                lines.append("| " + " | ".join(cells) + " |")
    return [*lines, ""]


MODEL = {"bytes of DRAM": lambda one: bytes_at(one, "dram"), "of L2": lambda one: bytes_at(one, "l2"),
         "of L1 and shared": lambda one: bytes_at(one, "l1"), "float operations": floats,
         "integer instructions": lambda one: one["operations"]["integer"]}


def model_cell(ratios):
    """The median of some ratios, the least and the greatest."""
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})" if ratios else "–"


def model_table(counts, predictions):
    """What our model predicts over what was counted, where there is both."""
    lines = []
    for sample in counts.experiment["samples"]:
        both = [(predictions.run(sample, word), one) for word in counts.experiment["with"]
                if (one := counts.run(sample, word)) and predictions.run(sample, word)]
        cells = [model_cell([quantity(said) / quantity(one) for said, one in both
                             if quantity(one) and quantity(said) is not None]) for quantity in MODEL.values()]
        lines += [f"| {sample} | " + " | ".join(cells) + " |"] if both else []
    if not lines:
        return []
    return ["What our model predicts of these schedules over what was counted: the median, the least and the greatest.", "",
            "| application | " + " | ".join(MODEL) + " |", "|---" * (len(MODEL) + 1) + "|", *lines, ""]


def left_out(counts):
    """Which samples were not counted at all."""
    missing = [sample for sample in counts.experiment["samples"] if not any(sample == one for one, _ in counts.found)]
    return [f"Not counted: {', '.join(missing)}.", ""] if missing else []


PREDICTED = "**Nothing was counted**: bytes and operations are those that our model predicts. The times are measured."


def report_lines(experiment, results, seconds_of):
    """`seconds_of` has what was measured of a sample and word, for what is predicted alone."""
    counts, predictions = Counts(experiment, results), Counts(experiment, results, "predicted")
    notes, beside = left_out(counts), model_table(counts, predictions)
    if not counts.found:
        counts, notes, beside = predictions, [PREDICTED, ""], []
        for (sample, word), row in list(counts.found.items()):
            seconds = seconds_of(sample, word)
            if not seconds:
                del counts.found[sample, word]
                continue
            one = row["run"]
            reached = one["reached"] * one["ms"] / (1e3 * seconds)
            counts.found[sample, word] = dict(row, run=dict(one, ms=1e3 * seconds, reached=reached))
    if not counts.found:
        return []
    judgements = [(claim["says"], claimed_text(claim), *judged(claim, counts)) for claim in experiment["claims"]]
    return notes + claims_lines(judgements) + [roofs_line(counts.ceilings()), ""] + roofs_table(counts) + beside
