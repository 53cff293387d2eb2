# SPDX-License-Identifier: MIT
"""Schedules made for each of several problem sizes, beside one schedule for all of them.

A *point* is one size of a sample. The algorithm makes a schedule for each, and each is compiled and measured at every
point. The one schedule for all is that of the point which the experiment names as `fixed`, or else the one that is the
best on average when run at all points.
"""
import pathlib
import statistics

from paper_runs import MARGIN, claims_lines, micro, run


def name_of(experiment, point):
    return f"{experiment['id']}-{point}"


def pipeline_words(experiment, point, cli, samples):
    """What `schedule` and `compare` are told to open the sample at this point."""
    setting = experiment["points"][point]
    sample = experiment["sample"]
    if "generator" in setting:
        words = [cli.parent / f"{sample}.generator", "--trust", "--generator", sample]
        for name, value in setting["generator"].items():
            words += ["--param", f"{name}={value}"]
        return words
    words = [samples / f"{sample}.hlpipe"]
    for estimate in setting["estimates"]:
        words += ["--estimate", estimate]
    return words


def schedule_file(folder, experiment, point):
    return folder / "schedules" / experiment["id"] / f"{point}.json"


def make_schedules(options, experiment):
    """The schedule of each point. Returns what went wrong, by point."""
    failed = {}
    for point in experiment["points"]:
        path = schedule_file(options.folder, experiment, point)
        if path.exists():
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        done = run([options.cli, "schedule", *pipeline_words(experiment, point, options.cli, options.samples), "--algorithm",
                    experiment["algorithm"], "-o", path, "--json"], options.seconds)
        if done.returncode != 0:
            failed[point] = (done.stderr or done.stdout).strip()[-400:]
    return failed


def same_schedules(folder, experiment):
    """By point, the first point that has the same schedule. Points without a schedule are left out."""
    first, found = {}, {}
    for point in experiment["points"]:
        path = schedule_file(folder, experiment, point)
        if path.exists():
            found[point] = first.setdefault(path.read_bytes(), point)
    return found


def compare_words(options, experiment, point):
    """What `compare` is told to compile the different schedules at this point."""
    different = dict.fromkeys(same_schedules(options.folder, experiment).values())
    files = [str(schedule_file(options.folder, experiment, one)) for one in different]
    return [*pipeline_words(experiment, point, options.cli, options.samples), "--with", ",".join(files)]


class Points:
    """What the schedule of each point takes at each point, in seconds."""

    def __init__(self, experiment, results, key="seconds"):
        self.experiment = experiment
        self.names = list(experiment["points"])
        rows = [row for row in results if row.get("experiment") == experiment["id"]]
        self.found = {row["point"]: {pathlib.Path(one["word"]).stem: one.get(key) for one in row["contenders"]} for row in rows}
        self.same = rows[0]["same"] if rows else {}

    def seconds(self, point, schedule):
        return self.found.get(point, {}).get(self.same.get(schedule))

    def own(self, point):
        return self.seconds(point, point)

    def measured(self):
        return [point for point in self.names if self.own(point)]

    def fixed(self):
        """The point whose schedule serves all."""
        if "fixed" in self.experiment:
            return self.experiment["fixed"]
        points = self.measured()
        runs_everywhere = [one for one in self.names if points and all(self.seconds(point, one) for point in points)]
        return min(runs_everywhere, default=None,
                   key=lambda one: statistics.geometric_mean([self.seconds(point, one) for point in points]))

    def gains(self):
        """How many times as long the one schedule for all takes as the point's own."""
        fixed = self.fixed()
        return {point: self.seconds(point, fixed) / self.own(point)
                for point in self.measured() if self.seconds(point, fixed)}


def judged(claim, points):
    gains = list(points.gains().values())
    if not gains:
        return "not measured", None
    if claim["kind"] == "up to":
        return f"{max(gains):.2f}, of {len(gains)}", max(gains) >= MARGIN * claim["claimed"]
    if claim["kind"] == "at most":
        return f"{max(gains):.2f}, of {len(gains)}", max(gains) <= claim["claimed"] / MARGIN
    least = claim["least"]
    count = sum(gain >= least for gain in gains)
    return f"{count} of {len(gains)}", count >= claim["claimed"]


def points_table(measured, predicted):
    fixed, foreseen = measured.fixed(), predicted.fixed()
    different = len(set(measured.same.values()))
    gains, foreseen_gains = measured.gains(), predicted.gains()
    lines = ["| size | its own schedule, µs | the one for all, µs | gain | predicted gain |", "|---|---|---|---|---|"]
    for point in measured.names:
        cells = [micro(measured.own(point)), micro(measured.seconds(point, fixed))]
        cells += [f"{found[point]:.2f}" if point in found else "–" for found in (gains, foreseen_gains)]
        lines.append(f"| {point} | " + " | ".join(cells) + " |")
    schedules = "One schedule" if different == 1 else f"{different} different schedules"
    chosen = f"{schedules} for {len(measured.names)} sizes; the one for all is made for {fixed}"
    chosen += "." if foreseen == fixed else f", by the predictions for {foreseen}."
    return [chosen, "", *lines, ""]


def report_lines(experiment, results):
    measured, predicted = Points(experiment, results), Points(experiment, results, "predicted_seconds")
    if not measured.measured():
        return []
    judgements = [(claim["says"], claim["claimed"], *judged(claim, measured)) for claim in experiment["claims"]]
    return claims_lines(judgements) + points_table(measured, predicted)
