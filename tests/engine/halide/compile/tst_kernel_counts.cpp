// SPDX-License-Identifier: MIT
#include "engine/halide/compile/kernel_counts.h"

#include <gtest/gtest.h>

namespace tessera::halide {
namespace {

namespace ir = Halide::Internal;

std::int64_t bytesOf(const std::vector<Halide::Expr> &extents) {
  const Halide::Expr buffer = ir::Variable::make(Halide::type_of<halide_buffer_t *>(), "f.buffer");
  const ir::Stmt call = ir::Evaluate::make(
      ir::Call::make(Halide::Int(32), "halide_device_malloc", {buffer}, ir::Call::Extern));
  const LoweredCounts counts =
      countKernels(ir::Allocate::make("f", Halide::Int(32), Halide::MemoryType::Heap, extents,
                                      ir::const_true(), call),
                   {.given = {{"width", 100}}, .stages = {}, .made = {}});
  EXPECT_EQ(counts.allocations.size(), 1U);
  return counts.allocations.empty() ? 0 : counts.allocations.front().bytes;
}

TEST(KernelCounts, AnAllocationHasTheBytesOfItsExtents) {
  const Halide::Expr width = ir::Variable::make(Halide::Int(32), "width");
  EXPECT_EQ(bytesOf({width, 8}), 100 * 8 * 4);
  EXPECT_EQ(bytesOf({width, 0}), 0);
  EXPECT_EQ(bytesOf({width, width - 101}), 0);
}

// li2018's schedule of Halide's own nl_means asks for it.
TEST(KernelCounts, OneThatNoMachineHasIsTheMostThatAReportSays) {
  const Halide::Expr large = 1 << 30;
  EXPECT_EQ(bytesOf({large, 1 << 20}), report::DeviceAllocation::kMost);
  EXPECT_EQ(bytesOf({large, large, large, large}), report::DeviceAllocation::kMost);
  EXPECT_EQ(bytesOf({large, large, 0}), 0);
}

} // namespace
} // namespace tessera::halide
