# SPDX-License-Identifier: MIT
import json
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from why_slower import Run, differences, kernel_of, report_text, samples_in, verdict  # noqa: E402


def measured(name, microseconds, registers=40):
    return {"name": name, "launches": 2.0, "seconds": {"median": microseconds * 1e-6 / 2},
            "registers": registers, "local_bytes": 0}


def counted(name, megabytes, occupancy):
    return {"name": name, "launches": 2.0, "dram_read_bytes": megabytes * 1e6,
            "dram_write_bytes": 1e6, "l2_bytes": 4e6, "l1_bytes": 2e6, "shared_bytes": 8e6,
            "fp64_operations": 0.0, "fp32_operations": 3e6, "fp16_operations": 0.0,
            "integer_instructions": None, "occupancy": occupancy, "seconds": 1e-6,
            "stalls": [{"reason": reason, "share": share} for reason, share in
                       [("long_scoreboard", 0.5), ("barrier", 0.25), ("wait", 0.1), ("drain", 0.0)]]}


def bench(microseconds, kernels, counters, refused=""):
    return {"machine": "A GPU", "driver": "1", "date": "2026-11-23T01:00:00Z", "program": "1.0",
            "back_to_back": {"median": microseconds * 1e-6}, "kernels": kernels,
            "counters": {"refused": refused, "kernels": counters}}


def explain(microseconds, **kernels):
    return {"predicted_ms": microseconds * 1e-3,
            "kernels": [{"kernel": name, "predicted_ms": each * 1e-3, "limiter": "latency"}
                        for name, each in kernels.items()]}


AUTO = (bench(30, [measured("k0_blur_x_s0", 10), measured("k1_out_wrapper_0_s1", 18)],
              [counted("k0_blur_x_s0", 9, 0.5), counted("k1_out_wrapper_0_s1", 9, 0.25)]),
        explain(15, **{"blur_x": 6, "out_wrapper$0.update(0)": 9}))
MANUAL = (bench(20, [measured("k0_out_s0", 19, 64)], [counted("k0_out_s0", 9, 0.75)]),
          explain(20, out=20))


class WhySlower(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def keep(self, name, run):
        for what, document in zip(["bench", "explain"], run):
            (self.folder / f"blur.{name}.{what}.json").write_text(json.dumps(document),
                                                                  encoding="utf-8")

    def test_a_prediction_finds_its_kernel(self):
        self.assertEqual(kernel_of("out_wrapper$0.update(2)"), "out_wrapper_0_s3")
        run = Run("auto", *AUTO)
        for kernel, seconds in zip(run.kernels, [6e-6, 9e-6]):
            self.assertAlmostEqual(kernel.predicted, seconds, 12)

    def test_all_launches_of_a_run_are_added(self):
        run = Run("auto", *AUTO)
        self.assertAlmostEqual(run.kernels[1].seconds, 18e-6)
        self.assertEqual(run.count("dram_bytes"), 20e6)
        self.assertIsNone(run.count("integer_instructions"))
        self.assertAlmostEqual(run.occupancy(), (0.5 * 10 + 0.25 * 18) / 28)

    def test_what_differs_most_comes_first(self):
        more, less = differences(Run("auto", *AUTO), Run("manual", *MANUAL))
        self.assertEqual([title for title, _ in more],
                         ["DRAM", "L2", "L1", "shared", "FP32", "kernels"])
        self.assertEqual(less, [])
        self.assertEqual(differences(Run("a", *AUTO), Run("b", *AUTO)), ([], []))

    def test_a_model_that_is_wrong_is_told_from_a_search(self):
        auto, manual = Run("auto", *AUTO), Run("manual", *MANUAL)
        self.assertIn("The model is wrong: it takes auto for the faster one. It predicts auto at "
                      "0.50 of what it takes, manual at 1.00.", verdict(auto, manual))
        missed = Run("auto", AUTO[0], explain(40, blur_x=20))
        self.assertIn("The model knows it: 2.00 times by its account", verdict(missed, manual))
        self.assertEqual(verdict(manual, auto), "manual is not slower.")

    def test_all_kernels_stand_side_by_side(self):
        self.keep("manual", MANUAL)
        self.keep("auto", AUTO)
        self.assertEqual(list(samples_in(self.folder)["blur"]), ["auto", "manual"])
        text = report_text(self.folder)
        self.assertIn("A GPU, driver 1, 2026-11-23, tessera-gpu 1.0.\n", text)
        self.assertIn("- auto takes 30.0 us, manual 20.0: 1.50 times.", text)
        self.assertIn("| auto | k1_out_wrapper_0_s1 | 18.0 | 9.0 | latency | 10.00 | 4.00 | 2.00 | "
                      "8.00 | 3.00 | – | 25 % | 40 | 0 | long_scoreboard 50 %, barrier 25 %, "
                      "wait 10 % |\n| auto | k0_blur_x_s0 |", text)
        self.assertIn("| manual | **all** | 20.0 | 20.0 |  | 10.00 |", text)

    def test_who_may_not_count_has_times_all_the_same(self):
        self.keep("auto", (bench(30, AUTO[0]["kernels"], [], "it is for administrators"), AUTO[1]))
        self.keep("manual", (bench(20, MANUAL[0]["kernels"], [], "it is for administrators"),
                             MANUAL[1]))
        text = report_text(self.folder)
        self.assertIn("Nothing was counted: it is for administrators\n", text)
        self.assertIn("| auto | k0_blur_x_s0 | 10.0 | 6.0 | latency | – |", text)

    def test_a_run_goes_on_where_one_was_ended(self):
        cli = self.folder / "cli"
        cli.write_text(f"""#!/usr/bin/env python3
import json, pathlib, sys
words = sys.argv[1:]
with open({str(self.folder / "log")!r}, "a") as log:
    print(*words, file=log)
if "manual" in words and words[0] == "bench" and not pathlib.Path({str(self.folder / "gpu")!r}).exists():
    sys.exit("the GPU is gone")
print(json.dumps({{"bench": {AUTO[0]!r}, "explain": {AUTO[1]!r}, "schedule": 0}}[words[0]]))
""", encoding="utf-8")
        cli.chmod(cli.stat().st_mode | stat.S_IXUSR)
        results = self.folder / "results"
        script = pathlib.Path(__file__).with_name("why_slower.py")
        command = [sys.executable, "-B", script, "gather", cli, results, "blur.hlpipe"]
        first = subprocess.run(command, capture_output=True, text=True, timeout=50, check=False)
        self.assertEqual(first.returncode, 1)
        self.assertIn("the GPU is gone", first.stdout)
        (self.folder / "gpu").touch()
        (self.folder / "log").unlink()
        second = subprocess.run(command, capture_output=True, text=True, timeout=50, check=False)
        self.assertEqual(second.returncode, 0, second.stdout + second.stderr)
        log = (self.folder / "log").read_text(encoding="utf-8")
        self.assertNotIn("auto", log)
        self.assertEqual(len(samples_in(results)["blur"]), 2)


if __name__ == "__main__":
    unittest.main()
