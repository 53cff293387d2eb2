// SPDX-License-Identifier: MIT
#include "engine/cost/load/layout.h"

#include "tests/engine/cost/loaded.h"

#include <gtest/gtest.h>

namespace tessera::cost {
namespace {

using testing::Loaded;

TEST(Layout, PaddingKeepsAColumnOutOfOneBank) {
  const std::string pipeline = "input in 64 64\nfunc f(x y) 64 64 = in(x; y)\n"
                               "func g(x y) 64 64 = f(y; x)\noutput g\n";
  const std::string tiles = "g split x xo xi 32 round_up | split y yo yi 32 round_up | "
                            "reorder yi xi xo yo | gpu_threads xi | gpu_blocks xo yo\n"
                            "f compute_at g:xo | gpu_threads x";
  const Loaded plain(pipeline, tiles), padded(pipeline, tiles + " | align_storage x 33");
  const StageLoad &conflicts = plain.stage("g"), &none = padded.stage("g");
  EXPECT_EQ(conflicts.sharedPasses, 32 * conflicts.sharedAccesses); // all lanes are in one bank
  EXPECT_EQ(none.sharedPasses, none.sharedAccesses);
}

} // namespace
} // namespace tessera::cost
