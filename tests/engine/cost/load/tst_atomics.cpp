// SPDX-License-Identifier: MIT
// Sums whose additions are atomic, in global memory or in that of a block.
#include "tests/engine/cost/loaded.h"

#include <gtest/gtest.h>

namespace tessera::cost {
namespace {

using testing::Loaded;

std::string tiled(const std::string &stage) {
  return stage + " split x xo xi 16 guard_with_if | split y yo yi 8 guard_with_if | "
                 "reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo\n";
}

const std::string kSum = "input in 64 64\n"
                         "func s(x y) 64 64 = \n"
                         "update s(x y) r:0:32 commutative = s(x; y) in(x; r)\n"
                         "output s\n";

TEST(Atomics, OfThreadsThatAddToTheSame) {
  const auto update = [](const std::string &threads) {
    return Loaded(kSum, tiled("s") + "s.1 atomic 0 | split x xo xi 16 guard_with_if | " + threads)
        .stage("s.update(0)");
  };
  // The threads of a warp are 32 steps of r, which all add to the same sum.
  const StageLoad all = update("reorder ~r xi y xo | gpu_threads ~r xi | gpu_blocks y xo");
  EXPECT_EQ(all.atomics, 1);
  EXPECT_EQ(all.conflicts, 32);
  // The threads of a warp are 16 sums with two steps of r each.
  const StageLoad two = update("reorder xi ~r y xo | gpu_threads xi ~r | gpu_blocks y xo");
  EXPECT_EQ(two.conflicts, 2);
}

TEST(Atomics, OfGlobalMemoryNeitherLoadNorWait) {
  const auto update = [](const std::string &atomic) {
    return Loaded(kSum, tiled("s") + "s.1 " + atomic +
                            "split x xo xi 16 guard_with_if | "
                            "reorder xi ~r y xo | gpu_threads xi | gpu_blocks y xo")
        .stage("s.update(0)");
  };
  const StageLoad plain = update(""), atomic = update("atomic 0 | ");
  EXPECT_EQ(plain.turns, 32); // a register holds the sum
  EXPECT_EQ(atomic.turns, 1);
  EXPECT_EQ(atomic.stores, 1);
  EXPECT_EQ(atomic.loads, 1); // what is added
  EXPECT_EQ(atomic.chained, 0);
}

TEST(Atomics, OfABlockAreTriedAgainWhereFloatsMeet) {
  const auto update = [](const std::string &type) {
    return Loaded("input in 64 64\n"
                  "func s(x) 64 " +
                      type +
                      " = \n"
                      "update s(x) r:0:64 commutative = s(x) in(x; r)\n"
                      "func f(x) 64 = s(x)\n"
                      "output f\n",
                  "f split x xo xi 1 guard_with_if | gpu_blocks xo | gpu_threads xi\n"
                  "s compute_at f:xo\n"
                  "s.1 atomic 0 | split ~r ~ro ~ri 32 guard_with_if | reorder ~ro ~ri x | "
                  "gpu_threads ~ri")
        .stage("s.update(0)");
  };
  const StageLoad floats = update("float32");
  EXPECT_EQ(floats.turns, 1); // no register holds a sum that other threads add to
  EXPECT_EQ(floats.atomics, 1);
  EXPECT_EQ(floats.retries, 31); // one of the 32 threads succeeds at a time
  EXPECT_EQ(update("int32").retries, 0);
}

} // namespace
} // namespace tessera::cost
