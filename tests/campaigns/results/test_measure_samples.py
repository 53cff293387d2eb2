# SPDX-License-Identifier: MIT
import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from measure_samples import Sample, mean_line, report  # noqa: E402


def record(sample, **seconds):
    contenders = [{"name": name, "seconds": time, "state": "measured" if time else "no schedule",
                   "why": "" if time else "it asserted",
                   "measurement": {"machine": "A GPU", "driver": "", "date": "2026-11-22T10:00:00Z",
                                   "program": "1.0"} if time else None}
                  for name, time in seconds.items()]
    return {"sample": sample, "comparison": {"contenders": contenders},
            "tune": {"measured": 30, "seconds": 60.0, "gpu_busy": 0.5, "compilers_busy": 0.25,
                     "best_seconds": 1e-6}}


def printed(*records):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "results.jsonl"
        path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            report(path)
        return text.getvalue()


class MeasureSamples(unittest.TestCase):
    BLUR = record("blur", manual=4e-6, li2018=16e-6, anderson2021=None, auto=8e-6, tuned=2e-6)
    HARRIS = record("harris", manual=2e-6, li2018=1e-6, auto=2e-6, tuned=2e-6)
    OTHER = record("gradient", manual=9e-6, auto=1e-6, tuned=1e-6)

    def test_the_best_of_the_others_counts(self):
        self.assertEqual(Sample(self.BLUR).ratio(["manual", "li2018"], "tuned"), 2)
        self.assertEqual(Sample(self.HARRIS).ratio(["manual", "li2018"], "tuned"), 0.5)

    def test_who_has_no_time_is_left_out(self):
        self.assertIsNone(Sample(self.BLUR).ratio(["anderson2021"], "tuned"))
        self.assertIsNone(Sample(self.BLUR).ratio(["manual"], "refined"))

    def test_the_fastest_of_ours_is_held_against_the_floor(self):
        known = {**self.BLUR, "comparison": {**self.BLUR["comparison"], "floor": {"seconds": 1e-6}}}
        self.assertEqual(Sample(known).over_floor(), 2)
        self.assertIsNone(Sample(self.BLUR).over_floor())
        self.assertIn(" | 2.0 | 2.00 | 1.0 | 2.00 | 30 |", printed(known))

    def test_means_are_geometric(self):
        samples = [Sample(self.BLUR), Sample(self.HARRIS)]
        self.assertEqual(mean_line("by hand / auto", samples, ["manual"], "auto"),
                         "- by hand / auto: 0.71 (2 samples, 0.50 to 1.00)")

    def test_other_samples_stand_apart_and_do_not_count(self):
        text = printed(self.OTHER, self.HARRIS, self.BLUR)
        self.assertIn("\ngeometric mean tune vs best: 1.00\n", text)
        self.assertLess(text.index("| blur |"), text.index("| harris |"))
        self.assertLess(text.index("## Other samples"), text.index("| gradient |"))

    def test_it_says_why_there_is_no_time(self):
        text = printed(self.BLUR)
        self.assertIn("| blur | 4.0 | 16.0 | – | no schedule | 8.0 | – | 2.0 | 2.00 | – | – | 30 |", text)
        self.assertIn("- blur, anderson2021: it asserted", text)


if __name__ == "__main__":
    unittest.main()
