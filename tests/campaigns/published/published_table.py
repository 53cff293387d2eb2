# SPDX-License-Identifier: MIT
"""The table of what the campaign of published applications measured."""
import json
import lzma
import math
import pathlib

PEERS = ("li2018", "mullapudi2016", "mullapudi2016-4096", "anderson2021", "anderson2021-default")
OURS = ("auto", "refined")
HEADS = {"manual": "the same, here", "mullapudi2016-4096": "4096 blocks", "anderson2021-default": "defaults"}


def rows_of(path):
    """The lines of a file, which may be packed by xz."""
    path = pathlib.Path(path)
    with (lzma.open if path.suffix == ".xz" else open)(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def time_of(contender):
    """The median time of a contender; None: it was not measured."""
    found = contender.get("seconds")
    return found if isinstance(found, (int, float)) else None


def microseconds(seconds):
    return f"{seconds * 1e6:,.1f}" if seconds else "–"


def merged(runs):
    """One row for each application: what the first run did not measure is the next one's."""
    found = {}
    for rows in runs:
        for row in rows:
            have = found.setdefault(row["application"], {"stock": None, "times": {}, "predicted": None})
            have["stock"] = have["stock"] or row.get("stock")
            for one in row["contenders"]:
                if time_of(one):
                    have["times"].setdefault(one["name"], time_of(one))
                if one["name"] == "manual":
                    have["predicted"] = have["predicted"] or one.get("predicted_seconds")
    return found


def mean_line(words, ratios):
    if not ratios:
        return []
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    return [f"- {words}: {mean:.2f} ({len(ratios)} applications, {min(ratios):.2f} to {max(ratios):.2f})"]


def lines(runs):
    found = merged(runs)
    columns = ("manual", *OURS, *PEERS)
    heads = ["application", "expert, stock Halide", *(HEADS.get(name, name) for name in columns), "predicted", "expert / ours"]
    text = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    offs, autos, ours, others, kept = [], [], [], [], []
    for name, row in found.items():
        times = row["times"]
        expert = times.get("manual") or row["stock"]
        best = min((times[one] for one in OURS if one in times), default=None)
        peers = [times[one] for one in PEERS if one in times]
        if row["predicted"] and times.get("manual"):
            offs.append(abs(math.log2(row["predicted"] / times["manual"])))
        if row["stock"] and times.get("manual"):
            kept.append(times["manual"] / row["stock"])
        if expert and times.get("auto"):
            autos.append(expert / times["auto"])
            ours.append(expert / best)
        if peers and times.get("auto"):
            others.append(min(peers) / times["auto"])
        text.append(f"| {name} | {microseconds(row['stock'])} | " + " | ".join(microseconds(times.get(one)) for one in columns) +
                    f" | {microseconds(row['predicted'])} | {f'{expert / best:.2f}' if expert and best else '–'} |")
    text += ["", "Geometric means, and the least and the greatest:", ""]
    text += mean_line("the expert's schedule here / by stock Halide", kept) + mean_line("expert / auto", autos)
    text += mean_line("expert / best of auto and refined", ours) + mean_line("best of Halide's autoschedulers / auto", others)
    if offs:
        offs.sort()
        text += ["", f"Predictions of the experts' schedules: median |log2(predicted/measured)| {offs[len(offs) // 2]:.2f}, worst "
                 f"{offs[-1]:.2f}, of {len(offs)}."]
    return text
