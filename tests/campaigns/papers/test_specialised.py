# SPDX-License-Identifier: MIT
"""What is said of schedules for one size and for all, of results that are made up."""
import argparse
import pathlib
import tempfile
import unittest

import specialised

EXPERIMENT = {"id": "e", "sample": "s", "algorithm": "a",
              "points": {"small": {"estimates": ["input=0:8"]}, "middle": {"generator": {"width": 16}},
                         "large": {"estimates": ["input=0:32", "n=3"]}},
              "claims": [{"says": "at most half as fast", "kind": "at most", "claimed": 2.0}]}
ALL = {"small": "small", "middle": "middle", "large": "large"}


def row(point, same=None, **microseconds):
    contenders = [{"word": f"/somewhere/{name}.json", "seconds": time and time * 1e-6, "predicted_seconds": 1e-6}
                  for name, time in microseconds.items()]
    return {"experiment": "e", "point": point, "same": same or ALL, "contenders": contenders}


RESULTS = [row("small", small=10, middle=10, large=30), row("middle", small=20, middle=10, large=10),
           row("large", small=None, middle=12, large=10)]


class Specialised(unittest.TestCase):
    def test_the_one_for_all_is_the_best_on_average_that_runs_everywhere(self):
        points = specialised.Points(EXPERIMENT, RESULTS)
        self.assertEqual(points.fixed(), "middle")
        self.assertEqual({point: round(gain, 6) for point, gain in points.gains().items()},
                         {"small": 1.0, "middle": 1.0, "large": 1.2})

    def test_the_one_for_all_may_be_named(self):
        gains = specialised.Points(dict(EXPERIMENT, fixed="small"), RESULTS).gains()
        self.assertEqual({point: round(gain, 6) for point, gain in gains.items()}, {"small": 1.0, "middle": 2.0})

    def test_equal_schedules_are_measured_once(self):
        same = {"small": "small", "middle": "small", "large": "large"}
        points = specialised.Points(EXPERIMENT, [row("middle", same, small=20, large=10)])
        self.assertAlmostEqual(points.own("middle"), 20e-6)
        self.assertEqual(points.fixed(), "large")

    def test_a_claim_is_of_the_greatest_gain_or_of_a_count(self):
        points = specialised.Points(dict(EXPERIMENT, fixed="small"), RESULTS)
        self.assertEqual(specialised.judged({"kind": "at most", "claimed": 1.95}, points), ("2.00, of 2", True))
        self.assertEqual(specialised.judged({"kind": "at most", "claimed": 1.8}, points), ("2.00, of 2", False))
        self.assertEqual(specialised.judged({"kind": "up to", "claimed": 1.8}, points), ("2.00, of 2", True))
        self.assertEqual(specialised.judged({"kind": "up to", "claimed": 2.2}, points), ("2.00, of 2", False))
        self.assertEqual(specialised.judged({"kind": "count", "least": 1.05, "claimed": 2}, points), ("1 of 2", False))
        self.assertEqual(specialised.judged({"kind": "at most", "claimed": 1.8}, specialised.Points(EXPERIMENT, [])),
                         ("not measured", None))

    def test_the_report_names_the_one_for_all_and_what_was_foreseen(self):
        text = "\n".join(specialised.report_lines(EXPERIMENT, RESULTS))
        self.assertIn("3 different schedules for 3 sizes; the one for all is made for middle, by the predictions for small.", text)
        self.assertIn("| large | 10.0 | 12.0 | 1.20 | 1.00 |", text)
        self.assertEqual(specialised.report_lines(EXPERIMENT, []), [])

    def test_a_point_is_opened_by_estimates_or_by_its_generator(self):
        cli, samples = pathlib.Path("/b/tessera-cli"), pathlib.Path("/s")
        self.assertEqual(specialised.pipeline_words(EXPERIMENT, "large", cli, samples),
                         [samples / "s.hlpipe", "--estimate", "input=0:32", "--estimate", "n=3"])
        self.assertEqual(specialised.pipeline_words(EXPERIMENT, "middle", cli, samples),
                         [pathlib.Path("/b/s.generator"), "--trust", "--generator", "s", "--param", "width=16"])

    def test_only_different_schedules_are_compiled(self):
        with tempfile.TemporaryDirectory() as folder:
            options = argparse.Namespace(folder=pathlib.Path(folder), cli=pathlib.Path("/b/tessera-cli"), samples=pathlib.Path("/s"))
            for point, text in (("small", "x"), ("large", "x")):
                path = specialised.schedule_file(options.folder, EXPERIMENT, point)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            self.assertEqual(specialised.same_schedules(options.folder, EXPERIMENT), {"small": "small", "large": "small"})
            words = specialised.compare_words(options, EXPERIMENT, "small")
            self.assertEqual(words[-1], f"{folder}/schedules/e/small.json")


if __name__ == "__main__":
    unittest.main()
