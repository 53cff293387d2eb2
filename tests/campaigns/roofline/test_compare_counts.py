# SPDX-License-Identifier: MIT
import importlib.machinery
import importlib.util
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.dont_write_bytecode = True
import worker  # noqa: E402
from compare_counts import compared, kernels_of_ncu, refusal_of  # noqa: E402

COLUMNS = ["dram__bytes_read.sum", "dram__bytes_write.sum", "lts__t_bytes.sum",
           "sm__warps_active.avg.pct_of_peak_sustained_active",
           "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
           "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
           "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum"]


def printed(*rows):
    """As `ncu --csv --page raw --print-units base` prints."""
    head = '"ID","Process ID","Kernel Name",' + ",".join(f'"{name}"' for name in COLUMNS)
    units = '"","","",' + ",".join('"byte"' for _ in COLUMNS)
    return "\n".join(["==PROF== Connected to process 7", head, units] + [
        f'"{number}","7","{name}",' + ",".join(f'"{value}"' for value in values)
        for number, (name, values) in enumerate(rows)])


def ours(**counters):
    kernel = dict.fromkeys(["dram_read_bytes", "dram_write_bytes", "l2_bytes", "l1_bytes",
                            "shared_bytes", "occupancy", "fp32_operations",
                            "integer_instructions"])
    return dict(kernel, name="k0_f", **counters)


class NcuOutput(unittest.TestCase):
    def test_launches_are_added_and_shares_averaged(self):
        text = printed(("k0_f(float *)", ["1,000", "24", "5", "40", "1", "10", "2"]),
                       ("k0_f", ["1", "0", "5", "60", "1", "10", "2"]),
                       ("k1_g", ["7", "0", "0", "1", "0", "0", "0"]))
        kernels = kernels_of_ncu(text)
        self.assertEqual(sorted(kernels), ["k0_f", "k1_g"])
        self.assertEqual(kernels["k0_f"]["dram"], 1025)
        self.assertEqual(kernels["k0_f"]["l2"], 10)
        self.assertAlmostEqual(kernels["k0_f"]["occupancy"], 0.5)
        self.assertEqual(kernels["k0_f"]["fp32"], 46)  # a fused multiply-add is two
        self.assertNotIn("shared", kernels["k0_f"])

    def test_a_refusal_is_found(self):
        text = "==PROF== Connected\n==ERROR== ERR_NVGPUCTRPERM - The user does not have permission"
        self.assertIn("does not have permission", refusal_of(text))
        self.assertEqual(refusal_of(printed()), "")


class Comparison(unittest.TestCase):
    def test_parts_are_of_what_ncu_says(self):
        kernel = ours(dram_read_bytes=1.0e6, dram_write_bytes=0.1e6, l2_bytes=2e6, occupancy=0.52)
        row = compared(kernel, {"dram": 1e6, "l2": 2e6, "occupancy": 0.5, "l1": 7}, 0.05)
        self.assertAlmostEqual(row["off"]["dram"], 0.1)
        self.assertEqual(row["off"]["l2"], 0)
        self.assertAlmostEqual(row["off"]["occupancy"], 0.04)
        self.assertNotIn("l1", row["off"])
        self.assertFalse(row["agrees"])
        self.assertTrue(compared(kernel, {"l2": 2e6, "occupancy": 0.5}, 0.05)["agrees"])

    def test_next_to_nothing_agrees_with_nothing(self):
        row = compared(ours(dram_read_bytes=4096, dram_write_bytes=0), {"dram": 0}, 0.05)
        self.assertTrue(row["agrees"])
        row = compared(ours(l2_bytes=1e9), {"l2": 0}, 0.05)
        self.assertFalse(row["agrees"])


class Frames(unittest.TestCase):
    def test_values_come_back(self):
        value = {"a": [1, -5, 300, 70000, 1 << 40, 2.5, True, False, None, "µs"], "b": {}}
        self.assertEqual(worker.decode(worker.encode(value)), value)

    def test_a_process_that_is_no_worker_is_refused(self):
        with worker.Worker([sys.executable, "-c", "print('no frame, but as long as one')"]) as one:
            with self.assertRaises((worker.Refused, BrokenPipeError)):
                one.ask("ceilings")


class Choice(unittest.TestCase):
    def test_bundles_take_turns(self):
        loader = importlib.machinery.SourceFileLoader("measure_roofs", str(HERE / "measure_roofs"))
        script = importlib.util.module_from_spec(
            importlib.util.spec_from_loader("measure_roofs", loader))
        loader.exec_module(script)
        results = [{"bundle": name, "counters": {"kernels": [
            {"name": f"{name}{i}", "seconds": i} for i in range(3)]}} for name in "ab"]
        chosen = [kernel["name"] for _, kernel in script.longest_kernels(results, 5)]
        self.assertEqual(chosen, ["a2", "b2", "a1", "b1", "a0"])


if __name__ == "__main__":
    unittest.main()
