# SPDX-License-Identifier: MIT
"""What the report says of results that are made up."""
import argparse
import importlib.machinery
import importlib.util
import json
import pathlib
import tempfile
import unittest

LOADER = importlib.machinery.SourceFileLoader("papers", str(pathlib.Path(__file__).resolve().parent / "papers"))
SPEC = importlib.util.spec_from_loader("papers", LOADER)
papers = importlib.util.module_from_spec(SPEC)
LOADER.exec_module(papers)


def row(sample, size="", **microseconds):
    contenders = [{"word": name.replace("_", "-"), "seconds": time and time * 1e-6, "why": "" if time else "it asserted",
                   "schedule_seconds": 0.5, "state": "measured"} for name, time in microseconds.items()]
    return {"sample": sample, "size": size, "contenders": contenders}


EXPERIMENT = {"id": "x", "samples": ["a", "b", "c"], "with": ["manual", "fast", "slow"], "base": "manual",
              "best_of": {"best": ["fast", "slow"]},
              "milliseconds": {"manual": {"a": 1, "b": 2, "c": 3}, "fast": {"a": 1, "b": 1, "c": 1}}}
RESULTS = [row("a", manual=10, fast=10, slow=20), row("b", manual=40, fast=20, slow=10), row("c", manual=30, fast=10, slow=None)]


class Papers(unittest.TestCase):
    def setUp(self):
        self.times = papers.Times(RESULTS, EXPERIMENT)

    def test_ratios_are_of_what_was_measured(self):
        self.assertEqual(self.times.ratios(("manual", "fast")), {"a": 1.0, "b": 2.0, "c": 3.0})
        self.assertEqual(self.times.ratios(("slow", "fast"), without=("a",)), {"b": 0.5})

    def test_the_best_of_several_needs_all_of_them(self):
        self.assertAlmostEqual(self.times.seconds("b", "best"), 10e-6)
        self.assertIsNone(self.times.seconds("c", "best"))

    def test_means_are_theirs_and_geometric(self):
        claim = {"kind": "mean", "of": ["manual", "fast"], "claimed": 2.0}
        self.assertEqual(papers.judged(claim, self.times),
                         ("2.00 as arithmetic mean, 1.82 as geometric, of 3", True))
        self.assertIs(papers.judged(dict(claim, claimed=2.2), self.times)[1], False)
        self.assertIs(papers.judged(dict(claim, kind="geometric"), self.times)[1], False)

    def test_a_count_is_within_its_bounds(self):
        claim = {"kind": "count", "of": ["manual", "fast"], "least": 1.5, "claimed": 3}
        self.assertEqual(papers.judged(claim, self.times), ("2 of 3", False))
        self.assertEqual(papers.judged(dict(claim, least=0, most=1.5, claimed=1), self.times), ("1 of 3", True))

    def test_one_sample(self):
        claim = {"kind": "one", "sample": "b", "of": ["fast", "slow"], "claimed": 2.0}
        self.assertEqual(papers.judged(claim, self.times), ("2.00", True))
        self.assertEqual(papers.judged(dict(claim, sample="c"), self.times), ("not measured", None))

    def test_ranks_are_compared(self):
        self.assertEqual(papers.judged({"kind": "rank", "of": ["manual", "fast"]}, self.times),
                         ("rank correlation 1.00 of 3", True))
        self.assertAlmostEqual(papers.spearman([1, 2, 3], [3, 2, 1]), -1)

    def test_a_comparison_has_what_any_experiment_wants(self):
        found = papers.comparisons()
        self.assertIn("mullapudi", found["harris", ""][0])
        self.assertIn("autogpu", found["harris", ""][0])
        self.assertIn(("conv_layer", "paper-small"), found)
        self.assertTrue(all(len(set(words)) == len(words) for words, _ in found.values()))
        self.assertNotIn(("blur", "paper-large"), papers.comparisons(["autogpu-figure-6"]))
        self.assertNotIn(("harris", ""), papers.comparisons(["autogpu-figure-6"], without=["harris"]))

    def test_an_autoscheduler_has_the_longest_time_of_all_experiments(self):
        found = papers.comparisons()
        self.assertEqual(found["stencil_chain", ""][1], 300)
        self.assertEqual(found["harris", ""][1], 0)

    def options(self, **more):
        return argparse.Namespace(**{"only": ["polymage-gpu-table-4"], "without": [], "samples": pathlib.Path("/s"),
                                     "applications": None, **more})

    def test_what_is_prepared_is_what_is_measured(self):
        options = self.options(applications=pathlib.Path("/halide"))
        prepared = papers.to_prepare(options)
        self.assertEqual(prepared["unsharp-paper-large"][0][:3], [pathlib.Path("/s/unsharp.hlpipe"), "--size", "paper-large"])
        self.assertLessEqual(set(prepared), set(papers.to_measure(options)))

    def test_experts_are_opened_as_their_campaign_opens_them(self):
        prepared = papers.to_prepare(self.options(applications=pathlib.Path("/halide")))
        self.assertEqual(prepared["camera_pipe-expert"][0],
                         [pathlib.Path("/halide/apps/camera_pipe/camera_pipe_generator.cpp"), "--generator", "camera_pipe", "--trust",
                          "--fit-estimates", "--with", "manual"])
        self.assertNotIn("unsharp-expert", prepared)  # measured at another size
        self.assertFalse([name for name in papers.to_prepare(self.options()) if name.endswith("expert")])

    def test_experiments_are_done_in_the_order_asked_for(self):
        asked = ["polymage-gpu-table-4", "autogpu-small"]
        self.assertEqual([one["id"] for one in papers.chosen(asked)], asked)

    def test_experts_are_those_of_the_same_size(self):
        compared = [{"application": "halide_blur", "contenders": [{"name": "manual", "word": "manual", "seconds": 5e-6}]},
                    {"application": "harris", "contenders": [{"name": "manual", "word": "manual", "seconds": None}]}]
        own, other, without = papers.with_experts([row("blur"), row("blur", "paper-large"), row("harris")], compared)
        self.assertEqual([one["word"] for one in own["contenders"]], ["expert"])
        self.assertEqual(other["contenders"] + without["contenders"], [])

    def test_experts_of_the_same_run_count_over_others(self):
        compared = [{"application": "harris", "contenders": [{"name": "manual", "word": "manual", "seconds": 5e-6}]}]
        beside = dict(row("harris", manual=7), schedules="expert")
        found = papers.with_experts([row("harris"), beside], compared)
        self.assertEqual([(one["word"], one["seconds"]) for one in found[0]["contenders"]], [("expert", 7e-6)])
        self.assertEqual(papers.Times(found, EXPERIMENT).contender("harris", "expert")["seconds"], 7e-6)

    def test_a_comparison_of_one_experiment_alone_is_of_no_other(self):
        alone = dict(row("a", manual=10, fast=5), only="x")
        shared = row("a", manual=10, fast=10, slow=20)
        for results in ([alone, shared], [shared, alone]):
            self.assertEqual(papers.Times(results, EXPERIMENT).ratio("a", "manual", "fast"), 2.0)
            self.assertEqual(papers.Times(results, dict(EXPERIMENT, id="y")).ratio("a", "manual", "fast"), 1.0)

    def test_comparisons_that_were_made_elsewhere_are_taken(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            made = {"contenders": row("", manual=10, autogpu=30, beam=20)["contenders"]}
            made["contenders"][0]["measurement"] = {"machine": "a GPU", "driver": "580", "date": "2026-11-30T12", "program": "0.1"}
            (folder / "harris.json").write_text(json.dumps(made), encoding="utf-8")
            papers.take(argparse.Namespace(only=["anderson-figure-5-ours"], cli=folder, folder=folder))
            text = papers.report_text(papers.rows(folder / "results.jsonl"))
        self.assertIn("1.50 as arithmetic mean, 1.50 as geometric, of 1 | holds |", text)
        self.assertIn("| nothing of `auto`: how many times as fast `beam` is | – | not measured | – |", text)
        self.assertIn("| no number: how many times as fast `beam` is without freezing (section 4) | – | not measured | – |", text)
        self.assertIn("Measured by itself: a GPU, driver 580, 2026-11-30, tessera-gpu 0.1.", text)
        self.assertIn("Seconds to schedule:", text)
        self.assertIn("| harris | – | 0.500 | 0.500 | – | – | – | – |", text)
        self.assertIn("figure 6, section 5.1\n\nTheirs: RTX 2080 Ti, 14 applications at 1536×2560; the least of 100 means of 100 runs. "
                      "Not measured yet.", text)

    def test_a_number_that_nobody_claims_is_not_judged(self):
        claim = {"kind": "geometric", "of": ["manual", "fast"]}
        self.assertEqual(papers.judged(claim, self.times), ("2.00 as arithmetic mean, 1.82 as geometric, of 3", None))

    def test_the_report_has_all_experiments(self):
        text = papers.report_text([row("harris", expert=40, manual=20, autogpu=10, autogpu_overlap=25, li2018=None)])
        self.assertIn("## Mullapudi et al. 2016, table 1\n\nTheirs: seconds to schedule, one core. Not measured yet.", text)
        self.assertIn("| harris | 2.00 | 20.0 µs | – | 1.25 | 0.50 | – | – | – |", text)
        self.assertIn("| harris | 3 | 0.500 |", text)
        self.assertIn("- harris, li2018: it asserted", text)
        self.assertIn("| 10 % faster than manual schedules on average | 1.1 | 4.00 as arithmetic mean", text)


if __name__ == "__main__":
    unittest.main()
