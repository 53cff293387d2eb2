# SPDX-License-Identifier: MIT
"""What of compare_registers.py needs no GPU: bundles, ptxas, the report."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import compare_registers as registers

PTX = b""".version 7.1
.visible .entry k0_f_s0(
)
{ mov k0_f_s0; }
.visible .entry k1_g_s0(
)
{ mov k1_g_s0; }
.visible .entry k2_h_s0(
)
{ ret; }
"""
VERBOSE = """ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'k0_f_s0' for 'sm_90'
ptxas info    : Function properties for k0_f_s0
    16 bytes stack frame, 12 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 404 bytes cmem[0]
ptxas info    : Function properties for __internal_trig
    40 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Compiling entry function 'k1_g_s0' for 'sm_90'
ptxas info    : Function properties for k1_g_s0
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 20 registers, 404 bytes cmem[0]
"""


def attributes(count, local=0):
    return {"registers": count, "local": local, "shared": 0, "constant": 404}


class FakeDriver:
    def __init__(self, answers):
        self.answers, self.asked = answers, []

    def load(self, ptx, cap, kernels):
        self.asked.append((ptx, cap, kernels))
        if isinstance(self.answers, Exception):
            raise self.answers
        return self.answers


class CompareTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def bundle(self, name, assembled):
        """`assembled`: registers and stack of k0, k1, k2."""
        folder = self.folder / name
        folder.mkdir(parents=True)
        (folder / "kernels.ptx").write_bytes(PTX)
        kernels = [{"name": kernel, "first_line": 2 + 3 * number, "line_count": 3,
                    "assembler": {"registers": count, "stack_bytes": stack,
                                  "spill_store_bytes": 0, "spill_load_bytes": 0}}
                   for number, (kernel, (count, stack)) in
                   enumerate(zip(("k0_f_s0", "k1_g_s0", "k2_h_s0"), assembled))]
        (folder / "bundle.json").write_text(json.dumps(
            {"pipeline": "made_up", "register_cap": 48, "architecture": "sm_90",
             "kernels": kernels, "files": {"device": "kernels.ptx"}}))
        return folder

    def test_reads_what_ptxas_says_of_entries_alone(self):
        self.assertEqual(registers.parse_ptxas(VERBOSE),
                         {"k0_f_s0": {"registers": 32, "stack": 16, "spilled": 20},
                          "k1_g_s0": {"registers": 20, "stack": 0, "spilled": 0}})

    def test_the_driver_gets_the_ptx_and_the_cap(self):
        folder = self.bundle("a", [(32, 0)])
        driver = FakeDriver({"k0_f_s0": attributes(32)})
        registers.compare_bundle("a", folder, driver, None)
        self.assertEqual(driver.asked, [(PTX + b"\0", 48, ["k0_f_s0"])])

    def test_counts_what_is_equal_and_lists_the_rest(self):
        folder = self.bundle("a", [(32, 16), (20, 0), (20, 0)])
        driver = FakeDriver({"k0_f_s0": attributes(32, 16), "k1_g_s0": attributes(22),
                             "k2_h_s0": attributes(20, 8)})
        rows = registers.compare_bundle("a", folder, driver,
                                        lambda ptx, cap: registers.parse_ptxas(VERBOSE))
        summary = registers.summary_of(rows)
        self.assertEqual(summary["driver_and_bundle"],
                         {"kernels": 3, "equal": 2, "equal_stacks": 2, "share": 2 / 3})
        self.assertEqual(summary["driver_and_local_ptxas"]["equal"], 1)
        self.assertEqual(summary["local_ptxas_and_bundle"]["kernels"], 2)
        self.assertEqual(summary["driver_minus_bundle"], {"0": 2, "2": 1})
        self.assertEqual(summary["distinct"], 2, "k0 and k1 differ in their name only")
        lines = []
        registers.print_report(rows, summary, lines.append)
        text = "\n".join(lines)
        self.assertIn("registers 2 of 3 (66.7 %), stack 2", text)
        self.assertIn("a k1_g_s0 cap 48", text)
        self.assertIn("a k2_h_s0 cap 48", text, "its stack differs")

    def test_what_does_not_load_is_a_failure_and_no_equal(self):
        folder = self.bundle("a", [(32, 0)])
        rows = registers.compare_bundle("a", folder, FakeDriver(RuntimeError("no kernel image")),
                                        None)
        summary = registers.summary_of(rows)
        self.assertEqual((summary["failed"], summary["driver_and_bundle"]["kernels"]), (1, 0))
        lines = []
        registers.print_report(rows, summary, lines.append)
        self.assertIn("no kernel image", "\n".join(lines))

    def test_runs_a_ptxas_over_an_archive_of_bundles(self):
        program = self.folder / "ptxas"
        program.write_text(f"#!/bin/sh\nif [ \"$1\" = --version ]; then echo V13; exit; fi\n"
                           f"[ \"$3\" = -maxrregcount=48 ] || exit 1\ncat <<'E'\n{VERBOSE}E\n")
        program.chmod(0o755)
        self.bundle("bundles/b", [(32, 16), (21, 0)])
        self.bundle("bundles/deeper/a", [(32, 16), (20, 0)])
        archive = shutil.make_archive(str(self.folder / "packed"), "gztar",
                                      self.folder / "bundles")
        result = self.folder / "result.json"
        ran = subprocess.run([sys.executable, registers.__file__, archive,
                              "--no-driver", "--ptxas", str(program), "--json", str(result)],
                             capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        written = json.loads(result.read_text())
        self.assertEqual(written["machine"], {"ptxas": "V13"})
        self.assertEqual(written["summary"]["local_ptxas_and_bundle"],
                         {"kernels": 4, "equal": 3, "equal_stacks": 4, "share": 0.75})
        self.assertIn(("b", "k1_g_s0"),
                      [(row["bundle"], row["kernel"]) for row in written["different"]])


if __name__ == "__main__":
    unittest.main()
