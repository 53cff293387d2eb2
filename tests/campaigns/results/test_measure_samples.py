# SPDX-License-Identifier: MIT
import json
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from measure_samples import (PUBLISHED, Sample, mean_line, next_step, report_text,  # noqa: E402
                             samples_beside)


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
        return report_text(path)


class MeasureSamples(unittest.TestCase):
    def test_who_was_measured_by_another_program_is_named(self):
        other = record("hist", manual=4e-6, tuned=2e-6)
        other["comparison"]["contenders"][0]["measurement"]["program"] = "0.9"
        text = printed(self.BLUR, self.HARRIS, other)
        self.assertIn("tessera-gpu 1.0 (hist: 0.9). ", text)
        self.assertIn("tessera-gpu 1.0. ", printed(self.BLUR, self.HARRIS))

    BLUR = record("blur", manual=4e-6, li2018=16e-6, anderson2021=None, auto=8e-6, tuned=2e-6)
    HARRIS = record("harris", manual=2e-6, li2018=1e-6, auto=2e-6, tuned=2e-6)
    OTHER = record("gradient", manual=9e-6, auto=1e-6, tuned=1e-6)

    def test_the_best_of_the_others_counts(self):
        self.assertEqual(Sample(self.BLUR).ratio(["manual", "li2018"], "tuned"), 2)
        self.assertEqual(Sample(self.HARRIS).ratio(["manual", "li2018"], "tuned"), 0.5)

    def test_what_is_published_is_the_faster_of_expert_and_peers(self):
        fast_expert = Sample(record("hist", li2018=200e-6, tuned=10e-6))  # the expert's: 171.1 us
        self.assertAlmostEqual(fast_expert.ratio(PUBLISHED, "tuned"), 17.11)
        self.assertAlmostEqual(Sample(self.HARRIS).ratio(PUBLISHED, "tuned"), 0.5)
        self.assertIsNone(Sample(self.OTHER).ratio(PUBLISHED, "auto"))

    def test_who_has_no_time_is_left_out(self):
        self.assertIsNone(Sample(self.BLUR).ratio(["anderson2021"], "tuned"))
        self.assertIsNone(Sample(self.BLUR).ratio(["manual"], "refined"))

    def test_the_fastest_of_ours_is_held_against_the_floor(self):
        known = {**self.BLUR, "comparison": {**self.BLUR["comparison"], "floor": {"seconds": 1e-6}}}
        self.assertEqual(Sample(known).over_floor(), 2)
        self.assertIsNone(Sample(self.BLUR).over_floor())
        self.assertIn(" | 2.0 | – | 2.00 | – | 1.0 | 2.00 | 30 |", printed(known))

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
        self.assertIn("| blur | 10.3 | 4.0 | 16.0 | no schedule | 8.0 | – | 2.0 | – | 2.00 | – |", text)
        self.assertIn("- blur, anderson2021: it asserted", text)

    def test_what_went_on_from_the_hands_schedule_stands_beside(self):
        blur = record("blur", manual=4e-6, auto=8e-6, tuned=5e-6, from_hand=2e-6)
        text = printed(blur)
        self.assertIn("| 5.0 | 2.0 | 0.80 | 2.00 |", text)
        self.assertIn("\ngeometric mean tune vs best: 0.80\n", text)
        self.assertIn("\ngeometric mean tune from hand vs best: 2.00\n", text)
        self.assertNotIn("from hand vs", printed(self.BLUR))

    def test_the_published_schedules_have_a_mean_of_their_own(self):
        text = printed(record("blur", manual=4e-6, auto=10.3e-6, tuned=5.15e-6), self.OTHER)
        self.assertIn("- expert / auto: 1.00 (1 samples, 1.00 to 1.00)", text)
        self.assertIn("- expert / tuned: 2.00 (1 samples, 2.00 to 2.00)", text)

    def test_it_says_what_is_missing(self):
        text = printed(self.BLUR)
        self.assertIn("Not measured: unsharp, harris, hist,", text)
        self.assertIn("No floor of any: no ceilings of the GPU were known", text)
        known = {**self.BLUR, "comparison": {**self.BLUR["comparison"], "floor": {
            "seconds": 1e-6, "ceilings": "measured on A GPU"}}}
        self.assertIn("Floors by ceilings measured on A GPU.\n", printed(known))
        self.assertIn("A GPU. No floor of harris: no", printed(known, self.HARRIS))


# A tessera-cli that has nothing but answers; what FAKE_FAILS names fails.
FAKE_CLI = """#!/usr/bin/env python3
import json, os, pathlib, sys
words = sys.argv[1:]
with open(pathlib.Path(__file__).with_name("log"), "a") as log:
    print(*words, file=log)
after = lambda word: words[words.index(word) + 1]
fails = os.environ.get("FAKE_FAILS", "").split()
if fails and set(fails) <= set(words):
    sys.exit("it failed on purpose")
if words[:2] == ["machine", "probe"]:
    pathlib.Path(after("-o")).write_text(json.dumps({"title": "A GPU"}))
elif words[:2] == ["machine", "list"]:
    known = [{"name": "a-gpu", "title": "A GPU SXM"}] if after("--gpu") == "A GPU" else []
    print(json.dumps({"machines": known}))
elif words[:2] == ["machine", "ceilings"]:
    print(json.dumps({"machine": "A GPU", "driver": "1", "date": "today"}))
elif words[0] == "tune":
    pathlib.Path(after("-o")).write_text("{}")
    print(json.dumps({"best_seconds": 1e-6, "measured": 7, "seconds": 60.0, "gpu_busy": 0.5,
                      "compilers_busy": 0.25}))
elif "--prepare" in words:
    bundles = pathlib.Path(after("--prepare"))
    bundles.mkdir()
    (bundles / "comparison.json").write_text("{}")
else:
    print(json.dumps({"floor": {"seconds": 1e-6, "ceilings": "measured on A GPU"}, "contenders": [
        {"name": name, "seconds": 2e-6, "state": "measured", "why": "", "measurement": {
            "machine": "A GPU", "driver": "1", "date": "2026-11-22T10:00:00Z", "program": "1.0"}}
        for name in ["manual", "tuned"]]}))
"""


class Measuring(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        self.folder = self.root / "results"
        samples = self.root / "share" / "tessera" / "samples"
        samples.mkdir(parents=True)
        for name in ["harris", "blur", "gradient"]:
            (samples / f"{name}.hlpipe").touch()
        self.cli = self.root / "bin" / "tessera-cli"
        self.cli.parent.mkdir()
        self.cli.write_text(FAKE_CLI, encoding="utf-8")
        self.cli.chmod(self.cli.stat().st_mode | stat.S_IXUSR)

    def measure(self, *words, fails=""):
        script = pathlib.Path(__file__).with_name("measure_samples.py")
        return subprocess.run([sys.executable, "-B", script, "measure", self.cli, self.folder, *words],
                              capture_output=True, text=True, timeout=50, check=False,
                              env={"PATH": "/usr/bin:/bin", "FAKE_FAILS": fails})

    def asked(self):
        log = self.cli.with_name("log")
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        return [line.split()[0:2] for line in lines]

    def test_the_seventeen_come_first_and_others_where_asked(self):
        names = [pathlib.Path(one).stem for one in samples_beside(self.cli, True)]
        self.assertEqual(names, ["blur", "harris", "gradient"])
        self.assertEqual(len(samples_beside(self.cli, False)), 2)

    def test_one_run_does_all_and_the_next_has_nothing_to_do(self):
        table = self.root / "RESULTS.md"
        ran = self.measure("--report", table)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        asked = self.asked()
        self.assertEqual(asked[:2], [["machine", "probe"], ["machine", "list"]])
        self.assertIn(["machine", "ceilings"], asked)
        self.assertEqual(sum(words[0] == "tune" for words in asked), 4)
        self.assertIn("| blur | 10.3 | 2.0 |", table.read_text(encoding="utf-8"))
        self.assertIn("scheduled for a-gpu", ran.stdout)
        again = self.measure()
        self.assertIn("0 of 2 samples to do", again.stdout)
        self.assertEqual(self.asked(), [])

    def test_what_failed_is_done_by_the_next_run(self):
        first = self.measure(fails="compare")
        self.assertEqual(first.returncode, 1)
        self.assertIn("blur: prepare failed: it failed on purpose", first.stdout)
        self.asked()
        self.assertEqual(self.measure().returncode, 0)
        self.assertNotIn("tune", [words[0] for words in self.asked()])

    def test_a_hands_schedule_that_cannot_be_tuned_is_done_without(self):
        ran = self.measure(fails="tune --freeze")
        self.assertEqual(ran.returncode, 0, ran.stdout)
        blur = self.folder / "blur"
        self.assertFalse((blur / "from_hand.json").exists())
        self.assertIn("on purpose", (blur / "from_hand.tune.json").read_text(encoding="utf-8"))
        self.assertTrue((blur / "comparison.json").exists())

    def test_without_ceilings_it_goes_on(self):
        ran = self.measure(fails="machine")
        self.assertEqual(ran.returncode, 0)
        self.assertIn("GPU 0 has no measured ceilings: it failed on purpose", ran.stdout)

    def test_what_has_no_floor_is_compared_again_while_its_bundles_are_there(self):
        self.measure()
        blur = self.folder / "blur"
        (blur / "comparison.json").write_text('{"contenders": []}', encoding="utf-8")
        self.assertEqual(next_step(blur), "compare")
        (blur / "bundles" / "comparison.json").unlink()
        self.assertIsNone(next_step(blur))


if __name__ == "__main__":
    unittest.main()
