# SPDX-License-Identifier: MIT
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

# A pipeline of whole tiles of 16 that reads two elements more than it writes, as Halide's are: asked
# without memory, it says how large its buffers have to be.
PIPELINE = """
#include <stdint.h>
struct dim { int32_t min, extent, stride; uint32_t flags; };
struct buffer { uint64_t device; void **interface; uint8_t *host; uint64_t flags; uint8_t code, bits;
                uint16_t lanes; int32_t dimensions; struct dim *dim; void *padding; };
static int done(void *context, struct buffer *buffer) { return 0; }
static void *device[] = {done, done, done, done, done, done};
int tessera_pipeline(struct buffer *in, struct buffer *out) {
  if (!in->host && !out->host) {
    in->dim[0].extent = out->dim[0].extent + 2;
    out->dim[0].extent = (out->dim[0].extent + 15) / 16 * 16;
    return 0;
  }
  if (out->dim[0].extent % 16 || in->dim[0].extent < out->dim[0].extent + 2) return -4;
  for (int i = 0; i < out->dim[0].extent; ++i) out->host[i] = in->host[i] ^ in->host[i + 2];
  out->interface = device;
  return 0;
}
"""
SCRIPT = pathlib.Path(__file__).with_name("launch_bundles")


class LaunchBundles(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        self.bundles = self.root / "bundles"
        self.bundles.mkdir()
        (self.root / "pipeline.c").write_text(PIPELINE, encoding="utf-8")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", self.root / "pipeline.so",
                        self.root / "pipeline.c"], check=True)

    def bundle(self, number, pipeline="copy", size=45, loads=100):
        folder = self.bundles / str(number)
        folder.mkdir()
        os.symlink(self.root / "pipeline.so", folder / "pipeline.so")
        count = {"loads": loads, "stores": 1, "atomics": 0}
        (folder / "bundle.json").write_text(json.dumps({
            "pipeline": pipeline, "register_cap": 64, "entry_point": "tessera_pipeline",
            "files": {"library": "pipeline.so"},
            "kernels": [{"global": count, "shared": count, "local": count}],
            "arguments": [
                {"name": "in", "kind": "input", "type": "uint8", "dims": [{"min": 0, "extent": 20}]},
                {"name": "out", "kind": "output", "type": "uint8",
                 "dims": [{"min": 0, "extent": size}]}]}), encoding="utf-8")

    def launch(self, *words, path=""):
        results = self.root / "results.json"
        ran = subprocess.run([sys.executable, "-B", SCRIPT, self.bundles, "--json", results, *words],
                             capture_output=True, text=True, timeout=50, check=False,
                             env=dict(os.environ, PATH=f"{path}:{os.environ['PATH']}"))
        return ran, json.loads(results.read_text(encoding="utf-8"))

    def test_buffers_are_as_large_as_the_schedule_wants_them(self):
        self.bundle(1)
        self.bundle(2)
        ran, results = self.launch()
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        self.assertEqual([one["status"] for one in results], ["ok", "ok"])
        self.assertEqual(results[0]["sha256"], results[1]["sha256"])
        self.assertEqual(sorted(path.name for path in (self.bundles / "1").iterdir()),
                         ["bundle.json", "pipeline.so"])

    def test_other_sizes_are_not_compared(self):
        self.bundle(1, size=32)
        self.bundle(2, size=45)
        ran, results = self.launch()
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assertNotEqual(results[0]["sha256"], results[1]["sha256"])

    def test_the_lightest_come_first(self):
        for number, (pipeline, loads) in enumerate([("a", 9), ("a", 5), ("b", 700), ("a", 7)]):
            self.bundle(number, pipeline, loads=loads)
        order = self.root / "order"
        sanitizer = self.root / "compute-sanitizer"
        sanitizer.write_text(f"#!/bin/sh\nfor word; do :; done\nbasename $word >>{order}\n"
                             "shift 4\nexec \"$@\"\n", encoding="utf-8")
        sanitizer.chmod(0o755)
        ran, results = self.launch("--sanitizer", "memcheck", path=self.root)
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assertEqual(order.read_text(encoding="utf-8").split(), ["1", "3", "0", "2"])
        self.assertEqual([one["accesses"] for one in results], [30, 18, 2103, 24])

    def test_when_time_is_up_the_next_run_goes_on(self):
        self.bundle(1)
        ran, results = self.launch("--minutes", "-1")
        self.assertEqual((ran.returncode, results[0]["status"]), (0, "not run"))
        self.assertIn("1 bundles: 1 not run", ran.stdout)
        self.assertEqual(self.launch()[1][0]["status"], "ok")
        (self.bundles / "1" / "pipeline.so").unlink()  # it would fail now
        self.assertEqual(self.launch()[1][0]["status"], "ok")

    def test_what_fails_is_told(self):
        self.bundle(1)
        (self.bundles / "1" / "pipeline.so").unlink()
        ran, results = self.launch()
        self.assertEqual(ran.returncode, 1)
        self.assertEqual(results[0]["status"], "failed")
        self.assertIn("pipeline.so", results[0]["text"])


if __name__ == "__main__":
    unittest.main()
