# SPDX-License-Identifier: MIT
import argparse
import importlib.machinery
import importlib.util
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


soak_tunings = script("soak_tunings")

REFUSED = """#!/bin/sh
printf '%s' '{"error": {"code": "input_refused", "message": "Nothing could be judged.\\nEver.", "hint": "Give inputs."}}'
exit 3
"""
GARBLED = """#!/bin/sh
echo 'out of memory' >&2
exit 4
"""
DONE = """#!/bin/sh
echo '{"measured": 3, "failed": 1, "known_before": 0}'
"""


class Reasons(unittest.TestCase):
    def rows(self, *programs):
        """What the soak says of a sample that each of these programs tunes in its turn."""
        with tempfile.TemporaryDirectory() as folder:
            build = pathlib.Path(folder, "build")
            samples = build / "share/tessera/samples"
            for made in (build / "bin", samples):
                made.mkdir(parents=True)
            (samples / "blur.hlpipe").touch()
            soak = soak_tunings.Soak(argparse.Namespace(
                build=build, folder=pathlib.Path(folder, "work"), gpu=True, lanes=1, budgets=[1, 2], pipelines=None))
            rows = []
            for case, program in enumerate(programs):
                soak.cli.write_text(program)
                soak.cli.chmod(0o755)
                rows.append(soak.run(case, 1))
            return rows

    def test_a_tuning_that_is_refused_keeps_why(self):
        [row] = self.rows(REFUSED)
        self.assertEqual((row["end"], row["why"], row["hint"]),
                         ("refused", "Nothing could be judged.\nEver.", "Give inputs."))

    def test_a_tuning_without_an_answer_keeps_what_it_wrote(self):
        [row] = self.rows(GARBLED)
        self.assertEqual((row["end"], row["why"]), ("worker failed", "out of memory\n"))

    def test_reasons_are_counted_by_pipeline_and_first_line(self):
        rows = self.rows(REFUSED, DONE, GARBLED, REFUSED)
        self.assertNotIn("why", rows[1])
        self.assertEqual(soak_tunings.reasons(rows),
                         {("blur", "Nothing could be judged."): 2, ("blur", "out of memory"): 1})


if __name__ == "__main__":
    unittest.main()
