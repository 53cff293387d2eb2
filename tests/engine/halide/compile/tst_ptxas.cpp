// SPDX-License-Identifier: MIT
#include "engine/halide/compile/ptxas.h"

#include <gtest/gtest.h>

namespace tessera::halide::testing {
namespace {

TEST(Ptxas, ReadsWhatItSaysOfEachKernel) {
  const AssemblerReports reports = parsePtxas(
      "ptxas info    : Overriding maximum register limit 256 for 'k0' with  64 of maxrregcount\n"
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'k0' for 'sm_90'\n"
      "ptxas info    : Function properties for k0\n"
      "    128 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads\n"
      "ptxas info    : Used 64 registers, used 1 barriers, 128 bytes cumulative stack size\n"
      "ptxas info    : Compiling entry function 'k1' for 'sm_90'\n"
      "ptxas info    : Function properties for k1\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 14 registers, used 0 barriers\n"
      "ptxas info    : Function properties for a_helper\n"
      "    99 bytes stack frame, 9 bytes spill stores, 9 bytes spill loads\n");
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_EQ(reports.at("k0"), (report::AssemblerReport{64, 128, 12, 16}));
  EXPECT_EQ(reports.at("k1"), (report::AssemblerReport{14, 0, 0, 0}));
}

TEST(Ptxas, MakesNothingOfOtherText) {
  EXPECT_TRUE(parsePtxas("").empty());
  EXPECT_TRUE(parsePtxas("ptxas fatal : no such thing\nUsed many registers").empty());
}

TEST(Ptxas, SaysThatItCannotRun) {
  EXPECT_FALSE(runPtxas({"/nowhere/ptxas", "a.ptx", "a.cubin", "sm_90", 64}));
  const auto failed = runPtxas({"/bin/false", "a.ptx", "a.cubin", "sm_90", 64});
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().message.find("ptxas failed"), std::string::npos);
}

} // namespace
} // namespace tessera::halide::testing
