// SPDX-License-Identifier: MIT
#include "engine/measure/stage_column.h"

#include <gtest/gtest.h>

namespace tessera::measure {
namespace {

using report::CompileReport;
using report::KernelReport;

CompileReport twoKernels() {
  KernelReport first, second;
  first.name = "k0_f_s0";
  first.stages = {{"f", 0}, {"hist$1", 1}};
  first.firstLine = 2;
  first.sassFirstLine = 3;
  second.name = "k1_out_s0";
  second.stages = {{"out", 0}};
  second.firstLine = 4;
  second.sassFirstLine = 1;
  CompileReport report;
  report.kernels = {first, second};
  report.loweredLines = {{2, 3, {"hist$1", 1}}, {5, 5, {"f", 0}}};
  return report;
}

TEST(StageColumn, StandsInFrontOfEachLine) {
  EXPECT_EQ(loweredWithStages("a\nb\nc\n\ne\nf\n", twoKernels()), "                 | a\n"
                                                                  "hist$1.update(0) | b\n"
                                                                  "hist$1.update(0) | c\n"
                                                                  "                 | \n"
                                                                  "f                | e\n"
                                                                  "                 | f\n");
  EXPECT_EQ(loweredWithStages("a", CompileReport{}), " | a\n") << "also without an end of line";
  EXPECT_EQ(loweredWithStages("", twoKernels()), "");
}

TEST(StageColumn, KernelsHaveACommentAbove) {
  EXPECT_EQ(deviceWithStages("a\nb\nc\nd\n", twoKernels(), DeviceText::Source),
            "a\n// k0_f_s0 computes f, hist$1.update(0)\nb\nc\n// k1_out_s0 computes out\nd\n");
  EXPECT_EQ(deviceWithStages("a\nb\nc\nd\n", twoKernels(), DeviceText::Sass),
            "// k1_out_s0 computes out\na\nb\n// k0_f_s0 computes f, hist$1.update(0)\nc\nd\n");
}

} // namespace
} // namespace tessera::measure
