// SPDX-License-Identifier: MIT
// The smallest cases of Halide bugs that the engine works around. If a test fails with a new
// version of Halide, the bug is fixed, and the workaround can go.
#include "tests/engine/halide/captured.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace tessera::halide::testing {
namespace {

using namespace Halide;

// Returns the loops over a func that is needed only up to the end of an input. The func has tiles
// that are split again.
std::string loopsOverCopy(bool mayPartition) {
  ImageParam in(UInt(16), 2, "in");
  Var x("x"), y("y"), outer("outer"), rest("rest"), middle("middle"), inner("inner");
  Func copy("copy"), edge("edge"), blurred("blurred");
  copy(x, y) = in(x, y);
  edge(x, y) = copy(likely(clamp(x, in.dim(0).min(), in.dim(0).max())),
                    likely(clamp(y, in.dim(1).min(), in.dim(1).max())));
  blurred(x, y) = edge(x, y - 1) + edge(x, y + 1);
  edge.compute_root();
  copy.compute_root()
      .split(y, outer, rest, 8, TailStrategy::GuardWithIf)
      .split(rest, middle, inner, 2, TailStrategy::GuardWithIf);
  if (!mayPartition) copy.never_partition_all();

  const TemporaryFolder folder;
  const std::string file = folder.file("lowered.stmt");
  blurred.compile_to_lowered_stmt(file, {in}, Text);
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  const std::size_t begin = text.str().find("produce copy");
  return text.str().substr(begin, text.str().find("consume copy") - begin);
}

// Whether a guard is left, as a condition or as an inner loop that ends earlier. See
// engine/schedule/directives/partitions.h.
bool hasGuard(const std::string &loops) {
  return loops.find("if (") != std::string::npos || loops.find("new_max") != std::string::npos;
}

TEST(HalideFacts, TheGuardOfATileOfTilesIsLostWhenLoopsArePartitioned) {
  EXPECT_FALSE(hasGuard(loopsOverCopy(true)));
  EXPECT_TRUE(hasGuard(loopsOverCopy(false)));
}

} // namespace
} // namespace tessera::halide::testing
