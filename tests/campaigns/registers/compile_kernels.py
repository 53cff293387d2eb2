#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles schedules of the samples, for compare_registers.py.

  compile_kernels.py BUILD FOLDER [--random N] [--seed N] [--seconds N] [--most N]

Every sample's default and manual schedule at its own register cap, the manual one at 32 and 255
too, and N random ones, for sm_90. Only bundle.json and the PTX are kept. What takes longer than
--seconds is left out and said, and so are schedules of more than --most kernels: they are alike.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import time

QUICK_SECONDS = 5  # others take no random schedules
CAPS = {"default": (None,), "manual": (None, 32, 255)}


def compile_one(build, sample, schedule, cap, folder, seconds):
    command = [str(build / "bin/tessera-cli"), "compile", str(sample), "--schedule", schedule,
               "-o", str(folder), "--timeout", str(seconds), "--arch", "sm_90"]
    if cap:
        command += ["--registers", str(cap)]
    ran = subprocess.run(command, capture_output=True, text=True)
    return "" if ran.returncode == 0 else (ran.stderr.strip().splitlines() or ["failed"])[-1]


def strip(folder):
    """Leaves what compare_registers.py reads; returns the number of kernels."""
    bundle = json.loads((folder / "bundle.json").read_text())
    kept = {"bundle.json", bundle["files"]["device"]}
    for path in folder.iterdir():
        if path.name not in kept:
            path.unlink()
    return sum("assembler" in kernel for kernel in bundle["kernels"])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--random", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--most", type=int, default=64)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    samples = sorted(path for path in (options.build / "share/tessera/samples").glob("*.hlpipe")
                     if path.suffixes == [".hlpipe"])
    kernels = 0
    usable = []
    for sample in samples:
        for schedule, caps in CAPS.items():
            for cap in caps:
                name = f"{sample.stem}-{schedule}" + (f"-{cap}" if cap else "")
                start = time.monotonic()
                problem = compile_one(options.build, sample, schedule, cap, options.folder / name,
                                      options.seconds)
                here = 0 if problem else strip(options.folder / name)
                if here > options.most:
                    shutil.rmtree(options.folder / name)
                    problem, here = f"{here} kernels", 0
                kernels += here
                quick = time.monotonic() - start < QUICK_SECONDS
                if here and quick and schedule == "default":
                    usable.append(str(sample))
                print(f"{name}: {problem or here}", flush=True)
                if problem:
                    break
    if options.random:
        random = options.folder / "random"
        subprocess.run([str(options.build / "tests/random_schedules"), "--bundles", str(random),
                        "--count", str(options.random), "--seed", str(options.seed), *usable],
                       check=False)  # some do not compile: that is another campaign's matter
        kernels += sum(strip(path.parent) for path in sorted(random.glob("*/bundle.json")))
    print(f"{kernels} kernels in {options.folder}")
    sys.exit(0 if kernels else 1)


if __name__ == "__main__":
    main()
