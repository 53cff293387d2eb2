#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Schedules that tunings measured, as lines of time_bundles: what fit_times and rank_times read.

  from_tunings.py [--fastest N] [--others N] STORE… [--compared FOLDER…] > OUT.jsonl

Of each pipeline of each store (the SQLite file of `tessera-cli tune --store`) the N fastest, and so
many of the others, at even distances by time. Kernels were timed by events, which add to each
launch what is taken away here. A FOLDER is a comparison that was measured, with its comparison.json
of `compare --json` beside its bundles: our schedules in it count as a whole, no kernel has a time.
"""
import argparse
import json
import pathlib
import sqlite3

EVENT_MS = 2.4e-3  # more than a run of its one kernel, in the median of 2,000 schedules on an H200
LEAST_MS = 6e-3  # below, that is too large a part of it
OURS = ["manual", "auto", "refined", "tuned"]


def kernels_of(report, measurement):
    times = {kernel["name"]: kernel for kernel in measurement["kernels"]}
    kernels = []
    for kernel in report["kernels"]:
        timed = times.get(kernel["name"])
        if timed and timed["seconds"] and 1e3 * timed["seconds"]["median"] >= LEAST_MS:
            kernel["ms"] = 1e3 * timed["seconds"]["median"] - EVENT_MS
        kernels.append(kernel)
    return kernels


def chosen(rows, fastest, others):
    rows = sorted(rows, key=lambda row: row["seconds"])
    rest = rows[fastest:]
    step = max(1, len(rest) // others) if others else len(rest) + 1
    return rows[:fastest] + rest[step - 1::step]


def lines_of(store, fastest, others):
    base = sqlite3.connect(f"file:{store}?mode=ro&immutable=1", uri=True)
    base.row_factory = sqlite3.Row
    for context in base.execute("SELECT id, pipeline FROM contexts").fetchall():
        rows = base.execute(
            "SELECT hash, seconds, report, measurement FROM candidates "
            "WHERE context = ? AND seconds IS NOT NULL", (context["id"],)).fetchall()
        for row in chosen(rows, fastest, others):
            report, measurement = json.loads(row["report"]), json.loads(row["measurement"])
            spread = measurement["back_to_back"]
            yield {"pipeline": context["pipeline"],
                   "case": f"{context['pipeline']}.tuned.{row['hash']}",
                   "ms": 1e3 * row["seconds"],
                   "quartiles": [1e3 * spread["lower_quartile"], 1e3 * spread["upper_quartile"]],
                   "runs": spread["samples"], "register_cap": report["register_cap"],
                   "kernels": kernels_of(report, measurement), "directives": report["directives"]}


def lines_of_comparison(folder):
    comparison = json.loads((folder / "comparison.json").read_text(encoding="utf-8"))
    for one in comparison["contenders"]:
        if one["seconds"] is None or one["opaque"] or one["name"] not in OURS:
            continue
        report = json.loads((folder / "bundles" / one["name"] / "bundle.json").read_text(
            encoding="utf-8"))
        yield {"pipeline": comparison["pipeline"],
               "case": f"{comparison['pipeline']}.{one['name']}.{one['schedule_hash']}",
               "ms": 1e3 * one["seconds"], "register_cap": report["register_cap"],
               "kernels": report["kernels"], "directives": report["directives"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fastest", type=int, default=40)
    parser.add_argument("--others", type=int, default=40)
    parser.add_argument("stores", nargs="*")
    parser.add_argument("--compared", nargs="*", type=pathlib.Path, default=[])
    options = parser.parse_args()
    for store in options.stores:
        for line in lines_of(store, options.fastest, options.others):
            print(json.dumps(line))
    for folder in options.compared:
        for line in lines_of_comparison(folder):
            print(json.dumps(line))


if __name__ == "__main__":
    main()
