#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the registers that ptxas counted with those of the driver's own compiler.

  compare_registers.py FOLDER [--ptxas PROGRAM] [--json FILE]

FOLDER holds bundles, or is a .tar.gz of such a folder. Each bundle's PTX is loaded as Halide's runtime loads it: through
cuModuleLoadDataEx with the bundle's register cap. Nothing is launched. With --ptxas that program
assembles the same PTX too, so that a difference can be laid to the version or to the driver.
"""
import argparse
import collections
import ctypes
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

JIT_MAX_REGISTERS = 0  # CUjit_option
ATTRIBUTES = {"shared": 1, "constant": 2, "local": 3, "registers": 4}  # CUfunction_attribute
CAPABILITY_MAJOR, CAPABILITY_MINOR = 75, 76  # CUdevice_attribute
WANTED_SHARE = 0.95
LISTED = 40  # on the terminal; the JSON has all


class Driver:
    """The CUDA driver, without a toolkit."""

    def __init__(self):
        # A cache would answer with what another driver once compiled.
        os.environ["CUDA_CACHE_DISABLE"] = "1"
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        self.device = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(self.device), 0)
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self.device)
        self.call("cuCtxSetCurrent", context)

    def call(self, function, *arguments):
        code = getattr(self.cuda, function)(*arguments)
        if code != 0:
            text = ctypes.c_char_p()
            self.cuda.cuGetErrorString(code, ctypes.byref(text))
            raise RuntimeError(f"{function}: {(text.value or b'?').decode()} ({code})")

    def machine(self):
        name = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", name, 256, self.device)
        version, major, minor = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
        self.call("cuDriverGetVersion", ctypes.byref(version))
        self.call("cuDeviceGetAttribute", ctypes.byref(major), CAPABILITY_MAJOR, self.device)
        self.call("cuDeviceGetAttribute", ctypes.byref(minor), CAPABILITY_MINOR, self.device)
        return {"gpu": name.value.decode(), "driver": driver_release(),
                "cuda": f"{version.value // 1000}.{version.value % 1000 // 10}",
                "architecture": f"sm_{major.value}{minor.value}"}

    def load(self, ptx, cap, kernels):
        """What the driver made of each kernel."""
        options = (ctypes.c_int * 1)(JIT_MAX_REGISTERS)
        values = (ctypes.c_void_p * 1)(cap)
        module = ctypes.c_void_p()
        self.call("cuModuleLoadDataEx", ctypes.byref(module), ctypes.c_char_p(ptx), 1, options,
                  values)
        found = {}
        for kernel in kernels:
            function, value = ctypes.c_void_p(), ctypes.c_int()
            self.call("cuModuleGetFunction", ctypes.byref(function), module, kernel.encode())
            found[kernel] = {}
            for name, attribute in ATTRIBUTES.items():
                self.call("cuFuncGetAttribute", ctypes.byref(value), attribute, function)
                found[kernel][name] = value.value
        self.call("cuModuleUnload", module)
        return found


def driver_release():
    try:
        text = pathlib.Path("/proc/driver/nvidia/version").read_text()
    except OSError:
        return ""
    found = re.search(r"\d+\.\d+(\.\d+)?", text)
    return found.group() if found else ""


def parse_ptxas(text):
    """What `ptxas -v` says of each entry: registers, and bytes of stack and of spills."""
    found, current = {}, None
    for line in text.splitlines():
        if match := re.search(r"Compiling entry function '([^']+)'", line):
            current = found.setdefault(match.group(1), {})
        if match := re.search(r"Function properties for (\S+)", line):
            current = found.get(match.group(1))
        if current is None:
            continue
        if match := re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, "
                              r"(\d+) bytes spill loads", line):
            current["stack"], current["spilled"] = int(match[1]), int(match[2]) + int(match[3])
        if match := re.search(r"Used (\d+) registers", line):
            current["registers"] = int(match[1])
    return found


def run_ptxas(program, ptx, cap, architecture):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "kernels.ptx")
        source.write_bytes(ptx)
        ran = subprocess.run([program, "-v", f"-arch={architecture}", f"-maxrregcount={cap}",
                              str(source), "-o", f"{folder}/kernels.cubin"],
                             capture_output=True, text=True, timeout=600)
    if ran.returncode != 0:
        raise RuntimeError(f"ptxas: {(ran.stderr.splitlines() or ['failed'])[0]}")
    return parse_ptxas(ran.stderr + ran.stdout)


def bundles_in(folder):
    return sorted((path.parent for path in folder.rglob("bundle.json")),
                  key=lambda path: (len(path.name), path.as_posix()))


def kernel_code(ptx, kernel):
    """Alike for kernels that differ in name only."""
    lines = ptx.decode().splitlines()
    first = kernel["first_line"] - 1
    text = "\n".join(lines[first:first + kernel["line_count"]])
    return hashlib.sha256(text.replace(kernel["name"], "KERNEL").encode()).hexdigest()


def compare_bundle(name, folder, driver, assemble):
    """One row a kernel. `driver` is a Driver or None, `assemble` runs a ptxas or is None."""
    bundle = json.loads((folder / "bundle.json").read_text())
    kernels = [kernel for kernel in bundle["kernels"] if "assembler" in kernel]
    if not kernels:
        return []
    ptx = (folder / bundle["files"]["device"]).read_bytes()
    cap = bundle["register_cap"]
    loaded, assembled, error = {}, {}, ""
    try:
        if driver:
            loaded = driver.load(ptx + b"\0", cap, [kernel["name"] for kernel in kernels])
        if assemble:
            assembled = assemble(ptx, cap)
    except (RuntimeError, subprocess.TimeoutExpired) as failure:
        error = str(failure)
    rows = []
    for kernel in kernels:
        report = kernel["assembler"]
        row = {"bundle": name, "pipeline": bundle["pipeline"], "kernel": kernel["name"], "cap": cap,
               "built_for": bundle["architecture"], "code": kernel_code(ptx, kernel),
               "bundle_ptxas": {"registers": report["registers"], "stack": report["stack_bytes"],
                                "spilled": report["spill_store_bytes"] +
                                report["spill_load_bytes"]}}
        if kernel["name"] in loaded:
            row["driver"] = loaded[kernel["name"]]
        if kernel["name"] in assembled:
            row["local_ptxas"] = assembled[kernel["name"]]
        if error:
            row["error"] = error
        rows.append(row)
    return rows


def pairs_of(rows, one, other):
    """How many kernels have equal registers in two columns, and equal stacks."""
    both = [row for row in rows if "registers" in row.get(one, {}) and other in row]
    equal = [row for row in both if row[one]["registers"] == row[other]["registers"]]
    stack = "local" if one == "driver" else "stack"
    stacks = [row for row in both if row[one][stack] == row[other]["stack"]]
    return {"kernels": len(both), "equal": len(equal), "equal_stacks": len(stacks),
            "share": len(equal) / len(both) if both else 0.0}


def summary_of(rows):
    differences = collections.Counter(
        row["driver"]["registers"] - row["bundle_ptxas"]["registers"]
        for row in rows if "driver" in row)
    return {"kernels": len(rows), "distinct": len({(row["code"], row["cap"]) for row in rows}),
            "pipelines": len({row["pipeline"] for row in rows}),
            "failed": sum("error" in row for row in rows),
            "driver_and_bundle": pairs_of(rows, "driver", "bundle_ptxas"),
            "local_ptxas_and_bundle": pairs_of(rows, "local_ptxas", "bundle_ptxas"),
            "driver_and_local_ptxas": pairs_of(rows, "driver", "local_ptxas"),
            "driver_minus_bundle": {str(by): differences[by] for by in sorted(differences)}}


def different(row):
    report = row["bundle_ptxas"]
    return ("error" in row or
            ("driver" in row and (row["driver"]["registers"] != report["registers"] or
                                  row["driver"]["local"] != report["stack"])) or
            ("local_ptxas" in row and row["local_ptxas"] != report))


def print_report(rows, summary, print_line=print):
    print_line(f"{summary['kernels']} kernels of {summary['pipelines']} pipelines, "
               f"{summary['distinct']} distinct, {summary['failed']} not loaded")
    for key, words in (("driver_and_bundle", "driver = bundle's ptxas"),
                       ("local_ptxas_and_bundle", "this ptxas = bundle's ptxas"),
                       ("driver_and_local_ptxas", "driver = this ptxas")):
        pair = summary[key]
        if pair["kernels"]:
            print_line(f"  {words}: registers {pair['equal']} of {pair['kernels']} "
                       f"({100 * pair['share']:.1f} %), stack {pair['equal_stacks']}")
    listed = [row for row in rows if different(row)]
    for row in listed[:LISTED]:
        columns = [f"{name} {row[name]}" for name in ("bundle_ptxas", "local_ptxas", "driver")
                   if name in row]
        print_line(f"  {row['bundle']} {row['kernel']} cap {row['cap']}: "
                   f"{'; '.join([*columns, row.get('error', '')])}")
    if len(listed) > LISTED:
        print_line(f"  and {len(listed) - LISTED} more")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--ptxas", help="a ptxas to compare too")
    parser.add_argument("--no-driver", action="store_true", help="only that ptxas: needs no GPU")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    scratch = tempfile.TemporaryDirectory()
    if options.folder.is_file():
        with tarfile.open(options.folder) as archive:
            archive.extractall(scratch.name)
        options.folder = pathlib.Path(scratch.name)
    driver = None if options.no_driver else Driver()
    machine = driver.machine() if driver else {}
    if options.ptxas:
        version = subprocess.run([options.ptxas, "--version"], capture_output=True, text=True)
        machine["ptxas"] = version.stdout.strip().splitlines()[-1]
    rows, built_for = [], set()
    for folder in bundles_in(options.folder):
        architecture = json.loads((folder / "bundle.json").read_text())["architecture"]
        built_for.add(architecture)
        here = machine.get("architecture", architecture)
        assemble = options.ptxas and (
            lambda ptx, cap, here=here: run_ptxas(options.ptxas, ptx, cap, here))
        rows += compare_bundle(folder.relative_to(options.folder).as_posix(), folder, driver,
                               assemble)
    summary = summary_of(rows)
    print(json.dumps(machine))
    if driver and built_for - {machine["architecture"], ""}:
        print(f"bundles were assembled for {', '.join(sorted(built_for))}: "
              f"not comparable with {machine['architecture']}")
    print_report(rows, summary)
    if options.json:
        listed = [row for row in rows if different(row)]
        options.json.write_text(json.dumps({"machine": machine, "summary": summary,
                                            "different": listed}, indent=1) + "\n")
    pair = summary["driver_and_bundle"]
    sys.exit(0 if not driver or (not summary["failed"] and pair["kernels"] and
                                 pair["share"] >= WANTED_SHARE) else 1)


if __name__ == "__main__":
    main()
