# SPDX-License-Identifier: MIT
"""What is said of measurements that are made up."""
import importlib.machinery
import importlib.util
import json
import pathlib
import subprocess
import unittest

LOADER = importlib.machinery.SourceFileLoader("time_alone", str(pathlib.Path(__file__).resolve().parent / "time_alone"))
SPEC = importlib.util.spec_from_loader("time_alone", LOADER)
time_alone = importlib.util.module_from_spec(SPEC)
LOADER.exec_module(time_alone)


def measurement(**microseconds):
    return {"kernels": [{"name": name, "launches": 2, "seconds": {"median": time * 1e-6}} for name, time in microseconds.items()]}


def ended(stdout="", stderr=""):
    return subprocess.CompletedProcess([], 1, stdout, stderr)


class TimeAlone(unittest.TestCase):
    def test_kernels_are_told_by_their_names_whatever_their_order(self):
        whole = measurement(k0_wide_s0=20, k1_wide_s1=8, k2_small_s0=2)
        alone = [measurement(k0_small_s0=2), measurement(k0_wide_s0=22, k1_wide_s1=4)]
        name, ratio = time_alone.worst_kernel(whole, alone)
        self.assertEqual(name, "wide_s1")
        self.assertAlmostEqual(ratio, 0.5)

    def test_what_has_no_time_is_not_compared(self):
        self.assertEqual(time_alone.worst_kernel(measurement(k0_f_s0=0), [measurement(k0_f_s0=1)]), (None, None))
        self.assertEqual(time_alone.worst_kernel(measurement(k0_f_s0=1), [measurement(k0_f_s0=0)]), (None, None))
        self.assertEqual(time_alone.worst_kernel(measurement(k0_f_s0=1), [measurement(k0_g_s0=1)]), (None, None))

    def test_an_error_is_its_message(self):
        error = json.dumps({"error": {"code": 3, "message": "the GPU\nis gone", "hint": "wait"}}, indent=2)
        self.assertEqual(time_alone.why_not(ended(error)), "the GPU is gone")
        self.assertEqual(time_alone.why_not(ended("", "no such file\nRun with --help")), "no such file")
        self.assertEqual(time_alone.why_not(ended("{\n", "")), "{")
        self.assertEqual(time_alone.why_not(ended()), "exit code 1")


if __name__ == "__main__":
    unittest.main()
