# SPDX-License-Identifier: MIT
"""What Nsight Compute prints of kernels, and how far our counters are from it."""
import csv
import re

_OPERATIONS = {"add": 1, "mul": 1, "fma": 2}


def _executed(letter, factor):
    return {f"smsp__sass_thread_inst_executed_op_{letter}{name}_pred_on.sum": factor * count
            for name, count in _OPERATIONS.items()}


# Our counters, and the metrics whose weighed sum they are.
COUNTERS = {
    "dram": {"dram__bytes_read.sum": 1, "dram__bytes_write.sum": 1},
    "l2": {"lts__t_bytes.sum": 1},
    "l1": {"l1tex__t_bytes.sum": 1},
    "shared": {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum": 128},
    "occupancy": {"sm__warps_active.avg.pct_of_peak_sustained_active": 0.01},
    "fp32": _executed("f", 1),
    "integers": {"smsp__sass_thread_inst_executed_op_integer_pred_on.sum": 1},
}
KEYS = tuple(COUNTERS)
METRICS = sorted({metric for terms in COUNTERS.values() for metric in terms})

# Below these a counter is next to nothing, and a part of it says nothing.
_NEXT_TO_NOTHING = {"dram": 1 << 16, "l2": 1 << 16, "l1": 1 << 16, "shared": 1 << 16,
                    "occupancy": 0.005, "fp32": 1e4, "integers": 1e4}


def refusal_of(text):
    """Why ncu may not count, in its words; nothing where it may."""
    for line in text.splitlines():
        if "ERR_NVGPUCTRPERM" in line or "==ERROR==" in line:
            return line.strip()
    return ""


def _number(text):
    return float(text.replace(",", ""))


def kernels_of_ncu(text):
    """By kernel, the counters of all its launches: bytes and operations added, shares averaged."""
    lines = [line for line in text.splitlines() if line and not line.startswith("==")]
    rows = list(csv.DictReader(lines))
    totals = {}
    for row in rows:
        if not (row.get("ID") or "").isdigit():
            continue  # the row of units
        name = re.sub(r"\(.*", "", row["Kernel Name"]).strip()
        metrics = totals.setdefault(name, {})
        for metric in METRICS:
            if row.get(metric):
                metrics.setdefault(metric, []).append(_number(row[metric]))
    return {name: _counters_of(metrics) for name, metrics in totals.items()}


def _counters_of(metrics):
    counters = {}
    for key, terms in COUNTERS.items():
        if not all(metric in metrics for metric in terms):
            continue
        amounts = [factor * sum(metrics[metric]) for metric, factor in terms.items()]
        launches = len(next(iter(metrics.values())))
        counters[key] = sum(amounts) / (launches if key == "occupancy" else 1)
    return counters


def ours(kernel):
    """A kernel's counters as tessera-gpu sends them, by the same names."""
    known = {"l2": kernel["l2_bytes"], "l1": kernel["l1_bytes"], "shared": kernel["shared_bytes"],
             "occupancy": kernel["occupancy"], "fp32": kernel["fp32_operations"],
             "integers": kernel["integer_instructions"], "dram": None}
    if kernel["dram_read_bytes"] is not None and kernel["dram_write_bytes"] is not None:
        known["dram"] = kernel["dram_read_bytes"] + kernel["dram_write_bytes"]
    return {key: value for key, value in known.items() if value is not None}


def compared(kernel, theirs, tolerance):
    """How far each counter is off, as a part of what ncu says."""
    mine, off = ours(kernel), {}
    for key in KEYS:
        if key not in mine or key not in theirs:
            continue
        difference = mine[key] - theirs[key]
        small = max(mine[key], theirs[key]) < _NEXT_TO_NOTHING[key]
        off[key] = 0.0 if small or difference == 0 else difference / max(theirs[key], 1e-300)
    return {"kernel": kernel["name"], "ours": mine, "ncu": theirs, "off": off,
            "agrees": all(abs(part) <= tolerance for part in off.values())}
