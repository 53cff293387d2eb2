# SPDX-License-Identifier: MIT
import hashlib
import importlib.machinery
import importlib.util
import json
import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True


def script(name):
    loader = importlib.machinery.SourceFileLoader(name, str(HERE / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


faulty = script("faulty_gpu")

KERNEL = b"""
.visible .entry %s(
\t.param .u64 .ptr .align 1 a
)
.maxntid 32, 8, 1
{
\t.reg .b32 %%r<9>;
{
\tmov.u32 \t%%r1, %%ctaid.x; // enough room for what is put here instead of it
\tadd.s32 \t%%r2, %%r1, 1; mul.lo.s32 %%r3, %%r2, %%r2; sub.s32 %%r4, %%r3, %%r1;
\txor.b32 \t%%r5, %%r4, %%r3; or.b32 %%r6, %%r5, %%r4; and.b32 %%r7, %%r6, %%r5;
}
\tret;
}
"""
PTX = b".version 7.1\n.target sm_86\n.address_size 64\n" + KERNEL % b"k0_f" + KERNEL % b"k1_g"


class SpoiledCode(unittest.TestCase):
    def test_kernels_keep_names_and_parameters_and_nothing_else(self):
        for fault, words in (("launch", b".maxntid 1, 1, 1"), ("illegal", b"st.global.u32"),
                             ("endless", b"bra.uni again")):
            code = faulty.spoiled_code(PTX, fault)
            self.assertEqual(len(code), len(PTX), fault)
            self.assertEqual(code.count(words), 2, fault)
            self.assertNotIn(b"mul.lo", code, fault)
            self.assertNotIn(b".maxntid 32", code, fault)
            for name in (b"k0_f", b"k1_g"):
                self.assertIn(b".visible .entry " + name + b"(\n\t.param .u64", code, fault)

    def test_another_architecture_is_the_same_code(self):
        code = faulty.spoiled_code(PTX, "architecture")
        self.assertEqual(code.replace(b"sm_99", b"sm_86"), PTX)
        self.assertNotEqual(code, PTX)

    def test_a_kernel_without_room_is_told(self):
        small = b".visible .entry k()\n{ ret; }\n"
        with self.assertRaises(ValueError):
            faulty.spoiled_code(small, "illegal")

    def test_a_bundle_is_copied_with_another_library(self):
        with tempfile.TemporaryDirectory() as scratch:
            bundle = pathlib.Path(scratch) / "bundle"
            bundle.mkdir()
            (bundle / "pipeline.so").write_bytes(b"ELF\0" + PTX + b"\0after")
            (bundle / "bundle.json").write_text(json.dumps(
                {"files": {"library": "pipeline.so", "assembled": "kernels.cubin"},
                 "library_sha256": ""}))
            spoiled = faulty.spoiled_bundle(bundle, "endless", pathlib.Path(scratch) / "spoiled")
            content = (spoiled / "pipeline.so").read_bytes()
            described = json.loads((spoiled / "bundle.json").read_text())
            self.assertTrue(content.startswith(b"ELF\0.version") and content.endswith(b"\0after"))
            self.assertIn(b"bra.uni", content)
            self.assertEqual(described["library_sha256"], hashlib.sha256(content).hexdigest())
            self.assertEqual(described["files"]["assembled"], "")
            self.assertNotIn(b"bra.uni", (bundle / "pipeline.so").read_bytes())


class Checks(unittest.TestCase):
    """A store or a run that is not as it should be is noticed."""

    def setUp(self):
        self.script = script("tune_under_faults")
        faults = self.script.FAULTS
        numbers = range(1, self.script.CANDIDATES + 1)
        self.first = {"status": 0, "printed": {"best_seconds": 1e-6, "failed": len(faults),
                                               "measured": len(numbers) - len(faults)},
                      "requests": [{"fault": faults.get(str(number), ""),
                                    "schedule": f"first{number}"} for number in numbers]}
        self.second = {"status": 0,
                       "printed": {"best_seconds": 1e-6, "known_before": len(numbers)},
                       "requests": [{"fault": "", "schedule": f"second{number}"}
                                    for number in range(3)]}
        self.candidates = [
            {"attempts": 1, "message": "", "seconds": None,
             "outcome": self.script.OUTCOMES.get(one["fault"], "ok")}
            for one in self.first["requests"] + self.second["requests"]]

    def failing(self):
        return [words for words, holds in self.script.checks(self.first, self.second,
                                                             self.candidates) if not holds]

    def test_all_is_well(self):
        self.assertEqual(self.failing(), [])

    def test_what_is_measured_twice(self):
        self.candidates[0]["attempts"] = 2
        self.second["requests"][0]["schedule"] = self.second["requests"][1]["schedule"] = "first1"
        self.assertEqual(len(self.failing()), 2)

    def test_what_has_no_end(self):
        self.candidates[0]["outcome"] = None
        self.assertIn("every candidate that was begun has an end", self.failing())

    def test_a_fault_that_another_candidate_pays_for(self):
        self.candidates[0]["outcome"] = "device memory"
        self.assertIn("all others were measured", self.failing())

    def test_a_run_that_breaks_off(self):
        self.first["printed"]["ended_by"] = "The GPU is lost"
        self.assertEqual(self.failing(), ["the first run ended by itself with a fastest schedule"])


if __name__ == "__main__":
    unittest.main()
