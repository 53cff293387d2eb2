# SPDX-License-Identifier: MIT
"""What is said of counted bytes and operations that are made up."""
import unittest

import rooflines

CEILINGS = {"source": "measured", "dram_bytes_per_second": 4e12, "l2_bytes_per_second": 8e12, "l1_bytes_per_second": 2e13,
            "shared_bytes_per_second": 3e13, "fp32_per_second": 6e13}


def row(sample, word, ms, operations, dram, shared=2e6):
    run = {"ms": ms, "bytes": {"dram": dram, "l2": 4e6, "l1": 6e6, "shared": shared},
           "operations": {"fp64": 0, "fp32": operations, "fp16": 0, "integer": 5},
           "roofs_ms": {"dram": ms / 2, "l2": ms / 4, "l1_shared": ms / 8}, "binding": "dram", "reached": 0.5}
    return {"counted": "x", "sample": sample, "word": word, "run": run, "ceilings": CEILINGS}


EXPERIMENT = {"id": "x", "samples": ["a", "b"], "with": ["expert", "plain", "nested"], "best_of": {"best": ["plain", "nested"]},
              "claims": [{"says": "half the bytes", "samples": ["a"], "quantity": "bytes/dram", "of": ["nested", "plain"],
                          "most": 0.5}]}
RESULTS = [row("a", "expert", 2, 4e9, 1e8), row("a", "plain", 2, 2e9, 1e8), row("a", "nested", 1, 2e9, 4e7),
           row("b", "expert", 1, 1e9, 1e8), row("b", "plain", 1, 1e9, None)]


class Rooflines(unittest.TestCase):
    def setUp(self):
        self.counts = rooflines.Counts(EXPERIMENT, RESULTS)

    def test_quantities_are_of_one_run(self):
        value = self.counts.value
        self.assertEqual(value("a", "plain", "bytes/dram"), 1e8)
        self.assertEqual(value("a", "plain", "bytes/l1"), 8e6)
        self.assertEqual(value("a", "plain", "intensity/dram"), 20)
        self.assertEqual(value("a", "plain", "performance"), 1e12)
        self.assertEqual(value("a", "plain", "reached/dram"), 0.5)
        self.assertEqual(value("a", "plain", "reached/l1"), 0.125)
        self.assertIsNone(value("b", "plain", "intensity/dram"))
        self.assertIsNone(value("b", "nested", "operations"))

    def test_constants_that_are_moved_as_halves_are_no_float_operations(self):
        counted = row("a", "plain", 2, 2e9, 1e8)
        counted["run"]["operations"]["fp16"] = 5e8
        self.assertEqual(rooflines.Counts(EXPERIMENT, [counted]).value("a", "plain", "operations"), 2e9)

    def test_a_kernel_that_never_ran_does_not_hide_the_bytes_of_the_others(self):
        counted = row("a", "plain", 2, 2e9, None)
        counted["run"]["bytes"]["l2"] = None
        self.assertIsNone(rooflines.Counts(EXPERIMENT, [counted]).value("a", "plain", "bytes/dram"))
        counted["kernels"] = [{"dram_read_bytes": 4e9, "dram_write_bytes": 2e9, "l2_bytes": 4e9},
                              {"dram_read_bytes": 1e9, "dram_write_bytes": 1e9, "l2_bytes": 5e9}]
        counts = rooflines.Counts(EXPERIMENT, [counted])
        self.assertEqual(counts.value("a", "plain", "bytes/dram"), 8e9)
        self.assertEqual(counts.value("a", "plain", "bytes/l2"), 9e9)
        self.assertEqual(counts.value("a", "plain", "reached/dram"), 1.0)  # 2 ms of 4 TB/s
        self.assertEqual((counts.run("a", "plain")["binding"], counts.run("a", "plain")["reached"]), ("dram", 1.0))

    def test_the_model_stands_beside_what_was_counted(self):
        predictions = [dict(row("a", word, 2, 4e9, dram)) for word, dram in (("plain", 5e7), ("nested", 8e7))]
        predictions = [dict(one, predicted=one.pop("counted")) for one in predictions]
        text = "\n".join(rooflines.report_lines(EXPERIMENT, RESULTS + predictions, lambda *_: None))
        self.assertIn("| a | 1.25 (0.50 to 2.00) | 1.00 (1.00 to 1.00) | 1.00 (1.00 to 1.00) | 2.00 (2.00 to 2.00) | 1.00", text)
        self.assertNotIn("| b | 1.", text)  # was not predicted
        self.assertNotIn("What our model predicts", "\n".join(rooflines.report_lines(EXPERIMENT, RESULTS, lambda *_: None)))

    def test_what_was_not_counted_is_named(self):
        text = "\n".join(rooflines.report_lines(EXPERIMENT, RESULTS[:3], lambda *_: None))
        self.assertIn("Not counted: b.", text)
        self.assertNotIn("Not counted", "\n".join(rooflines.report_lines(EXPERIMENT, RESULTS, lambda *_: None)))

    def test_the_best_of_several_is_the_fastest(self):
        self.assertEqual(self.counts.value("a", "best", "bytes/dram"), 4e7)
        self.assertIsNone(self.counts.value("b", "best", "bytes/dram"))

    def test_a_claim_has_bounds(self):
        claim = EXPERIMENT["claims"][0]
        self.assertEqual(rooflines.judged(claim, self.counts), ("0.40", True))
        self.assertEqual(rooflines.judged(dict(claim, most=0.3), self.counts), ("0.40", False))
        self.assertEqual(rooflines.judged(dict(claim, least=0.45), self.counts), ("0.40", False))
        self.assertEqual(rooflines.judged(dict(claim, samples=["b"]), self.counts), ("not measured", None))

    def test_a_claim_of_several_samples_counts_those_that_hold(self):
        claim = {"quantity": "operations", "of": ["expert", "plain"], "samples": ["a", "b"], "least": 1.5}
        self.assertEqual(rooflines.judged(claim, self.counts), ("2.00, 1.00: 1 of 2", False))
        self.assertEqual(rooflines.judged(dict(claim, count=1), self.counts), ("2.00, 1.00: 1 of 2", True))
        self.assertEqual(rooflines.judged(dict(claim, quantity="bytes/dram", least=1.0), self.counts), ("1.00: 1 of 1", True))

    def test_the_report_has_roofs_claims_and_each_run(self):
        text = "\n".join(rooflines.report_lines(EXPERIMENT, RESULTS, lambda *_: None))
        self.assertIn("| half the bytes | at most 0.5 | 0.40 | holds |", text)
        self.assertIn("Roofs (measured): DRAM 4.00 TB/s, L2 8.00, L1 20.0, shared memory 30.0; 60.0 TFLOP/s.", text)
        self.assertIn("| a | nested | 1,000.0 | 2,000 | 50.00 | 500.00 | 250.00 | 40.0 | dram | 50 % |", text)
        self.assertIn("| b | plain | 1,000.0 | 1,000 | – | 250.00 | 125.00 | – | dram | 50 % |", text)
        self.assertEqual(rooflines.report_lines(EXPERIMENT, [], lambda *_: 1e-3), [])

    def test_predictions_stand_in_with_measured_times(self):
        predictions = [dict(one, predicted=one.pop("counted")) for one in map(dict, RESULTS)]
        times = {("a", "plain"): 4e-3, ("a", "nested"): 1e-3}
        text = "\n".join(rooflines.report_lines(EXPERIMENT, predictions, lambda *of: times.get(of)))
        self.assertIn("**Nothing was counted**", text)
        self.assertIn("| half the bytes | at most 0.5 | 0.40 | holds |", text)
        self.assertIn("| a | plain | 4,000.0 | 500 | 20.00 | 500.00 | 250.00 | 100.0 | dram | 25 % |", text)
        self.assertNotIn("| b |", text)  # was not measured
        self.assertNotIn("Nothing was counted", "\n".join(rooflines.report_lines(EXPERIMENT, RESULTS + predictions, times.get)))


if __name__ == "__main__":
    unittest.main()
